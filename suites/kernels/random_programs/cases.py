"""The cases of the area: one program a case."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .generator import FLAVOURS

ROWS = [
    Row("kernels/random/call/*", "functions, called by value and by pointer", "OpenCL C 3.0, 6.15", "basic"),
    Row("kernels/random/array/*", "private arrays", "OpenCL C 3.0, 6.7.4", "basic"),
    Row("kernels/random/vector/*", "vector expressions", "OpenCL C 3.0, 6.6", "basic"),
    Row("kernels/random/expression/*", "integer expressions", "OpenCL C 3.0, 6.5", "integer_ops"),
    Row("kernels/random/branch/*", "branches", "OpenCL C 3.0, 6; C99, 6.8.4", "basic"),
    Row("kernels/random/loop/*", "loops", "OpenCL C 3.0, 6; C99, 6.8.5", "basic"),
    Row("kernels/random/switch/*", "switches", "OpenCL C 3.0, 6; C99, 6.8.4", "basic"),
    Row("kernels/random/mixed/*", "structured programs", "OpenCL C 3.0, 6; C99, 6.8", "basic"),
]
COUNT, PREMERGE = 30, 3  # programs of each flavour
_AREA = Area("random", folder="random_programs")


def cases() -> Iterator[Case]:
    """The first programs of each flavour."""
    for flavour in FLAVOURS:
        for number in range(COUNT):
            premerge = number < PREMERGE
            params = {"flavour": flavour, "number": number}
            yield _AREA.case(f"{flavour}/{number}", "program", "int64", premerge=premerge, params=params)
