"""`runner html RESULTS`: one page to look at a run with, in one file, without a server or a network.

The page holds everything, loads nothing, and can be sent or kept as one file. Shards of one run are joined. It is judged by
today's expectations. Exit code 0, whatever the verdict.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from runner.analysis.comparison import compare
from runner.analysis.merged_runs import load_report, load_reports, only_report
from runner.commands.options import add_judged_by, places_of, say_judged_by
from runner.expectations.bugs import bugs_folder, load_bugs
from runner.lines import tell
from runner.model import ExitCode, UsageError
from runner.output.files import write_text
from runner.pages.fill import fill_page
from runner.pages.run_page import run_data
from runner.pages.run_views import changes_data, history_data
from runner.pages.whole_page import page_texts
from runner.records.artifacts import opened_artifacts, run_key
from runner.verdict.report import Report


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Of which run, and beside what."""
    add_judged_by(parser)
    where = "a results directory, a folder of them, or artifacts.zip"
    parser.add_argument("results", type=Path, metavar="RESULTS", help=where)
    parser.add_argument("--against", type=Path, metavar="RESULTS", help="a run before it: what is fixed, broken, ...")
    parser.add_argument("--history", type=Path, metavar="FILE", help="a history: time lines, and what to do about flakes")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: report.html in RESULTS")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Write the page of a run, with a comparison with another one and the rates of a history where these are asked for."""
    place, against, places = arguments.results, arguments.against, places_of(arguments)
    output: Path = arguments.output or (place if place.is_dir() else place.parent) / "report.html"
    reports = _by_configuration(place, load_reports([place], *places)[0])
    say_judged_by(arguments)
    with opened_artifacts(place) as folders:
        keys = {run_key(folder) for folder in folders}
    named = {row.entry.bug for report in reports.values() for row in report.rows if row.entry}
    data = run_data(reports, place, output, load_bugs(bugs_folder(arguments.expectations), named))
    if against or arguments.history:
        report = only_report(place, list(reports.values()))
        data |= {"changes": changes_data(compare(load_report(against, *places), report), against)} if against else {}
        data |= {"history": history_data(arguments.history, keys, report)} if arguments.history else {}
    title, head, plain = page_texts(reports)
    try:
        write_text(output, fill_page(title, head, plain, data))
    except OSError as error:
        raise UsageError(f"{output}: {error.strerror}; give another --output FILE") from error
    tell(output)
    return ExitCode.GREEN


def _by_configuration(place: Path, reports: Sequence[Report]) -> dict[str, Report]:
    """The reports of a run's configurations by their names, "" for one alone. Raises UsageError for several runs."""
    if len(reports) > 1 and all(report.record.configuration for report in reports):
        return {report.record.configuration: report for report in reports}
    return {"": only_report(place, reports)}
