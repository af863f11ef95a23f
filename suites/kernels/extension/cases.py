"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine

FUNCTIONS = {
    "cl_khr_create_command_queue": ["clCreateCommandQueueWithPropertiesKHR"],
    "cl_khr_il_program": ["clCreateProgramWithILKHR"],
    "cl_khr_suggested_local_work_size": ["clGetKernelSuggestedLocalWorkSizeKHR"],
    "cl_khr_gl_sharing": [
        *("clGetGLContextInfoKHR", "clCreateFromGLBuffer", "clCreateFromGLTexture", "clCreateFromGLTexture2D"),
        *("clCreateFromGLTexture3D", "clCreateFromGLRenderbuffer", "clEnqueueAcquireGLObjects"),
        *("clEnqueueReleaseGLObjects", "clGetGLObjectInfo", "clGetGLTextureInfo"),
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
        *("clCreateCommandBufferKHR", "clFinalizeCommandBufferKHR", "clRetainCommandBufferKHR"),
        *("clReleaseCommandBufferKHR", "clEnqueueCommandBufferKHR", "clCommandBarrierWithWaitListKHR"),
        *("clCommandCopyBufferKHR", "clCommandCopyBufferRectKHR", "clCommandCopyBufferToImageKHR"),
        *("clCommandCopyImageKHR", "clCommandCopyImageToBufferKHR", "clCommandFillBufferKHR"),
        *("clCommandFillImageKHR", "clCommandNDRangeKernelKHR", "clGetCommandBufferInfoKHR"),
    ],
    "cl_ext_buffer_device_address": ["clSetKernelArgDevicePointerEXT"],
    "cl_arm_shared_virtual_memory": [
        *("clSVMAllocARM", "clSVMFreeARM", "clEnqueueSVMFreeARM", "clEnqueueSVMMapARM", "clEnqueueSVMUnmapARM"),
        *("clEnqueueSVMMemcpyARM", "clEnqueueSVMMemFillARM", "clSetKernelArgSVMPointerARM"),
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
    """cl_ext_buffer_device_address: addresses of buffers as values and as arguments."""
    need = "cl_ext_buffer_device_address"
    yield from _AREA.each("address/stable.{count}", "address_stable", combine(count=(1, 8)), need)
    yield _AREA.case("address/sub_buffer", "address_sub", need)
    yield from _AREA.each("address/argument.{at}", "address_argument", combine(at=(0, 1, 63)), need)
    yield from _AREA.each("address/list.{count}", "address_list", combine(count=(2, 16)), need, "int64")
    yield _AREA.case("address/table", "address_table", need, "int64")
    mistakes = combine(mistake=("index", "null_kernel", "no_address"))
    yield from _AREA.each("address/error.{mistake}", "address_error", mistakes, need)
    yield _AREA.case("address/property", "address_unsupported")


def semaphore_cases() -> Iterator[Case]:
    """cl_khr_semaphore: queries of a semaphore, and commands that wait for it."""
    need = "cl_khr_semaphore"
    yield _AREA.case("semaphore/info", "semaphore_info", need)
    yield _AREA.case("semaphore/command", "semaphore_command", need)
    yield from _AREA.each("semaphore/payload.{rounds}", "semaphore_payload", combine(rounds=(1, 5)), need)
    for rounds, count, waits in ((1, 1, False), (4, 1, True), (4, 3, False)):
        params = {"rounds": rounds, "count": count, "waits": waits}
        yield _AREA.case("semaphore/order.{rounds}.{count}", "semaphore_order", need, params=params)
    mistakes = (
        *("create_null_properties", "create_null_context", "create_unknown_property"),
        *("wait_for_none", "signal_null_list", "wait_null_semaphore", "info_unknown"),
    )
    yield from _AREA.each("semaphore/error.{mistake}", "semaphore_error", combine(mistake=mistakes), need)


def immutable_cases() -> Iterator[Case]:
    """cl_ext_immutable_memory_objects: accesses that read such memory, and calls that must refuse to write to it."""
    need = "cl_ext_immutable_memory_objects"
    for memory, what in product(("use", "copy"), ("buffer", "global", "image")):
        images = ("images",) * (what == "image")
        yield _AREA.case(f"immutable/{what}.{memory}", f"immutable_{what}", need, *images, memory=memory)
    rows = combine(what=("reads", "refused", "flags"))
    yield from _AREA.each("immutable/sub_buffer.{what}", "immutable_sub_buffer", rows, need)


def compiler_cases() -> Iterator[Case]:
    """cl_khr_expect_assume and cl_khr_spirv_queries."""
    need = "cl_khr_expect_assume"
    rows = combine(name=("expect", "branch", "loop", "switch", "assume", "assume_branch"))
    yield from _AREA.each("hint/c.{name}", "hint_c", rows, need)
    for kind in ("bool", "uchar", "ushort", "uint", "ulong", "v2uint", "v3uint", "v4ushort", "v16uchar"):
        int64 = ("int64",) * (kind == "ulong")
        yield _AREA.case(f"hint/expect.{kind}", "hint_expect", need, "il", *int64, type=kind)
    yield _AREA.case("hint/assume", "hint_assume", need, "il")
    rows = combine(what=("capabilities", "extensions", "sets"))
    yield from _AREA.each("spirv_queries/{what}", "spirv_queries", rows, "cl_khr_spirv_queries", "il")


def command_buffer_cases() -> Iterator[Case]:
    """cl_khr_command_buffer, which no version of Mesa has yet; PoCL has it."""
    need = "cl_khr_command_buffer"
    yield from _AREA.each("command_buffer/replayed.{times}", "command_buffer_replayed", combine(times=(1, 3)), need)
    for what in ("transfers", "state"):
        yield _AREA.case(f"command_buffer/{what}", f"command_buffer_{what}", need)


def optional_cases() -> Iterator[Case]:
    """Optional features of OpenCL 3.0: pipes and queues on the device, with their macros, builds and limits."""
    for folder, feature, limits in (("pipe", "pipes", PIPE_LIMITS), ("enqueue", "device_enqueue", QUEUE_LIMITS)):
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
    rows = combine(scope=("device", "work_group", "sub_group"), wide=(True, False))
    yield from _AREA.each("clock/{scope}{wide:|.hilo}", "clock", rows, "cl_khr_kernel_clock", "opencl_c_3.0")
    for what in ("types", "queries"):
        yield _AREA.case(f"arm_svm/{what}", f"arm_{what}", "cl_arm_shared_virtual_memory")
    rows = combine(call=("map", "memcpy", "memfill", "kernel", "exec_info"))
    yield from _AREA.each("arm_svm/{call}", "arm", rows, "cl_arm_shared_virtual_memory")


def cases() -> Iterator[Case]:
    """Extensions that Rusticl has, and optional features."""
    yield from address_cases()
    yield from semaphore_cases()
    yield from immutable_cases()
    yield from compiler_cases()
    yield from command_buffer_cases()
    yield from optional_cases()
