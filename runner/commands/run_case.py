"""`runner run-case ID`: one case: its output, its steps if it failed, and how to repeat it by hand."""

import argparse
import shlex
from dataclasses import replace

from runner.cases.catalogue import find_case
from runner.commands.options import add_device, config_of
from runner.model import ExitCode


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the case, the device."""
    add_device(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--gdb", action="store_true", help="run it once, without a deadline, under gdb")
    how.add_argument("--prefix", default="", metavar="COMMAND", help="the same under a command, such as 'valgrind -q'")
    parser.add_argument("id")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Run it; REGRESSION if its verdict is red."""
    config = replace(config_of(arguments), evidence="all")
    suite, case = find_case(config, arguments.id)
    if arguments.gdb:
        from runner.run.debugging import debug_case

        return debug_case(config, suite, case)
    if arguments.prefix:
        from runner.run.debugging import run_behind

        return run_behind(shlex.split(arguments.prefix), config, suite, case)
    from runner.run.one_case import run_case

    return run_case(config, suite, case)
