"""Everything that a run leaves for its readers, from its record: csv, JUnit, logs, the last screen."""

import contextlib
import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from runner.cases.catalogue import Catalogue
from runner.cases.census import find_losses
from runner.drivers.registry import expectations_of
from runner.lines import one_line, tell
from runner.model import DeviceReport, ExitCode, InfrastructureError, Verdict
from runner.output.files import write_csv, write_logs
from runner.output.junit import label_reports, write_junit
from runner.output.repeat import again_words, judging_words
from runner.output.terminal import print_summary, section
from runner.records.evidence import load_evidence
from runner.records.journal import Record
from runner.run_config import words_of
from runner.verdict.likeness import name_similar
from runner.verdict.report import Report, make_report

_WORST_FIRST = (
    ExitCode.INTERRUPTED,
    ExitCode.REGRESSION,
    ExitCode.INFRASTRUCTURE,
    ExitCode.NOTHING_RAN,
    ExitCode.IMPROVED,
    ExitCode.GREEN,
)


def judge_record(folder: Path, record: Record, loaded: Catalogue) -> Report:
    """The record of a results directory with its evidence, judged by the expectations that its configuration names."""
    record.evidence = load_evidence(folder)
    expectations = expectations_of(record.config, record.device or DeviceReport())
    return name_similar(make_report(record, expectations, loaded.kinds), loaded)


def write_reports(folder: Path, record: Record, loaded: Catalogue) -> Report:
    """csv, junit, logs and the summary of a record; returns the judged report."""
    report = judge_record(folder, record, loaded)
    with _disk_refuses(folder):
        write_csv({"": report}, folder)
        write_logs(report, folder)
        write_junit({"": report}, folder / "junit.xml", folder, files=_in_gitlab())
    with section("Summary"):
        for line in find_losses(loaded.tiers, Path(record.config.suites)):
            tell(one_line(line))
        print_summary(report, folder)
    return report


def write_whole(folder: Path, reports: Mapping[str, Report], absent: Mapping[str, str]) -> ExitCode:
    """csv, junit and a table of several configurations, each with reports of its own in its folder; the worst exit code.

    `absent` says why other configurations have no report.
    """
    with _disk_refuses(folder):
        write_csv(reports, folder)
        write_junit(label_reports(list(reports.values())), folder / "junit.xml", folder, files=_in_gitlab())
    code = worst(reports).exit_code
    with section("All configurations"):
        tell(format_table(reports, absent))
        tell(f"all of them: results in {folder}/ (exit code {code})")
        if any(report.red for report in reports.values()):
            for line in _next_steps(worst(reports), folder):
                tell(line)
    return code


def _next_steps(report: Report, folder: Path) -> Iterator[str]:
    config, place = report.record.config, shlex.quote(str(folder))
    own = os.environ.get("RUNNER_COMMAND", "runner")
    yield f"next:\n  {own} --failed {place}{again_words(config)}  # what failed, again, each in its configuration"
    yield f"  {own} report --as html{judging_words(config)} {place}  # all of them on a page"
    action = "init" if report.is_new else "update"
    files = shlex.join(["expect", action, *words_of(config, ("expectations", "registry", "suites"))])
    yield f"  expected? Run it again, then `{own} {files} {place} {place}.1`"


def worst(reports: Mapping[str, Report]) -> Report:
    """The report whose exit code is that of the whole run."""
    return min(reports.values(), key=lambda report: _WORST_FIRST.index(report.exit_code))


def format_table(reports: Mapping[str, Report], absent: Mapping[str, str]) -> str:
    """One line a configuration: its verdicts and its exit code."""
    words = [v for v in Verdict if any(report.counts[v] for report in reports.values())]
    width = max(map(len, ["configuration", *reports, *absent]))
    lines = [" ".join([f"{'configuration':{width}}", *(f"{w:>{max(7, len(w))}}" for w in words), "exit"])]
    for name, report in reports.items():
        counts = (f"{report.counts[w] or '-':>{max(7, len(w))}}" for w in words)
        note = one_line(report.fatal) or (f"not run: {report.not_run}" if report.not_run else "")
        lines.append(" ".join([f"{name:{width}}", *counts, f"{report.exit_code:>4}", note]).rstrip())
    return "\n".join([*lines, *(f"{name:{width}} {why}" for name, why in absent.items())])


def _in_gitlab() -> bool:
    return bool(os.environ.get("GITLAB_CI"))


@contextlib.contextmanager
def _disk_refuses(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InfrastructureError(f"{error.filename}: {error.strerror}; make room, then `runner report {folder}`") from error
