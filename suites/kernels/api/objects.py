"""The objects that the tables name. Each is made when a call first needs it, and lives as long as the case."""

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl

from runner.check import Mismatch
from runner.device import Device

from ..kit.opencl import call, library, made

SOURCE = """
__kernel void f(__global int *r, int v, __local int *l) { l[0] = v; r[get_global_id(0)] = l[0]; }
__kernel void empty(void) {}
__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void four(void) {}
void no_kernel(void) {}
"""
OPTIONS = "-cl-std=CL1.2 -cl-kernel-arg-info"
BYTES = 16384
IMMUTABLE = 1 << 6  # CL_MEM_IMMUTABLE_EXT
_Event = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
#: For every kind of callback: by the calling convention it may be passed more arguments than it reads.
IGNORE_EVENT = _Event(lambda *_: None)


class CaseState:
    """The objects of one case, as attributes. A pyopencl object, an address, or an array for ctypes."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.context, self.queue = device.context, device.queue
        self.device, self.platform = device.device, device.device.platform
        self._undo: list[Callable[[], Any]] = []

    def __getattr__(self, name: str) -> Any:
        value = _MAKERS[name](self)
        setattr(self, name, value)
        return value

    def close(self) -> None:
        """Complete what is pending, and release the objects."""
        for undo in reversed(self._undo):
            undo()

    def program(self, source: str) -> cl.Program:
        """A program that is not built, without pyopencl's cache."""
        text = (ctypes.c_char_p * 1)(source.encode())
        handle = made("clCreateProgramWithSource", self.context.int_ptr, 1, text, 0)
        return cl.Program.from_int_ptr(handle, retain=False)

    def compiled(self, source: str) -> cl.Program:
        program = self.program(source)
        call("clCompileProgram", program.int_ptr, 0, 0, b"", 0, 0, 0, 0, 0)
        return program

    def built(self) -> cl.Program:
        return self._device.build(SOURCE, OPTIONS)

    def kernel_with(self, *indices: int) -> cl.Kernel:
        """The kernel f with some of its arguments set."""
        kernel, values = self.built().f, (self.buffer, np.int32(1), cl.LocalMemory(4))
        for index in indices:
            kernel.set_arg(index, values[index])
        return kernel

    def buffer_with(self, flags: int) -> cl.Buffer:
        return cl.Buffer(self.context, flags, BYTES)

    def image(self, shape: tuple[int, ...], flags: int = 1, **more: Any) -> cl.Image:
        form = cl.ImageFormat(cl.channel_order.RGBA, more.pop("kind", cl.channel_type.UNORM_INT8))
        return cl.create_image(more.pop("context", self.context), flags, form, shape=shape, **more)

    def described(self, kind: int, shape: tuple[int, int, int], count: int) -> cl.Image:
        """An image from a descriptor with all fields given: create_image puts a 1 into those that the type lacks."""
        descriptor = cl.ImageDescriptor()
        descriptor.image_type, descriptor.shape, descriptor.array_size = kind, shape, count
        descriptor.pitches = (0, 0)
        descriptor.num_mip_levels = descriptor.num_samples = 0
        descriptor.buffer = None
        form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8)
        return cl.Image(self.context, 1, form, desc=descriptor)

    def event(self, status: int | None) -> cl.UserEvent:
        event = cl.UserEvent(self.context)
        if status is not None:
            call("clSetUserEventStatus", event.int_ptr, status)
        else:  # if the case does not end it: nothing may wait for ever
            self._undo.append(lambda: call("clSetUserEventStatus", event.int_ptr, 0))
        return event

    def held_queue(self) -> cl.CommandQueue:
        """A queue whose commands wait for `held_event`, which fails at the end, so that none of them runs."""
        self._undo.append(lambda: call("clSetUserEventStatus", self.held_event.int_ptr, -1000))
        return queue_of_mistakes(self.context)

    def mapped(self) -> int:
        """The address of a mapping of `mapped_buffer`."""
        arguments = (self.queue.int_ptr, self.mapped_buffer.int_ptr, 1, 1, 0, 64, 0, 0, 0)
        return made("clEnqueueMapBuffer", *arguments)

    def pending_marker(self) -> cl.Event:
        return cl.enqueue_marker(self.profiling_queue, wait_for=[self.user_event])

    def make_profiled_marker(self) -> cl.Event:
        marker = cl.enqueue_marker(self.profiling_queue)
        self.profiling_queue.finish()
        return marker

    def make_marker(self) -> cl.Event:
        marker = cl.enqueue_marker(self.queue)
        self.queue.finish()
        return marker

    def svm_memory(self) -> int:
        allocate = library_function("clSVMAlloc", ctypes.c_void_p)
        address = allocate(ctypes.c_void_p(self.context.int_ptr), ctypes.c_uint64(1), ctypes.c_size_t(4096), 0)
        if not address:
            raise Mismatch("api: clSVMAlloc: NULL")
        context = ctypes.c_void_p(self.context.int_ptr)
        self._undo.append(lambda: library_function("clSVMFree", None)(context, ctypes.c_void_p(address)))
        return address

    def make_mapped_svm(self) -> int:
        call("clEnqueueSVMMap", self.queue.int_ptr, 1, 1, self.svm, 64, 0, 0, 0)
        return self.svm

    def with_properties(self) -> cl.Context:
        return cl.Context([self.device], properties=[(cl.context_properties.PLATFORM, self.platform)])

    def make_spirv(self) -> ctypes.Array[Any]:
        """A module of SPIR-V 1.0 that has only its header."""
        return (ctypes.c_uint32 * 5)(0x07230203, 0x00010000, 0, 1, 0)

    def garbage(self) -> ctypes.Array[Any]:
        text = bytes(range(1, 65))
        return (ctypes.c_char_p * 1)(text)

    def kernel_holder(self) -> cl.Program:
        program = self.program(SOURCE)
        call("clBuildProgram", program.int_ptr, 0, 0, OPTIONS.encode(), 0, 0)
        handle = made("clCreateKernel", program.int_ptr, b"empty")
        self._undo.append(lambda: call("clReleaseKernel", handle))
        return program

    def broken(self) -> cl.Program:
        program = self.program("__kernel void f( { }")
        call("clBuildProgram", program.int_ptr, 0, 0, b"", 0, 0)
        return program


