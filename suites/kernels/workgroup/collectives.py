"""Work-group collectives (OpenCL C 3.0, 6.15.16), and their refusal if the device lacks them."""

import math

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .local import PLACE, any_bits, numbers

GROUPS = 3
OPTIONS = "-cl-std=CL3.0"
SHAPES = ((64,), (1,), (37,), (5, 3), (4, 2, 3))


def check_collective_reduce(device: Device, *, form: str, operation: str, type: str) -> None:
    """work_group_reduce and the scans, in the order of the linear local id."""
    name = f"work_group_{form}_{operation}"
    kernel = device.build(
        f"""{pragmas(type)}
__kernel void f(__global const {type} *a, __global {type} *r) {{{PLACE}
    r[i] = {name}(a[i]);
}}
""",
        OPTIONS,
    ).f
    kind = np_type(type)
    for local in SHAPES:
        items = math.prod(local)
        full = kind.kind == "u" or (kind.kind == "i" and operation != "add")
        data = any_bits(device, type, GROUPS * items) if full else numbers(device, type, GROUPS * items, -30, 31)
        data = data.reshape(GROUPS, items)
        out = device.buffer(np.zeros_like(data))
        device.launch(kernel, [GROUPS * local[0], *local[1:]], local, device.buffer(data), out)
        combine = {"add": np.add, "min": np.minimum, "max": np.maximum}[operation]
        running = combine.accumulate(data, axis=1, dtype=kind)
        if form == "reduce":
            want = np.broadcast_to(running[:, -1:], data.shape)
        elif form == "scan_inclusive":
            want = running
        else:
            limits = (
                np.array([-np.inf, np.inf])
                if kind.kind == "f"
                else np.array([np.iinfo(kind).min, np.iinfo(kind).max], object)
            )
            identity = {"add": 0, "min": limits[1], "max": limits[0]}[operation]
            want = np.concatenate([np.full((GROUPS, 1), identity, kind), running[:, :-1]], axis=1)
        check.equal(f"{name}, groups of {'x'.join(map(str, local))}", device.read(out, kind, data.shape), want)


def check_collective_broadcast(device: Device, *, type: str, dimensions: int) -> None:
    """work_group_broadcast with one, two or three local ids."""
    place = ", ".join(f"at[{d}]" for d in range(dimensions))
    kernel = device.build(
        f"""{pragmas(type)}
__kernel void f(__global const {type} *a, __global {type} *r, __global const uint *at) {{{PLACE}
    r[i] = work_group_broadcast(a[i], {place});
}}
""",
        OPTIONS,
    ).f
    local = ((61,), (7, 5), (3, 4, 5))[dimensions - 1]
    items = math.prod(local)
    for at in (tuple(0 for _ in local), tuple(n - 1 for n in local), tuple(n // 2 for n in local)):
        data = any_bits(device, type, GROUPS * items).reshape(GROUPS, items)
        out = device.buffer(np.zeros_like(data))
        where = device.buffer(np.array(at, np.uint32))
        device.launch(kernel, [GROUPS * local[0], *local[1:]], local, device.buffer(data), out, where)
        x, y, z = (*at, 0, 0)[:3]
        index = (z * (local[1] if dimensions > 1 else 1) + y) * local[0] + x  # type: ignore[misc]
        want = np.broadcast_to(data[:, index : index + 1], data.shape)
        check.exact(f"the value of the item {at}", device.read(out, data.dtype, data.shape), [want])


def check_collective_vote(device: Device, *, function: str) -> None:
    """work_group_all and work_group_any: no predicate is true, one, all but one, and all."""
    kernel = device.build(
        f"""
__kernel void f(__global const int *a, __global int *r) {{{PLACE}
    r[i] = work_group_{function}(a[i]) != 0;
}}
""",
        OPTIONS,
    ).f
    for local in SHAPES:
        items = math.prod(local)
        data = np.zeros((4, items), np.int32)
        data[1, items // 2] = 256
        data[2:] = 1 << 30
        data[2, items - 1] = 0
        out = device.buffer(np.zeros_like(data))
        device.launch(kernel, [4 * local[0], *local[1:]], local, device.buffer(data), out)
        want = (data != 0).all(1) if function == "all" else (data != 0).any(1)
        want = np.repeat(want[:, None], items, 1)
        got = device.read(out, np.int32, data.shape).astype(bool)
        check.equal(f"work_group_{function}, groups of {'x'.join(map(str, local))}", got, want)


def check_collective_offered(device: Device, *, expression: str) -> None:
    """A function builds if and only if the device reports the collectives.

    The feature macro, CL_DEVICE_OPENCL_C_FEATURES and CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT agree (OpenCL C 3.0,
    6.2.1).
    """
    feature = "__opencl_c_work_group_collective_functions"
    offered = bool(device.device.work_group_collective_functions_support)
    named = feature in {f.name for f in device.device.opencl_c_features}
    check.equal(f"CL_DEVICE_OPENCL_C_FEATURES names {feature}", named, offered, stage="api")
    macro = device.build(
        f"""
__kernel void f(__global int *r) {{
#ifdef {feature}
    r[0] = 1;
#else
    r[0] = 2;
#endif
}}
""",
        OPTIONS,
    ).f
    out = device.buffer(np.zeros(1, np.int32))
    device.launch(macro, [1], [1], out)
    check.equal(f"{feature} is defined", int(device.read(out, np.int32, 1)[0]), 1 if offered else 2)
    program = cl.Program(device.context, f"__kernel void f(__global int *r, int x) {{ r[0] = {expression}; }}")
    try:
        program.build(options=OPTIONS)
        built = True
    except cl.Error:
        built = False
    check.equal(f"{expression} builds", built, offered, stage="build")
