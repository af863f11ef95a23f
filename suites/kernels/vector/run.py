"""Vectors: components, swizzles, halves, the layout of three, vload and vstore, shuffles."""

from __future__ import annotations

import itertools

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case

from ..scalar import np_type

WIDTHS = (2, 3, 4, 8, 16)


def slots(width: int) -> int:
    """How many elements a vector takes in memory: 3 as 4 (6.3.5)."""
    return 4 if width == 3 else width


def swizzles(width: int) -> list[tuple[int, ...]]:
    """Component lists that repeat, reverse and stride, one of each result width."""
    lists = [
        [i * step + start for i in range(n)] for n in WIDTHS for start, step in ((0, -1), (1, 5), (3, 3))
    ]
    return list(dict.fromkeys(tuple(i % width for i in one) for one in lists))


def check_swizzle(device: Device, case: Case) -> None:
    """Read by swizzle, and write through a permutation of half of the components. Params: type, width."""
    type_name, width = case.params["type"], case.params["width"]
    lists = swizzles(width)
    lines, want = [], []
    source = np.arange(1, width + 1)
    for n, components in enumerate(lists):
        picked = "".join(f"{c:x}" for c in components)
        lines.append(f"vstore{len(components)}(v.s{picked}, 0, r + {n * 16});")
        want.append(np.pad(source[list(components)], (0, 16 - len(components))))
    swapped = source.copy()
    order = list(reversed(range(width)))[: 2 if width < 8 else width // 2]
    swapped[order] = source[: len(order)]
    lines += [
        f"{type_name}{width} w = v;",
        f"w.s{''.join(f'{c:x}' for c in order)} = v.s{hexes(len(order))};",
    ]
    lines.append(f"vstore{width}(w, 0, r + {len(lists) * 16});")
    want.append(np.pad(swapped, (0, 16 - width)))
    body = "\n    ".join(lines)
    kernel = device.build(
        f"""
__kernel void f(__global const {type_name} *a, __global {type_name} *r) {{
    {type_name}{width} v = vload{width}(0, a);
    {body}
}}
"""
    ).f
    out = device.buffer(np.zeros((len(want), 16), dtype=np_type(type_name)))
    device.launch(kernel, [1], [1], device.buffer(source.astype(np_type(type_name))), out)
    got = device.read(out, np_type(type_name), (len(want), 16))
    check.equal(f"swizzles of {type_name}{width}", got, np.array(want))


def hexes(count: int) -> str:
    """The first `count` component digits."""
    return "".join(f"{i:x}" for i in range(count))


def check_halves(device: Device, case: Case) -> None:
    """.lo, .hi, .even, .odd read and written; of a 3-vector as if it had four components. Params: width."""
    width = case.params["width"]
    half = slots(width) // 2
    t = f"int{width}"
    store = "vstore{1}({0}, 0, r + {2});" if half > 1 else "r[{2}] = {0};"
    lines = [store.format(f"v.{part}", half, n * half) for n, part in enumerate(("lo", "even", "hi", "odd"))]
    if width == 3:  # the fourth component is undefined
        lines = [
            store.format("v.lo", 2, 0),
            store.format("v.even", 2, 2),
            "r[4] = v.hi.x;",
            "r[6] = v.odd.x;",
        ]
    build = "w.lo = v.even; w.hi = v.odd;" if width != 3 else "w.lo = v.even; w.z = v.y;"
    kernel = device.build(
        f"""
__kernel void f(__global const int *a, __global int *r) {{
    {t} v = vload{width}(0, a);
    {t} w = v;
    {build}
    {" ".join(lines)}
    vstore{width}(w, 0, r + {4 * half});
}}
"""
    ).f
    v = np.arange(10, 10 + width, dtype=np.int32)
    padded = np.concatenate([v, np.zeros(slots(width) - width, dtype=np.int32)])
    parts = [padded[:half], padded[::2], padded[half:], padded[1::2]]
    want = np.concatenate([*parts, np.concatenate([v[::2], v[1::2]])])
    out = device.buffer(np.zeros(want.size, dtype=np.int32))
    device.launch(kernel, [1], [1], device.buffer(v), out)
    got = device.read(out, np.int32, want.size)
    check.equal(f"{t}: lo, even, hi, odd, and (even, odd)", got, want)


def check_three(device: Device, case: Case) -> None:
    """A 3-vector has the size and alignment of four (6.3.5): alone, in arrays, in structures."""
    kernel = device.build(
        """
typedef struct { char c; float3 v; char d; short3 s; uchar e; } mixed;
__kernel void f(__global const float3 *a, __global float *r, __global uint *sizes) {
    size_t i = get_global_id(0);
    float3 v = a[i];
    r[i * 3] = v.x; r[i * 3 + 1] = v.y; r[i * 3 + 2] = v.z;
    mixed m;
    if (i == 0) {
        sizes[0] = sizeof(float3); sizes[1] = sizeof(char3); sizes[2] = sizeof(long3);
        sizes[3] = (uint)((private char *)&m.v - (private char *)&m);
        sizes[4] = (uint)((private char *)&m.s - (private char *)&m);
        sizes[5] = (uint)((private char *)&m.e - (private char *)&m);
        sizes[6] = sizeof(mixed);
    }
}
"""
    ).f
    data = np.arange(20, dtype=np.float32).reshape(5, 4)
    out, sizes = device.buffer(np.zeros((5, 3), np.float32)), device.buffer(np.zeros(7, np.uint32))
    device.launch(kernel, [5], None, device.buffer(data), out, sizes)
    check.equal("elements of float3 *", device.read(out, np.float32, (5, 3)), data[:, :3])
    check.equal("sizes and offsets", device.read(sizes, np.uint32, 7), np.array([16, 4, 32, 16, 40, 48, 64]))


def check_vload_vstore(device: Device, case: Case) -> None:
    """vloadn and vstoren at addresses aligned to one element alone; neighbours stay. Params: type, width."""
    type_name, width = case.params["type"], case.params["width"]
    count, shift, fill = 5, 3, 77
    kernel = device.build(
        f"""
__kernel void f(__global const {type_name} *a, __global {type_name} *r) {{
    size_t i = get_global_id(0);
    {type_name} p[{width} + 1];
    vstore{width}(vload{width}(i, a + 1), 0, p + 1);
    vstore{width}(vload{width}(0, p + 1), {count - 1} - i, r + {shift});
}}
"""
    ).f
    np_name = np_type(type_name)
    data = (np.arange(1 + width * count) * 3 % 125).astype(np_name)
    out = device.buffer(np.full(shift + width * count + 2, fill, dtype=np_name))
    device.launch(kernel, [count], None, device.buffer(data), out)
    vectors = data[1:].reshape(count, width)[::-1].ravel()
    want = np.concatenate([np.full(shift, fill), vectors, np.full(2, fill)]).astype(np_name)
    check.equal(f"vload{width}, vstore{width} of {type_name}", device.read(out, np_name, want.size), want)


def check_shuffle(device: Device, case: Case) -> None:
    """shuffle and shuffle2 with masks known at run time only; high mask bits are ignored. Params: width."""
    width = case.params["width"]
    t, m = f"short{width}", f"ushort{width}"
    kernel = device.build(
        f"""
__kernel void f(__global const short *a, __global const ushort *m, __global short *r) {{
    size_t i = get_global_id(0);
    {m} mask = vload{width}(i, m);
    {t} x = vload{width}(0, a), y = vload{width}(1, a);
    vstore{width}(shuffle(x, mask), i * 2, r);
    vstore{width}(shuffle2(x, y, mask), i * 2 + 1, r);
}}
"""
    ).f
    count = 16
    data = np.arange(100, 100 + 2 * width, dtype=np.int16)
    masks = device.rng.integers(0, 2**16, (count, width)).astype(np.uint16)
    out = device.buffer(np.zeros((count, 2, width), dtype=np.int16))
    device.launch(kernel, [count], None, device.buffer(data), device.buffer(masks), out)
    want = np.stack([data[:width][masks % width], data[masks % (2 * width)]], axis=1)
    check.equal(f"shuffle, shuffle2 of {t}", device.read(out, np.int16, (count, 2, width)), want)


def check_relational(device: Device, case: Case) -> None:
    """Comparisons of vectors give 0 or -1 a component; any, all, select, bitselect, ?: read its top bit."""
    kernel = device.build(
        """
__kernel void f(__global const float *a, __global const float *b, __global int *r) {
    size_t i = get_global_id(0);
    float4 x = vload4(i, a), y = vload4(i, b);
    int4 less = x < y, unequal = x != y;
    r += i * 24;
    vstore4(less, 0, r); vstore4(unequal, 1, r); vstore4(isunordered(x, y), 2, r);
    vstore4(as_int4(select(x, y, less)), 3, r); vstore4(as_int4(less ? x : y), 4, r);
    r[20] = any(less); r[21] = all(less); r[22] = a[i * 4] < b[i * 4]; r[23] = isnan(a[i * 4]);
}
"""
    ).f
    values = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.5], dtype=np.float32)
    pairs = np.array(list(itertools.product(values, values)), dtype=np.float32)
    x, y = pairs[:, 0].reshape(-1, 4), pairs[:, 1].reshape(-1, 4)
    x = np.concatenate([x, [[0, 0, 0, 0]]]).astype(np.float32)
    y = np.concatenate([y, [[1, 2, 3, 4]]]).astype(np.float32)
    less, unordered = x < y, np.isnan(x) | np.isnan(y)
    masks = [-less.astype(int), -(x != y).astype(int), -unordered.astype(int)]
    picks = [np.where(less, y, x).view(np.int32), np.where(less, x, y).view(np.int32)]
    scalars = [less.any(1), less.all(1), less[:, 0], np.isnan(x[:, 0])]
    want = np.concatenate([*masks, *picks, np.stack(scalars, 1)], axis=1)
    out = device.buffer(np.zeros(want.shape, dtype=np.int32))
    device.launch(kernel, [len(x)], None, device.buffer(x), device.buffer(y), out)
    check.equal("relations of float4", device.read(out, np.int32, want.shape), want)


BODIES = {
    "vector.swizzle": check_swizzle,
    "vector.halves": check_halves,
    "vector.three": check_three,
    "vector.vload_vstore": check_vload_vstore,
    "vector.shuffle": check_shuffle,
    "vector.relational": check_relational,
}
