"""Entries that no run has seen failing for a long time: from results directories, or from the history."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.drivers.registry import Driver
from runner.expectations.folder import read_files
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.maintenance.evidence import load_runs
from runner.maintenance.finding import LintFinding
from runner.maintenance.sources import Folder
from runner.model import Expectation, FileKind, Status
from runner.records.history import History
from runner.verdict.intervals import is_healed
from runner.verdict.judge import BAD

# A fails entry says that a test fails whenever it runs. After this many runs without a failure the 95 % interval of its
# rate ends at 28 %: so the entry is not true. A flake needs a rate, and as many passes as
# make chance incredible at that rate.
QUIET_RUNS = 10


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one run showed: the statuses of the attempts at each test."""

    target: Target
    statuses: Mapping[str, Sequence[Status]]


def sightings_of_results(places: Iterable[Path], registered: Mapping[str, Driver]) -> list[Sighting]:
    """From results directories that are evidence, oldest first."""
    runs, _ = load_runs(places, registered)
    return [Sighting(run.target, {i: [a.status for a in r.attempts] for i, r in run.results.items()}) for run in runs]


def sightings_of_history(path: Path, tests: Collection[str]) -> list[Sighting]:
    """From the history's runs without a fault or a variant, oldest first, as far as they tried these tests."""
    with History(path) as history:
        runs = [run for run in history.runs() if not run.fault and not run.variant]
        seen: dict[int, dict[str, list[Status]]] = {run.id: {} for run in runs}
        for test_id, executions in history.executions(runs, tests).items():
            for execution in executions:
                seen[execution.run.id].setdefault(test_id, []).append(execution.status)
    return [Sighting(run.target, seen[run.id]) for run in runs]


def find_quiet(
    folder: Folder, expectations: Path, sightings: Sequence[Sighting], quiet_runs: int | None
) -> Iterator[LintFinding]:
    """Entries that have not failed in the newest `quiet_runs` runs that ran the tests they decide about.

    `quiet_runs` None: QUIET_RUNS for an entry without a rate; with one, as many passes as make the rate incredible. An entry
    that still fails in one of the targets that it decides for is not quiet.
    """
    seen = _by_line(expectations, sightings)
    for source in folder.sources:
        if source.kind is FileKind.SKIPS:
            continue
        for entry in source.file.entries:
            since = [_since_failure(rows) for rows in seen.get(entry.source, {}).values()]
            total = (sum(runs for runs, _, _ in since), sum(passes for _, passes, _ in since))
            if _is_quiet(entry, *total, quiet_runs) and all(
                _is_quiet(entry, runs, passes, quiet_runs) for runs, passes, failed in since if failed
            ):
                yield LintFinding.at(
                    entry.source,
                    "quiet",
                    f"{entry.pattern} was not seen failing in {total[0]} runs ({total[1]} passes)",
                    "delete it, or `runner expect update` with these runs",
                )


def _is_quiet(entry: Expectation, runs: int, passes: int, quiet_runs: int | None) -> bool:
    if entry.mark == "pending":
        return runs >= 1  # it waited for only one run of the board
    if quiet_runs is None and entry.rate:
        return is_healed(entry.rate, passes)
    return runs >= (quiet_runs or QUIET_RUNS)


def _since_failure(rows: Sequence[tuple[int, bool]]) -> tuple[int, int, bool]:
    """Runs and passes after the last failure, and whether there was one."""
    quiet = list(itertools.takewhile(lambda row: not row[1], reversed(rows)))
    return len(quiet), sum(passes for passes, _ in quiet), len(quiet) < len(rows)


def _by_line(expectations: Path, sightings: Sequence[Sighting]) -> dict[str, dict[Target, list[tuple[int, bool]]]]:
    """For each entry and target, and each run that executed its tests: passes, and whether there was a failure."""
    by_target: dict[Target, Expectations] = {}
    deciding: dict[tuple[Target, str], str] = {}
    seen: dict[str, dict[Target, list[tuple[int, bool]]]] = {}
    for sighting in sightings:
        target = sighting.target
        if target not in by_target:
            by_target[target] = Expectations(target, read_files(expectations, target.driver))
        own: dict[str, list[Status]] = {}
        for test_id, statuses in sighting.statuses.items():
            key = (target, test_id)
            if key not in deciding:
                entry = by_target[target].find(test_id)
                deciding[key] = entry.source if entry else ""
            own.setdefault(deciding[key], []).extend(statuses)
        for place, statuses in own.items():
            passes, failed = statuses.count(Status.PASS), not BAD.isdisjoint(statuses)
            if passes or failed:
                seen.setdefault(place, {}).setdefault(target, []).append((passes, failed))
    return seen
