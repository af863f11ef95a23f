"""The cases of the area."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
from ..kit.needs import needs
from .model import SIZES
from .table import KINDS, scalars_of

WIDTHS = (1, 2, 3, 4, 8, 16)

# Of which records of a kind a body makes cases (1: all, 2: every second one), and with which it begins.
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

_AREA = Area("layout")


def cases() -> Iterator[Case]:
    """Types, and records of each kind with each body."""
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
