"""`runner report RESULTS`: judge a results directory again, without a device."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from runner import ROOT
from runner.analysis.merged_runs import load_catalogue
from runner.model import ExitCode, UsageError
from runner.output.reports import write_reports
from runner.records.journal import read
from runner.sources import OPTIONAL


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Which run, and what else than its own to judge it by."""
    parser.add_argument("folder", type=Path, metavar="RESULTS")
    parser.add_argument("--expectations", metavar="DIR", help="judge by these, not by those of the run")
    parser.add_argument("--suites", metavar="DIR", help="the suites, where they are not the runner's own")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Write the reports anew from the journal; returns the exit code that the run would have had.

    What a journal says of where its suites were is not followed: they are Python, and it may be a stranger's.
    """
    folder: Path = arguments.folder
    record = read(folder)
    old = record.config
    own = arguments.suites or str(ROOT / "suites")
    known = load_catalogue(Path(own), [old])
    ours = {i for i in record.ids if i.partition("/")[0] not in OPTIONAL}
    if ours and not known.cases.keys() & ours:
        raise UsageError(f"{own}: has none of the cases of {folder}; give --suites DIR, whose Python is run")
    record.config = replace(old, suites=own, expectations=arguments.expectations or old.expectations)
    return write_reports(folder, record, known)
