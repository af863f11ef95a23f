"""Queues that forget their properties, do not wait, or lose a command's place."""

from typing import Any

from mutation import api_of, compiler

from mutants.event import unheld
from mutants.memory import answer, keyword, of_function

call = api_of("queue", folder="queues")


def _lost_second(inner: Any) -> Any:
    count = [0]

    def fill(*args: Any, **kwargs: Any) -> Any:
        import pyopencl as cl

        count[0] += 1
        return inner(*args, **kwargs) if count[0] % 5 else cl.enqueue_marker(args[0], kwargs.get("wait_for"))

    return fill


def _some_default(function: str, queue: int, query: int, size: int, room: Any, size_ret: Any) -> str:
    room._obj.value, size_ret._obj.value = queue, size
    return "CL_SUCCESS"


MUTANTS = [
    call(
        "properties.of_classic",
        "create/array.classic",
        ".calls.open_queue",
        lambda inner: lambda device, function, bits: inner(device, f"{function}WithProperties", [0x1093, bits]),
    ),
    call(
        "properties.forgotten",
        "create/properties.profiling",
        ".calls.ask",
        lambda inner: lambda queue, what: 0 if what == 0x1093 else inner(queue, what),
    ),
    call(
        "references.constant",
        "create/properties.zero",
        ".calls.ask",
        lambda inner: lambda queue, what: 1 if what == 0x1092 else inner(queue, what),
    ),
    call("refused.accepted", "create/refused.*", ".calls.open_queue", answer(lambda result: (result[0], "CL_SUCCESS"))),
    call(
        "finish.returns_at_once",
        "sync/clFinish.fill",
        "suites.kernels.kit.opencl.call",
        of_function("clFinish", lambda inner: lambda *args: "CL_SUCCESS"),
    ),
    call(
        "flush.fails",
        "sync/clFlush.empty",
        "suites.kernels.kit.opencl.call",
        of_function("clFlush", lambda inner: lambda *args: "CL_INVALID_COMMAND_QUEUE"),
    ),
    call("barrier.no_wait", "sync/barrier.listed.out_of_order", "pyopencl.enqueue_barrier", unheld),
    call("marker.no_wait", "sync/marker.listed", "pyopencl.enqueue_marker", unheld),
    call("across.no_wait", "sync/mark*.all", "pyopencl.enqueue_fill_buffer", keyword("wait_for", lambda _: None)),
    call("create.default_on_device", "create/default_on_device", ".calls.call", lambda inner: _some_default),
    *(
        call(
            f"order.{function}",
            f"order/out_of_order.{function}.30",
            ".sequence.call",
            of_function(function, lambda inner: lambda *args: (inner(*args), "CL_INVALID_OPERATION")[1]),
        )
        for function in ("clEnqueueBarrier", "clEnqueueMarker")
    ),
    call("order.lost_fill", "order/in_order.fill", "pyopencl.enqueue_fill_buffer", _lost_second),
    call(
        "release.drops",
        "sync/release.fill.1",
        "pyopencl.enqueue_fill_buffer",
        lambda inner: lambda queue, *args, **kwargs: __import__("pyopencl").enqueue_marker(queue),
    ),
    compiler("queue/order.no_addend", "kernels/queue/order/side_by_side.*", r"\+ c;", ";"),
]
