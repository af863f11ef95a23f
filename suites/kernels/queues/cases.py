"""The cases of the area."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from runner.model import Case

from ..areas import Area, combine
from .table import FUNCTIONS, ORDERINGS, PROPERTIES, REFUSED

MIXES = (
    *("fill", "copy", "kernel", "fill_kernel", "copy_kernel", "rect_kernel", "write_kernel", "map_kernel", "whole_kernel"),
    "all",
)
_AREA = Area("queue", ("execute",), folder="queues", timeout_s=20)


def create_cases() -> Iterator[Case]:
    """Queues with all properties, by every function that creates one."""
    for (short, function), (name, bits) in product(FUNCTIONS.items(), PROPERTIES.items()):
        khr = ("cl_khr_create_command_queue",) * (short == "khr")
        if (short, name) != ("classic", "none"):  # its properties are a number
            params = {"function": function, "properties": name}
            yield _AREA.case(f"create/{short}.{name}", "create", *_out((bits or 0) & 1), *khr, params=params)
    for name, properties in (("null", []), ("in_order", [0x1093, 0]), ("profiling", [0x1093, 2]), ("classic", None)):
        yield _AREA.case(f"create/array.{name}", "properties_array", given=properties)
    yield _AREA.case("create/size_of_host_queue", "size")
    yield _AREA.case("create/default_on_device", "device_default", "opencl3")
    for name, (given, allowed, unless) in REFUSED.items():
        folder = "hint" if unless else "refused"
        yield _AREA.case(f"create/{folder}.{name}", "refused", given=given, allowed=allowed, unless=unless)


def _out(out_of_order: Any) -> tuple[str, ...]:
    return ("out_of_order",) if out_of_order else ()


def order_cases() -> Iterator[Case]:
    """Commands in order and out of order, and how barriers and markers change the order."""
    for mix, gated in product(MIXES, (False, True)):
        if not (gated and mix == "map_kernel"):  # its mappings are blocking
            yield _AREA.case("order/in_order.{mix}{gated:.gated}", "in_order", mix=mix, count=12, gated=gated)
    rows = combine(mix=["all"], count=(200, 1000), gated=(False, True))
    yield from _AREA.each("order/in_order.{count}{gated:.gated}", "in_order", rows)
    rows = combine(by=("events", *ORDERINGS), count=(8, 30, 100))
    yield from _AREA.each("order/out_of_order.{by}.{count}", "out_of_order", rows, "out_of_order")
    for queues, rounds in ((2, 8), (4, 4), (16, 2)):
        yield _AREA.case("order/ring.{queues}", "ring", queues=queues, rounds=rounds)
    for queues, count in ((2, 10), (8, 6), (32, 4)):
        yield _AREA.case("order/side_by_side.{queues}", "side_by_side", queues=queues, count=count)


def sync_cases() -> Iterator[Case]:
    """clFlush and clFinish, after each kind of command."""
    calls, both = ("clFlush", "clFinish"), (False, True)
    for params in combine(call=calls, kind=("fill", "kernel", "marker", "barrier"), out_of_order=both):
        name = "sync/{call}.{kind}{out_of_order:.out_of_order}"
        yield _AREA.case(name, "sync", *_out(params["out_of_order"]), params=params)
    yield from _AREA.each("sync/{call}.{used:over|empty}", "empty", combine(call=calls, used=both))
    for out in both:
        name = "sync/clFinish.last{out_of_order:.out_of_order}"
        yield _AREA.case(name, "finish_waits", *_out(out), out_of_order=out)
    for kind, count in (("fill", 1), ("kernel", 1), ("marker", 1), ("kernel", 50)):
        yield _AREA.case("sync/release.{kind}.{count}", "release", kind=kind, count=count)
    yield from _AREA.each("sync/across.{by}", "across", combine(by=(*calls, "read", "wait")))
    for params in combine(kind=("marker", "barrier"), listed=both, out_of_order=both):
        name = "sync/{kind}.{listed:listed|all}{out_of_order:.out_of_order}"
        yield _AREA.case(name, "mark", *_out(params["out_of_order"]), params=params)


def cases() -> Iterator[Case]:
    """Command queues of the host."""
    yield from create_cases()
    yield from order_cases()
    yield from sync_cases()
