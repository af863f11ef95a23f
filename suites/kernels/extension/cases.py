"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from runner.model import Case, Tier

from ..coverage import Row

ROWS = [
    Row("kernels/extension/address/*", "Buffer device address", "cl_ext_buffer_device_address", "extensions"),
    Row("kernels/extension/semaphore/*", "Semaphores", "cl_khr_semaphore", "extensions"),
    Row("kernels/extension/function/*", "Functions of extensions", "OpenCL Extension 3.0, 1.3", "extensions"),
    Row("kernels/extension/pipe/*", "Pipes", "OpenCL API 3.0, 5.4", "pipes"),
    Row(
        "kernels/extension/enqueue/*",
        "Kernels that enqueue kernels",
        "OpenCL API 3.0, 5.1",
        "device_execution",
    ),
    Row("kernels/extension/clock/*", "Kernel clock", "cl_khr_kernel_clock", "extensions"),
    Row("kernels/extension/arm_svm/*", "Shared virtual memory of Arm", "cl_arm_shared_virtual_memory", ""),
]
FUNCTIONS = {
    "cl_khr_create_command_queue": ["clCreateCommandQueueWithPropertiesKHR"],
    "cl_khr_il_program": ["clCreateProgramWithILKHR"],
    "cl_khr_suggested_local_work_size": ["clGetKernelSuggestedLocalWorkSizeKHR"],
    "cl_khr_gl_sharing": [
        "clGetGLContextInfoKHR",
        "clCreateFromGLBuffer",
        "clCreateFromGLTexture",
        "clCreateFromGLRenderbuffer",
        "clEnqueueAcquireGLObjects",
        "clEnqueueReleaseGLObjects",
        "clGetGLObjectInfo",
        "clGetGLTextureInfo",
    ],
    "cl_khr_semaphore": [
        "clCreateSemaphoreWithPropertiesKHR",
        "clEnqueueWaitSemaphoresKHR",
        "clEnqueueSignalSemaphoresKHR",
        "clGetSemaphoreInfoKHR",
        "clReleaseSemaphoreKHR",
        "clRetainSemaphoreKHR",
    ],
    "cl_khr_external_semaphore": ["clGetSemaphoreHandleForTypeKHR"],
    "cl_khr_external_semaphore_sync_fd": ["clReImportSemaphoreSyncFdKHR"],
    "cl_ext_buffer_device_address": ["clSetKernelArgDevicePointerEXT"],
    "cl_arm_shared_virtual_memory": [
        "clSVMAllocARM",
        "clSVMFreeARM",
        "clEnqueueSVMFreeARM",
        "clEnqueueSVMMapARM",
        "clEnqueueSVMUnmapARM",
        "clEnqueueSVMMemcpyARM",
        "clEnqueueSVMMemFillARM",
        "clSetKernelArgSVMPointerARM",
        "clSetKernelExecInfoARM",
    ],
}
PIPE_LIMITS = {"max_pipe_args": 16, "pipe_max_active_reservations": 1, "pipe_max_packet_size": 1024}
QUEUE_LIMITS = {
    "max_on_device_queues": 1,
    "max_on_device_events": 1024,
    "queue_on_device_preferred_size": 1,
    "queue_on_device_max_size": 65536,
}


def case(name: str, kind: str, slow: bool = True, /, *needs: str, **params: Any) -> Case:
    """One case; `slow` ones are left to the full tier."""
    tier = Tier.FULL if slow else Tier.PREMERGE
    return Case(f"kernels/extension/{name}", f"extension.{kind}", params, ("execute", *needs), tier, None, 20.0)


def address_cases() -> Iterator[Case]:
    need = "cl_ext_buffer_device_address"
    for count in (1, 8):
        yield case(f"address/stable.{count}", "address_stable", count != 1, need, count=count)
    yield case("address/sub_buffer", "address_sub", True, need)
    for at in (0, 1, 63):
        yield case(f"address/argument.{at}", "address_argument", at != 1, need, at=at)
    for count in (2, 16):
        yield case(f"address/list.{count}", "address_list", count != 16, need, "int64", count=count)
    yield case("address/table", "address_table", True, need, "int64")
    for mistake in ("index", "null_kernel", "no_address"):
        yield case(f"address/error.{mistake}", "address_error", True, need, mistake=mistake)
    yield case("address/property", "address_unsupported")


def semaphore_cases() -> Iterator[Case]:
    need = "cl_khr_semaphore"
    yield case("semaphore/info", "semaphore_info", False, need)
    yield case("semaphore/command", "semaphore_command", True, need)
    for rounds in (1, 5):
        yield case(f"semaphore/payload.{rounds}", "semaphore_payload", True, need, rounds=rounds)
    for rounds, count, waits in ((1, 1, False), (4, 1, True), (4, 3, False)):
        params = {"rounds": rounds, "count": count, "waits": waits}
        yield case(f"semaphore/order.{rounds}.{count}", "semaphore_order", rounds == 1, need, **params)
    for mistake in (
        "create_null_properties",
        "create_null_context",
        "create_unknown_property",
        "wait_for_none",
        "signal_null_list",
        "wait_null_semaphore",
        "info_unknown",
    ):
        yield case(f"semaphore/error.{mistake}", "semaphore_error", True, need, mistake=mistake)


def optional_cases() -> Iterator[Case]:
    for folder, feature, limits in (
        ("pipe", "pipes", PIPE_LIMITS),
        ("enqueue", "device_enqueue", QUEUE_LIMITS),
    ):
        yield case(f"{folder}/macro", "macro", True, "opencl_c_3.0", feature=feature)
        yield case(f"{folder}/build", "build", False, "opencl_c_3.0", feature=feature)
        yield case(f"{folder}/limits", "limits", True, "opencl3", feature=feature, limits=limits)
    for name, packet, count, properties in (
        ("create", 4, 16, False),
        ("no_packet", 0, 16, False),
        ("no_packets", 4, 0, False),
        ("properties", 4, 16, True),
    ):
        params = {"packet": packet, "count": count, "properties": properties}
        yield case(f"pipe/{name}", "pipe", name != "create", "opencl3", **params)
    yield case("pipe/info_of_buffer", "pipe_info", True, "opencl3")
    for name, bits, size in (("queue", 5, 0), ("default_queue", 13, 0), ("queue_with_size", 5, 4096)):
        yield case(f"enqueue/{name}", "device_queue", name != "queue", "opencl3", bits=bits, size=size)
    yield case("enqueue/set_default", "default_queue", True, "opencl3")
    for need, functions in FUNCTIONS.items():
        yield case(f"function/{need}", "functions", True, need, functions=functions)
    for name in ("clNoSuchFunctionEXT", "", "clEnqueueNothing"):
        yield case(f"function/none.{name or 'empty'}", "no_function", name != "clNoSuchFunctionEXT", name=name)
    for scope, wide in product(("device", "work_group", "sub_group"), (True, False)):
        name = f"clock/{scope}{'' if wide else '.hilo'}"
        yield case(name, "clock", True, "cl_khr_kernel_clock", "opencl_c_3.0", scope=scope, wide=wide)
    for call in ("map", "memcpy", "memfill", "kernel"):
        yield case(f"arm_svm/{call}", "arm", True, "cl_arm_shared_virtual_memory", call=call)


def cases() -> Iterator[Case]:
    """Extensions that Rusticl has, and what nobody has to have."""
    yield from address_cases()
    yield from semaphore_cases()
    yield from optional_cases()
