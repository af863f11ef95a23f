"""Objects made and released over and over: memory, file descriptors and threads of the process stay."""

from __future__ import annotations

import ctypes
import gc
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.gate import settles
from ..kit.opencl import call, create, sizes

SOURCE = "__kernel void f(__global uint *a, uint b) { a[get_global_id(0)] = a[get_global_id(0)] * 3 + b; }"


def resident() -> int:
    """Memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def counted(folder: str) -> int:
    """Open files ("fd") or threads ("task") of this process."""
    return len(list(Path("/proc/self", folder).iterdir()))


class Cycles:
    """One life of each kind of object. All of them are over when a method returns."""

    def __init__(self, device: Device, seed: int) -> None:
        self.device, self.count = device, seed
        self.context, self.queue = device.context, device.queue
        self.target, self.host = device.buffer(np.zeros(64, np.uint32)), np.zeros(64, np.uint32)
        self.big = np.zeros(1 << 18, np.uint32)
        self.program = device.build(SOURCE)
        self.kernel = self.program.f

    def built(self, text: str, want: str = "CL_SUCCESS") -> int:
        source = (ctypes.c_char_p * 1)(text.encode())
        program, error = create("clCreateProgramWithSource", self.context.int_ptr, 1, source, 0)
        check.equal("clCreateProgramWithSource", error, "CL_SUCCESS", stage="api")
        check.equal("clBuildProgram", call("clBuildProgram", program, 0, 0, 0, 0, 0), want, stage="api")
        return program

    def build(self) -> None:
        self.count += 1
        call("clReleaseProgram", self.built(f"{SOURCE}\n__kernel void g{self.count}(__global uint *a) {{ *a = 1; }}"))

    def failing_build(self) -> None:
        wrong = "__kernel void f(__global int *a) { a[0] = nothing; }"
        call("clReleaseProgram", self.built(wrong, "CL_BUILD_PROGRAM_FAILURE"))

    def build_and_launch(self) -> None:
        self.count += 1
        program = self.built(SOURCE.replace("* 3", f"* {self.count}"))
        each, _ = create("clCreateKernel", program, ctypes.c_char_p(b"f"))
        call("clSetKernelArg", each, 0, 8, (ctypes.c_void_p * 1)(self.target.int_ptr))
        call("clSetKernelArg", each, 1, 4, (ctypes.c_uint32 * 1)(1))
        answer = call("clEnqueueNDRangeKernel", self.queue.int_ptr, each, 1, 0, sizes([64]), 0, 0, 0, 0)
        check.equal("clEnqueueNDRangeKernel", answer, "CL_SUCCESS", stage="api")
        self.queue.finish()
        call("clReleaseKernel", each)
        call("clReleaseProgram", program)

    def launch(self) -> None:
        self.kernel.set_args(self.target, np.uint32(1))
        for _ in range(10):
            cl.enqueue_nd_range_kernel(self.queue, self.kernel, (64,), None)
        self.queue.finish()

    def one_context(self) -> None:
        own = cl.Context([self.device.device])
        own_queue = cl.CommandQueue(own)
        buffer = cl.Buffer(own, cl.mem_flags.READ_WRITE, 4096)
        cl.enqueue_fill_buffer(own_queue, buffer, np.uint32(1), 0, 4096)
        own_queue.finish()

    def one_queue(self) -> None:
        own_queue = cl.CommandQueue(self.context)
        cl.enqueue_fill_buffer(own_queue, self.target, np.uint32(1), 0, 256)
        own_queue.finish()

    def buffer(self) -> None:
        each = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, 1 << 20)
        cl.enqueue_fill_buffer(self.queue, each, np.uint32(1), 0, 1 << 20)
        self.queue.finish()
        each.release()

    def host_buffer(self) -> None:
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        each = cl.Buffer(self.context, flags, hostbuf=self.big)
        cl.enqueue_fill_buffer(self.queue, each, np.uint32(1), 0, 4096)
        self.queue.finish()
        each.release()

    def sub_buffer(self) -> None:
        each = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, 1 << 16)
        sub = each.get_sub_region(0, 4096)
        cl.enqueue_fill_buffer(self.queue, sub, np.uint32(1), 0, 4096)
        self.queue.finish()

    def transfer(self) -> None:
        for _ in range(10):
            cl.enqueue_copy(self.queue, self.host, self.target)
            cl.enqueue_copy(self.queue, self.target, self.host)

    def mapping(self) -> None:
        for _ in range(10):
            mapped, _ = cl.enqueue_map_buffer(self.queue, self.target, cl.map_flags.WRITE, 0, 64, np.uint32)
            mapped[:] = 3
            mapped.base.release(self.queue)
        self.queue.finish()

    def event(self) -> None:
        first = cl.UserEvent(self.context)
        last: Any = first
        for _ in range(10):
            last = cl.enqueue_marker(self.queue, [last])
        first.set_status(0)
        self.queue.finish()
        check.true("the markers complete", settles(last))

    def kernel_object(self) -> None:
        for _ in range(10):  # pyopencl writes Python code for each of its kernels
            each, error = create("clCreateKernel", self.program.int_ptr, ctypes.c_char_p(b"f"))
            check.equal("clCreateKernel", error, "CL_SUCCESS", stage="api")
            call("clSetKernelArg", each, 0, 8, (ctypes.c_void_p * 1)(self.target.int_ptr))
            call("clReleaseKernel", each)

    def image(self) -> None:
        word = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)
        each = cl.create_image(self.context, cl.mem_flags.READ_WRITE, word, shape=(256, 256))
        cl.enqueue_fill_image(self.queue, each, np.zeros(4, np.uint32), (0, 0, 0), (256, 256, 1))
        self.queue.finish()
        each.release()

    def svm(self) -> None:
        from ..svm.memory import allocate, release

        pointer = allocate(self.device, 1, 1 << 20)
        call("clEnqueueSVMMemFill", self.queue.int_ptr, pointer, (ctypes.c_uint32 * 1)(5), 4, 1 << 20, 0, 0, 0)
        self.queue.finish()
        release(self.device, pointer)


def check_leak(device: Device, *, what: str, count: int, limit: int) -> None:
    """Cycles of one kind give back what they take. `what`: a cycle; `limit`: bytes of growth a cycle.

    A third of the cycles may fill caches. What leaks grows in each of the windows that follow, what only wavers (arenas
    and stacks of threads) does not.
    """
    window = count // 3
    cycle = getattr(Cycles(device, int(device.rng.integers(1 << 20))), what)
    for _ in range(window):
        cycle()
    grown = []
    for _ in range(3):
        gc.collect()
        memory, files, threads = resident(), counted("fd"), counted("task")
        for _ in range(window):
            cycle()
        gc.collect()
        over = resident() - memory > (256 << 10) + limit * window
        grown.append((over, counted("fd") > files + 2, counted("task") > threads + 4))
        if not any(grown[-1]):
            break
    for grows, always in zip(("memory", "open files", "threads"), map(all, zip(*grown, strict=True)), strict=True):
        check.true(f"{grows} do not grow with each cycle", not always)
