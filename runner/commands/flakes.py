"""`runner flakes`: what the history says about flaky tests, and which flakes lines to add, change, keep, drop."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.commands.expect.decision import is_healed, rates_agree
from runner.expectations.files import Expectations, format_entry, glob_pattern, is_glob, read_files
from runner.lines import one_line
from runner.model import Expectation, Kind, Status
from runner.records.history import Execution, History, Run
from runner.verdict.intervals import SIGNIFICANT, Factor, rate_text
from runner.verdict.judge import BAD, upper95

_POSITIONS = ((1, "first"), (10, "2 to 10"), (100, "11 to 100"))
_REST = "after 100"


class Action(enum.StrEnum):
    """What to do with the flakes line of a test."""

    ADD = "add"
    CHANGE = "change"
    KEEP = "keep"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Flake:
    """A test that flakes, or that a flakes line covers, in one target and Mesa release."""

    id: str
    executions: tuple[Execution, ...]  # without skips, oldest first
    action: Action
    line: Expectation | None  # as it should be; None for DROP
    why: str
    red: bool = False  # its line is no longer true, for the worse

    @property
    def bad(self) -> list[Execution]:
        return [e for e in self.executions if e.status in BAD]

    @property
    def rate(self) -> tuple[int, int]:
        return len(self.bad), len(self.executions)

    @property
    def factors(self) -> list[Factor]:
        """What may be the cause: isolated or after other cases, the position in the child, workers of the run."""
        samples = [(e, e.status in BAD) for e in self.executions]
        return [
            Factor.count("order", ((_order(e), bad) for e, bad in samples)),
            Factor.count("position", ((_position(e), bad) for e, bad in samples)),
            Factor.count("load", ((f"-j {e.run.jobs}", bad) for e, bad in samples)),
        ]


def flakes(
    history: Path,
    expectations: Path,
    driver: str,
    gpu: str,
    include: Sequence[str],
    newest: int,
    form: str,
) -> int:
    """Print the flakes of each target; 1 where a known one fails more than its line says, 5 where lines are stale, 0.

    `newest` is how many runs of each target and Mesa release count.
    """
    red = stale = False
    documents = []
    with History(history) as opened:
        groups: dict[object, list[Run]] = {}
        for run in opened.runs(driver, gpu):
            if not run.fault and not run.variant:  # the files speak about the driver as it comes
                groups.setdefault(run.series, []).append(run)
        for runs in groups.values():
            files = read_files(expectations, runs[-1].target.driver) if expectations.is_dir() else {}
            found = list(find_flakes(opened, runs[-newest:], Expectations(runs[-1].target, files), include))
            red |= any(f.red for f in found)
            stale |= any(f.action is not Action.KEEP for f in found)
            documents.append(_document(runs[-newest:], found))
            if form == "text":
                _print(runs[-newest:], found)
    if form == "json":
        print(json.dumps(documents, indent=1))
    return 1 if red else 5 if stale else 0


def find_flakes(
    history: History, runs: Sequence[Run], expectations: Expectations, include: Sequence[str] = ()
) -> Iterator[Flake]:
    """The flakes of runs of one target and Mesa release, oldest first, beside the lines that it has."""
    patterns = [glob_pattern(glob) for glob in include]
    failing = set(history.tests(runs, failing=True))
    listed = {i for i in history.tests(runs) if (line := expectations.find(i)) and line.kind is Kind.FLAKES}
    wanted = [
        i
        for i in sorted(failing | listed)
        if not expectations.skip(i) and (not patterns or any(p.fullmatch(i) for p in patterns))
    ]
    for test_id, executions in history.executions(runs, wanted).items():
        ran = tuple(e for e in executions if e.status is not Status.SKIP)
        if ran and (flake := judge_flake(test_id, ran, expectations.find(test_id))):
            yield flake


def judge_flake(test_id: str, ran: tuple[Execution, ...], line: Expectation | None) -> Flake | None:
    """What its executions say about one test; None where it is no flake and has no flakes line."""
    k, n = sum(e.status in BAD for e in ran), len(ran)
    statuses = frozenset(e.status for e in ran) & BAD
    passes = next((i for i, e in enumerate(reversed(ran)) if e.status in BAD), n)  # since the last failure
    observed = (k, n - passes) if k else None  # until the last failure
    if line is None or line.kind is not Kind.FLAKES:
        if not _is_mixed(ran) or is_healed(observed, passes):
            return None
        own = Expectation(test_id, Kind.FLAKES, statuses, "", (k, n))
        why = "no line covers it" if line is None else f"{line.source} says that it always fails"
        return Flake(test_id, ran, Action.ADD, own, why)

    own = Expectation(test_id, Kind.FLAKES, statuses | line.statuses, "", (k, n))
    if new := statuses - line.statuses:
        why = f"{line.source} does not know {'|'.join(sorted(new))}"
        return Flake(test_id, ran, Action.CHANGE, own, why, red=True)
    exact = not is_glob(line.pattern)  # a glob's line speaks about other tests too
    if is_healed(observed or line.rate, passes):
        why = f"{passes} passes in a row would be a wonder at {rate_text(*(observed or line.rate or (0, 0)))}"
        return Flake(test_id, ran, Action.DROP if exact else Action.KEEP, None if exact else line, why)
    if k and line.rate is None:
        return Flake(test_id, ran, Action.CHANGE, own, f"{line.source} has no rate")
    if k and line.rate and not rates_agree(line.rate, (k, n)):
        worse = k / n > line.rate[0] / line.rate[1]
        why = f"its rate is {'above' if worse else 'below'} the {rate_text(*line.rate)} of {line.source}"
        if k == n and len(statuses) == 1:
            why += "; it never passes: this is a line for the fails file"
            own = Expectation(test_id, Kind.FAILS, statuses)
        if exact or worse:
            return Flake(test_id, ran, Action.CHANGE, own, why, red=worse)
    return Flake(test_id, ran, Action.KEEP, line, f"nothing speaks against {line.source}")


def _is_mixed(ran: Sequence[Execution]) -> bool:
    """True where one build both passes and fails; what differs between builds was mended, or broken."""
    outcomes: dict[str, set[bool]] = {}
    for e in ran:
        outcomes.setdefault(e.run.build, set()).add(e.status in BAD)
    return any(len(own) > 1 for own in outcomes.values())


def _order(e: Execution) -> str:
    return "after others" if e.nth_in_child > 1 else "isolated"


def _position(e: Execution) -> str:
    return next((name for most, name in _POSITIONS if e.nth_in_child <= most), _REST)


def _print(runs: Sequence[Run], found: Sequence[Flake]) -> None:
    target = runs[-1].series[0]
    print(f"{target.name}: {len(runs)} runs, {runs[0].begun[:10]} to {runs[-1].begun[:10]}, on {runs[-1].device or '-'}")
    if not found:
        print("  no flakes")
    for flake in sorted(found, key=lambda f: (not f.red, list(Action).index(f.action), f.id)):
        line = format_entry(flake.line) if flake.line else flake.id
        print(f"{flake.action:6} {line}{'   RED' if flake.red else ''}")
        seen = f", first {flake.bad[0].run.begun[:10]}, last {flake.bad[-1].run.begun[:10]}" if flake.bad else ""
        print(f"       {flake.why}")
        print(f"       failed {rate_text(*flake.rate)} in {len({e.run.id for e in flake.executions})} runs{seen}")
        for factor in flake.factors if flake.bad else ():
            if len(factor.levels) < 2:
                continue
            level, p = factor.strongest
            word = f"; {level} differs, p = {p:.1g}" if p < SIGNIFICANT else ""
            print(f"       {factor.name}: {', '.join(f'{name} {k}/{n}' for name, (k, n) in factor.levels.items())}{word}")
        for message in dict.fromkeys(e.message for e in reversed(flake.bad)):
            print(f"       {one_line(message)}")
            break  # the newest one


def _document(runs: Sequence[Run], found: Sequence[Flake]) -> dict[str, object]:
    return {
        "target": runs[-1].series[0].name,
        "runs": len(runs),
        "flakes": [
            {
                "id": f.id,
                "action": f.action,
                "line": format_entry(f.line) if f.line else None,
                "why": f.why,
                "red": f.red,
                "failures": f.rate[0],
                "executions": f.rate[1],
                "upper95": upper95(*f.rate),
                "first": f.bad[0].run.begun if f.bad else None,
                "last": f.bad[-1].run.begun if f.bad else None,
                "factors": {x.name: x.levels for x in f.factors},
            }
            for f in found
        ],
    }
