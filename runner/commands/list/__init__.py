"""`runner list`: the ids of all suites; with -v, one case in detail: its tier and why, its needs and its body."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from runner import VERSION
from runner.bodies import place_of
from runner.cases import catalogue, census, frozen_ids
from runner.cases.renames import coming_release, order
from runner.cases.tiers import NAME as TIERS
from runner.cases.tiers import Tiers
from runner.commands.options import add_places
from runner.expectations.folder import read_files, stated_release
from runner.expectations.target import Target, parse_layer, parse_name
from runner.ids import choose
from runner.importing import import_suite_module
from runner.lines import tell
from runner.model import ExitCode, Tier, UsageError
from runner.run_config import add_options, tier_of


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the selection of ids."""
    add_places(parser)
    add_options(parser, "include", "exclude")
    tier = "only what a run of this tier executes (default: every case)"
    parser.add_argument("--tier", type=tier_of, default=Tier.NIGHTLY, help=tier)
    counts = "print how many there are of each area and tier instead, as suites/census.txt has it"
    parser.add_argument("--census", action="store_true", help=counts)
    frozen = "print the list of this release instead, for suites/releases/"
    parser.add_argument("--freeze", action="store_true", help=frozen)
    newer = "only what came after the newest file of this target, such as freedreno-a630-compile-mesa26.2, was measured"
    parser.add_argument("--unmeasured", metavar="TARGET", help=newer)
    parser.add_argument("-v", "--verbose", metavar="ID", help="what is known of this case instead, a line each")
    add_options(parser, "expectations")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the ids that the globs and the tier leave, one a line."""
    loaded = catalogue.load(Path(arguments.suites))
    if (arguments.census or arguments.freeze) and (
        arguments.include or arguments.exclude or arguments.tier is not Tier.NIGHTLY
    ):
        raise UsageError("--census, --freeze: count all cases; leave out -t, -x and --tier")
    if arguments.verbose:
        tell("\n".join(_describe(loaded, arguments.verbose)))
        return ExitCode.GREEN
    if arguments.freeze:
        frozen = frozen_ids.freeze(loaded.cases.values(), Path(arguments.suites))
        tell(frozen_ids.format_frozen(frozen, coming_release()), end="")
        return ExitCode.GREEN
    if arguments.census:
        tell(census.format_census(census.take_census(loaded.tiers)), end="")
        return ExitCode.GREEN
    ids = catalogue.select(loaded, arguments.include, arguments.exclude, arguments.tier)
    if arguments.unmeasured:
        ids = _unmeasured(ids, parse_layer(arguments.unmeasured), arguments)
    tell("".join(f"{test_id}\n" for test_id in ids), end="")
    return ExitCode.GREEN


def _describe(loaded: catalogue.Catalogue, test_id: str) -> Iterator[str]:
    """What the files of its suite say about a case."""
    suite, case = catalogue.case_of(loaded, test_id)
    rules, pages = suite.folder / TIERS, suite.folder / "coverage.py"
    coverage = import_suite_module(suite.folder, "coverage") if pages.is_file() else None
    all_rows: Sequence[Any] = getattr(coverage, "rows", tuple)()
    rows = [row for row in all_rows if choose([test_id], row.glob)]
    facts = {
        "tier": f"{case.tier} ({Tiers(rules).why(test_id) if rules.is_file() else f'its case in {suite.folder} says it'})",
        "area": "/".join(test_id.split("/")[:2]),
        "tests": "; ".join(f"{row.title} ({row.section})" for row in rows),
        "needs": ", ".join((*suite.requires, *case.requires)),
        "group": case.group or "",
        "timeout": f"{case.timeout_s:g} s",
        "body": place_of(suite.folder, case.kind),
        "params": json.dumps(dict(case.params)),
    }
    yield test_id
    yield from (f"  {name:8} {text}" for name, text in facts.items() if text)


def _unmeasured(ids: Sequence[str], target: Target, arguments: argparse.Namespace) -> list[str]:
    """The ids that are newer than the release with which the target's files (of its driver, mode and Mesa) were measured."""
    files = read_files(Path(arguments.expectations), target.driver)
    layers = ((parse_name(path)[0], text) for path, text in files.items())
    own = [text for layer, text in layers if layer.driver == target.driver and layer.mesa and layer.applies_to(target)]
    stated = sorted(filter(None, map(stated_release, own)), key=order)
    if not stated:
        return [*ids]
    if order(stated[-1]) >= order(VERSION):  # measured with this state of the suites, by its head
        return []
    there = frozen_ids.load_release(Path(arguments.suites), stated[-1]).cases
    return [test_id for test_id in ids if test_id not in there]
