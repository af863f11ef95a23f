"""`runner --driver NAME`: run the suites."""

from __future__ import annotations

import argparse
from pathlib import Path

from runner.commands.options import EXIT_CODES, add_device, config_of
from runner.model import ExitCode
from runner.records.earlier_run import set_aside
from runner.run_config import add_options


def add_parser(parser: argparse.ArgumentParser) -> None:
    """All options of a run."""
    parser.epilog, parser.formatter_class = EXIT_CODES, argparse.RawDescriptionHelpFormatter
    add_device(parser)
    selection = ("include", "exclude", "tier", "shard")
    judging = ("retries", "max_fails", "history", "stats", "strict_flakes", "evidence")
    add_options(parser, *selection, "jobs", "on", "ssh_config", "results", *judging)
    parser.add_argument("--resume", action="store_true", help="continue the run in --results that was killed or interrupted")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Run on one GPU, or on all that a mode without a device knows."""
    from runner.run.all_gpus import ALL, run_family
    from runner.run.job import run

    if not arguments.resume and arguments.gpu != ALL:
        set_aside(Path(arguments.results))
    config = config_of(arguments)
    return (run_family if config.gpu == ALL else run)(config, arguments.resume)
