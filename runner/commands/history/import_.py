"""`runner history import`: add runs to the history; those that are not evidence are reported."""

import argparse
from pathlib import Path

from runner.commands.options import add_history, add_results
from runner.lines import tell
from runner.model import ExitCode, UsageError
from runner.records.artifacts import opened_artifacts
from runner.records.history import History


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the runs, the history's file."""
    add_history(parser)
    add_results(parser)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Add them, and say how many executions of each were new."""
    path: Path = arguments.history
    with History(path, create=True) as history:
        refused = 0
        for place in arguments.results:
            with opened_artifacts(place) as folders:
                for folder in folders:
                    try:
                        tell(f"{folder}: {history.add(folder)} new executions")
                    except UsageError as error:
                        refused += 1
                        tell(f"left out: {error}")
        tell(f"{path}: {len(history.runs())} runs" + (f"; {refused} left out" if refused else ""))
    return ExitCode.GREEN
