"""Sub-buffers: each operation works at their origin, and nowhere else (API 3.0, 5.2.1: clCreateSubBuffer)."""

import ctypes

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import call, sizes
from .create import query
from .table import ACCESS, COPY_HOST_PTR, HOST_MEMORY, MAP_FLAGS, USE_HOST_PTR
from .transfer import Bytes, places, random_bytes

SOURCE = """
__kernel void get(__global const uchar *a, __global uchar *b) { b[get_global_id(0)] = a[get_global_id(0)]; }
__kernel void blend(__global uchar *a, __global uchar *b) {
    size_t i = get_global_id(0);
    a[i] = a[i] * 2 + b[i / 2];
    if (i % 2) b[i / 2 + get_global_size(0)] = i;
}
"""
LENGTH = 300


def unit(device: Device) -> int:
    """The alignment of a sub-buffer's origin, in bytes."""
    return max(int(device.device.mem_base_addr_align) // 8, 1)


def parent_of(device: Device, memory: str, data: Bytes) -> cl.Buffer:
    """A buffer with these bytes. With CL_MEM_USE_HOST_PTR, `data` is its memory."""
    flags = ACCESS["rw"] | HOST_MEMORY[memory]
    if flags & (USE_HOST_PTR | COPY_HOST_PTR):
        return cl.Buffer(device.context, flags, hostbuf=data)
    buffer = cl.Buffer(device.context, flags, size=len(data))
    device.copy(buffer, data)
    return buffer


def check_sub_operation(device: Device, *, operation: str, origin: int, memory: str) -> None:  # noqa: PLR0915 - one arm a kind
    """One operation on a sub-buffer; the bytes around it must stay.

    `memory`: of the parent; `origin`: in units of the alignment.
    """
    origin = origin * unit(device)
    kept = random_bytes(device, origin + LENGTH + 500)
    parent = parent_of(device, memory, kept.copy())
    sub, want = parent.get_sub_region(origin, LENGTH), kept.copy()
    mine, queue = random_bytes(device, LENGTH), device.queue
    inside, got = want[origin : origin + LENGTH], np.zeros(LENGTH, np.uint8)
    box = {"region": (9, 5, 2), "buffer_pitches": (20, 120), "host_pitches": (9, 45)}
    boxes = np.add.outer(np.arange(2) * 120, np.add.outer(np.arange(5) * 20, np.arange(9))) + 41
    if operation == "read":
        device.copy(got[:200], sub, src_offset=63)
        check.equal("read", got[:200], inside[63:263])
    elif operation == "write":
        device.copy(sub, mine[:200], dst_offset=63)
        inside[63:263] = mine[:200]
    elif operation == "copy_from":
        target = device.buffer(got)
        device.copy(target, sub, src_offset=3, dst_offset=1, byte_count=LENGTH - 3)
        got[1 : LENGTH - 2] = inside[3:]
        check.equal("copy", device.read(target, np.uint8, LENGTH), got)
    elif operation == "copy_to":
        device.copy(sub, device.buffer(mine), src_offset=3, dst_offset=1, byte_count=LENGTH - 3)
        inside[1 : LENGTH - 2] = mine[3:]
    elif operation == "fill":
        cl.enqueue_fill_buffer(queue, sub, mine[:4], 8, 200)
        inside[8:208] = np.tile(mine[:4], 50)
    elif operation == "read_rect":
        device.copy(got[:90], sub, buffer_origin=(1, 2, 0), host_origin=(0, 0, 0), **box)
        check.equal("read", got[:90].reshape(2, 5, 9), inside[boxes])
    elif operation == "write_rect":
        device.copy(sub, mine[:90], buffer_origin=(1, 2, 0), host_origin=(0, 0, 0), **box)
        inside[boxes] = mine[:90].reshape(2, 5, 9)
    elif operation == "copy_rect":
        where = {"src_origin": (0, 0, 0), "src_pitches": (9, 45), "dst_origin": (1, 2, 0), "dst_pitches": (20, 120)}
        device.copy(sub, device.buffer(mine), region=(9, 5, 2), **where)
        inside[boxes] = mine[:90].reshape(2, 5, 9)
    elif operation.startswith("map_"):
        mapped, _ = cl.enqueue_map_buffer(queue, sub, MAP_FLAGS["read_write"], 7, 250, np.uint8)
        check.equal("mapped", mapped.copy(), inside[7:257])
        if operation == "map_write":
            mapped[:] = mine[:250]
            inside[7:257] = mine[:250]
        mapped.base.release(queue)
    elif operation == "kernel_read":
        target = device.buffer(got)
        device.launch(device.build(SOURCE).get, [LENGTH], None, sub, target)
        check.equal("kernel", device.read(target, np.uint8, LENGTH), inside)
    else:
        device.launch(device.build(SOURCE).get, [LENGTH], None, device.buffer(mine), sub)
        inside[:] = mine
    check.equal("parent", device.read(parent, np.uint8, len(want)), want)


def check_sub_two(device: Device, *, memory: str, low: int, high: int) -> None:
    """A kernel on two sub-buffers of one buffer. `memory`: of the parent; `low`, `high`: origins in units."""
    step = unit(device)
    n = min(step, 512) // 2 * 2
    kept = random_bytes(device, (max(low, high) + 2) * step + 2 * n)
    parent = parent_of(device, memory, kept.copy())
    one, two = parent.get_sub_region(low * step, n), parent.get_sub_region(high * step, 2 * n)
    device.launch(device.build(SOURCE).blend, [n], None, one, two)
    want, i = kept.copy(), np.arange(n)
    want[low * step + i] = kept[low * step + i] * 2 + kept[high * step + i // 2]
    want[high * step + n + i[: n // 2]] = i[1::2].astype(np.uint8)
    check.equal("parent", device.read(parent, np.uint8, len(want)), want)


def check_sub_overlapping(device: Device, *, writer: str, reader: str) -> None:
    """A write to one sub-buffer shows in another one and in the parent. `reader`: part, map, parent."""
    step = unit(device)
    kept = random_bytes(device, 4 * step + 512)
    parent, want = device.buffer(kept), kept.copy()
    reach = step + 356  # past the end of `narrow` for any step
    wide, narrow = parent.get_sub_region(step, reach), parent.get_sub_region(2 * step, 256)
    mine = random_bytes(device, 200)
    if writer == "part":
        device.copy(narrow, mine, dst_offset=5)
    elif writer == "kernel":
        kernel = device.build(SOURCE).get
        whole = np.concatenate([kept[2 * step : 2 * step + 5], mine])
        device.launch(kernel, [205], None, device.buffer(whole), narrow)
    else:
        device.copy(parent, mine, dst_offset=2 * step + 5)
    want[2 * step + 5 : 2 * step + 205] = mine
    if reader == "part":
        got, place = device.read(wide, np.uint8, reach), slice(step, step + reach)
    elif reader == "parent":
        got, place = device.read(parent, np.uint8, len(kept)), slice(0, len(kept))
    else:
        mapped, _ = cl.enqueue_map_buffer(device.queue, wide, MAP_FLAGS["read"], step, 256, np.uint8)
        got, place = mapped.copy(), slice(2 * step, 2 * step + 256)
        mapped.base.release(device.queue)
    device.queue.finish()
    check.equal(f"{reader} after {writer}", got, want[place])


def check_sub_copy_between(device: Device, *, overlap: bool, down: bool) -> None:
    """Copies between two sub-buffers of one parent: only their places in the parent decide whether they overlap.

    `down`: to the lower sub-buffer; then the offsets are in the opposite order to the places in the parent.
    """
    step = unit(device)
    kept = random_bytes(device, 4 * step)
    parent, want = device.buffer(kept), kept.copy()
    low, high = parent.get_sub_region(0, 3 * step), parent.get_sub_region(step, 2 * step)
    size = step // 2
    in_low = step + 12 if overlap else 3
    in_high = 10 if overlap else 5 if down else step // 2
    sides = [(low, in_low, in_low), (high, in_high, step + in_high)]  # sub-buffer, offset in it, place in the parent
    (source, source_at, begin), (target, target_at, goal) = sides[::-1] if down else sides
    arguments = (source.int_ptr, target.int_ptr, source_at, target_at, size, 0, 0, 0)
    error = call("clEnqueueCopyBuffer", device.queue.int_ptr, *arguments)
    check.equal("clEnqueueCopyBuffer", error, "CL_MEM_COPY_OVERLAP" if overlap else "CL_SUCCESS", stage="api")
    if not overlap:
        want[goal : goal + size] = kept[begin : begin + size]
    check.equal("parent", device.read(parent, np.uint8, len(want)), want)


def check_sub_boxes_between(device: Device, *, same: bool) -> None:
    """Boxes of two sub-buffers of one parent; whether they overlap is found byte by byte. `same`: one sub-buffer twice.

    The pitches do not divide the origins, so that boxes of the second one begin in the middle of a row.
    """
    step = unit(device)
    row = step + step // 2 + 3
    slice_ = row * 4
    parent = device.buffer(random_bytes(device, 6 * slice_ + 4 * step))
    one = parent.get_sub_region(0 if same else step, 5 * slice_)
    two = one if same else parent.get_sub_region(2 * step, 5 * slice_)
    counted = {True: 0, False: 0}
    for _ in range(80):
        region = (int(device.rng.integers(2, row // 2)), int(device.rng.integers(1, 4)), int(device.rng.integers(1, 3)))
        here, there = (
            (int(device.rng.integers(0, row - region[0])), int(device.rng.integers(0, 2)), int(device.rng.integers(0, 3)))
            for _ in range(2)
        )
        moved = places(here, region, (row, slice_)), places(there, region, (row, slice_))
        whole = device.read(parent, np.uint8, 6 * slice_ + 4 * step)
        at = [part.get_info(cl.mem_info.OFFSET) for part in (one, two)]
        overlap = bool(np.intersect1d(moved[0] + at[0], moved[1] + at[1]).size)
        where = (*map(sizes, (here, there, region)), row, slice_, row, slice_)
        error = call("clEnqueueCopyBufferRect", device.queue.int_ptr, one.int_ptr, two.int_ptr, *where, 0, 0, 0)
        what = f"clEnqueueCopyBufferRect of {region} from {here} to {there}, parts at {at}"
        check.equal(f"{what}, overlap", error, "CL_MEM_COPY_OVERLAP" if overlap else "CL_SUCCESS", stage="api")
        if not overlap:
            whole[at[1] + moved[1]] = whole[at[0] + moved[0]]
        check.equal(f"{what}, the parent", device.read(parent, np.uint8, len(whole)), whole)
        counted[overlap] += 1
    if min(counted.values()) < 10:
        raise check.NothingTested(f"boxes that share a byte and not: {counted}")


def check_sub_copy(device: Device, *, command: str, source: str, target: str) -> None:
    """A copy between two parents, with a sub-buffer on one side or on both. `source`, `target`: whole, sub."""
    step, sides = unit(device), {}
    for side, kind, origin in (("source", source, step), ("target", target, 3 * step)):
        kept = random_bytes(device, 2 * origin + 2048)  # enough for a driver that adds the origin twice
        parent = device.buffer(kept)
        part = kind == "sub"
        sides[side] = kept, parent, parent.get_sub_region(origin, 1024) if part else parent, origin * part
    (data, whole, here_from, source_at), (ground, parent, there_to, target_at) = sides["source"], sides["target"]
    want = ground.copy()
    if command == "linear":
        device.copy(there_to, here_from, src_offset=37, dst_offset=101, byte_count=300)
        want[target_at + 101 : target_at + 401] = data[source_at + 37 : source_at + 337]
    else:
        here, there, region, here_p, there_p = (3, 2, 1), (5, 1, 0), (9, 5, 2), (20, 140), (31, 310)
        where = {"src_origin": here, "dst_origin": there, "src_pitches": here_p, "dst_pitches": there_p}
        device.copy(there_to, here_from, region=region, **where)
        want[places(there, region, there_p) + target_at] = data[places(here, region, here_p) + source_at]
    check.equal("target", device.read(parent, np.uint8, len(want)), want)
    check.equal("source", device.read(whole, np.uint8, len(data)), data)


def check_sub_queries(device: Device, *, memory: str, access: str) -> None:
    """A sub-buffer's queries. `memory`: of the parent; `access`: of the sub-buffer ("" if inherited)."""
    step = unit(device)
    data = random_bytes(device, 4 * step)
    parent = parent_of(device, memory, data)
    sub = parent.get_sub_region(3 * step, 77 % step + 1, ACCESS.get(access, 0))
    check.equal("CL_MEM_OFFSET", query(sub, 0x1108, ctypes.c_size_t), 3 * step)
    check.equal("CL_MEM_SIZE", query(sub, 0x1102, ctypes.c_size_t), 77 % step + 1)
    check.equal("CL_MEM_ASSOCIATED_MEMOBJECT", query(sub, 0x1107, ctypes.c_void_p), parent.int_ptr)
    flags = query(sub, 0x1101, ctypes.c_uint64)
    check.equal("access in CL_MEM_FLAGS of clCreateSubBuffer", flags & 7, ACCESS[access or "rw"])
    check.equal("memory in CL_MEM_FLAGS of clCreateSubBuffer", flags & 0x38, HOST_MEMORY[memory])
    pointer = data.ctypes.data + 3 * step if memory == "use" else None
    check.equal("CL_MEM_HOST_PTR", query(sub, 0x1103, ctypes.c_void_p), pointer)
    check.equal("CL_MEM_REFERENCE_COUNT", query(sub, 0x1105, ctypes.c_uint32), 1)


def check_sub_orphan(device: Device, *, memory: str) -> None:
    """A sub-buffer outlives the application's reference to its parent. `memory`: of the parent."""
    step = unit(device)
    data = random_bytes(device, 2 * step + 512)
    parent = parent_of(device, memory, data.copy())
    sub, out = parent.get_sub_region(step, 512), device.buffer(np.zeros(512, np.uint8))
    parent.release()
    device.launch(device.build(SOURCE).get, [512], None, sub, out)
    check.equal("through a kernel", device.read(out, np.uint8, 512), data[step : step + 512])
    check.equal("by a read", device.read(sub, np.uint8, 512), data[step : step + 512])
