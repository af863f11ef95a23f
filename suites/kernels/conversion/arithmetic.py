"""The usual arithmetic conversions (OpenCL C 3.0, 6.4.6), which decide the type in which an operator computes."""

import functools
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.integers import bounds, wrap
from ..kit.scalar import np_type, pragmas
from .exact import FORMATS, Number, convert, default_mode, round_to_float
from .table import BYTES, INTEGERS, common_type


@functools.cache
def edges(name: str) -> list[Number]:
    """Numbers whose conversion depends on the sign or the width of the types."""
    if name in FORMATS:
        digits = FORMATS[name][0]
        return [0.0, 1.0, -1.0, 0.5, -2.5, 3.0, -100.25, 1 + 2.0 ** (1 - digits), 2.0**digits, 2.0**digits - 1, 1000.0]
    low, high = bounds(name)
    values = [0, 1, -1, 2, -2, 3, 100, -100, high, high - 1, high // 2 + 1, low, low + 1, 2**24 + 1, 2**53 + 1]
    return [v for v in dict.fromkeys(values) if low <= v <= high]


def difference(a: Number, b: Number, name: str) -> Number | None:
    """a - b in a type that both have; None if a signed integer overflows."""
    if name in FORMATS:
        if math.isinf(a) or math.isinf(b):  # an integer beyond half's range
            return float(a) - float(b)
        return round_to_float(Fraction(a) - Fraction(b), name, "rte")
    exact = int(a) - int(b)
    return wrap(exact, name) if name.startswith("u") or wrap(exact, name) == exact else None


def _rows(a: str, b: str, common: str) -> list[tuple[Number, Number, Number, Number, Number]]:
    """Operands, their values in the common type, and the difference of these."""
    rows = []
    for x, y in itertools.product(edges(a), edges(b)):
        cx, cy = (convert(v, common, default_mode(common), saturated=False) for v in (x, y))
        if cx is None or cy is None or (minus := difference(cx, cy, common)) is None:
            continue
        rows.append((x, y, cx, cy, minus))
    return rows


def _arrays(rows: list[Any], *names: str) -> list[NDArray[Any]]:
    columns = zip(zip(*rows, strict=True), names, strict=True)
    return [np.array(column, dtype=np_type(name)) for column, name in columns]


def check_arithmetic(device: Device, *, a: str, b: str) -> None:
    """Operators on scalars of two types, `a` and `b`."""
    common = common_type(a, b)
    x, y, cx, cy, minus = _arrays(_rows(a, b, common), a, b, common, common, common)
    kernel = device.build(
        f"""
{pragmas(a, b)}__kernel void f(__global const {a} *a_, __global const {b} *b_, __global {common} *r, __global uchar *t) {{
    size_t i = get_global_id(0), n = get_global_size(0);
    {a} a = a_[i];
    {b} b = b_[i];
    r[i] = a - b;
    r[n + i] = i & 1 ? a : b;
    r[2 * n + i] = i & 1 ? b : a;
    t[i] = a < b;
    t[n + i] = b <= a;
    t[2 * n + i] = a == b;
    t[3 * n + i] = sizeof(a + b);
    t[4 * n + i] = sizeof(i & 1 ? b : a);
}}
"""
    ).f
    n = x.size
    out, flags = device.buffer(np.zeros(3 * n, minus.dtype)), device.buffer(5 * n)
    device.launch(kernel, [n], None, device.buffer(x), device.buffer(y), out, flags)
    odd = np.arange(n) % 2 == 1
    wants = {"a - b": minus, "odd ? a : b": np.where(odd, cx, cy), "odd ? b : a": np.where(odd, cy, cx)}
    what = f"with {a} a, {b} b"
    for got, (form, want) in zip(device.read(out, minus.dtype, (3, n)), wants.items(), strict=True):
        check.equal(f"{form} {what}", got, want, inputs=[x, y])
    size = np.full(n, BYTES[common])
    truths = {"a < b": cx < cy, "b <= a": cy <= cx, "a == b": cx == cy, "sizeof(a + b)": size, "sizeof(odd ? b : a)": size}
    for got, (form, want) in zip(device.read(flags, np.uint8, (5, n)), truths.items(), strict=True):
        check.equal(f"{form} {what}", got, want.astype(np.uint8), inputs=[x, y])


def check_widening(device: Device, *, vector: str, scalar: str, width: int) -> None:
    """A scalar operand beside a vector is converted to the type of its components. `vector`: that type."""
    converted = {v: convert(v, vector, default_mode(vector), saturated=False) for v in edges(scalar)}
    pairs = [(first, s) for first in range(len(edges(vector))) for s, c in converted.items() if c is not None]
    components = [[edges(vector)[(first + c) % len(edges(vector))] for c in range(width)] for first, _ in pairs]
    v = np.array(components, dtype=np_type(vector))
    s = np.array([s for _, s in pairs], dtype=np_type(scalar))
    same = np.array([[converted[s]] * width for _, s in pairs], dtype=np_type(vector))
    truth = INTEGERS[2 * (BYTES[vector].bit_length() - 1)]  # the signed integer of that size (6.5.4)
    operator = "-" if vector in FORMATS else "^"  # an operator that cannot overflow
    kernel = device.build(
        f"""
{pragmas(vector, scalar)}__kernel void f(__global const {vector} *v_, __global const {scalar} *s_, __global {vector} *r,
                __global {truth} *t) {{
    size_t i = get_global_id(0), n = get_global_size(0);
    {vector}{width} v = vload{width}(i, v_);
    {scalar} s = s_[i];
    vstore{width}(v {operator} s, i, r);
    vstore{width}(s {operator} v, n + i, r);
    vstore{width}(v < s, i, t);
    vstore{width}(s == v, n + i, t);
}}
"""
    ).f
    out = device.buffer(np.zeros((2, *v.shape), v.dtype))
    truths = device.buffer(np.zeros((2, *v.shape), np_type(truth)))
    device.launch(kernel, [len(pairs)], None, device.buffer(v), device.buffer(s), out, truths)
    what = f"with {vector}{width} v, {scalar} s"
    inputs = [v, np.repeat(s[:, None], width, axis=1)]
    if operator == "^":
        wants = [v ^ same, same ^ v]
    else:
        wants = [
            np.array([difference(a.item(), b.item(), vector) for a, b in zip(p.flat, q.flat, strict=True)], v.dtype)
            for p, q in ((v, same), (same, v))
        ]
        wants = [want.reshape(v.shape) for want in wants]
    forms = (f"v {operator} s", f"s {operator} v")
    for form, got, want in zip(forms, device.read(out, v.dtype, (2, *v.shape)), wants, strict=True):
        check.equal(f"{form} {what}", got, want, inputs=inputs)
    got = device.read(truths, np_type(truth), (2, *v.shape))
    for form, t, want in zip(("v < s", "s == v"), got, (v < same, same == v), strict=True):
        check.equal(f"{form} {what}", t, -want.astype(np_type(truth)), inputs=inputs)
