"""Work-groups: local memory and barriers, private arrays, the layout of structures."""

from __future__ import annotations

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device
from runner.model import Case

LOCAL = 64  # items a group; every device of a full profile takes 256, some boards only 64 in one dimension


def check_reduction(device: Device, case: Case) -> None:
    """A tree of sums in local memory given as an argument, a barrier a level."""
    kernel = device.build(
        """
__kernel void f(__global const int *a, __global int *r, __local int *part) {
    uint l = get_local_id(0), n = get_local_size(0);
    part[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = n / 2; s > 0; s /= 2) {
        if (l < s) part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) r[get_group_id(0)] = part[0];
}
"""
    ).f
    groups = 9
    data = device.rng.integers(-(2**20), 2**20, (groups, LOCAL)).astype(np.int32)
    out = device.buffer(np.zeros(groups, np.int32))
    device.launch(kernel, [groups * LOCAL], [LOCAL], device.buffer(data), out, cl.LocalMemory(4 * LOCAL))
    check.equal("sum of each group", device.read(out, np.int32, groups), data.sum(1))


def check_transpose(device: Device, case: Case) -> None:
    """A matrix turned through tiles declared in the kernel, over a two-dimensional range."""
    kernel = device.build(
        """
__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void f(__global const float *a, __global float *r, int width, int height) {
    __local float tile[8][9];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_group_id(0) * 8, row = get_group_id(1) * 8;
    tile[y][x] = a[(row + y) * width + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[(column + y) * height + row + x] = tile[x][y];
}
"""
    ).f
    data = device.rng.random((24, 40), dtype=np.float32)
    out = device.buffer(np.zeros((40, 24), np.float32))
    device.launch(kernel, [40, 24], [8, 8], device.buffer(data), out, np.int32(40), np.int32(24))
    check.equal("transposed", device.read(out, np.float32, (40, 24)), data.T)


def check_scan(device: Device, case: Case) -> None:
    """Inclusive sums, two buffers in turn: every item reads what its neighbours wrote a round ago."""
    kernel = device.build(
        """
__kernel void f(__global const uint *a, __global uint *r, __local uint *one, __local uint *two) {
    uint l = get_local_id(0), n = get_local_size(0);
    one[l] = a[get_global_id(0)];
    for (uint s = 1; s < n; s *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        two[l] = one[l] + (l >= s ? one[l - s] : 0);
        __local uint *t = one; one = two; two = t;
    }
    r[get_global_id(0)] = one[l];
}
"""
    ).f
    data = device.rng.integers(0, 2**32, (5, LOCAL)).astype(np.uint32)
    out = device.buffer(np.zeros_like(data))
    memory = [cl.LocalMemory(4 * LOCAL) for _ in range(2)]
    device.launch(kernel, [data.size], [LOCAL], device.buffer(data), out, *memory)
    want = np.cumsum(data.astype(np.uint64), axis=1).astype(np.uint32)
    check.equal("running sums", device.read(out, np.uint32, data.shape), want)


def check_global_fence(device: Device, case: Case) -> None:
    """What an item writes to global memory is seen by its group after a barrier with the global fence."""
    kernel = device.build(
        """
__kernel void f(__global uint *t, __global uint *r) {
    uint i = get_global_id(0), n = get_local_size(0), first = get_group_id(0) * n;
    t[i] = i * 7 + 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    r[i] = t[first + (i - first + 13) % n];
}
"""
    ).f
    count = 6 * LOCAL
    scratch, out = (device.buffer(np.zeros(count, np.uint32)) for _ in range(2))
    device.launch(kernel, [count], [LOCAL], scratch, out)
    i = np.arange(count)
    check.equal(
        "neighbour's value",
        device.read(out, np.uint32, count),
        (i // LOCAL * LOCAL + (i + 13) % LOCAL) * 7 + 1,
    )


def check_async_copy(device: Device, case: Case) -> None:
    """async_work_group_strided_copy in, async_work_group_copy out, one event for both ways."""
    kernel = device.build(
        """
__kernel void f(__global const int2 *a, __global int2 *r) {
    __local int2 part[64];
    event_t e = async_work_group_strided_copy(part, a + get_group_id(0) * 192, 64, 3, 0);
    wait_group_events(1, &e);
    part[get_local_id(0)] += (int2)(1, -1);
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(r + get_group_id(0) * 64, part, 64, 0);
    wait_group_events(1, &e);
}
"""
    ).f
    data = device.rng.integers(-1000, 1000, (4 * 192, 2)).astype(np.int32)
    out = device.buffer(np.zeros((4 * 64, 2), np.int32))
    device.launch(kernel, [4 * 64], [64], device.buffer(data), out)
    check.equal("copied by stride 3", device.read(out, np.int32, (256, 2)), data[::3] + np.array([1, -1]))


def check_private_array(device: Device, case: Case) -> None:
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


def check_struct(device: Device, case: Case) -> None:
    """A structure's members lie where C puts them, by value and by pointer, packed and nested."""
    record = np.dtype([("c", "i1"), ("d", "<i8"), ("s", "<i2"), ("v", "<f4", 4), ("t", "u1", 3)], align=False)
    offsets, size = (0, 8, 16, 32, 48), 64
    aligned = np.dtype({"names": record.names, "formats": [record[n] for n in record.names or ()],
                        "offsets": offsets, "itemsize": size})  # fmt: skip
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
    wants = {
        "c": -data["c"],
        "d": data["d"] * 2 + 2**40,
        "s": data["s"] ^ 3,
        "v": data["v"][:, ::-1],
        "t": swapped,
    }
    for name, want in wants.items():
        check.equal(f"record.{name}", got[name], want)
    check.equal("tight.b", got_tight["b"], tight["b"] + tight["a"])
    check.equal("tight.c", got_tight["c"], np.full(7, 65536 - 50, np.uint16))


BODIES = {
    "workgroup.reduction": check_reduction,
    "workgroup.transpose": check_transpose,
    "workgroup.scan": check_scan,
    "workgroup.global_fence": check_global_fence,
    "workgroup.async_copy": check_async_copy,
    "workgroup.private_array": check_private_array,
    "workgroup.struct": check_struct,
}
