"""Load: generated kernels, large ranges, many objects."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from . import generate
from .limit import ITEMS

Words = NDArray[np.uint32]


def run_generated(device: Device, source: str, words: Any, want: Any) -> None:
    """Launch a generated kernel and compare."""
    out = device.buffer(np.zeros_like(words))
    device.launch(device.build(source).f, [len(words)], None, out, device.buffer(words))
    check.equal("results", device.read(out, words.dtype, len(words)), want, inputs=[words])


def check_generated(device: Device, *, generator: str, count: int) -> None:
    """A generated kernel with `count` parts."""
    words = device.rng.integers(0, 1 << 32, ITEMS, dtype=np.uint32)
    source, want = generate.GENERATORS[generator](count, words)
    run_generated(device, source, words, want)


def check_pressure(device: Device, *, type: str, live: int) -> None:
    """More live values than a device has registers for."""
    width = 4 if type.endswith("4") else 1
    words = device.rng.integers(1, 1000, ITEMS * width).astype(np_type(type.rstrip("4")))
    source, want = generate.pressure(type, live, words)
    out = device.buffer(np.zeros_like(words))
    device.launch(device.build(pragmas(type) + source).f, [ITEMS], None, out, device.buffer(words))
    got = device.read(out, words.dtype, len(words))
    check.equal("results", got.reshape(-1, width), want.reshape(-1, width))


def check_loops(device: Device, *, counts: Sequence[int]) -> None:
    """Nested loops. `counts`: the trips of each, the outermost first."""
    words = device.rng.integers(0, 1 << 32, ITEMS, dtype=np.uint32)
    run_generated(device, *_loops(counts, words))


def _loops(counts: Sequence[int], words: Any) -> tuple[str, Any, Any]:
    source, want = generate.loops(counts, words)
    return source, words, want


def check_kernels(device: Device, *, count: int) -> None:
    """Many kernels in a program, each with its own result."""
    source = "".join(
        f"__kernel void k{n}(__global uint *a) {{ a[{n}] = a[{n}] * {2 * n + 3}u + {n}u; }}\n" for n in range(count)
    )
    want, program = device.rng.integers(0, 1 << 32, count, dtype=np.uint32), device.build(source)
    words = device.buffer(want)
    check.equal("CL_PROGRAM_NUM_KERNELS", program.num_kernels, count)
    for n in range(0, count, max(1, count // 16)):
        device.launch(getattr(program, f"k{n}"), [1], None, words)
        want[n] = want[n] * np.uint32(2 * n + 3) + np.uint32(n)
    check.equal("words", device.read(words, np.uint32, count), want)


ITEMS_SOURCE = """
__kernel void f(__global uint *out) {
    size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    out[i] += (uint)(get_global_id(0) * 3 + get_global_id(1) * 5 + get_global_id(2) * 7) + 1;
}
"""


def check_items(device: Device, *, size: Sequence[int], group: Sequence[int] | None) -> None:
    """Every work-item of a large range runs once. `group`: None for the driver's choice."""
    total = int(np.prod(size))
    out = device.buffer(np.zeros(total, np.uint32))
    device.launch(device.build(ITEMS_SOURCE).f, size, group, out)
    x, y, z = np.ogrid[tuple(slice(0, n) for n in (*size, 1, 1)[:3])]
    want = (x * 3 + y * 5 + z * 7 + 1).astype(np.uint32).transpose(2, 1, 0).ravel()
    check.equal("words", device.read(out, np.uint32, total), want)


def _contexts(device: Device, values: Words) -> Words:
    devices = [Device(device.device) for _ in values]
    buffers = [own.buffer(np.zeros(1, np.uint32)) for own in devices]
    for own, buffer, value in zip(devices, buffers, values, strict=True):
        cl.enqueue_fill_buffer(own.queue, buffer, value, 0, 4)
    got = [own.read(buffer, np.uint32, 1)[0] for own, buffer in zip(devices, buffers, strict=True)]
    return np.array(got, np.uint32)


