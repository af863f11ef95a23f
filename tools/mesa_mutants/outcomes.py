"""The outcome of each change: a table on the disk, one JSON object in a line, and the figures by group."""

import json
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from runner.model import UsageError
from tools.mesa_mutants.table import Change

BASE = "base"  # the name of the unchanged Mesa in the table
TIERS = ("premerge", "full")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One step of one change: its build (tier ""), or a run."""

    change: str
    digest: str  # of the change: an edited one is tested again
    tier: str = ""
    place: str = ""
    built: bool = True
    build_id: str = ""  # Mesa's caches identify the library by it
    same_code: bool = False  # the compiler generates the same code with the change
    note: str = ""  # the compiler's error, or why a run ended early
    first: tuple[tuple[str, str], ...] = ()  # red cases in the order of their results: id, message
    red: int = 0  # a lower bound: a run stops early
    named: bool = False  # one of the first cases names the place of the change
    cases: int = 0  # the number of cases that ran
    cpu_s: float = 0.0
    wall_s: float = 0.0

    @property
    def moved(self) -> bool:
        """True if the source does not have the place."""
        return self.place.startswith("moved")


class Outcomes:
    """The table: steps that are in it when it is opened are not repeated."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._latest: dict[tuple[str, str], Outcome] = {}
        # The part after the last newline is an incomplete line of a process that was killed.
        kept, _, torn = path.read_bytes().rpartition(b"\n") if path.exists() else (b"", b"", b"")
        if torn:
            path.write_bytes(kept + b"\n" if kept else b"")
        for number, line in enumerate(kept.splitlines(), 1):
            try:
                data: dict[str, Any] = json.loads(line)
                self._add(Outcome(**{**data, "first": tuple((i, m) for i, m in data["first"])}))
            except (ValueError, TypeError, KeyError) as error:
                raise UsageError(f"{path}:{number}: {error}") from None

    def add(self, outcome: Outcome) -> None:
        """Append a line, and write it to the disk at once."""
        line = json.dumps(asdict(outcome), ensure_ascii=False, separators=(",", ":"))
        with self._lock:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
                file.flush()
                os.fsync(file.fileno())
            self._add(outcome)

    def _add(self, outcome: Outcome) -> None:
        self._latest[outcome.change, outcome.tier] = outcome

    def find(self, change: Change, tier: str = "") -> Outcome | None:
        """The outcome of a step of exactly this change."""
        found = self._latest.get((change.id, tier))
        return found if found and found.digest == change.digest else None

    def latest(self, name: str, tier: str) -> Outcome | None:
        """The last line with a name, whatever its digest."""
        return self._latest.get((name, tier))


def report(changes: Sequence[Change], builds: Outcomes, outcomes: Outcomes) -> Iterator[str]:
    """The figures by group, and then the changes that no tier shows."""
    head = ("group", "changes", "struck", "moved", "not built", "same code", "run", "premerge", "full", "right name")
    rows: list[tuple[str, ...]] = [head]
    groups = list(dict.fromkeys(c.group for c in changes))
    for group in (*groups, "all"):
        rows.append((group, *_figures([c for c in changes if group in (c.group, "all")], builds, outcomes)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    for change in changes:
        if line := _hole(change, builds, outcomes):
            yield line


def _figures(changes: Sequence[Change], builds: Outcomes, outcomes: Outcomes) -> tuple[str, ...]:
    standing = [c for c in changes if not c.struck]
    tried = [found for c in standing if (found := builds.find(c))]
    moved = sum(b.moved for b in tried)
    broken = sum(not b.built and not b.moved for b in tried)
    same = sum(b.same_code for b in tried)
    early = [c for c in standing if outcomes.find(c, "premerge")]
    shown_early = [c for c in early if is_shown(c, outcomes, "premerge")]
    late = [c for c in early if c in shown_early or outcomes.find(c, "full")]
    shown = [c for c in late if is_shown(c, outcomes, "premerge") or is_shown(c, outcomes, "full")]
    named = [c for c in shown if any(o and o.named for o in (outcomes.find(c, tier) for tier in TIERS))]
    counts = (len(changes), len(changes) - len(standing), moved, broken, same, len(early))
    rates = ((shown_early, early), (shown, late), (named, shown))
    return (*map(str, counts), *(_rate(len(part), len(whole)) for part, whole in rates))


def is_shown(change: Change, outcomes: Outcomes, tier: str) -> bool:
    """True if a run of this tier was red."""
    found = outcomes.find(change, tier)
    return found is not None and found.red > 0


def _rate(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "-"


def _hole(change: Change, builds: Outcomes, outcomes: Outcomes) -> str:
    """The description of a change that a reader must look at, or ""."""
    built, early, late = builds.find(change), outcomes.find(change, "premerge"), outcomes.find(change, "full")
    if change.struck or (early and early.red):
        return ""
    what = line_of(change, built.place if built else change.file)
    if built and not built.built:
        return f"{'moved' if built.moved else 'not built'}: {what} {built.note}"
    if built and built.same_code:
        return f"same code: {what}"
    if not early:
        return ""
    if late is None:
        return f"not shown by premerge, full not run: {what}"
    return f"shown by full only, {late.first[0][0]}: {what}" if late.red else f"not shown: {what}"


def line_of(change: Change, place: str) -> str:
    """A change in one line."""
    struck = f" (struck: {change.struck})" if change.struck else ""
    return f"{change.id} {place} {change.within}: {change.n}. {change.operation} [{', '.join(change.shows)}]{struck}"


def lines(outcome: Outcome) -> Iterable[str]:
    """A step, as printed when it ends."""
    what = f"{outcome.change} {outcome.tier or 'build'}"
    if not outcome.tier:
        state = "same code" if outcome.same_code else "built"
        if not outcome.built:
            state = outcome.place if outcome.moved else f"not built: {outcome.note}"
        yield f"{what}: {state}, {outcome.wall_s:.0f} s"
        return
    state = f"{outcome.red} red" if outcome.red else "green"
    named = "" if not outcome.red else ", by name" if outcome.named else ", by a stranger"
    note = f" ({outcome.note})" if outcome.note else ""
    yield f"{what}: {state}{named}, {outcome.cases} cases, {outcome.wall_s:.0f} s, CPU {outcome.cpu_s:.0f} s{note}"
    for test_id, message in outcome.first:
        yield f"    {test_id}: {message[:160]}"
