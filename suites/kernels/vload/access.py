"""vloadn and vstoren in every address space (OpenCL C 3.0, 6.15.7).

Their addresses are aligned only to one element, and they access exactly n elements: with three components, no fourth.
"""

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas

COUNT = 4
"""Work-items, in one work-group."""
FILL = 77
ORDER = np.array([2, 0, 3, 1], np.int32)
"""The offsets of the work-items: known at run time only."""


def check_load(device: Device, *, space: str, type: str, width: int) -> None:
    """Loads at offsets that are known at compile time, and at others."""
    size = COUNT * width + 4
    data = (np.arange(size) * 5 % 123 + 1).astype(np_type(type))
    listed = ", ".join(f"({type}){int(v)}" for v in data)
    table = f"__constant {type} table[{size}] = {{{listed}}};" if space == "program" else ""
    copy = "for (int k = 0; k < size; k++) q[k] = a[k];"
    pointers = {
        "global": f"__global const {type} *p = a;",
        "constant": f"__constant {type} *p = a;",
        "program": f"__constant {type} *p = table;",
        "private": f"{type} q[{size}]; {copy} const {type} *p = q;",
        "local": f"__local {type} q[{size}]; if (i == 0) {copy} barrier(CLK_LOCAL_MEM_FENCE); __local const {type} *p = q;",
    }
    loads = {
        "(offset, p + 1)": "vload{w}(o[i], p + 1)",
        "(0, p + 3 + offset * n)": "vload{w}(0, p + 3 + o[i] * {w})",
        "(offset, p)": "vload{w}(o[i], p)",
        "(1, p + 2)": "vload{w}(1, p + 2)",
    }
    stores = [f"vstore{width}({text.format(w=width)}, {n} * {COUNT} + i, r);" for n, text in enumerate(loads.values())]
    body = "\n    ".join(stores)
    argument = f"{'__constant' if space == 'constant' else '__global const'} {type} *a"
    kernel = device.build(
        f"""{pragmas(type)}
{table}
__kernel void f({argument}, __global const int *o, int size, __global {type} *r) {{
    int i = get_global_id(0);
    {pointers[space]}
    {body}
}}
"""
    ).f
    out = device.buffer(np.zeros((len(loads), COUNT, width), data.dtype))
    device.launch(kernel, [COUNT], [COUNT], device.buffer(data), device.buffer(ORDER), np.int32(size), out)
    got = device.read(out, data.dtype, (len(loads), COUNT, width))
    for n, (text, start) in enumerate(zip(loads, (1, 3, 0, 2), strict=True)):
        vectors = data[start : start + COUNT * width].reshape(COUNT, width)
        want = np.repeat(vectors[1:2], COUNT, axis=0) if n == 3 else vectors[ORDER]
        check.equal(f"vload{width}{text} of {space} {type}", got[n], want)


def check_store(device: Device, *, space: str, type: str, width: int) -> None:
    """Stores at offsets that are known only at run time; the elements around them must keep their values."""
    private = space == "private"
    # First vectors that follow each other, then vectors with a neighbour on both sides.
    packed, stride = COUNT * width + 3, width + 2
    size = packed + COUNT * stride
    span = "for (int k = 0; k < size; k++)"  # not unrolled
    fill, write_back = (f"{span} q[k] = {FILL};", f"{span} r[{'i * ' + str(size) + ' + ' if private else ''}k] = q[k];")
    barrier = "barrier(CLK_LOCAL_MEM_FENCE);"
    before, after = {
        "global": (f"__global {type} *q = r;", ""),
        "local": (f"__local {type} q[{size}]; if (i == 0) {fill} {barrier}", f"{barrier} if (i == 0) {write_back}"),
        "private": (f"{type} q[{size}]; {fill}", write_back),
    }[space]
    kernel = device.build(
        f"""{pragmas(type)}
__kernel void f(__global const {type} *a, __global const int *o, int size, __global {type} *r) {{
    int i = get_global_id(0);
    {before}
    {type}{width} v = vload{width}(i, a);
    vstore{width}(v, o[i], q + 1);
    vstore{width}(v, 0, q + {packed} + o[i] * {stride} + 1);
    {after}
}}
"""
    ).f
    data = (np.arange(COUNT * width) * 5 % 76 + 1).astype(np_type(type)).reshape(COUNT, width)
    rows = COUNT if private else 1
    want = np.full((rows, size), FILL, data.dtype)
    for i, offset in enumerate(ORDER):
        row = want[i if private else 0]
        row[1 + offset * width :][:width] = data[i]
        row[packed + offset * stride + 1 :][:width] = data[i]
    out = device.buffer(np.full((rows, size), FILL, data.dtype))
    device.launch(kernel, [COUNT], [COUNT], device.buffer(data), device.buffer(ORDER), np.int32(size), out)
    got = device.read(out, data.dtype, (rows, size))
    check.equal(f"vstore{width}(v, offset, q + 1) to {space} {type}", got[:, :packed], want[:, :packed])
    check.equal(f"vstore{width}(v, 0, q + k) to {space} {type}", got[:, packed:], want[:, packed:])
