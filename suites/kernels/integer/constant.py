"""Divisions by constants, which compilers replace by multiplications and shifts. Plain Python."""

from ..kit.integers import IntegerType, bounds, quotient
from .operation import Model, Operation

KINDS = ("small", "power", "large")


def division(kind: str, t: IntegerType) -> Operation:
    """Quotients and remainders of `a` by some constants (6.5.1)."""
    low, high = bounds(t.scalar)
    constants = {
        "small": [3, 5, 7, 10, 11, 100, 125, -3, -7, -10],
        "power": [1, 2, 4, 8, 64, 2 ** (t.bits - 2), -2, -16, -(2 ** (t.bits - 2))],
        "large": [high, high - 1, high // 2 + 2, high // 3, 2 ** (t.bits // 2) + 1, -high, low, low // 3],
    }[kind]
    forms: dict[str, Model] = {}
    for c in dict.fromkeys(c for c in constants if c and low <= c <= high):
        forms[f"a / {literal(c, t.scalar)}"] = lambda t, a, c=c: quotient(a, c)
        forms[f"a % {literal(c, t.scalar)}"] = lambda t, a, c=c: a - c * quotient(a, c)
    return Operation(forms, 1, domain="dividends")


def literal(value: int, type_name: str) -> str:
    """A constant expression of exactly this type; the least value has no literal of its own."""
    suffix = {"uint": "U", "long": "L", "ulong": "UL"}.get(type_name, "")
    text = f"({value + 1}{suffix} - 1)" if value == bounds(type_name)[0] < 0 else f"{value}{suffix}"
    return f"(({type_name}){text})"
