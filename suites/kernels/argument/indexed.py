"""Arrays in a structure that is an argument, with indices that are known only at run time, one for each item or for all.

OpenCL C 3.0, 6.9.1. Drivers do not read arguments as they read buffers, but often a whole block of them at once.
"""

import numpy as np

from runner import check
from runner.device import Device

_ITEMS = 64
_MEMBERS = (("a", "uint", "<u4", 37), ("b", "ushort", "<u2", 21), ("c", "uchar", "u1", 13), ("d", "float", "<f4", 9))


def check_indexed(device: Device, *, before: int) -> None:
    """`before`: the number of words in front of the arrays, which shift them against the blocks that a driver reads."""
    fields = "".join(f" {name} {letter}[{count}];" for letter, name, _, count in _MEMBERS)
    head = f" uint p[{before}];" if before else ""
    sums = "\n    ".join(
        f"r[{2 * n} * all + i] = (uint)s.{letter}[x % {count}]; r[{2 * n + 1} * all + i] = (uint)s.{letter}[k % {count}];"
        for n, (letter, *_, count) in enumerate(_MEMBERS)
    )
    kernel = device.build(
        f"""
typedef struct {{{head}{fields} }} record;
__kernel void f(record s, __global const uint *xs, __global uint *r, uint k) {{
    uint i = (uint)get_global_id(0), all = (uint)get_global_size(0), x = xs[i];
    {sums}
    if (x & 1) r[{2 * len(_MEMBERS)} * all + i] = s.a[x >> 8 & 31] + s.b[x >> 16 & 15] * s.c[x >> 24 & 7];
}}
"""
    ).f
    layout = [("p", "<u4", before)] if before else []
    dtype = np.dtype([*layout, *((letter, kind, count) for letter, _, kind, count in _MEMBERS)], align=True)
    record = np.zeros((), dtype)
    for letter in dtype.names or ():
        record[letter] = device.rng.integers(0, 200, record[letter].shape)
    xs = device.rng.integers(0, 2**32, _ITEMS, dtype=np.uint32)
    k = int(device.rng.integers(0, 1000))
    out = device.buffer(np.zeros((2 * len(_MEMBERS) + 1, _ITEMS), np.uint32))
    device.launch(kernel, [_ITEMS], None, record, device.buffer(xs), out, np.uint32(k))
    got = device.read(out, np.uint32, (2 * len(_MEMBERS) + 1, _ITEMS))
    for n, (letter, name, _, count) in enumerate(_MEMBERS):
        values = record[letter].astype(np.uint32)
        check.equal(f"{name} by an index of each item", got[2 * n], values[xs % count], [xs])
        check.equal(f"{name} by one index", got[2 * n + 1], np.full(_ITEMS, values[k % count]))
    a, b, c = (record[letter].astype(np.uint32) for letter in "abc")
    want = np.where(xs & 1, a[xs >> 8 & 31] + b[xs >> 16 & 15] * c[xs >> 24 & 7], 0)
    check.equal("three in a branch", got[-1], want, [xs])


def check_at_hand(device: Device) -> None:
    """Each word of a long structure, in operations with constants and with a distant word: instructions reach only some.

    Half of the words are unsigned, the others are floats; all values are small integers, so that each step is exact.
    """
    words, lines = 60, []
    for k in range(words // 2):
        a, b, x, y = (f"s.{letter}[{at}]" for letter in "ab" for at in (k, words - 1 - k))
        at_hand = k % 11
        lines.append(f"r[{k} * all + i] = ({a} > {at_hand}u ? {at_hand}u - {b} : {a} * {b}) ^ ({at_hand + 8}u - {a});")
        real = f"fma({x}, {y}, {at_hand}.5f) * 2.0f - fmin(0.5f - {x}, {y}) * (float)i"
        lines.append(f"r[{k + words // 2} * all + i] = (uint)(int)({real});")
    body = "\n    ".join(lines)
    kernel = device.build(
        f"""
typedef struct {{ uint a[{words}]; float b[{words}]; }} record;
__kernel void f(record s, __global uint *r) {{
    uint i = (uint)get_global_id(0), all = (uint)get_global_size(0);
    {body}
}}
"""
    ).f
    record = np.zeros((), [("a", "<u4", words), ("b", "<f4", words)])
    for letter in "ab":
        record[letter] = device.rng.integers(0, 100, words)
    out = device.buffer(np.zeros((words, 4), np.uint32))
    device.launch(kernel, [4], None, record, out)
    got = device.read(out, np.uint32, (words, 4))
    i, n = np.arange(4), np.arange(words // 2) % 11
    one, last = np.split(record["a"].astype(np.int64), 2)
    two, end = np.split(record["b"].astype(np.float64), 2)
    other, far = last[::-1], end[::-1]
    integers = (np.where(one > n, n - other, one * other) ^ (n + 8 - one)).astype(np.uint32)
    reals = np.trunc((two * far + n + 0.5)[:, None] * 2 - np.minimum(0.5 - two, far)[:, None] * i).astype(np.int64)
    check.equal("unsigned words", got[: words // 2], np.repeat(integers[:, None], 4, axis=1))
    check.equal("floating words", got[words // 2 :], reals.astype(np.uint32))
