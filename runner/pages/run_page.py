"""The page of one run: its head, its rows with everything that explains them, and the part that is shown without scripts."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, assert_never
from urllib.parse import quote

from runner import ROOT
from runner.expectations.bugs import Bug
from runner.expectations.files import format_entry
from runner.lines import shorten
from runner.model import DeviceReport, Expectation, Result, Verdict
from runner.output.files import log_path, wants_log
from runner.output.junit import identity
from runner.output.markdown import count
from runner.output.repeat import next_commands, run_command
from runner.output.terminal import verdict_word
from runner.pages.evidence_view import view_evidence
from runner.pages.markup import Html, definitions, element, join, minute
from runner.pages.run_views import TONES
from runner.records.configurations import folder_of, id_in
from runner.records.evidence import parse_events
from runner.verdict.report import Report, ReportRow, executed

_LOG_CHARS = 32 << 10  # of the output of one attempt, and of the evidence of one case
_ALL_LOGS_CHARS = 16 << 20  # of all of them; if there are many, each gets less
_MIN_LOG_CHARS = 1 << 10
_MESSAGE_CHARS = 2000
_MAX_PLAIN_ROWS = 300  # rows if no script runs
_RUN_TONES = {0: "pass", 1: "red", 5: "stale"}  # by exit code
_TEST = "TEST_ID"  # stands for the test in a command


def run_data(reports: Mapping[str, Report], place: Path, output: Path | None, bugs: Mapping[int, Bug]) -> dict[str, Any]:
    """The data that the page's script shows. `output` is the page's file; without it no log is linked.

    The keys of `reports` are configurations, and begin the ids of their rows as a folder does; "" for a single one.
    """
    every = [(own, report, row) for own, report in reports.items() for row in report.rows]
    logged = sum(len(row.result.attempts) for _, _, row in every if row.result and wants_log(row))
    logged += sum(bool(row.evidence) for _, _, row in every)
    limit = max(_MIN_LOG_CHARS, min(_LOG_CHARS, _ALL_LOGS_CHARS // max(1, logged)))
    verdicts = list(Verdict)
    number = {verdict: n for n, verdict in enumerate(verdicts)}
    lines: dict[str, int] = {}  # by place; texts and reasons once
    reasons: dict[str, int] = {}
    texts: list[list[object]] = []
    rows = []
    for own, report, row in every:
        data = [
            id_in(own, row.id),
            number[row.verdict],
            round(row.duration_s, 3),
            shorten(_short_paths(row.message), _MESSAGE_CHARS),
        ]
        line = None
        if row.entry and row.verdict is not Verdict.PASS:
            line = lines.setdefault(row.entry.source, len(lines))
            if line == len(texts):
                texts.append(_entry_data(row.entry, reasons))
        attempts = _attempts(row.result, limit) if row.result and wants_log(row) else []
        more = [
            line,
            attempts,
            _log_url(row, folder_of(place, report.record.configuration), output) if attempts and output else "",
            view_evidence(parse_events(row.evidence), limit) if row.evidence else None,
        ]
        while more and more[-1] in (None, [], ""):
            more.pop()
        rows.append([*data, *more])
    named = sorted({row.entry.bug for _, _, row in every if row.entry})
    first = next(iter(reports.values()))
    return {
        "verdicts": [[str(verdict), _tone(first, verdict)] for verdict in verdicts],
        "tones": TONES,
        "lines": texts,
        "bugs": {n: _bug_data(bugs[n]) for n in named if n in bugs},
        "reasons": list(reasons),
        "commands": {own: _commands(report, place) for own, report in reports.items()},
        "rows": rows,
    }


def title_of(report: Report) -> str:
    """The title of a browser's tab."""
    return f"{target_name(report)}: {verdict_word(report)}"


def target_name(report: Report) -> str:
    """The driver and the GPU, and the mode if that is not a device."""
    return "-".join(filter(None, (report.target.driver, report.target.gpu, report.target.mode)))


def head_of(report: Report) -> Html:
    """The head of the page: the verdict, what was tested, how, and where."""
    word = verdict_word(report)
    headline = ": ".join(filter(None, (target_name(report), ", ".join(_headline(report)))))
    return join(
        element("h1", element("span", word, id="verdict", class_=tone_of(report)), " ", headline), about(report, ids=True)
    )


def tone_of(report: Report) -> str:
    """The class of a run's verdict on the page."""
    return _RUN_TONES.get(report.exit_code, "error")


def about(report: Report, *, ids: bool = False) -> Html:
    """What was tested, how, and where. `ids`: as the page's only one."""
    notes = [*([f"stopped: {report.fatal}"] if report.fatal else []), *map(_short_paths, report.warnings)]
    names = {name: {"id": name * ids, "class_": name} for name in ("facts", "notes", "tested")}
    return join(
        definitions(_facts(report), **names["facts"]),
        element("ul", *(element("li", note) for note in notes), **names["notes"]) if notes else "",
        element("details", element("summary", "Every property"), definitions(identity(report).items()), **names["tested"]),
    )


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    record = report.record
    device, config = record.device, record.config
    if not device:
        yield "Device", "no device was opened"
    else:
        on_cpu = "(MESA_LLVMPIPE)" in device.device or device.device.startswith("llvmpipe")
        yield "Emulated GPU" if device.emulator else "Device" if on_cpu else "GPU", device.full_name
        yield "CPU", ", ".join(filter(None, (device.cpu, device.cpu_class if on_cpu else "", device.machine)))
        yield "Software", _software(device)
        if device.unlikely:
            yield "Said by the device, and hardly true", "; ".join(device.unlikely)
    ran = f"{executed(report):,} of {count(len(record.ids), 'selected test')} executed"
    left = f"; {report.not_run} not run" if report.not_run else ""
    begun = f"begun {minute(record.begun)} UTC"
    yield "Run", f"{ran}{left}; {begun}; {record.wall_s:.0f} s; exit code {report.exit_code}"
    yield "Command", element("code", run_command(config))
    if record.ci_job:
        yield "CI job", element("a", record.ci_job, href=record.ci_job, rel="noreferrer")


