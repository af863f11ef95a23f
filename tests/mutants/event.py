"""Commands that do not wait, errors that get lost, callbacks that come too often."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from mutation import Function, api, of

from mutants.memory import answer, instead, keyword, of_function, position

EVENT = "suites.kernels.event"


def unheld(inner: Function) -> Function:
    """A marker or barrier that ignores its wait list."""
    return lambda queue, *_args, **_kwargs: inner(queue)


def with_callback(change: Callable[[Callable[[int], None]], Callable[[int], None]]) -> Callable[[Function], Function]:
    """Registers another callback than it is given."""
    return lambda inner: lambda event, on, tell: inner(event, on, change(tell))


def twice(tell: Callable[[int], None]) -> Callable[[int], None]:
    def both(status: int) -> None:
        tell(status)
        tell(status)

    return both


@of
def _at_once(inner: Function, event: Any, on: int, tell: Callable[[int], None]) -> None:
    tell(0)


@of
def _type_of_another(inner: Function, function: str, *arguments: Any) -> Any:
    """CL_EVENT_COMMAND_TYPE of a barrier for every event."""
    got = inner(function, *arguments)
    if function == "clGetEventInfo" and arguments[1] == 0x11D1:
        arguments[3]._obj.value = 0x1205
    return got


def _passes(event: bool, data: bool) -> Callable[[Function], Function]:
    """Callbacks that are passed no event, or no data."""
    kept = []  # as long as a callback may come

    def register(inner: Function, handle: Any, on: int, notify: Any, given: int) -> None:
        kept.append(NOTIFY(lambda e, status, d: notify(e if event else None, status, d if data else None)))
        inner(handle, on, kept[-1], given)

    return of(register)


NOTIFY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
NO_ERROR = of_function("clSetUserEventStatus", position(2, lambda _: 0))
NO_WAIT = keyword("wait_for", lambda _: None)
MUTANTS = [
    api("event/marker.no_wait", "kernels/event/wait/2", "pyopencl.enqueue_marker", unheld),
    api("event/barrier.no_wait", "kernels/event/command/waits.barrier", "pyopencl.enqueue_barrier", unheld),
    api("event/graph.marker_no_wait", "kernels/event/graph/fan_in.*", "pyopencl.enqueue_fill_buffer", NO_WAIT),
    api("event/fill.no_wait", "kernels/event/command/waits.fill", "pyopencl.enqueue_fill_buffer", NO_WAIT),
    api("event/kernel.no_wait", "kernels/event/command/waits.kernel", "pyopencl.enqueue_nd_range_kernel", NO_WAIT),
    api("event/read.no_wait", "kernels/event/command/waits.read", "pyopencl.enqueue_copy", NO_WAIT),
    api("event/image.no_wait", "kernels/event/command/waits.image_copy", "pyopencl.enqueue_copy", NO_WAIT),
    api("event/map.no_wait", "kernels/event/command/waits.map", "pyopencl.enqueue_map_buffer", NO_WAIT),
    api("event/unmap.no_wait", "kernels/event/command/waits.unmap", "pyopencl.MemoryMap.release", NO_WAIT),
    api("event/migrate.no_wait", "kernels/event/command/waits.migrate", "pyopencl.enqueue_migrate_mem_objects", NO_WAIT),
    api(
        "event/status.error_lost",
        "kernels/event/command/fails.fill",
        f"{EVENT}.commands.status_of",
        answer(lambda status: max(status, 0)),
    ),
    api(
        "event/error.runs_all_among", "kernels/event/command/fails_among.*.second", "suites.kernels.kit.gate.call", NO_ERROR
    ),
    api("event/error.runs_all_the_same", "kernels/event/command/fails.write_rect", "suites.kernels.kit.gate.call", NO_ERROR),
    api(
        "event/graph.error_stops_nothing",
        "kernels/event/graph/chain.in_order.fails0of1",
        "suites.kernels.kit.gate.call",
        NO_ERROR,
    ),
    api("event/image_map.no_wait", "kernels/event/command/waits.image_map", "pyopencl.enqueue_map_image", NO_WAIT),
    api("event/type.another", "kernels/event/command/type.clEnqueueMarker", f"{EVENT}.wait.call", _type_of_another),
    api("event/callback.no_event", "kernels/event/callback/passed.*", f"{EVENT}.callback.register", _passes(False, True)),
    api("event/callback.no_data", "kernels/event/callback/passed.*", f"{EVENT}.callback.register", _passes(True, False)),
    api(
        "event/callback.twice",
        "kernels/event/callback/fill.complete.early",
        f"{EVENT}.callback.callback",
        with_callback(twice),
    ),
    api("event/callback.at_once", "kernels/event/callback/fill.complete.early", f"{EVENT}.callback.callback", _at_once),
    api(
        "event/callback.none_on_error",
        "kernels/event/callback/marker.complete.early.fails",
        f"{EVENT}.callback.callback",
        with_callback(lambda tell: lambda status: tell(status) if status >= 0 else None),
    ),
    api(
        "event/callback.status_lost",
        "kernels/event/callback/fill.complete.early.fails",
        f"{EVENT}.callback.callback",
        with_callback(lambda tell: lambda status: tell(0)),
    ),
    api(
        "event/profile.none_out_of_order",
        "kernels/event/time/out_of_order.kernel",
        f"{EVENT}.commands.profiled",
        answer(lambda _: ("CL_PROFILING_INFO_NOT_AVAILABLE", 0)),
    ),
    api(
        "event/profile.end_is_first",
        "kernels/event/time/command.copy",
        f"{EVENT}.commands.profiled",
        position(1, lambda what: {0x1280: 0x1283, 0x1283: 0x1280}.get(what, what)),
    ),
    api(
        "event/profile.end_of_nothing",
        "kernels/event/time/sequence.3",
        f"{EVENT}.wait.profiled",
        answer(lambda result: (result[0], 0)),
    ),
    api(
        "event/wait.returns_at_once",
        "kernels/event/wait/1",
        f"{EVENT}.wait.wait_for",
        lambda inner: lambda events: "CL_SUCCESS",
    ),
    api("event/wait.error_lost", "kernels/event/wait/2.fails1", f"{EVENT}.wait.wait_for", answer(lambda _: "CL_SUCCESS")),
    api(
        "event/retain.does_nothing",
        "kernels/event/wait/references.fill",
        f"{EVENT}.wait.call",
        of_function("clRetainEvent", lambda inner: lambda *args: "CL_SUCCESS"),
    ),
    api("event/settwice", "kernels/event/wait/user.-1", f"{EVENT}.wait.call", instead("CL_INVALID_OPERATION", "CL_SUCCESS")),
    api(
        "event/command_type.of_status",
        "kernels/event/command/waits.copy",
        f"{EVENT}.commands.call",
        of_function("clGetEventInfo", position(2, lambda what: 0x11D3 if what == 0x11D1 else what)),
    ),
    api(
        "event/timer.stands",
        "kernels/event/time/timer.host",
        f"{EVENT}.wait.timers",
        lambda inner: lambda *args: ("CL_SUCCESS", 5, 5),
    ),
]
