"""`runner bugs check`: runs the case of each bug that a driver's files name, and says whether it is open or gone."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from runner import catalogue
from runner.catalogue import find_case
from runner.commands.options import add_device, config_of
from runner.drivers.registry import driver_of
from runner.expectations.bugs import Bug, bugs_folder, find_bug, load_bugs
from runner.expectations.sightings import load_listings
from runner.expectations.target import ALL, Target
from runner.model import Case, ExitCode, Expectation, Status
from runner.run.one_case import opened_worker
from runner.run_config import RunConfig
from runner.verdict.judge import signature_matches


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Which of them, on which device."""
    add_device(parser)
    parser.add_argument("numbers", nargs="*", type=int, metavar="N", help="these alone (default: all that it may have)")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print a line a bug. REGRESSION where one that is gone is seen again, IMPROVED where one is not seen any more."""
    config = replace(config_of(arguments), retries=0)
    folder = bugs_folder(config.expectations)
    if arguments.numbers:
        bugs = [find_bug(folder, number) for number in arguments.numbers]
    else:
        bugs = _bugs_of(config, list(load_bugs(folder).values()))
    states = _check(config, [(bug, *find_case(config, bug.case)) for bug in bugs])
    print(f"{len(bugs)} bugs: {', '.join(f'{n} {state}' for state, n in states.most_common())}")
    if states["back"]:
        return ExitCode.REGRESSION
    return ExitCode.IMPROVED if states["fixed"] else ExitCode.GREEN


def _bugs_of(config: RunConfig, bugs: Sequence[Bug]) -> list[Bug]:
    """Those that an entry names which may be read on this driver in this mode, whatever the release."""
    names = (ALL, driver_of(config).name)
    layers = [x for x in load_listings(config.expectations) if x.layer.driver in names]
    if config.mode != "compile":
        layers = [x for x in layers if not x.layer.compile]
    named = {entry.bug for listing in layers for entry in listing.entries.values()}
    return [bug for bug in bugs if bug.number in named]


def _check(config: RunConfig, bugs: Sequence[tuple[Bug, catalogue.Suite, Case]]) -> Counter[str]:
    states: Counter[str] = Counter()
    with opened_worker(config) as worker:
        target = driver_of(config).target(config, worker.report)
        for bug, suite, case in bugs:
            assert worker.expectations
            if skip := worker.expectations.skip(case.id):
                status, message = Status.SKIP, f"{skip.source} skips it"
            else:
                worker.ensure_ready()
                last = worker.run(suite, case, None).attempts[-1]
                status, message = last.status, last.message.partition("\n")[0]
            state = _state_of(bug, target, status, message, worker.expectations.find(case.id))
            states[state] += 1
            print(f"{state:7} {bug.number:4} {bug.title}: {case.id}: {message or status}", flush=True)
    return states


def _state_of(bug: Bug, target: Target, status: Status, message: str, line: Expectation | None) -> str:
    """`open`, `fixed` (news), `gone` (known), `back`, `other`: it fails by another bug or message, `skipped`."""
    if status is Status.SKIP:
        return "skipped"
    if status is Status.PASS:
        return "gone" if bug.is_gone_from(target) or line is None else "fixed"
    if line and line.bug == bug.number:
        return "open" if status in line.statuses and signature_matches(message, line) else "other"
    if bug.is_gone_from(target) and line is None:
        return "back"
    return "open" if line is None and bug.signature and bug.signature in message else "other"
