"""cl_arm_shared_virtual_memory: shared virtual memory by other names, and with its own command types."""

import ctypes
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import opencl
from . import address

_FREED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)


def _allocated(device: Device) -> int:
    """The address of 256 bytes from clSVMAllocARM."""
    pointer: int = address.function(device, "clSVMAllocARM", ctypes.c_void_p, 4)(device.context.int_ptr, 1, 256, 0) or 0
    check.true("clSVMAllocARM returns memory", pointer != 0, stage="api")
    return pointer


def check_arm_types(device: Device) -> None:
    """CL_EVENT_COMMAND_TYPE of each command of cl_arm_shared_virtual_memory, and the pointers that are freed."""
    queue, host = device.queue.int_ptr, (ctypes.c_uint32 * 64)()
    pointer = _allocated(device)
    received: list[Any] = []

    @_FREED  # type: ignore[untyped-decorator]
    def freed(_queue: Any, count: int, pointers: Any, data: Any) -> None:
        received.append((count, pointers[0], data))

    commands: dict[str, tuple[int, tuple[Any, ...]]] = {
        "clEnqueueSVMMapARM": (0x40BD, (1, 3, pointer, 256)),
        "clEnqueueSVMUnmapARM": (0x40BE, (pointer,)),
        "clEnqueueSVMMemcpyARM": (0x40BB, (1, host, pointer, 256)),
        "clEnqueueSVMMemFillARM": (0x40BC, (pointer, host, 4, 256)),
        "clEnqueueSVMFreeARM": (0x40BA, (1, (ctypes.c_void_p * 1)(pointer), ctypes.cast(freed, ctypes.c_void_p).value, 77)),
    }
    for name, (want, arguments) in commands.items():
        event, kind = ctypes.c_void_p(), ctypes.c_uint32()
        address.succeed(device, name, queue, *arguments, 0, None, event)
        owned = cl.Event.from_int_ptr(event.value, retain=False)
        opencl.call("clFinish", queue)
        opencl.call("clGetEventInfo", owned.int_ptr, 0x11D1, 4, ctypes.byref(kind), 0)
        check.equal(f"CL_EVENT_COMMAND_TYPE of {name}", kind.value, want, stage="api")
    check.equal("what clEnqueueSVMFreeARM passes", received == [(1, pointer, 77)], True, stage="api")
    address.function(device, "clSVMFreeARM", None, 2)(device.context.int_ptr, pointer)


def check_arm_queries(device: Device) -> None:
    """CL_DEVICE_SVM_CAPABILITIES_ARM and CL_MEM_USES_SVM_POINTER_ARM have the answers of OpenCL 2.0's queries."""
    handle, context = device.device.int_ptr, device.context.int_ptr
    capabilities, by_arm = (opencl.queried("clGetDeviceInfo", handle, code) for code in (0x1053, 0x40B6))
    check.equal("CL_DEVICE_SVM_CAPABILITIES_ARM", by_arm, capabilities, stage="api")
    pointer = _allocated(device)
    for host in (0, pointer):
        memory, error = opencl.create("clCreateBuffer", context, 1 | 8 * bool(host), 256, host)
        check.equal("clCreateBuffer", error, "CL_SUCCESS", stage="api")
        uses = int.from_bytes(opencl.queried("clGetMemObjectInfo", memory, 0x40B7), "little")
        opencl.call("clReleaseMemObject", memory)
        words = f"CL_MEM_USES_SVM_POINTER_ARM of a buffer {'of' if host else 'without'} such memory"
        check.equal(words, uses, int(bool(host)), stage="api")
    address.function(device, "clSVMFreeARM", None, 2)(context, pointer)


def check_arm(device: Device, *, call: str) -> None:
    """A function of cl_arm_shared_virtual_memory does the same as the one of shared virtual memory."""
    context, queue = device.context.int_ptr, device.queue.int_ptr
    pointer = _allocated(device)
    words = np.frombuffer((ctypes.c_uint32 * 64).from_address(pointer), np.uint32)  # type: ignore[call-overload]
    data = device.rng.integers(1, 1 << 32, 64, dtype=np.uint32)
    none = (0, None, None)
    address.succeed(device, "clEnqueueSVMMapARM", queue, 1, 3, pointer, 256, *none)
    words[:] = data
    address.succeed(device, "clEnqueueSVMUnmapARM", queue, pointer, *none)
    if call == "memcpy":
        host = np.zeros(64, np.uint32)
        address.succeed(device, "clEnqueueSVMMemcpyARM", queue, 1, host.ctypes.data, pointer, 256, *none)
        check.equal("copied to the host", host, data)
    elif call == "memfill":
        address.succeed(device, "clEnqueueSVMMemFillARM", queue, pointer, data.ctypes.data, 8, 256, *none)
        data = np.tile(data[:2], 32)
    elif call in ("kernel", "exec_info"):
        kernel = device.build("__kernel void f(__global uint *a) { a[get_global_id(0)] ^= 0x5a5a; }").f
        address.succeed(device, "clSetKernelArgSVMPointerARM", kernel.int_ptr, 0, pointer)
        if call == "exec_info":
            list_of_one, name = (ctypes.c_void_p * 1)(pointer), "clSetKernelExecInfoARM"
            address.succeed(device, name, kernel.int_ptr, 0x40B8, 8, list_of_one)  # CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM
            wrong = address.call(device, name, kernel.int_ptr, 0x40B8, 7, list_of_one)
            check.equal(f"{name} with 7 bytes", wrong, "CL_INVALID_VALUE", stage="api")
        cl.enqueue_nd_range_kernel(device.queue, kernel, (64,), None)
        data ^= 0x5A5A
    address.succeed(device, "clEnqueueSVMMapARM", queue, 1, 1, pointer, 256, *none)
    check.equal("memory", words.copy(), data)
    address.succeed(device, "clEnqueueSVMUnmapARM", queue, pointer, *none)
    device.queue.finish()
    address.function(device, "clSVMFreeARM", None, 2)(context, pointer)
