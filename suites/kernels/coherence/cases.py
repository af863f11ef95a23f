"""The cases of the area."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
from .table import API_EXTENSIONS, CALLS, DEPENDENCIES, FEATURES, LANGUAGE_EXTENSIONS, LISTS, NEEDING, STANDARDS

_AREA = Area("coherence")


def cases() -> Iterator[Case]:
    """Statements of a device that must agree with each other."""
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
