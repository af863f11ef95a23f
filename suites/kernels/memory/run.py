"""Buffers: transfers with offsets and pitches, fills, sub-buffers, mapping. numpy's slices are the oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device
from runner.model import Case

Bytes = NDArray[np.uint8]


def random_bytes(device: Device, *shape: int) -> Bytes:
    """Bytes that differ from the zeros and the fillers of the bodies below."""
    return device.rng.integers(1, 200, shape, dtype=np.uint8)


def random_boxes(
    device: Device, one: tuple[int, ...], two: tuple[int, ...], count: int
) -> list[tuple[Any, ...]]:
    """Origins in two arrays of shapes (z, y, x), and a region that fits into both at them."""
    rng, boxes = device.rng, []
    for _ in range(count):
        region = [int(rng.integers(1, min(a, b))) for a, b in zip(one, two, strict=True)]
        origins = [
            [int(rng.integers(0, n - r + 1)) for n, r in zip(shape, region, strict=True)]
            for shape in (one, two)
        ]
        boxes.append((*origins, region))
    return boxes


def at(origin: list[int], region: list[int]) -> tuple[slice, ...]:
    """The slices of a box."""
    return tuple(slice(o, o + r) for o, r in zip(origin, region, strict=True))


def pitches(shape: tuple[int, ...]) -> tuple[int, int]:
    """Row and slice pitch of an array of bytes, (z, y, x)."""
    return shape[2], shape[1] * shape[2]


def check_offsets(device: Device, case: Case) -> None:
    """Host to buffer, buffer to buffer, buffer to host at offsets and of sizes that no word divides."""
    for source_at, target_at, size in (
        (1, 0, 1),
        (0, 3, 5),
        (63, 1, 64),
        (7, 129, 301),
        (250, 17, 4096 - 250),
    ):
        data, ground = random_bytes(device, 4096), random_bytes(device, 8192)
        source, target = device.buffer(data), device.buffer(ground)
        device.copy(target, source, src_offset=source_at, dst_offset=target_at, byte_count=size)
        want = ground.copy()
        want[target_at : target_at + size] = data[source_at : source_at + size]
        check.equal(
            f"copy {size} bytes from {source_at} to {target_at}", device.read(target, np.uint8, 8192), want
        )
        device.copy(target, data[:size], dst_offset=target_at + 1000)
        want[target_at + 1000 : target_at + 1000 + size] = data[:size]
        got = np.zeros(size + 9, np.uint8)
        device.copy(got, target, src_offset=target_at + 995)
        check.equal(f"write {size} bytes at {target_at + 1000}", got, want[target_at + 995 :][: size + 9])


def check_rectangles(device: Device, case: Case) -> None:
    """Boxes of bytes between arrays of different pitches. Params: path (write, read, copy)."""
    one, two = (5, 7, 13), (4, 9, 11)
    for source_origin, target_origin, region in random_boxes(device, one, two, 12):
        data, ground = random_bytes(device, *one), random_bytes(device, *two)
        want = ground.copy()
        want[at(target_origin, region)] = data[at(source_origin, region)]
        there, here, size = ([*reversed(t)] for t in (target_origin, source_origin, region))
        if case.params["path"] == "copy":
            target = device.buffer(ground)
            where = {
                "src_origin": here,
                "dst_origin": there,
                "src_pitches": pitches(one),
                "dst_pitches": pitches(two),
            }
            device.copy(target, device.buffer(data), region=size, **where)
            got = device.read(target, np.uint8, two)
        elif case.params["path"] == "write":
            target = device.buffer(ground)
            where = {"host_origin": here, "buffer_origin": there, "host_pitches": pitches(one)}
            device.copy(target, data, region=size, buffer_pitches=pitches(two), **where)
            got = device.read(target, np.uint8, two)
        else:
            got = ground.copy()
            where = {"buffer_origin": here, "host_origin": there, "buffer_pitches": pitches(one)}
            device.copy(got, device.buffer(data), region=size, host_pitches=pitches(two), **where)
        check.equal(f"box {size} from {here} to {there}, {case.params['path']}", got, want)


def check_fill(device: Device, case: Case) -> None:
    """Patterns of 1 to 128 bytes at every kind of multiple of their size; the rest stays."""
    for width, first, count in (
        (1, 3, 5),
        (1, 0, 4093),
        (2, 3, 7),
        (4, 3, 9),
        (8, 1, 3),
        (16, 3, 5),
        (64, 1, 2),
        (128, 3, 4),
    ):
        ground, pattern = random_bytes(device, 4096), random_bytes(device, width)
        target = device.buffer(ground)
        cl.enqueue_fill_buffer(device.queue, target, pattern, first * width, count * width)
        want = ground.copy()
        want[first * width : (first + count) * width] = np.tile(pattern, count)
        check.equal(
            f"fill {count} x {width} bytes at {first * width}", device.read(target, np.uint8, 4096), want
        )


def check_sub_buffer(device: Device, case: Case) -> None:
    """A kernel on one sub-buffer writes its part of the parent, and reads what another part got."""
    step = max(device.device.mem_base_addr_align // 8, 4)
    parent = device.buffer(np.arange(4 * step // 4, dtype=np.uint32))
    low, high = parent.get_sub_region(step, step), parent.get_sub_region(3 * step, step // 2)
    kernel = device.build(
        """
