"""`runner --driver NAME`: run the suites."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from runner.commands.options import EXIT_CODES, add_device, config_of, places_of
from runner.ids import ID_PATTERN, chosen_pattern
from runner.model import ExitCode, UsageError
from runner.records.configurations import runs_in
from runner.records.earlier_run import set_aside
from runner.records.journal import read
from runner.run_config import BASE, RunConfig, add_options


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: all those of a run."""
    parser.epilog, parser.formatter_class = EXIT_CODES, argparse.RawDescriptionHelpFormatter
    add_device(parser)
    selection = ("include", "exclude", "tier", "shard")
    judging = ("retries", "max_fails", "history", "stats", "strict_flakes", "evidence")
    failed = "what is red or missing in that run, again; of these what -t selects; without --driver on the same device"
    parser.add_argument("--failed", type=Path, metavar="RESULTS", help=failed)
    add_options(parser, *selection, "jobs", "on", "board_wait_s", "ssh_config", "results", *judging)
    parser.add_argument("--resume", action="store_true", help="continue the run in --results that was killed or interrupted")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Run one configuration, or several."""
    from runner.run.configurations import expand, run_all
    from runner.run.job import run

    red: dict[tuple[str, str], list[str]] = {}
    if arguments.failed:  # first: an earlier run of this name is put aside
        red = _choose_failed(arguments)
    elif arguments.resume and not arguments.driver:
        _take_device(arguments, [read(folder).config for folder in runs_in(Path(arguments.results))])
    if not arguments.resume:
        set_aside(Path(arguments.results))
    config = config_of(arguments)
    configurations = expand(config)
    if red:
        found = {name: (own, red.get((own.gpu, own.variant))) for name, own in configurations.items()}
        configurations = {name: replace(own, include=tuple(ids)) for name, (own, ids) in found.items() if ids}
    if "" in configurations:
        return run(configurations[""], arguments.resume)
    return run_all(configurations, Path(config.results), arguments.resume)


def _choose_failed(arguments: argparse.Namespace) -> dict[tuple[str, str], list[str]]:
    """Select the red cases of a run, by today's expectations; those of several configurations by GPU and variant.

    Raises UsageError if there is none.
    """
    from runner.analysis.merged_runs import load_reports, only_report

    reports = load_reports([arguments.failed], *places_of(arguments))[0]
    if not all(report.record.configuration for report in reports):
        only_report(arguments.failed, reports)
    globs = [chosen_pattern(word) for word in arguments.include] or [ID_PATTERN]
    red: dict[tuple[str, str], list[str]] = {}
    for report in reports:
        rows = [row.id for row in report.red if row.id in report.record.ids and any(g.fullmatch(row.id) for g in globs)]
        if rows:
            red[report.record.config.gpu, report.record.config.variant] = rows
    if not red:
        raise UsageError(f"--failed {arguments.failed}: nothing is red there{' of these' * bool(arguments.include)}")
    arguments.include = list(dict.fromkeys(i for rows in red.values() for i in rows))
    if arguments.driver:  # run on the device of the options
        return {}
    _take_device(arguments, [r.record.config for r in reports if (r.record.config.gpu, r.record.config.variant) in red])
    return red


def _take_device(arguments: argparse.Namespace, configs: Sequence[RunConfig]) -> None:
    """Run on the same device; only by names, because a path in a journal is not followed."""
    arguments.driver, arguments.mode = configs[0].driver, configs[0].mode
    arguments.gpu = ",".join(dict.fromkeys(config.gpu for config in configs))
    arguments.variant = ",".join(dict.fromkeys(config.variant or BASE * (len(configs) > 1) for config in configs))
