"""`runner expect`: update, check and explain the expectation files."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from runner.model import ExitCode

ACTIONS = {
    "update": "change the files after runs",
    "init": "make the files of a board that has none, from its runs",
    "lint": "check the files; needs no device",
    "explain": "which entry decides about a test",
    "factor": "what all GPUs of a driver share",
}


def add_parser(parser: argparse.ArgumentParser) -> None:
    """The actions: one module each, `init` being an update that begins with nothing."""
    actions = parser.add_subparsers(dest="action", required=True, prog="runner expect")
    for name, text in ACTIONS.items():
        module = _module(name)
        module.add_parser(actions.add_parser(name, help=text, description=module.__doc__))


def main(arguments: argparse.Namespace) -> ExitCode:
    """Do what was asked."""
    code: ExitCode = _module(arguments.action).main(arguments)
    return code


def _module(action: str) -> Any:
    return importlib.import_module(f"runner.commands.expect.{'update' if action == 'init' else action}")
