"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
from ..coverage import Row
from ..kit.needs import needs
from .model import SIZES
from .table import KINDS, scalars_of

WIDTHS = (1, 2, 3, 4, 8, 16)

# Of how many of the records of a kind a body makes a case (1 is all, 2 every second one), and with which it begins.
_BODIES = {
    "offsets": (1, 0),
    "read": (1, 0),
    "write": (2, 0),
    "copy": (2, 1),
    "pass": (2, 0),
    "snapshot": (3, 1),
    "argument": (2, 0),
    "constant": (2, 1),
}

PUNS = (
    ("uint", "uchar4"),
    ("int", "float"),
    ("ulong", "uint2"),
    ("long", "double"),
    ("ushort", "half"),
    ("uint4", "uchar16"),
    ("float4", "int4"),
    ("short8", "char16"),
    ("double2", "ulong2"),
    ("float2", "ulong"),
    ("half4", "ushort4"),
    ("ushort2", "int"),
    ("uint16", "float16"),
    ("long4", "int8"),
    ("half2", "uint"),
    ("double4", "float8"),
)
"""Types of one size."""

_C = "OpenCL C 3.0, "
_TITLES = {
    "offsets": ("sizeof, alignment and offsets of structures and unions", "6.3.5, 6.13.1"),
    "read": ("structures in buffers, read", "6.3.5"),
    "write": ("structures in buffers, written member by member", "6.3.5"),
    "copy": ("structures assigned between address spaces", "6.5.15, 6.7"),
    "pass": ("structures passed and returned by value", "6.5.15, 6.7"),
    "snapshot": ("a copied structure does not follow the original", "6.5.15"),
    "argument": ("structures as arguments of kernels", "6.11"),
    "constant": ("structures in constant memory", "6.7.3"),
}
ROWS: list[Row] = [
    *(Row(f"kernels/layout/{name}.*", title, f"{_C}{section}", "basic") for name, (title, section) in _TITLES.items()),
    Row("kernels/layout/align.*", "size and alignment of scalars and vectors", f"{_C}6.3.5", "basic, vectors"),
    Row("kernels/layout/sizeof.*", "types as wide as an address", f"{_C}6.3.1", "basic"),
    Row("kernels/layout/pun.*", "members of a union of another type", f"{_C}6.4.4.1", ""),
]
_AREA = Area("layout")


def cases() -> Iterator[Case]:
    """Types, and records of each kind in each place."""
    yield from _AREA.each("align.{type}{width}", "align", combine(type=SIZES, width=WIDTHS))
    for name in ("size_t", "ptrdiff_t", "intptr_t", "uintptr_t"):
        yield _AREA.case("sizeof.{type}", "address", type=name)
    for pair in PUNS:
        requires = needs(*(name.rstrip("0123456789") for name in pair))
        yield _AREA.case(f"pun.{'.'.join(pair)}", "pun", *requires, types=list(pair))
    for body, (every, first) in _BODIES.items():
        for kind, count in KINDS.items():
            for number in range(first, count, every):
                requires = needs(*scalars_of(kind, number))
                yield _AREA.case(f"{body}.{{kind}}{{number}}", body, *requires, kind=kind, number=number)
