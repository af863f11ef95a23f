"""`runner report RESULTS`: judge a results directory again, without a device."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from runner.analysis.merged_runs import load_catalogue
from runner.commands.options import places_of, say_judged_by
from runner.model import ExitCode, UsageError
from runner.output.reports import write_reports, write_whole
from runner.records.configurations import runs_in
from runner.records.journal import read
from runner.run_config import add_options
from runner.sources import OPTIONAL


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Which run, and what else than its own to judge it by."""
    parser.add_argument("folder", type=Path, metavar="RESULTS")
    add_options(parser, "suites", "expectations")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Write the reports again from the journal; returns the exit code that the run would have had.

    What a journal says of where its suites and expectations were is not followed: a suite is Python, and another checkout's
    expectations are not those that are looked at here.
    """
    folder: Path = arguments.folder
    records = {run: read(run) for run in runs_in(folder)}
    say_judged_by(arguments)
    own, expectations = map(str, places_of(arguments))
    known = load_catalogue(Path(own), [record.config for record in records.values()])
    ours = {i for record in records.values() for i in record.ids if i.partition("/")[0] not in OPTIONAL}
    if ours and not known.cases.keys() & ours:
        raise UsageError(f"{own}: has none of the cases of {folder}; give --suites DIR, whose Python is run")
    reports = {}
    for run, record in records.items():
        record.config = replace(record.config, suites=own, expectations=expectations)
        run.mkdir(exist_ok=True)  # of a configuration that was not begun
        reports[record.configuration] = write_reports(run, record, known)
    return write_whole(folder, reports, {}) if len(records) > 1 else reports[record.configuration].exit_code
