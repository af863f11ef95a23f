"""Calls that need an optional feature: they work with it, and without it they are refused as specified.

One file: a short function for each feature.
"""

import ctypes
from collections.abc import Callable

import numpy as np

from runner import check
from runner.device import Device

from ..kit.answers import answer
from ..kit.opencl import SUCCESS, call, create, library, sizes

OPERATION = ("CL_INVALID_OPERATION",)
SOURCE = "__kernel void f(__global int *r) { r[get_global_id(0)] = 1; }"


def _expect(what: str, supported: object, got: str, errors: tuple[str, ...]) -> None:
    """Require success with the feature, and one of the errors without it."""
    if supported:
        check.equal(f"{what}, which the device says it has", got, SUCCESS, stage="api")
    else:
        want = got if got in errors else " or ".join(errors)
        check.equal(f"{what}, which the device says it lacks", got, want, stage="api")


def _allocate(d: Device, flags: int) -> int:
    routine = library().clSVMAlloc
    routine.restype = ctypes.c_void_p
    context = ctypes.c_void_p(d.context.int_ptr)
    address = routine(context, ctypes.c_uint64(flags), ctypes.c_size_t(64), ctypes.c_uint32(0))
    return address or 0


def _free(d: Device, address: int) -> None:
    routine = library().clSVMFree
    routine.restype = None
    routine(ctypes.c_void_p(d.context.int_ptr), ctypes.c_void_p(address))


def _svm(d: Device, needed: int, flags: int) -> None:
    capable = answer(d, "SVM_CAPABILITIES") & needed == needed
    address = _allocate(d, flags)
    if address:
        _free(d, address)
    check.equal(f"clSVMAlloc with the flags {flags:#x} returns memory", bool(address), capable, stage="api")


def _with_svm(d: Device, what: str, use: Callable[[int], str]) -> None:
    capable = answer(d, "SVM_CAPABILITIES")
    # Without SVM no pointer is valid: it is an address of the host, and must not be dereferenced.
    host = ctypes.create_string_buffer(256)
    address = _allocate(d, 1) if capable else ctypes.addressof(host)
    try:
        _expect(what, capable, use(address), OPERATION)
        d.queue.finish()
    finally:
        if capable:
            _free(d, address)


def svm_argument(d: Device) -> None:
    """clSetKernelArgSVMPointer, if CL_DEVICE_SVM_CAPABILITIES has any bit."""
    kernel = d.build(SOURCE).f
    _with_svm(d, "clSetKernelArgSVMPointer", lambda p: call("clSetKernelArgSVMPointer", kernel.int_ptr, 0, p))


def svm_exec_info(d: Device) -> None:
    """clSetKernelExecInfo with CL_KERNEL_EXEC_INFO_SVM_PTRS, if there is SVM."""
    kernel = d.build(SOURCE).f

    def use(address: int) -> str:
        pointers = (ctypes.c_void_p * 1)(address)
        return call("clSetKernelExecInfo", kernel.int_ptr, 0x11B6, ctypes.sizeof(pointers), pointers)

    _with_svm(d, "clSetKernelExecInfo", use)


def svm_memcpy(d: Device) -> None:
    """clEnqueueSVMMemcpy, if there is SVM."""
    host = ctypes.create_string_buffer(64)
    _with_svm(d, "clEnqueueSVMMemcpy", lambda p: call("clEnqueueSVMMemcpy", d.queue.int_ptr, 1, p, host, 64, 0, 0, 0))


def svm_map(d: Device) -> None:
    """clEnqueueSVMMap, if there is SVM."""

    def use(address: int) -> str:
        got = call("clEnqueueSVMMap", d.queue.int_ptr, 1, 1, address, 64, 0, 0, 0)
        if got == SUCCESS:
            call("clEnqueueSVMUnmap", d.queue.int_ptr, address, 0, 0, 0)
        return got

    _with_svm(d, "clEnqueueSVMMap", use)


def pipe(d: Device) -> None:
    """clCreatePipe, if CL_DEVICE_PIPE_SUPPORT is true."""
    handle, error = create("clCreatePipe", d.context.int_ptr, 1, 4, 16, 0)
    if handle:
        call("clReleaseMemObject", handle)
    _expect("clCreatePipe", answer(d, "PIPE_SUPPORT"), error, OPERATION)


def _queue(d: Device, bits: int) -> str:
    properties = (ctypes.c_uint64 * 3)(0x1093, bits, 0)
    handle, error = create("clCreateCommandQueueWithProperties", d.context.int_ptr, d.device.int_ptr, properties)
    if handle:
        call("clReleaseCommandQueue", handle)
    return error


def device_queue(d: Device) -> None:
    """A queue on the device, if CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES has any bit."""
    able = answer(d, "DEVICE_ENQUEUE_CAPABILITIES")
    _expect("a queue on the device", able, _queue(d, 1 | 4), ("CL_INVALID_QUEUE_PROPERTIES",))


