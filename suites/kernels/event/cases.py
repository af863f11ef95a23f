"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from .model import QUEUES, SHAPES, parameters
from .table import BLOCKING, COMMANDS, DEPRECATED

_AREA = Area("event", ("execute",), timeout_s=20)


def graph_cases() -> Iterator[Case]:
    """Graphs of dependences: each shape on each kind of queues, with gates that open in every order."""
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
    """Each command waits for its events, and ends with their error if they fail."""
    for command in COMMANDS:
        needs = ("images",) * ("image" in command)
        rows = [{"command": command, "late": late} for late in (False, True)]
        yield _AREA.case("command/waits.{command}", "waits", *needs, command=command)
        yield from _AREA.each("command/{late:failed_before|fails}.{command}", "fails", rows, *needs)
        yield _AREA.case("time/command.{command}", "profile", *needs, command=command, out_of_order=False)
        needed = (*needs, "out_of_order")
        yield _AREA.case("time/out_of_order.{command}", "profile", *needed, command=command, out_of_order=True)
        if not needs and command != "unmap":
            yield _AREA.case("command/status.{command}", "status_order", command=command)
    for command, (which, place) in product(("kernel", "fill", "copy", "read"), enumerate(("first", "second", "last"))):
        yield _AREA.case(f"command/fails_among.{command}.{place}", "fails_among", command=command, which=which)
    for command in ("kernel", "fill", "copy", "copy_rect", "image_fill", "image_copy", "image_to_buffer"):
        needs = ("images",) * ("image" in command)
        yield _AREA.case("command/released.{command}", "released", *needs, command=command)
    yield from _AREA.each("command/type.{function}", "deprecated", combine(function=DEPRECATED))
    yield from _AREA.each("time/not_yet.{command}", "no_profile_yet", combine(command=("fill", "marker")))
    for command, late in product(BLOCKING, (False, True)):
        if not late or command in ("read", "map"):
            needs = ("images",) * ("image" in command)
            name = "command/blocking_{late:failed_before|fails}.{command}"
            yield _AREA.case(name, "blocking", *needs, command=command, late=late)


def callback_cases() -> Iterator[Case]:
    """Callbacks: for events of each kind and each status, registered before and after it, on success and on failure."""
    kinds, both = ("user", "marker", "barrier", "fill"), (False, True)
    rows = combine(kind=kinds, on=("submitted", "running", "complete"), late=both, fails=both)
    yield from _AREA.each("callback/{kind}.{on}.{late:late|early}{fails:.fails}", "callback_once", rows, count=1)
    for kind, on in (("user", "complete"), ("marker", "submitted"), ("fill", "running"), ("fill", "complete")):
        yield _AREA.case("callback/passed.{kind}.{on}", "callback_passed", kind=kind, on=on)
    rows = combine(kind=("user", "fill"), on=["complete"], late=[False], fails=both, count=[32])
    yield from _AREA.each("callback/many.{kind}{fails:.fails}", "callback_once", rows)
    rows = combine(kind=("marker", "fill"), fails=both, length=[5])
    yield from _AREA.each("callback/chain.{kind}{fails:.fails}", "callback_states", rows)
    rows = combine(kind=("user", "fill"), act=("status", "profile", "open", "retain", "register", "enqueue"))
    yield from _AREA.each("callback/inside.{kind}.{act}", "callback_inside", rows)


def wait_cases() -> Iterator[Case]:
    """clWaitForEvents for one event and for many, flushed or not, some of which fail."""
    rows = combine(count=(1, 2, 16), flush=(True, False))
    yield from _AREA.each("wait/{count}{flush:|.not_flushed}", "wait", rows, fails=None, twice=False)
    for count, fails in ((1, 0), (2, 0), (2, 1), (16, 7)):
        params = {"count": count, "flush": True, "fails": fails, "twice": False}
        yield _AREA.case("wait/{count}.fails{fails}", "wait", params=params)
    yield _AREA.case("wait/twice_the_same", "wait", count=3, flush=True, fails=None, twice=True)
    yield from _AREA.each("wait/user.{status}", "user", combine(status=(0, -1, -14, -1234, -(2**31))))
    for params in combine(call=("clFlush", "clFinish"), out_of_order=(False, True), other=(False, True)):
        name = "wait/after_error.{call}.{out_of_order:out_of_order|in_order}{other:.other_queue}"
        yield _AREA.case(name, "sync_after_error", *("out_of_order",) * params["out_of_order"], params=params)
    yield from _AREA.each("wait/references.{kind}", "references", combine(kind=("user", "fill")))
    yield from _AREA.each("wait/released_chain.{length}", "dropped", combine(length=(2, 64, 500)))
    yield _AREA.case("wait/long_chain", "long_chain", length=100_000)
    yield from _AREA.each("time/sequence.{length}", "sequence", combine(length=(3, 40)))
    yield _AREA.case("time/user", "no_profile")
    for which in ("host", "device"):
        yield _AREA.case("time/timer.{which}", "timer", which=which)
        yield _AREA.case("time/timer_null.{which}", "timer_null", which=which)
    yield _AREA.case("time/timer_and_profile", "timer_profile")


def cases() -> Iterator[Case]:
    """Events of commands, markers and users."""
    yield from graph_cases()
    yield from command_cases()
    yield from callback_cases()
    yield from wait_cases()
