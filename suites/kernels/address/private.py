"""Private arrays and structures: where C puts members, indices that only the run knows (OpenCL C 3.0, 6.3.5, 6.7.4)."""

from typing import Any

import numpy as np

from runner import check
from runner.device import Device


def check_private_array(device: Device) -> None:
    """Arrays in private memory, indexed by values that only the run knows, passed to a function."""
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
    """A structure's members lie where C puts them, by value and by pointer, packed and nested."""
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
