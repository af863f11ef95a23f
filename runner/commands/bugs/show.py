"""`runner bugs show N`: what is known of a bug, and where it is seen; --markdown makes it a report that can be filed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from runner.expectations.bugs import Bug, bugs_folder, find_bug
from runner.expectations.sightings import Listing, find_sightings, load_listings
from runner.lines import read_given, tell
from runner.model import ExitCode
from runner.run_config import add_options

_LANGUAGES = {".py": "python", ".c": "c"}
_TO_RUN = {".py": "python3 {0}", ".c": "cc {0} -lOpenCL -lm && ./a.out"}


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Which one."""
    add_options(parser, "expectations")
    parser.add_argument("number", type=int, metavar="N")
    parser.add_argument("--markdown", action="store_true", help="as a report for the driver's tracker")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print it. Raises UsageError where there is none of that number."""
    bug = find_bug(bugs_folder(arguments.expectations), arguments.number)
    seen = list(find_sightings(bug, load_listings(arguments.expectations)))
    tell("\n".join(_write_report(bug, seen) if arguments.markdown else _describe(bug, seen)))
    return ExitCode.GREEN


def _describe(bug: Bug, seen: list[tuple[Listing, int]]) -> Iterator[str]:
    yield f"bug {bug.number}: {bug.title}"
    for name in ("clause", "says", "case", "signature", "where", "note", "upstream"):
        if value := getattr(bug, name):
            yield f"  {name:10} {value}"
    yield f"  {'file':10} {bug.path}"
    if bug.program:
        yield f"  {'program':10} {bug.program}"
    for listing, count in seen:
        yield f"  {'seen':10} {listing.layer.name}: {count} entries"
    for layer in bug.gone:
        yield f"  {'gone':10} {layer.name}"


def _write_report(bug: Bug, seen: list[tuple[Listing, int]]) -> Iterator[str]:
    yield from (f"# {bug.title}", "")
    yield from (f"{bug.clause}: {bug.says}", "")
    if bug.note:
        yield from (bug.note, "")
    yield from ("## Environment", "", "| target | measured on | cases |", "|---|---|---|")
    for listing, count in seen:
        yield f"| {listing.layer.name} | {listing.measured} | {count} |"
    if bug.gone:
        yield from ("", f"Not seen any more: {', '.join(layer.name for layer in bug.gone)}.")
    yield from ("", "## Reproduce", "")
    if bug.program:
        end = bug.program.suffix
        yield from (f"`{_TO_RUN[end].format(bug.program.name)}`", "", f"```{_LANGUAGES[end]}")
        yield from (read_given(bug.program).rstrip("\n"), "```", "")
        yield from ("Expected:", "", f"    {bug.prints['right']}", "", "Actual:", "", f"    {bug.prints['wrong']}")
    else:
        yield from (f"    runner repro --driver NAME {bug.case} DIR", "")
        yield f"writes `{bug.case}` as a program of its own" + (", which prints:" if bug.signature else ".")
        if bug.signature:
            yield from ("", f"    {bug.signature}")
    if bug.where:
        yield from ("", "## Where", "", bug.where)
