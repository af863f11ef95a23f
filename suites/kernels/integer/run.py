"""Integer operators and builtins: edge operands crossed with edge operands, against Python's ints."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case

from ..scalar import np_type
from .table import BITS, OPERATIONS, UNSIGNED, result_type


def bounds(type_name: str) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    bits = BITS[type_name]
    return (0, 2**bits - 1) if type_name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def wrap(value: int, type_name: str) -> int:
    """`value` modulo 2 to the power of the type's width."""
    low, _ = bounds(type_name)
    return (value - low) % 2 ** BITS[type_name] + low


def saturate(value: int, type_name: str) -> int:
    """`value`, or the end of the type's range that it is beyond."""
    low, high = bounds(type_name)
    return min(max(value, low), high)


def edges(type_name: str, count: int = 24) -> list[int]:
    """Operands at which carries, signs and widths change; the first ones matter most."""
    bits = BITS[type_name]
    low, high = bounds(type_name)
    ones = 2**bits - 1
    values = [0, 1, high, low, -1, high - 1, low + 1, 2, bits - 1, bits, bits + 1, ones // 3, 3, 7]
    values += [
        2 ** (bits // 2) - 1,
        2 ** (bits // 2),
        2 ** (bits // 2) + 1,
        ones // 3 * 2,
        2 ** (bits - 2),
        5,
        100,
    ]
    values += [-2, -7, ones // 15, 2 * bits + 3]
    return list(dict.fromkeys(wrap(v, type_name) for v in values))[:count]


def _quotient(a: int, b: int) -> int:
    """a / b, rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _shift(type_name: str, b: int) -> int:
    """By how many bits: modulo the width of the promoted type (6.4, shift operators)."""
    return b % max(BITS[type_name], 32)


def _rotate(a: int, b: int, t: str) -> int:
    bits = BITS[t]
    pattern, by = a % 2**bits, b % bits
    return wrap(pattern << by | pattern >> (bits - by), t)


def _clz(a: int, t: str) -> int:
    return BITS[t] - (a % 2 ** BITS[t]).bit_length()


MODELS: dict[str, Callable[..., int]] = {
    "abs": lambda a, t: abs(a),
    "abs_diff": lambda a, b, t: abs(a - b),
    "add": lambda a, b, t: wrap(a + b, t),
    "add_sat": lambda a, b, t: saturate(a + b, t),
    "clamp": lambda a, b, c, t: min(max(a, min(b, c)), max(b, c)),
    "clz": _clz,
    "divide": lambda a, b, t: _quotient(a, b),
    "hadd": lambda a, b, t: (a + b) >> 1,
    "less": lambda a, b, t: (a < b) | (a == b) << 1 | (a >= b) << 2,
    "mad24": lambda a, b, c, t: wrap((a % 2**24) * (b % 2**24) + c, t),
    "mad_hi": lambda a, b, c, t: wrap((a * b >> BITS[t]) + c, t),
    "mad_sat": lambda a, b, c, t: saturate(a * b + c, t),
    "modulo": lambda a, b, t: a - b * _quotient(a, b),
    "mul": lambda a, b, t: wrap(a * b, t),
    "mul_hi": lambda a, b, t: a * b >> BITS[t],
    "popcount": lambda a, t: (a % 2 ** BITS[t]).bit_count(),
    "rhadd": lambda a, b, t: (a + b + 1) >> 1,
    "rotate": _rotate,
    "shift_left": lambda a, b, t: wrap(a << _shift(t, b), t),
    "shift_right": lambda a, b, t: a >> _shift(t, b),
    "sub_sat": lambda a, b, t: saturate(a - b, t),
    "upsample": lambda a, b, t: a << BITS[t] | b % 2 ** BITS[t],
}


def operands(name: str, type_name: str) -> list[tuple[int, ...]]:
    """Every combination of edges that the operation defines."""
    count = OPERATIONS[name].operands
    combinations = itertools.product(edges(type_name, 12 if count == 3 else 24), repeat=count)
    low, high = bounds(type_name)
    divides = name in ("divide", "modulo")
    if not divides:
        return list(combinations)
    return [c for c in combinations if c[1] != 0 and low <= _quotient(*c) <= high]  # MIN / -1 is undefined


def check_operation(device: Device, case: Case) -> None:
    """One operation on one type. Params: operation, type."""
    name, type_name = case.params["operation"], case.params["type"]
    operation = OPERATIONS[name]
    result = result_type(operation, type_name)
    rows = operands(name, type_name)
    columns = [np.array(column, dtype=np_type(type_name)) for column in zip(*rows, strict=True)]
    names = "abc"[: operation.operands]
    expression = operation.expression.format(low=UNSIGNED.get(type_name, type_name))
    parameters = "".join(f"__global const {type_name} *{n}_, " for n in names)
    kernel = device.build(
        f"""
__kernel void f({parameters}__global {result} *r) {{
    size_t i = get_global_id(0);
    {type_name} {", ".join(f"{n} = {n}_[i]" for n in names)};
    r[i] = {expression};
}}
"""
    ).f
    out = device.buffer(np.zeros(len(rows), dtype=np_type(result)))
    device.launch(kernel, [len(rows)], None, *(device.buffer(c) for c in columns), out)
    got = device.read(out, np_type(result), len(rows))
    want = np.array([MODELS[name](*row, type_name) for row in rows], dtype=np_type(result))
    wrong = np.flatnonzero(got != want)
    first = int(wrong[0]) if wrong.size else 0
    check.equal(
        f"{expression} with {', '.join(names)} = {', '.join(map(str, rows[first]))}", got[first], want[first]
    )
    check.equal(expression, got, want)


BODIES = {"integer.operation": check_operation}
