"""`runner expect init`: make the files of a board that has none, from its runs: its floor, and its fails and flakes."""

import argparse

from runner.commands.expect import update
from runner.model import ExitCode

add_parser = update.add_parser


def main(arguments: argparse.Namespace) -> ExitCode:
    """Make them, as an update that begins with nothing."""
    return update.update(arguments, first=True)
