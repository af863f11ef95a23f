"""Arguments that a kernel never uses: even if a compiler drops them, they are still arguments (API 3.0, 5.9.2, 5.10)."""

from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call, sizes
from .passing import image_of
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


_BESIDE = {
    "image": "__kernel void f(__global float4 *r, __read_only image2d_t a, __read_only image2d_t b)"
    " { {first} *r = read_imagef(b, (int2)(2, 1)); }",
    "write_image": "__kernel void f(__global float4 *r, __write_only image2d_t a, __write_only image2d_t b)"
    " { {first} write_imagef(b, (int2)(2, 1), *r); }",
    "sampler": "__kernel void f(__global float4 *r, sampler_t s, sampler_t t, __read_only image2d_t b)"
    " { {first} *r = read_imagef(b, t, (int2)(-1, 1)); }",
}
_FIRST = {  # what the kernel does with the image that none of its launches accesses
    "never": "",
    "asked": "if (get_image_channel_order(a) != CLK_RGBA) return;",
    "by_offset": "if (get_global_offset(0)) {access}",
}
_ACCESS = {"image": "{ *r = read_imagef(a, (int2)(0)); return; }", "write_image": "write_imagef(a, (int2)(0), *r);"}


def check_unused_beside(device: Device, *, kind: str, way: str = "never") -> None:
    """An image or a sampler that a kernel does not use, before one of the same kind that it uses.

    `way`: how the kernel mentions it: not at all, by a query, or by an access that no launch reaches.
    """
    first = _FIRST[way].replace("{access}", _ACCESS.get(kind, ""))
    kernel, zeros = device.build(_BESIDE[kind].replace("{first}", first)).f, np.zeros((4, 8, 4), np.float32)
    one, two = (device.rng.integers(1, 100, (4, 8, 4)).astype(np.float32) for _ in range(2))
    images = [image_of(device, content) for content in ((zeros, zeros) if kind == "write_image" else (one, two))]
    out = device.buffer(two[1, 2] if kind == "write_image" else zeros[0, 0])
    modes = (cl.addressing_mode.CLAMP, cl.addressing_mode.CLAMP_TO_EDGE)
    samplers = [cl.Sampler(device.context, False, mode, cl.filter_mode.NEAREST) for mode in modes]
    device.launch(kernel, (1,), (1,), out, *(images if kind != "sampler" else (*samplers, images[1])))
    if kind == "write_image":
        want = zeros.copy()
        want[1, 2] = two[1, 2]
        for name, image, content in (("unused", images[0], zeros), ("used", images[1], want)):
            got = device.read_image(image, np.float32, zeros.shape, (0, 0), (8, 4))
            check.equal(f"the {name} write_only image", got, content)
    else:
        what = {"image": "read_imagef of the used image", "sampler": "read_imagef with the used sampler"}[kind]
        check.equal(what, device.read(out, np.float32, 4), two[1, 2 if kind == "image" else 0])


_DECLARED_AND_USED = {  # a declaration, and an expression that uses it
    "value": ("int4 x", "x.s1"),
    "buffer": ("__global int *x", "x[i % 4]"),
    "local": ("__local int *x", "(x[get_local_id(0)] = 77, x[get_local_id(0)])"),
    "image": ("__read_only image2d_t x", "(int)read_imagef(x, (int2)(2, 1)).y"),
}


def check_unused_by_offset(device: Device, *, kind: str, where: str) -> None:
    """An argument that a kernel uses only in a launch with a global_work_offset, or only in one without: both are right.

    `where`: "with" or "without". A driver may compile such a kernel twice.
    """
    declared, used = _DECLARED_AND_USED[kind]
    condition = f"get_global_offset(0) {'!=' if where == 'with' else '=='} 0"
    kernel = device.build(
        f"__kernel void f(__global int *r, {declared}, int v) {{\n"
        f" size_t i = get_global_id(0) - get_global_offset(0);\n r[i] = v;\n if ({condition}) r[i] += {used}; }}"
    ).f
    values = np.array([11, 22, 33, 44], np.int32)
    pixels = np.zeros((4, 8, 4), np.float32)
    pixels[1, 2, 1] = 55
    argument: Any = {"value": values, "local": cl.LocalMemory(4 * ITEMS)}.get(kind)
    argument = device.buffer(values) if kind == "buffer" else image_of(device, pixels) if kind == "image" else argument
    more: Any = {"value": 22, "buffer": np.tile(values, ITEMS // 4), "local": 77, "image": 55}[kind]
    for offset in (0, 5, 0):
        result = device.buffer(np.zeros(ITEMS, np.int32))
        kernel.set_args(result, argument, np.int32(100))
        cl.enqueue_nd_range_kernel(device.queue, kernel, [ITEMS], [ITEMS], [offset])
        want = np.full(ITEMS, 100, np.int32) + (more if (offset != 0) == (where == "with") else 0)
        got = device.read(result, np.int32, ITEMS)
        check.equal(f"with a global_work_offset of {offset}, a {kind} used {where} one", got, want)


def _launch(device: Device, kernel: cl.Kernel) -> str:
    return call("clEnqueueNDRangeKernel", device.queue.int_ptr, kernel.int_ptr, 1, 0, sizes([ITEMS]), 0, 0, 0, 0)


def check_unused(device: Device, *, kind: str, way: str) -> None:
    """An unused argument between two others: set, not set, or released before the launch.

    A kernel does not keep objects alive (5.9.2), so a launch with a released one may be refused. It must not crash, and if
    it runs, its results must be right.
    """
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
