"""The changes that were shown when they were last run, in a file of the repository: `id tier case name` in each line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner import ROOT
from runner.model import UsageError
from tools.mesa_mutants.outcomes import TIERS, Outcomes
from tools.mesa_mutants.table import Change

SHOWN = ROOT / "tests/mesa_mutants/shown.txt"


NAMES = ("named", "stranger", "unknown")


@dataclass(frozen=True, slots=True)
class Shown:
    """The tier that showed a change, and its first red case."""

    tier: str
    case: str
    # Whether one of the first three red cases named it; unknown: that run kept only the first case's id.
    name: str

    @property
    def words(self) -> str:
        """Its words in the file."""
        return f"{self.tier} {self.case} {self.name}"


def read_shown(path: Path = SHOWN) -> dict[str, Shown]:
    """The `Shown` of each change. Raises UsageError for a wrong line."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            words = line.split(" ")
            if len(words) != 4 or words[1] not in TIERS or words[3] not in NAMES:
                raise UsageError(f"{path}:{number}: not `id tier case {'|'.join(NAMES)}`: {line!r}")
            found[words[0]] = Shown(*words[1:])
    return found


def _shown_now(change: Change, outcomes: Outcomes) -> Shown | None:
    for tier in TIERS:
        run = outcomes.find(change, tier)
        if run and run.red:
            return Shown(tier, run.first[0][0], "named" if run.named else "stranger")
    return None


def _is_shown_no_more(change: Change, outcomes: Outcomes, before: Shown) -> bool:
    """True if all tiers up to the one that showed it before have run, and none was red."""
    if _shown_now(change, outcomes):
        return False
    early, late = (outcomes.find(change, tier) for tier in TIERS)
    return bool(late or (early and before.tier == TIERS[0]))


def lost(changes: Sequence[Change], outcomes: Outcomes, shown: dict[str, Shown]) -> Iterator[str]:
    """The changes that were shown before, and are not shown by these runs."""
    for change in changes:
        before = shown.get(change.id)
        if before and _is_shown_no_more(change, outcomes, before):
            yield f"shown before by {before.tier}, {before.case}, and no more: {change.id} {change.file} {change.within}"


def recorded(changes: Sequence[Change], shown: dict[str, Shown]) -> Iterator[str]:
    """The figures of the file by group: how many changes were shown when each was last run, and how."""
    yield "shown when last run (tests/mesa_mutants/shown.txt):"
    for group in (*dict.fromkeys(c.group for c in changes), "all"):
        found = [shown[c.id] for c in changes if group in (c.group, "all") and c.id in shown]
        early = sum(each.tier == TIERS[0] for each in found)
        names = {name: sum(each.name == name for each in found) for name in NAMES}
        yield f"  {group}: {len(found)}, {early} by premerge; " + ", ".join(f"{n} {name}" for name, n in names.items() if n)


def record(changes: Sequence[Change], outcomes: Outcomes, path: Path = SHOWN) -> None:
    """Write down the shown changes. A change that did not run keeps its line, one that is no longer shown loses it."""
    text = path.read_text(encoding="utf-8")
    shown = read_shown(path)
    for change in changes:
        if now := _shown_now(change, outcomes):
            shown[change.id] = now
        elif change.id in shown and _is_shown_no_more(change, outcomes, shown[change.id]):
            del shown[change.id]
    head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    lines = (f"{name} {found.words}\n" for name, found in sorted(shown.items()))
    path.write_text(head + "".join(lines), encoding="utf-8")
