"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from .model import INTEGER_FLAGS
from .table import FORMATS, PROGRAMS

_AREA = Area("printf", ("printf", "execute"))


def cases() -> Iterator[Case]:
    """Every case of the area."""
    for name, (type_name, lines) in FORMATS.items():
        yield _AREA.case(name, "formats", params={"type": type_name, "rows": lines})
    for name, program in PROGRAMS.items():
        yield _AREA.case(f"program.{name}", "program", *program.requires, name=name)
    for conversion in INTEGER_FLAGS:
        integers = "integer.{modifier}{conversion}"
        for modifier in ("", "hh", "h", "l"):
            wide = ("int64",) * (modifier == "l")
            yield _AREA.case(integers, "integer", *wide, conversion=conversion, modifier=modifier)
        # size_t, ptrdiff_t
        rows = combine(conversion=[conversion], modifier=("z", "t"))
        yield from _AREA.each(integers, "integer", rows, "opencl_c_3.1", "int64")
    yield from _AREA.each("{type}.{conversion}", "float", combine(conversion="fFeEgG", type=("float", "double")))
    yield from _AREA.each("hex.{type}.{conversion}", "hex", combine(conversion="aA", type=("float", "double")))
    needed = {"hl": (), "l": ("fp64",), "h": ("fp16",)}
    for count in (2, 3, 4, 8, 16):
        for modifier, conversions in product(("hh", "h", "hl", "l"), ("di", "uoxX")):
            params = {"count": count, "modifier": modifier, "conversions": conversions}
            wide = ("int64",) * (modifier == "l")
            yield _AREA.case(f"vector.v{count}{modifier}{conversions[0]}", "vector", *wide, params=params)
        for modifier, features in needed.items():
            params = {"count": count, "modifier": modifier, "conversions": "feEgG"}
            yield _AREA.case("vector.v{count}{modifier}f", "vector", *features, params=params)
    for name in ("items", "character", "string"):
        yield _AREA.case(name, name)
    rows = combine(how=("event", "finish", "blocking_read", "two_kernels", "two_programs", "again"))
    yield from _AREA.each("flush.{how}", "flush", rows)
    for size, group in (([96], [32]), ([8, 6], [4, 3]), ([4, 3, 5], [2, 3, 1])):
        yield _AREA.case(f"range.{len(size)}d", "range", size=size, group=group)
    for name in ("order", "overflow"):
        yield _AREA.case(name, name)
    for name, beyond in {"one_less": -1, "exact": 0, "one_more": 1}.items():
        yield _AREA.case(f"fill.{name}", "fill", beyond=beyond)
    yield _AREA.case("fill.output", "full")
    yield _AREA.case("pointer", "pointer")
