"""The operations on half. Plain Python, because the catalogue reads it too. OpenCL C 3.0, 6.15.7 and cl_khr_fp16."""

WIDTHS = (1, 2, 3, 4, 8, 16)
LOAD_SPACES = ("global", "constant", "local", "private")
MODES = ("", "_rte", "_rtz", "_rtp", "_rtn")
# The modes with which a store is tested: all to global memory, each once elsewhere. A device that confuses the modes of
# double fails in global memory; in the other spaces, to nearest shows their own faults.
STORES: dict[tuple[str, str], tuple[str, ...]] = {
    ("float", "global"): MODES,
    ("float", "local"): ("_rte", "_rtz"),
    ("float", "private"): ("", "_rtp", "_rtn"),
    ("double", "global"): MODES,
    ("double", "local"): ("_rte",),
    ("double", "private"): ("",),
}

INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")

# Expressions of two operands a and b; their result: half or truth; and the width of the vectors.
OPERATORS: dict[str, tuple[str, str, int]] = {
    "add": ("a + b", "half", 2),
    "sub": ("a - b", "half", 3),
    "mul": ("a * b", "half", 4),
    "div": ("a / b", "half", 8),
    "negate": ("-a", "half", 16),
    "plus": ("+a", "half", 2),
    "assign_add": ("(a += b, a)", "half", 3),
    "assign_mul": ("(a *= b, a)", "half", 4),
    "choose": ("a < b ? a : b", "half", 8),
    "scalar": ("a * (half)3 - (half)0.5h", "half", 16),
    "less": ("a < b", "truth", 2),
    "less_equal": ("a <= b", "truth", 3),
    "greater": ("a > b", "truth", 4),
    "greater_equal": ("a >= b", "truth", 8),
    "equal": ("a == b", "truth", 16),
    "not_equal": ("a != b", "truth", 2),
    "not": ("!a", "truth", 3),
    "and": ("a && b", "truth", 4),
    "or": ("a || b", "truth", 8),
}


def suffix(width: int) -> str:
    """A width as a part of a type's or a function's name."""
    return "" if width == 1 else str(width)


def stride(width: int, *, aligned: bool) -> int:
    """The distance of two vectors in halves: in the aligned forms, three take the room of four (6.15.7)."""
    return 4 if aligned and width == 3 else width
