"""Linear and rectangular transfers with odd offsets and pitches. The reference is index arithmetic on flat arrays."""

from collections.abc import Sequence

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.opencl import call, handles, sizes
from .table import LINEAR, LINEAR_OVERLAPS, OVERLAPS

Bytes = NDArray[np.uint8]
Triple = tuple[int, int, int]


def random_bytes(device: Device, *shape: int) -> Bytes:
    """Random bytes, none of which is 0 or a filler of the bodies."""
    return device.rng.integers(1, 200, shape, dtype=np.uint8)


def check_linear(device: Device, *, path: str, source: int, target: int) -> None:
    """Transfers of several lengths from one offset to another.

    `path`: read, write, copy or copy_within; `source`, `target`: offsets in bytes.
    """
    for n, size in enumerate((1, 5, 64, 1001, 4096 - source)):
        _transfer(device, path, size, (source, target), 4096, blocking=n % 2 == 0)


def check_long(device: Device, *, path: str, source: int, target: int) -> None:
    """A transfer of more bytes than an image has columns: a driver that copies buffers as images must split it.

    `path`: as for check_linear; `source`, `target`: offsets in bytes.
    """
    _transfer(device, path, 100_003, (source, target), 100_003 + source, blocking=True)


def _transfer(device: Device, path: str, size: int, offsets: tuple[int, int], room: int, *, blocking: bool) -> None:
    """Transfer `size` bytes from one offset to another; `room`: the size of the source."""
    source, target = offsets
    data, ground = random_bytes(device, room), random_bytes(device, room + 63 + 9)
    want = ground.copy()
    if path == "read":
        got = ground.copy()
        part = got[target : target + size]
        device.copy(part, device.buffer(data), src_offset=source, is_blocking=blocking)
    elif path == "write":
        buffer = device.buffer(ground)
        device.copy(buffer, data[source : source + size], dst_offset=target, is_blocking=blocking)
        got = device.read(buffer, np.uint8, len(ground))
    elif path == "copy":
        buffer = device.buffer(ground)
        device.copy(buffer, device.buffer(data), src_offset=source, dst_offset=target, byte_count=size)
        got = device.read(buffer, np.uint8, len(ground))
    else:
        buffer = device.buffer(np.concatenate([data, ground]))
        device.copy(buffer, buffer, src_offset=source, dst_offset=room + target, byte_count=size)
        got = device.read(buffer, np.uint8, room + len(ground))
        check.equal("the source", got[:room], data)
        got = got[room:]
    want[target : target + size] = data[source : source + size]
    check.equal(f"{LINEAR[path]} of {size} bytes", got, want)


def layout(kind: str, region: Triple) -> tuple[tuple[int, int], tuple[int, int]]:
    """The pitches (row, slice) to pass, and those that they stand for (API 3.0, 5.2.2)."""
    width, rows, _ = region
    if kind == "over":
        return (width + 3, (width + 3) * (rows + 2)), (width + 3, (width + 3) * (rows + 2))
    tight = (width, width * rows)
    return ((0, 0) if kind == "zero" else tight), tight


def places(origin: Triple, region: Triple, pitches: tuple[int, int]) -> NDArray[np.int64]:
    """The indices of a box's bytes, (z, y, x)."""
    z, y, x = np.ogrid[tuple(slice(o, o + r) for o, r in zip(origin[::-1], region[::-1], strict=True))]
    return np.asarray(z * pitches[1] + y * pitches[0] + x)


