"""Which changes were shown when they were last run, in a file of the repository: a line `id tier case` for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from runner import ROOT
from runner.model import UsageError
from tools.mesa_mutants.outcomes import TIERS, Outcomes
from tools.mesa_mutants.table import Change

SHOWN = ROOT / "tests/mesa_mutants/shown.txt"


def read_shown(path: Path = SHOWN) -> dict[str, tuple[str, str]]:
    """By change the tier that showed it and its first red case. Raises UsageError for a line that is none."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            words = line.split(" ")
            if len(words) != 3 or words[1] not in TIERS:
                raise UsageError(f"{path}:{number}: not `id tier case`: {line!r}")
            found[words[0]] = words[1], words[2]
    return found


def _case_now(change: Change, outcomes: Outcomes, before: str) -> tuple[str, str] | None:
    """What shows a change by these runs; ("", "") for nothing, None where they cannot tell; `before`: the tier that did."""
    early, late = (outcomes.find(change, tier) for tier in TIERS)
    for tier, run in zip(TIERS, (early, late), strict=True):
        if run and run.red:
            return tier, run.first[0][0]
    return ("", "") if late or (early and before != TIERS[1]) else None


def lost(changes: Sequence[Change], outcomes: Outcomes, shown: dict[str, tuple[str, str]]) -> Iterator[str]:
    """The changes that were shown before, and by these runs are no more."""
    for change in changes:
        tier, case = shown.get(change.id, ("", ""))
        if tier and _case_now(change, outcomes, tier) == ("", ""):
            yield f"shown before by {tier}, {case}, and no more: {change.id} {change.file} {change.within}"


def record(changes: Sequence[Change], outcomes: Outcomes, path: Path = SHOWN) -> None:
    """Write down what was shown; what was not run keeps its line, and one that is shown no more loses it."""
    text = path.read_text(encoding="utf-8")
    shown = read_shown(path)
    for change in changes:
        now = _case_now(change, outcomes, shown.get(change.id, ("", ""))[0])
        if now == ("", ""):
            shown.pop(change.id, None)
        elif now:
            shown[change.id] = now
    head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    lines = (f"{name} {tier} {case}\n" for name, (tier, case) in sorted(shown.items()))
    path.write_text(head + "".join(lines), encoding="utf-8")