def default_device_queue(d: Device) -> None:
    """A host queue is refused as the default device queue on every device."""
    arguments = (d.context.int_ptr, d.device.int_ptr, d.queue.int_ptr)
    got = call("clSetDefaultDeviceCommandQueue", *arguments)
    _expect("a host queue as the default device queue", False, got, (*OPERATION, "CL_INVALID_COMMAND_QUEUE"))


def out_of_order_queue(d: Device) -> None:
    """An out-of-order queue, if the device has them, and a profiling queue, which every device has."""
    able = answer(d, "QUEUE_ON_HOST_PROPERTIES") & 1
    _expect("an out-of-order queue", able, _queue(d, 1), ("CL_INVALID_QUEUE_PROPERTIES",))
    _expect("a profiling queue", True, _queue(d, 2), ())


#: A module of SPIR-V 1.0 with Kernel, Addresses and the OpenCL memory model: `__kernel void f(void) {}`.
SPIRV = (
    0x07230203,
    0x00010000,
    0,
    6,
    0,
    0x00020011,
    4,
    0x00020011,
    6,
    0x0003000E,
    2,
    2,
    0x0004000F,
    6,
    4,
    0x66,
    0x00030003,
    3,
    102000,
    0x00020013,
    2,
    0x00030021,
    3,
    2,
    0x00050036,
    2,
    4,
    0,
    3,
    0x000200F8,
    5,
    0x000100FD,
    0x00010038,
)


def il(d: Device) -> None:
    """clCreateProgramWithIL, if CL_DEVICE_IL_VERSION is not empty."""
    words = list(SPIRV)
    if d.device.address_bits == 32:
        words[10] = 1  # Physical32
    code = (ctypes.c_uint32 * len(words))(*words)
    handle, error = create("clCreateProgramWithIL", d.context.int_ptr, code, 4 * len(words))
    able = answer(d, "IL_VERSION")
    if handle:
        built = call("clBuildProgram", handle, 0, 0, 0, 0, 0)
        call("clReleaseProgram", handle)
        check.equal("clBuildProgram of an empty kernel in SPIR-V 1.0", built, SUCCESS, stage="api")
    _expect("clCreateProgramWithIL", able, error, OPERATION)


def specialization(d: Device) -> None:
    """A program from source has no specialization constants, whether the device takes an IL or not."""
    text = (ctypes.c_char_p * 1)(SOURCE.encode())
    program, _ = create("clCreateProgramWithSource", d.context.int_ptr, 1, text, 0)
    got = call("clSetProgramSpecializationConstant", program, 0, 4, ctypes.byref(ctypes.c_int32()))
    call("clReleaseProgram", program)
    allowed = ("CL_INVALID_PROGRAM",) if answer(d, "IL_VERSION") else (*OPERATION, "CL_INVALID_PROGRAM")
    _expect("a specialization constant of a program of source", False, got, allowed)


def sub_group_info(d: Device) -> None:
    """clGetKernelSubGroupInfo, if CL_DEVICE_MAX_NUM_SUB_GROUPS is not 0."""
    kernel, room = d.build(SOURCE).f, sizes([0])
    arguments = (kernel.int_ptr, d.device.int_ptr, 0x2034, 8, sizes([16]), 8, room, 0)
    able = answer(d, "MAX_NUM_SUB_GROUPS")
    _expect("clGetKernelSubGroupInfo", able, call("clGetKernelSubGroupInfo", *arguments), OPERATION)


_Native = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def native_kernel(d: Device) -> None:
    """clEnqueueNativeKernel, if CL_DEVICE_EXECUTION_CAPABILITIES has CL_EXEC_NATIVE_KERNEL."""
    called: list[int] = []
    function = _Native(lambda _: called.append(1))
    got = call("clEnqueueNativeKernel", d.queue.int_ptr, function, 0, 0, 0, 0, 0, 0, 0, 0)
    d.queue.finish()
    able = answer(d, "EXECUTION_CAPABILITIES") & 2
    _expect("clEnqueueNativeKernel", able, got, OPERATION)
    check.equal("times that the function ran", len(called), 1 if able else 0, stage="api")


def image(d: Device) -> None:
    """clCreateImage, if CL_DEVICE_IMAGE_SUPPORT is true."""
    form = (ctypes.c_uint32 * 2)(0x10B5, 0x10D2)
    words = (ctypes.c_uint64 * 9)(0x10F1, 8, 4, 0, 0, 0, 0, 0, 0)
    handle, error = create("clCreateImage", d.context.int_ptr, 1, form, words, 0)
    if handle:
        call("clReleaseMemObject", handle)
    _expect("clCreateImage", answer(d, "IMAGE_SUPPORT"), error, OPERATION)


