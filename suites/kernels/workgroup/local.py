"""Local memory: declared in the kernel or passed as an argument, of every type, shared through barriers (6.7.2, 6.15.8)."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .table import room, split

GROUPS = 3
PLACE = """
    uint n = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    uint i = get_group_id(0) * n + l;
"""


def numbers(device: Device, type_name: str, count: int, low: int = 0, high: int = 100) -> NDArray[Any]:
    """Small whole numbers of a type, in the shape (count, components in memory)."""
    scalar, width = split(type_name)
    return device.rng.integers(low, high, (count, room(width))).astype(np_type(scalar))


def any_bits(device: Device, type_name: str, count: int) -> NDArray[Any]:
    """Random bits; floating-point types have no NaN and no infinity, because a copy may make a NaN quiet."""
    scalar, width = split(type_name)
    kind = np_type(scalar)
    bits = device.rng.integers(0, 256, (count, room(width) * kind.itemsize)).astype(np.uint8).view(kind)
    return np.where(np.isfinite(bits), bits, kind.type(1.5)) if kind.kind == "f" else bits


def check_exchange(device: Device, *, type: str, space: str, shapes: Sequence[Sequence[int]]) -> None:
    """Each item stores a value in local memory, and reads that of another item."""
    scalar, width = split(type)
    kernel = device.build(
        f"""{pragmas(scalar)}