__kernel void f(__global uint *a, __global const uint *b) {
    size_t i = get_global_id(0);
    a[i] = a[i] * 2 + b[i / 2];
}
"""
    ).f
    n = step // 4
    device.launch(kernel, [n], None, low, high)
    cl.enqueue_fill_buffer(device.queue, high, np.uint8(7), 1, 3)
    want = np.arange(4 * n, dtype=np.uint32)
    want[n : 2 * n] = want[n : 2 * n] * 2 + want[3 * n : 3 * n + n // 2].repeat(2)[:n]
    want.view(np.uint8)[3 * step + 1 : 3 * step + 4] = 7
    check.equal("parent", device.read(parent, np.uint32, 4 * n), want)
    check.equal("sub-buffer", device.read(low, np.uint32, n), want[n : 2 * n])


def check_map(device: Device, case: Case) -> None:
    """Write through one mapping, read through another, at offsets; kernels see it after the unmap."""
    ground = random_bytes(device, 1024)
    target = device.buffer(ground)
    flags, queue = cl.map_flags, device.queue
    mapped, _ = cl.enqueue_map_buffer(queue, target, flags.READ | flags.WRITE, 17, 100, np.uint8)
    check.equal("mapped for reading and writing", mapped.copy(), ground[17:117])
    mapped[:] = 255 - mapped
    mapped.base.release(queue)
    want = ground.copy()
    want[17:117] = 255 - want[17:117]
    check.equal("after unmapping", device.read(target, np.uint8, 1024), want)
    mapped, _ = cl.enqueue_map_buffer(queue, target, flags.WRITE_INVALIDATE_REGION, 512, 64, np.uint8)
    mapped[:] = 9
    mapped.base.release(queue)
    want[512:576] = 9
    kernel = device.build("__kernel void f(__global uchar *a) { a[get_global_id(0)] ^= 0xa5; }").f
    device.launch(kernel, [1024], None, target)
    mapped, _ = cl.enqueue_map_buffer(queue, target, flags.READ, 0, 1024, np.uint8)
    other, _ = cl.enqueue_map_buffer(queue, target, flags.READ, 500, 100, np.uint8)
    check.equal("mapped for reading", mapped.copy(), want ^ 0xA5)
    check.equal("mapped a second time", other.copy(), want[500:600] ^ 0xA5)
    mapped.base.release(queue)
    other.base.release(queue)


def check_host_pointer(device: Device, case: Case) -> None:
    """CL_MEM_USE_HOST_PTR: a mapping shows the kernel's results in the very memory that was given."""
    data = np.arange(1024, dtype=np.int32)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
    target = cl.Buffer(device.context, flags, hostbuf=data)
    kernel = device.build("__kernel void f(__global int *a) { a[get_global_id(0)] *= -3; }").f
    device.launch(kernel, [1024], None, target)
    mapped, _ = cl.enqueue_map_buffer(device.queue, target, cl.map_flags.READ, 0, 1024, np.int32)
    check.equal("address of the mapping", mapped.ctypes.data - data.ctypes.data, 0)
    check.equal("values", data, np.arange(1024) * -3)
    mapped.base.release(device.queue)


BODIES = {
    "memory.offsets": check_offsets,
    "memory.rectangles": check_rectangles,
    "memory.fill": check_fill,
    "memory.sub_buffer": check_sub_buffer,
    "memory.map": check_map,
    "memory.host_pointer": check_host_pointer,
}
