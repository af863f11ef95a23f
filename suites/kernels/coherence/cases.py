"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case, Tier

from ..coverage import Row
from .table import (
    API_EXTENSIONS,
    CALLS,
    DEPENDENCIES,
    FEATURES,
    LANGUAGE_EXTENSIONS,
    LISTS,
    NEEDING,
    STANDARDS,
)

ROWS = [
    Row(
        "kernels/coherence/extension/*",
        "Extensions: string, version, macro",
        "OpenCL Extension 3.0, 1.2",
        "compiler",
    ),
    Row("kernels/coherence/feature/*", "Features: list, macro, query", "OpenCL C 3.0, 6.2.1", "api"),
    Row("kernels/coherence/code/*", "Code that needs a feature", "OpenCL C 3.0, 6.2.1", "api"),
    Row(
        "kernels/coherence/standard/*",
        "Language versions: list, option, macro",
        "OpenCL API 3.0, 5.8.6.5",
        "compiler",
    ),
    Row("kernels/coherence/list/*", "Lists and versions agree", "OpenCL API 3.0, 4.1, 4.2", "computeinfo"),
    Row("kernels/coherence/needs/*", "What an extension or feature needs", "OpenCL API 3.0, 4.2", "api"),
    Row("kernels/coherence/call/*", "Calls that need an optional feature", "OpenCL API 3.0, Appendix H", "api"),
]


def cases() -> Iterator[Case]:
    """Statements of the device that must agree."""
    for name in LANGUAGE_EXTENSIONS:
        yield Case(f"kernels/coherence/extension/{name}.macro", "coherence.macro", {"extension": name})
    for name in (*LANGUAGE_EXTENSIONS, *API_EXTENSIONS):
        params = {"extension": name}
        yield Case(
            f"kernels/coherence/extension/{name}.version",
            "coherence.version",
            params,
            ("opencl3",),
            Tier.FULL,
        )
    three = ("opencl3",)
    for name in FEATURES:
        word = name.removeprefix("__opencl_c_")
        yield Case(f"kernels/coherence/feature/{word}.macro", "coherence.feature_macro", {"feature": name}, three)
        yield Case(f"kernels/coherence/feature/{word}.query", "coherence.feature_query", {"feature": name}, three)
    for name in NEEDING:
        word = name.removeprefix("__opencl_c_")
        yield Case(f"kernels/coherence/code/{word}", "coherence.code", {"feature": name}, three, Tier.FULL)
    for name in STANDARDS:
        yield Case(f"kernels/coherence/standard/{name}", "coherence.standard", {"standard": name}, three)
    for name in LISTS:
        yield Case(f"kernels/coherence/list/{name}", "coherence.list", {"what": name}, three)
    for name in DEPENDENCIES:
        yield Case(f"kernels/coherence/needs/{name}", "coherence.needs", {"what": name}, three)
    for name in CALLS:
        tier = Tier.FULL if name == "native_kernel" else Tier.PREMERGE
        yield Case(f"kernels/coherence/call/{name}", "coherence.call", {"what": name}, three, tier)
