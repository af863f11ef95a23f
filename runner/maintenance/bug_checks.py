"""Mistakes between the expectation files and the bugs that their entries name."""

import re
from collections.abc import Collection, Iterator, Mapping

from runner import ROOT
from runner.expectations.bugs import Bug
from runner.maintenance.finding import LintFinding
from runner.maintenance.sources import Folder, Source
from runner.model import Expectation, Status
from runner.shapes import read_text
from runner.sources import OPTIONAL

_SUPPRESSIONS = ROOT / "ci" / "sanitizers"  # reports that sanitizers leave out, with their bugs


def find_bug_faults(folder: Folder, bugs: Mapping[int, Bug], *, whole: bool) -> Iterator[LintFinding]:
    """`whole`: the folder has the files of every driver, so a bug that none names has no entry."""
    named: dict[int, set[str]] = {}
    suppressed = {int(n) for path in _SUPPRESSIONS.glob("*.txt") for n in re.findall(r"\bbug (\d+)", read_text(path))}
    for source in folder.sources:
        by_bug: dict[int, list[Expectation]] = {}
        for entry in source.file.entries:
            by_bug.setdefault(entry.bug, []).append(entry)
        here = by_bug.keys() & bugs.keys()
        gone = {number for number in here if bugs[number].is_gone_from(source.layer)}
        for number, entries in by_bug.items():
            for entry in entries if number in gone or number not in here else ():
                if entry.statuses != {Status.PASS}:
                    yield from _of_entry(source, entry, bugs, gone)
            named.setdefault(number, set()).update(i for entry in entries for i in folder.matches(entry.pattern))
    for bug in bugs.values():
        place = f"{bug.path}:1"
        if bug.case not in folder.existing:
            yield LintFinding.at(place, "bug", f"no test {bug.case!r}{folder.near(bug.case)}", 'run "runner list"')
        elif whole and bug.number not in {*named, *suppressed}:
            yield LintFinding.at(place, "bug", f"no entry names bug {bug.number}", "delete it, or name it where it is seen")
        elif whole and bug.number not in suppressed and bug.case not in named[bug.number]:
            what = f"{bug.case} fails nowhere by bug {bug.number}"
            yield LintFinding.at(place, "bug", what, "choose a case whose entry names it")


def _of_entry(source: Source, entry: Expectation, bugs: Mapping[int, Bug], gone: Collection[int]) -> Iterator[LintFinding]:
    bug = bugs.get(entry.bug)
    if not entry.mark and entry.pattern.split("/", 1)[0] in OPTIONAL:
        return  # tests of other projects have faults, too
    if not entry.mark:
        what, next_step = f"{entry.pattern} names no bug", 'begin its comment with "bug N:"; `runner bugs` lists them'
    elif entry.mark == "waived" and not re.search(r"https://\S", entry.reason):
        what, next_step = f"{entry.pattern} is waived without a link", "say where it was declined, or where the text is open"
    elif entry.bug and bug is None:
        what, next_step = f"{entry.pattern}: no bug {entry.bug}", "write its file (docs/bugs.md), or correct the number"
    elif bug and bug.number in gone:
        what = f"{entry.pattern}: bug {bug.number} is gone from {source.layer.name}, says {bug.path.name}"
        next_step = "delete the entry, or name the bug that it is now"
    else:
        return
    yield LintFinding.at(entry.source, "bug", what, next_step)
