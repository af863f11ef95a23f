"""The tables of the area. Plain Python, because the catalogue reads it too."""

SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double")
# Types, with the forms of their copies.
VECTORS: dict[str, tuple[str, str]] = {
    "uchar2": ("in", "out_strided"),
    "char3": ("in_strided", "out"),
    "short4": ("in", "out_strided"),
    "ushort8": ("in_strided", "out"),
    "char16": ("in", "out_strided"),
    "int2": ("in_strided", "out"),
    "uint3": ("in", "out_strided"),
    "float4": ("in_strided", "out"),
    "int8": ("in", "out_strided"),
    "float16": ("in_strided", "out"),
    "long2": ("in", "out_strided"),
    "ulong4": ("in_strided", "out"),
    "double3": ("in", "out_strided"),
    "double8": ("in_strided", "out"),
    "half2": ("in", "out_strided"),
    "half4": ("in_strided", "out"),
}
SHAPES = ((2,), (3,), (5,), (13,), (32,), (63,), (2, 32), (7, 9), (1, 64), (4, 4, 4), (3, 5, 2), (1, 1, 61), (2, 1, 31))
# Types, with the form of the local memory and the number of items.
REDUCTIONS: dict[str, dict[str, tuple[str, int]]] = {
    "add": {
        "char": ("argument", 64),
        "uchar": ("declared", 61),
        "short": ("argument", 61),
        "ushort": ("declared", 64),
        "int": ("argument", 61),
        "uint": ("declared", 61),
        "long": ("argument", 64),
        "ulong": ("declared", 61),
        "half": ("argument", 61),
        "float": ("declared", 64),
        "double": ("argument", 61),
    },
    "xor": {"uint": ("argument", 64), "long": ("declared", 61), "uchar": ("argument", 61)},
    "min": {"int": ("argument", 64), "float": ("declared", 61), "ushort": ("argument", 61)},
    "max": {"short": ("argument", 64), "double": ("declared", 61), "ulong": ("argument", 61)},
}
# Types, with a tile that is not square.
TRANSPOSED: dict[str, tuple[int, int]] = {
    "char": (16, 4),
    "ushort": (4, 16),
    "int": (5, 7),
    "long": (16, 4),
    "float": (4, 16),
    "double": (5, 7),
    "float4": (16, 4),
    "uchar3": (4, 16),
    "half": (5, 7),
}
SCANNED = ("uchar", "short", "int", "uint", "long", "float", "double")
COLLECTIVE = ("int", "uint", "long", "ulong", "half", "float", "double")

# The ways to reach a barrier; their code is in control.py.
BARRIER_FORMS = (
    *("straight", "loop", "loop_from_argument", "loop_from_buffer", "nested_loops", "while_break", "do_while"),
    *("continue", "unrolled", "if_group", "if_buffer", "else_only", "switch_group", "return_group", "function"),
    *("two_functions", "after_divergence", "after_divergent_loop", "in_divergent_data", "from_local_flag"),
    *("private_array", "wide_state", "two_arrays", "loop_in_branch", "branch_in_loop", "last_in_loop"),
)


def split(type_name: str) -> tuple[str, int]:
    """The scalar type and the number of components, such as 4 for `float4` and 1 for `float`."""
    scalar = type_name.rstrip("0123456789")
    return scalar, int(type_name[len(scalar) :] or 1)


def room(width: int) -> int:
    """The number of components that a vector takes in memory: three take the room of four."""
    return 4 if width == 3 else width
