"""The integer operations of the suite: how OpenCL C writes them, and which types are tried.

Plain Python, because the catalogue reads it too. OpenCL C 3.0, 6.4 (operators) and 6.15.3 (builtins).
"""

from __future__ import annotations

from dataclasses import dataclass

BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
UNSIGNED = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong"}
WIDER = {"uchar": "ushort", "short": "int", "ushort": "uint", "int": "long", "uint": "ulong"}


@dataclass(frozen=True, slots=True)
class Operation:
    """An expression of `a`, `b`, `c` of one type. `low` is the unsigned type of that width.

    `result` is the type it yields: "" the operands', "unsigned", "wider" or a type's name.
    """

    expression: str
    types: tuple[str, ...]
    operands: int = 2
    result: str = ""


OPERATIONS: dict[str, Operation] = {
    "abs": Operation("abs(a)", ("char", "int", "long"), 1, "unsigned"),
    "abs_diff": Operation("abs_diff(a, b)", ("char", "int", "ulong"), 2, "unsigned"),
    "add": Operation("a + b", ("uchar", "uint", "ulong")),
    "add_sat": Operation("add_sat(a, b)", ("uchar", "short", "int", "ulong")),
    "clamp": Operation("clamp(a, min(b, c), max(b, c))", ("char", "ulong"), 3),
    "clz": Operation("clz(a)", ("short", "int", "ulong"), 1),
    "divide": Operation("a / b", ("char", "int", "uint", "long")),
    "hadd": Operation("hadd(a, b)", ("uchar", "int", "ulong")),
    "less": Operation("(a < b) | (a == b) << 1 | (a >= b) << 2", ("int", "ulong"), 2, "int"),
    "mad24": Operation("mad24(a << 8 >> 8, b << 8 >> 8, c)", ("uint",), 3),
    "mad_hi": Operation("mad_hi(a, b, c)", ("uint",), 3),
    "mad_sat": Operation("mad_sat(a, b, c)", ("uchar", "int", "long"), 3),
    "modulo": Operation("a % b", ("short", "int", "ulong")),
    "mul": Operation("a * b", ("uchar", "uint", "ulong")),
    "mul_hi": Operation("mul_hi(a, b)", ("short", "int", "uint", "long")),
    "popcount": Operation("popcount(a)", ("char", "uint", "long"), 1),
    "rhadd": Operation("rhadd(a, b)", ("char", "uint", "long")),
    "rotate": Operation("rotate(a, b)", ("uchar", "int", "ulong")),
    "shift_left": Operation("a << b", ("uint", "ulong")),
    "shift_right": Operation("a >> b", ("char", "int", "ulong")),
    "sub_sat": Operation("sub_sat(a, b)", ("char", "uint", "long")),
    "upsample": Operation("upsample(a, ({low})b)", ("uchar", "int"), 2, "wider"),
}


def result_type(operation: Operation, type_name: str) -> str:
    """The OpenCL C type of the expression's result as the kernel stores it."""
    match operation.result:
        case "":
            return type_name
        case "unsigned":
            return UNSIGNED.get(type_name, type_name)
        case "wider":
            return WIDER[type_name]
        case other:
            return other
