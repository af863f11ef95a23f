"""clEnqueueFillBuffer with patterns of every size, at multiples of it; the rest must stay (API 3.0, 5.2.3)."""

import ctypes

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import call
from .sub import parent_of, unit
from .table import MAP_FLAGS
from .transfer import random_bytes

SOURCE = "__kernel void f(__global uchar *a) { a[get_global_id(0)] += 7; }"


def check_fill_places(device: Device, *, width: int, first: int, memory: str) -> None:
    """Fills at every place of a buffer.

    `width`: of the pattern; `first`: offset in patterns; `memory`: "sub", or a name of HOST_MEMORY.
    """
    base = unit(device) if memory == "sub" else 0
    size = 3072
    want = random_bytes(device, base + size)
    parent = parent_of(device, "plain" if memory == "sub" else memory, want.copy())
    target = parent.get_sub_region(base, size) if memory == "sub" else parent
    for count in (1, 3, 5, size // width - first):
        pattern = random_bytes(device, width)
        cl.enqueue_fill_buffer(device.queue, target, pattern, first * width, count * width)
        want[base + first * width :][: count * width] = np.tile(pattern, count)
        check.equal(f"clEnqueueFillBuffer, {count} patterns", device.read(parent, np.uint8, len(want)), want)


def check_fill_sequence(device: Device, *, width: int) -> None:
    """Fills with this and with other widths over each other: the last one wins."""
    want = random_bytes(device, 2048)
    buffer = device.buffer(want)
    for other in (128, 1, 16, 2, 64, 4, 32, 8):
        for each in (other, width):
            pattern = random_bytes(device, each)
            first, count = 128 // each + 1, 512 // each + other % 3
            cl.enqueue_fill_buffer(device.queue, buffer, pattern, first * each, count * each)
            want[first * each :][: count * each] = np.tile(pattern, count)
    check.equal("buffer after clEnqueueFillBuffer", device.read(buffer, np.uint8, 2048), want)


def check_fill_pattern_is_copied(device: Device, *, width: int) -> None:
    """The application may change the pattern as soon as the call returns."""
    want = random_bytes(device, 1024)
    buffer, pattern = device.buffer(want), random_bytes(device, width)
    kept, gate = pattern.copy(), cl.UserEvent(device.context)
    waits = (1, (ctypes.c_void_p * 1)(gate.int_ptr), 0)
    where = (pattern.ctypes.data, width, width, 512)
    error = call("clEnqueueFillBuffer", device.queue.int_ptr, buffer.int_ptr, *where, *waits)
    pattern[:] = 255
    gate.set_status(0)
    device.queue.finish()
    check.equal("clEnqueueFillBuffer", error, "CL_SUCCESS", stage="api")
    want[width : width + 512] = np.tile(kept, 512 // width)
    check.equal("buffer after clEnqueueFillBuffer", device.read(buffer, np.uint8, 1024), want)


def check_fill_large(device: Device, *, width: int) -> None:
    """A fill of megabytes, all but a pattern's width at each end, which must stay."""
    size = 3 << 20
    want, pattern = np.full(size, 251, np.uint8), random_bytes(device, width)
    buffer = device.buffer(want)
    cl.enqueue_fill_buffer(device.queue, buffer, pattern, width, size - 2 * width)
    want[width:-width] = np.tile(pattern, size // width - 2)
    check.equal("buffer after clEnqueueFillBuffer", device.read(buffer, np.uint8, size), want)


def check_fill_among(device: Device, *, width: int) -> None:
    """A fill between a kernel, a copy and a mapping of one queue, without a wait."""
    want = random_bytes(device, 1024)
    buffer, other, pattern = device.buffer(want), device.buffer(want), random_bytes(device, width)
    kernel, queue = device.build(SOURCE).f, device.queue
    device.launch(kernel, [1024], None, buffer)
    cl.enqueue_fill_buffer(queue, buffer, pattern, 2 * width, 3 * width)
    device.launch(kernel, [1024], None, buffer)
    cl.enqueue_copy(queue, other, buffer, src_offset=width, dst_offset=3, byte_count=4 * width)
    cl.enqueue_fill_buffer(queue, buffer, pattern[::-1].copy(), 0, 2 * width)
    mapped, _ = cl.enqueue_map_buffer(queue, buffer, MAP_FLAGS["read"], 0, 1024, np.uint8)
    shown = mapped.copy()
    mapped.base.release(queue)
    copied = want.copy()
    want += 7
    want[2 * width : 5 * width] = np.tile(pattern, 3)
    want += 7
    copied[3 : 3 + 4 * width] = want[width : 5 * width]
    want[: 2 * width] = np.tile(pattern[::-1], 2)
    check.equal("mapped", shown, want)
    check.equal("copy", device.read(other, np.uint8, 1024), copied)
