"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .model import INTEGER_FLAGS
from .table import FORMATS, PROGRAMS

_SECTION = "OpenCL C 3.0, 6.15.14"
_AREA = Area("printf")


def cases() -> Iterator[Case]:
    """What printf prints."""
    needed = ("printf", "execute")
    for name, (type_name, rows) in FORMATS.items():
        params = {"type": type_name, "rows": rows}
        yield _AREA.case(f"{name}", "formats", *needed, params=params)
    for name, program in PROGRAMS.items():
        yield _AREA.case(f"program.{name}", "program", *needed, *program.requires, name=name)

    def case(name: str, body: str, *features: str, **params: Any) -> Case:
        return _AREA.case(name, body, *needed, *features, params=params)

    for conversion in INTEGER_FLAGS:
        for modifier in ("", "hh", "h", "l"):
            wide = ("int64",) if modifier == "l" else ()
            name = f"integer.{modifier}{conversion}"
            yield case(name, "integer", *wide, conversion=conversion, modifier=modifier)
        for modifier in ("z", "t"):  # size_t, ptrdiff_t (OpenCL C 3.1)
            name = f"integer.{modifier}{conversion}"
            yield case(name, "integer", "opencl_c_3.1", "int64", conversion=conversion, modifier=modifier)
    for conversion in "fFeEgG":
        yield case(f"float.{conversion}", "float", conversion=conversion, type="float")
        yield case(f"double.{conversion}", "float", "fp64", conversion=conversion, type="double")
    for conversion in "aA":
        for type_name, needs in (("float", ()), ("double", ("fp64",))):
            yield case(f"hex.{type_name}.{conversion}", "hex", *needs, conversion=conversion, type=type_name)
    for count in (2, 3, 4, 8, 16):
        for modifier in ("hh", "h", "hl", "l"):
            wide = ("int64",) if modifier == "l" else ()
            for conversions in ("di", "uoxX"):
                name = f"vector.v{count}{modifier}{conversions[0]}"
                yield case(name, "vector", *wide, count=count, modifier=modifier, conversions=conversions)
        for modifier, needs in (("hl", ()), ("l", ("fp64",)), ("h", ("fp16",))):
            yield case(
                f"vector.v{count}{modifier}f",
                "vector",
                *needs,
                count=count,
                modifier=modifier,
                conversions="feEgG",
            )
    yield case("items", "items")
    yield case("character", "character")
    yield case("string", "string")
    for name in ("event", "finish", "blocking_read", "two_kernels", "two_programs", "again"):
        yield case(f"flush.{name}", "flush", how=name)
    for name, (size, group) in {
        "1d": ([96], [32]),
        "2d": ([8, 6], [4, 3]),
        "3d": ([4, 3, 5], [2, 3, 1]),
    }.items():
        yield case(f"range.{name}", "range", size=size, group=group)
    yield case("order", "order")
    yield case("overflow", "overflow")
    for name, beyond in {"one_less": -1, "exact": 0, "one_more": 1}.items():
        yield case(f"fill.{name}", "fill", beyond=beyond)
    yield case("fill.output", "full")
    yield case("pointer", "pointer")


ROWS = [
    Row("kernels/printf/*", "printf", _SECTION, "printf"),
]
