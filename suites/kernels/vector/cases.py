"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from ..coverage import Row
from ..kit.needs import needs
from ..kit.turns import TURNS
from .refusal import MISTAKES

WIDTHS = (2, 3, 4, 8, 16)

# How many of the combinations of type and width are tried: 1 is all, 2 every second one.
_BODIES = {"swizzle": 1, "write": 1, "halves": 1, "halves_write": 2, "update": 2, "parts": 1, "literal": 2}
_BODIES |= {"memory": 2, "pointer": 1}

_C = "OpenCL C 3.0, "
ROWS: list[Row] = [
    Row("kernels/vector/swizzle.*", "numeric swizzles read", f"{_C}6.3.7", "basic"),
    Row("kernels/vector/write.*", "numeric swizzles written", f"{_C}6.3.7", "basic"),
    Row("kernels/vector/xyzw.*", ".xyzw read and written", f"{_C}6.3.7", "basic"),
    Row("kernels/vector/rgba.*", ".rgba read and written", f"{_C}6.3.7", "basic"),
    Row("kernels/vector/halves.*", ".lo, .hi, .even, .odd read", f"{_C}6.3.7", "basic"),
    Row("kernels/vector/halves_write.*", ".lo, .hi, .even, .odd written", f"{_C}6.3.7", "basic"),
    Row("kernels/vector/update.*", "operators that assign, through swizzles", f"{_C}6.3.7, 6.5.15", ""),
    Row("kernels/vector/parts.*", "literals of parts", f"{_C}6.3.6", "basic"),
    Row("kernels/vector/literal.*", "constant literals, repeated scalars", f"{_C}6.3.6", "basic"),
    Row("kernels/vector/memory.*", "vectors in arrays, structures, functions", f"{_C}6.7", ""),
    Row("kernels/vector/pointer.*", "elements of pointers to vectors", f"{_C}6.3.5", "basic"),
    Row("kernels/vector/step.*", "vec_step", f"{_C}6.15.13", "vectors"),
    Row("kernels/vector/three", "size and alignment of three components", f"{_C}6.3.5", "vectors"),
    Row("kernels/vector/relational.*", "comparisons of vectors", f"{_C}6.5.4, 6.15.6", "relationals"),
    Row("kernels/vector/refuse.*", "statements on vectors that must not build", f"{_C}6.3.6, 6.3.7, 6.4", ""),
]
_AREA = Area("vector")


def cases() -> Iterator[Case]:
    """Components, literals and memory of vectors."""
    for (body, every), (type_name, turn), (place, width) in product(_BODIES.items(), TURNS.items(), enumerate(WIDTHS)):
        if (turn + place) % every == 0:
            yield _AREA.case(f"{body}.{{type}}{{width}}", body, type=type_name, width=width)
    for params in combine(names=["xyzw"], type=TURNS, width=(2, 3, 4)):
        yield _AREA.case("{names}.{type}{width}", "named", params=params)
    for type_name, turn in TURNS.items():
        params = {"names": "rgba", "type": type_name, "width": 2 + turn % 3}
        yield _AREA.case("{names}.{type}{width}", "named", *needs(type_name), "opencl_c_3.0", params=params)
    yield from _AREA.each("step.{type}", "step", combine(type=TURNS))
    yield _AREA.case("three", "three", "int64")
    yield _AREA.case("relational.float4", "relational")
    yield from _AREA.each("refuse.{mistake}", "refusal", combine(mistake=MISTAKES))
