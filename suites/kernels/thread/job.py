"""The work of one thread while others do the same, on a queue or in a context that they may share."""

import copy
import threading
import time
from collections.abc import Callable

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.gate import callback, gates, own_device, reached, settles
from ..kit.opencl import call

SOURCE = """
__kernel void add(__global uint *a, __global const uint *b, uint c) {
    size_t i = get_global_id(0);
    a[i] = a[i] * 3 + b[i] + c;
}
"""
N = 256


def join_timeout_s(device: Device) -> float:
    """How long to wait for threads, in seconds: a third of the case's timeout, so that a hang ends with a message."""
    return device.timeout_s / 3


def run_threads(count: int, work: Callable[[int], None], within_s: float) -> None:
    """Run `work` in `count` threads at the same time. Raises the first thread's error, or a Mismatch if one hangs."""
    errors: list[tuple[int, Exception]] = []
    start = threading.Barrier(count)

    def run(index: int) -> None:
        try:
            start.wait(within_s)
            work(index)
        except Exception as error:
            errors.append((index, error))

    threads = [threading.Thread(target=run, args=(index,), daemon=True) for index in range(count)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + within_s
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    if errors:
        raise min(errors, key=lambda each: each[0])[1]
    check.true("all threads come back", not any(thread.is_alive() for thread in threads))


def thread_devices(device: Device, count: int, sharing: str) -> list[Device]:
    """A device for each thread, with a common queue, a queue of its own, or a context of its own."""
    devices = []
    for _ in range(count):
        lane = own_device(device) if sharing == "contexts" else copy.copy(device)
        lane._programs = {}
        if sharing == "queues":
            lane.queue = cl.CommandQueue(device.context)
        lane.rng = np.random.default_rng(int(device.rng.integers(1 << 30)))
        devices.append(lane)
    return devices


class Work:
    """The objects of one thread: two buffers, the words that the first must hold, and a kernel of its own."""

    def __init__(self, lane: Device, program: cl.Program) -> None:
        self.lane, self.program, self.kernel = lane, program, cl.Kernel(program, "add")
        self.want, self.other = (lane.rng.integers(0, 1 << 32, N, dtype=np.uint32) for _ in range(2))
        self.target, self.source = lane.buffer(self.want), lane.buffer(self.other)
        self.kept: list[cl.CommandQueue] = []  # nothing may be released while another thread's user event is not set

    def launch(self, value: int) -> cl.Event:
        """Launch the kernel, and compute the same in `want`; returns the event."""
        event = self.lane.launch(self.kernel, [N], None, self.target, self.source, np.uint32(value))
        self.want = self.want * np.uint32(3) + self.other + np.uint32(value)
        return event

    def check(self) -> None:
        """Require the buffer's content."""
        check.equal("buffer", self.lane.read(self.target, np.uint32, N), self.want)


def do_launch(work: Work, step: int) -> None:
    """Launches of one kernel with different arguments."""
    for n in range(8):
        work.launch(100 * step + n)


def do_build(work: Work, step: int) -> None:
    """A build of a program that no thread has built before."""
    text = SOURCE.replace("* 3", f"* {2 * step + 5}").replace("add", "mine")
    kernel = cl.Program(work.lane.context, text).build().mine
    work.lane.launch(kernel, [N], None, work.target, work.source, np.uint32(step))
    work.want = work.want * np.uint32(2 * step + 5) + work.other + np.uint32(step)


def do_build_same(work: Work, step: int) -> None:
    """A build of the program that all threads build."""
    kernel = cl.Program(work.lane.context, SOURCE).build().add
    work.lane.launch(kernel, [N], None, work.target, work.source, np.uint32(step))
    work.want = work.want * np.uint32(3) + work.other + np.uint32(step)


def do_transfer(work: Work, step: int) -> None:
    """A write, and a copy from another buffer."""
    new = work.lane.rng.integers(0, 1 << 32, 50, dtype=np.uint32)
    work.lane.copy(work.target, new, dst_offset=4 * step, is_blocking=False)
    work.want[step : step + 50] = new
    work.lane.copy(work.target, work.source, src_offset=4, dst_offset=512, byte_count=200)
    work.want[128:178] = work.other[1:51]


def do_fill(work: Work, step: int) -> None:
    """Fills that overlap."""
    for n in range(10):
        cl.enqueue_fill_buffer(work.lane.queue, work.target, np.uint32(n + step), 4 * n, 40)
        work.want[n : n + 10] = n + step


def do_map(work: Work, step: int) -> None:
    """A mapping that is read and written."""
    flags = cl.map_flags.READ | cl.map_flags.WRITE
    mapped, _ = cl.enqueue_map_buffer(work.lane.queue, work.target, flags, 4 * step, 100, np.uint32)
    check.equal("mapped", mapped.copy(), work.want[step : step + 100])
    mapped[:] = work.want[step : step + 100] = work.want[step : step + 100] + np.uint32(step + 1)
    mapped.base.release(work.lane.queue)
    work.launch(step)


def do_buffers(work: Work, step: int) -> None:
    """Buffers that are made, used once and released."""
    for n in range(10):
        passing = work.lane.buffer(np.full(N, n, np.uint32))
        work.lane.launch(work.kernel, [N], None, work.target, passing, np.uint32(1))
        passing.release()
        work.want = work.want * np.uint32(3) + np.uint32(n + 1)


def do_kernels(work: Work, step: int) -> None:
    """Kernels that are created from one program and used once."""
    for n in range(5):
        work.kernel = cl.Kernel(work.program, "add")
        work.launch(n + step)


def do_callback(work: Work, step: int) -> None:
    """Callbacks of events: each comes once."""
    received: list[int] = []
    events = [work.launch(step + n) for n in range(4)]
    for event in events:
        callback(event, 0, received.append)
    call("clFlush", work.lane.queue.int_ptr)
    check.true("the callbacks come", reached(lambda: len(received) == 4))
    check.equal("statuses", received, [0] * 4)


def do_user_event(work: Work, step: int) -> None:
    """A command of another queue that waits for a user event."""
    queue = cl.CommandQueue(work.lane.context)
    work.kept.append(queue)
    with gates(work.lane) as (gate,):
        wait = [gate.event]
        fill = cl.enqueue_fill_buffer(queue, work.target, np.uint32(step), 0, 64, wait_for=wait)
        queue.flush()
        gate.open()
    check.true("the command completes", settles(fill))
    work.want[:16] = step


def do_queue(work: Work, step: int) -> None:
    """A queue that is made, used once and released."""
    queue = cl.CommandQueue(work.lane.context)
    done = cl.enqueue_fill_buffer(queue, work.target, np.uint32(step + 7), 64, 64)
    done.wait()
    work.want[16:32] = step + 7
    work.launch(step)


def do_profile(work: Work, step: int) -> None:
    """A queue with profiling: its times are in order."""
    properties = cl.command_queue_properties.PROFILING_ENABLE
    queue = cl.CommandQueue(work.lane.context, properties=properties)
    event = cl.enqueue_fill_buffer(queue, work.target, np.uint32(step), 128, 64)
    event.wait()
    work.want[32:48] = step
    times = [getattr(event.profile, name) for name in ("queued", "submit", "start", "end")]
    check.true("queued <= submit <= start <= end", times == sorted(times))


JOBS: dict[str, Callable[[Work, int], None]] = {
    name[3:]: function for name, function in list(globals().items()) if name.startswith("do_")
}


def check_job(device: Device, *, job: str, sharing: str, threads: int, rounds: int) -> None:
    """Threads that work at the same time, each on buffers of its own. `job`: with "all", the threads have different jobs."""
    names = sorted(set(JOBS) - {"user_event"}) if job == "all" else [job]
    all_lanes = thread_devices(device, threads, sharing)
    programs = [lane.build(SOURCE) for lane in all_lanes] if sharing == "contexts" else []
    shared = device.build(SOURCE)
    works = [Work(lane, programs[n] if programs else shared) for n, lane in enumerate(all_lanes)]

    def run(index: int) -> None:
        for step in range(rounds):
            JOBS[names[(index + step) % len(names)]](works[index], step)
            works[index].check()

    run_threads(threads, run, join_timeout_s(device))
