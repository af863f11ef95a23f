"""Objects made and released over and over: memory, file descriptors and threads of the process stay."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device
from runner.model import Case

from ..event.gate import settles
from ..opencl import call, create, sizes

SOURCE = "__kernel void f(__global uint *a, uint b) { a[get_global_id(0)] = a[get_global_id(0)] * 3 + b; }"


def resident() -> int:
    """Memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def counted(folder: str) -> int:
    """Open files ("fd") or threads ("task") of this process."""
    return len(list(Path("/proc/self", folder).iterdir()))


def cycles(device: Device, seed: int) -> dict[str, Callable[[], None]]:
    """One life of each kind of object. All of them are over when the call returns."""
    context, queue = device.context, device.queue
    target, host = device.buffer(np.zeros(64, np.uint32)), np.zeros(64, np.uint32)
    program = device.build(SOURCE)
    kernel = program.f
    count = [seed]

    def built(text: str, want: str = "CL_SUCCESS") -> int:
        source = (ctypes.c_char_p * 1)(text.encode())
        made, error = create("clCreateProgramWithSource", context.int_ptr, 1, source, 0)
        check.equal("clCreateProgramWithSource", error, "CL_SUCCESS", stage="api")
        check.equal("clBuildProgram", call("clBuildProgram", made, 0, 0, 0, 0, 0), want, stage="api")
        return made

    def build() -> None:
        count[0] += 1
        call("clReleaseProgram", built(f"{SOURCE}\n__kernel void g{count[0]}(__global uint *a) {{ *a = 1; }}"))

    def failing_build() -> None:
        wrong = "__kernel void f(__global int *a) { a[0] = nothing; }"
        call("clReleaseProgram", built(wrong, "CL_BUILD_PROGRAM_FAILURE"))

    def build_and_launch() -> None:
        count[0] += 1
        made = built(SOURCE.replace("* 3", f"* {count[0]}"))
        each, _ = create("clCreateKernel", made, ctypes.c_char_p(b"f"))
        call("clSetKernelArg", each, 0, 8, (ctypes.c_void_p * 1)(target.int_ptr))
        call("clSetKernelArg", each, 1, 4, (ctypes.c_uint32 * 1)(1))
        answer = call("clEnqueueNDRangeKernel", queue.int_ptr, each, 1, 0, sizes([64]), 0, 0, 0, 0)
        check.equal("clEnqueueNDRangeKernel", answer, "CL_SUCCESS", stage="api")
        queue.finish()
        call("clReleaseKernel", each)
        call("clReleaseProgram", made)

    def launch() -> None:
        kernel.set_args(target, np.uint32(1))
        for _ in range(10):
            cl.enqueue_nd_range_kernel(queue, kernel, (64,), None)
        queue.finish()

    def one_context() -> None:
        own = cl.Context([device.device])
        own_queue = cl.CommandQueue(own)
        buffer = cl.Buffer(own, cl.mem_flags.READ_WRITE, 4096)
        cl.enqueue_fill_buffer(own_queue, buffer, np.uint32(1), 0, 4096)
        own_queue.finish()

    def one_queue() -> None:
        own_queue = cl.CommandQueue(context)
        cl.enqueue_fill_buffer(own_queue, target, np.uint32(1), 0, 256)
        own_queue.finish()

    def buffer() -> None:
        each = cl.Buffer(context, cl.mem_flags.READ_WRITE, 1 << 20)
        cl.enqueue_fill_buffer(queue, each, np.uint32(1), 0, 1 << 20)
        queue.finish()
        each.release()

    def host_buffer() -> None:
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        each = cl.Buffer(context, flags, hostbuf=big)
        cl.enqueue_fill_buffer(queue, each, np.uint32(1), 0, 4096)
        queue.finish()
        each.release()

    def sub_buffer() -> None:
        each = cl.Buffer(context, cl.mem_flags.READ_WRITE, 1 << 16)
        sub = each.get_sub_region(0, 4096)
        cl.enqueue_fill_buffer(queue, sub, np.uint32(1), 0, 4096)
        queue.finish()

    def transfer() -> None:
        for _ in range(10):
            cl.enqueue_copy(queue, host, target)
            cl.enqueue_copy(queue, target, host)

    def mapping() -> None:
        for _ in range(10):
            mapped, _ = cl.enqueue_map_buffer(queue, target, cl.map_flags.WRITE, 0, 64, np.uint32)
            mapped[:] = 3
            mapped.base.release(queue)
        queue.finish()

    def event() -> None:
        first = cl.UserEvent(context)
        last: Any = first
        for _ in range(10):
            last = cl.enqueue_marker(queue, [last])
        first.set_status(0)
        queue.finish()
        check.true("the markers complete", settles(last))

    def kernel_object() -> None:
        for _ in range(10):  # pyopencl writes Python code for each of its kernels
            each, error = create("clCreateKernel", program.int_ptr, ctypes.c_char_p(b"f"))
            check.equal("clCreateKernel", error, "CL_SUCCESS", stage="api")
            call("clSetKernelArg", each, 0, 8, (ctypes.c_void_p * 1)(target.int_ptr))
            call("clReleaseKernel", each)

    def image() -> None:
        word = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)
        each = cl.Image(context, cl.mem_flags.READ_WRITE, word, shape=(256, 256))
        cl.enqueue_fill_image(queue, each, np.zeros(4, np.uint32), (0, 0, 0), (256, 256, 1))
        queue.finish()
        each.release()

    def svm() -> None:
        from ..svm.memory import allocate, release

        pointer = allocate(device, 1, 1 << 20)
        call("clEnqueueSVMMemFill", queue.int_ptr, pointer, (ctypes.c_uint32 * 1)(5), 4, 1 << 20, 0, 0, 0)
        queue.finish()
        release(device, pointer)

    big = np.zeros(1 << 18, np.uint32)
    mine = (
        build,
        failing_build,
        build_and_launch,
        launch,
        one_context,
        one_queue,
        buffer,
        host_buffer,
        sub_buffer,
        transfer,
        mapping,
        event,
        kernel_object,
        image,
        svm,
    )
    return {function.__name__: function for function in mine}


def check_leak(device: Device, case: Case) -> None:
    """Params: what (a cycle), count, limit (bytes of growth a cycle).

    A third of the cycles may fill caches. What leaks grows in each of the windows that follow, what only wavers
    (arenas and stacks of threads) does not.
    """
    window, limit = case.params["count"] // 3, case.params["limit"]
    cycle = cycles(device, int(device.rng.integers(1 << 20)))[case.params["what"]]
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
    for what, always in zip(("memory", "open files", "threads"), map(all, zip(*grown, strict=True)), strict=True):
        check.true(f"{what} do not grow with each cycle", not always)
