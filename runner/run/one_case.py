"""One case in a worker of its own: what it prints, and how to repeat it by hand."""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path

from runner import catalogue
from runner.model import Case, ExitCode
from runner.run.launcher import child_environment
from runner.run.worker import Worker
from runner.run_config import RunConfig
from runner.verdict.judge import judge


def run_case(config: RunConfig, suite: catalogue.Suite, case: Case) -> ExitCode:
    """Run one case and print its output; REGRESSION where its verdict is red."""
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
    return ExitCode.REGRESSION if judgement.verdict.is_red() else ExitCode.GREEN
