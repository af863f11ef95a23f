"""`runner list`: the ids of all suites."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from runner import catalogue
from runner.commands.options import add_places
from runner.model import Tier
from runner.run_config import add_options


def add_parser(commands: Any) -> None:
    """Which ids."""
    parser = commands.add_parser("list")
    add_places(parser)
    add_options(parser, "include", "exclude")


def main(arguments: argparse.Namespace) -> int:
    """Print the ids of every tier that the globs leave, one a line."""
    known = catalogue.load(Path(arguments.suites))
    print("\n".join(catalogue.select(known, arguments.include, arguments.exclude, Tier.NIGHTLY)))
    return 0
