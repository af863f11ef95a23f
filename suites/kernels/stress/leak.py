"""Objects that are made and released many times: the process's memory, file descriptors and threads must not grow."""

import ctypes
import functools
import gc
import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.gate import settles
from ..kit.opencl import call, create, sizes

_SIDE = 256  # of an image with elements of 4 bytes
SOURCE = "__kernel void f(__global uint *a, uint b) { a[get_global_id(0)] = a[get_global_id(0)] * 3 + b; }"


IMAGES = """__kernel void w(__write_only image2d_t image, uint n) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(image, at, (uint4)(at.x, at.y, n, 255));
}
__kernel void r(__read_only image2d_t image, sampler_t s, __global uint *sum) {
    uint4 read = read_imageui(image, s, (int2)(get_global_id(0), get_global_id(1)));
    atomic_add(sum, read.x + read.y + read.z);
}
__kernel void b(__read_only image1d_buffer_t image, __global uint *a) {
    a[get_global_id(0)] = read_imageui(image, (int)get_global_id(0)).x;
}
"""


def resident() -> int:
    """The private resident memory of this process, in bytes.

    Pages of files are left out: those of an emulated GPU's buffers, which are touched one after another, would count once
    for each mapping. elsewhere() counts them.
    """
    pages = [int(field) for field in Path("/proc/self/statm").read_text().split()]
    return (pages[1] - pages[2]) * os.sysconf("SC_PAGE_SIZE")


def mapped() -> int:
    """The address space of this process in bytes, including untouched memory and mappings of a device."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def elsewhere(process: Path = Path("/proc/self")) -> int:
    """The memory of open files without a name, and of the kernel's drivers for this process, in bytes."""
    files: dict[tuple[int, int], int] = {}
    clients: dict[str, int] = {}
    for entry in (process / "fd").iterdir():
        try:
            status, text = entry.stat(), (process / "fdinfo" / entry.name).read_text()
        except OSError:
            continue  # closed meanwhile
        if stat.S_ISREG(status.st_mode) and not status.st_nlink:
            files[status.st_dev, status.st_ino] = status.st_blocks * 512
        said = dict(line.split(":", 1) for line in text.splitlines() if line.startswith("drm-"))
        sizes = [line.split() for name, line in said.items() if name.startswith("drm-total-")]
        if sizes:  # a file that was opened once, and duplicated, is one client
            units = {"KiB": 1 << 10, "MiB": 1 << 20}
            total = sum(int(size[0]) * units.get(size[-1], 1) for size in sizes)
            clients[said.get("drm-client-id", entry.name).strip()] = total
    return sum(files.values()) + sum(clients.values())


def counted(folder: str) -> int:
    """The number of open files ("fd") or threads ("task") of this process."""
    return len(list(Path("/proc/self", folder).iterdir()))


