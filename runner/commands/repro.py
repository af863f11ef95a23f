"""`runner repro ID DIR`: one case as a stand-alone program."""

import argparse
from dataclasses import replace
from pathlib import Path

from runner.cases import catalogue
from runner.cases.catalogue import find_case
from runner.commands.options import add_device, config_of
from runner.importing import import_suite_module
from runner.lines import tell
from runner.model import Case, ExitCode, Status, UsageError
from runner.run.one_case import opened_worker, run_case
from runner.run_config import RunConfig

_SLOWER = 10.0  # than the case itself: each kernel of tinygrad is run on the CPU too


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the case, the device, the folder to write."""
    add_device(parser)
    parser.add_argument("id")
    parser.add_argument("repro", metavar="DIR", help="a new folder")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Run one case and write what it did into the folder; REGRESSION if the case never reached the device."""
    config = config_of(arguments)
    folder = Path(config.repro)
    if folder.exists():
        raise UsageError(f"{folder}: exists; give a new folder")
    suite, case = find_case(config, arguments.id)
    if (suite.folder / "reduction.py").is_file():
        case = _reduced(config, suite, case)
    scale = config.timeout_scale * _SLOWER
    run_case(replace(config, repro=str(folder.resolve()), retries=0, timeout_scale=scale), suite, case)
    if not any(folder.glob("repro.*")):
        tell(f"{folder}: nothing was written: the case ended before it reached the device")
        return ExitCode.REGRESSION
    tell(f"{folder}: see its README.md for how to run it")
    return ExitCode.GREEN


def _reduced(config: RunConfig, suite: catalogue.Suite, case: Case) -> Case:
    """The smallest form, by the suite, of a case that ends the process; any other case as it is."""
    with opened_worker(replace(config, repro="", retries=0)) as worker:

        def crashes(smaller: Case) -> bool:
            worker.ensure_ready()
            return worker.run(suite, smaller, None).attempts[-1].status is Status.CRASH

        return import_suite_module(suite.folder, "reduction").reduce(case, crashes) if crashes(case) else case
