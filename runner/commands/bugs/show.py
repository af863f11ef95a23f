"""`runner bugs show N`: what is known about a bug, and where it is seen; --markdown makes it a report that can be filed.

A word instead of the number shows the one bug that contains it.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from runner.cases import catalogue
from runner.expectations.bugs import PROJECTS, Bug, bugs_folder, find_bug, load_bugs, search_bugs
from runner.expectations.sightings import Listing, find_sightings, load_listings
from runner.expectations.target import Target
from runner.lines import read_given, tell
from runner.model import ExitCode, UsageError
from runner.releases import series_of
from runner.run_config import add_options
from runner.verdict.likeness import Elsewhere, requirements_of

_LANGUAGES = {".py": "python", ".c": "c"}
_TO_RUN = {".py": "python3 {0}", ".c": "cc {0} -lOpenCL -lm && ./a.out"}


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the bug."""
    add_options(parser, "expectations", "suites")
    parser.add_argument("bug", metavar="N", help="the number, or a word that only one bug says")
    parser.add_argument("--markdown", action="store_true", help="as a report for the driver's tracker")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print it; if a report is to be filed, on stderr. Raises UsageError if there is none, or more than one."""
    bug = _choose(bugs_folder(arguments.expectations), arguments.bug)
    listings = load_listings(arguments.expectations)
    seen = list(find_sightings(bug, listings))
    needs = requirements_of(catalogue.load(Path(arguments.suites)), bug.case)
    standing = _standing(*Elsewhere(arguments.expectations, listings).find(bug.case, bug.signature, needs))
    tell("\n".join(_write_report(bug, seen, standing) if arguments.markdown else _describe(bug, seen, standing)))
    if arguments.markdown:
        tell(f"project: {_project(bug)}\nsearch there first: {', '.join(bug.search)}", file=sys.stderr)
    return ExitCode.GREEN


def _choose(folder: Path, word: str) -> Bug:
    if word.isdecimal():
        return find_bug(folder, int(word))
    found = search_bugs(load_bugs(folder).values(), word)
    if len(found) == 1:
        return found[0]
    which = (
        f"{len(found)} say {word!r}: {', '.join(str(bug.number) for bug in found[:20])}" if found else f"none says {word!r}"
    )
    raise UsageError(f"bugs show {word}: {which}; give a number of `runner bugs{f' {word}' if found else ''}`")


def _project(bug: Bug) -> str:
    return f"{bug.owner}, {PROJECTS[bug.owner][0]}".rstrip(", ") if bug.owner else "not known; Mesa's tracker can find out"


def _standing(failing: list[str], passing: list[str]) -> str:
    """On how many of the implementations measured on a device its case is red; "" if it was measured on none."""
    count = f"red on {len(failing)} of {len(failing) + len(passing)} that were measured on a device"
    parts = (f"on {', '.join(failing)}" if failing else "", f"expected to pass on {', '.join(passing)}" if passing else "")
    return f"{count}: {'; '.join(filter(None, parts))}" if failing or passing else ""


def _describe(bug: Bug, seen: list[tuple[Listing, int]], standing: str) -> Iterator[str]:
    yield f"bug {bug.number}: {bug.title}"
    for name in ("clause", "says", "case", "signature", "where", "note", "upstream"):
        if value := getattr(bug, name):
            yield f"  {name:10} {value}"
    yield f"  {'project':10} {_project(bug)}"
    yield f"  {'search':10} {', '.join(bug.search)}"
    yield f"  {'file':10} {bug.path}"
    if bug.program:
        yield f"  {'program':10} {bug.program}"
    for listing, count in seen:
        yield f"  {'seen':10} {listing.layer.name}: {count} entries"
    if standing:
        yield f"  {'its case':10} {standing}"
    for layer in bug.gone:
        yield f"  {'gone':10} {layer.name}"


def _write_report(bug: Bug, seen: list[tuple[Listing, int]], standing: str) -> Iterator[str]:
    yield from (f"# {bug.title}", "")
    yield from (f"{bug.clause}: {bug.says}", "")
    if bug.note:
        yield from (bug.note, "")
    yield from ("## Affected", "", "| Mesa | driver | tests that fail |", "|---|---|---|")
    yield from _releases(seen)
    if standing:
        yield from ("", f"`{bug.case}` is {standing}.")
    if bug.gone:
        fixed = ", ".join(f"{_in_words(layer)} of Mesa {layer.mesa}" for layer in bug.gone)
        yield from ("", f"It is not seen any more with {fixed}.")
    yield from ("", "## Reproduce", "")
    if bug.program:
        end = bug.program.suffix
        yield from (f"`{_TO_RUN[end].format(bug.program.name)}`", "", f"```{_LANGUAGES[end]}")
        yield from (read_given(bug.program).rstrip("\n"), "```", "")
        yield from ("Expected:", "", f"    {bug.prints['right']}", "", "Actual:", "", f"    {bug.prints['wrong']}")
    else:
        yield f"`{bug.case}` of rusticl-runner shows it" + (":" if bug.signature else ".")
        if bug.signature:
            yield from ("", f"    {bug.signature}")
    if bug.where:
        yield from ("", "## Where", "", bug.where)


def _releases(seen: list[tuple[Listing, int]]) -> Iterator[str]:
    """One row for each release of Mesa: its full version, if a file states it, and the drivers."""
    rows: dict[str, list[tuple[Listing, int]]] = {}
    for listing, count in seen:
        rows.setdefault(listing.layer.mesa, []).append((listing, count))
    for release, found in sorted(rows.items(), key=lambda row: series_of(row[0]) if row[0] else ()):
        version = next(
            (m[1] for listing, _ in found if (m := re.search(r"Mesa (\d+\.\d+\.\d+)", listing.measured))), release
        )
        names = dict.fromkeys(_in_words(listing.layer) for listing, _ in found)
        yield f"| {version or 'not stated'} | {', '.join(names)} | {max(count for _, count in found)} |"


def _in_words(layer: Target) -> str:
    """A driver and its GPU in plain words: freedreno (a630, emulated)."""
    mode = {"emulate": "emulated", "compile": "only its compiler"}.get(layer.mode, "")
    more = ", ".join(filter(None, (layer.gpu.replace("_", " "), mode, layer.variant)))
    return f"{layer.driver} ({more})" if more else layer.driver
