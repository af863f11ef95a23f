"""`runner list coverage`: what the suites cover, as Markdown: sections of the specification, or the names of a header."""

import argparse
from pathlib import Path

from runner.cases import catalogue
from runner.commands.options import add_places
from runner.importing import import_suite_module
from runner.lines import tell
from runner.model import ExitCode, UsageError


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the suites, or a header."""
    add_places(parser)
    parser.add_argument(
        "--api",
        metavar="HEADER",
        type=Path,
        help="the functions of this CL/cl.h instead, each with its errors and queries, and who names them, or why nobody",
    )


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the page of every suite that has one (its `coverage.py`)."""
    if arguments.api:
        try:
            tell(import_suite_module(Path(arguments.suites) / "kernels", "api_coverage").page(arguments.api))
        except OSError as error:
            raise UsageError(f"--api {arguments.api}: {error.strerror}") from error
        return ExitCode.GREEN
    loaded = catalogue.load(Path(arguments.suites))
    for suite in loaded.suites.values():
        if (suite.folder / "coverage.py").is_file():
            cases = [loaded.cases[i] for i in loaded.cases if i.startswith(f"{suite.name}/")]
            tell(f"## {suite.name}: {suite.description}\n")
            tell(import_suite_module(suite.folder, "coverage").page(cases) + "\n")
    return ExitCode.GREEN
