"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
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
_AREA = Area("coherence")


def cases() -> Iterator[Case]:
    """Statements of the device that must agree."""
    for name in LANGUAGE_EXTENSIONS:
        yield _AREA.case(f"extension/{name}.macro", "macro", extension=name)
    for name in (*LANGUAGE_EXTENSIONS, *API_EXTENSIONS):
        params = {"extension": name}
        yield _AREA.case(f"extension/{name}.version", "version", "opencl3", params=params)
    three = ("opencl3",)
    for name in FEATURES:
        word = name.removeprefix("__opencl_c_")
        yield _AREA.case(f"feature/{word}.macro", "feature_macro", *three, feature=name)
        yield _AREA.case(f"feature/{word}.query", "feature_query", *three, feature=name)
    for name in NEEDING:
        word = name.removeprefix("__opencl_c_")
        yield _AREA.case(f"code/{word}", "code", *three, feature=name)
    for name in STANDARDS:
        yield _AREA.case(f"standard/{name}", "standard", *three, standard=name)
    for name in LISTS:
        yield _AREA.case(f"list/{name}", "list", *three, what=name)
    for name in DEPENDENCIES:
        yield _AREA.case(f"needs/{name}", "needs", *three, what=name)
    for name in CALLS:
        yield _AREA.case(f"call/{name}", "call", *three, what=name)
