"""`runner history flakes`: what the history shows about flaky tests, and which flakes entries to add, change or delete."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runner.expectations.resolution import Expectations
from runner.ids import chosen_pattern, is_glob
from runner.model import Expectation, FileKind, Status
from runner.records.history import Execution, History, Run
from runner.verdict.intervals import Factor, is_healed, rate_text, rates_agree
from runner.verdict.judge import BAD

_POSITIONS = ((1, "first"), (10, "2 to 10"), (100, "11 to 100"))
_LAST_POSITION = "after 100"


class Action(enum.StrEnum):
    """What to do with the flakes entry of a test."""

    ADD = "add"
    CHANGE = "change"
    KEEP = "keep"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Flake:
    """A test that flakes, or that a flakes entry covers, in one target and Mesa release."""

    id: str
    executions: tuple[Execution, ...]  # without skips, oldest first
    action: Action
    entry: Expectation | None  # as it should be; None for DROP
    why: str
    red: bool = False  # its entry is no longer true, for the worse

    @property
    def bad(self) -> list[Execution]:
        """The executions that failed, crashed or timed out."""
        return [e for e in self.executions if e.status in BAD]

    @property
    def rate(self) -> tuple[int, int]:
        """Failures and executions, as the end of a flakes entry."""
        return len(self.bad), len(self.executions)

    @property
    def factors(self) -> list[Factor]:
        """What may be the cause: alone or after other cases, the position in the child process, the workers of the run."""
        samples = [(e, e.status in BAD) for e in self.executions]
        return [
            Factor.count("order", ((_order(e), bad) for e, bad in samples)),
            Factor.count("position", ((_position(e), bad) for e, bad in samples)),
            Factor.count("load", ((f"-j {e.run.jobs}", bad) for e, bad in samples)),
        ]


def find_flakes(
    history: History, runs: Sequence[Run], expectations: Expectations, include: Sequence[str] = ()
) -> Iterator[Flake]:
    """The flakes in runs of one target and Mesa release, oldest first, beside the entries of that target."""
    patterns = [chosen_pattern(glob) for glob in include]
    seen = history.statuses(runs)
    listed = {i for i in seen if (entry := expectations.find(i)) and entry.kind is FileKind.FLAKES}
    mixed = {i for i, statuses in seen.items() if Status.PASS in statuses and statuses & BAD}  # only these can be flakes
    wanted = [
        i
        for i in seen
        if i in listed | mixed and not expectations.skip(i) and (not patterns or any(p.fullmatch(i) for p in patterns))
    ]
    for test_id, executions in history.executions(runs, wanted).items():
        ran = tuple(e for e in executions if e.status is not Status.SKIP)
        entry = expectations.find(test_id)
        own = None if entry and entry.is_family else entry
        if ran and (flake := judge_flake(test_id, ran, own)):
            yield flake


def judge_flake(test_id: str, ran: tuple[Execution, ...], entry: Expectation | None) -> Flake | None:
    """What the executions of one test show; None if it is not a flake and has no flakes entry."""
    k, n = sum(e.status in BAD for e in ran), len(ran)
    statuses = frozenset(e.status for e in ran) & BAD
    passes = next((i for i, e in enumerate(reversed(ran)) if e.status in BAD), n)  # since the last failure
    observed = (k, n - passes) if k else None  # until the last failure
    if entry is None or entry.kind is not FileKind.FLAKES:
        if not _is_mixed(ran) or is_healed(observed, passes):
            return None
        own = Expectation(test_id, FileKind.FLAKES, statuses, "", (k, n))
        why = "no entry covers it" if entry is None else f"{entry.source} expects it to fail always"
        return Flake(test_id, ran, Action.ADD, own, why)

    own = Expectation(test_id, FileKind.FLAKES, statuses | entry.statuses, "", (k, n))
    if new := statuses - entry.statuses:
        why = f"{entry.source} does not know {'|'.join(sorted(new))}"
        return Flake(test_id, ran, Action.CHANGE, own, why, red=True)
    exact = not is_glob(entry.pattern)  # a glob's entry speaks about other tests too
    if is_healed(observed or entry.rate, passes):
        why = f"{passes} passes in a row would be a wonder at {rate_text(*(observed or entry.rate or (0, 0)))}"
        return Flake(test_id, ran, Action.DROP if exact else Action.KEEP, None if exact else entry, why)
    if k and entry.rate is None:
        return Flake(test_id, ran, Action.CHANGE, own, f"{entry.source} has no rate")
    if k and entry.rate and not rates_agree(entry.rate, (k, n)):
        worse = k / n > entry.rate[0] / entry.rate[1]
        why = f"its rate is {'above' if worse else 'below'} the {rate_text(*entry.rate)} of {entry.source}"
        if k == n and len(statuses) == 1:
            why += "; it never passes: an entry for the fails file"
            own = Expectation(test_id, FileKind.FAILS, statuses)
        if exact or worse:
            return Flake(test_id, ran, Action.CHANGE, own, why, red=worse)
    return Flake(test_id, ran, Action.KEEP, entry, f"nothing contradicts {entry.source}")


def _is_mixed(ran: Sequence[Execution]) -> bool:
    """True if one build on one device passes after it has failed.

    A difference between builds or devices is not a flake, and a test that fails from some time on and never passes again is
    broken: by something outside the build, such as a kernel or a firmware.
    """
    failed: dict[tuple[object, ...], bool] = {}
    for e in ran:
        under_test = e.run.build, e.run.device, e.run.target
        if e.status in BAD:
            failed[under_test] = True
        elif failed.get(under_test):
            return True
    return False


def _order(e: Execution) -> str:
    return "after others" if e.nth_in_child > 1 else "isolated"


def _position(e: Execution) -> str:
    return next((name for most, name in _POSITIONS if e.nth_in_child <= most), _LAST_POSITION)
