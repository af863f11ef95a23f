"""The evidence of a set of runs: which of them count, and what they show together about each test."""

import contextlib
import enum
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.drivers.registry import Driver, resolve
from runner.expectations.target import JUDGED_VARIANTS, Target
from runner.model import Attempt, How, Result, Status, UsageError
from runner.records import journal
from runner.records.artifacts import opened_artifacts, run_key
from runner.records.journal import Record
from runner.verdict.judge import BAD, SEVERITY

AGREEING = 2  # runs that must agree before a test counts as one that stays failing
_MIN_SIGNATURE_CHARS, _MAX_SIGNATURE_CHARS = 8, 240  # characters; fewer match anything, more are not read
# Left out of a signature where messages stop agreeing: the rest of a number or name, or of an offset from NULL.
_UNFINISHED = re.compile(r"(, NULL[+-][^,]*|(?<![\w.+-])[\w.+-]+)$")


@dataclass(frozen=True, slots=True)
class EvidenceRun:
    """One results directory that counts."""

    folder: Path
    record: Record
    target: Target
    key: str  # tells runs apart, wherever their directories lie
    results: Mapping[str, Result]

    @property
    def kind(self) -> tuple[str, ...]:
        """What two runs must have in common for one expectation to be about both."""
        assert self.record.device
        return self.record.device.kind

    @property
    def build(self) -> tuple[str, ...]:
        """The builds of the driver and of the suites; they change from night to night."""
        assert self.record.device
        return (*self.record.device.build, self.record.suites)


def load_runs(
    places: Iterable[Path], drivers: Mapping[str, Driver], driver: str = "", gpu: str = ""
) -> tuple[list[EvidenceRun], list[str]]:
    """The runs that count, oldest first, and for every other one the reason why it does not.

    A place is a results directory, a folder of them or an archive; a merged directory counts as the runs that it was made
    of. `driver` and `gpu` select a target, "" for any. Raises UsageError if it is not a run, or a damaged one.
    """
    runs: dict[str, EvidenceRun] = {}
    refused: list[str] = []
    wanted = resolve(driver, drivers).name if driver else ""
    with contextlib.ExitStack() as stack:
        folders = [f for place in places for f in stack.enter_context(opened_artifacts(place))]
        found = [(folder, journal.read(folder), run_key(folder)) for folder in folders]
    for folder, record, key in found:
        if why := _fault(record):
            refused.append(f"{folder}: {why}")
            continue
        assert record.device
        own = resolve(record.config.driver, drivers)
        target = own.target(record.config, record.device)
        if wanted not in ("", target.driver) or gpu not in ("", target.gpu):
            refused.append(f"{folder}: is of {target.name}, not of {wanted} {gpu}".rstrip())
            continue
        if key in runs:
            refused.append(f"{folder}: is the run of {runs[key].folder} again; it counts once")
            continue
        results = record.all_results
        runs[key] = EvidenceRun(folder, record, target, key, results)
    return sorted(runs.values(), key=lambda run: (run.record.begun, run.key)), refused


def same_kind(runs: Sequence[EvidenceRun], layer: Target) -> tuple[list[EvidenceRun], list[str]]:
    """The runs of one layer that have the newest run's device; the others, each with the reason."""
    newest = runs[-1]
    kept, refused = [], []
    for run in runs:
        if run.target == newest.target and run.kind == newest.kind:
            kept.append(run)
            continue
        ours, theirs = newest.record.device, run.record.device
        assert ours
        assert theirs
        refused.append(
            f"{run.folder}: {run.target.name} on {theirs.device!r}, libclc {theirs.libclc or 'none'}, is another device "
            f"than that of the newest run, {newest.target.name} on {ours.device!r}, libclc {ours.libclc or 'none'}, and "
            f"both belong into {layer.name}; update them apart, or give --layer"
        )
    return kept, refused


def _fault(record: Record) -> str:
    """Why a run is not evidence, or ""."""
    left = [i for i in record.ids if i not in record.results]
    if record.device is None:
        return f"found no device ({record.footer or 'killed'}); run again"
    if record.footer is None and left:
        return f"was killed with {len(left)} tests to run; finish it with --resume"
    if record.footer not in (None, "", "interrupted") and "(--max-fails" not in (record.footer or ""):
        return f"ended by a fault of the machine or the harness ({record.footer}); run again"
    if record.config.variant not in ("", *JUDGED_VARIANTS):
        return (
            f"is of --variant {record.config.variant}; the files are about the default configuration, run without --variant"
        )
    return ""


