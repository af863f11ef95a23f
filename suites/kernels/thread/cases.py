"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from .table import JOBS, SHARING

_AREA = Area("thread", ("execute",))


def cases() -> Iterator[Case]:
    """Several threads in one process."""
    yield from _AREA.each("job/{job}.{sharing}", "job", combine(job=JOBS, sharing=SHARING), threads=4, rounds=5)
    rows = combine(job=("launch", "build", "all"), sharing=["queues"], threads=(2, 16))
    yield from _AREA.each("job/{job}.queues.{threads}_threads", "job", rows, rounds=3)
    rows = combine(threads=(2, 4, 12), user=(False, True))
    yield from _AREA.each("wait/pipeline.{threads}{user:.user_events}", "pipeline", rows)
    for by, fails in product(("wait", "finish", "status"), (False, True)):
        if not (by == "finish" and fails):  # event/wait/after_error tests this answer
            yield _AREA.case("wait/many_for_one.{by}{fails:.fails}", "waiters", threads=6, by=by, fails=fails)
    yield _AREA.case("parts/map", "parts", rounds=8)
    rows = combine(what=("buffer", "queue", "program", "context", "event"))
    yield from _AREA.each("references/{what}", "references", rows)
