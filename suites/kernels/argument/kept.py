"""The arguments that a kernel, its clone and a waiting command keep (OpenCL API 3.0, 5.9.2, 5.9.3)."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call, create

SOURCE = """
__kernel void put(__global int *r, int v, __global const int *p, __local int *l) {
    l[0] = v; r[0] += l[0]; r[1] += p[0];
}
__kernel void apart(__global int *r, __local int *l, __local int *m) {
    l[0] = 1; m[0] = 2; barrier(CLK_LOCAL_MEM_FENCE);
    r[0] = (int)((size_t)m - (size_t)l); r[1] = l[0] + m[0];
}
__kernel void add_pointer(__global int *r, __global const int *p) { r[0] = p[0]; }
"""


class KernelSetup:
    """The kernel `put` with the arguments 10 and a buffer of 100; its results are a pair."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.program = device.build(SOURCE)
        self.kernel = self.program.put
        self.result = device.buffer(np.zeros(2, np.int32))
        self.hundred = device.buffer(np.array([100], np.int32))
        self.thousand = device.buffer(np.array([1000], np.int32))
        self.kernel.set_args(self.result, np.int32(10), self.hundred, cl.LocalMemory(16))

    def launch(self, kernel: cl.Kernel, wait_for: list[cl.Event] | None = None) -> None:
        cl.enqueue_nd_range_kernel(self.device.queue, kernel, (1,), (1,), wait_for=wait_for)

    def expect(self, what: str, *want: int) -> None:
        check.equal(what, self.device.read(self.result, np.int32, 2), np.array(want, np.int32))

    def clone(self, kernel: cl.Kernel) -> cl.Kernel:
        handle, error = create("clCloneKernel", kernel.int_ptr)
        check.equal("clCloneKernel", error, SUCCESS, stage="api")
        return cl.Kernel.from_int_ptr(handle, retain=False)


def relaunch(s: KernelSetup) -> None:
    """Three launches with arguments set once, and one with one of them set again."""
    for _ in range(3):
        s.launch(s.kernel)
    s.expect("three launches with arguments set once", 30, 300)
    s.kernel.set_arg(1, np.int32(7))
    s.launch(s.kernel)
    s.expect("one argument set again", 37, 400)


def copied_at_once(s: KernelSetup) -> None:
    """clSetKernelArg copies the value: a later change of the host's variable has no effect."""
    value = ctypes.c_int32(42)
    call("clSetKernelArg", s.kernel.int_ptr, 1, 4, ctypes.byref(value))
    value.value = -1
    s.launch(s.kernel)
    s.expect("the value of the time of clSetKernelArg", 42, 100)


def _change_while_waiting(s: KernelSetup, change: Callable[[], Any]) -> None:
    """Launch a kernel behind an event, change an argument, and complete the event."""
    event = cl.UserEvent(s.device.context)
    try:
        s.launch(s.kernel, [event])
        change()
    finally:
        event.set_status(cl.command_execution_status.COMPLETE)
    s.device.queue.finish()


def scalar_of_a_waiting_command(s: KernelSetup) -> None:
    """A scalar set while a command waits is only for the next launch."""
    _change_while_waiting(s, lambda: s.kernel.set_arg(1, np.int32(77)))
    s.expect("a command keeps the scalar of its enqueue", 10, 100)
    s.launch(s.kernel)
    s.expect("the next one has the new scalar", 87, 200)


def buffer_of_a_waiting_command(s: KernelSetup) -> None:
    """A buffer set while a command waits is only for the next launch."""
    _change_while_waiting(s, lambda: s.kernel.set_arg(2, s.thousand))
    s.expect("a command keeps the buffer of its enqueue", 10, 100)
    s.launch(s.kernel)
    s.expect("the next one has the new buffer", 20, 1100)


def _check_no_overlap(s: KernelSetup, what: str) -> None:
    """Require that 256 and 64 bytes do not overlap. The kernel accesses only the first four of each."""
    distance, total = map(int, s.device.read(s.result, np.int32, 2))
    check.true(f"{what}: 256 and 64 bytes do not overlap", distance >= 256 or distance <= -64)
    check.equal("both were written", total, 3)


def local_of_a_waiting_command(s: KernelSetup) -> None:
    """A size of local memory set while a command waits is only for the next launch."""
    s.kernel = kernel = s.program.apart
    kernel.set_args(s.result, cl.LocalMemory(256), cl.LocalMemory(64))
    _change_while_waiting(s, lambda: kernel.set_args(s.result, cl.LocalMemory(16), cl.LocalMemory(16)))
    _check_no_overlap(s, "a command keeps its local memory")


def released_buffer(s: KernelSetup) -> None:
    """A buffer that is released while its command waits lives until the command has ended."""

    def release() -> None:
        s.hundred.release()
        s.device.buffer(np.array([-5], np.int32))

    _change_while_waiting(s, release)
    s.expect("a buffer released while its command waits", 10, 100)


def released_kernel(s: KernelSetup) -> None:
    """A kernel that is released while its command waits lives until the command has ended."""
    own = s.program.put
    own.set_args(s.result, np.int32(10), s.hundred, cl.LocalMemory(16))
    s.kernel = own

    def release() -> None:
        nonlocal own
        s.kernel = None
        del own

    _change_while_waiting(s, release)
    s.expect("a kernel released while its command waits", 10, 100)


