"""Queues that forget their properties, do not wait, or lose a command's place."""

from __future__ import annotations

from typing import Any

from mutation import api, compiler

from mutants.event import unheld
from mutants.memory import answer, keyword, of_function

RUN = "suites.kernels.queues.calls"


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
    api(
        "queue/properties.of_classic",
        "kernels/queue/create/array.classic",
        f"{RUN}.open_queue",
        lambda inner: lambda device, function, bits: inner(device, f"{function}WithProperties", [0x1093, bits]),
    ),
    api(
        "queue/properties.forgotten",
        "kernels/queue/create/properties.profiling",
        f"{RUN}.ask",
        lambda inner: lambda queue, what: 0 if what == 0x1093 else inner(queue, what),
    ),
    api(
        "queue/references.constant",
        "kernels/queue/create/properties.zero",
        f"{RUN}.ask",
        lambda inner: lambda queue, what: 1 if what == 0x1092 else inner(queue, what),
    ),
    api(
        "queue/refused.accepted",
        "kernels/queue/create/refused.*",
        f"{RUN}.open_queue",
        answer(lambda result: (result[0], "CL_SUCCESS")),
    ),
    api(
        "queue/finish.returns_at_once",
        "kernels/queue/sync/clFinish.fill",
        "suites.kernels.kit.opencl.call",
        of_function("clFinish", lambda inner: lambda *args: "CL_SUCCESS"),
    ),
    api(
        "queue/flush.fails",
        "kernels/queue/sync/clFlush.empty",
        "suites.kernels.kit.opencl.call",
        of_function("clFlush", lambda inner: lambda *args: "CL_INVALID_COMMAND_QUEUE"),
    ),
    api("queue/barrier.no_wait", "kernels/queue/sync/barrier.listed.out_of_order", "pyopencl.enqueue_barrier", unheld),
    api("queue/marker.no_wait", "kernels/queue/sync/marker.listed", "pyopencl.enqueue_marker", unheld),
    api(
        "queue/across.no_wait",
        "kernels/queue/sync/mark*.all",
        "pyopencl.enqueue_fill_buffer",
        keyword("wait_for", lambda _: None),
    ),
    api(
        "queue/create.default_on_device",
        "kernels/queue/create/default_on_device",
        f"{RUN}.call",
        lambda inner: _some_default,
    ),
    *(
        api(
            f"queue/order.{function}",
            f"kernels/queue/order/out_of_order.{function}.30",
            "suites.kernels.queues.sequence.call",
            of_function(function, lambda inner: lambda *args: (inner(*args), "CL_INVALID_OPERATION")[1]),
        )
        for function in ("clEnqueueBarrier", "clEnqueueMarker")
    ),
    api("queue/order.lost_fill", "kernels/queue/order/in_order.fill", "pyopencl.enqueue_fill_buffer", _lost_second),
    api(
        "queue/release.drops",
        "kernels/queue/sync/release.fill.1",
        "pyopencl.enqueue_fill_buffer",
        lambda inner: lambda queue, *args, **kwargs: __import__("pyopencl").enqueue_marker(queue),
    ),
    compiler("queue/order.no_addend", "kernels/queue/order/side_by_side.*", r"\+ c;", ";"),
]
