"""State that threads of one process could take from each other."""

from typing import Any

from mutation import api_of, compiler_of

from mutants.event import twice, with_callback
from mutants.memory import answer, keyword, of_function, position

called = api_of("thread")

source = compiler_of("thread")


def _every_hundredth(inner: Any) -> Any:
    count = [0]

    def call(*args: Any) -> Any:
        count[0] += 1
        return inner(*args) if count[0] % 100 else "CL_SUCCESS"

    return call


def _one_for_all(inner: Any) -> Any:
    buffers: dict[Any, Any] = {}

    def buffer(self: Any, content: Any) -> Any:
        return (
            inner(self, content) if isinstance(content, int) else buffers.setdefault(len(buffers) // 3, inner(self, content))
        )

    return buffer


MUTANTS = [
    source("build.shared_constant", "job/launch.queues", r"\* 3", "* 5"),
    called(
        "references.lost_release", "references/buffer", ".threads.call", of_function("clReleaseMemObject", _every_hundredth)
    ),
    called("callback.twice", "job/callback.queues", ".job.callback", with_callback(twice)),
    called("map.neighbour", "job/map.queues", "pyopencl.enqueue_map_buffer", position(3, lambda offset: offset & ~7)),
    called("transfer.no_offset", "job/transfer.queues", "pyopencl.enqueue_copy", keyword("dst_offset", lambda _: 0)),
    called("fill.first_only", "job/fill.queues", "pyopencl.enqueue_fill_buffer", position(4, lambda size: size // 2)),
    called("buffers.shared", "job/launch.queues", "runner.device.Device.buffer", _one_for_all),
    called(
        "wait.error_lost",
        "wait/many_for_one.wait.fails",
        ".threads.call",
        of_function("clWaitForEvents", answer(lambda _: "CL_SUCCESS")),
    ),
    source("parts.shifted", "parts/map", r"o\[x\] = y", "o[x & ~1] = y"),
    source("pipeline.stale", "wait/pipeline.4", r"a\[0\] \* 3", "3"),
]
