"""Waiting for events, their reference counts, user events, timers (API 3.0, 5.11, 5.15, 4.1, 4.2)."""

import ctypes
import time

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import opencl
from ..kit.gate import (
    COMPLETE,
    ERROR,
    FAILED_WAIT,
    Blocking,
    gates,
    own_device,
    profiled,
    reached,
    settles,
    status_of,
    stays,
    wait_for,
    zeros,
)
from ..kit.opencl import call
from .table import DEPRECATED


def check_wait(device: Device, *, count: int, flush: bool, fails: int | None, twice: bool) -> None:
    """clWaitForEvents blocks until the last event ends. `fails`: the index of one that fails, or None."""
    own = own_device(device) if fails is not None else device
    queues = [cl.CommandQueue(own.context) for _ in range(min(count, 4))]
    with gates(own, count) as held:
        markers = [cl.enqueue_marker(queues[i % 4], [gate.event]) for i, gate in enumerate(held)]
        if flush:
            for queue in queues:
                queue.flush()
        pointers = [m.int_ptr for m in markers] * (2 if twice else 1)
        waiting = Blocking(lambda: wait_for(pointers))
        for i in reversed(range(1, count)):
            held[i].open(ERROR if i == fails else COMPLETE)
        check.true("clWaitForEvents blocks", not waiting.over(0.01) or fails is not None)
        held[0].open(ERROR if fails == 0 else COMPLETE)
        check.true("clWaitForEvents returns", waiting.over())
        for marker in markers:
            check.true("each event ends", settles(marker))
    check.equal("clWaitForEvents", waiting.answer, "CL_SUCCESS" if fails is None else FAILED_WAIT, stage="api")
    again = Blocking(lambda: wait_for(pointers))
    check.true("a second clWaitForEvents returns", again.over())
    check.equal("a second clWaitForEvents", again.answer, "CL_SUCCESS" if fails is None else FAILED_WAIT, stage="api")


def check_user(device: Device, *, status: int) -> None:
    """A user event is CL_SUBMITTED, then has the status to which it was set."""
    kind, owner = ctypes.c_uint32(), ctypes.c_void_p(1)
    own = own_device(device)
    event = cl.UserEvent(own.context)
    check.equal("status at first", status_of(event), 2)
    call("clGetEventInfo", event.int_ptr, 0x11D1, 4, ctypes.byref(kind), 0)
    check.equal("CL_EVENT_COMMAND_TYPE", kind.value, 0x1204)
    call("clGetEventInfo", event.int_ptr, 0x11D0, 8, ctypes.byref(owner), 0)
    check.equal("CL_EVENT_COMMAND_QUEUE", owner.value, None)
    call("clGetEventInfo", event.int_ptr, 0x11D4, 8, ctypes.byref(owner), 0)
    check.equal("CL_EVENT_CONTEXT is its context", owner.value == own.context.int_ptr, True)
    set_ = call("clSetUserEventStatus", event.int_ptr, status)
    check.equal("clSetUserEventStatus", set_, "CL_SUCCESS", stage="api")
    check.equal("status", status_of(event), status)
    again = call("clSetUserEventStatus", event.int_ptr, COMPLETE)
    check.equal("clSetUserEventStatus again", again, "CL_INVALID_OPERATION", stage="api")
    check.equal("status after that", status_of(event), status)


def check_deprecated(device: Device, *, function: str) -> None:
    """CL_EVENT_COMMAND_TYPE of a command of OpenCL 1.0 or 1.1 (API 3.0, 5.11)."""
    event, kind = ctypes.c_void_p(), ctypes.c_uint32()
    queue = cl.CommandQueue(device.context)
    kernel = device.build("__kernel void nothing(void) {}").nothing
    before = (kernel.int_ptr, 0, 0) if function == "clEnqueueTask" else ()
    got = call(function, queue.int_ptr, *before, ctypes.byref(event))
    check.equal(function, got, "CL_SUCCESS", stage="api")
    owned = cl.Event.from_int_ptr(event.value, retain=False)
    queue.finish()
    call("clGetEventInfo", owned.int_ptr, 0x11D1, 4, ctypes.byref(kind), 0)
    check.equal(f"CL_EVENT_COMMAND_TYPE of {function}", kind.value, DEPRECATED[function], stage="api")
    check.equal("status", status_of(owned), COMPLETE)


