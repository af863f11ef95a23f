"""Mappings: what the host sees and writes, in which order, and after which event (API 3.0, 5.2.4)."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.gate import stays
from ..kit.opencl import SUCCESS, call, create
from .create import query
from .sub import parent_of, unit
from .table import MAP_FLAGS
from .transfer import random_bytes

SOURCE = "__kernel void f(__global uchar *a) { a[get_global_id(0)] ^= 0xa5; }"
SIZE = 1024
PLACES = ((0, SIZE), (1, 1), (17, 100), (63, 65), (1000, 24))


def map_part(device: Device, buffer: cl.Buffer, flags: str, place: tuple[int, int], **more: Any) -> Any:
    """Map a part; returns the array and the event."""
    return cl.enqueue_map_buffer(device.queue, buffer, MAP_FLAGS[flags], *place, np.uint8, **more)


def check_map_flags(device: Device, *, flags: str, memory: str, blocking: bool) -> None:
    """Map, compare, change and unmap at each place, then compare the buffer. `flags`, `memory`: names of table.py."""
    want = random_bytes(device, SIZE)
    buffer = parent_of(device, memory, want.copy())
    kernel = device.build(SOURCE).f
    for place in PLACES:
        part = slice(place[0], sum(place))
        mapped, event = map_part(device, buffer, flags, place, is_blocking=blocking)
        if not blocking:
            event.wait()
        if flags != "invalidate":  # a mapping has the latest bits, even if it is only for writing
            check.equal(f"clEnqueueMapBuffer, {place}", mapped.copy(), want[part])
        if flags != "read":
            want[part] = mapped[:] = random_bytes(device, place[1])
        mapped.base.release(device.queue)
        device.launch(kernel, [SIZE], None, buffer)
        want ^= 0xA5
        check.equal(f"clEnqueueUnmapMemObject, {place}", device.read(buffer, np.uint8, SIZE), want)


def check_map_several(device: Device, *, flags: str, places: Sequence[Sequence[int]], order: Sequence[int]) -> None:
    """Several mappings at once. `order`: in which they are unmapped."""
    want = random_bytes(device, SIZE)
    buffer = device.buffer(want)
    pairs = [(at, size) for at, size in places]
    mapped = [map_part(device, buffer, flags, place)[0] for place in pairs]
    for array, (at, size) in zip(mapped, pairs, strict=True):
        if flags == "read":
            check.equal(f"clEnqueueMapBuffer, {at, size}", array.copy(), want[at : at + size])
        else:
            array[:] = want[at : at + size] = random_bytes(device, size)
    for index in order:
        mapped[index].base.release(device.queue)
    check.equal("buffer", device.read(buffer, np.uint8, SIZE), want)


def check_map_counted(device: Device, *, count: int) -> None:
    """CL_MEM_MAP_COUNT goes up and down by one."""
    buffer = device.buffer(np.zeros(SIZE, np.uint8))
    mapped, seen = [], []
    for _ in range(count):
        mapped.append(map_part(device, buffer, "read", (0, SIZE))[0])
        seen.append(query(buffer, 0x1104, ctypes.c_uint32))
    check.equal("while mapping", seen, list(range(1, count + 1)))
    seen = []
    while mapped:
        mapped.pop(count % 2 - 1).base.release(device.queue)
        device.queue.finish()
        seen.append(query(buffer, 0x1104, ctypes.c_uint32))
    check.equal("while unmapping", seen, list(range(count))[::-1])


def check_map_each_unmapped(device: Device, *, count: int, memory: str) -> None:
    """A region that is mapped several times needs as many unmaps, and one more is refused."""
    host = random_bytes(device, SIZE)
    buffer = parent_of(device, memory, host.copy())
    pointers = []
    for _ in range(count):  # without pyopencl, whose arrays would unmap it again
        pointer, code = create("clEnqueueMapBuffer", device.queue.int_ptr, buffer.int_ptr, 1, 1, 0, SIZE, 0, 0, 0)
        check.equal("clEnqueueMapBuffer", code, SUCCESS, stage="api")
        pointers.append(pointer)
    for n, pointer in enumerate(pointers):
        check.equal(f"map {n}", np.frombuffer(ctypes.string_at(pointer, SIZE), np.uint8), host)
        code = call("clEnqueueUnmapMemObject", device.queue.int_ptr, buffer.int_ptr, pointer, 0, 0, 0)
        check.equal(f"clEnqueueUnmapMemObject {n}", code, SUCCESS, stage="api")
        device.queue.finish()
    code = call("clEnqueueUnmapMemObject", device.queue.int_ptr, buffer.int_ptr, pointers[-1], 0, 0, 0)
    check.equal("clEnqueueUnmapMemObject once more", code, "CL_INVALID_VALUE", stage="api")
    check.equal("buffer", device.read(buffer, np.uint8, SIZE), host)


def check_map_ordered(device: Device, *, before: str, after: str, flags: str) -> None:
    """A non-blocking mapping runs in its turn among the commands of the queue."""
    data = random_bytes(device, SIZE)
    buffer, want = device.buffer(data), data.copy()
    other = device.buffer(random_bytes(device, SIZE))
    kernel, queue = device.build(SOURCE).f, device.queue

    def enqueue(what: str) -> None:
        if what == "kernel":
            device.launch(kernel, [SIZE], None, buffer)
            want[:] ^= 0xA5
        elif what == "fill":
            cl.enqueue_fill_buffer(queue, buffer, np.uint8(201), 3, 700)
            want[3:703] = 201
        elif what == "copy":
            cl.enqueue_copy(queue, buffer, other, byte_count=500, src_offset=9, dst_offset=33)
            want[33:533] = device_bytes[9:509]

    device_bytes = device.read(other, np.uint8, SIZE)
    enqueue(before)
    mapped, event = map_part(device, buffer, flags, (20, 600), is_blocking=False)
    queue.flush()
    event.wait()
    if "read" in flags:
        check.equal("clEnqueueMapBuffer, mapped", mapped.copy(), want[20:620])
    if flags != "read":
        mapped[:] = want[20:620] = random_bytes(device, 600)
    mapped.base.release(queue)
    enqueue(after)
    check.equal("clEnqueueUnmapMemObject, at the end", device.read(buffer, np.uint8, SIZE), want)


def check_map_gated(device: Device, *, flags: str, unmap: bool) -> None:
    """A mapping behind a user event shows what was done before. `unmap`: not the mapping but the unmap waits."""
    data = random_bytes(device, SIZE)
    buffer, want = device.buffer(data), data.copy()
    gate, kernel = cl.UserEvent(device.context), device.build(SOURCE).f
    if unmap:
        mapped, _ = map_part(device, buffer, flags, (63, 300))
        mapped[:] = want[63:363] = random_bytes(device, 300)
        unmapped = mapped.base.release(device.queue, wait_for=[gate])
        launched: Any = device.launch(kernel, [SIZE], None, buffer)
        device.queue.flush()
        pending = stays([unmapped, launched])
        gate.set_status(0)
        launched.wait()
        want ^= 0xA5
        check.true("clEnqueueUnmapMemObject waits for the user event", pending)
    else:
        try:
            cl.enqueue_fill_buffer(device.queue, buffer, np.uint8(211), 60, 200, wait_for=[gate])
            mapped, event = map_part(device, buffer, flags, (63, 300), is_blocking=False)
            device.queue.flush()
            pending = stays([event])
        finally:
            gate.set_status(0)
        event.wait()
        want[60:260] = 211
        check.true("clEnqueueMapBuffer waits for the user event", pending)
        check.equal("clEnqueueMapBuffer, mapped", mapped.copy(), want[63:363])
        mapped.base.release(device.queue)
    check.equal("clEnqueueUnmapMemObject, at the end", device.read(buffer, np.uint8, SIZE), want)


def check_map_two_queues(device: Device, *, flags: str) -> None:
    """A buffer is mapped in one queue, and unmapped in another one of the context."""
    want = random_bytes(device, SIZE)
    buffer, other = device.buffer(want), cl.CommandQueue(device.context)
    mapped, _ = map_part(device, buffer, flags, (3, 501))
    if "read" in flags:
        check.equal("clEnqueueMapBuffer, mapped", mapped.copy(), want[3:504])
    if flags != "read":
        mapped[:] = want[3:504] = random_bytes(device, 501)
    event = mapped.base.release(other)
    event.wait()
    check.equal("clEnqueueUnmapMemObject, after it", device.read(buffer, np.uint8, SIZE), want)


def check_map_parent(device: Device, *, memory: str, first: str) -> None:
    """A parent and its sub-buffer are mapped at the same time and show the same bytes. `first`: the one unmapped first."""
    step = unit(device)
    want = random_bytes(device, step + SIZE)
    parent = parent_of(device, memory, want.copy())
    sub = parent.get_sub_region(step, SIZE)
    whole, _ = map_part(device, parent, "read", (0, len(want)))
    part, _ = map_part(device, sub, "read", (31, 200))
    check.equal("sub-buffer", part.copy(), want[step + 31 : step + 231])
    check.equal("parent", whole.copy(), want)
    for mapped in (whole, part) if first == "parent" else (part, whole):
        mapped.base.release(device.queue)
    device.queue.finish()
    cl.enqueue_fill_buffer(device.queue, sub, np.uint8(3), 0, 64)
    want[step : step + 64] = 3
    check.equal("clEnqueueUnmapMemObject, after it", device.read(parent, np.uint8, len(want)), want)


def check_map_pointer(device: Device, *, flags: str, launched: bool) -> None:
    """With CL_MEM_USE_HOST_PTR a mapping is at host_ptr + offset (API 3.0, 5.2.4)."""
    want = random_bytes(device, SIZE)
    data = want.copy()
    buffer = parent_of(device, "use", data)
    if launched:
        device.launch(device.build(SOURCE).f, [SIZE], None, buffer)
        want ^= 0xA5
    for at, size in PLACES:
        mapped, _ = map_part(device, buffer, flags, (at, size))
        check.equal(f"offset of {at, size}", mapped.ctypes.data - data.ctypes.data, at)
        check.equal(f"memory of the host at {at, size}", data[at : at + size].copy(), want[at : at + size])
        mapped.base.release(device.queue)
    device.queue.finish()
