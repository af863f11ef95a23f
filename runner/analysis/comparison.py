"""Compares two judged runs: what happened to each test in both, and what that means.

The runs may be of different drivers, releases, suites and expectations. So their results are compared as if no expectation
existed; the verdicts of each run beside its own expectations are kept for display.
"""

import math
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from runner.model import DeviceReport, How, Result, Status, Verdict
from runner.verdict.judge import judge
from runner.verdict.report import Report, ReportRow

PROBE = "probe"  # stands for the driver's start: Crash if that killed the process
_BAD = frozenset({Verdict.FAIL, Verdict.CRASH, Verdict.TIMEOUT, Verdict.MISSING})
# How many elements were wrong, and where something lay in memory, differ between two runs of one build.
_CHANCE = re.compile(r" \(\d+ of \d+ wrong[^)]*\)|0x[0-9a-f]{8,16}\b")
# The cost that one case pays for others in its child, such as the first use of a program or library, moves with the
# order: up to 0.8 s between runs of one build, more on a slower machine. Between any two of eight runs of one build,
# of which the slowest took six times as long as the quickest, this floor and this fence find nothing.
_FLOOR_S = 1.0
_MIN_CHANGE_S = 0.05
_FENCE = 3.0  # interquartile ranges: Tukey's outer fence, beyond which a value is "far out"
_MIN_TESTS = 20  # tests, for quartiles that mean something


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one test in one run.

    `happened` is the verdict that its attempts would have without any expectation: Pass, Fail, Crash, Timeout, Flake (some
    attempts passed, some did not; also a known flake that did not pass), Skip, or Missing (it was selected, the run came to
    its end, and has no result).
    """

    happened: Verdict
    message: str = ""  # of a Skip its reason
    verdict: Verdict = Verdict.PASS  # beside the expectations of its own run
    duration_s: float = 0.0  # of all attempts

    @property
    def is_bad(self) -> bool:
        """True for Fail, Crash, Timeout and Missing."""
        return self.happened in _BAD


@dataclass(frozen=True, slots=True)
class Change:
    """A test whose outcome is not the same in both runs."""

    id: str
    old: Outcome
    new: Outcome

    @property
    def is_of_kind(self) -> bool:
        """True if more than the text of the message differs: the status, or the stage that the message begins with."""
        stages = {(o.happened, o.message.partition(":")[0]) for o in (self.old, self.new)}
        return len(stages) > 1


@dataclass(frozen=True, slots=True)
class Pace:
    """A test that passed in both runs and whose duration changed beyond noise."""

    id: str
    old_s: float
    new_s: float
    ratio: float  # new to old, after the shift of the whole run is taken out


@dataclass(frozen=True, slots=True)
class Difference:
    """A property of what was tested that differs."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between an old run and a new one.

    A test that both runs selected and both have an outcome of is in at most one of these, each sorted by id:

    fixed              bad (Fail, Crash, Timeout, Missing) before, Pass now
    broken             Pass before, bad now
    changed            bad before and now, in another way: another status (Fail, now Crash), or the same one with
                       another message (except for addresses and counts of wrong elements); or a Flake before that is bad
                       now: whether it is worse cannot be known from a few attempts
    newly_flaky        Pass or bad before, Flake now
    no_longer_flaky    Flake before, Pass now; one run does not prove that it is fixed
    newly_skipped      it ran before (with any result), Skip now, with its reason
    newly_running      Skip before, and it ran now (with any result)
    slower, faster     Pass in both, in warm attempts only (their median, if several runs were joined), and beyond
                       noise, which means both: more than 1 s (times the shift, if the new run is the slower one) away
                       from the old duration times the shift of all tests; and a ratio beyond Tukey's outer
                       fences (3 interquartile ranges beyond the quartiles) of the logarithms of all ratios of these
                       two runs, so that noisy runs say little. Empty if fewer than 20 tests of at least 0.05 s
                       passed in both.

    only_old, only_new  ids of which only one run has an outcome: not selected by the other, not reached by it, or a
                       fault of the harness (Error) there.
    gained, lost       capabilities: features and extensions of the device. Both empty unless both runs met a device.
    differences        what differs in the identity of the runs (Mesa, LLVM, device, ...), in that order
    shift              the median ratio of the durations, new to old, of tests of at least 0.05 s; 1.0 if too few
    same               how many tests had the same outcome in both, except for their pace
    """

    old: Report
    new: Report
    fixed: tuple[Change, ...]
    broken: tuple[Change, ...]
    changed: tuple[Change, ...]
    newly_flaky: tuple[Change, ...]
    no_longer_flaky: tuple[Change, ...]
    newly_skipped: tuple[Change, ...]
    newly_running: tuple[Change, ...]
    slower: tuple[Pace, ...]
    faster: tuple[Pace, ...]
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    differences: tuple[Difference, ...]
    shift: float
    same: int

    @property
    def is_worse(self) -> bool:
        """True if something broke; a lost capability too, because its tests no longer run."""
        return bool(self.broken or self.lost)


def compare(old: Report, new: Report) -> Comparison:
    """Compare two runs, each judged beside its own expectations. Pure."""
    before, after = outcomes(old), outcomes(new)
    both = sorted(before.keys() & after.keys())
    found: dict[str, list[Change]] = {}
    same = 0
    for test_id in both:
        change = Change(test_id, before[test_id], after[test_id])
        if kind := _classify(change):
            found.setdefault(kind, []).append(change)
        else:
            same += test_id != PROBE
    slower, faster, shift = _compare_pace(old, new, both)
    had, has = capabilities(old), capabilities(new)
    known = old.record.device is not None and new.record.device is not None
    named = {name: tuple(found.get(name, ())) for name in _KINDS}
    return Comparison(
        old,
        new,
        **named,
        slower=slower,
        faster=faster,
        only_old=tuple(sorted(before.keys() - after.keys())),
        only_new=tuple(sorted(after.keys() - before.keys())),
        gained=tuple(sorted(has - had)) if known else (),
        lost=tuple(sorted(had - has)) if known else (),
        differences=tuple(_differences(old, new)),
        shift=shift,
        same=same,
    )


def outcomes(report: Report) -> dict[str, Outcome]:
    """What happened to each test of a run, without those without a known outcome; `probe` is the driver's start."""
    results = report.record.all_results
    found = {
        row.id: outcome
        for row in report.rows
        if not row.id.startswith("floor/") and (outcome := _outcome(row, results.get(row.id)))
    }
    if report.record.device:
        found.setdefault(PROBE, Outcome(Verdict.PASS))
    return found


