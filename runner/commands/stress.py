"""`runner stress ID`: executes one case many times under changed conditions, and finds what its failures depend on."""

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from runner.cases import catalogue
from runner.cases.catalogue import find_case
from runner.commands.options import add_device, config_of
from runner.lines import one_line, tell
from runner.model import ExitCode
from runner.run.repetition import RepeatedCase, Sample, factors, plans
from runner.run_config import at_least
from runner.verdict.intervals import rate_text, strongest


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the case, the device, the number of executions."""
    add_device(parser)
    parser.add_argument("id")
    parser.add_argument("-n", type=at_least(1), default=200, metavar="N", help="executions (default 200)")
    busy = "busy processes beside every second execution (default: cores)"
    parser.add_argument("--load", type=at_least(1), default=os.cpu_count() or 1, metavar="N", help=busy)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Run one case many times and print what matters; REGRESSION if it failed at least once."""
    config, n = config_of(arguments), arguments.n
    suite, case = find_case(config, arguments.id)
    loaded = catalogue.load(Path(config.suites))
    with tempfile.TemporaryDirectory(prefix="runner-") as scratch:
        repeated = RepeatedCase(replace(config, retries=0), Path(scratch), suite, case, loaded, arguments.load)
        try:
            samples = []
            for number, plan in enumerate(plans(n), 1):
                samples.append(repeated.execute(plan))
                if sys.stderr.isatty():
                    failed = sum(s.failed for s in samples)
                    print(f"\r{number}/{n} executions, {failed} failed", end="", file=sys.stderr, flush=True)
        finally:
            repeated.stop()
    _print(case.id, samples)
    return ExitCode.REGRESSION if any(s.failed for s in samples) else ExitCode.GREEN


def _print(test_id: str, samples: Sequence[Sample]) -> None:
    failed = [s for s in samples if s.failed]
    tell(f"{test_id}: failed {rate_text(len(failed), len(samples))}, the bounds with 95 % confidence")
    for (status, message), count in Counter((s.attempt.status, s.attempt.message) for s in failed).most_common(10):
        tell(f"  {count} x {status}: {one_line(message)}")
    if not failed:
        return
    counted = factors(samples)
    for factor in counted:
        level, p = factor.strongest
        if not factor.name.startswith("after ") or p < 0.001:
            tell(f"  {factor.name}:")
            for name, (k, n) in factor.levels.items():
                tell(f"    {name}: {rate_text(k, n)}")
            tell(f"    p = {p:.2g} (Fisher's exact test)")
    if not (found := strongest(counted)):
        tell("no factor stands out: it fails at the same rate however it is run, or there were too few executions")
        return
    factor, level, p = found
    rest = [(k, n) for name, (k, n) in factor.levels.items() if name != level]
    k, n = factor.levels[level]
    tell(
        f"what matters: {factor.name}: {level} fails {k}/{n}, else {sum(r[0] for r in rest)}/{sum(r[1] for r in rest)} "
        f"(p = {p:.2g})"
    )
    if order := next((s for s in failed if s.before and factor.name != "load"), None):
        tell(f"  a child that failed had run before: {' '.join(order.before)}")
