"""What the area is about: kinds of expressions, and their types. Plain Python, because the catalogue reads it too."""

from __future__ import annotations

SIGNED = ("char", "short", "int", "long")
UNSIGNED = ("uchar", "ushort", "uint", "ulong")
FLOATS = ("half", "float", "double")
_SOME = ("char", "ushort", "int", "uint", "long", "ulong", *FLOATS)  # narrow integers are promoted, and slow to compile
_WIDE = ("int", "uint", "long", "ulong")
_NARROW = ("char2", "uchar2", "short2", "ushort2")  # vectors: no promotion, so that operators are of 8 and of 16 bits
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
    "clamped": (
        "min and max of each other, and compared with their operands",
        (*_WIDE, *_NARROW),
        ("int", "uint", "short2"),
    ),
    "distributed": ("an operator on a choice's sides", (*_WIDE, *_NARROW), ("int", "ushort2")),
    "truths": ("truth values as numbers and as masks", (*_WIDE, *_NARROW), ("int",)),
    "signs": ("the sign's bit, and what has a known sign", (*_WIDE, *_NARROW), ("int", "short2")),
    "reassociated": ("constants in two places", (*_WIDE, *_NARROW), ("int",)),
    "widened": (
        "comparisons of values that came from narrower types",
        (*SIGNED[:3], *UNSIGNED[:3], "half", "float"),
        ("int", "uint", "float"),
    ),
    "chained": ("conversions by way of another type", ("int", "uint", "half", "float"), ("int", "float")),
    "halves": ("halves and bytes, taken out and put together", _WIDE, ("ulong",)),
    "exact": ("arithmetic on numbers for which every step is exact", FLOATS, ("float",)),
    "unordered": ("comparisons, joined with questions for NaN", FLOATS[1:], ("float",)),
    "infinite": ("sums of numbers that may be infinite", FLOATS[1:], ("float",)),
    "infinite_products": ("products of numbers that may be infinite", FLOATS[1:], ("float",)),
    "ranged": ("results of which the operands' ranges tell something", FLOATS[1:], ("float",)),
    "factors": ("products with powers of two", (*_WIDE, *_NARROW), ("char2", "ushort2")),
    "truncated": ("a constant on each side of a narrower type", (*_WIDE, *_NARROW[2:]), ("ushort2",)),
    "counted": ("counts of a shift, and bits shifted together", (*_WIDE, *_NARROW), ("uint", "ushort2")),
}

#: What other types a kind names, by whether its own are floating ones.
ALSO: dict[tuple[str, bool], tuple[str, ...]] = {
    ("widened", True): FLOATS,
    ("chained", True): (*FLOATS, "long"),
    ("chained", False): ("double", "long"),
}


def scalar_of(name: str) -> tuple[str, int]:
    """The type of a component, and how many there are."""
    scalar = name.rstrip("0123456789")
    return scalar, int(name[len(scalar) :] or 1)
