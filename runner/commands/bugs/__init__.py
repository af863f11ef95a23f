"""`runner bugs`: the known bugs of drivers (docs/bugs.md), each with its state and its entries by driver."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from runner.commands.bugs import listing
from runner.model import ExitCode

ACTIONS = {
    "show": "one of them, or a report of it that can be filed",
    "check": "run the case of each on a driver, and say whether it is open",
}


def add_parser(parser: argparse.ArgumentParser) -> None:
    """The options of the list, and the actions: one module each."""
    listing.add_parser(parser)
    actions = parser.add_subparsers(dest="action", prog="runner bugs")
    for name, text in ACTIONS.items():
        module = _module(name)
        module.add_parser(actions.add_parser(name, help=text, description=module.__doc__))


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the list, or do what was asked."""
    code: ExitCode = _module(arguments.action or "listing").main(arguments)
    return code


def _module(action: str) -> Any:
    return importlib.import_module(f"runner.commands.bugs.{action}")
