"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from .model import SIZES
from .table import KINDS, scalars_of

WIDTHS = (1, 2, 3, 4, 8, 16)

# Of how many of the records of a kind a body makes a case (1 is all, 2 every second one), with which it begins, and how many
# of the first ones are in premerge.
_BODIES = {
    "offsets": (1, 0, 2),
    "read": (1, 0, 3),
    "write": (2, 0, 0),
    "copy": (2, 1, 3),
    "pass": (2, 0, 2),
    "snapshot": (3, 1, 3),
    "argument": (2, 0, 2),
    "constant": (2, 1, 3),
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
_ALIGNED = (
    *("align.char8", "align.uchar4", "align.short3", "align.ushort2", "align.int", "align.int16", "align.uint8"),
    *("align.long4", "align.ulong3", "align.half2", "align.float", "align.float16", "align.double8"),
)
_AREA = Area("layout", premerge=("sizeof.*", "write.plain*", *_ALIGNED))


def cases() -> Iterator[Case]:
    """Types, and records of each kind in each place."""
    for scalar in SIZES:
        for width in WIDTHS:
            label = f"{scalar}{width if width > 1 else ''}"
            yield _AREA.case(f"align.{label}", "align", *needs(scalar), type=scalar, width=width)
    for name in ("size_t", "ptrdiff_t", "intptr_t", "uintptr_t"):
        yield _AREA.case(f"sizeof.{name}", "address", type=name)
    for one, other in PUNS:
        params = {"types": [one, other]}
        requires = needs(one.rstrip("0123456789"), other.rstrip("0123456789"))
        premerge = other in ("uchar4", "float")
        yield _AREA.case(f"pun.{one}.{other}", "pun", *requires, premerge=premerge, params=params)
    for body, (every, first, early) in _BODIES.items():
        for kind, count in KINDS.items():
            for number in range(first, count, every):
                # Padding is compared by no one, so what reads whole structures back is not in premerge.
                chosen = number < early
                # What sizes and places come to is enough here: each of them takes long to compile.
                chosen &= kind != "packed_inside" or body in ("offsets", "argument")
                yield _AREA.case(
                    f"{body}.{kind}{number}",
                    f"{body}",
                    *needs(*scalars_of(kind, number)),
                    premerge=chosen,
                    kind=kind,
                    number=number,
                )
