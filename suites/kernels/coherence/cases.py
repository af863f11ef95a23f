"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
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
    three = "opencl3"
    yield from _AREA.each("extension/{extension}.macro", "macro", combine(extension=LANGUAGE_EXTENSIONS))
    rows = combine(extension=(*LANGUAGE_EXTENSIONS, *API_EXTENSIONS))
    yield from _AREA.each("extension/{extension}.version", "version", rows, three)
    for name in FEATURES:
        word = name.removeprefix("__opencl_c_")
        yield _AREA.case(f"feature/{word}.macro", "feature_macro", three, feature=name)
        yield _AREA.case(f"feature/{word}.query", "feature_query", three, feature=name)
    for name in NEEDING:
        yield _AREA.case(f"code/{name.removeprefix('__opencl_c_')}", "code", three, feature=name)
    yield from _AREA.each("standard/{standard}", "standard", combine(standard=STANDARDS), three)
    for body, names in {"list": LISTS, "needs": DEPENDENCIES, "call": CALLS}.items():
        yield from _AREA.each(f"{body}/{{what}}", body, combine(what=names), three)
