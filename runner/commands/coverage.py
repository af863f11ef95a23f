"""`runner coverage`: what the suites cover, as Markdown."""

from __future__ import annotations

import argparse
from pathlib import Path

from runner import catalogue
from runner.commands.options import add_places
from runner.importing import import_suite_module
from runner.model import ExitCode


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Of which suites."""
    add_places(parser)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the page of every suite that has one (its `coverage.py`)."""
    known = catalogue.load(Path(arguments.suites))
    for suite in known.suites.values():
        if (suite.folder / "coverage.py").is_file():
            cases = [c for c in known.cases.values() if c.id.startswith(f"{suite.name}/")]
            print(f"## {suite.name}: {suite.description}\n")
            print(import_suite_module(suite.folder, "coverage").page(cases) + "\n")
    return ExitCode.GREEN
