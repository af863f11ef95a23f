"""Random commands on three buffers, without waits between them; numpy does the same in the order of the calls."""

import ctypes
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check, transfers
from runner.device import Device

from ..kit.gate import Blocking, gates, settles
from ..kit.opencl import SUCCESS, call, handles

SOURCE = """
__kernel void add(__global uint *a, __global const uint *b, uint c) {
    size_t i = get_global_id(0);
    a[i] = a[i] * 3 + b[63 - i] + c;
}
"""
N = 64
MIXES: dict[str, tuple[str, ...]] = {
    "fill": ("fill",),
    "copy": ("copy",),
    "kernel": ("kernel",),
    "fill_kernel": ("fill", "kernel"),
    "copy_kernel": ("copy", "kernel"),
    "rect_kernel": ("rect", "kernel"),
    "write_kernel": ("write", "kernel"),
    "whole_kernel": ("whole", "kernel"),
    "map_kernel": ("map", "kernel"),
    "all": ("fill", "copy", "kernel", "rect", "write", "map", "read", "marker", "barrier"),
}
Wait = list[cl.Event]


class BufferModel:
    """Three buffers of N words on the device, and the words that they must hold."""

    def __init__(self, device: Device, queue: cl.CommandQueue) -> None:
        self.device, self.queue, self.rng = device, queue, device.rng
        self.words = [self.rng.integers(0, 1 << 32, N, dtype=np.uint32) for _ in range(3)]
        self.buffers = [device.buffer(words) for words in self.words]
        self.kernel = device.build(SOURCE).add
        self.reads: list[tuple[NDArray[np.uint32], NDArray[np.uint32]]] = []
        self._kept: list[Any] = []  # sources of commands that have not run yet

    def step(self, operation: str, wait: Wait) -> tuple[cl.Event, set[int], set[int]]:
        """Enqueue one command; returns its event, and the buffers that it reads and writes."""
        enqueued = self._enqueue(operation, wait)
        self._kept.append(enqueued[0])  # pyopencl's event of a transfer waits when it is dropped
        return enqueued

    def _enqueue(self, operation: str, wait: Wait) -> tuple[cl.Event, set[int], set[int]]:
        queue, words = self.queue, self.words
        a, b = (int(n) for n in self.rng.permutation(3)[:2])
        first, count = int(self.rng.integers(0, 32)), int(self.rng.integers(1, 32))
        part, value = slice(first, first + count), np.uint32(self.rng.integers(1 << 32))
        if operation == "fill":
            event = cl.enqueue_fill_buffer(queue, self.buffers[a], value, 4 * first, 4 * count, wait_for=wait)
            words[a][part] = value
            return event, set(), {a}
        if operation == "copy":
            places = {"src_offset": 4 * (32 - first), "dst_offset": 4 * first, "byte_count": 4 * count}
            event = cl.enqueue_copy(queue, self.buffers[a], self.buffers[b], **places, wait_for=wait)
            words[a][part] = words[b][32 - first :][:count]
            return event, {b}, {a}
        if operation == "rect":
            box = {"src_origin": (4, 1, 0), "dst_origin": (12, 3, 0), "region": (16, 4, 1)}
            pitches = {"src_pitches": (32, 256), "dst_pitches": (32, 256)}
            event = cl.enqueue_copy(queue, self.buffers[a], self.buffers[b], **box, **pitches, wait_for=wait)
            words[a].reshape(8, 8)[3:7, 3:7] = words[b].reshape(8, 8)[1:5, 1:5]
            return event, {b}, {a}
        if operation == "kernel":
            self.kernel.set_args(self.buffers[a], self.buffers[b], value)
            event = cl.enqueue_nd_range_kernel(queue, self.kernel, (N,), None, wait_for=wait)
            words[a] = words[a] * np.uint32(3) + words[b][::-1] + value
            return event, {b}, {a}
        if operation == "whole":  # a driver may give the buffer new memory while kernels still read the old one
            first, part, count = 0, slice(N), N
        if operation in ("write", "whole"):
            new = self.rng.integers(0, 1 << 32, count, dtype=np.uint32)
            self._kept.append(new)
            event = cl.enqueue_copy(queue, self.buffers[a], new, dst_offset=4 * first, is_blocking=False, wait_for=wait)
            words[a][part] = new
            return event, set(), {a}
        if operation == "read":
            got = np.zeros(count, np.uint32)
            event = cl.enqueue_copy(queue, got, self.buffers[a], src_offset=4 * first, is_blocking=False, wait_for=wait)
            self.reads.append((got, words[a][part].copy()))
            return event, {a}, set()
        if operation == "map":
            mapped, _ = cl.enqueue_map_buffer(
                queue, self.buffers[a], cl.map_flags.WRITE, 4 * first, count, np.uint32, wait_for=wait
            )
            mapped[:] = words[a][part] = value
            return mapped.base.release(queue), set(), {a}
        return (cl.enqueue_marker if operation == "marker" else cl.enqueue_barrier)(queue, wait), set(), set()

    def check(self) -> None:
        """Wait for all commands, and compare the buffers."""
        waiting = Blocking(lambda: call("clFinish", self.queue.int_ptr))
        check.true("clFinish returns", waiting.over(10))
        for index, (buffer, want) in enumerate(zip(self.buffers, self.words, strict=True)):
            check.equal(f"buffer {index}", self.device.read(buffer, np.uint32, N), want)
        for index, (got, want) in enumerate(self.reads):
            check.equal(f"read {index}", got, want)


