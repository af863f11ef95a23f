"""One case in a worker of its own: what it prints, and how to repeat it by hand."""

from __future__ import annotations

import contextlib
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from runner.cache_folder import cache_folder
from runner.cases import catalogue
from runner.child.environment import mask
from runner.drivers.registry import driver_of
from runner.lines import tell
from runner.model import Case, ExitCode
from runner.output.evidence import show_evidence
from runner.records.evidence import parse_events
from runner.run.launcher import child_environment
from runner.run.worker import Worker
from runner.run_config import RunConfig
from runner.verdict.judge import deciding, judge


@contextlib.contextmanager
def opened_worker(config: RunConfig) -> Iterator[Worker]:
    """A worker whose child is ready, and is ended with the block. Raises InfrastructureError where there is no device."""
    with tempfile.TemporaryDirectory(prefix="runner-") as scratch:
        worker = Worker(config, Path(scratch))
        try:
            worker.start()
            worker.ensure_ready()
            yield worker
        finally:
            worker.stop()


def run_case(config: RunConfig, suite: catalogue.Suite, case: Case) -> ExitCode:
    """Run one case and print its output; REGRESSION where its verdict is red."""
    with opened_worker(config) as worker:
        assert worker.expectations
        entry = worker.expectations.find(case.id)
        result = worker.run(suite, case, entry, last=True)
        entry = deciding(result.attempts, entry)
        evidence = worker.take_evidence()
    judgement = judge(result, entry)
    tell(f"{judgement.verdict}: {case.id}" + (f" ({entry.source})" if entry else ""))
    for attempt in result.attempts:
        tell(f"{attempt.status} after {attempt.duration_s:.3f} s: {attempt.message}".rstrip(": "))
        tell(attempt.output, end="")
    if evidence:
        tell(show_evidence(parse_events(evidence)))
    tell("# The environment of the case; the same command in it repeats the case by hand:", file=sys.stderr)
    own = child_environment(config, driver_of(config), cache_folder() / "by-hand")
    for name, value in own.items():
        tell(f"export {name}={shlex.quote(mask(value))}", file=sys.stderr)
    return ExitCode.REGRESSION if judgement.verdict.is_red() else ExitCode.GREEN
