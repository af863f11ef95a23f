"""Builtins and operators on two components of narrow vectors, in each order: devices have packed instructions for these.

OpenCL C 3.0, 6.5 and 6.15.3.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.integers import bounds
from ..kit.scalar import np_type
from .pairs import PAIRS

_ITEMS = 64

Model = Callable[[Any, Any, int, int], Any]  # of x and y as int64, and the least and largest value of the type
_OPERATIONS: dict[str, dict[str, Model]] = {
    "operators": {
        "min({0}, {1})": lambda x, y, low, high: np.minimum(x, y),
        "max({0}, {1})": lambda x, y, low, high: np.maximum(x, y),
        "mul_hi({0}, {1})": lambda x, y, low, high: (x * y) >> (high - low).bit_length(),
        "{0} & {1}": lambda x, y, low, high: x & y,
        "{0} | {1}": lambda x, y, low, high: x | y,
        "{0} ^ {1}": lambda x, y, low, high: x ^ y,
        "(i & 1 ? {0} : {1})": lambda x, y, low, high: np.where(np.arange(_ITEMS)[:, None] & 1, x, y),
        "AS_T({0} < {1})": lambda x, y, low, high: -(x < y).astype(np.int64),
        "AS_T({0} >= {1})": lambda x, y, low, high: -(x >= y).astype(np.int64),
        "AS_T({0} == {1})": lambda x, y, low, high: -(x == y).astype(np.int64),
        "({0} < {1} ? {1} : (T)7)": lambda x, y, low, high: np.where(x < y, y, 7),
        "(i & 2 ? (T)(7, 9) : ~{1})": lambda x, y, low, high: np.where(np.arange(_ITEMS)[:, None] & 2, [7, 9], ~y),
        "{0} << ({1} & (T)7)": lambda x, y, low, high: x << (y & 7),
        "AS_T(abs({0}))": lambda x, y, low, high: np.abs(x),
        "{0} >> ({1} & (T)7)": lambda x, y, low, high: x >> (y & 7),
    },
    "sums": {
        "-{0}": lambda x, y, low, high: -x,
        "sub_sat({0}, {1})": lambda x, y, low, high: np.clip(x - y, low, high),
        "add_sat({0}, {1})": lambda x, y, low, high: np.clip(x + y, low, high),
        "hadd({0}, {1})": lambda x, y, low, high: (x + y) >> 1,
        "rhadd({0}, {1})": lambda x, y, low, high: (x + y + 1) >> 1,
        "AS_T(abs_diff({0}, {1}))": lambda x, y, low, high: np.abs(x - y),
    },
}


def check_narrow(device: Device, *, what: str, type: str) -> None:
    """Each operation of a table, with each order of each operand's components."""
    kind, (low, high) = np_type(type), bounds(type)
    a, b = (device.rng.integers(low, high + 1, (_ITEMS, 2)) for _ in range(2))
    b = np.where(device.rng.integers(0, 4, b.shape) == 0, a, b)
    rows = []
    for turn, (code, model) in enumerate(_OPERATIONS[what].items()):
        for n, p in enumerate(PAIRS):
            q = PAIRS[(n + turn) % 4]
            text = code.format(f"a[i].s{p[0]}{p[1]}", f"b[i].s{q[0]}{q[1]}")
            rows.append((text, model(a[:, p], b[:, q], low, high).astype(kind)))
    lines = "\n    ".join(f"r[{len(rows)} * i + {n}] = {code};" for n, (code, _) in enumerate(rows))
    kernel = device.build(
        f"""
#define T {type}2
#define AS_T(x) as_{type}2(x)
__kernel void f(__global const T *a, __global const T *b, __global T *r) {{
    uint i = get_global_id(0);
    {lines}
}}
"""
    ).f
    out = device.buffer(np.zeros((_ITEMS, len(rows), 2), kind))
    device.launch(kernel, [_ITEMS], None, *(device.buffer(x.astype(kind)) for x in (a, b)), out)
    got = device.read(out, kind, (_ITEMS, len(rows), 2))
    for n, (code, want) in enumerate(rows):
        check.equal(code.replace("[i]", ""), got[:, n], want)