def check_in_order(device: Device, *, mix: str, count: int, gated: bool) -> None:
    """Operations of a mix, one after another. `gated`: they wait for a user event, so that all are enqueued first."""
    queue = cl.CommandQueue(device.context)
    model, operations = BufferModel(device, queue), MIXES[mix]
    with gates(device) as (gate,):
        if gated:
            cl.enqueue_marker(queue, [gate.event])
        else:
            gate.open()
        for n in range(count):
            operation = operations[n % len(operations)] if len(operations) < 4 else str(device.rng.choice(operations))
            model.step("fill" if operation == "map" and gated else operation, [])
        gate.open()
    model.check()


def _order(queue: cl.CommandQueue, by: str) -> Wait:
    """Let the next command follow all earlier ones; returns its wait list, empty if the queue orders commands itself."""
    if by == "barriers":
        cl.enqueue_barrier(queue)
        return []
    if by == "markers":
        return [cl.enqueue_marker(queue)]
    if by == "clEnqueueMarker":
        marker = ctypes.c_void_p()
        check.equal(by, call(by, queue.int_ptr, ctypes.byref(marker)), SUCCESS, stage="enqueue")
        return [cl.Event.from_int_ptr(marker.value, retain=False)]
    events = handles([cl.enqueue_marker(queue)]) if by == "clEnqueueWaitForEvents" else None
    check.equal(by, call(by, queue.int_ptr, *((1, events) if events else ())), SUCCESS, stage="enqueue")
    return []


def check_out_of_order(device: Device, *, by: str, count: int) -> None:
    """Commands ordered only by their dependencies. `by`: "events", or one of ORDERINGS."""
    queue = cl.CommandQueue(device.context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    model, mix = BufferModel(device, queue), MIXES["all"][:5]
    written: list[Wait] = [[], [], []]
    used: list[Wait] = [[], [], []]
    last: Wait = []
    state = device.rng.bit_generator
    for _ in range(count):
        operation = str(device.rng.choice(mix))
        if by != "events":
            model.step(operation, last)
            last = _order(queue, by)
            continue
        before = state.state  # the step draws its buffers at random: draw them once before, to know what to wait for
        a, b = (int(n) for n in device.rng.permutation(3)[:2])
        state.state = before
        wait = written[a] + used[a] + (written[b] if operation in ("copy", "kernel", "rect") else [])
        event, reads, writes = model.step(operation, wait)
        for index in reads:
            used[index].append(event)
        for index in writes:
            written[index], used[index] = [event], []
    model.check()


def check_ring(device: Device, *, queues: int, rounds: int) -> None:
    """Many queues work on one buffer in turn, ordered by events and flushes."""
    lanes = [cl.CommandQueue(device.context) for _ in range(queues)]
    one, two = (device.rng.integers(0, 1 << 32, N, dtype=np.uint32) for _ in range(2))
    a, b = device.buffer(one), device.buffer(two)
    kernel, wait = device.build(SOURCE).add, []  # type: ignore[var-annotated]
    for n in range(rounds * len(lanes)):
        kernel.set_args(a, b, np.uint32(n))
        queue = lanes[n * 5 % len(lanes)]
        wait = [cl.enqueue_nd_range_kernel(queue, kernel, (N,), None, wait_for=wait)]
        queue.flush()
        one = one * np.uint32(3) + two[::-1] + np.uint32(n)
    check.true("the last command completes", settles(wait[0], 10))
    check.equal("buffer", device.read(a, np.uint32, N), one)


def check_side_by_side(device: Device, *, queues: int, count: int) -> None:
    """Each queue works on buffers of its own; the calls are interleaved."""
    lanes = [cl.CommandQueue(device.context) for _ in range(queues)]
    machines = [BufferModel(device, queue) for queue in lanes]
    for _ in range(count):
        for model in machines:
            model.step(str(device.rng.choice(MIXES["all"][:5])), [])
    transfers.tell("clFlush before clFinish")
    for queue in lanes:
        queue.flush()
    for model in reversed(machines):
        model.check()