def capabilities(report: Report) -> frozenset[str]:
    """The features and extensions of the device of a run."""
    device = report.record.device
    return frozenset((*device.features, *device.extensions)) if device else frozenset()


def _outcome(row: ReportRow, result: Result | None) -> Outcome | None:
    # A skips entry of today does not undo what an older run saw: the journal's result counts before the row.
    if result is None:
        if row.verdict is Verdict.ERROR:
            return None
        return Outcome(row.verdict, row.message, row.verdict)
    plain = judge(result, None)
    if plain.verdict is Verdict.ERROR:
        return None
    flakes = row.verdict is Verdict.KNOWN_FLAKE
    return Outcome(
        Verdict.FLAKE if flakes else plain.verdict, plain.message, row.verdict, sum(a.duration_s for a in result.attempts)
    )


_KINDS = ("fixed", "broken", "changed", "newly_flaky", "no_longer_flaky", "newly_skipped", "newly_running")


def _classify(change: Change) -> str:
    """The field of Comparison that a change belongs into, or ""."""
    old, new = change.old, change.new
    match old.happened, new.happened:
        case a, b if a is b and not new.is_bad:
            return ""
        case _, Verdict.SKIP:
            return "newly_skipped"
        case Verdict.SKIP, _:
            return "newly_running"
        case _, Verdict.FLAKE:
            return "newly_flaky"
        case Verdict.FLAKE, Verdict.PASS:
            return "no_longer_flaky"
        case _, Verdict.PASS:
            return "fixed"
        case Verdict.PASS, _:
            return "broken"
        case a, b if a is b and (b is Verdict.TIMEOUT or _shape(old.message) == _shape(new.message)):
            return ""  # where a test was cut off says nothing, so the messages of two Timeouts are not compared
        case _:
            return "changed"


