"""The kinds of expressions and their types. Plain Python, because the catalogue reads it too."""

SIGNED = ("char", "short", "int", "long")
UNSIGNED = ("uchar", "ushort", "uint", "ulong")
FLOATS = ("half", "float", "double")
_SOME = ("char", "ushort", "int", "uint", "long", "ulong", *FLOATS)  # narrow integers are promoted, and slow to compile
_WIDE = ("int", "uint", "long", "ulong")
_NARROW = ("char2", "uchar2", "short2", "ushort2")  # vectors are not promoted, so that operators have 8 and 16 bits
#: Each kind: a description of its expressions, and its types.
KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "joined": ("two comparisons that share an operand, joined", _SOME),
    "negated": ("the same with negated comparisons", ("int", "uint", "ulong", "float", "double")),
    "bounded": ("comparisons with the ends of narrower types", (*SIGNED, *UNSIGNED)),
    "same": ("an operation on two forms of one value", (*SIGNED, *FLOATS)),
    "numbers": ("fmin and fmax of a value and a number", FLOATS),
    "chosen": ("a choice by a comparison of the chosen values", _SOME),
    "nested": ("nested choices", ("int", "ulong", *FLOATS)),
    "masked": ("a shift and a mask, both constants", ("uint", "ulong")),
    "laws": ("operators that distribute, absorb or cancel each other", ("uint", "ulong")),
    "shifted": ("a shift, shifted again or compared", (*SIGNED, *UNSIGNED)),
    "narrowed": ("a value through narrower types, and fields by shifts", (*SIGNED, *UNSIGNED)),
    "clamped": ("min and max of each other, and compared with their operands", (*_WIDE, *_NARROW)),
    "distributed": ("an operator on the sides of a choice", (*_WIDE, *_NARROW)),
    "truths": ("truth values as numbers and as masks", (*_WIDE, *_NARROW)),
    "signs": ("the sign bit, and values with a known sign", (*_WIDE, *_NARROW)),
    "reassociated": ("constants in two places, which a compiler combines", (*_WIDE, *_NARROW)),
    "widened": ("comparisons of values from narrower types", (*SIGNED[:3], *UNSIGNED[:3], "half", "float")),
    "chained": ("conversions through another type", ("int", "uint", "half", "float")),
    "halves": ("halves and bytes, extracted and put together", _WIDE),
    "exact": ("arithmetic on numbers for which every step is exact", FLOATS),
    "unordered": ("comparisons, joined with tests for NaN", FLOATS[1:]),
    "infinite": ("sums of numbers that may be infinite", FLOATS[1:]),
    "infinite_products": ("products of numbers that may be infinite", FLOATS[1:]),
    "ranged": ("results whose sign follows from the operands' ranges", FLOATS[1:]),
    "factors": ("products with powers of two", (*_WIDE, *_NARROW)),
    "multiples": ("products with constants and with narrower values", (*_WIDE, "short2", "ushort2")),
    "limited": ("products with values that are kept within 16 bits, or just beyond", ("int", "uint")),
    "truncated": ("a constant before or after a conversion to a narrower type", (*_WIDE, *_NARROW[2:])),
    "counted": ("shift counts, and bits that are shifted together", (*_WIDE, *_NARROW)),
}
#: Kinds, with their types, whose expressions are also tested on the same operands: a compiler may take one for another.
#: Two kinds are only for this: alike, operations that differ only in a type or a sign; tested, results that are compared.
SHARED: dict[str, tuple[str, ...]] = {
    "alike": ("int", "long", *FLOATS),
    "tested": ("int", "uint", "long", "short2", "ushort2", *FLOATS),
    "same": (*SIGNED, *FLOATS),
    "exact": FLOATS,
    "chosen": ("int", "ulong", *FLOATS),
    "chained": ("int", "uint", "half", "float"),
    "truths": ("int", "ulong", "ushort2"),
    "signs": ("int", "long", "short2"),
    "widened": ("char", "ushort", "int"),
    "halves": _WIDE,
}

#: The other types that a kind uses, by whether its own types are floating ones.
ALSO: dict[tuple[str, bool], tuple[str, ...]] = {
    ("widened", True): FLOATS,
    ("chained", True): (*FLOATS, "long"),
    ("chained", False): ("double", "long"),
}


def scalar_of(name: str) -> tuple[str, int]:
    """The type of a component, and the number of components."""
    scalar = name.rstrip("0123456789")
    return scalar, int(name[len(scalar) :] or 1)
