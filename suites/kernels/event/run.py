"""Events: what waits, what is told, what an error stops. Every wait ends by a deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device
from runner.model import Case

QUIET_S = 0.05  # so long a command that must wait is watched
DEADLINE_S = 5.0
COMPLETE = cl.command_execution_status.COMPLETE
ERROR = -1234  # any negative number is an application's own error code


def settles(event: cl.Event, within_s: float) -> bool:
    """True as soon as the event is complete or in error; False when the time is over."""
    end = time.monotonic() + within_s
    while event.command_execution_status > COMPLETE:
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


@contextmanager
def gate(device: Device) -> Iterator[tuple[cl.UserEvent, Callable[[int], None]]]:
    """A user event and what opens it. It is opened at the end in any case, or its waiters stay for ever."""
    event, opened = cl.UserEvent(device.context), []

    def open_with(status: int) -> None:
        opened.append(status)
        event.set_status(status)

    try:
        yield event, open_with
    finally:
        if not opened:
            open_with(COMPLETE)


def check_marker(device: Device, case: Case) -> None:
    """A marker behind a user event waits for it, and no longer."""
    queue = cl.CommandQueue(device.context)
    with gate(device) as (event, open_with):
        marker = cl.enqueue_marker(queue, [event])
        queue.flush()
        check.true("the marker waits for the user event", not settles(marker, QUIET_S))
        check.equal(
            "status of the user event", event.command_execution_status, cl.command_execution_status.SUBMITTED
        )
        open_with(COMPLETE)
        check.true("the marker completes after it", settles(marker, DEADLINE_S))
    check.equal("status of the marker", marker.command_execution_status, COMPLETE)


def check_commands(device: Device, case: Case) -> None:
    """Commands of two queues behind one user event: none acts before it, all act after it, in order."""
    one, two = cl.CommandQueue(device.context), cl.CommandQueue(device.context)
    target = device.buffer(np.zeros(64, np.uint32))
    with gate(device) as (event, open_with):
        first = cl.enqueue_fill_buffer(one, target, np.uint32(5), 0, 256, wait_for=[event])
        second = cl.enqueue_fill_buffer(two, target, np.uint32(6), 64, 64, wait_for=[first])
        one.flush()
        two.flush()
        check.true("the second queue waits", not settles(second, QUIET_S))
        check.equal("memory before", device.read(target, np.uint32, 64), np.zeros(64))
        open_with(COMPLETE)
        check.true("the second queue completes", settles(second, DEADLINE_S))
    want = np.full(64, 5)
    want[16:32] = 6
    check.equal("memory after", device.read(target, np.uint32, 64), want)


def check_error(device: Device, case: Case) -> None:
    """A user event set to an error ends what waits for it, with an error and without an effect (5.11)."""
    queue = cl.CommandQueue(device.context)
    target = device.buffer(np.zeros(16, np.uint32))
    with gate(device) as (event, open_with):
        fill = cl.enqueue_fill_buffer(queue, target, np.uint32(5), 0, 64, wait_for=[event])
        queue.flush()
        open_with(ERROR)
        check.true("the waiting command ends", settles(fill, DEADLINE_S))
        check.equal("status of the user event", event.command_execution_status, ERROR)
        check.true("status of the waiting command is an error", fill.command_execution_status < 0)
    check.equal("memory", device.read(target, np.uint32, 16), np.zeros(16))


def check_callback(device: Device, case: Case) -> None:
    """Callbacks of a user event and of a marker behind it come once each, with the status."""
    queue, told, done = cl.CommandQueue(device.context), [], threading.Event()

    def tell(status: int) -> None:
        told.append(status)
        if len(told) == 2:
            done.set()

    with gate(device) as (event, open_with):
        marker = cl.enqueue_marker(queue, [event])
        for waiter in (event, marker):
            waiter.set_callback(COMPLETE, tell)
        queue.flush()
        time.sleep(QUIET_S)
        check.equal("callbacks before the event", len(told), 0)
        open_with(COMPLETE)
        check.true("both callbacks come", done.wait(DEADLINE_S))
    time.sleep(QUIET_S)
    check.equal("statuses", told, [COMPLETE, COMPLETE])


def check_profiling(device: Device, case: Case) -> None:
    """The four times of a command stand in order, and those of the next command of a queue come later."""
    queue = cl.CommandQueue(device.context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    target, source = device.buffer(1 << 16), device.buffer(1 << 16)
    events = [cl.enqueue_copy(queue, target, source) for _ in range(3)]
    queue.flush()
    ends = []
    for event in events:
        check.true("the copy completes", settles(event, DEADLINE_S))
        times = [getattr(event.profile, name) for name in ("queued", "submit", "start", "end")]
        check.true(f"queued <= submit <= start <= end: {times}", times == sorted(times) and times[0] > 0)
        ends.append(times[3])
    check.true(f"the ends stand in order: {ends}", ends == sorted(ends))


BODIES = {
    "event.marker": check_marker,
    "event.commands": check_commands,
    "event.error": check_error,
    "event.callback": check_callback,
    "event.profiling": check_profiling,
}
