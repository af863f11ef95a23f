"""Vectors: the layout of three components, comparisons, and statements that a compiler must refuse."""

import itertools

import numpy as np

from runner import check
from runner.check import Mismatch
from runner.device import Device

from .refusal import MISTAKES


def check_three(device: Device) -> None:
    """A vector of three has the size and alignment of four (6.3.5): by itself, in arrays, in structures."""
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


def check_relational(device: Device) -> None:
    """Comparisons of vectors give 0 or -1 in each component, of which any, all, select, bitselect and ?: use the bits."""
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


def check_refusal(device: Device, *, mistake: str) -> None:
    """A statement on vectors that OpenCL C forbids does not build, but a similar valid one does."""
    wrong, right = MISTAKES[mistake]
    source = "__kernel void f(__global int *r, int4 a, float4 b, int2 c, int x) {{ {0} }}\n"
    kernel = device.build(source.format(right)).f
    check.equal("arguments of the neighbour", kernel.num_args, 5)
    try:
        device.build(source.format(wrong))
    except Mismatch as error:
        check.true(f"{wrong} is refused by the build", str(error).startswith("build: "), stage="build")
        return
    check.true(f"{wrong} is refused by the build", False, stage="build")