def _queues(device: Device, values: Words, words: cl.Buffer) -> None:
    queues = [cl.CommandQueue(device.context) for _ in values]
    for n, queue in enumerate(queues):
        cl.enqueue_fill_buffer(queue, words, values[n], 4 * n, 4)
    for queue in queues:
        queue.finish()


def _buffers(device: Device, values: Words, words: cl.Buffer) -> None:
    buffers = [device.buffer(values[n : n + 1]) for n in range(len(values))]
    for n, buffer in enumerate(buffers):
        cl.enqueue_copy(device.queue, words, buffer, dst_offset=4 * n, byte_count=4)


def _kernels(device: Device, values: Words, words: cl.Buffer) -> None:
    program = device.build("__kernel void f(__global uint *a, uint i, uint v) { a[i] = v; }")
    kernels = [cl.Kernel(program, "f") for _ in values]
    for n, kernel in enumerate(kernels):
        kernel.set_args(words, np.uint32(n), values[n])
    for kernel in reversed(kernels):
        cl.enqueue_nd_range_kernel(device.queue, kernel, (1,), None)


def _programs(device: Device, values: Words, words: cl.Buffer) -> None:
    text = "__kernel void f(__global uint *a) {{ a[{}] = {}u; }}"
    programs = [cl.Program(device.context, text.format(n, v)).build() for n, v in enumerate(values)]
    for program in reversed(programs):
        device.launch(program.f, [1], None, words)


def _events(device: Device, values: Words, words: cl.Buffer) -> None:
    gate = cl.UserEvent(device.context)
    events: list[cl.Event] = []
    queue = cl.CommandQueue(device.context)
    for n, value in enumerate(values):
        events.append(cl.enqueue_fill_buffer(queue, words, value, 4 * n, 4, wait_for=[gate, *events[-2:]]))
    gate.set_status(0)
    queue.finish()


_MANY: dict[str, Callable[[Device, Words, cl.Buffer], None]] = {
    "queues": _queues,
    "buffers": _buffers,
    "kernels": _kernels,
    "programs": _programs,
    "events": _events,
}


def check_many(device: Device, *, what: str, count: int) -> None:
    """Many objects that exist at the same time, all in use."""
    values = device.rng.integers(0, 1 << 32, count, dtype=np.uint32)
    if what == "contexts":  # each with a buffer of its own
        check.equal(what, _contexts(device, values), values)
        return
    words = device.buffer(np.zeros(count, np.uint32))
    _MANY[what](device, values, words)
    check.equal(what, device.read(words, np.uint32, count), values)


def check_large(device: Device, *, part: int, count: int) -> None:
    """Large buffers, which a kernel uses at both ends. `part`: the divisor of CL_DEVICE_MAX_MEM_ALLOC_SIZE."""
    size = min(int(device.device.max_mem_alloc_size) // part, 512 << 20) // 4096 * 4096
    source = "__kernel void f(__global uint *a, ulong last) { a[0] = 0x1234567; a[last / 2] += 5; a[last] = (uint)last; }"
    kernel, last = device.build(source).f, size // 4 - 1
    buffers = [device.buffer(size) for _ in range(count)]
    for n, buffer in enumerate(buffers):
        cl.enqueue_fill_buffer(device.queue, buffer, np.uint32(70 + n), last // 2 * 4, 4)
        cl.enqueue_fill_buffer(device.queue, buffer, np.uint32(80 + n), 4 * last - 4, 4)
        device.launch(kernel, [1], None, buffer, np.uint64(last))
    for n, buffer in enumerate(buffers):
        got = np.zeros(4, np.uint32)
        for i, at in enumerate((0, last // 2, last - 1, last)):
            device.copy(got[i : i + 1], buffer, src_offset=4 * at)
        check.equal(f"words of buffer {n}", got, [0x1234567, 75 + n, 80 + n, last % (1 << 32)])
