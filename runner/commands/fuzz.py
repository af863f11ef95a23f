"""`runner fuzz`: runs random programs beyond those of the suites, and prints each that is red, its small form and its group.

A program is named by its family and its number, which are its seed: kernels/random/FAMILY/NUMBER. --results receives
fuzz.jsonl, with which --resume goes on. -n 1 --family FAMILY --first NUMBER runs one program again.
"""

import argparse
import resource
import sys
import time
from collections import defaultdict
from dataclasses import replace

from runner.commands.options import add_device, config_of
from runner.importing import import_suite_module
from runner.lines import one_line, tell
from runner.model import ExitCode, UsageError
from runner.run.fuzzing import Fuzzing, Red, suite_of
from runner.run_config import add_options, at_least
from runner.spelling import closest

_FIRST = 1000  # above the numbers of the catalogue
_PRINT_S = 10.0


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the programs, the device, the folder to write."""
    add_device(parser)
    add_options(parser, "jobs")
    parser.add_argument("-n", type=at_least(1), default=1000, metavar="N", help="programs of all families together (1000)")
    parser.add_argument("--first", type=at_least(0), default=_FIRST, metavar="N", help=f"the first number ({_FIRST})")
    parser.add_argument(
        "--family", action="append", default=[], metavar="NAME", help="only this family; repeatable (default: all but mixed)"
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="OP",
        help="leave an operation out, as add_sat; or char, the integers of 8 bits",
    )
    parser.add_argument(
        "--all-small",
        action="store_true",
        help="make each red small, not only the first two of one place; with --resume those of the journal too",
    )
    parser.add_argument("--results", default="fuzz", metavar="DIR", help="where the journal goes (default fuzz)")
    parser.add_argument("--resume", action="store_true", help="go on with the journal that is there")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Run the programs; REGRESSION if one is red."""
    config = replace(config_of(arguments), retries=0)
    suite = import_suite_module(suite_of(config).folder, "fuzzing")
    for option, names in (("family", suite.NAMES), ("without", suite.OMITTED)):
        for name in getattr(arguments, option):
            if name not in names:
                raise UsageError(f"--{option} {name}: none of {', '.join(names)}{closest(name, names)}")
    families = arguments.family or suite.USUAL
    fuzzing = Fuzzing(
        config,
        families,
        arguments.first,
        arguments.n,
        arguments.without,
        resume=arguments.resume,
        all_small=arguments.all_small,
    )
    begun, before, printed_s = time.monotonic(), fuzzing.done, time.monotonic()

    def print_red(red: Red) -> None:
        line = one_line(f"kernels/random/{red.family}/{red.number}: {red.status}: {red.message}")
        tell(f"{line} [{red.group}]", flush=True)

    def progress(done: int) -> None:
        nonlocal printed_s
        if time.monotonic() - printed_s > _PRINT_S:
            printed_s = time.monotonic()
            speed = (done - before) / (printed_s - begun)
            tell(f"{done} of {arguments.n} programs, {speed:.0f} a second", file=sys.stderr, flush=True)

    try:
        fuzzing.run(print_red, progress)
    finally:  # an interrupted night keeps what it has found
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        _print(fuzzing, fuzzing.done - before, time.monotonic() - begun, used.ru_utime + used.ru_stime)
    return ExitCode.REGRESSION if fuzzing.reds else ExitCode.GREEN


def _print(fuzzing: Fuzzing, count: int, wall_s: float, processor_s: float) -> None:
    cost = f", {1000 * processor_s / count:.0f} ms of processor time each" if count else ""
    tell(f"{count} programs in {wall_s:.0f} s{cost}; {len(fuzzing.reds)} red of {fuzzing.done}")
    for family, why in fuzzing.skipped.items():
        tell(f"  {family}: {why}")
    groups: dict[str, list[Red]] = defaultdict(list)
    for red in fuzzing.reds:
        groups[red.group or "not run by itself yet"].append(red)
    for group, reds in sorted(groups.items(), key=lambda item: -len(item[1])):
        tell(f"{len(reds)} x {group}")
        smallest = min((r for r in reds if r.least), key=lambda r: len(r.least), default=reds[0])
        tell(f"  kernels/random/{smallest.family}/{smallest.number}: {one_line(smallest.message)}")
        if smallest.least:
            tell(f"  {one_line(smallest.least, 2000)}")
