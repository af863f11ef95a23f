"""The changes to the entries of one layer: decides about every test of its runs, and places its entry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from runner.expectations.files import format_entry, parse_file
from runner.expectations.resolution import Expectations
from runner.expectations.sightings import Listing
from runner.expectations.target import Target, layer_of
from runner.maintenance.decision import Keep, Want, all_match, decide
from runner.maintenance.document import TODO
from runner.maintenance.evidence import Evidence, EvidenceRun, all_tests, weigh
from runner.model import Expectation, FileKind, Status
from runner.verdict.judge import signature_matches
from runner.verdict.likeness import find_similar


@dataclass(slots=True)
class Plan:
    """The changes to the files of one layer."""

    layer: Target
    runs: list[EvidenceRun]
    listings: Sequence[Listing] = ()  # all files, for the bugs that new failures look like
    remove: dict[FileKind, set[str]] = field(default_factory=lambda: {FileKind.FAILS: set(), FileKind.FLAKES: set()})
    replace: dict[FileKind, dict[str, Expectation]] = field(
        default_factory=lambda: {FileKind.FAILS: {}, FileKind.FLAKES: {}}
    )
    add: dict[FileKind, list[tuple[Expectation, str]]] = field(
        default_factory=lambda: {FileKind.FAILS: [], FileKind.FLAKES: []}
    )  # with its reason, "" if a person has to write it
    edits: list[str] = field(default_factory=list)  # the changes, with their evidence
    notes: list[str] = field(default_factory=list)  # what does not change, and why


def make_plan(
    layer: Target,
    runs: Sequence[EvidenceRun],
    folder: Path,
    texts: Mapping[Path, str],
    existing: Mapping[str, object],
    listings: Sequence[Listing] = (),
    *,
    sharpen: bool = False,
) -> Plan:
    """Decide about every test that the runs executed, and place the entries."""
    plan = Plan(layer, list(runs), listings)
    own_paths = {folder / layer.path(kind): kind for kind in (FileKind.FAILS, FileKind.FLAKES)}
    own: dict[FileKind, dict[str, Expectation]] = {FileKind.FAILS: {}, FileKind.FLAKES: {}}
    for path, kind in own_paths.items():
        if path in texts:
            own[kind] = {e.pattern: e for e in parse_file(texts[path], kind, str(path)).entries}
    target = runs[-1].target
    now = Expectations(target, texts)
    other = Expectations(target, {p: t for p, t in texts.items() if p not in own_paths})
    for test_id in all_tests(runs):
        if now.skip(test_id) or (evidence := weigh(test_id, runs)) is None:
            continue  # an entry would lift the skips entry
        entry = next(now.entries_of(test_id), None)
        if any(evidence.statuses == family.statuses and all_match(evidence, family) for family in now.families_of(test_id)):
            continue
        match decide(test_id, evidence, entry, sharpen=sharpen and entry is not None and layer_of(entry) == layer):
            case Keep(note):
                if note:
                    plan.notes.append(f"{test_id}: {evidence.text}: {note}")
            case Want(wanted):
                broader = other.skip(test_id) or next(other.entries_of(test_id), None)
                _place(plan, test_id, evidence, entry, wanted, own, broader, existing)
    return plan


def _place(
    plan: Plan,
    test_id: str,
    evidence: Evidence,
    entry: Expectation | None,
    wanted: Expectation | None,
    own: Mapping[FileKind, Mapping[str, Expectation]],
    broader: Expectation | None,
    existing: Mapping[str, object],
) -> None:
    mine = next((own[kind][test_id] for kind in own if test_id in own[kind]), None)
    if entry is not None and entry is not mine and mine is None and layer_of(entry).rank > plan.layer.rank:
        plan.notes.append(f"{test_id}: {evidence.text}: {entry.source} decides, and is narrower than {plan.layer.name}")
        return
    if _says(broader, wanted, evidence):
        wanted = None
    elif wanted is None:
        wanted = Expectation(test_id, FileKind.FAILS, frozenset({Status.PASS}))
    if wanted and test_id not in existing:
        plan.notes.append(f"{test_id}: {evidence.text}: no suite has it any more")
        return
    plan.edits.append(
        f"{_sign(mine, wanted)} {format_entry(wanted or mine or Expectation(test_id, FileKind.FAILS))}: {evidence.text}"
    )
    if mine and wanted and mine.kind is wanted.kind and mine.statuses != {Status.PASS} != wanted.statuses:
        plan.replace[wanted.kind][test_id] = wanted
        return
    if mine:
        plan.remove[mine.kind].add(test_id)
    if wanted:
        kept = mine.reason if mine and mine.statuses != {Status.PASS} and wanted.statuses != {Status.PASS} else ""
        plan.add[wanted.kind].append((wanted, kept or _suggestion(plan, test_id, wanted, evidence)))


def _suggestion(plan: Plan, test_id: str, wanted: Expectation, evidence: Evidence) -> str:
    """The comment of a new entry that fails as a known bug does elsewhere: a person confirms it, and deletes the TODO."""
    alike = None if wanted.statuses == {Status.PASS} else find_similar(test_id, evidence.messages, plan.listings, plan.layer)
    return f"bug {alike[0]}: {TODO}, the same message on {alike[1]}" if alike else ""


def _says(broader: Expectation | None, wanted: Expectation | None, evidence: Evidence) -> bool:
    """True if the other files already say what is wanted."""
    if broader is None or broader.statuses == {Status.PASS}:
        return wanted is None
    if wanted is None or broader.kind is not wanted.kind or broader.statuses != wanted.statuses:
        return False
    return broader.kind is FileKind.FLAKES or all(signature_matches(m, broader) for m in evidence.messages)


def _sign(mine: Expectation | None, wanted: Expectation | None) -> str:
    return "-" if wanted is None else "~" if mine else "+"