def check_sync_after_error(device: Device, *, call: str, out_of_order: bool, other: bool) -> None:
    """clFlush and clFinish do not return errors of events. `other`: another queue."""
    own = own_device(device)
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE if out_of_order else 0
    queue, target = cl.CommandQueue(own.context, properties=properties), zeros(own)
    sync_queue = cl.CommandQueue(own.context) if other else queue
    with gates(own) as (gate,):
        fill = cl.enqueue_fill_buffer(queue, target, np.uint32(5), 0, 64, wait_for=[gate.event])
        queue.flush()
        gate.open(ERROR)
        check.true("the command ends", settles(fill))
    waiting = Blocking(lambda: opencl.call(call, sync_queue.int_ptr))
    check.true(f"{call} returns", waiting.over())
    check.equal(call, waiting.answer, "CL_SUCCESS", stage="api")
    check.true("status is an error", status_of(fill) < 0)


def check_references(device: Device, *, kind: str) -> None:
    """CL_EVENT_REFERENCE_COUNT follows retains and releases."""
    queue, target, count = cl.CommandQueue(device.context), zeros(device), ctypes.c_uint32()
    event: cl.Event = cl.UserEvent(device.context)
    if kind == "user":
        event.set_status(COMPLETE)
    else:
        event = cl.enqueue_fill_buffer(queue, target, np.uint32(5), 0, 64)
        queue.finish()

    def references() -> int:
        call("clGetEventInfo", event.int_ptr, 0x11D2, 4, ctypes.byref(count), 0)
        return count.value

    at_first = 0
    while at_first != (now := references()):  # the driver may drop its references a little after the command has ended
        at_first = now
        time.sleep(0.02)
    check.true("there is a reference", at_first >= 1)
    for n in (1, 2):
        call("clRetainEvent", event.int_ptr)
        check.equal("after a retain", references(), at_first + n)
    for n in (1, 0):
        call("clReleaseEvent", event.int_ptr)
        check.equal("after a release", references(), at_first + n)


def check_dropped(device: Device, *, length: int) -> None:
    """Each event of a chain is released as soon as the next command waits for it; the chain still runs to its end."""
    queue, target = cl.CommandQueue(device.context), zeros(device)
    with gates(device) as (gate,):
        event = gate.event
        for n in range(length):
            event = cl.enqueue_fill_buffer(queue, target, np.uint32(n + 1), 4 * (n % 64), 4, wait_for=[event])
        last = event
        del event
        queue.flush()
        check.true("the last command waits", stays([last]))
        gate.open()
        check.true("the last command completes", settles(last))
    want = np.zeros(64, np.uint32)
    want[np.arange(length) % 64] = np.arange(1, length + 1)
    check.equal("memory", device.read(target, np.uint32, 64), want)


def check_long_chain(device: Device, *, length: int) -> None:
    """The last event of a chain keeps all others alive, and releases them at its end, however many they are."""
    queue = cl.CommandQueue(device.context)
    event = cl.enqueue_marker(queue)
    for _ in range(length):
        event = cl.enqueue_marker(queue, wait_for=[event])
    queue.finish()
    check.equal("the last command", event.command_execution_status, cl.command_execution_status.COMPLETE)
    del queue
    time.sleep(0.05)  # the driver's thread drops the last event, so that this thread has the last reference
    del event


