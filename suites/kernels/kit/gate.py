"""User events that hold commands back, and waits that end by a deadline.

While a user event holds commands back, nothing but events may be released (API 3.0, 5.11), so a body keeps
its objects in local names until the gate is open; `gates` opens those that are left, whatever was raised.
"""

import ctypes
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from .opencl import call

QUIET_S = 0.008  # how long to watch a command that must wait
DEADLINE_S = 5.0
COMPLETE = 0
ERROR = -1234  # any negative number is an application's own error code
FAILED_WAIT = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"


class Gate:
    """A user event. `open` sets its status once; later calls do nothing."""

    def __init__(self, context: cl.Context) -> None:
        self.event = cl.UserEvent(context)
        self.status: int | None = None

    def open(self, status: int = COMPLETE) -> None:
        if self.status is None:
            self.status = status
            check.equal(
                "clSetUserEventStatus", call("clSetUserEventStatus", self.event.int_ptr, status), "CL_SUCCESS", stage="api"
            )


@contextmanager
def gates(device: Device, count: int = 1) -> Iterator[list[Gate]]:
    """Closed gates. Those still closed at the end are opened, because commands that wait for them would never end."""
    held = [Gate(device.context) for _ in range(count)]
    try:
        yield held
    finally:
        for each in held:
            each.open()


def status_of(event: cl.Event) -> int:
    """CL_EVENT_COMMAND_EXECUTION_STATUS, by a call that does not hold Python's lock."""
    value = ctypes.c_int32(99)
    error = call("clGetEventInfo", event.int_ptr, 0x11D3, 4, ctypes.byref(value), 0)
    check.equal("clGetEventInfo", error, "CL_SUCCESS", stage="api")
    return value.value


def settles(event: cl.Event, within_s: float = DEADLINE_S) -> bool:
    """True as soon as the event is complete or failed; False when the time is over."""
    return reached(lambda: status_of(event) <= COMPLETE, within_s)


def reached(condition: Callable[[], bool], within_s: float = DEADLINE_S) -> bool:
    """True as soon as the condition holds; False when the time is over."""
    end, pause = time.monotonic() + within_s, 0.0001
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
        pause = min(pause * 2, 0.002)
    return True


def stays(events: Sequence[cl.Event]) -> bool:
    """True if none of the events settles while they are watched for QUIET_S."""
    time.sleep(QUIET_S)
    return all(status_of(event) > COMPLETE for event in events)


class Blocking:
    """A call that may block for ever, in a thread of its own. `over` waits for it until a deadline."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.answer: Any = None
        self._thread = threading.Thread(target=self._run, args=(function,), daemon=True)
        self._thread.start()

    def _run(self, function: Callable[[], Any]) -> None:
        self.answer = function()

    def over(self, within_s: float = DEADLINE_S) -> bool:
        """True if the call has returned."""
        self._thread.join(within_s)
        return not self._thread.is_alive()


def wait_for(events: Sequence[int]) -> str:
    """Call clWaitForEvents; returns the error's name."""
    return call("clWaitForEvents", len(events), (ctypes.c_void_p * len(events))(*events))


_kept: list[Any] = []
NOTIFY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)


def callback(event: cl.Event, on: int, tell: Callable[[int], None]) -> None:
    """Register a callback that runs in a thread of the driver's choice.

    Until it has run, the body must call OpenCL only through `kit.opencl`: pyopencl holds Python's lock in many calls,
    and a driver may hold one of its own around the callback.
    """
    notify = NOTIFY(lambda _event, status, _data: tell(status))
    _kept.append(notify)  # a late call must find it
    register(event, on, notify, 0)


def register(event: cl.Event, on: int, notify: Any, data: int) -> None:
    """Call clSetEventCallback, which must succeed. The caller keeps `notify` as long as it may be called."""
    error = call("clSetEventCallback", event.int_ptr, on, notify, data)
    check.equal("clSetEventCallback", error, "CL_SUCCESS", stage="api")


def profiled(event: cl.Event, what: int) -> tuple[str, int]:
    """Call clGetEventProfilingInfo; returns the error's name and the time in ns."""
    value = ctypes.c_uint64(0)
    return call("clGetEventProfilingInfo", event.int_ptr, what, 8, ctypes.byref(value), 0), value.value


def own_device(device: Device) -> Device:
    """The same device with a context of its own, so that an error in it affects no other (API 3.0, 5.11)."""
    return Device(device.device)


def zeros(device: Device, count: int = 64) -> cl.Buffer:
    """A buffer of uint zeros."""
    return device.buffer(np.zeros(count, np.uint32))
