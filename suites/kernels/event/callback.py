"""Callbacks: once for each registration, with the right status, also for failed commands (API 3.0, 5.11)."""

import ctypes
import time
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.gate import (
    COMPLETE,
    ERROR,
    NOTIFY,
    QUIET_S,
    Blocking,
    callback,
    gates,
    own_device,
    profiled,
    reached,
    register,
    settles,
    status_of,
    zeros,
)
from ..kit.opencl import call

STATES = {"submitted": 2, "running": 1, "complete": 0}


def make(device: Device, queue: cl.CommandQueue, kind: str, wait: cl.Event, target: cl.Buffer) -> cl.Event:
    """An event of a kind: the user event itself, or that of a command that waits for it."""
    if kind == "user":
        return wait
    if kind == "marker":
        event = cl.enqueue_marker(queue, [wait])
    elif kind == "barrier":
        event = cl.enqueue_barrier(queue, [wait])
    else:
        event = cl.enqueue_fill_buffer(queue, target, np.uint32(5), 0, 64, wait_for=[wait])
    queue.flush()
    return event


def compare_calls(received: list[int], count: int, on: int, status: int) -> None:
    """`count` calls, each with the status of its registration, or the error that ended the command (API 3.0, 5.11)."""
    check.true("the callbacks of clSetEventCallback come", reached(lambda: len(received) >= count))
    time.sleep(QUIET_S / 4)
    check.equal("number of calls", len(received), count)
    if on == COMPLETE or status >= 0:
        check.equal("statuses", received, [on if status >= 0 else status] * count)
    else:
        check.true(f"statuses are {on}, past it, or the error", all(s in (*range(on + 1), status) for s in received))


def check_callback_passed(device: Device, *, kind: str, on: str) -> None:
    """The arguments of a callback: the event, the status that came, and user_data. `on`: a name of STATES."""
    queue, target, state = cl.CommandQueue(device.context), zeros(device), STATES[on]
    received: list[tuple[int, int, int]] = []
    notify = NOTIFY(lambda event, status, data: received.append((event or 0, status, data or 0)))
    given = (0, 0x1234, 0x5678)  # the same function, each time with other data
    with gates(device) as (gate,):
        event = make(device, queue, kind, gate.event, target)
        for data in given:
            register(event, state, notify, data)
        gate.open()
        check.true("the callbacks come", reached(lambda: len(received) >= len(given)))
    check.true("clSetEventCallback: event is its event", all(e == event.int_ptr for e, _, _ in received), stage="api")
    check.equal("clSetEventCallback: user_data", sorted(data for _, _, data in received), list(given), stage="api")
    check.equal("clSetEventCallback: event_command_status", {s for _, s, _ in received}, {state}, stage="api")


def check_callback_once(device: Device, *, kind: str, on: str, late: bool, fails: bool, count: int) -> None:
    """Callbacks of one event: there is one call for each registration.

    `on`: a name of STATES; `late`: registered after the event has ended; `count`: of registrations.
    """
    received: list[int] = []
    own = own_device(device) if fails else device
    queue, target, state = cl.CommandQueue(own.context), zeros(own), STATES[on]
    final = ERROR if fails else COMPLETE
    with gates(own) as (gate,):
        event = make(own, queue, kind, gate.event, target)
        if late:
            gate.open(final)
            check.true("the event ends", settles(event))
        for _ in range(count):
            callback(event, state, received.append)
        if not late:
            time.sleep(QUIET_S)
            if state == COMPLETE or (kind != "user" and state == STATES["running"]):
                check.equal("calls before the user event", len(received), 0)
            gate.open(final)
            check.true("the event ends", settles(event))
    status = status_of(event)
    check.equal("status is an error", status < 0, bool(fails))
    compare_calls(received, count, state, status)


def check_callback_states(device: Device, *, kind: str, fails: bool, length: int) -> None:
    """Callbacks for all three states on each event of a chain."""
    own = own_device(device) if fails else device
    queue, target = cl.CommandQueue(own.context), zeros(own)
    received: dict[tuple[int, int], list[int]] = {}
    with gates(own) as (gate,):
        events = [gate.event]
        for _ in range(length):
            events.append(make(own, queue, kind, events[-1], target))
        for index, event in enumerate(events):
            for on in STATES.values():
                callback(event, on, received.setdefault((index, on), []).append)
        gate.open(ERROR if fails else COMPLETE)
        for index, event in enumerate(events):
            check.true(f"event {index} ends", settles(event))
    for (index, on), statuses in received.items():
        status = status_of(events[index])
        check.equal(f"status of event {index} is an error", status < 0, bool(fails))
        check.true(f"the callback for {on} of event {index} comes", reached(lambda: bool(statuses)))  # noqa: B023
    time.sleep(QUIET_S)
    for (index, on), statuses in received.items():
        compare_calls(statuses, 1, on, status_of(events[index]))


def check_callback_inside(device: Device, *, kind: str, act: str) -> None:
    """Calls that a callback may make: those that do not block."""
    answers: list[Any] = []
    properties = cl.command_queue_properties.PROFILING_ENABLE
    queue, target = cl.CommandQueue(device.context, properties=properties), zeros(device)
    other = cl.CommandQueue(device.context)
    with gates(device, 2) as (gate, second):
        event = make(device, queue, kind, gate.event, target)
        behind = cl.enqueue_marker(other, [second.event])
        other.flush()
        value = ctypes.c_int32(99)
        if act == "retain":
            call("clRetainEvent", event.int_ptr)

        def inside(_: int) -> None:
            if act == "status":
                call("clGetEventInfo", event.int_ptr, 0x11D3, 4, ctypes.byref(value), 0)
                answers.append(value.value)
            elif act == "profile":
                error, time_ns = profiled(event, 0x1283)
                answers.append((error, time_ns > 0))
            elif act == "open":
                answers.append(call("clSetUserEventStatus", second.event.int_ptr, COMPLETE))
                second.status = COMPLETE
            elif act == "retain":
                answers.append(call("clReleaseEvent", event.int_ptr))
            elif act == "register":
                callback(event, COMPLETE, answers.append)
            elif act == "enqueue":
                arguments = (other.int_ptr, target.int_ptr, pattern, 4, 128, 64, 0, 0, 0)
                answers.append(call("clEnqueueFillBuffer", *arguments))
                call("clFlush", other.int_ptr)

        pattern = (ctypes.c_uint32 * 1)(9)
        callback(event, COMPLETE, inside)
        finish = Blocking(lambda: call("clFinish", queue.int_ptr))
        gate.open()
        check.true("clFinish returns", finish.over())
        check.true("the callback's own call returns", reached(lambda: bool(answers)))
        if act == "open":
            check.true("the marker behind the second user event completes", settles(behind))
    done = Blocking(lambda: call("clFinish", other.int_ptr))
    check.true("clFinish of the other queue returns", done.over())
    user = kind == "user"
    wants: dict[str, Any] = {
        "status": COMPLETE,
        "profile": ("CL_PROFILING_INFO_NOT_AVAILABLE", False) if user else ("CL_SUCCESS", True),
        "register": COMPLETE,
    }
    check.equal("what it answered", answers[:1] == [wants.get(act, "CL_SUCCESS")], True, stage="api")
    want = np.zeros(64, np.uint32)
    want[:16] = 0 if kind != "fill" else 5
    want[32:48] = 9 if act == "enqueue" else 0
    check.equal("memory", device.read(target, np.uint32, 64), want)
