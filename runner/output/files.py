"""The files of a results directory for people and for Mesa's scripts: two csv files, and the logs."""

import contextlib
import errno
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from runner.model import Verdict
from runner.output.evidence import show_evidence
from runner.output.repeat import next_commands
from runner.records.configurations import id_in
from runner.records.evidence import parse_events
from runner.verdict.report import Report, ReportRow


def write_csv(reports: Mapping[str, Report], folder: Path) -> None:
    """results.csv (`name,status,seconds`, no header line) and failures.csv (`name,status`: red or stale).

    The keys of `reports` are the configurations, and come before each name like deqp-runner's prefixes; "" for a single one.
    """
    rows = [(id_in(own, row.id), row, report) for own, report in reports.items() for row in report.rows]
    listed = [(name, row) for name, row, report in rows if report.is_red(row) or row.verdict.is_stale]
    write_text(folder / "results.csv", "".join(f"{name},{r.verdict},{r.duration_s:.3f}\n" for name, r, _ in rows))
    write_text(folder / "failures.csv", "".join(f"{name},{r.verdict}\n" for name, r in listed))


def write_text(path: Path, text: str) -> None:
    """Write a file so that it is whole or not there. Raises OSError, with the file's name."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors="backslashreplace")  # a name may be in another encoding


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write, which then replaces another. Raises OSError with the name of that one."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)  # a stranger's results may have a link there
        yield part
        part.replace(path)
    except OSError as error:  # an error of a write does not name the file
        with contextlib.suppress(OSError):
            part.unlink()
        raise type(error)(error.errno, error.strerror, str(path)) from error


def log_path(row: ReportRow) -> Path:
    """Where the log of a case lies in the results directory. GitLab shows .txt, and not .log."""
    return Path("logs") / f"{row.id}.txt"


def page_link(report: Report, folder: Path, test_id: str) -> str:
    """The row of a case on the page of a run, in a CI job's artifacts or beside the results; "" without a page."""
    if own := report.record.configuration:  # the page of all of them
        folder, test_id = folder.parent, id_in(own, test_id)
    place = folder / "report.html"
    if job := report.record.ci_job:
        place = Path(os.path.relpath(place, os.environ.get("CI_PROJECT_DIR", os.curdir)))
        return f"{job}/artifacts/file/{place}#id={quote(test_id, safe='')}"
    return f"{place}#id={quote(test_id, safe='')}" if place.exists() else ""


def wants_log(row: ReportRow) -> bool:
    """A case has a log unless it went as expected and has no evidence; a pass that printed something (what a model costs)
    has one, too.
    """
    if not row.result or row.verdict in (Verdict.SKIP, Verdict.EXPECTED_FAIL):
        return bool(row.evidence)
    return row.verdict is not Verdict.PASS or bool(row.result.attempts[-1].output)


def write_logs(report: Report, folder: Path) -> None:
    """Write the logs: the commands to go on with, each attempt's facts and output, the evidence."""
    for row in filter(wants_log, report.rows):
        assert row.result
        path = folder / log_path(row)
        if not Path(os.path.realpath(path.parent)).is_relative_to(os.path.realpath(folder)):  # also of links in a circle
            raise OSError(errno.ELOOP, "a link leads out of the results", str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        parts = [f"{row.id}\n{row.verdict}: {row.message}\n"]
        parts += [f"{label}: {command}\n" for label, command in next_commands(report, row.id)]
        for number, a in enumerate(row.result.attempts, 1):
            parts.append(
                f"\n--- attempt {number}: {a.status} after {a.duration_s:.2f} s, {a.how}, case {a.nth_in_child} of child "
                f"{a.child}{f' on {a.board}' if a.board else ''}\n{a.message}\n{a.output}"
            )
        if row.evidence:
            parts.append(f"\n--- evidence\n{show_evidence(parse_events(row.evidence))}\n")
        write_text(path, "".join(parts))
