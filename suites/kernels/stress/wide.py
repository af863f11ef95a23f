"""Sizes, addresses and ranges that exceed 32 bits, or 31, on devices with enough memory."""

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

_BEYOND = (1 << 31) + (1 << 20)  # bytes
_WORDS = """
__kernel void f(__global uint *a, ulong first, ulong step) {
    ulong i = first + get_global_id(0) * step;
    a[i] += (uint)(i >> 3) * 2654435761u + 1;
}
"""
_ITEMS = """
__kernel void f(__global uint *seen, ulong offset) {
    ulong i = get_global_id(0) - offset;
    if (i >= get_global_size(0)) return;
    if ((i & 0xFFFFFF) == 0xABCDE) atomic_add(&seen[i >> 24], (uint)(i >> 24) + 1);
    if (i == get_global_size(0) >> 1) atomic_add(&seen[1022], (uint)(get_global_id(0) >> 20));
    if (i + 1 == get_global_size(0)) atomic_add(&seen[1023], (uint)(get_global_size(0) >> 20));
}
"""


def _size(device: Device, count: int) -> int:
    """The size of each of `count` buffers in bytes: more than 2^31, or the device's limit in whole pages."""
    size = min(_BEYOND, int(device.device.max_mem_alloc_size) // 4096 * 4096)
    if size < (1 << 31) - 4096 or int(device.device.global_mem_size) < 2 * count * size:
        raise check.Unsupported(f"{count} buffers of 2 GiB in half of the memory")
    return size


def _places(size: int) -> list[int]:
    """The indices of words at both ends and around 2^29, from which on the index of a byte has 32 bits."""
    last = size // 4 - 1
    return [i for i in (0, 1, 7, (1 << 28) + 7, (1 << 29) - 1, 1 << 29, (1 << 29) + 1, last) if i <= last]


def check_wide_buffer(device: Device, *, by: str) -> None:
    """A large buffer, used by a kernel, a fill, a copy, or by the host in pieces."""
    size = _size(device, 2 if by == "copy" else 1)
    buffer, places = device.buffer(size), _places(size)
    cl.enqueue_fill_buffer(device.queue, buffer, np.uint32(0x1020304), 0, size)
    want = dict.fromkeys(places, 0x1020304)
    match by:
        case "kernel":
            kernel = device.build(_WORDS).f
            for i in places:
                device.launch(kernel, [1], None, buffer, np.uint64(i), np.uint64(1))
                want[i] = (want[i] + (i >> 3) * 2654435761 + 1) % 2**32
        case "items":  # words that one launch addresses by its items' ids
            step = (size // 4 - 1) // 63
            device.launch(device.build(_WORDS).f, [64], None, buffer, np.uint64(0), np.uint64(step))
            want |= {n * step: (0x1020304 + (n * step >> 3) * 2654435761 + 1) % 2**32 for n in range(64)}
        case "fill":  # all but the first and the last word
            cl.enqueue_fill_buffer(device.queue, buffer, np.uint32(77), 4, size - 8)
            want |= {i: 77 for i in places if 0 < i < size // 4 - 1}
        case "copy":
            for i in places:
                cl.enqueue_fill_buffer(device.queue, buffer, np.uint32(i % 2**32), 4 * i, 4)
            other = device.buffer(size)
            cl.enqueue_fill_buffer(device.queue, other, np.uint32(5), 0, size)
            cl.enqueue_copy(device.queue, other, buffer, byte_count=size - 8, src_offset=4, dst_offset=8)
            moved = {i + 1: i for i in places if 0 < i < size // 4 - 1}
            want = {**moved, 0: 5, 1: 5}
            buffer = other
        case _:
            for i in places:
                cl.enqueue_copy(device.queue, buffer, np.array([i * 3 % 2**32], np.uint32), dst_offset=4 * i)
                want[i] = i * 3 % 2**32
    got = {}
    for i in want:
        word = np.zeros(1, np.uint32)
        device.copy(word, buffer, src_offset=4 * i)
        got[i] = int(word[0])
    wrong = [f"word {i:#x}: {got[i]:#x} for {want[i]:#x}" for i in want if got[i] != want[i]]
    check.equal(f"words of {size:#x} bytes", "; ".join(wrong), "")


def check_wide_range(device: Device, *, count: int, offset: int) -> None:
    """A range with more items than 31 or 32 bits can count, from an offset."""
    seen = device.buffer(np.zeros(1024, np.uint32))
    device.launch(device.build(_ITEMS).f, [count], None, seen, np.uint64(offset), offset=[offset])
    got = device.read(seen, np.uint32, 1024)
    want = np.array([n + 1 if (n << 24 | 0xABCDE) < count else 0 for n in range(1024)], np.uint32)
    want[1022], want[1023] = (offset + count // 2 >> 20) % 2**32, count >> 20
    check.equal(
        "items in each 2^24, get_global_id with its offset of the middle one, get_global_size of the last", got, want
    )
