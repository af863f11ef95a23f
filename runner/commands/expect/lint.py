"""`runner expect lint`: what is wrong with expectation files, without a device."""

import argparse
from pathlib import Path

from runner.cases import catalogue
from runner.commands.options import add_drivers, add_expectations, add_form
from runner.drivers.registry import Driver, load_drivers
from runner.expectations.bugs import bugs_folder, load_bugs
from runner.maintenance.bug_checks import find_bug_faults
from runner.maintenance.checks import CHECKS, disagreements
from runner.maintenance.finding import print_findings
from runner.maintenance.quiet import find_quiet, sightings_of_history, sightings_of_results
from runner.maintenance.sources import Folder, load_sources
from runner.model import ExitCode
from runner.run_config import add_options, at_least


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the drivers, runs to compare with."""
    add_expectations(parser)
    add_options(parser, "suites")
    runs = "runs, to find entries that none of them saw failing"
    parser.add_argument("results", nargs="*", type=Path, metavar="RESULTS", help=runs)
    newest = "the history, to find entries that its newest runs did not see failing"
    parser.add_argument("--history", type=Path, metavar="FILE", help=newest)
    parser.add_argument(
        "--quiet-runs",
        type=at_least(1),
        metavar="N",
        help="report an entry after N runs without a failure (default 10; if it has a rate, as many passes as make "
        "chance incredible)",
    )
    add_drivers(parser, "this driver's files and all/")
    add_form(parser, "text", "json", "codequality")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the findings; REGRESSION with findings, USAGE if the file cannot be parsed (which is a finding too)."""
    registered = load_drivers(arguments.registry)
    expectations = Path(arguments.expectations)
    sources, broken = load_sources(expectations, arguments.driver, registered)
    foreign = frozenset(d.name for d in registered.values() if d.platform != Driver(d.name).platform)
    folder = Folder(sources, catalogue.load(Path(arguments.suites)).tiers, foreign)
    findings = [f for source in sources for check in CHECKS for f in check(source, folder)]
    findings += disagreements(folder)
    if bugs := load_bugs(bugs_folder(expectations)):
        findings += find_bug_faults(folder, bugs, whole=not arguments.driver)
    if not broken:
        sightings = sightings_of_results(arguments.results, registered)
        if arguments.history:
            listed = {i for s in sources for e in s.file.entries for i in folder.matches(e.pattern)}
            sightings = [*sightings_of_history(arguments.history, listed), *sightings]
        if sightings:
            findings += find_quiet(folder, expectations, sightings, arguments.quiet_runs)
    print_findings(sorted({*broken, *findings}), arguments.form)
    return ExitCode.USAGE if broken else ExitCode.REGRESSION if findings else ExitCode.GREEN
