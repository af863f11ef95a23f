"""Async copies between global and local memory, their events, and prefetch (OpenCL C 3.0, 6.15.11).

Items read what others have copied and overwrite what others copy, so that a lost wait or barrier also shows if a group runs
a few items at a time.
"""

import math
from collections.abc import Sequence

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import pragmas
from .local import PLACE, any_bits
from .table import split

GROUPS = 3

IN = """
__kernel void {name}(__global const T *a, __global T *r, __global T *after, uint count, uint stride) {{
    __local T part[96];
    uint l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * count;
    event_t e = {copy};
    wait_group_events(1, &e);
    for (uint k = l; k < count; k += n) r[first + k] = part[count - 1 - k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < count; k += n) after[first + k] = part[k];
}}
"""
# Local memory may change as soon as the wait is over.
OUT = """
__kernel void {name}(__global const T *a, __global T *r, __global T *after, uint count, uint stride) {{
    __local T part[96];
    uint l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * count;
    for (uint k = l; k < count; k += n) part[count - 1 - k] = a[first + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = {copy};
    wait_group_events(1, &e);
    for (uint k = l; k < count; k += n) part[count - 1 - k] = a[first + (k + 1) % count];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < count; k += n) after[first + k] = part[k];
}}
"""
COPIES = {
    "in": (IN, "async_work_group_copy(part, a + first, count, 0)"),
    "in_strided": (IN, "async_work_group_strided_copy(part, a + first * stride, count, stride, 0)"),
    "out": (OUT, "async_work_group_copy(r + first, part, count, 0)"),
    "out_strided": (OUT, "async_work_group_strided_copy(r + first * stride, part, count, stride, 0)"),
}


def source(type_name: str) -> str:
    """The four kernels of a type."""
    kernels = [text.format(name=f"copy_{name}", copy=copy) for name, (text, copy) in COPIES.items()]
    return f"{pragmas(split(type_name)[0])}\ntypedef {type_name} T;\n{''.join(kernels)}"


def check_copy(device: Device, *, type: str, form: str) -> None:
    """One form of copy of one type, with counts above and below that of the items."""
    kernel = getattr(device.build(source(type)), f"copy_{form}")
    width = split(type)[1]
    for items, count, stride in ((64, 77, 3), (64, 61, 1), (64, 96, 2)):
        stride = stride if form.endswith("strided") else 1
        apart = GROUPS * count * stride
        far = any_bits(device, type, apart if form.startswith("in") else GROUPS * count)
        rows = far.reshape(GROUPS, count, -1, far.shape[1])[:, :, 0]
        room = (GROUPS * count if form.startswith("in") else apart, far.shape[1])
        out = device.buffer(np.zeros(room, far.dtype))
        after = device.buffer(np.zeros_like(rows))
        device.launch(kernel, [GROUPS * items], [items], device.buffer(far), out, after, np.uint32(count), np.uint32(stride))
        want = rows[:, ::-1]
        got = device.read(out, far.dtype, room).reshape(GROUPS, count, -1, far.shape[1])
        what = f"{count} elements by {items} items{f', stride {stride}' if stride > 1 else ''}"
        check.exact(what, got[:, :, 0, :width], [want[..., :width]])
        if got.shape[2] > 1:
            check.equal(f"{what}: elements in between", got[:, :, 1:], np.zeros_like(got[:, :, 1:]))
        left = device.read(after, far.dtype, rows.shape)
        kept = rows if form.startswith("in") else np.roll(rows, -1, 1)[:, ::-1]
        check.exact(f"{what}: local memory in the end", left[..., :width], [kept[..., :width]])