def sampler(d: Device) -> None:
    """clCreateSamplerWithProperties, if CL_DEVICE_IMAGE_SUPPORT is true."""
    properties = (ctypes.c_uint64 * 1)(0)
    handle, error = create("clCreateSamplerWithProperties", d.context.int_ptr, properties)
    if handle:
        call("clReleaseSampler", handle)
    _expect("clCreateSamplerWithProperties", answer(d, "IMAGE_SUPPORT"), error, OPERATION)


def non_uniform(d: Device) -> None:
    """A global size that the local size does not divide, if the device supports non-uniform work-groups."""
    kernel, result = d.build(SOURCE, "-cl-std=CL3.0").f, d.buffer(np.zeros(16, np.int32))
    kernel.set_args(result)
    arguments = (d.queue.int_ptr, kernel.int_ptr, 1, 0, sizes([10]), sizes([4]), 0, 0, 0)
    got = call("clEnqueueNDRangeKernel", *arguments)
    d.queue.finish()
    able = answer(d, "NON_UNIFORM_WORK_GROUP_SUPPORT")
    _expect("work-groups of 4, 4 and 2", able, got, ("CL_INVALID_WORK_GROUP_SIZE",))


def _partition(d: Device, scheme: int, *more: int) -> None:
    properties = (ctypes.c_int64 * (len(more) + 2))(scheme, *more, 0)
    room, count = (ctypes.c_void_p * 256)(), ctypes.c_uint32()
    got = call("clCreateSubDevices", d.device.int_ptr, properties, 256, room, ctypes.byref(count))
    for handle in room[: count.value if got == SUCCESS else 0]:
        call("clReleaseDevice", handle)
    if scheme in answer(d, "PARTITION_PROPERTIES"):
        allowed = (SUCCESS, "CL_DEVICE_PARTITION_FAILED", "CL_INVALID_DEVICE_PARTITION_COUNT")
        check.true(f"a scheme that is listed works or fails by its numbers: {got}", got in allowed, stage="api")
    else:
        _expect("a scheme of partition", False, got, ("CL_INVALID_VALUE",))


def release_callback(d: Device) -> None:
    """clSetProgramReleaseCallback on a program of OpenCL C, which has no destructors: CL_INVALID_OPERATION is allowed."""
    text = (ctypes.c_char_p * 1)(SOURCE.encode())
    program, _ = create("clCreateProgramWithSource", d.context.int_ptr, 1, text, 0)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: None)
    got = call("clSetProgramReleaseCallback", program, function, 0)
    call("clReleaseProgram", program)
    check.true(f"{got} is success or a refusal", got in (SUCCESS, *OPERATION), stage="api")


def image2d_from_buffer(d: Device) -> None:
    """A 2D image from a buffer, if CL_DEVICE_IMAGE_PITCH_ALIGNMENT is not 0."""
    pitch = max(answer(d, "IMAGE_PITCH_ALIGNMENT"), 16) * 4
    buffer = d.buffer(pitch * 4)
    form = (ctypes.c_uint32 * 2)(0x10B5, 0x10D2)
    words = (ctypes.c_uint64 * 9)(0x10F1, 8, 4, 0, 0, pitch, 0, 0, buffer.int_ptr)
    handle, error = create("clCreateImage", d.context.int_ptr, 1, form, words, 0)
    if handle:
        call("clReleaseMemObject", handle)
    able = "cl_khr_image2d_from_buffer" in answer(d, "EXTENSIONS").split()
    refusals = (*OPERATION, "CL_INVALID_IMAGE_DESCRIPTOR", "CL_IMAGE_FORMAT_NOT_SUPPORTED")
    _expect("a 2D image of a buffer", able, error, refusals)


CALLS: dict[str, Callable[[Device], None]] = {
    "svm_coarse": lambda d: _svm(d, 1, 1),
    "svm_fine": lambda d: _svm(d, 2, 1 | 1 << 10),
    "svm_atomics": lambda d: _svm(d, 2 | 8, 1 | 1 << 10 | 1 << 11),
    "svm_argument": svm_argument,
    "svm_exec_info": svm_exec_info,
    "svm_memcpy": svm_memcpy,
    "svm_map": svm_map,
    "pipe": pipe,
    "device_queue": device_queue,
    "default_device_queue": default_device_queue,
    "out_of_order_queue": out_of_order_queue,
    "il": il,
    "specialization": specialization,
    "sub_group_info": sub_group_info,
    "native_kernel": native_kernel,
    "image": image,
    "sampler": sampler,
    "non_uniform": non_uniform,
    "partition_equally": lambda d: _partition(d, 0x1086, 1),
    "partition_by_counts": lambda d: _partition(d, 0x1087, 1, 0),
    "partition_by_affinity": lambda d: _partition(d, 0x1088, 1),
    "release_callback": release_callback,
    "image2d_from_buffer": image2d_from_buffer,
}


def check_call(device: Device, *, what: str) -> None:
    """A call agrees with the device's statements about itself. `what`: a name of CALLS."""
    CALLS[what](device)
