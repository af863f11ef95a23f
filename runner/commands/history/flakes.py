"""`runner history flakes`: what the history shows about flaky tests, and which flakes entries to add, change or delete.

Exit code 1 if a known flake fails more often, or in another way, than its entry; 5 if entries are to be added, changed
or deleted; else 0.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from runner.analysis.flakes import Action, Flake, find_flakes
from runner.commands.options import add_form, add_history, add_target, driver_name_of
from runner.expectations.files import format_entry
from runner.expectations.folder import read_files
from runner.expectations.resolution import Expectations
from runner.lines import one_line, tell
from runner.model import ExitCode
from runner.records.history import History, Run
from runner.run_config import add_options, at_least
from runner.verdict.intervals import SIGNIFICANT, rate_text, upper95


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the targets, the number of runs."""
    add_history(parser)
    add_target(parser)
    add_options(parser, "expectations")
    newest = "the newest N runs of each target and Mesa release (default 100)"
    parser.add_argument("--runs", type=at_least(1), default=100, metavar="N", help=newest)
    add_form(parser, "text", "json")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the flakes of each target.

    REGRESSION if a known flake fails more often than its entry states, IMPROVED if entries are stale.
    """
    red = stale = False
    documents = []
    expectations = Path(arguments.expectations)
    with History(arguments.history) as history:
        for known in history.series(driver_name_of(arguments), arguments.gpu):
            # The files are about the driver in its default configuration.
            runs = [run for run in known if not run.fault and not run.variant][-arguments.runs :]
            if not runs:
                continue
            files = read_files(expectations, runs[-1].target.driver) if expectations.is_dir() else {}
            found = list(find_flakes(history, runs, Expectations(runs[-1].target, files), arguments.include))
            red |= any(f.red for f in found)
            stale |= any(f.action is not Action.KEEP for f in found)
            documents.append(_document(runs, found))
            if arguments.form == "text":
                _print(runs, found)
    if arguments.form == "json":
        tell(json.dumps(documents, indent=1))
    return ExitCode.REGRESSION if red else ExitCode.IMPROVED if stale else ExitCode.GREEN


def _print(runs: Sequence[Run], found: Sequence[Flake]) -> None:
    target = runs[-1].series[0]
    tell(f"{target.name}: {len(runs)} runs, {runs[0].begun[:10]} to {runs[-1].begun[:10]}, on {runs[-1].device or '-'}")
    if not found:
        tell("  no flakes")
    for flake in sorted(found, key=lambda f: (not f.red, list(Action).index(f.action), f.id)):
        line = format_entry(flake.entry) if flake.entry else flake.id
        tell(f"{flake.action:6} {line}{'   RED' if flake.red else ''}")
        seen = f", first {flake.bad[0].run.begun[:10]}, last {flake.bad[-1].run.begun[:10]}" if flake.bad else ""
        tell(f"       {flake.why}")
        tell(f"       failed {rate_text(*flake.rate)} in {len({e.run.id for e in flake.executions})} runs{seen}")
        for factor in flake.factors if flake.bad else ():
            if len(factor.levels) < 2:
                continue
            level, p = factor.strongest
            word = f"; {level} differs, p = {p:.1g}" if p < SIGNIFICANT else ""
            tell(f"       {factor.name}: {', '.join(f'{name} {k}/{n}' for name, (k, n) in factor.levels.items())}{word}")
        for message in dict.fromkeys(e.message for e in reversed(flake.bad)):
            tell(f"       {one_line(message)}")
            break  # the newest one


def _document(runs: Sequence[Run], found: Sequence[Flake]) -> dict[str, object]:
    return {
        "target": runs[-1].series[0].name,
        "runs": len(runs),
        "flakes": [
            {
                "id": f.id,
                "action": f.action,
                "line": format_entry(f.entry) if f.entry else None,
                "why": f.why,
                "red": f.red,
                "failures": f.rate[0],
                "executions": f.rate[1],
                "upper95": upper95(*f.rate),
                "first": f.bad[0].run.begun if f.bad else None,
                "last": f.bad[-1].run.begun if f.bad else None,
                "factors": {x.name: x.levels for x in f.factors},
            }
            for f in found
        ],
    }
