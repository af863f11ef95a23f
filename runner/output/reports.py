"""Everything that a run leaves for its readers, from its record: csv, JUnit, logs, the last screen."""

from __future__ import annotations

import os
from pathlib import Path

from runner.cases.catalogue import Catalogue
from runner.cases.census import find_losses
from runner.drivers.registry import expectations_of
from runner.lines import one_line, tell
from runner.model import DeviceReport, ExitCode, InfrastructureError
from runner.output.files import write_csv, write_logs
from runner.output.junit import write_junit
from runner.output.terminal import print_summary, section
from runner.records.evidence import load_evidence
from runner.records.journal import Record
from runner.verdict.likeness import name_alike
from runner.verdict.report import make_report


def write_reports(folder: Path, record: Record, known: Catalogue) -> ExitCode:
    """csv, junit, logs and the summary of a record; returns the exit code."""
    record.evidence = load_evidence(folder)
    expectations = expectations_of(record.config, record.device or DeviceReport())
    report = name_alike(make_report(record, expectations, known.kinds))
    try:
        write_csv(report, folder)
        write_logs(report, folder)
        write_junit({"": report}, folder / "junit.xml", folder, files=bool(os.environ.get("GITLAB_CI")))
    except OSError as error:
        raise InfrastructureError(f"{error.filename}: {error.strerror}; make room, then `runner report {folder}`") from error
    with section("Summary"):
        for line in find_losses(known.tiers, Path(record.config.suites)):
            tell(one_line(line))
        print_summary(report, folder)
    return report.exit_code
