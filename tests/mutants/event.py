"""Commands that do not wait, errors that get lost, callbacks that come too often."""

import ctypes
from collections.abc import Callable
from typing import Any

from mutation import Function, api_of, of

from mutants.memory import answer, instead, keyword, of_function, position

call = api_of("event")


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
    call("marker.no_wait", "wait/2", "pyopencl.enqueue_marker", unheld),
    call("barrier.no_wait", "command/waits.barrier", "pyopencl.enqueue_barrier", unheld),
    call("graph.marker_no_wait", "graph/fan_in.*", "pyopencl.enqueue_fill_buffer", NO_WAIT),
    call("fill.no_wait", "command/waits.fill", "pyopencl.enqueue_fill_buffer", NO_WAIT),
    call("kernel.no_wait", "command/waits.kernel", "pyopencl.enqueue_nd_range_kernel", NO_WAIT),
    call("read.no_wait", "command/waits.read", "pyopencl.enqueue_copy", NO_WAIT),
    call("image.no_wait", "command/waits.image_copy", "pyopencl.enqueue_copy", NO_WAIT),
    call("map.no_wait", "command/waits.map", "pyopencl.enqueue_map_buffer", NO_WAIT),
    call("unmap.no_wait", "command/waits.unmap", "pyopencl.MemoryMap.release", NO_WAIT),
    call("migrate.no_wait", "command/waits.migrate", "pyopencl.enqueue_migrate_mem_objects", NO_WAIT),
    call("status.error_lost", "command/fails.fill", ".commands.status_of", answer(lambda status: max(status, 0))),
    call("error.runs_all_among", "command/fails_among.*.second", "suites.kernels.kit.gate.call", NO_ERROR),
    call("error.runs_all_the_same", "command/fails.write_rect", "suites.kernels.kit.gate.call", NO_ERROR),
    call("graph.error_stops_nothing", "graph/chain.in_order.fails0of1", "suites.kernels.kit.gate.call", NO_ERROR),
    call("image_map.no_wait", "command/waits.image_map", "pyopencl.enqueue_map_image", NO_WAIT),
    call("type.another", "command/type.clEnqueueMarker", ".wait.call", _type_of_another),
    call("callback.no_event", "callback/passed.*", ".callback.register", _passes(False, True)),
    call("callback.no_data", "callback/passed.*", ".callback.register", _passes(True, False)),
    call("callback.twice", "callback/fill.complete.early", ".callback.callback", with_callback(twice)),
    call("callback.at_once", "callback/fill.complete.early", ".callback.callback", _at_once),
    call(
        "callback.none_on_error",
        "callback/marker.complete.early.fails",
        ".callback.callback",
        with_callback(lambda tell: lambda status: tell(status) if status >= 0 else None),
    ),
    call(
        "callback.status_lost",
        "callback/fill.complete.early.fails",
        ".callback.callback",
        with_callback(lambda tell: lambda status: tell(0)),
    ),
    call(
        "profile.none_out_of_order",
        "time/out_of_order.kernel",
        ".commands.profiled",
        answer(lambda _: ("CL_PROFILING_INFO_NOT_AVAILABLE", 0)),
    ),
    call(
        "profile.end_is_first",
        "time/command.copy",
        ".commands.profiled",
        position(1, lambda what: {0x1280: 0x1283, 0x1283: 0x1280}.get(what, what)),
    ),
    call("profile.end_of_nothing", "time/sequence.3", ".wait.profiled", answer(lambda result: (result[0], 0))),
    call("wait.returns_at_once", "wait/1", ".wait.wait_for", lambda inner: lambda events: "CL_SUCCESS"),
    call("wait.error_lost", "wait/2.fails1", ".wait.wait_for", answer(lambda _: "CL_SUCCESS")),
    call(
        "retain.does_nothing",
        "wait/references.fill",
        ".wait.call",
        of_function("clRetainEvent", lambda inner: lambda *args: "CL_SUCCESS"),
    ),
    call("settwice", "wait/user.-1", ".wait.call", instead("CL_INVALID_OPERATION", "CL_SUCCESS")),
    call(
        "command_type.of_status",
        "command/waits.copy",
        ".commands.call",
        of_function("clGetEventInfo", position(2, lambda what: 0x11D3 if what == 0x11D1 else what)),
    ),
    call("timer.stands", "time/timer.host", ".wait.timers", lambda inner: lambda *args: ("CL_SUCCESS", 5, 5)),
]
