"""clSetKernelArg refuses wrong arguments (OpenCL API 3.0, 5.9.2)."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call

PLAIN = """
typedef struct { int a, b, c; } triple;
__kernel void f(char a, short b, int c, float4 d, int3 e, triple s, __global int *g, __constant int *k, __local int *l)
{ *g = a + b + c + (int)d.x + e.x + s.a + *k + *l; }
"""
IMAGES = """
__kernel void f(__read_only image2d_t i, __write_only image2d_t o, sampler_t s)
{ write_imagef(o, (int2)(0, 0), read_imagef(i, s, (float2)(0.5f, 0.5f))); }
"""
_SOURCES = {"plain": PLAIN, "images": IMAGES}
_FORMAT = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8)


def _image(device: Device, *shape: int, flags: int = cl.mem_flags.READ_WRITE) -> cl.Image:
    return cl.create_image(device.context, flags, _FORMAT, shape=shape)


def _object(device: Device, value: str) -> Any:
    match value:
        case "buffer":
            return device.buffer(256)
        case "image2d":
            return _image(device, 8, 4)
        case "image1d":
            return _image(device, 8)
        case "image3d":
            return _image(device, 8, 4, 2)
        case "write_only_image":
            return _image(device, 8, 4, flags=cl.mem_flags.WRITE_ONLY)
        case "read_only_image":
            return _image(device, 8, 4, flags=cl.mem_flags.READ_ONLY)
        case "immutable_image":
            return cl.create_image(device.context, 1 << 6 | 32, _FORMAT, (8, 4), hostbuf=np.zeros(128, np.uint8))
        case "queue" | "context":
            return getattr(device, value)
        case "program" | "kernel":
            program = device.build(PLAIN)
            return program if value == "program" else program.f
        case "sampler":
            return cl.Sampler(device.context, False, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST)
    raise KeyError(value)


def check_refuse(device: Device, *, kernel: str, index: int, size: int, value: str, errors: Sequence[str]) -> None:
    """clSetKernelArg refuses a value. `value`: "null", "zeros" or an object; `errors`: each of them is right."""
    built = device.build(_SOURCES[kernel]).f
    if value == "null":
        given: Any = 0
    elif value == "zeros":
        given = ctypes.create_string_buffer(256)
    else:
        held = _object(device, value)
        given = (ctypes.c_void_p * 32)(held.int_ptr)
    got = call("clSetKernelArg", built.int_ptr, index, size, given)
    check.equal("clSetKernelArg", got, got if got in errors else " or ".join(errors), stage="api")


def check_local_zero(device: Device) -> None:
    """Local memory with a size of 0 is an error up to OpenCL 3.0, and allowed since 3.1."""
    kernel = device.build(PLAIN).f
    got = call("clSetKernelArg", kernel.int_ptr, 8, 0, 0)
    numbers = tuple(int(n) for n in device.device.version.split()[1].split("."))
    check.equal("clSetKernelArg", got, SUCCESS if numbers >= (3, 1) else "CL_INVALID_ARG_SIZE", stage="api")
