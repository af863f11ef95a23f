"""The verdict of finished runs as a comment on a merge request, and as lines for a channel."""

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from runner.lines import one_line
from runner.model import Verdict
from runner.output.files import page_link
from runner.output.markdown import block, code, count, details, shorten_list
from runner.output.repeat import repeat_command
from runner.output.terminal import describe, verdict_word
from runner.records.configurations import folder_of
from runner.verdict.report import Report, ReportRow, executed

_MAX_LIST = 50  # of each list: a comment is read, not searched
_MAX_OPEN = 10  # up to this number, regressions are not folded
_LINE_BYTES = 400  # IRC's messages end at 512, with the channel's name and the sender's before it


def format_markdown(report: Report, places: Sequence[Path]) -> str:
    """A comment on a merge request: the verdict first."""
    device = report.record.device
    counts = ", ".join(f"{verdict} {report.counts[verdict]}" for verdict in Verdict if report.counts[verdict])
    ran = f"{executed(report)} of {len(report.record.ids)} selected cases executed"
    stale = [row for row in report.rows if row.verdict.is_stale]
    own_name = f"{report.target.name} {report.record.configuration}".rstrip()
    own = os.environ.get("RUNNER_COMMAND", "runner")  # as ci/run was called, inside its root
    update = f"{own} expect update {shlex.join(map(str, places))}"
    parts = [
        f"**{verdict_word(report)}: {count(len(report.red), 'regression')}** on {code(own_name)}: {ran}",
        code(describe(device) if device else "no device was opened"),
        f"stopped: {code(report.fatal)}" if report.fatal else "",
        f"not run: {report.not_run}" if report.not_run else "",
        _list("regression", report.red, lambda row: _regression(report, row), _links(report, places), opened=True),
        _list("harness error", report.of(Verdict.ERROR), _line),
        _list("new flake", report.of(Verdict.FLAKE), _line, opened=True),
        _list("stale expectation", stale, _line, f"To bring the files up to date:\n\n{block([update])}"),
        _list("known flake that flaked", report.of(Verdict.KNOWN_FLAKE), _line),
        _notes(report),
        counts,
    ]
    return "\n\n".join(filter(None, parts))


def flake_lines(report: Report, job_url: str) -> list[str]:
    """One line a new flake, for a channel that maintainers watch: `NEW flake llvmpipe: ID (1 of 3 attempts: ...) URL`."""
    target = "-".join(filter(None, (report.target.driver, report.target.gpu, report.target.mode)))
    lines = []
    for row in report.of(Verdict.FLAKE):
        before, after = f"NEW flake on {target}: {row.id}: ", f" {one_line(job_url)}".rstrip()
        room = _LINE_BYTES - len(f"{before}{after}".encode())
        message = one_line(row.message).encode()[: max(room, 0)].decode(errors="ignore")
        lines.append(f"{before}{message}{after}")
    return lines


def _list(
    noun: str, rows: Sequence[ReportRow], show: Callable[[ReportRow], str], hint: str = "", *, opened: bool = False
) -> str:
    if not rows:
        return ""
    lines = "\n".join(shorten_list([show(row) for row in rows], _MAX_LIST)).split("\n")
    content = "\n\n".join(filter(None, (block(lines), hint)))
    title = count(len(rows), noun)
    return f"{title}:\n\n{content}" if opened and len(rows) <= _MAX_OPEN else details(title, content)


def _regression(report: Report, row: ReportRow) -> str:
    repeat = repeat_command(report, row.id) if row.result else "it has no result"
    return f"{row.verdict}: {row.id}\n  {one_line(row.message)}\n  {repeat}"


def _links(report: Report, places: Sequence[Path]) -> str:
    """Each of them on the page of the run, if there is one."""
    folder = folder_of(places[0], report.record.configuration)
    links = [(row.id, page_link(report, folder, row.id)) for row in report.red[:_MAX_LIST]] if len(places) == 1 else []
    shown = ", ".join(f"[{test_id}]({link})" for test_id, link in links if link)
    return f"On the page: {shown}" if shown else ""


def _line(row: ReportRow) -> str:
    return f"{row.verdict}: {row.id}: {one_line(row.message)}"


def _notes(report: Report) -> str:
    notes = shorten_list([one_line(text) for text in report.warnings], _MAX_LIST)
    return details(count(len(report.warnings), "note"), block(notes)) if notes else ""
