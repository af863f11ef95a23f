"""`runner export`: what the runner knows, in the form of another tool."""

from __future__ import annotations

import argparse

from runner.commands.expect import lint
from runner.model import ExitCode


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Each form, with the options of the command whose findings it holds."""
    forms = parser.add_subparsers(dest="export_form", required=True, prog="runner export")
    text = "what `runner expect lint` finds, as GitLab's Code Quality report; exit code 0, 2 where a file cannot be parsed"
    lint.add_parser(forms.add_parser("codequality", help=text, description=text))


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print it."""
    arguments.form = arguments.export_form
    code = lint.main(arguments)
    return ExitCode.GREEN if code is ExitCode.REGRESSION else code
