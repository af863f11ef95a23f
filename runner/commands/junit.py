"""`runner junit RESULTS...`: one JUnit report of runs that were, judged by today's expectations.

Shards and retries of one run are joined. Exit code 0, whatever the verdict.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from runner.analysis.merged_runs import load_reports
from runner.commands.options import add_judged_by, add_results, places_of, say_judged_by
from runner.lines import tell
from runner.model import ExitCode, InfrastructureError, UsageError
from runner.output.junit import write_junit
from runner.records.journal import NAME
from runner.verdict.report import Report


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
    folder = places[0] if len(places) == 1 and (places[0] / NAME).exists() else None
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


def label_reports(reports: Sequence[Report]) -> dict[str, Report]:
    """A short label for each of several reports, that no other has; "" for a single one.

    Raises UsageError where they cannot be distinguished: GitLab drops a testcase whose name another one has.
    """
    if len(reports) == 1:
        return {"": reports[0]}
    for names in (
        [_join(r.target.driver, r.target.gpu, r.target.mode, r.record.config.variant) for r in reports],
        [_join(r.target.name, r.record.config.variant, r.record.config.tier) for r in reports],
    ):
        if len(set(names)) == len(names):
            return dict(zip(names, reports, strict=True))
    raise UsageError(
        f"these are {len(reports)} runs of the same target that are no shards of one another; make a report of each"
    )


def _join(*words: str) -> str:
    return "-".join(filter(None, words)).replace(".", "_")  # a dot would begin a new part of the class
