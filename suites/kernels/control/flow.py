"""Control flow and code generation: selects over small integers, guarded loads, wide literals, loops."""

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type


def check_float_select(device: Device, *, type: str) -> None:
    """A float variable that keeps its constant or takes a small integer of the type `type`.

    A pass that narrows the select to 16 bits must not replace the constant by the bits of a half.
    """
    kernel = device.build(
        f"""
__kernel void f(__global const {type} *a, __global float *out) {{
    size_t i = get_global_id(0);
    {type} v = a[i];
    float r = 2.5f;
    if (v < 10) r = (float)v;
    out[i] = r;
}}
"""
    ).f
    dtype = np_type(type)
    info = np.iinfo(dtype)
    values = np.array([0, 1, 5, 9, 10, 11, 100, info.max, info.max - 1, info.min, info.min + 1, 77], dtype=dtype)
    out = device.buffer(np.zeros(values.size, np.float32))
    device.launch(kernel, [values.size], None, device.buffer(values), out)
    want = np.where(values < 10, values.astype(np.float32), np.float32(2.5))
    check.equal(f"v < 10 ? (float)v : 2.5f of {type}", device.read(out, np.float32, values.size), want)


def check_guarded_load(device: Device, *, type: str, other: int) -> None:
    """A load behind a false condition is not executed, even if its index is far outside. `other`: the value instead."""
    count = 32
    kernel = device.build(
        f"""
__kernel void f(__global const {type} *a, __global const long *at,
                __global {type} *out) {{
    size_t i = get_global_id(0);
    long k = at[i];
    out[i] = (k >= 0 && k < {count}) ? a[k] : ({type}){other};
}}
"""
    ).f
    data = np.arange(100, 100 + count).astype(np_type(type))
    far = [-1, count, 2**20, -(2**20), 2**31, -(2**31), 2**40, -(2**40), 2**60, -(2**62)]
    index = np.array([*far, *range(count), *far], dtype=np.int64)
    inside = (index >= 0) & (index < count)
    want = np.where(inside, data[np.where(inside, index, 0)], other)
    for local in (None, [1]):  # a group of one item is compiled separately
        out = device.buffer(np.zeros(index.size, dtype=data.dtype))
        device.launch(kernel, [index.size], local, device.buffer(data), device.buffer(index), out)
        check.equal(f"guarded load of {type}", device.read(out, data.dtype, index.size), want)


def check_guarded_loop(device: Device) -> None:
    """A list followed to its end, an index far outside: loads of the trip that does not run are not executed."""
    kernel = device.build(
        """
__kernel void f(__global const int *a, __global const long *next, __global int *out) {
    size_t i = get_global_id(0);
    int sum = 0, n = 0;
    for (long k = next[i]; k < 32 && n < 100; k = next[k + 4]) { n++; sum += a[k]; }
    out[i * 2] = sum;
    out[i * 2 + 1] = n;
}
"""
    ).f
    data = np.arange(1000, 1032, dtype=np.int32)
    start, follows = np.array([5, 31, 2**40, 0], np.int64), np.arange(3, 35, dtype=np.int64)
    follows[follows >= 32] = 2**40  # each list goes in steps of 3
    out = device.buffer(np.zeros((4, 2), np.int32))
    chain = np.concatenate([start, follows])
    device.launch(kernel, [4], None, device.buffer(data), device.buffer(chain), out)
    members = [data[first::3] if first < 32 else data[:0] for first in start]
    want = np.array([(m.sum(), m.size) for m in members], np.int32)
    check.equal("sum and length of each list", device.read(out, np.int32, (4, 2)), want)


def check_literal(device: Device, *, suffix: str) -> None:
    """A 64-bit literal. The suffixes l and ul make a long (6.3.1).

    ll stands for the reserved type long long: a compiler may refuse it or give the value, but it must not crash.
    """
    source = "__kernel void f(__global ulong *r) { r[get_global_id(0)] = LITERAL + get_global_id(0); }"
    literal = f"0x123456789abcdef{suffix}"
    try:
        kernel = device.build(source, f"-DLITERAL={literal}").f
    except check.Mismatch as refusal:
        check.true(f"{literal} is refused: {refusal}", suffix == "ll", stage="build")
        return
    out = device.buffer(np.zeros(3, np.uint64))
    device.launch(kernel, [3], None, out)
    want = 0x123456789ABCDEF + np.arange(3, dtype=np.uint64)
    check.equal(literal, device.read(out, np.uint64, 3), want)


def check_signed_zero(device: Device) -> None:
    """Without -cl-no-signed-zeros, 0.0*x and x+0.0 keep the sign that IEEE 754 gives (API 3.0, 5.8.6.3)."""
    expressions = ("v * 0.0f", "0.0f * -v", "v + 0.0f", "v - 0.0f", "0.0f - v", "-v", "v + -0.0f", "-(v - w)")
    lines = "\n    ".join(f"r[i * {len(expressions)} + {n}] = {e};" for n, e in enumerate(expressions))
    kernel = device.build(
        f"""
__kernel void f(__global const float *a, __global float *r) {{
    size_t i = get_global_id(0);
    float v = a[i], w = v;
    {lines}
}}
"""
    ).f
    values = np.array([0.0, -0.0, 1.5, -1.5], dtype=np.float32)
    out = device.buffer(np.zeros((4, len(expressions)), np.float32))
    device.launch(kernel, [4], None, device.buffer(values), out)
    got = device.read(out, np.float32, (4, len(expressions)))
    for v, row in zip(values, got, strict=True):
        zero = np.float32(0)
        wants = (v * zero, zero * -v, v + zero, v - zero, zero - v, -v, v + -zero, -(v - v))
        for expression, value, want in zip(expressions, row, wants, strict=True):
            check.equal(f"{expression} with v = {check.show(v)}", check.show(value), check.show(want))


def check_loop(device: Device) -> None:
    """Nested loops with continue, break, an early return, and a switch with a fall-through."""
    kernel = device.build(
        """
__kernel void f(__global const uint *a, __global uint *r, uint n) {
    size_t i = get_global_id(0);
    uint x = a[i], sum = 0;
    if (x == 13) return;
    for (uint j = 0; j < n; j++) {
        if ((x >> j & 1) == 0) continue;
        uint k = 0;
        while (1) {
            if (++k > j) break;
            switch ((x + k) % 5) {
            case 0: sum += 1;
            case 1: sum ^= k; break;
            case 3: sum *= 3; break;
            default: sum += x;
            }
        }
        if (sum > 1000000u) break;
    }
    r[i] = sum;
}
"""
    ).f
    values = np.concatenate([np.arange(64), device.rng.integers(0, 2**16, 64)]).astype(np.uint32)
    out = device.buffer(np.full(values.size, 99, np.uint32))
    device.launch(kernel, [values.size], None, device.buffer(values), out, np.uint32(12))
    want = [_loop_model(int(x), 12) for x in values]
    check.equal("nested loops", device.read(out, np.uint32, values.size), np.array(want, dtype=np.uint32))


def _loop_model(x: int, n: int) -> int:
    total = 0
    if x == 13:
        return 99
    for j in range(n):
        if not x >> j & 1:
            continue
        for k in range(1, j + 1):
            match (x + k) % 5:
                case 0:
                    total = (total + 1) % 2**32 ^ k
                case 1:
                    total ^= k
                case 3:
                    total = total * 3 % 2**32
                case _:
                    total = (total + x) % 2**32
        if total > 1000000:
            break
    return total
