"""`runner report RESULTS`: judge finished runs by today's expectations, without a device, and show them.

Without --as: write the reports of one results directory again from its journal; the exit code is the one that the run would
have had. With --as: show runs in that form, shards and retries of one run joined; exit code 0, whatever the verdict.
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from runner.analysis.comparison import compare
from runner.analysis.merged_runs import load_catalogue, load_report, load_reports, only_report
from runner.commands.options import add_judged_by, add_results, places_of, say_judged_by
from runner.expectations.bugs import bugs_folder, load_bugs
from runner.lines import tell
from runner.model import ExitCode, InfrastructureError, UsageError
from runner.output.files import write_text
from runner.output.junit import label_reports, write_junit
from runner.output.reports import write_reports, write_whole
from runner.output.summary import flake_lines, format_markdown
from runner.output.terminal import print_summary
from runner.pages.fill import fill_page
from runner.pages.run_page import run_data
from runner.pages.run_views import changes_data, history_data
from runner.pages.whole_page import page_texts
from runner.records.artifacts import opened_artifacts, run_key
from runner.records.configurations import folder_of, journal_of, runs_in
from runner.records.journal import read
from runner.sources import OPTIONAL
from runner.verdict.report import Report

# Options that only some forms have.
_OPTIONS_OF_FORM = {"output": ("junit", "html"), "files": ("junit",), "against": ("html",), "history": ("html",)}


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the runs, the form, and expectations other than the runs' own."""
    add_judged_by(parser)
    add_results(parser)
    forms = "html: one page in one file; junit; text; markdown: a merge request's comment; flakes: a line for each new flake"
    parser.add_argument("--as", dest="form", choices=_WRITERS, help=forms)
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="html (default: report.html in RESULTS), junit: write it there"
    )
    parser.add_argument(
        "--files", action="store_true", help="junit: each case with file=, which GitLab links and Jenkins refuses"
    )
    parser.add_argument("--against", type=Path, metavar="RESULTS", help="html: a run before it: what is fixed, broken, ...")
    parser.add_argument(
        "--history", type=Path, metavar="FILE", help="html: a history: time lines, and what to do about flakes"
    )
    for flag, form in (("--markdown", "markdown"), ("--flake-lines", "flakes")):  # of the former `runner summary`
        parser.add_argument(flag, dest="form", action="store_const", const=form, help=argparse.SUPPRESS)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Judge, and write or print."""
    for name, forms in _OPTIONS_OF_FORM.items():
        if getattr(arguments, name) and arguments.form not in forms:
            raise UsageError(f"--{name}: goes with --as {' or --as '.join(forms)}")
    if len(arguments.results) > 1 and arguments.form in (None, "html"):
        raise UsageError("give one RESULTS; `runner merge` joins several")
    if not arguments.form:
        return _judge_again(arguments.results[0], arguments)
    reports = load_reports(arguments.results, *places_of(arguments))[0]
    if arguments.form == "html":
        reports = [*_by_configuration(arguments.results[0], reports).values()]
    say_judged_by(arguments)
    _WRITERS[arguments.form](reports, arguments)
    return ExitCode.GREEN


def _judge_again(folder: Path, arguments: argparse.Namespace) -> ExitCode:
    """Write the reports again from the journal.

    The paths of suites and expectations in a journal are not followed: a suite is Python, and another checkout's
    expectations are not the ones wanted here.
    """
    records = {run: read(run) for run in runs_in(folder)}
    say_judged_by(arguments)
    own, expectations = map(str, places_of(arguments))
    loaded = load_catalogue(Path(own), [record.config for record in records.values()])
    ours = {i for record in records.values() for i in record.ids if i.partition("/")[0] not in OPTIONAL}
    if ours and not loaded.cases.keys() & ours:
        raise UsageError(f"{own}: does not have the cases of {folder}; give --suites DIR, whose Python is run")
    reports = {}
    for run, record in records.items():
        record.config = replace(record.config, suites=own, expectations=expectations)
        run.mkdir(exist_ok=True)  # of a configuration that was not begun
        reports[record.configuration] = write_reports(run, record, loaded)
    return write_whole(folder, reports, {}) if len(records) > 1 else reports[record.configuration].exit_code


def _as_text(reports: Sequence[Report], arguments: argparse.Namespace) -> None:
    for report in reports:
        print_summary(report, folder_of(arguments.results[0], report.record.configuration))


def _as_markdown(reports: Sequence[Report], arguments: argparse.Namespace) -> None:
    for report in reports:
        tell(format_markdown(report, arguments.results), end="\n\n")


def _as_flakes(reports: Sequence[Report], _: argparse.Namespace) -> None:
    for report in reports:
        tell("".join(f"{line}\n" for line in flake_lines(report, os.environ.get("CI_JOB_URL", ""))), end="")


def _as_junit(reports: Sequence[Report], arguments: argparse.Namespace) -> None:
    place, *others = arguments.results
    # The logs of one results directory are its own; with several, two may have one name.
    folder = place if not others and journal_of(place)[0].exists() else None
    labelled = label_reports(reports)
    try:
        if arguments.output:
            write_junit(labelled, arguments.output, folder, files=arguments.files)
            return
        with tempfile.TemporaryDirectory(prefix="runner-") as scratch:
            path = Path(scratch) / "junit.xml"
            write_junit(labelled, path, folder, files=arguments.files)
            tell(path.read_text(encoding="utf-8"), end="", exact=True)
    except OSError as error:
        raise InfrastructureError(f"{error.filename}: {error.strerror}; give --output FILE elsewhere") from error


def _as_html(reports: Sequence[Report], arguments: argparse.Namespace) -> None:
    """The page of a run, with a comparison with another one and the rates of a history, if requested."""
    place, against = arguments.results[0], arguments.against
    output: Path = arguments.output or (place if place.is_dir() else place.parent) / "report.html"
    by_name = _by_configuration(place, reports)
    with opened_artifacts(place) as folders:
        keys = {run_key(folder) for folder in folders}
    named = {row.entry.bug for report in reports for row in report.rows if row.entry}
    data = run_data(by_name, place, output, load_bugs(bugs_folder(arguments.expectations), named))
    if against or arguments.history:
        report = only_report(place, reports)
        before = load_report(against, *places_of(arguments)) if against else None
        data |= {"changes": changes_data(compare(before, report), against)} if before else {}
        data |= {"history": history_data(arguments.history, keys, report)} if arguments.history else {}
    title, head, plain = page_texts(by_name)
    try:
        write_text(output, fill_page(title, head, plain, data))
    except OSError as error:
        raise UsageError(f"{output}: {error.strerror}; give another --output FILE") from error
    tell(output)


def _by_configuration(place: Path, reports: Sequence[Report]) -> dict[str, Report]:
    """The reports of a run's configurations by their names, "" for a single one. Raises UsageError for several runs."""
    if len(reports) > 1 and all(report.record.configuration for report in reports):
        return {report.record.configuration: report for report in reports}
    return {"": only_report(place, reports)}


_WRITERS: dict[str, Callable[[Sequence[Report], argparse.Namespace], None]] = {
    "html": _as_html,
    "junit": _as_junit,
    "text": _as_text,
    "markdown": _as_markdown,
    "flakes": _as_flakes,
}
