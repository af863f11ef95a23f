"""`runner history`: fill the history from results, and print what it knows about each test."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path

from runner.commands.options import add_history, add_results, add_target, driver_name_of
from runner.ids import glob_pattern
from runner.lines import one_line
from runner.model import ExitCode, Status, UsageError
from runner.records.artifacts import opened_artifacts
from runner.records.history import History
from runner.verdict.intervals import rate_text
from runner.verdict.judge import BAD


def add_parser(parser: argparse.ArgumentParser) -> None:
    """`import` and `show`."""
    actions = parser.add_subparsers(dest="action", required=True, prog="runner history")
    take = actions.add_parser("import", help="add runs; one that is there already counts once")
    add_history(take)
    add_results(take)
    print_ = actions.add_parser("show", help="rates, signatures and seconds of each test")
    add_history(print_)
    add_target(print_)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Fill it, or print it."""
    if arguments.action == "import":
        _import(arguments.history, arguments.results)
    else:
        _show(arguments.history, driver_name_of(arguments), arguments.gpu, arguments.include)
    return ExitCode.GREEN


def _import(path: Path, places: Sequence[Path]) -> None:
    """Add runs; those that are no evidence are reported."""
    with History(path, create=True) as history:
        refused = 0
        for place in places:
            with opened_artifacts(place) as folders:
                for folder in folders:
                    try:
                        print(f"{folder}: {history.add(folder)} new executions")
                    except UsageError as error:
                        refused += 1
                        print(f"left out: {error}")
        print(f"{path}: {len(history.runs())} runs" + (f"; {refused} left out" if refused else ""))


def _show(path: Path, driver: str, gpu: str, include: Sequence[str]) -> None:
    """Print, for each target and Mesa release, its tests: runs, failures, statuses, signatures, seconds."""
    patterns = [glob_pattern(glob) for glob in include]
    with History(path) as history:
        for runs in history.series(driver, gpu):
            target, variant = runs[-1].series
            print(
                f"{target.name}{f' --variant {variant}' if variant else ''}: {len(runs)} runs, "
                f"{runs[0].begun[:10]} to {runs[-1].begun[:10]}"
            )
            wanted = [i for i in history.statuses(runs) if not patterns or any(p.fullmatch(i) for p in patterns)]
            for test_id, executions in history.executions(runs, wanted).items():
                ran = [e for e in executions if e.status is not Status.SKIP]
                bad = [e for e in ran if e.status in BAD]
                if not ran:
                    print(f"  {test_id}: skipped in {len(executions)} runs")
                    continue
                seconds = statistics.median(e.duration_s for e in ran)
                words = "|".join(s for s in Status if any(e.status is s for e in bad))
                print(
                    f"  {test_id}: {len({e.run.id for e in ran})} runs, failed {rate_text(len(bad), len(ran))} "
                    f"{words}{' ' * bool(words)}{seconds:.3f} s"
                )
                for message in dict.fromkeys(e.message for e in bad):
                    print(f"    {sum(e.message == message for e in bad)} x {one_line(message)}")
