"""One case in a worker of its own: what it prints, and how to repeat it by hand."""

import contextlib
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from runner.cache_folder import cache_folder
from runner.cases import catalogue
from runner.child.environment import mask
from runner.lines import tell
from runner.model import Case, ExitCode, Result
from runner.output.evidence import show_evidence
from runner.output.files import write_text
from runner.records.evidence import Event, NativeStack, parse_events
from runner.run.launcher import plan_launch
from runner.run.worker import Worker
from runner.run_config import RunConfig
from runner.verdict.judge import deciding, judge
from runner.verdict.place import without_stacks


@contextlib.contextmanager
def opened_worker(config: RunConfig) -> Iterator[Worker]:
    """A worker whose child is ready, and is ended with the block. Raises InfrastructureError if there is no device."""
    with tempfile.TemporaryDirectory(prefix="runner-") as scratch:
        worker = Worker(config, Path(scratch))
        try:
            worker.start()
            worker.ensure_ready()
            yield worker
        finally:
            worker.stop()


def _describe(verdict: str, result: Result, events: Sequence[Event]) -> str:
    """The verdict first, then each attempt with what it printed, and the evidence."""
    parts = [verdict]
    for attempt in result.attempts:
        parts.append(f"{attempt.status} after {attempt.duration_s:.3f} s: {attempt.message}".rstrip(": "))
        parts.append(attempt.output.rstrip("\n"))
    return "\n".join(filter(None, [*parts, show_evidence(events) if events else ""]))


def _write_log(test_id: str, text: str) -> Path:
    path = cache_folder() / "run-case" / f"{test_id}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, f"{text}\n")
    return path


def run_case(config: RunConfig, suite: catalogue.Suite, case: Case) -> ExitCode:
    """Run one case and print its output; REGRESSION if its verdict is red."""
    with opened_worker(config) as worker:
        assert worker.expectations
        entry = worker.expectations.find(case.id)
        result = worker.run(suite, case, entry, last=True)
        entry = deciding(result.attempts, entry)
        evidence = worker.take_evidence()
    judgement = judge(result, entry)
    verdict = f"{judgement.verdict}: {case.id}" + (f" ({entry.source})" if entry else "")
    events = parse_events(evidence) if evidence else []
    whole = _describe(verdict, result, events)
    shown = without_stacks(_describe(verdict, result, [event for event in events if not isinstance(event, NativeStack)]))
    tell(shown)
    if shown != whole:
        tell(f"log: {_write_log(case.id, whole)}, with the stacks")
    tell("# The environment of the case; the same command in it repeats the case by hand:", file=sys.stderr)
    own = plan_launch(config).environment(cache_folder() / "by-hand")
    for name, value in own.items():
        tell(f"export {name}={shlex.quote(mask(value))}", file=sys.stderr)
    return ExitCode.REGRESSION if judgement.verdict.is_red() else ExitCode.GREEN
