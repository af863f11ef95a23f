"""What the site shows of a history: for every target and release of Mesa its tests' last results, and those over time."""

import enum
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.model import Attempt, Expectation, Status
from runner.records.history import Execution, History, Run
from runner.releases import series_of
from runner.verdict.judge import BAD, SEVERITY, deciding

_RUNS = 60  # newest ones of a target and release


class RunOutcome(enum.StrEnum):
    """The outcome of a test in a run, all attempts together."""

    PASS = "pass"
    FAIL = "fail"
    CRASH = "crash"
    TIMEOUT = "timeout"
    FLAKE = "flake"
    SKIP = "skip"

    @property
    def is_bad(self) -> bool:
        """True if no attempt passed."""
        return self in (RunOutcome.FAIL, RunOutcome.CRASH, RunOutcome.TIMEOUT)

    @property
    def failed(self) -> bool:
        """True if an attempt did not pass."""
        return self.is_bad or self is RunOutcome.FLAKE


@dataclass(frozen=True, slots=True)
class TestInRun:
    """One test in one run."""

    run: Run
    outcome: RunOutcome
    message: str = ""


@dataclass(slots=True)
class Count:
    """Tests of an area by what they did last: a failure is `known` if an entry expects it, else `new`."""

    counts: Counter[str] = field(default_factory=Counter)

    @property
    def ran(self) -> int:
        """Without those that were skipped."""
        return self.counts.total() - self.counts["skip"]

    @property
    def rate(self) -> str:
        """The percentage of passes among those that ran; never rounded up to 100."""
        return f"{1000 * self.counts['pass'] // self.ran / 10:.1f} %" if self.ran else ""


@dataclass(frozen=True)
class Series:
    """All runs of one target with one release of Mesa, oldest first."""

    runs: tuple[Run, ...]
    expectations: Expectations
    last: dict[str, TestInRun]  # of each test

    @property
    def target(self) -> Target:
        """Of the newest run."""
        return self.runs[-1].target

    @property
    def mesa(self) -> str:
        """The release, as `25.0`."""
        return self.target.mesa or "?"

    @property
    def name(self) -> str:
        """The target without its release."""
        return target_name(self.runs[-1])

    @cached_property
    def entries(self) -> dict[str, Expectation]:
        """The entries that expect a test of these runs to fail, or to flake, by test."""
        listed = {entry.pattern for entry in self.expectations.entries()} & self.last.keys()
        failed = {i for i, sight in self.last.items() if sight.outcome.failed}
        return {i: entry for i in sorted(listed | failed) if (entry := self._entry_of(i))}

    def _entry_of(self, test_id: str) -> Expectation | None:
        entry, sight = self.expectations.find(test_id), self.last[test_id]
        if entry is None or not entry.is_family:
            return entry
        return (
            deciding([Attempt(Status[sight.outcome.name], message=sight.message)], entry) if sight.outcome.is_bad else None
        )

    @cached_property
    def areas(self) -> dict[str, Count]:
        """The counts of each area, and under "" those of all."""
        found: dict[str, Count] = {"": Count()}
        for test_id, sight in self.last.items():
            word = ("known" if test_id in self.entries else "new") if sight.outcome.is_bad else str(sight.outcome)
            for area in ("", area_of(test_id)):
                found.setdefault(area, Count()).counts[word] += 1
        return found


@dataclass(frozen=True)
class SiteData:
    """The data of all pages."""

    series: tuple[Series, ...]
    bad: dict[str, list[TestInRun]]  # of each test that ever failed or flaked, of each series the oldest first
    counts: dict[int, Counter[str]]  # of each run, by its number: tests by outcome
    left_out: tuple[Run, ...] = ()  # runs with a fault of the machine, and those that are too old

    @cached_property
    def by_key(self) -> dict[tuple[Target, str], Series]:
        """Each series by the keys that its runs share."""
        return {s.runs[-1].series: s for s in self.series}

    @cached_property
    def targets(self) -> dict[str, list[Series]]:
        """The series of each target, by release."""
        return {name: list(own) for name, own in itertools.groupby(self.series, lambda s: s.name)}

    @cached_property
    def releases(self) -> list[str]:
        """All releases of Mesa, the oldest first."""
        return sorted({s.mesa for s in self.series}, key=series_of)

    @cached_property
    def areas(self) -> list[str]:
        """All areas by name."""
        return sorted({area for s in self.series for area in s.areas} - {""})

    @cached_property
    def bad_in(self) -> dict[int, dict[str, TestInRun]]:
        """What failed or flaked in each run, by its number."""
        found: dict[int, dict[str, TestInRun]] = {}
        for test_id, own in self.bad.items():
            for sight in own:
                if sight.outcome.failed:
                    found.setdefault(sight.run.id, {})[test_id] = sight
        return found

    @cached_property
    def bugs(self) -> dict[int, list[tuple[Series, str]]]:
        """The tests whose entry names a bug, in each series."""
        found: dict[int, list[tuple[Series, str]]] = {}
        for series in self.series:
            for test_id, entry in series.entries.items():
                found.setdefault(entry.bug, []).append((series, test_id))
        return found


def load_site(history: History, expectations_of: Callable[[Target], Expectations]) -> SiteData:
    """Read a history; `expectations_of` finds the entries that apply to a target."""
    groups = [own for runs in history.series() if (own := [run for run in runs if not run.fault][-_RUNS:])]
    statuses = [history.statuses(runs) for runs in groups]
    bad: dict[str, list[TestInRun]] = {
        i: [] for i in sorted({i for names in statuses for i, ended in names.items() if ended & BAD})
    }
    counts: dict[int, Counter[str]] = {run.id: Counter() for runs in groups for run in runs}
    series = []
    for runs, names in sorted(zip(groups, statuses, strict=True), key=lambda group: _order(group[0])):
        last = {}
        for test_id, executions in history.executions(runs, names).items():
            seen = list(by_run(executions))
            last[test_id] = seen[-1]
            if test_id in bad:
                bad[test_id] += seen
            for sight in seen:
                counts[sight.run.id][sight.outcome] += 1
        series.append(Series(tuple(runs), expectations_of(runs[-1].target), last))
    shown = {run.id for runs in groups for run in runs}
    left_out = tuple(run for runs in history.series() for run in runs if run.id not in shown)
    return SiteData(tuple(series), bad, counts, left_out)


def by_run(executions: Sequence[Execution]) -> Iterator[TestInRun]:
    """The executions of one test, those of a run together."""
    for run, own in itertools.groupby(executions, lambda e: e.run):
        tried = list(own)
        ran = [e for e in tried if e.status is not Status.SKIP]
        bad = [e for e in ran if e.status in BAD]
        worst = max((e.status for e in bad), key=SEVERITY.index, default=Status.PASS)
        message = next((e.message for e in bad if e.status is worst), "")
        if not ran:
            yield TestInRun(run, RunOutcome.SKIP)
        elif bad and len(bad) < len(ran):
            yield TestInRun(run, RunOutcome.FLAKE, message)
        else:
            yield TestInRun(run, RunOutcome(worst.lower()), message)


def target_name(run: Run) -> str:
    """The target of a run without its release of Mesa, and its variant."""
    name = replace(run.target, mesa="", libclc="", tinygrad="").name
    return f"{name} --variant {run.variant}" if run.variant else name


def area_of(test_id: str) -> str:
    """The suite and the area of a test."""
    return "/".join(test_id.split("/")[:-1][:2])


def _order(runs: Sequence[Run]) -> tuple[str, tuple[int, int]]:
    return target_name(runs[-1]), series_of(runs[-1].target.mesa)
