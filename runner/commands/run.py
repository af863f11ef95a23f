"""`runner --driver NAME`: run the suites."""

from __future__ import annotations

import argparse
from pathlib import Path

from runner.commands.options import EXIT_CODES, add_device, config_of, places_of
from runner.ids import ID_PATTERN, chosen_pattern
from runner.model import ExitCode, UsageError
from runner.records.earlier_run import set_aside
from runner.run_config import RunConfig, add_options

_SAME = ("driver", "gpu", "variant", "mode")  # names alone: a path of a journal is not followed


def add_parser(parser: argparse.ArgumentParser) -> None:
    """All options of a run."""
    parser.epilog, parser.formatter_class = EXIT_CODES, argparse.RawDescriptionHelpFormatter
    add_device(parser)
    selection = ("include", "exclude", "tier", "shard")
    judging = ("retries", "max_fails", "history", "stats", "strict_flakes", "evidence")
    failed = "what is red or missing in that run, again; of these what -t selects; without --driver on the same device"
    parser.add_argument("--failed", type=Path, metavar="RESULTS", help=failed)
    add_options(parser, *selection, "jobs", "on", "board_wait_s", "ssh_config", "results", *judging)
    parser.add_argument("--resume", action="store_true", help="continue the run in --results that was killed or interrupted")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Run on one GPU, or on all that a mode without a device knows."""
    from runner.records.journal import read
    from runner.run.all_gpus import ALL, run_family
    from runner.run.job import run

    if arguments.failed:  # first: an earlier run of this name is put aside
        _choose_failed(arguments)
    elif arguments.resume and not arguments.driver:
        _take_device(arguments, read(Path(arguments.results)).config)
    if not arguments.resume and arguments.gpu != ALL:
        set_aside(Path(arguments.results))
    config = config_of(arguments)
    return (run_family if config.gpu == ALL else run)(config, arguments.resume)


def _choose_failed(arguments: argparse.Namespace) -> None:
    """Make the red cases of a run what is selected, by today's expectations. Raises UsageError where there is none."""
    from runner.analysis.merged_runs import load_report

    report = load_report(arguments.failed, *places_of(arguments))
    globs = [chosen_pattern(word) for word in arguments.include] or [ID_PATTERN]
    ids = report.record.ids
    red = [row.id for row in report.red if row.id in ids and any(glob.fullmatch(row.id) for glob in globs)]
    if not red:
        raise UsageError(f"--failed {arguments.failed}: nothing is red there{' of these' * bool(arguments.include)}")
    arguments.include = red
    if not arguments.driver:
        _take_device(arguments, report.record.config)


def _take_device(arguments: argparse.Namespace, config: RunConfig) -> None:
    for name in _SAME:
        setattr(arguments, name, getattr(config, name))