# a: 64 input values for each group, r: 64 results. The text follows the declarations; l, n and group are set.
EVENTS = {
    "two_events": """
    event_t e[2];
    e[0] = async_work_group_copy(p, a, 32, 0);
    e[1] = async_work_group_copy(p + 32, a + 32, 32, 0);
    wait_group_events(2, e);
    r[l] = p[63 - l];""",
    "four_events": """
    event_t e[4];
    for (uint k = 0; k < 4; k++) e[k] = async_work_group_copy(p + 16 * k, a + 16 * k, 16, 0);
    wait_group_events(4, e);
    r[l] = p[63 - l];""",
    "shared_event": """
    event_t e = async_work_group_copy(p, a, 20, 0);
    e = async_work_group_copy(p + 20, a + 20, 44, e);
    wait_group_events(1, &e);
    r[l] = p[63 - l];""",
    "reversed_waits": """
    event_t e = async_work_group_copy(p, a, 32, 0), d = async_work_group_copy(p + 32, a + 32, 32, 0);
    wait_group_events(1, &d);
    if (l < 32) q[l] = p[63 - l];
    wait_group_events(1, &e);
    if (l >= 32) q[l] = p[63 - l];
    r[l] = q[l];""",
    "reused_event": """
    event_t e = async_work_group_copy(p, a, 64, 0);
    wait_group_events(1, &e);
    q[l] = p[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(r, q, 64, 0);
    wait_group_events(1, &e);""",
    "both_ways_at_once": """
    q[63 - l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(r, q, 64, 0);
    e = async_work_group_copy(p, a, 64, e);
    wait_group_events(1, &e);
    if (p[63 - l] != q[l]) r[l] = 0;""",
    "two_buffers_in_turn": """
    event_t e = async_work_group_copy(p, a, 16, 0);
    for (uint k = 0; k < 4; k++) {
        wait_group_events(1, &e);
        if (k < 3) e = async_work_group_copy(k & 1 ? p : q, a + 16 * (k + 1), 16, 0);
        if (l < 16) r[63 - 16 * k - l] = (k & 1 ? q : p)[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }""",
    "in_a_branch": """
    if (group % 2) {
        event_t e = async_work_group_copy(p, a, 64, 0);
        wait_group_events(1, &e);
    } else {
        p[l] = a[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    r[l] = p[63 - l];""",
    "in_a_function": """
    fetch(p, a, 64);
    r[l] = p[63 - l];""",
    "from_the_middle": """
    event_t e = async_work_group_copy(p + 3, a + 5, 59, 0);
    e = async_work_group_copy(q + 1, a, 5, e);
    wait_group_events(1, &e);
    r[l] = l < 59 ? p[61 - l] : q[64 - l];""",
    "count_at_run_time": """
    uint first = group * 13;
    event_t e = async_work_group_copy(p, a, first, 0);
    e = async_work_group_copy(p + first, a + first, 64 - first, e);
    wait_group_events(1, &e);
    r[l] = p[63 - l];""",
    "strides_apart": """
    event_t e = async_work_group_strided_copy(p, a, 32, 2, 0);
    e = async_work_group_strided_copy(p + 32, a + 1, 32, 2, e);
    wait_group_events(1, &e);
    r[l] = p[(63 - l) / 2 + (63 - l) % 2 * 32];""",
    "interleaved_out": """
    p[l] = a[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    q[l] = p[l / 32 + l % 32 * 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_strided_copy(r, q, 32, 2, 0);
    e = async_work_group_strided_copy(r + 1, q + 32, 32, 2, e);
    wait_group_events(1, &e);""",
    "prefetch": """
    prefetch(a, 64);
    prefetch((__global const uint4 *)a + 2, 7);
    r[l] = a[63 - l];""",
}


def check_copy_events(device: Device, *, form: str, local: Sequence[int]) -> None:
    """Several copies and their events; each form reverses 64 values in each group."""
    kernel = device.build(
        f"""
void fetch(__local uint *to, __global const uint *from, uint count) {{
    event_t e = async_work_group_copy(to, from, count, 0);
    wait_group_events(1, &e);
}}
__kernel void f(__global const uint *a, __global uint *r) {{
    __local uint p[64], q[64];
    uint group = get_group_id(0);{PLACE}
    a += group * 64; r += group * 64;
    {EVENTS[form]}
}}
"""
    ).f
    groups = 4
    data = device.rng.integers(1, 2**32, (groups, 64)).astype(np.uint32)
    out = device.buffer(np.zeros_like(data))
    assert math.prod(local) == 64
    device.launch(kernel, [groups * local[0], *local[1:]], local, device.buffer(data), out)
    check.equal("reversed in each group", device.read(out, np.uint32, data.shape), data[:, ::-1])
