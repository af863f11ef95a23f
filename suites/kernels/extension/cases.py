"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area

FUNCTIONS = {
    "cl_khr_create_command_queue": ["clCreateCommandQueueWithPropertiesKHR"],
    "cl_khr_il_program": ["clCreateProgramWithILKHR"],
    "cl_khr_suggested_local_work_size": ["clGetKernelSuggestedLocalWorkSizeKHR"],
    "cl_khr_gl_sharing": [
        "clGetGLContextInfoKHR",
        "clCreateFromGLBuffer",
        "clCreateFromGLTexture",
        "clCreateFromGLTexture2D",
        "clCreateFromGLTexture3D",
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
    "cl_khr_command_buffer": [
        "clCreateCommandBufferKHR",
        "clFinalizeCommandBufferKHR",
        "clRetainCommandBufferKHR",
        "clReleaseCommandBufferKHR",
        "clEnqueueCommandBufferKHR",
        "clCommandBarrierWithWaitListKHR",
        "clCommandCopyBufferKHR",
        "clCommandCopyBufferRectKHR",
        "clCommandCopyBufferToImageKHR",
        "clCommandCopyImageKHR",
        "clCommandCopyImageToBufferKHR",
        "clCommandFillBufferKHR",
        "clCommandFillImageKHR",
        "clCommandNDRangeKernelKHR",
        "clGetCommandBufferInfoKHR",
    ],
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
_AREA = Area("extension", ("execute",), timeout_s=20)


def address_cases() -> Iterator[Case]:
    """cl_ext_buffer_device_address: addresses of buffers, as values and as arguments."""
    need = "cl_ext_buffer_device_address"
    for count in (1, 8):
        yield _AREA.case(f"address/stable.{count}", "address_stable", need, count=count)
    yield _AREA.case("address/sub_buffer", "address_sub", need)
    for at in (0, 1, 63):
        yield _AREA.case(f"address/argument.{at}", "address_argument", need, at=at)
    for count in (2, 16):
        yield _AREA.case(f"address/list.{count}", "address_list", need, "int64", count=count)
    yield _AREA.case("address/table", "address_table", need, "int64")
    for mistake in ("index", "null_kernel", "no_address"):
        yield _AREA.case(f"address/error.{mistake}", "address_error", need, mistake=mistake)
    yield _AREA.case("address/property", "address_unsupported")


def semaphore_cases() -> Iterator[Case]:
    """cl_khr_semaphore: what is asked of a semaphore, and what waits for it."""
    need = "cl_khr_semaphore"
    yield _AREA.case("semaphore/info", "semaphore_info", need)
    yield _AREA.case("semaphore/command", "semaphore_command", need)
    for rounds in (1, 5):
        yield _AREA.case(f"semaphore/payload.{rounds}", "semaphore_payload", need, rounds=rounds)
    for rounds, count, waits in ((1, 1, False), (4, 1, True), (4, 3, False)):
        params = {"rounds": rounds, "count": count, "waits": waits}
        yield _AREA.case(f"semaphore/order.{rounds}.{count}", "semaphore_order", need, params=params)
    for mistake in (
        "create_null_properties",
        "create_null_context",
        "create_unknown_property",
        "wait_for_none",
        "signal_null_list",
        "wait_null_semaphore",
        "info_unknown",
    ):
        yield _AREA.case(f"semaphore/error.{mistake}", "semaphore_error", need, mistake=mistake)


def immutable_cases() -> Iterator[Case]:
    """cl_ext_immutable_memory_objects: what reads such memory, and what must refuse to write it."""
    need = "cl_ext_immutable_memory_objects"
    for memory in ("use", "copy"):
        yield _AREA.case(f"immutable/buffer.{memory}", "immutable_buffer", need, memory=memory)
        yield _AREA.case(f"immutable/global.{memory}", "immutable_global", need, memory=memory)
        yield _AREA.case(f"immutable/image.{memory}", "immutable_image", need, "images", memory=memory)
    for what in ("reads", "refused", "flags"):
        yield _AREA.case(f"immutable/sub_buffer.{what}", "immutable_sub_buffer", need, what=what)


def compiler_cases() -> Iterator[Case]:
    """cl_khr_expect_assume and cl_khr_spirv_queries."""
    need = "cl_khr_expect_assume"
    for name in ("expect", "branch", "loop", "switch", "assume", "assume_branch"):
        yield _AREA.case(f"hint/c.{name}", "hint_c", need, name=name)
    for kind in ("bool", "uchar", "ushort", "uint", "ulong", "v2uint", "v3uint", "v4ushort", "v16uchar"):
        int64 = ("int64",) * (kind == "ulong")
        yield _AREA.case(f"hint/expect.{kind}", "hint_expect", need, "il", *int64, type=kind)
    yield _AREA.case("hint/assume", "hint_assume", need, "il")
    for what in ("capabilities", "extensions", "sets"):
        yield _AREA.case(f"spirv_queries/{what}", "spirv_queries", "cl_khr_spirv_queries", "il", what=what)


def command_buffer_cases() -> Iterator[Case]:
    """cl_khr_command_buffer, which no Mesa has yet; PoCL has it."""
    need = "cl_khr_command_buffer"
    for times in (1, 3):
        yield _AREA.case(f"command_buffer/replayed.{times}", "command_buffer_replayed", need, times=times)
    for what in ("transfers", "state"):
        yield _AREA.case(f"command_buffer/{what}", f"command_buffer_{what}", need)


def optional_cases() -> Iterator[Case]:
    """Optional features of OpenCL 3.0, pipes and enqueueing on the device: their macros, builds and limits."""
    for folder, feature, limits in (
        ("pipe", "pipes", PIPE_LIMITS),
        ("enqueue", "device_enqueue", QUEUE_LIMITS),
    ):
        yield _AREA.case(f"{folder}/macro", "macro", "opencl_c_3.0", feature=feature)
        yield _AREA.case(f"{folder}/build", "build", "opencl_c_3.0", feature=feature)
        yield _AREA.case(f"{folder}/limits", "limits", "opencl3", feature=feature, limits=limits)
    for name, packet, count, properties in (
        ("create", 4, 16, False),
        ("no_packet", 0, 16, False),
        ("no_packets", 4, 0, False),
        ("properties", 4, 16, True),
    ):
        params = {"packet": packet, "count": count, "properties": properties}
        yield _AREA.case(f"pipe/{name}", "pipe", "opencl3", params=params)
    yield _AREA.case("pipe/info_of_buffer", "pipe_info", "opencl3")
    for name, bits, size in (("queue", 5, 0), ("default_queue", 13, 0), ("queue_with_size", 5, 4096)):
        yield _AREA.case(f"enqueue/{name}", "device_queue", "opencl3", bits=bits, size=size)
    yield _AREA.case("enqueue/set_default", "default_queue", "opencl3")
    for need, functions in FUNCTIONS.items():
        yield _AREA.case(f"function/{need}", "functions", need, functions=functions)
    for name in ("clNoSuchFunctionEXT", "", "clEnqueueNothing"):
        yield _AREA.case(f"function/none.{name or 'empty'}", "no_function", name=name)
    for scope, wide in product(("device", "work_group", "sub_group"), (True, False)):
        name = f"clock/{scope}{'' if wide else '.hilo'}"
        yield _AREA.case(name, "clock", "cl_khr_kernel_clock", "opencl_c_3.0", scope=scope, wide=wide)
    for what in ("types", "queries"):
        yield _AREA.case(f"arm_svm/{what}", f"arm_{what}", "cl_arm_shared_virtual_memory")
    for call in ("map", "memcpy", "memfill", "kernel", "exec_info"):
        yield _AREA.case(f"arm_svm/{call}", "arm", "cl_arm_shared_virtual_memory", call=call)


def cases() -> Iterator[Case]:
    """Extensions that Rusticl has, and what nobody has to have."""
    yield from address_cases()
    yield from semaphore_cases()
    yield from immutable_cases()
    yield from compiler_cases()
    yield from command_buffer_cases()
    yield from optional_cases()
