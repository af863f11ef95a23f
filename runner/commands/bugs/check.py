"""`runner bugs check`: runs the case of each bug that a driver's files name, and says whether it is open or gone."""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from runner.cases import catalogue
from runner.commands.options import add_device, config_of
from runner.drivers.registry import driver_of
from runner.expectations.bugs import Bug, bugs_folder, find_bug, load_bugs
from runner.expectations.resolution import Expectations
from runner.expectations.sightings import load_listings
from runner.expectations.target import ALL, Target
from runner.lines import tell
from runner.model import ExitCode, Expectation, FileKind, Status, UsageError
from runner.run.one_case import opened_worker
from runner.run_config import RunConfig
from runner.verdict.judge import deciding, signature_matches


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the bugs, the device."""
    add_device(parser)
    parser.add_argument("numbers", nargs="*", type=int, metavar="N", help="only these (default: all that it may have)")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print a line a bug. REGRESSION if one that is gone is seen again, IMPROVED if one is no longer seen."""
    config = replace(config_of(arguments), retries=0)
    folder = bugs_folder(config.expectations)
    if arguments.numbers:
        bugs = [find_bug(folder, number) for number in arguments.numbers]
    else:
        bugs = _bugs_of(config, list(load_bugs(folder).values()))
    states = _check(config, bugs)
    tell(f"{len(bugs)} bugs: {', '.join(f'{n} {state}' for state, n in states.most_common())}")
    if states["back"]:
        return ExitCode.REGRESSION
    return ExitCode.IMPROVED if states["fixed"] else ExitCode.GREEN


def _bugs_of(config: RunConfig, bugs: Sequence[Bug]) -> list[Bug]:
    """The bugs named by entries that apply to this driver in this mode and variant, whatever the release."""
    names = (ALL, driver_of(config).name)
    listings = load_listings(config.expectations)
    layers = [x for x in listings if x.layer.driver in names and x.layer.variant in ("", config.variant)]
    layers = [x for x in layers if x.layer.mode in ("", Target.mode_of(config.mode))]
    named = {entry.bug for listing in layers for entry in listing.entries.values()}
    return [bug for bug in bugs if bug.number in named]


def _check(config: RunConfig, bugs: Sequence[Bug]) -> Counter[str]:
    states: Counter[str] = Counter()
    loaded = catalogue.load(Path(config.suites))
    if unknown := [bug for bug in bugs if bug.case not in loaded.cases]:
        raise UsageError(f"{unknown[0].path}:1: no test {unknown[0].case!r}; see `runner list`")
    with opened_worker(config) as worker:
        target = driver_of(config).target(config, worker.report)
        for bug in bugs:
            assert worker.expectations
            test_id = case_of(bug, worker.expectations)
            entry = worker.expectations.find(test_id)
            if skip := worker.expectations.skip(test_id):
                status, message = Status.SKIP, f"{skip.source} skips it"
            else:
                worker.ensure_ready()
                last = worker.run(loaded.suite_of(test_id), loaded.cases[test_id], None).attempts[-1]
                status, message = last.status, last.message.partition("\n")[0]
                entry = deciding([last], entry)
            state = _state_of(bug, target, status, message, entry)
            states[state] += 1
            behind = f" behind bug {entry.bug}" if state == "hidden" and entry else ""
            tell(f"{state:7} {bug.number:4}{behind} {bug.title}: {test_id}: {message or status}", flush=True)
    return states


def case_of(bug: Bug, expectations: Expectations) -> str:
    """The test that shows a bug on a target: its case, or another of its entries if that fails there for another bug."""
    entry = expectations.find(bug.case)
    if entry is None or entry.bug == bug.number:
        return bug.case
    suite = bug.case[: bug.case.index("/") + 1]
    own = (e for e in expectations.entries() if e.bug == bug.number and e.kind is FileKind.FAILS)
    cases = (e.pattern for e in own if e.pattern.startswith(suite) and not e.is_family)
    return next((i for i in cases if (decides := expectations.find(i)) and decides.bug == bug.number), bug.case)


def _state_of(bug: Bug, target: Target, status: Status, message: str, entry: Expectation | None) -> str:
    """`open`, `fixed` (news), `gone` (known), `back`, `hidden` behind another bug, `other`: as no known bug, `skipped`."""
    if status is Status.SKIP:
        return "skipped"
    if status is Status.PASS:
        return "gone" if bug.is_gone_from(target) or entry is None else "fixed"
    if entry and entry.bug:
        state = "open" if entry.bug == bug.number else "hidden"
        return state if status in entry.statuses and signature_matches(message, entry) else "other"
    if bug.is_gone_from(target) and entry is None:
        return "back"
    return "open" if entry is None and bug.signature and bug.signature in message else "other"
