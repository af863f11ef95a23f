"""Structures and unions, compared with a model of their layout."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import FLOATS, np_type, pragmas
from .model import Plain


def check_align(device: Device, *, type: str, width: int) -> None:
    """A type has its size by sizeof, and is aligned to it in each address space (6.3.5)."""
    t = Plain(type, width)
    ones = f"({t.name})(1)"
    kernel = device.build(
        f"""{pragmas(t.scalar)}
typedef {t.name} T;
typedef struct {{ char c; T v; char d; }} S;
__constant char odd = 1;
__constant T fixed[2] = {{{ones}, {ones}}};
__constant S inner = {{1, {ones}, 2}};
__kernel void f(__global uint *r, __global S *g, int n) {{
    char before = n; T p = (T)(n); char between = n; S s; T q[3];
    __local char l0; __local T l1; __local char l2; __local S l3; __local T l4[3];
    l0 = l2 = n; l1 = p; l3.v = p; l4[n] = p; s.v = p; q[n] = p;
    r[0] = sizeof(T); r[1] = sizeof(S); r[2] = sizeof(q); r[3] = sizeof(g->v);
    r[4] = (uint)((__global char *)&g->v - (__global char *)g);
    r[5] = (uint)((__global char *)&g->d - (__global char *)g);
    r[6] = (uint)(size_t)&p; r[7] = (uint)(size_t)&s.v; r[8] = (uint)(size_t)&q[n];
    r[9] = (uint)(size_t)&l1; r[10] = (uint)(size_t)&l3.v; r[11] = (uint)(size_t)&l4[n];
    r[12] = (uint)(size_t)&fixed[n]; r[13] = (uint)(size_t)&inner.v; r[14] = before + between + odd + l0 + l2;
}}
"""
    ).f
    out = device.buffer(np.full(15, 0xFFFFFFFF, np.uint32))
    device.launch(kernel, [1], [1], out, device.buffer(3 * t.size), np.int32(1))
    got = device.read(out, np.uint32, 15)
    want = np.array([t.size, 3 * t.size, 3 * t.size, t.size, t.size, 2 * t.size], np.uint32)
    check.equal(f"sizeof {t.name}, of a structure, of an array; offsets", got[:6], want)
    check.equal(f"private addresses modulo sizeof({t.name})", got[6:9] % t.size, np.zeros(3, np.uint32))
    check.equal(f"local addresses modulo sizeof({t.name})", got[9:12] % t.size, np.zeros(3, np.uint32))
    check.equal(f"constant addresses modulo sizeof({t.name})", got[12:14] % t.size, np.zeros(2, np.uint32))
    check.equal("variables beside them", got[14], 5)


def check_address(device: Device, *, type: str) -> None:
    """The types for addresses and their differences have the width of an address."""
    signed = type in ("ptrdiff_t", "intptr_t")
    kernel = device.build(
        f"""
__kernel void f(__global uint *r, int minus_one) {{
    r[0] = sizeof({type});
    r[1] = ({type})minus_one < 0;
    r[2] = sizeof(({type})minus_one + (char)1);
}}
"""
    ).f
    out = device.buffer(np.zeros(3, np.uint32))
    device.launch(kernel, [1], [1], out, np.int32(-1))
    width = device.device.address_bits // 8
    want = np.array([width, signed, width], np.uint32)
    check.equal(f"sizeof({type}), whether it has a sign, size of a sum", device.read(out, np.uint32, 3), want)


def check_pun(device: Device, *, types: Sequence[str]) -> None:
    """The bytes of a union are read as another type (6.4.4.1), and back."""
    one, other = types
    kinds = [re.sub(r"\d+$", "", t) for t in (one, other)]
    kernel = device.build(
        f"""{pragmas(*kinds)}
typedef union {{ {one} a; {other} b; }} U;
__kernel void f(__global const {one} *a, __global const {other} *b, __global {other} *x, __global {one} *y) {{
    size_t i = get_global_id(0);
    U u;
    u.a = a[i];
    x[i] = u.b;
    U v[2];
    v[i & 1].b = b[i];
    v[i & 1 ^ 1].b = b[0];
    y[i] = v[i & 1].a;
}}
"""
    ).f
    count, size = 8, Plain(kinds[0], int(one[len(kinds[0]) :] or 1)).size
    floats = [k for k in kinds if k in FLOATS]
    sources = [_bits(device, count * size, floats[0] if floats else "") for _ in range(2)]
    outs = [device.buffer(np.zeros(count * size, np.uint8)) for _ in range(2)]
    device.launch(kernel, [count], None, *map(device.buffer, sources), *outs)
    for text, source, out in zip((f"{one} as {other}", f"{other} as {one}"), sources, outs, strict=True):
        got = device.read(out, np.uint8, (count, size))
        check.equal(f"bytes of {text}", got, source.reshape(count, size))


def _bits(device: Device, size: int, float_type: str) -> NDArray[np.uint8]:
    """Random bytes, or those of ordinary numbers if a float may hold them."""
    if not float_type:
        return device.rng.integers(0, 256, size, dtype=np.uint8)
    dtype = np_type(float_type)
    return device.rng.uniform(1, 100, size // dtype.itemsize).astype(dtype).view(np.uint8)
