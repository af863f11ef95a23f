"""sub_group_broadcast of every type from constant lanes: it may become a move from one register (6.15.20)."""

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .functions import GROUPS, OPTIONS, PLACE
from .table import SMALL

_LANES = (0, 3, 7, 8, 9, 14, 15, 16, 23, 31)
_LOCAL = 64


def check_lanes(device: Device, *, type: str) -> None:
    """Many lanes in one kernel, each with another value, and only if the sub-group has the lane."""
    lines = "\n    ".join(
        f"{{ T v = x * (T)2 + (T){k}; if ({lane} < size) r[{k} * all + i] = sub_group_broadcast(v, {lane}); }}"
        for k, lane in enumerate(_LANES)
    )
    extension = "cl_khr_subgroup_extended_types" if type in SMALL else "cl_khr_subgroups"
    kernel = device.build(
        f"""{pragmas(type)}#pragma OPENCL EXTENSION {extension} : enable
typedef {type} T;
__kernel void f(__global const uchar *a, __global T *r, __global uint2 *own) {{{PLACE}
    size_t all = get_global_size(0);
    T x = (T)a[i];
    own[i] = (uint2)(get_sub_group_local_id(), size);
    {lines}
}}
""",
        OPTIONS,
    ).f
    items, kind = GROUPS * _LOCAL, np_type(type)
    data = device.rng.integers(0, 100, items).astype(np.uint8)
    out, places = device.buffer(np.zeros((len(_LANES), items), kind)), device.buffer(np.zeros((items, 2), np.uint32))
    device.launch(kernel, [items], [_LOCAL], device.buffer(data), out, places)
    own, size = device.read(places, np.uint32, (items, 2)).astype(np.int64).T
    got = device.read(out, kind, (len(_LANES), items))
    for k, lane in enumerate(_LANES):
        sender = np.clip(np.arange(items) - own + lane, 0, items - 1)
        want = np.where(lane < size, data[sender].astype(np.int64) * 2 + k, 0).astype(kind)
        check.equal(f"sub_group_broadcast of {type} from lane {lane}", got[k], want)
