"""Barriers of sub-groups."""

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from .functions import GROUPS, OPTIONS, PLACE, sub_groups


def check_barrier(device: Device, *, memory: str, scope: str) -> None:
    """Lanes pass values on through memory several times, with a sub_group_barrier in between."""
    barrier = f"sub_group_barrier(CLK_{memory.upper()}_MEM_FENCE{scope and f', memory_scope_{scope}'})"
    kernel = device.build(
        f"""
__kernel void f(__global const uint *a, __global uint *m, __global uint *r, __global uint4 *ids, __local uint *s) {{{PLACE}
    uint lane = get_sub_group_local_id();
    __{memory} uint *p = {"s + first" if memory == "local" else "m + get_group_id(0) * n + first"};
    ids[i] = (uint4)(get_sub_group_id(), lane, size, 0);
    uint x = a[i];
    for (uint k = 1; k < 6; k++) {{
        p[lane] = x;
        {barrier};
        x = x * 3 + p[(lane + k) % size];
        {barrier};
    }}
    r[i] = x;
}}
""",
        OPTIONS,
    ).f
    for items in (64, 23):
        count = GROUPS * items
        data = device.rng.integers(0, 2**32, count).astype(np.uint32)
        ids_buffer, out = (device.buffer(np.zeros((count, 4), np.uint32)), device.buffer(np.zeros(count, np.uint32)))
        # A sub-group is at most as large as the group, so all places are below twice the group's size.
        room = cl.LocalMemory(4 * 2 * items)
        device.launch(kernel, [count], [items], device.buffer(data), device.buffer(4 * 2 * count), out, ids_buffer, room)
        ids, want = device.read(ids_buffer, np.uint32, (count, 4)), data.copy()
        for members in sub_groups(ids):
            x = data[members]
            for k in range(1, 6):
                x = x * np.uint32(3) + np.roll(x, -k)
            want[members] = x
        check.equal(f"handed on, work-groups of {items}", device.read(out, np.uint32, count), want)
