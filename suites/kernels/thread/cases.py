"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .table import JOBS, SHARING

ROWS = [
    Row("kernels/thread/job/*", "Threads that build, enqueue, map, wait", "OpenCL API 3.0, Appendix A", ""),
    Row("kernels/thread/wait/*", "Threads that wait for each other", "OpenCL API 3.0, Appendix A", ""),
    Row("kernels/thread/parts/*", "Threads on parts of one buffer", "OpenCL API 3.0, 5.2.4, Appendix A", "math_brute_force"),
    Row("kernels/thread/references/*", "Reference counts under threads", "OpenCL API 3.0, Appendix A", ""),
]
_AREA = Area("thread", ("execute",))


def cases() -> Iterator[Case]:
    """Several threads in one process."""
    for job, sharing in product(JOBS, SHARING):
        params = {"job": job, "sharing": sharing, "threads": 4, "rounds": 5}
        yield _AREA.case(f"job/{job}.{sharing}", "job", params=params)
    for job, threads in product(("launch", "build", "all"), (2, 16)):
        params = {"job": job, "sharing": "queues", "threads": threads, "rounds": 3}
        yield _AREA.case(f"job/{job}.queues.{threads}_threads", "job", params=params)
    for threads, user in product((2, 4, 12), (False, True)):
        name = f"wait/pipeline.{threads}{'.user_events' * user}"
        yield _AREA.case(name, "pipeline", threads=threads, user=user)
    for by, fails in product(("wait", "finish", "status"), (False, True)):
        if not (by == "finish" and fails):  # event/wait/after_error looks at that answer
            name = f"wait/many_for_one.{by}{'.fails' * fails}"
            yield _AREA.case(name, "waiters", threads=6, by=by, fails=fails)
    yield _AREA.case("parts/map", "parts", rounds=8)
    for what in ("buffer", "queue", "program", "context", "event"):
        yield _AREA.case(f"references/{what}", "references", what=what)
