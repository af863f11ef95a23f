"""`runner export kcidb`: finished runs, judged by today's expectations, in KCIDB's schema 5.3.

Exit code 0, whatever the verdict.
"""

import argparse
import json

from runner.analysis.merged_runs import load_reports
from runner.commands.options import add_judged_by, add_results, places_of
from runner.expectations.bugs import bugs_folder, load_bugs
from runner.lines import tell
from runner.model import ExitCode, UsageError
from runner.output.kcidb import ORIGIN, ORIGIN_PATTERN, kcidb_data


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the runs, their origin."""
    add_judged_by(parser)
    add_results(parser)
    parser.add_argument("--origin", default=ORIGIN, help=f"who submits it, as KCIDB knows you (default {ORIGIN})")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print it. Raises UsageError for an origin that KCIDB refuses."""
    if not ORIGIN_PATTERN.fullmatch(arguments.origin):
        raise UsageError(f"--origin {arguments.origin!r}: write a-z, 0-9 and _, as KCIDB demands")
    reports, _ = load_reports(arguments.results, *places_of(arguments))
    tell(json.dumps(kcidb_data(reports, load_bugs(bugs_folder(arguments.expectations)), arguments.origin), indent=1))
    return ExitCode.GREEN
