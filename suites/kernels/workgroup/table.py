"""What the area is generated from. Plain Python, for the catalogue too."""

from __future__ import annotations

SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double")
VECTORS = (
    "uchar2",
    "char3",
    "short4",
    "ushort8",
    "char16",
    "int2",
    "uint3",
    "float4",
    "int8",
    "float16",
    "long2",
    "ulong4",
    "double3",
    "double8",
    "half2",
    "half4",
)
SHAPES = (
    (2,),
    (3,),
    (5,),
    (13,),
    (32,),
    (63,),
    (2, 32),
    (7, 9),
    (1, 64),
    (4, 4, 4),
    (3, 5, 2),
    (1, 1, 61),
    (2, 1, 31),
)
REDUCTIONS = {
    "add": SCALARS,
    "xor": ("uint", "long", "uchar"),
    "min": ("int", "float", "ushort"),
    "max": ("short", "double", "ulong"),
}
TRANSPOSED = ("char", "ushort", "int", "long", "float", "double", "float4", "uchar3", "half")
SCANNED = ("uchar", "short", "int", "uint", "long", "float", "double")
COLLECTIVE = ("int", "uint", "long", "ulong", "half", "float", "double")

# How the barriers of control.py are reached; what each does is there.
BARRIER_FORMS = (
    "straight",
    "loop",
    "loop_from_argument",
    "loop_from_buffer",
    "nested_loops",
    "while_break",
    "do_while",
    "continue",
    "unrolled",
    "if_group",
    "if_buffer",
    "else_only",
    "switch_group",
    "return_group",
    "function",
    "two_functions",
    "after_divergence",
    "after_divergent_loop",
    "in_divergent_data",
    "from_local_flag",
    "private_array",
    "wide_state",
    "two_arrays",
    "loop_in_branch",
    "branch_in_loop",
    "last_in_loop",
)


def split(type_name: str) -> tuple[str, int]:
    """The scalar and the number of components of `float4`; 1 of `float`."""
    scalar = type_name.rstrip("0123456789")
    return scalar, int(type_name[len(scalar) :] or 1)


def room(width: int) -> int:
    """The components that a vector takes in memory: three take the room of four."""
    return 4 if width == 3 else width
