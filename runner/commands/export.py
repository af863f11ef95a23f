"""`runner export`: what the runner knows, in the form of another tool."""

from __future__ import annotations

import argparse
import json

from runner.analysis.merged_runs import load_reports
from runner.commands.expect import lint
from runner.commands.options import add_judged_by, add_results, places_of
from runner.expectations.bugs import bugs_folder, load_bugs
from runner.model import ExitCode, UsageError
from runner.output.kcidb import ORIGIN, ORIGIN_PATTERN, kcidb_data


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Each form, with the options of what it holds."""
    forms = parser.add_subparsers(dest="export_form", required=True, prog="runner export")
    text = "what `runner expect lint` finds, as GitLab's Code Quality report; exit code 0, 2 where a file cannot be parsed"
    lint.add_parser(forms.add_parser("codequality", help=text, description=text))
    text = "finished runs, judged by today's expectations, in KCIDB's schema 5.3; exit code 0, whatever the verdict"
    kcidb = forms.add_parser("kcidb", help=text, description=text)
    add_judged_by(kcidb)
    add_results(kcidb)
    kcidb.add_argument("--origin", default=ORIGIN, help=f"who submits it, as KCIDB knows you (default {ORIGIN})")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print it."""
    if arguments.export_form == "codequality":
        arguments.form = arguments.export_form
        code = lint.main(arguments)
        return ExitCode.GREEN if code is ExitCode.REGRESSION else code
    if not ORIGIN_PATTERN.fullmatch(arguments.origin):
        raise UsageError(f"--origin {arguments.origin!r}: write a-z, 0-9 and _, as KCIDB demands")
    reports, _ = load_reports(arguments.results, *places_of(arguments))
    print(json.dumps(kcidb_data(reports, load_bugs(bugs_folder(arguments.expectations)), arguments.origin), indent=1))
    return ExitCode.GREEN
