"""`runner report RESULTS`: judge a results directory again, without a device."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from runner import catalogue
from runner.output.reports import write_reports
from runner.records.journal import read
from runner.releases import SOURCE_VARIABLE


def add_parser(commands: Any) -> None:
    """Which run, and what else than its own to judge it by."""
    parser = commands.add_parser("report")
    parser.add_argument("folder", metavar="RESULTS")
    parser.add_argument("--expectations", metavar="DIR", help="judge by these, not by those of the run")
    parser.add_argument("--suites", metavar="DIR", help="the suites, where they have moved since")


def main(arguments: argparse.Namespace) -> int:
    """Judge it."""
    return rejudge(Path(arguments.folder), arguments.suites, arguments.expectations)


def rejudge(folder: Path, suites: str | None, expectations: str | None) -> int:
    """Write the reports anew from the journal; returns the exit code that the run would have had."""
    record = read(folder)
    old = record.config
    if old.tinygrad_src:
        os.environ[SOURCE_VARIABLE] = old.tinygrad_src
    record.config = replace(old, suites=suites or old.suites, expectations=expectations or old.expectations)
    return write_reports(folder, record, catalogue.load(Path(record.config.suites)))
