"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .model import QUEUES, SHAPES, parameters
from .table import BLOCKING, COMMANDS, DEPRECATED

ROWS = [
    Row("kernels/event/graph/*", "Graphs of commands, markers, barriers and user events", "OpenCL API 3.0, 5.11", "events"),
    Row("kernels/event/command/*", "Each command behind an event, and its times", "OpenCL API 3.0, 5.11", "events"),
    Row("kernels/event/callback/*", "Event callbacks", "OpenCL API 3.0, 5.11", "events"),
    Row("kernels/event/wait/*", "Waiting, references, user events", "OpenCL API 3.0, 5.11", "events"),
    Row("kernels/event/time/*", "Profiling, timers", "OpenCL API 3.0, 5.15", "profiling"),
]
_AREA = Area("event", ("execute",), timeout_s=20)


def graph_cases() -> Iterator[Case]:
    """Graphs of dependences: each shape on each kind of queues, its gates opened in every order."""
    for shape, queues, gates in product(SHAPES, QUEUES, (1, 2)):
        needs = ("out_of_order",) * ("out" in queues)
        operations = ("data", "mixed")[(len(shape) + len(queues) + gates) % 2]
        orders = ([0],) if gates == 1 else ([0, 1], [1, 0])
        for order in orders:
            name = f"graph/{shape}.{queues}.{'then'.join(str(g) for g in order)}"
            params = parameters(shape, operations, queues, gates, order=order, fails=None)
            yield _AREA.case(name, "graph", *needs, params=params)
        for fails in range(gates):
            order = orders[-1]
            params = parameters(shape, operations, queues, gates, order=order, fails=fails)
            yield _AREA.case(f"graph/{shape}.{queues}.fails{fails}of{gates}", "graph", *needs, params=params)


def command_cases() -> Iterator[Case]:
    """Each command waits for its events, and ends with their error where they fail."""
    for command in COMMANDS:
        needs = ("images",) if "image" in command else ()
        yield _AREA.case(f"command/waits.{command}", "waits", *needs, command=command)
        for late in (False, True):
            name = f"command/{'failed_before' if late else 'fails'}.{command}"
            yield _AREA.case(name, "fails", *needs, command=command, late=late)
        yield _AREA.case(f"time/command.{command}", "profile", *needs, command=command, out_of_order=False)
        yield _AREA.case(
            f"time/out_of_order.{command}", "profile", *needs, "out_of_order", command=command, out_of_order=True
        )
        if not needs and command != "unmap":
            yield _AREA.case(f"command/status.{command}", "status_order", command=command)
    for command, (which, place) in product(("kernel", "fill", "copy", "read"), enumerate(("first", "second", "last"))):
        yield _AREA.case(f"command/fails_among.{command}.{place}", "fails_among", command=command, which=which)
    for command in ("kernel", "fill", "copy", "copy_rect", "image_fill", "image_copy", "image_to_buffer"):
        needs = ("images",) if "image" in command else ()
        yield _AREA.case(f"command/released.{command}", "released", *needs, command=command)
    for function in DEPRECATED:
        yield _AREA.case(f"command/type.{function}", "deprecated", function=function)
    for command in ("fill", "marker"):
        yield _AREA.case(f"time/not_yet.{command}", "no_profile_yet", command=command)
    for command, late in product(BLOCKING, (False, True)):
        if late and command not in ("read", "map"):
            continue
        needs = ("images",) if "image" in command else ()
        name = f"command/blocking_{'failed_before' if late else 'fails'}.{command}"
        yield _AREA.case(name, "blocking", *needs, command=command, late=late)


def callback_cases() -> Iterator[Case]:
    """Callbacks of events: of each kind, for each status, registered before and after it, of success and of failure."""
    for kind, on, late, fails in product(
        ("user", "marker", "barrier", "fill"),
        ("submitted", "running", "complete"),
        (False, True),
        (False, True),
    ):
        name = f"callback/{kind}.{on}.{'late' if late else 'early'}{'.fails' * fails}"
        params = {"kind": kind, "on": on, "late": late, "fails": fails, "count": 1}
        yield _AREA.case(name, "callback_once", params=params)
    for kind, on in (("user", "complete"), ("marker", "submitted"), ("fill", "running"), ("fill", "complete")):
        yield _AREA.case(f"callback/passed.{kind}.{on}", "callback_passed", kind=kind, on=on)
    for kind, fails in product(("user", "fill"), (False, True)):
        params = {"kind": kind, "on": "complete", "late": False, "fails": fails, "count": 32}
        yield _AREA.case(f"callback/many.{kind}{'.fails' * fails}", "callback_once", params=params)
    for kind, fails in product(("marker", "fill"), (False, True)):
        params = {"kind": kind, "fails": fails, "length": 5}
        yield _AREA.case(f"callback/chain.{kind}{'.fails' * fails}", "callback_states", params=params)
    for kind, act in product(("user", "fill"), ("status", "profile", "open", "retain", "register", "enqueue")):
        yield _AREA.case(f"callback/inside.{kind}.{act}", "callback_inside", kind=kind, act=act)


def wait_cases() -> Iterator[Case]:
    """clWaitForEvents: for one event and many, flushed or not, where some of them fail."""
    for count, flush in product((1, 2, 16), (True, False)):
        params = {"count": count, "flush": flush, "fails": None, "twice": False}
        yield _AREA.case(f"wait/{count}{'' if flush else '.not_flushed'}", "wait", params=params)
    for count, fails in ((1, 0), (2, 0), (2, 1), (16, 7)):
        params = {"count": count, "flush": True, "fails": fails, "twice": False}
        yield _AREA.case(f"wait/{count}.fails{fails}", "wait", params=params)
    yield _AREA.case("wait/twice_the_same", "wait", count=3, flush=True, fails=None, twice=True)
    for status in (0, -1, -14, -1234, -(2**31)):
        yield _AREA.case(f"wait/user.{status}", "user", status=status)
    for call, out, other in product(("clFlush", "clFinish"), (False, True), (False, True)):
        name = f"wait/after_error.{call}.{'out_of_order' if out else 'in_order'}{'.other_queue' * other}"
        needs = ("out_of_order",) * out
        yield _AREA.case(name, "sync_after_error", *needs, call=call, out_of_order=out, other=other)
    for kind in ("user", "fill"):
        yield _AREA.case(f"wait/references.{kind}", "references", kind=kind)
    for length in (2, 64, 500):
        yield _AREA.case(f"wait/released_chain.{length}", "dropped", length=length)
    yield _AREA.case("wait/long_chain", "long_chain", length=100_000)
    for length in (3, 40):
        yield _AREA.case(f"time/sequence.{length}", "sequence", length=length)
    yield _AREA.case("time/user", "no_profile")
    for which in ("host", "device"):
        yield _AREA.case(f"time/timer.{which}", "timer", which=which)
        yield _AREA.case(f"time/timer_null.{which}", "timer_null", which=which)
    yield _AREA.case("time/timer_and_profile", "timer_profile")


def cases() -> Iterator[Case]:
    """Events of commands, markers and users."""
    yield from graph_cases()
    yield from command_cases()
    yield from callback_cases()
    yield from wait_cases()
