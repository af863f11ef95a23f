"""Operators on floating components in each order, with signs and limits, all of which may be part of one instruction.

OpenCL C 3.0, 6.5, 6.15.2 and 6.15.4. All values are quarters of small integers, so that each step is exact.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import COMPARE, np_type, pragmas
from .pairs import PAIRS

_ITEMS = 64
_SIGNS: list[tuple[str, Callable[[Any], Any]]] = [
    ("{}", np.positive),
    ("-{}", np.negative),
    ("fabs({})", np.abs),
    ("-fabs({})", lambda x: -np.abs(x)),
]
_LIMITS: list[tuple[str, Callable[[Any], Any]]] = [
    ("{}", np.positive),
    ("clamp({}, (T)0, (T)1)", lambda x: np.clip(x, 0, 1)),
    ("fmax({}, (T)0)", lambda x: np.maximum(x, 0)),
    ("clamp({}, (T)-1, (T)1)", lambda x: np.clip(x, -1, 1)),
]
_ROUNDED = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint}
_OPERATORS: list[tuple[str, Callable[..., Any]]] = [
    ("{0} + {1}", lambda x, y, z: x + y),
    ("{0} * {1}", lambda x, y, z: x * y),
    ("fma({0}, {1}, {2})", lambda x, y, z: x * y + z),
    ("fmin({0}, {1})", lambda x, y, z: np.minimum(x, y)),
    ("fmax({0}, {1})", lambda x, y, z: np.maximum(x, y)),
    *((f"({{0}} {sign} {{1}} ? (T)1 : (T)0)", lambda x, y, z, f=f: f(x, y) * 1.0) for sign, f in COMPARE.items()),
    *((f"{name}({{0}})", lambda x, y, z, f=f: f(x)) for name, f in _ROUNDED.items()),
    ("({0} < {1} ? {2} : {0})", lambda x, y, z: np.where(x < y, z, x)),
]
# The operators of each kernel: comparisons share one, and so do operators that round.
_KERNELS = (*((n,) for n in range(5)), range(5, 5 + len(COMPARE)), range(5 + len(COMPARE), len(_OPERATORS) - 1), (-1,))


def _rows(kernel: int, numbers: dict[str, Any]) -> list[tuple[str, Any]]:
    """Expressions of a kernel and their results; in every second one, both operands are from the same vector."""
    rows = []
    for (m, one), (n, other) in itertools.product(enumerate(_SIGNS), repeat=2):
        second = "ab"[(m + n) % 2]
        code, function = _OPERATORS[_KERNELS[kernel][(m + 5 * n) % len(_KERNELS[kernel])]]
        orders = [PAIRS[(kernel + m) % 4], PAIRS[(kernel + n + (m >> 1)) % 4], PAIRS[(m + n) % 4]]
        operands = list(zip((one, other, _SIGNS[(m + n + 1) % 4]), ("a", second, "c"), orders, strict=True))
        texts = [sign.format(f"{name}[i].s{p}{q}") for (sign, _), name, (p, q) in operands]
        values = [f(numbers[name][:, order]) for (_, f), name, order in operands]
        text, limit = _LIMITS[(m + n // 2 + kernel) % 4]
        rows.append((text.format(code.format(*texts)), limit(function(*values))))
    return rows


def check_modified(device: Device, *, type: str) -> None:
    """Each operator with each sign of each operand, and a limit of the result."""
    kind = np_type(type)
    numbers = {name: device.rng.integers(-8, 9, (_ITEMS, 2)) / 4 for name in "abc"}
    kernels = [_rows(number, numbers) for number in range(len(_KERNELS))]
    source = f"{pragmas(type)}#define T {type}2\n"
    for number, rows in enumerate(kernels):
        lines = "\n    ".join(f"r[{len(rows)} * i + {n}] = {code};" for n, (code, _) in enumerate(rows))
        source += f"""
__kernel void f{number}(__global const T *a, __global const T *b, __global const T *c, __global T *r) {{
    uint i = get_global_id(0);
    {lines}
}}
"""
    program = device.build(source)
    given = [device.buffer(x.astype(kind)) for x in numbers.values()]
    for number, rows in enumerate(kernels):
        out = device.buffer(np.zeros((_ITEMS, len(rows), 2), kind))
        device.launch(getattr(program, f"f{number}"), [_ITEMS], None, *given, out)
        got = device.read(out, kind, (_ITEMS, len(rows), 2)) + kind.type(0)  # a zero may have either sign
        for n, (code, want) in enumerate(rows):
            check.equal(code.replace("[i]", ""), got[:, n], want.astype(kind) + kind.type(0))
