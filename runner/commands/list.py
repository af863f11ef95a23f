"""`runner list`: the ids of all suites."""

from __future__ import annotations

import argparse
from pathlib import Path

from runner.cases import catalogue, census, frozen_ids
from runner.cases.renames import coming_release
from runner.commands.options import add_places
from runner.lines import tell
from runner.model import ExitCode, Tier, UsageError
from runner.run_config import add_options, tier_of


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Which ids."""
    add_places(parser)
    add_options(parser, "include", "exclude")
    tier = "only what a run of this tier executes (default: every case)"
    parser.add_argument("--tier", type=tier_of, default=Tier.NIGHTLY, help=tier)
    counts = "print how many there are of each area and tier instead, as suites/census.txt has it"
    parser.add_argument("--census", action="store_true", help=counts)
    frozen = "print the list of this release instead, for suites/releases/"
    parser.add_argument("--freeze", action="store_true", help=frozen)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the ids that the globs and the tier leave, one a line."""
    known = catalogue.load(Path(arguments.suites))
    if (arguments.census or arguments.freeze) and (
        arguments.include or arguments.exclude or arguments.tier is not Tier.NIGHTLY
    ):
        raise UsageError("--census, --freeze: count all cases; leave out -t, -x and --tier")
    if arguments.freeze:
        frozen = frozen_ids.freeze(known.cases.values(), Path(arguments.suites))
        tell(frozen_ids.format_frozen(frozen, coming_release()), end="")
        return ExitCode.GREEN
    if arguments.census:
        tell(census.format_census(census.take_census(known.tiers)), end="")
        return ExitCode.GREEN
    tell("\n".join(catalogue.select(known, arguments.include, arguments.exclude, arguments.tier)))
    return ExitCode.GREEN
