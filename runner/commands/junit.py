"""`runner junit RESULTS...`: one JUnit report of runs that were, judged by today's expectations.

Shards and retries of one run are joined. Exit code 0, whatever the verdict.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from runner.analysis.merged_runs import load_reports
from runner.commands.options import add_judged_by, add_results, places_of, say_judged_by
from runner.lines import tell
from runner.model import ExitCode, InfrastructureError
from runner.output.junit import label_reports, write_junit
from runner.records.configurations import journal_of


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Of which runs, and in what form."""
    add_judged_by(parser)
    add_results(parser)
    parser.add_argument("--files", action="store_true", help="each case with file=, which GitLab links and Jenkins refuses")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write it there (default: print it)")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Write it to a file, or print it. GREEN, whatever the verdict: GitLab reads that from the report."""
    places: list[Path] = arguments.results
    reports = label_reports(load_reports(places, *places_of(arguments))[0])
    say_judged_by(arguments)
    # The logs of one results directory are its own; with several, two may have one name.
    folder = places[0] if len(places) == 1 and journal_of(places[0])[0].exists() else None
    try:
        if arguments.output:
            write_junit(reports, arguments.output, folder, files=arguments.files)
            return ExitCode.GREEN
        with tempfile.TemporaryDirectory(prefix="runner-") as scratch:
            path = Path(scratch) / "junit.xml"
            write_junit(reports, path, folder, files=arguments.files)
            tell(path.read_text(encoding="utf-8"), end="", exact=True)
    except OSError as error:
        raise InfrastructureError(f"{error.filename}: {error.strerror}; give --output FILE elsewhere") from error
    return ExitCode.GREEN