def check_rectangle(device: Device, *, path: str, region: Sequence[int], source: str, target: str) -> None:
    """Transfers of a box.

    `path`: read, write, copy or copy_within; `region`: x, y, z; `source`, `target`: kind of pitches.
    """
    x, y, z = region
    box = (x, y, z)
    pitches_s, source_p = layout(source, box)
    pitches_t, target_p = layout(target, box)
    origins: list[tuple[Triple, Triple]] = [
        ((0, 0, 0), (0, 0, 0)),
        ((1, 0, 0), (0, 1, 0)),
        ((3, 1, 1), (1, 2, 0)),
        ((63, 0, 2), (3, 1, 1)),
    ]
    for here, there in origins:
        source_i = places(here, box, source_p)
        if path == "copy_within":
            there = (there[0], there[1], here[2] + 2 * box[2] + 63 // source_p[1])
        target_i = places(there, box, target_p)
        data, ground = (random_bytes(device, int(i.max()) + 64) for i in (source_i, target_i))
        if path == "copy_within":
            data = ground
        want = ground.copy()
        want[target_i] = data[source_i]
        if path == "read":
            got = ground.copy()
            where = {"buffer_origin": here, "host_origin": there, "buffer_pitches": pitches_s}
            device.copy(got, device.buffer(data), region=box, host_pitches=pitches_t, **where)
        elif path == "write":
            buffer = device.buffer(ground)
            where = {"host_origin": here, "buffer_origin": there, "host_pitches": pitches_s}
            device.copy(buffer, data, region=box, buffer_pitches=pitches_t, **where)
            got = device.read(buffer, np.uint8, len(ground))
        else:
            buffer = device.buffer(ground)
            other = buffer if path == "copy_within" else device.buffer(data)
            where = {"src_origin": here, "dst_origin": there, "src_pitches": pitches_s, "dst_pitches": pitches_t}
            device.copy(buffer, other, region=box, **where)
            got = device.read(buffer, np.uint8, len(ground))
        check.equal(f"{LINEAR[path]}Rect from {here} to {there}", got, want)


def check_overlap(device: Device, *, name: str, rectangle: bool) -> None:
    """Copies within one buffer; one that overlaps is refused and changes nothing."""
    data = random_bytes(device, 512)
    buffer, want = device.buffer(data), data.copy()
    queue, handle, tail = device.queue.int_ptr, buffer.int_ptr, (0, 0, 0)
    if rectangle:
        here, there, region, overlap = OVERLAPS[name]
        where = (sizes(here), sizes(there), sizes(region), 16, 64, 16, 64)
        error = call("clEnqueueCopyBufferRect", queue, handle, handle, *where, *tail)
        moved = places(here, region, (16, 64)), places(there, region, (16, 64))
    else:
        source_at, target_at, size, overlap = LINEAR_OVERLAPS[name]
        error = call("clEnqueueCopyBuffer", queue, handle, handle, source_at, target_at, size, *tail)
        moved = np.arange(source_at, source_at + size), np.arange(target_at, target_at + size)
    function = f"clEnqueueCopyBuffer{'Rect' * rectangle}"
    check.equal(function, error, "CL_MEM_COPY_OVERLAP" if overlap else "CL_SUCCESS", stage="api")
    if not overlap:
        want[moved[1]] = data[moved[0]]
    check.equal("buffer", device.read(buffer, np.uint8, 512), want)


def check_migrate(device: Device, *, count: int, flags: int, sub: bool) -> None:
    """Contents survive a migration, unless the flags leave them undefined (API 3.0, 5.5.5)."""
    data = [random_bytes(device, 3 * 4096) for _ in range(count)]
    buffers = [device.buffer(d) for d in data]
    moved = [b.get_sub_region(4096, 4096) for b in buffers] if sub else buffers
    event = cl.enqueue_migrate_mem_objects(device.queue, moved, flags)
    check.equal(
        "CL_EVENT_COMMAND_TYPE of clEnqueueMigrateMemObjects", event.command_type, cl.command_type.MIGRATE_MEM_OBJECTS
    )
    for buffer, want, part in zip(buffers, data, moved, strict=True):
        if flags & 2:  # CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED: only what is written from now on counts
            size = 4096 if sub else 3 * 4096
            cl.enqueue_fill_buffer(device.queue, part, np.uint8(201), 0, size)
            want[4096 : 2 * 4096] = 201
            if not sub:
                want[:] = 201
        check.equal("contents after clEnqueueMigrateMemObjects", device.read(buffer, np.uint8, 3 * 4096), want)
    device.queue.finish()


def check_gated(device: Device, *, path: str) -> None:
    """A non-blocking transfer that waits for a user event happens after it."""
    data, ground = random_bytes(device, 256), random_bytes(device, 256)
    gate, queue = cl.UserEvent(device.context), device.queue.int_ptr
    one, two, host = device.buffer(data), device.buffer(ground), ground.copy()
    waits, pointer = (1, handles([gate]), 0), host.ctypes.data
    calls = {
        "read": ("clEnqueueReadBuffer", one.int_ptr, 0, 3, 100, pointer + 1),
        "write": ("clEnqueueWriteBuffer", two.int_ptr, 0, 1, 100, data.ctypes.data + 3),
        "copy": ("clEnqueueCopyBuffer", one.int_ptr, two.int_ptr, 3, 1, 100),
    }
    error = call(calls[path][0], queue, *calls[path][1:], *waits)
    before = host.copy()
    gate.set_status(0)  # before anything can be released: API 3.0, 5.11
    device.queue.finish()
    check.equal("error", error, "CL_SUCCESS", stage="api")
    check.equal("host before the event of clEnqueueReadBuffer", before, ground)
    want = ground.copy()
    want[1:101] = data[3:103]
    got = host if path == "read" else device.read(two, np.uint8, 256)
    check.equal(f"target after {LINEAR[path]}", got, want)
