"""The relational builtins and their types (OpenCL C 3.0, 6.15.6). Plain Python."""

FLOATS = ("float", "half", "double")
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
SIGNED = ("char", "short", "int", "long")
WIDTHS = (1, 2, 3, 4, 8, 16)

# The comparisons, with their numbers of operands.
COMPARE = {
    "isequal": 2,
    "isnotequal": 2,
    "isgreater": 2,
    "isgreaterequal": 2,
    "isless": 2,
    "islessequal": 2,
    "islessgreater": 2,
    "isordered": 2,
    "isunordered": 2,
    "isfinite": 1,
    "isinf": 1,
    "isnan": 1,
    "isnormal": 1,
    "signbit": 1,
}
OPERATORS = {"==": "eq", "!=": "ne", ">": "gt", ">=": "ge", "<": "lt", "<=": "le"}  # with their words in ids

_BITS = {"char": 8, "short": 16, "int": 32, "long": 64, "half": 16, "float": 32, "double": 64}


def bits(type_name: str) -> int:
    """The number of bits of a scalar type."""
    return _BITS[type_name.removeprefix("u")]


def mask_types(type_name: str) -> tuple[str, str]:
    """The signed and the unsigned integer type of a type's size, which are the types of select's last operand."""
    signed = {8: "char", 16: "short", 32: "int", 64: "long"}[bits(type_name)]
    return signed, f"u{signed}"


def result_type(floating: str, width: int) -> str:
    """The type that a comparison returns: int for scalars, the signed integer of the operands' size for vectors."""
    return "int" if width == 1 else mask_types(floating)[0]