def _software(device: DeviceReport) -> str:
    own = f" ({device.driver_version})" if device.driver_version != device.mesa else ""
    mesa = f"Mesa {device.mesa}{own}" if device.mesa else device.driver_version
    libclc = (device.libclc_version or device.libclc) if device.mesa else ""
    names = (("LLVM", device.llvm), ("libclc", libclc), ("tinygrad", device.tinygrad))
    return ", ".join([mesa, *(f"{name} {value}" for name, value in (*names, ("Linux", device.kernel)) if value)])


def plain_of(report: Report) -> Html:
    """Results that need a person, as a table, for a browser that runs no scripts."""
    shown = [row for row in report.rows if report.is_red(row) or row.verdict.is_stale or row.verdict is Verdict.ERROR]
    shown += report.of(Verdict.FLAKE, Verdict.KNOWN_FLAKE, Verdict.EXPECTED_FAIL)
    shown = list({row.id: row for row in shown}.values())
    counts = ", ".join(f"{verdict} {report.counts[verdict]:,}" for verdict in Verdict if report.counts[verdict])
    left = f" {len(shown) - _MAX_PLAIN_ROWS:,} more are in results.csv." if len(shown) > _MAX_PLAIN_ROWS else ""
    rows = [
        element(
            "tr",
            element("td", element("b", str(row.verdict), class_=_tone(report, row.verdict))),
            element("td", element("code", row.id), element("br"), shorten(_short_paths(row.message), 300)),
        )
        for row in shown[:_MAX_PLAIN_ROWS]
    ]
    return join(
        element("p", f"{counts}. With JavaScript this page shows every test, with its evidence, and filters them.{left}"),
        element("table", *rows, class_="plain") if rows else "",
    )


def _commands(report: Report, place: Path) -> dict[str, Any]:
    """The next commands: for one test, with TEST_ID in place of its id, each with its label; and for the run's entries."""
    again = run_command(report.record.config)
    update = f"{again.split(' --', 1)[0]} expect update {place.name or 'results'}/"
    return {"next": next_commands(report, _TEST), "expect": f"{again} --results again/\n{update} again/", "stale": update}


def _entry_data(entry: Expectation, reasons: dict[str, int]) -> list[object]:
    """The place of an entry, the entry, its reason's number, its bug."""
    reason = entry.unmarked_reason if entry.bug else entry.reason
    return [entry.place, format_entry(entry), reasons.setdefault(reason, len(reasons)), entry.bug]


def _bug_data(bug: Bug) -> list[str]:
    return [bug.title, f"{bug.clause}: {bug.says}", bug.upstream, bug.where]


def _short_paths(text: str) -> str:
    """Without the folder of the project, which means nothing to a reader elsewhere."""
    return text.replace(f"{ROOT}/", "")


def _headline(report: Report) -> Iterator[str]:
    for rows, noun in (
        (report.red, "regression"),
        (report.of(Verdict.ERROR), "harness error"),
        ([r for r in report.of(Verdict.FLAKE) if not report.is_red(r)], "new flake"),
        ([r for r in report.rows if r.verdict.is_stale], "improvement"),
    ):
        if rows:
            yield count(len(rows), noun)


def _tone(report: Report, verdict: Verdict) -> str:
    """The class of a verdict on the page: the reader's next step."""
    if verdict.is_red(report.record.config.strict_flakes):
        return "red"
    match verdict:
        case Verdict.ERROR:
            return "error"
        case Verdict.FLAKE:
            return "flake"
        case Verdict.IMPROVED_PASS | Verdict.IMPROVED_FAIL:
            return "stale"
        case Verdict.KNOWN_FLAKE:
            return "known"
        case Verdict.EXPECTED_FAIL:
            return "expected"
        case Verdict.SKIP:
            return "skip"
        case Verdict.PASS:
            return "pass"
        case Verdict.FAIL | Verdict.CRASH | Verdict.TIMEOUT | Verdict.MISSING | Verdict.IMPROVED_SKIP:
            raise AssertionError(f"{verdict} is red")
        case _:
            assert_never(verdict)


def _attempts(result: Result, limit: int) -> list[list[object]]:
    return [
        [
            str(a.status),
            round(a.duration_s, 3),
            str(a.how),
            a.nth_in_child,
            a.child,
            shorten(_short_paths(a.message), _MESSAGE_CHARS),
            shorten(a.output, limit),
        ]
        for a in result.attempts
    ]


def _log_url(row: ReportRow, place: Path, output: Path) -> str:
    """The whole log as seen from the page, or "" if it is not there: an old run judged by other expectations."""
    path = place / log_path(row)
    return quote(os.path.relpath(path, output.parent)) if path.is_file() else ""
