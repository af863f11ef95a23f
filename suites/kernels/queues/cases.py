"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .table import FUNCTIONS, ORDERINGS, PROPERTIES, REFUSED

ROWS = [
    Row("kernels/queue/create/*", "Queues: properties, queries, hints", "OpenCL API 3.0, 5.1", "api"),
    Row("kernels/queue/order/*", "Order of commands, in one queue and between queues", "OpenCL API 3.0, 3.2", "basic"),
    Row("kernels/queue/sync/*", "Flush, finish, release, markers, barriers", "OpenCL API 3.0, 5.12, 5.16", "events"),
]
MIXES = (
    "fill",
    "copy",
    "kernel",
    "fill_kernel",
    "copy_kernel",
    "rect_kernel",
    "write_kernel",
    "map_kernel",
    "all",
)
_AREA = Area("queue", ("execute",), folder="queues", timeout_s=20)


def create_cases() -> Iterator[Case]:
    """Queues of all properties, by every function that creates one."""
    for (short, function), (name, bits) in product(FUNCTIONS.items(), PROPERTIES.items()):
        needs = (
            *("out_of_order",) * bool((bits or 0) & 1),
            *("cl_khr_create_command_queue",) * (short == "khr"),
        )
        if (short, name) != ("classic", "none"):  # its properties are a number
            params: dict[str, Any] = {"function": function, "properties": name}
            yield _AREA.case(f"create/{short}.{name}", "create", *needs, params=params)
    for name, properties in (("null", []), ("in_order", [0x1093, 0]), ("profiling", [0x1093, 2])):
        yield _AREA.case(f"create/array.{name}", "properties_array", given=properties)
    yield _AREA.case("create/array.classic", "properties_array", given=None)
    yield _AREA.case("create/size_of_host_queue", "size")
    yield _AREA.case("create/default_on_device", "device_default", "opencl3")
    for name, (properties, allowed, unless) in REFUSED.items():
        params = {"given": properties, "allowed": allowed, "unless": unless}
        yield _AREA.case(f"create/{'hint' if unless else 'refused'}.{name}", "refused", params=params)


def order_cases() -> Iterator[Case]:
    """Commands in order and out of order, and what barriers and markers make of the order."""
    for mix, gated in product(MIXES, (False, True)):
        if not (gated and mix == "map_kernel"):  # a mapping is waited for
            name = f"order/in_order.{mix}{'.gated' * gated}"
            yield _AREA.case(name, "in_order", mix=mix, count=12, gated=gated)
    for count in (200, 1000):
        yield _AREA.case(f"order/in_order.{count}", "in_order", mix="all", count=count, gated=False)
        yield _AREA.case(f"order/in_order.{count}.gated", "in_order", mix="all", count=count, gated=True)
    for by, count in product(("events", *ORDERINGS), (8, 30, 100)):
        params = {"by": by, "count": count}
        yield _AREA.case(f"order/out_of_order.{by}.{count}", "out_of_order", "out_of_order", params=params)
    for queues, rounds in ((2, 8), (4, 4), (16, 2)):
        yield _AREA.case(f"order/ring.{queues}", "ring", queues=queues, rounds=rounds)
    for queues, count in ((2, 10), (8, 6), (32, 4)):
        yield _AREA.case(f"order/side_by_side.{queues}", "side_by_side", queues=queues, count=count)


def sync_cases() -> Iterator[Case]:
    """clFlush and clFinish, after each kind of command."""
    for call, kind, out in product(("clFlush", "clFinish"), ("fill", "kernel", "marker", "barrier"), (False, True)):
        name = f"sync/{call}.{kind}{'.out_of_order' * out}"
        needs = ("out_of_order",) * out
        yield _AREA.case(name, "sync", *needs, call=call, kind=kind, out_of_order=out)
    for call, used in product(("clFlush", "clFinish"), (False, True)):
        yield _AREA.case(f"sync/{call}.{'over' if used else 'empty'}", "empty", call=call, used=used)
    for out in (False, True):
        needs = ("out_of_order",) * out
        yield _AREA.case(f"sync/clFinish.last{'.out_of_order' * out}", "finish_waits", *needs, out_of_order=out)
    for kind, count in (("fill", 1), ("kernel", 1), ("marker", 1), ("kernel", 50)):
        yield _AREA.case(f"sync/release.{kind}.{count}", "release", kind=kind, count=count)
    for by in ("clFlush", "clFinish", "read", "wait"):
        yield _AREA.case(f"sync/across.{by}", "across", by=by)
    for kind, listed, out in product(("marker", "barrier"), (False, True), (False, True)):
        name = f"sync/{kind}.{'listed' if listed else 'all'}{'.out_of_order' * out}"
        needs = ("out_of_order",) * out
        yield _AREA.case(name, "mark", *needs, kind=kind, listed=listed, out_of_order=out)


def cases() -> Iterator[Case]:
    """Command queues of the host."""
    yield from create_cases()
    yield from order_cases()
    yield from sync_cases()
