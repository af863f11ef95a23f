"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from ..kit.needs import needs
from ..kit.turns import TURNS
from .refusal import MISTAKES

WIDTHS = (2, 3, 4, 8, 16)

# Which combinations of type and width have cases: 1 for all, 2 for every second one.
_BODIES = {"swizzle": 1, "write": 1, "halves": 1, "halves_write": 2, "update": 2, "parts": 1, "literal": 2}
_BODIES |= {"memory": 2, "pointer": 1}

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
    narrow = ("char", "uchar", "short", "ushort", "half")
    for source, target in product(narrow, (*narrow, "int", "float")):
        if source != target:
            yield _AREA.case("pairs.{source}.{target}", "pairs", source=source, target=target)
    yield from _AREA.each("pairs_of_wide.{type}", "pairs_of_wide", combine(type=narrow))
    yield from _AREA.each("packed.{type}", "packed", combine(type=narrow))
    yield from _AREA.each("beside_constant.{type}", "beside_constant", combine(type=narrow[:-1]))
    yield from _AREA.each("narrow.{what}.{type}", "narrow", combine(what=("operators", "sums"), type=narrow[:-1]))
    yield from _AREA.each("modified.{type}", "modified", combine(type=("half", "float")))
    yield _AREA.case("constants.half2", "constants", type="half", width=2)
    yield from _AREA.each("constants.{type}", "constants", combine(type=("float", "int", "uint"), width=[1]))
    yield _AREA.case("three", "three", "int64")
    yield _AREA.case("relational.float4", "relational")
    yield from _AREA.each("refuse.{mistake}", "refusal", combine(mistake=MISTAKES))