class Shows(enum.Enum):
    """What the runs show about a test."""

    PASSES = "passes"
    FAILS = "fails"  # in every execution, with one status, in enough runs
    FLAKES = "flakes"  # passes and fails of one build, or failures of several kinds
    ONCE = "failed in only one run"
    SKIPPED = "was skipped as unsupported"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the runs say about one test. Executions count, not runs: `failures` of `executions`."""

    shows: Shows
    runs: int
    failures: int = 0
    executions: int = 0
    statuses: frozenset[Status] = frozenset()
    messages: tuple[str, ...] = ()  # of the failures with the worst status

    @property
    def status(self) -> Status:
        """The worst status among the failures."""
        return max(self.statuses, key=SEVERITY.index)

    @property
    def text(self) -> str:
        """As text: `fails in 3 of 3 executions of 2 runs (Fail)`."""
        if self.shows is Shows.SKIPPED:
            return f"was skipped as unsupported in {self.runs} runs"
        words = "|".join(s for s in Status if s in self.statuses)
        seen = f"{self.failures} of {self.executions} executions in {self.runs} run{'s' * (self.runs != 1)}"
        return f"failed {seen} ({words})" if self.failures else f"failed none of {seen[5:]}"


def weigh(test_id: str, runs: Sequence[EvidenceRun]) -> Evidence | None:
    """What runs of one target, oldest first, show about a test; None if none of them ran it."""
    seen = [(run.build, sample) for run in runs if (sample := _sample(run.results.get(test_id)))]
    ran = [(build, attempts) for build, attempts in seen if attempts[-1].status is not Status.SKIP]
    if not ran:
        return Evidence(Shows.SKIPPED, len(seen)) if seen else None
    builds: dict[tuple[str, ...], list[Sequence[Attempt]]] = {}
    for build, attempts in ran:
        builds.setdefault(build, []).append(attempts)
    by_build = [builds[build] for build in dict.fromkeys(build for build, _ in reversed(ran))]  # newest first
    if any(_is_mixed(samples) for samples in by_build):
        return _evidence(Shows.FLAKES, [attempts for _, attempts in ran])
    bad = _is_bad(by_build[0])
    alike = [a for samples in itertools.takewhile(lambda s: _is_bad(s) == bad, by_build) for a in samples]
    if not bad:
        return _evidence(Shows.PASSES, alike)
    if len({_worst(attempts) for attempts in alike}) > 1:
        return _evidence(Shows.FLAKES, alike)
    return _evidence(Shows.FAILS if len(alike) >= AGREEING else Shows.ONCE, alike)


def signature_of(messages: Sequence[str]) -> str:
    """A part that all messages share, to tell this failure from others; "" if they share too little."""
    lines = [m.splitlines()[0] if m.strip() else "" for m in map(str.strip, messages)]
    if not lines or not all(lines):
        return ""
    common = lines[0][: _shared_length(lines)]
    if len(common.strip()) < _MIN_SIGNATURE_CHARS:
        common = lines[0]
        for line in lines[1:]:
            common = _common_part(common, line)
    if any(re.match(r"[\w.+-]", line.partition(common)[2]) for line in lines):
        common = _UNFINISHED.sub("", common)
    common = common.strip().removesuffix(" (")  # which another class may count differently
    if len(common) > _MAX_SIGNATURE_CHARS:
        common = common[:_MAX_SIGNATURE_CHARS].rsplit(" ", 1)[0].strip()
    common = common.removesuffix("died in").rstrip(": ") if common.endswith(": died in") else common
    return common if len(common) >= min(_MIN_SIGNATURE_CHARS, *map(len, lines)) else ""


def _shared_length(lines: Sequence[str]) -> int:
    alike = itertools.takewhile(lambda column: len(set(column)) == 1, zip(*lines, strict=False))
    return sum(1 for _ in alike)


def _common_part(a: str, b: str) -> str:
    import difflib

    match = difflib.SequenceMatcher(None, a, b, autojunk=False).find_longest_match()
    return a[match.a : match.a + match.size]


def _sample(result: Result | None) -> tuple[Attempt, ...]:
    """The attempts of a result that are facts about the driver."""
    return tuple(a for a in result.attempts if a.status is not Status.ERROR) if result else ()


def _is_bad(samples: Sequence[Sequence[Attempt]]) -> bool:
    return samples[0][-1].status in BAD


def _is_mixed(samples: Sequence[Sequence[Attempt]]) -> bool:
    """True if one build both passes and fails, even if it fails only after other tests."""
    outcomes = {a.status in BAD for attempts in samples for a in attempts}
    return len(outcomes) > 1 or any(a.how is How.REPLAY and a.status in BAD for attempts in samples for a in attempts)


def _worst(attempts: Sequence[Attempt]) -> Status:
    return max((a.status for a in attempts if a.status in BAD), key=SEVERITY.index)


def _evidence(shows: Shows, samples: Sequence[Sequence[Attempt]]) -> Evidence:
    attempts = [a for attempts in samples for a in attempts if a.status is not Status.SKIP]
    bad = [a for a in attempts if a.status in BAD]
    statuses = frozenset(a.status for a in bad)
    if shows in (Shows.FAILS, Shows.ONCE):
        statuses = frozenset({_worst(bad)})
    worst = max(statuses, key=SEVERITY.index) if statuses else None
    return Evidence(
        shows, len(samples), len(bad), len(attempts), statuses, tuple(a.message for a in bad if a.status is worst)
    )


def all_tests(runs: Iterable[EvidenceRun]) -> list[str]:
    """Every test with a result in one of the runs, in order."""
    return sorted({test_id for run in runs for test_id in run.results})


def require_runs(runs: Sequence[EvidenceRun], refused: Sequence[str]) -> None:
    """Raise UsageError if nothing is left to learn from."""
    if not runs:
        raise UsageError("none of these runs can be used:\n  " + "\n  ".join(refused))
