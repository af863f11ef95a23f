"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from runner.model import Case, Tier

from ..coverage import Row
from .table import JOBS, SHARING

ROWS = [
    Row("kernels/thread/job/*", "Threads that build, enqueue, map, wait", "OpenCL API 3.0, Appendix A", ""),
    Row("kernels/thread/wait/*", "Threads that wait for each other", "OpenCL API 3.0, Appendix A", ""),
    Row("kernels/thread/references/*", "Reference counts under threads", "OpenCL API 3.0, Appendix A", ""),
]


def case(name: str, kind: str, slow: bool = True, /, **params: Any) -> Case:
    """One case; `slow` ones are left to the full tier."""
    tier = Tier.FULL if slow else Tier.PREMERGE
    return Case(f"kernels/thread/{name}", f"thread.{kind}", params, ("execute",), tier, None, 30.0)


def cases() -> Iterator[Case]:
    """Several threads in one process."""
    for job, sharing in product(JOBS, SHARING):
        params = {"job": job, "sharing": sharing, "threads": 4, "rounds": 5}
        yield case(f"job/{job}.{sharing}", "job", sharing != "queues" or job == "build_same", **params)
    for job, threads in product(("launch", "build", "all"), (2, 16)):
        params = {"job": job, "sharing": "queues", "threads": threads, "rounds": 3}
        yield case(f"job/{job}.queues.{threads}_threads", "job", **params)
    for threads, user in product((2, 4, 12), (False, True)):
        name = f"wait/pipeline.{threads}{'.user_events' * user}"
        yield case(name, "pipeline", threads != 4, threads=threads, user=user)
    for by, fails in product(("wait", "finish", "status"), (False, True)):
        if not (by == "finish" and fails):  # event/wait/after_error looks at that answer
            name = f"wait/many_for_one.{by}{'.fails' * fails}"
            yield case(name, "waiters", by != "wait", threads=6, by=by, fails=fails)
    for what in ("buffer", "queue", "program", "context", "event"):
        yield case(f"references/{what}", "references", what != "buffer", what=what)
