"""`runner bugs`: the known bugs of drivers (docs/bugs.md), each with its state and its entries by driver."""

import argparse
from collections import Counter

from runner.expectations.bugs import bugs_folder, load_bugs, search_bugs
from runner.expectations.sightings import count_by_driver, load_listings
from runner.lines import tell
from runner.model import ExitCode, UsageError
from runner.run_config import add_options


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the bugs."""
    add_options(parser, "expectations")
    parser.add_argument("word", nargs="?", default="", metavar="WORD", help="only those that say this word")
    parser.add_argument("--driver", default="", help="only those that this driver's own files name")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the table. Raises UsageError if there are none."""
    folder = bugs_folder(arguments.expectations)
    bugs = load_bugs(folder)
    if not bugs:
        raise UsageError(f"{folder}: no bugs there; give --expectations DIR, with its bugs/ beside it")
    counts = count_by_driver(load_listings(arguments.expectations))
    said = search_bugs(bugs.values(), arguments.word)
    if not said:
        raise UsageError(f"bugs {arguments.word}: no bug says that; `runner bugs` lists them")
    shown = [bug for bug in said if not arguments.driver or counts.get(bug.number, {}).get(arguments.driver)]
    for bug in shown:
        by_driver = ", ".join(f"{driver} {n}" for driver, n in sorted(counts.get(bug.number, {}).items()))
        tell(f"{bug.number:4}  {bug.title}\n      {bug.upstream}; {by_driver or 'no entry'}")
    states = Counter(bug.upstream.split(" ", 1)[0] for bug in shown)
    entries = sum(sum(counts.get(bug.number, Counter()).values()) for bug in shown)
    tell(f"{len(shown)} bugs, {entries} entries: {', '.join(f'{n} {state}' for state, n in states.most_common())}")
    return ExitCode.GREEN