def _shape(message: str) -> str:
    """The first line of a message, without what differs between two runs of one build."""
    return _CHANCE.sub("", message.strip().split("\n", 1)[0])


def _compare_pace(old: Report, new: Report, ids: Sequence[str]) -> tuple[tuple[Pace, ...], tuple[Pace, ...], float]:
    before, after = _warm_passes(old.record.results), _warm_passes(new.record.results)
    pairs = [(i, before[i], after[i]) for i in ids if before.get(i) and after.get(i)]
    logs = [math.log(b / a) for _, a, b in pairs if math.sqrt(a * b) >= _MIN_CHANGE_S]
    if len(logs) < _MIN_TESTS:
        return (), (), 1.0
    low, middle, high = statistics.quantiles(logs, n=4)
    margin = _FENCE * (high - low)
    shift = math.exp(middle)

    def beyond(holds: Callable[[float, float], bool]) -> tuple[Pace, ...]:
        return tuple(
            Pace(i, a, b, b / a / shift)
            for i, a, b in pairs
            if abs(b - a * shift) > _FLOOR_S * max(1.0, shift) and holds(math.log(b / a), b - a * shift)
        )

    return (
        beyond(lambda ratio, more: more > 0 and ratio > high + margin),
        beyond(lambda ratio, more: more < 0 and ratio < low - margin),
        shift,
    )


def _warm_passes(results: Mapping[str, Result]) -> dict[str, float]:
    """Seconds of the tests that passed whenever they were run, in a child that was there already: the median."""
    return {
        i: statistics.median(a.duration_s for a in result.attempts)
        for i, result in results.items()
        if all(a.status is Status.PASS and a.how is How.WARM for a in result.attempts)
    }


# Capabilities are compared one by one; paths of files and the machine's name do not distinguish drivers.
_NOT_COMPARED = frozenset({"extensions", "features", "icd", "loaders", "limits", "unlikely", "environment"})
_PER_RUN_VARIABLES = frozenset({"MESA_SHADER_CACHE_DIR"})  # a folder of the run's own


def _differences(old: Report, new: Report) -> Iterator[Difference]:
    for name in ("driver", "gpu"):
        if (a := getattr(old.target, name)) != (b := getattr(new.target, name)):
            yield Difference(name, a, b)
    for name in ("variant", "mode", "tier", "seed"):
        if (a := getattr(old.record.config, name)) != (b := getattr(new.record.config, name)):
            yield Difference(name, str(a), str(b))
    ours, theirs = old.record.device or DeviceReport(), new.record.device or DeviceReport()
    for name in (f.name for f in fields(DeviceReport) if f.name not in _NOT_COMPARED):
        if (a := getattr(ours, name)) != (b := getattr(theirs, name)):
            yield Difference(name, _text(a, b), _text(b, a))
    for name in sorted((ours.environment.keys() | theirs.environment.keys()) - _PER_RUN_VARIABLES):
        if (a := ours.environment.get(name, "")) != (b := theirs.environment.get(name, "")):
            yield Difference(name, a, b)
    if old.record.suites != new.record.suites:
        yield Difference("suites", old.record.suites, new.record.suites)


def _text(value: object, other: object) -> str:
    """A value; for a list, the members that the other one lacks."""
    if isinstance(value, tuple) and isinstance(other, tuple):
        return ", ".join(str(v) for v in value if v not in other)
    return str(value)