def check_sequence(device: Device, *, length: int) -> None:
    """The times of commands of one queue: those of each are in order, and none is earlier than the one before."""
    queue = cl.CommandQueue(device.context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    target, source = device.buffer(1 << 16), device.buffer(1 << 16)
    events = [cl.enqueue_copy(queue, target, source) for _ in range(length)]
    queue.flush()
    rows = []
    for event in events:
        check.true("the copy completes", settles(event))
        rows.append([profiled(event, what)[1] for what in range(0x1280, 0x1284)])
    times = np.array(rows, np.uint64)
    check.true("queued <= submit <= start <= end", bool((times[:, 1:] >= times[:, :-1]).all()))
    for column, name in enumerate(("queued", "submit", "start", "end")):
        check.true(f"{name} never falls", bool((times[1:, column] >= times[:-1, column]).all()))
    check.true("the times are set", bool(times[0, 0] > 0))


def check_no_profile(device: Device) -> None:
    """A user event has no times (API 3.0, 5.15)."""
    event = cl.UserEvent(device.context)
    event.set_status(COMPLETE)
    for what in range(0x1280, 0x1285):
        check.equal(f"{what:#x}", profiled(event, what)[0], "CL_PROFILING_INFO_NOT_AVAILABLE", stage="api")


def timer_supported(device: Device) -> bool:
    """CL_PLATFORM_HOST_TIMER_RESOLUTION is not 0 (API 3.0, 4.1)."""
    value = ctypes.c_uint64(0)
    call("clGetPlatformInfo", device.device.platform.int_ptr, 0x0905, 8, ctypes.byref(value), 0)
    return value.value != 0


def timers(device: Device, which: str) -> tuple[str, int, int]:
    """Make one query; returns the error and the times (device, host), 0 for a time that was not asked for."""
    there, host = ctypes.c_uint64(0), ctypes.c_uint64(0)
    if which == "host":
        error = call("clGetHostTimer", device.device.int_ptr, ctypes.byref(host))
    else:
        error = call("clGetDeviceAndHostTimer", device.device.int_ptr, ctypes.byref(there), ctypes.byref(host))
    return error, there.value, host.value


def check_timer(device: Device, *, which: str) -> None:
    """The timers run; if the platform has none, the calls are refused (API 3.0, 4.2)."""
    error, there, host = timers(device, which)
    if not timer_supported(device):
        check.equal(which, error, "CL_INVALID_OPERATION", stage="api")
        return
    check.equal(which, error, "CL_SUCCESS", stage="api")
    check.true("the host's time advances", reached(lambda: timers(device, which)[2] > host))
    if which == "device":
        check.true("the device's time advances", reached(lambda: timers(device, which)[1] > there))


def check_timer_null(device: Device, *, which: str) -> None:
    """A NULL pointer is refused with CL_INVALID_VALUE, or because the platform has no timer."""
    if which == "host":
        error = call("clGetHostTimer", device.device.int_ptr, 0)
    else:
        error = call("clGetDeviceAndHostTimer", device.device.int_ptr, 0, 0)
    allowed = ["CL_INVALID_VALUE"] if timer_supported(device) else ["CL_INVALID_OPERATION", "CL_INVALID_VALUE"]
    check.true(f"{error} is one of {allowed}", error in allowed, stage="api")


def check_timer_profile(device: Device) -> None:
    """The times of a command are between two readings of the device's timer, if there is one."""
    queue = cl.CommandQueue(device.context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    error, before, _ = timers(device, "device")
    event = cl.enqueue_fill_buffer(queue, zeros(device), np.uint32(1), 0, 64)
    queue.flush()
    check.true("the command completes", settles(event))
    times = [profiled(event, what)[1] for what in range(0x1280, 0x1284)]
    _, after, _ = timers(device, "device")
    check.true("queued <= submit <= start <= end", times == sorted(times))
    if error == "CL_SUCCESS":
        slack = 10_000_000  # ns: the two clocks need not be read at the same instant
        check.true("the command starts after the first reading", times[2] + slack >= before)
        check.true("the command ends before the second", times[3] <= after + slack)