def library_function(name: str, result: Any) -> Any:
    """A function of libOpenCL that does not return an error. `result`: the type that it returns."""
    routine = library()[name]
    routine.restype = result
    return routine


@functools.cache
def queue_of_mistakes(context: cl.Context) -> cl.CommandQueue:
    """A new queue for commands that must be refused."""
    return cl.CommandQueue(context)


@functools.cache
def other_context(device: Any) -> cl.Context:
    """A second context on the device, for the objects that do not belong to the first. Made once in a child process."""
    return cl.Context([device])


@functools.cache
def other_kernel(device: Any) -> cl.Kernel:
    """A kernel of the second context."""
    return cl.Program(other_context(device), "__kernel void empty(void) {}").build().empty


def _other_event(state: CaseState) -> cl.UserEvent:
    event = cl.UserEvent(other_context(state.device))
    call("clSetUserEventStatus", event.int_ptr, 0)
    return event


_FORBID = {"host_write_only": 1 << 7, "host_read_only": 1 << 8, "host_no_access": 1 << 9}
_MAKERS: dict[str, Callable[[CaseState], Any]] = {
    "buffer": lambda s: s.buffer_with(1),
    "second_buffer": lambda s: s.buffer_with(1),
    "mapped_buffer": lambda s: s.buffer_with(1),
    "mapped_pointer": CaseState.mapped,
    "write_only_buffer": lambda s: s.buffer_with(2),
    "read_only_buffer": lambda s: s.buffer_with(4),
    **{f"{name}_buffer": lambda s, flag=flag: s.buffer_with(1 | flag) for name, flag in _FORBID.items()},  # type: ignore[misc]
    "immutable_buffer": lambda s: cl.Buffer(s.context, IMMUTABLE | 32, hostbuf=np.zeros(BYTES, np.uint8)),
    "sub_buffer": lambda s: s.buffer.get_sub_region(0, 8192),
    "overlapping_sub_buffer": lambda s: s.buffer.get_sub_region(0, 4096),
    "other_buffer": lambda s: cl.Buffer(other_context(s.device), 1, BYTES),
    "image2d": lambda s: s.image((8, 4)),
    "second_image2d": lambda s: s.image((8, 4)),
    "float_image2d": lambda s: s.image((8, 4), kind=cl.channel_type.FLOAT),
    "image3d": lambda s: s.image((8, 4, 3)),
    "image1d": lambda s: s.image((8,)),
    "image1d_array": lambda s: s.described(cl.mem_object_type.IMAGE1D_ARRAY, (8, 0, 0), 3),
    "image2d_array": lambda s: s.described(cl.mem_object_type.IMAGE2D_ARRAY, (8, 4, 3), 3),
    "bare_image2d": lambda s: s.described(cl.mem_object_type.IMAGE2D, (8, 4, 0), 0),
    **{f"{name}_image2d": lambda s, flag=flag: s.image((8, 4), flags=1 | flag) for name, flag in _FORBID.items()},  # type: ignore[misc]
    "immutable_image2d": lambda s: s.image((8, 4), flags=IMMUTABLE | 32, hostbuf=np.zeros(128, np.uint8)),
    "other_image2d": lambda s: s.image((8, 4), context=other_context(s.device)),
    "sampler": lambda s: cl.Sampler(s.context, False, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST),
    "other_queue": lambda s: cl.CommandQueue(other_context(s.device)),
    "own_queue": lambda s: cl.CommandQueue(s.context),
    "queue_of_mistakes": CaseState.held_queue,
    "held_event": lambda s: cl.UserEvent(s.context),
    "user_event": lambda s: s.event(None),
    "complete_event": lambda s: s.event(0),
    "failed_event": lambda s: s.event(-1),
    "other_event": _other_event,
    "marker": CaseState.make_marker,
    "profiling_queue": lambda s: cl.CommandQueue(s.context, properties=cl.command_queue_properties.PROFILING_ENABLE),
    "profiled_marker": CaseState.make_profiled_marker,
    "pending_profiled_marker": CaseState.pending_marker,
    "context_with_properties": CaseState.with_properties,
    "spare_context": lambda s: cl.Context([s.device]),
    "new_program": lambda s: s.program(SOURCE),
    "compiled_program": lambda s: s.compiled(SOURCE),
    "unresolved_program": lambda s: s.compiled("int g(void); __kernel void f(__global int *r) { *r = g(); }"),
    "built_program": CaseState.built,
    "broken_program": CaseState.broken,
    "program_with_kernel": CaseState.kernel_holder,
    "garbage_binaries": CaseState.garbage,
    "spirv": CaseState.make_spirv,
    "kernel": lambda s: s.kernel_with(0, 1, 2),
    "bare_kernel": lambda s: s.kernel_with(),
    "kernel_without_first": lambda s: s.kernel_with(1, 2),
    "kernel_without_second": lambda s: s.kernel_with(0, 2),
    "kernel_without_last": lambda s: s.kernel_with(0, 1),
    "empty_kernel": lambda s: s.built().empty,
    "kernel_of_four": lambda s: s.built().four,
    "other_kernel": lambda s: other_kernel(s.device),
    "svm": CaseState.svm_memory,
    "svm_plus_2": lambda s: s.svm + 2,
    "svm_plus_32": lambda s: s.svm + 32,
    "mapped_svm": CaseState.make_mapped_svm,
    "svm_pointers": lambda s: (ctypes.c_void_p * 1)(s.svm),
    "svm_pointers_two": lambda s: (ctypes.c_void_p * 2)(s.svm, s.svm_plus_32),
    "svm_pointers_host": lambda s: (ctypes.c_void_p * 1)(ctypes.addressof(s.host_bytes)),
    "svm_pointers_host_first": lambda s: (ctypes.c_void_p * 2)(ctypes.addressof(s.host_bytes), s.svm),
    "svm_pointers_host_last": lambda s: (ctypes.c_void_p * 2)(s.svm, ctypes.addressof(s.host_bytes)),
    "host_bytes": lambda s: (ctypes.c_uint8 * 4096)(),
    "room_for_event": lambda s: (ctypes.c_void_p * 1)(),
}