__kernel void f(__global const {type} *a, __global {type} *r, uint by
        {f", __local {type} *part" if space == "argument" else ""}) {{
    {"" if space == "argument" else f"__local {type} part[64];"}{PLACE}
    part[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[i] = part[(l + by) % n];
}}
"""
    ).f
    for local in shapes:
        items = math.prod(local)
        data = any_bits(device, type, GROUPS * items)
        out = device.buffer(np.zeros_like(data))
        memory = [cl.LocalMemory(items * data.itemsize * room(width))] if space == "argument" else []
        by = items - 1 if items < 16 else 9
        device.launch(kernel, [GROUPS * local[0], *local[1:]], local, device.buffer(data), out, np.uint32(by), *memory)
        want = np.roll(data.reshape(GROUPS, items, -1), -by, 1).reshape(data.shape)
        got = device.read(out, data.dtype, data.shape)
        what = f"{type} of the item {'before' if items < 16 else 'nine on'}, groups of {'x'.join(map(str, local))}"
        check.exact(what, got[:, :width], [want[:, :width]])


def check_reduction(device: Device, *, type: str, operation: str, space: str, items: int) -> None:
    """A tree over any number of items, with a barrier at each level."""
    combine = {"add": "x + y", "xor": "x ^ y", "min": "y < x ? y : x", "max": "y > x ? y : x"}[operation]
    kernel = device.build(
        f"""{pragmas(type)}
{type} both({type} x, {type} y) {{ return {combine}; }}
__kernel void f(__global const {type} *a, __global {type} *r{f", __local {type} *part" if space == "argument" else ""}) {{
    {"" if space == "argument" else f"__local {type} part[64];"}
    uint l = get_local_id(0);
    part[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = get_local_size(0), half_n; n > 1; n = half_n) {{
        half_n = (n + 1) / 2;
        if (l + half_n < n) part[l] = both(part[l], part[l + half_n]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }}
    if (l == 0) r[get_group_id(0)] = part[0];
}}
"""
    ).f
    kind = np_type(type)
    # Floats are whole numbers, whose sums are exact in any order; signed integers do not overflow.
    full = kind.kind == "u" or (kind.kind == "i" and operation != "add")
    low, high = (-2, 2) if kind.itemsize == 1 else (-30, 31)
    data = any_bits(device, type, GROUPS * items) if full else numbers(device, type, GROUPS * items, low, high)
    data = data.reshape(GROUPS, items)
    out = device.buffer(np.zeros(GROUPS, kind))
    memory = [cl.LocalMemory(items * kind.itemsize)] if space == "argument" else []
    device.launch(kernel, [GROUPS * items], [items], device.buffer(data), out, *memory)
    reduce = {"add": np.add, "xor": np.bitwise_xor, "min": np.minimum, "max": np.maximum}[operation].reduce
    want = reduce(data, axis=1, dtype=kind)
    check.equal(f"{operation} of each group of {items}", device.read(out, kind, GROUPS), want)


def check_scan(device: Device, *, type: str, form: str) -> None:
    """Prefix sums: with two buffers in turn (inclusive), or up and down a tree (exclusive)."""
    swapped = f"""
    for (uint s = 1; s < n; s *= 2) {{
        barrier(CLK_LOCAL_MEM_FENCE);
        two[l] = one[l] + (l >= s ? one[l - s] : ({type})0);
        __local {type} *t = one; one = two; two = t;
    }}"""
    tree = """
    for (uint s = 1; s < n; s *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = (l + 1) * 2 * s - 1;
        if (k < n) one[k] += one[k - s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) { two[0] = one[n - 1]; one[n - 1] = 0; }
    for (uint s = n / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = (l + 1) * 2 * s - 1;
        if (k < n) { two[l + 1] = one[k - s]; one[k - s] = one[k]; one[k] += two[l + 1]; }
    }
    barrier(CLK_LOCAL_MEM_FENCE);"""
    kernel = device.build(
        f"""{pragmas(type)}
__kernel void f(__global const {type} *a, __global {type} *r, __local {type} *one, __local {type} *two) {{
    uint l = get_local_id(0), n = get_local_size(0);
    one[l] = a[get_global_id(0)];
    {swapped if form == "inclusive" else tree}
    r[get_global_id(0)] = one[l];
}}
"""
    ).f
    kind = np_type(type)
    data = numbers(device, type, GROUPS * 64, 0, 2 if kind.itemsize == 1 else 90).reshape(GROUPS, 64)
    out = device.buffer(np.zeros_like(data))
    memory = [cl.LocalMemory(65 * kind.itemsize) for _ in range(2)]
    device.launch(kernel, [data.size], [64], device.buffer(data), out, *memory)
    want = np.cumsum(data, axis=1, dtype=kind)
    check.equal(f"running sums, {form}", device.read(out, kind, data.shape), want if form == "inclusive" else want - data)


def check_transpose(device: Device, *, type: str, tile: Sequence[int], pad: int) -> None:
    """A matrix transposed through tiles, in a range of two dimensions. `tile`: width and height."""
    width, height = tile
    scalar, components = split(type)
    kernel = device.build(
        f"""{pragmas(scalar)}
__kernel __attribute__((reqd_work_group_size({width}, {height}, 1)))
void f(__global const {type} *a, __global {type} *r, int columns, int rows) {{
    __local {type} tile[{height}][{width + pad}];
    int l = get_local_id(1) * {width} + get_local_id(0);
    int left = get_group_id(0) * {width}, top = get_group_id(1) * {height};
    tile[get_local_id(1)][get_local_id(0)] = a[(top + get_local_id(1)) * columns + left + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[(left + l / {height}) * rows + top + l % {height}] = tile[l % {height}][l / {height}];
}}
"""
    ).f
    rows, columns = 3 * height, 5 * width
    data = any_bits(device, type, rows * columns).reshape(rows, columns, -1)
    out = device.buffer(np.zeros_like(data))
    device.launch(kernel, [columns, rows], [width, height], device.buffer(data), out, np.int32(columns), np.int32(rows))
    got = device.read(out, data.dtype, (columns, rows, data.shape[2]))
    check.exact("transposed", got[..., :components], [data.transpose(1, 0, 2)[..., :components]])


def check_histogram(device: Device, *, bins: int, local: Sequence[int]) -> None:
    """Bytes are counted by local atomics, and the counts are added up in global memory."""
    kernel = device.build(
        f"""
__kernel void f(__global const uchar *a, __global uint *r, uint each) {{
    __local uint count[{bins}];{PLACE}
    for (uint k = l; k < {bins}; k += n) count[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < each; k++) atomic_inc(&count[a[i * each + k] % {bins}]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < {bins}; k += n) atomic_add(&r[k], count[k]);
}}
"""
    ).f
    each = 21
    data = (device.rng.integers(0, 256, (GROUPS * math.prod(local), each)) ** 2 // 256).astype(np.uint8)
    out = device.buffer(np.zeros(bins, np.uint32))
    device.launch(kernel, [GROUPS * local[0], *local[1:]], local, device.buffer(data), out, np.uint32(each))
    check.equal("counts", device.read(out, np.uint32, bins), np.bincount(data.ravel().astype(int) % bins, minlength=bins))
