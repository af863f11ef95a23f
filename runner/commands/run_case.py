"""`runner run-case ID`: one case, what it prints, and how to repeat it by hand."""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path

from runner import catalogue
from runner.model import Case, RunConfig, UsageError
from runner.run.launcher import child_environment
from runner.run.worker import Worker
from runner.verdict.judge import judge


def find_case(config: RunConfig, test_id: str) -> tuple[catalogue.Suite, Case]:
    """The case of this id and its suite. Raises UsageError for an unknown id and for a glob."""
    known = catalogue.load(Path(config.suites))
    (found,) = catalogue.match(known.cases, test_id)[:1]
    if found != test_id:
        raise UsageError(f"{test_id!r} is a glob; give one id, as {found!r}")
    return known.suite_of(test_id), known.cases[test_id]


def run_case(config: RunConfig, suite: catalogue.Suite, case: Case) -> int:
    """Run one case, and print what it printed; returns 0 where it went as expected, else 1."""
    with tempfile.TemporaryDirectory(prefix="runner-") as scratch:
        worker = Worker(config, Path(scratch))
        by_hand = Path(tempfile.mkdtemp(prefix="runner-by-hand-"))  # stays: what is printed points there
        environment = child_environment(config, worker.driver, by_hand)
        print("# The environment of the case; the same command in it repeats the case by hand:", file=sys.stderr)
        for name, value in environment.items():
            print(f"export {name}={shlex.quote(value)}", file=sys.stderr)
        try:
            worker.start()
            worker.ensure_ready()
            assert worker.expectations
            line = worker.expectations.find(case.id)
            result = worker.run(suite, case, line)
        finally:
            worker.stop()
    judgement = judge(result, line)
    for attempt in result.attempts:
        print(attempt.output, end="")
        print(f"{attempt.status} after {attempt.duration_s:.3f} s: {attempt.message}".rstrip(": "))
    print(f"{judgement.verdict}: {case.id}" + (f" ({line.source})" if line else ""))
    return int(judgement.verdict.is_red())