class Cycles:
    """A method for each cycle: it makes and uses objects, and has released all of them when it returns."""

    def __init__(self, device: Device, seed: int) -> None:
        self.device, self.count = device, seed
        self.context, self.queue = device.context, device.queue
        self.target, self.host = device.buffer(np.zeros(64, np.uint32)), np.zeros(64, np.uint32)
        self.big = np.zeros(1 << 18, np.uint32)
        self.program = device.build(SOURCE)
        self.kernel = self.program.f
        self.pixels = np.zeros((_SIDE, _SIDE, 4), np.uint8)

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
        for _ in range(10):  # pyopencl generates Python code for each of its kernels
            each, error = create("clCreateKernel", self.program.int_ptr, ctypes.c_char_p(b"f"))
            check.equal("clCreateKernel", error, "CL_SUCCESS", stage="api")
            call("clSetKernelArg", each, 0, 8, (ctypes.c_void_p * 1)(self.target.int_ptr))
            call("clReleaseKernel", each)

    def new_image(self) -> cl.Image:
        word = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)
        return cl.create_image(self.context, cl.mem_flags.READ_WRITE, word, shape=(_SIDE, _SIDE))

    @functools.cached_property
    def kept_image(self) -> cl.Image:
        """An image that lives as long as the cycles."""
        return self.new_image()

    @functools.cached_property
    def image_kernels(self) -> list[cl.Kernel]:
        program = self.device.build(IMAGES)
        return [program.w, program.r, program.b]

    def image(self) -> None:
        each = self.new_image()
        cl.enqueue_fill_image(self.queue, each, np.zeros(4, np.uint32), (0, 0, 0), (_SIDE, _SIDE, 1))
        self.queue.finish()
        each.release()

    def used(self, image: cl.Image) -> None:
        """Write to an image by one launch, and read it by another one, through a sampler."""
        sampler = cl.Sampler(self.context, False, cl.addressing_mode.CLAMP_TO_EDGE, cl.filter_mode.NEAREST)
        write, read, _ = self.image_kernels
        self.device.launch(write, [_SIDE, _SIDE], None, image, np.uint32(self.count))
        self.device.launch(read, [_SIDE, _SIDE], None, image, sampler, self.target)
        self.queue.finish()

    def image_launched(self) -> None:
        each = self.new_image()
        self.used(each)
        each.release()

    def image_relaunched(self) -> None:
        self.used(self.kept_image)

    def image_transfer(self) -> None:
        for _ in range(4):
            cl.enqueue_copy(self.queue, self.kept_image, self.pixels, origin=(0, 0), region=(_SIDE, _SIDE))
            cl.enqueue_copy(self.queue, self.pixels, self.kept_image, origin=(0, 0), region=(_SIDE, _SIDE))

    def image_read(self) -> None:
        each = self.new_image()
        cl.enqueue_copy(self.queue, each, self.pixels, origin=(0, 0), region=(_SIDE, _SIDE))
        cl.enqueue_copy(self.queue, self.pixels, each, origin=(0, 0), region=(_SIDE, _SIDE))
        each.release()

    def image_mapping(self) -> None:
        for image in (self.kept_image, each := self.new_image()):
            mapped, *_ = cl.enqueue_map_image(
                self.queue, image, cl.map_flags.WRITE, (0, 0), (_SIDE, _SIDE), (_SIDE, _SIDE, 4), np.uint8
            )
            mapped[:] = 3
            mapped.base.release(self.queue)
        self.queue.finish()
        each.release()

    def image_of_buffer(self) -> None:
        word = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)  # of the minimum list (5.3.2.1)
        each = cl.create_image(self.context, cl.mem_flags.READ_WRITE, word, shape=(64,), buffer=self.target)
        self.device.launch(self.image_kernels[2], [64], None, each, self.target)
        self.queue.finish()
        each.release()

    def svm(self) -> None:
        from ..svm.memory import allocate, release

        pointer = allocate(self.device, 1, 1 << 20)
        call("clEnqueueSVMMemFill", self.queue.int_ptr, pointer, (ctypes.c_uint32 * 1)(5), 4, 1 << 20, 0, 0, 0)
        self.queue.finish()
        release(self.device, pointer)


def check_leak(device: Device, *, what: str, count: int, limit: int) -> None:
    """Cycles of one kind release what they allocate. `what`: a cycle; `limit`: the growth allowed for each, in bytes.

    A third of the cycles may fill caches. A leak grows in each of the windows that follow; memory that only varies (arenas
    and stacks of threads) does not.
    """
    window = count // 3
    cycle = getattr(Cycles(device, int(device.rng.integers(1 << 20))), what)
    for _ in range(window):
        cycle()
    grown = []
    for _ in range(3):
        gc.collect()
        before = _measured()
        for _ in range(window):
            cycle()
        gc.collect()
        bytes_more = (256 << 10) + limit * window
        allowed = {"open files": 2, "threads": 4}
        grown.append({what: after - before[what] > allowed.get(what, bytes_more) for what, after in _measured().items()})
        if not any(grown[-1].values()):
            break
    for what in grown[0]:
        check.true(f"{what} do not grow with each cycle", not all(window[what] for window in grown))


def _measured() -> dict[str, int]:
    return {
        "memory": resident(),
        "open files": counted("fd"),
        "threads": counted("task"),
        "mappings": mapped(),
        "the driver's buffers": elsewhere(),
    }
