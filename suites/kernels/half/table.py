"""What is done with half. Plain Python, because the catalogue reads it too. OpenCL C 3.0, 6.15.7 and cl_khr_fp16."""

from __future__ import annotations

WIDTHS = (1, 2, 3, 4, 8, 16)
LOAD_SPACES = ("global", "constant", "local", "private")
MODES = ("", "_rte", "_rtz", "_rtp", "_rtn")
# Which modes a store is tried in: all to global memory, each once elsewhere. One that mistakes the modes of double is
# seen in global memory; to the nearest, the other spaces show what is wrong with them.
STORES: dict[tuple[str, str], tuple[str, ...]] = {
    ("float", "global"): MODES,
    ("float", "local"): ("_rte", "_rtz"),
    ("float", "private"): ("", "_rtp", "_rtn"),
    ("double", "global"): MODES,
    ("double", "local"): ("_rte",),
    ("double", "private"): ("",),
}

INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")

# Expressions of two operands a and b; what they give: half, or truth.
OPERATORS: dict[str, tuple[str, str]] = {
    "add": ("a + b", "half"),
    "sub": ("a - b", "half"),
    "mul": ("a * b", "half"),
    "div": ("a / b", "half"),
    "negate": ("-a", "half"),
    "plus": ("+a", "half"),
    "assign_add": ("(a += b, a)", "half"),
    "assign_mul": ("(a *= b, a)", "half"),
    "choose": ("a < b ? a : b", "half"),
    "scalar": ("a * (half)3 - (half)0.5h", "half"),
    "less": ("a < b", "truth"),
    "less_equal": ("a <= b", "truth"),
    "greater": ("a > b", "truth"),
    "greater_equal": ("a >= b", "truth"),
    "equal": ("a == b", "truth"),
    "not_equal": ("a != b", "truth"),
    "not": ("!a", "truth"),
    "and": ("a && b", "truth"),
    "or": ("a || b", "truth"),
}


def suffix(width: int) -> str:
    """A width as it stands in a type's or a function's name."""
    return "" if width == 1 else str(width)


def stride(width: int, *, aligned: bool) -> int:
    """How many halves lie between two vectors: three take the room of four in the aligned forms (6.15.7)."""
    return 4 if aligned and width == 3 else width
