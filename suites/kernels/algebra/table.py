"""What the area is about: kinds of expressions, and their types. Plain Python, because the catalogue reads it too."""

from __future__ import annotations

SIGNED = ("char", "short", "int", "long")
UNSIGNED = ("uchar", "ushort", "uint", "ulong")
FLOATS = ("half", "float", "double")
_SOME = ("char", "ushort", "int", "uint", "long", "ulong", *FLOATS)  # narrow integers are promoted, and slow to compile
#: Kind: what its expressions are, its types, those of premerge.
KINDS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "joined": (
        "two comparisons that share an operand, joined",
        _SOME,
        ("int", "uint", "float"),
    ),
    "negated": ("the same of comparisons that are negated", ("int", "uint", "ulong", "float", "double"), ("uint", "float")),
    "bounded": ("comparisons with the ends of narrower types", (*SIGNED, *UNSIGNED), ("int", "uint", "long", "ulong")),
    "same": ("an operation on two forms of one value", (*SIGNED, *FLOATS), ("int", "float")),
    "numbers": ("fmin and fmax of a value and what is a number", FLOATS, ("float", "double")),
    "chosen": ("a choice by a comparison of what is chosen", _SOME, ("int", "uint", "float")),
    "nested": ("choices inside of choices", ("int", "ulong", *FLOATS), ("int", "float")),
    "masked": ("a shift and a mask, both constants", ("uint", "ulong"), ("uint",)),
    "laws": ("operators that distribute, absorb or cancel each other", ("uint", "ulong"), ("uint",)),
    "shifted": ("a shift, shifted again or compared", (*SIGNED, *UNSIGNED), ("int", "uint", "long", "ulong")),
    "narrowed": ("a value through narrower types, and fields by shifts", (*SIGNED, *UNSIGNED), ("int", "ulong")),
}
