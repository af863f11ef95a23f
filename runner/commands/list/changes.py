"""`runner list changes`: what has become of the cases of a release of the suites.

Exit code 1 if an id has gone and suites/renames.txt does not say where to.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from runner.cases import catalogue
from runner.cases.frozen_ids import HEAD, Changes, Frozen, compare, find_faults, freeze, load_release
from runner.cases.renames import NAME, load_renames, order
from runner.commands.options import add_form
from runner.lines import tell
from runner.model import ExitCode, UsageError
from runner.run_config import add_options


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the release."""
    parser.add_argument("old", metavar="OLD", help="a release, as 2026.11")
    parser.add_argument(
        "new", nargs="?", default=HEAD, metavar="NEW", help=f"a later one (default {HEAD}: as the suites are)"
    )
    add_options(parser, "suites")
    add_form(parser, "text", "json")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print it, a line a case."""
    suites = Path(arguments.suites)
    old, new = (_load(suites, name) for name in (arguments.old, arguments.new))
    if arguments.old == HEAD or (arguments.new != HEAD and order(arguments.new) < order(arguments.old)):
        raise UsageError(f"{arguments.new} is older than {arguments.old}; give the older one first")
    renames = load_renames(suites / NAME)
    changes = compare(old, new, renames, arguments.old)
    faults = list(find_faults(old, new, renames, arguments.old)) if arguments.new == HEAD else []
    if arguments.form == "json":
        tell(json.dumps({**asdict(changes), "faults": faults}, indent=1))
    else:
        tell("\n".join([*_lines(changes), f"{arguments.old} to {arguments.new}: {_counts(changes)}", *faults]))
    return ExitCode.REGRESSION if faults else ExitCode.GREEN


def _load(suites: Path, name: str) -> Frozen:
    return freeze(catalogue.load(suites).cases.values(), suites) if name == HEAD else load_release(suites, name)


def _lines(changes: Changes) -> Iterator[str]:
    yield from (f"added {i}" for i in changes.added)
    yield from (f"removed {i}" for i in (*changes.gone, *changes.lost))
    yield from (f"renamed {old} -> {new}" for old, new in changes.renamed.items())
    yield from (f"tier {i}: {was} -> {now}" for i, (was, now) in changes.moved.items())
    yield from (f"meaning {i}" for i in changes.altered)
    yield from (f"code of {folder}" for folder in changes.code)


def _counts(changes: Changes) -> str:
    return (
        f"{len(changes.added)} added, {len(changes.gone) + len(changes.lost)} removed, {len(changes.renamed)} renamed, "
        f"{len(changes.moved)} in another tier, {len(changes.altered)} with another meaning; "
        f"the code of {len(changes.code)} folders is another"
    )
