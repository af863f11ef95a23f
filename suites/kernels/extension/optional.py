"""Pipes, and kernels that enqueue kernels: they work if the device has them, else they are refused as specified."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from runner import check
from runner.check import Mismatch
from runner.device import Device

from ..kit import opencl
from . import address

C3 = "-cl-std=CL3.0"
FEATURES = {  # CL_DEVICE_PIPE_SUPPORT, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES
    "pipes": (0x1071, "__opencl_c_pipes"),
    "device_enqueue": (0x1070, "__opencl_c_device_enqueue"),
}
SOURCES = {
    "pipes": "__kernel void f(read_only pipe int p, __global int *r) { int v; r[0] = read_pipe(p, &v); }",
    "device_enqueue": """
__kernel void f(__global int *r) {
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ r[0] = 1; });
}
""",
}


def supported(device: Device, feature: str) -> bool:
    """Whether the device reports the feature. pyopencl would read behind an answer that is too short for its bits."""
    return any(opencl.queried("clGetDeviceInfo", device.device.int_ptr, FEATURES[feature][0]))


def check_macro(device: Device, *, feature: str) -> None:
    """The feature's macro is defined if and only if the device reports the feature (OpenCL C 3.0, 6.2.1)."""
    macro = FEATURES[feature][1]
    source = f"__kernel void f(__global int *r) {{\n#ifdef {macro}\n  r[0] = 1;\n#else\n  r[0] = 2;\n#endif\n}}\n"
    out = device.buffer(np.zeros(1, np.int32))
    device.launch(device.build(source, C3).f, [1], None, out)
    want = 1 if supported(device, feature) else 2
    check.equal(f"{macro}: 1 defined, 2 not", device.read(out, np.int32, 1), [want])


def check_build(device: Device, *, feature: str) -> None:
    """A kernel that uses the feature builds if and only if the device has it."""
    built = True
    try:
        device.build(SOURCES[feature], C3)
    except Mismatch:
        built = False
    check.equal("it builds", built, supported(device, feature))


def check_pipe(device: Device, *, packet: int, count: int, properties: bool) -> None:
    """clCreatePipe returns CL_INVALID_OPERATION if the device has no pipes (API 3.0, 5.4.1)."""
    given = (ctypes.c_uint64 * 1)(0) if properties else 0
    arguments = (device.context.int_ptr, 0, packet, count, given)
    handle, error = opencl.create("clCreatePipe", *arguments)
    if not supported(device, "pipes"):
        check.equal("clCreatePipe", error, "CL_INVALID_OPERATION", stage="api")
        check.equal("handle", handle, 0, stage="api")
        return
    right = packet and count and not properties
    if right:
        check.equal("clCreatePipe", error, "CL_SUCCESS", stage="api")
        value = ctypes.c_uint32(0)
        opencl.call("clGetPipeInfo", handle, 0x1120, 4, ctypes.byref(value), 0)
        check.equal("CL_PIPE_PACKET_SIZE", value.value, packet)
        opencl.call("clReleaseMemObject", handle)
    else:
        allowed = ("CL_INVALID_PIPE_SIZE", "CL_INVALID_VALUE", "CL_SUCCESS")
        check.true(f"{error} is one of {allowed}", error in allowed[: 3 if properties else 2], stage="api")


def check_pipe_info(device: Device) -> None:
    """clGetPipeInfo refuses a buffer."""
    value, buffer = ctypes.c_uint32(0), device.buffer(64)
    error = opencl.call("clGetPipeInfo", buffer.int_ptr, 0x1120, 4, ctypes.byref(value), 0)
    check.equal("clGetPipeInfo", error, "CL_INVALID_MEM_OBJECT", stage="api")


def check_limits(device: Device, *, feature: str, limits: Any) -> None:
    """Limits are 0 without the feature, and have at least the minimum with it (API 3.0, 4.2)."""
    has = supported(device, feature)
    for name, least in limits.items():
        value = int(getattr(device.device, name))
        check.true(f"{name} >= {least}" if has else f"{name} is 0", value >= least if has else value == 0)


def check_device_queue(device: Device, *, bits: int, size: int) -> None:
    """A queue on the device is refused if the device has none (API 3.0, 5.1)."""
    properties = [0x1093, bits, *([0x1094, size] if size else []), 0]
    array = (ctypes.c_uint64 * len(properties))(*properties)
    arguments = (device.context.int_ptr, device.device.int_ptr, array)
    handle, error = opencl.create("clCreateCommandQueueWithProperties", *arguments)
    if supported(device, "device_enqueue"):
        check.equal("clCreateCommandQueueWithProperties", error, "CL_SUCCESS", stage="api")
        opencl.call("clReleaseCommandQueue", handle)
    else:
        allowed = ("CL_INVALID_QUEUE_PROPERTIES", "CL_INVALID_VALUE")
        check.true(f"{error} is one of {allowed}", error in allowed, stage="api")
        check.equal("handle", handle, 0, stage="api")


def check_default_queue(device: Device) -> None:
    """clSetDefaultDeviceCommandQueue returns CL_INVALID_OPERATION on a device without device queues (API 3.0, 5.1)."""
    arguments = (device.context.int_ptr, device.device.int_ptr, device.queue.int_ptr)
    error = opencl.call("clSetDefaultDeviceCommandQueue", *arguments)
    # With device queues, a queue of the host is not a valid one.
    want = "CL_INVALID_COMMAND_QUEUE" if supported(device, "device_enqueue") else "CL_INVALID_OPERATION"
    check.equal("clSetDefaultDeviceCommandQueue", error, want, stage="api")


def check_functions(device: Device, *, functions: Sequence[str]) -> None:
    """Each function of an extension that the device lists has an address of its own."""
    found: dict[int, str] = {}
    for name in functions:
        there = address.address_of(device, name)
        check.true(f"{name} has an address", there != 0, stage="api")
        check.equal(f"{name} has the address of", found.setdefault(there, name), name, stage="api")


def check_no_function(device: Device, *, name: str) -> None:
    """An unknown name gets NULL (OpenCL Extension 3.0, 1.3)."""
    check.equal(name, address.address_of(device, name), 0, stage="api")


def check_clock(device: Device, *, scope: str, wide: bool) -> None:
    """cl_khr_kernel_clock: a clock never goes back within a work-item. `wide`: the builtin returns a long, not a uint2."""
    bit = ("device", "work_group", "sub_group").index(scope)
    value = ctypes.c_uint64(0)
    opencl.call("clGetDeviceInfo", device.device.int_ptr, 0x1076, 8, ctypes.byref(value), 0)
    check.true("the device has a clock", value.value & 7 != 0)
    read = f"clock_read_{scope}()" if wide else f"as_ulong(clock_read_hilo_{scope}())"
    macro = f"__opencl_c_kernel_clock_scope_{scope}"
    source = f"""
#if defined({macro})
__kernel void f(__global ulong *r) {{
    ulong a = {read}, sum = 0;
    for (uint i = 0; i < 64; i++) {{ ulong b = {read}; sum += b < a; a = b; }}
    r[get_global_id(0)] = sum;
}}
#else
__kernel void f(__global ulong *r) {{ r[get_global_id(0)] = 99; }}
#endif
"""
    out = device.buffer(np.ones(64, np.uint64))
    device.launch(device.build(source, C3).f, [64], None, out)
    got, able = device.read(out, np.uint64, 64), bool(value.value >> bit & 1)
    check.equal(f"{macro} is defined, as CL_DEVICE_KERNEL_CLOCK_CAPABILITIES says", bool(got[0] != 99), able)
    check.equal("steps back", got, np.full(64, 0 if able else 99, np.uint64))
