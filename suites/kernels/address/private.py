"""Private arrays and structures: C's layout, indices that are known only at run time (OpenCL C 3.0, 6.3.5, 6.7.4)."""

from typing import Any

import numpy as np

from runner import check
from runner.device import Device


def check_private_array(device: Device) -> None:
    """Arrays in private memory, indexed by values that are known only at run time, and passed to a function."""
    kernel = device.build(
        """
void turn(uchar *p, uint by) {
    uchar t[16];
    for (uint k = 0; k < 16; k++) t[(k + by) & 15] = p[k];
    for (uint k = 0; k < 16; k++) p[k] = t[k];
}
__kernel void f(__global const uint *by, __global uchar *r) {
    uint i = get_global_id(0);
    uchar p[16];
    for (uint k = 0; k < 16; k++) p[k] = (uchar)(i * 16 + k * k);
    turn(p, by[i]);
    p[by[i] >> 4 & 15] ^= 0x80;
    for (uint k = 0; k < 16; k++) r[i * 16 + k] = p[k];
}
"""
    ).f
    by = device.rng.integers(0, 256, 50).astype(np.uint32)
    out = device.buffer(np.zeros((50, 16), np.uint8))
    device.launch(kernel, [50], None, device.buffer(by), out)
    k = np.arange(16)
    want = np.stack([np.roll(i * 16 + k * k, int(b)) for i, b in enumerate(by)]).astype(np.uint8)
    want[np.arange(50), by >> 4 & 15] ^= 0x80
    check.equal("turned arrays", device.read(out, np.uint8, (50, 16)), want)


def check_struct(device: Device) -> None:
    """The members of a structure are where C's layout puts them, by value and by pointer, packed and nested."""
    record = np.dtype([("c", "i1"), ("d", "<i8"), ("s", "<i2"), ("v", "<f4", 4), ("t", "u1", 3)], align=False)
    offsets, size = (0, 8, 16, 32, 48), 64
    formats = [record[n] for n in record.names or ()]
    members: Any = {"names": record.names, "formats": formats, "offsets": offsets, "itemsize": size}
    aligned = np.dtype(members)
    packed = np.dtype([("a", "u1"), ("b", "<u4"), ("c", "<u2")])
    kernel = device.build(
        """
typedef struct { char c; long d; short s; float4 v; uchar t[3]; } record;
typedef struct __attribute__((packed)) { uchar a; uint b; ushort c; } tight;
record twice(record x) {
    x.d *= 2; x.v = x.v.wzyx; x.t[1] += x.t[2]; x.c = -x.c; x.s ^= 3;
    return x;
}
__kernel void f(__global record *a, __global tight *b, record one) {
    size_t i = get_global_id(0);
    record x = twice(a[i]);
    x.d += one.d;
    a[i] = x;
    b[i].b += b[i].a; b[i].c = (ushort)(one.t[2] + one.s);
}
"""
    ).f
    data = np.zeros(7, dtype=aligned)
    for n, name in enumerate(data.dtype.names or ()):
        data[name] = (np.arange(data[name].size) * (n + 3) % 100).reshape(data[name].shape)
    tight = np.array([(n, 2**31 + n, 9) for n in range(7)], dtype=packed)
    one = np.zeros((), dtype=aligned)
    one["d"], one["s"], one["t"] = 2**40, -300, (1, 2, 250)
    records, tights = device.buffer(data), device.buffer(tight)
    device.launch(kernel, [7], None, records, tights, one)
    got, got_tight = device.read(records, aligned, 7), device.read(tights, packed, 7)
    swapped = data["t"].copy()
    swapped[:, 1] += swapped[:, 2]
    wants = {"c": -data["c"], "d": data["d"] * 2 + 2**40, "s": data["s"] ^ 3, "v": data["v"][:, ::-1], "t": swapped}
    for name, want in wants.items():
        check.equal(f"record.{name}", got[name], want)
    check.equal("tight.b", got_tight["b"], tight["b"] + tight["a"])
    check.equal("tight.c", got_tight["c"], np.full(7, 65536 - 50, np.uint16))


_STEPS = """
    for (uint k = 0; k < 8; k++) u.w[k] = x * (k + 1);
    u.b[n & 31] ^= 0x5A; u.h[n >> 5 & 15] += 7; u.l[n >> 9 & 3] ^= 0x123456789ABCDEF0; u.w[n >> 11 & 7] -= n;
    u.b[5] = (uchar)n; u.b[10] += 3; u.h[7] = (ushort)(x >> 3); u.l[2] += x; u.w[6] ^= u.h[n >> 14 & 15];
    u.h[n >> 18 & 15] = u.b[n >> 22 & 31]; u.b[n >> 24 & 31] = (uchar)(u.l[n >> 29 & 3] >> 40);
    uint s = 0;
    for (uint k = 0; k < 32; k++) s = s * 3 + u.b[(k + n) & 31];
    for (uint k = 0; k < 16; k++) s = s * 5 + u.h[(k * 3 + n) & 15];
    for (uint k = 0; k < 8; k++) { r[16 * i + k] = u.w[k]; r[16 * i + 8 + k] = u.w[(k + n) & 7] + s; }
"""


def check_private_views(device: Device) -> None:
    """Private memory that is written in one size and read in another, at constant and at other places."""
    kernel = device.build(
        f"""
typedef union {{ uint w[8]; ushort h[16]; uchar b[32]; ulong l[4]; }} views;
__kernel void f(__global const uint *xs, __global const uint *ns, __global uint *r) {{
    size_t i = get_global_id(0);
    uint x = xs[i], n = ns[i];
    views u;
    {_STEPS}
}}
"""
    ).f
    xs, ns = (device.rng.integers(0, 2**32, 50, dtype=np.uint32) for _ in range(2))
    out = device.buffer(np.zeros((50, 16), np.uint32))
    device.launch(kernel, [50], None, device.buffer(xs), device.buffer(ns), out)
    want = np.stack([_views(int(x), int(n)) for x, n in zip(xs, ns, strict=True)])
    check.equal("words of private memory, and their sums", device.read(out, np.uint32, (50, 16)), want, [xs, ns])


def _views(x: int, n: int) -> Any:
    w = np.array([x * (k + 1) % 2**32 for k in range(8)], "<u4")
    b, h, q = w.view(np.uint8), w.view("<u2"), w.view("<u8")

    def put(view: Any, at: int, value: int) -> None:
        view[at] = value % 2 ** (8 * view.itemsize)

    put(b, n & 31, int(b[n & 31]) ^ 0x5A)
    put(h, n >> 5 & 15, int(h[n >> 5 & 15]) + 7)
    put(q, n >> 9 & 3, int(q[n >> 9 & 3]) ^ 0x123456789ABCDEF0)
    put(w, n >> 11 & 7, int(w[n >> 11 & 7]) - n)
    put(b, 5, n)
    put(b, 10, int(b[10]) + 3)
    put(h, 7, x >> 3)
    put(q, 2, int(q[2]) + x)
    put(w, 6, int(w[6]) ^ int(h[n >> 14 & 15]))
    put(h, n >> 18 & 15, int(b[n >> 22 & 31]))
    put(b, n >> 24 & 31, int(q[n >> 29 & 3]) >> 40)
    s = 0
    for k in range(32):
        s = (s * 3 + int(b[(k + n) & 31])) % 2**32
    for k in range(16):
        s = (s * 5 + int(h[(k * 3 + n) & 15])) % 2**32
    return np.array([*w.tolist(), *((int(w[(k + n) & 7]) + s) % 2**32 for k in range(8))], np.uint32)