def released_program(s: KernelSetup) -> None:
    """A kernel outlives the last reference to its program."""
    text = (ctypes.c_char_p * 1)(SOURCE.encode())
    program, _ = create("clCreateProgramWithSource", s.device.context.int_ptr, 1, text, 0)
    check.equal("clBuildProgram", call("clBuildProgram", program, 0, 0, 0, 0, 0), SUCCESS, stage="api")
    handle, error = create("clCreateKernel", program, b"put")
    check.equal("clCreateKernel", error, SUCCESS, stage="api")
    call("clReleaseProgram", program)
    kernel = cl.Kernel.from_int_ptr(handle, retain=False)
    kernel.set_args(s.result, np.int32(3), s.hundred, cl.LocalMemory(16))
    s.launch(kernel)
    s.expect("a kernel whose program was released", 3, 100)


def two_kernels(s: KernelSetup) -> None:
    """Two kernel objects of one function have arguments of their own."""
    other = s.program.put
    other.set_args(s.result, np.int32(5), s.thousand, cl.LocalMemory(16))
    s.launch(s.kernel)
    s.launch(other)
    s.expect("two kernel objects of one function", 15, 1100)


def clone(s: KernelSetup) -> None:
    """A clone of a kernel has its arguments."""
    s.launch(s.clone(s.kernel))
    s.expect("a clone has the arguments", 10, 100)


def clone_then_set(s: KernelSetup) -> None:
    """A clone keeps its arguments if those of its source change."""
    copy = s.clone(s.kernel)
    s.kernel.set_args(s.result, np.int32(77), s.thousand, cl.LocalMemory(16))
    s.launch(copy)
    s.expect("a clone keeps its arguments if the source's change", 10, 100)


def clone_then_set_clone(s: KernelSetup) -> None:
    """A kernel keeps its arguments if those of its clone change."""
    copy = s.clone(s.kernel)
    copy.set_args(s.result, np.int32(77), s.thousand, cl.LocalMemory(16))
    s.launch(s.kernel)
    s.expect("the source keeps its arguments if a clone's change", 10, 100)
    s.launch(copy)
    s.expect("the clone has its own", 87, 1100)


def clone_of_clone(s: KernelSetup) -> None:
    """A clone of a clone has the arguments of the first."""
    first = s.clone(s.kernel)
    first.set_arg(1, np.int32(4))
    s.launch(s.clone(first))
    s.expect("a clone of a clone", 4, 100)


def clone_outlives(s: KernelSetup) -> None:
    """A clone outlives its source."""
    copy = s.clone(s.kernel)
    s.kernel = None
    s.launch(copy)
    s.expect("a clone whose source was released", 10, 100)


def clone_incomplete(s: KernelSetup) -> None:
    """A clone of a kernel that lacks arguments lacks them, too, even if they are later set on its source."""
    kernel = s.program.put
    kernel.set_arg(0, s.result)
    kernel.set_arg(2, s.hundred)
    copy = s.clone(kernel)
    kernel.set_arg(1, np.int32(1))
    kernel.set_arg(3, cl.LocalMemory(16))
    size = (ctypes.c_size_t * 1)(1)
    arguments = (s.device.queue.int_ptr, copy.int_ptr, 1, 0, size, 0, 0, 0, 0)
    error = call("clEnqueueNDRangeKernel", *arguments)
    check.equal("launch of a clone without all arguments", error, "CL_INVALID_KERNEL_ARGS", stage="api")
    copy.set_arg(1, np.int32(6))
    copy.set_arg(3, cl.LocalMemory(16))
    s.launch(copy)
    s.expect("the clone with the rest set", 6, 100)


def clone_local(s: KernelSetup) -> None:
    """A clone keeps the size of its local memory."""
    kernel = s.program.apart
    kernel.set_args(s.result, cl.LocalMemory(256), cl.LocalMemory(64))
    copy = s.clone(kernel)
    kernel.set_args(s.result, cl.LocalMemory(16), cl.LocalMemory(16))
    s.launch(copy)
    _check_no_overlap(s, "a clone keeps its local memory")


def clone_references(s: KernelSetup) -> None:
    """A clone has one reference, and the name and number of arguments of its source."""
    call("clRetainKernel", s.kernel.int_ptr)
    copy = s.clone(s.kernel)
    check.equal("the clone's reference count", copy.reference_count, 1)
    check.equal("the source's reference count", s.kernel.reference_count, 2)
    check.equal("the clone's number of arguments", copy.num_args, 4)
    check.equal("the clone's name", copy.function_name, "put")
    call("clReleaseKernel", s.kernel.int_ptr)


def clone_svm(s: KernelSetup) -> None:
    """A clone has the SVM pointer of its source."""
    memory = cl.SVMAllocation(s.device.context, 64, 0, cl.svm_mem_flags.READ_WRITE)
    pattern = ctypes.byref(ctypes.c_int32(31))
    call("clEnqueueSVMMemFill", s.device.queue.int_ptr, memory.svm_ptr, pattern, 4, 4, 0, 0, 0)
    kernel = s.program.add_pointer
    kernel.set_arg(0, s.result)
    call("clSetKernelArgSVMPointer", kernel.int_ptr, 1, memory.svm_ptr)
    copy = s.clone(kernel)
    kernel.set_arg(1, s.thousand)
    s.launch(copy)
    s.expect("a clone keeps its SVM pointer", 31, 0)
    del memory


_WAYS = {
    f.__name__: f
    for f in (
        relaunch,
        copied_at_once,
        scalar_of_a_waiting_command,
        buffer_of_a_waiting_command,
        local_of_a_waiting_command,
        released_buffer,
        released_kernel,
        released_program,
        two_kernels,
        clone,
        clone_then_set,
        clone_then_set_clone,
        clone_of_clone,
        clone_outlives,
        clone_incomplete,
        clone_local,
        clone_references,
        clone_svm,
    )
}


def check_kept(device: Device, *, way: str) -> None:
    """A kernel object keeps its arguments. `way`: a name of _WAYS."""
    _WAYS[way](KernelSetup(device))
