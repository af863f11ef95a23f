"""Arguments that a kernel never uses: a compiler may drop them; they are arguments still (API 3.0, 5.9.2, 5.10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device
from runner.model import Case

from ..opencl import SUCCESS, call, sizes
from .table import UNUSED

ITEMS = 8
_SOURCE = """
typedef struct {{ int a; char b; }} pair;
__kernel void f(__global int *r, {0}, int v) {{ size_t i = get_global_id(0); r[i] = v + (int)i; }}
"""


def _value(device: Device, kind: str) -> Any:
    match kind:
        case "value":
            return np.zeros(4, np.float32)
        case "struct":
            return np.zeros(2, np.int32)
        case "buffer" | "constant":
            return device.buffer(np.zeros(64, np.int32))
        case "local":
            return cl.LocalMemory(64)
        case "image" | "write_image":
            form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8)
            return cl.create_image(device.context, cl.mem_flags.READ_WRITE, form, shape=(8, 4))
    return cl.Sampler(device.context, False, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST)


def _launch(device: Device, kernel: cl.Kernel) -> str:
    return call("clEnqueueNDRangeKernel", device.queue.int_ptr, kernel.int_ptr, 1, 0, sizes([ITEMS]), 0, 0, 0, 0)


def check_unused(device: Device, case: Case) -> None:
    """An argument between two others, set, not set, or released before the launch. Params: kind, way.

    A kernel keeps no object alive (5.9.2), so a launch with a released one may be refused: it ends no process, and what it
    computes, if it does, is right.
    """
    kind, way = case.params["kind"], case.params["way"]
    kernel = device.build(_SOURCE.format(UNUSED[kind])).f
    result, value = device.buffer(np.zeros(ITEMS, np.int32)), _value(device, kind)
    kernel.set_arg(0, result)
    kernel.set_arg(2, np.int32(100))
    if way == "not_set":
        check.equal("a launch without it", _launch(device, kernel), "CL_INVALID_KERNEL_ARGS", stage="api")
        return
    kernel.set_arg(1, value)
    if way == "released":
        del value  # the only reference
    got = _launch(device, kernel)
    if way == "released" and got != SUCCESS:
        check.true(f"a launch with what was released is refused: {got}", True, stage="api")
        return
    check.equal("a launch", got, SUCCESS, stage="api")
    want = 100 + np.arange(ITEMS, dtype=np.int32)
    check.equal(f"what a kernel computes beside an unused {kind}", device.read(result, np.int32, ITEMS), want)
