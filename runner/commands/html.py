"""`runner html RESULTS`: one page to look at a run with, in one file, without a server or a network.

The page holds everything, loads nothing, and can be sent or kept as one file. Shards of one run are joined. It is judged by
today's expectations. Exit code 0, whatever the verdict.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, assert_never
from urllib.parse import quote

from runner.analysis.comparison import Change, Comparison, Pace, compare, outcomes
from runner.analysis.flakes import Action, find_flakes
from runner.analysis.merged_runs import load_report
from runner.commands.options import add_judged_by, places_of
from runner.drivers.registry import target_of
from runner.expectations.files import format_entry
from runner.expectations.resolution import load_expectations
from runner.model import DeviceReport, ExitCode, Result, Status, UsageError, Verdict
from runner.output.files import log_path, wants_log, write_text
from runner.output.junit import identity
from runner.output.page import fill_page, shorten
from runner.output.repeat import repeat_command
from runner.output.terminal import describe, verdict_word
from runner.records.artifacts import opened_artifacts, run_key
from runner.records.history import Execution, History, Run
from runner.verdict.intervals import rate_text
from runner.verdict.judge import BAD
from runner.verdict.report import Report, Row, executed

_LOG_CHARS = 32 << 10  # of the output of one attempt
_ALL_LOGS_CHARS = 16 << 20  # of all of them; where there are many, each gets less
_LEAST_LOG_CHARS = 1 << 10
_MESSAGE_CHARS = 2000
_HISTORY_RUNS = 100  # the newest ones
_RUN_TONES = {0: "pass", 1: "red", 5: "stale"}  # by exit code
_WORST = (Status.CRASH, Status.TIMEOUT, Status.FAIL)
_CHANGES = {  # field of Comparison: its title, and the class that colours it
    "broken": ("broken", "red"),
    "changed": ("failing in another way", "red"),
    "newly_flaky": ("newly flaky", "flake"),
    "newly_skipped": ("newly skipped", "stale"),
    "fixed": ("fixed", "pass"),
    "no_longer_flaky": ("no longer flaky", "pass"),
    "newly_running": ("newly running", "pass"),
    "slower": ("slower", "flake"),
    "faster": ("faster", "pass"),
    "only_old": ("in the other run alone", ""),
    "only_new": ("in this run alone", ""),
}
_ACTION_TONES = {"add": "flake", "change": "flake", "drop": "pass", "keep": "expected"}


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Of which run, and beside what."""
    add_judged_by(parser)
    where = "a results directory, a folder of them, or artifacts.zip"
    parser.add_argument("results", type=Path, metavar="RESULTS", help=where)
    parser.add_argument("--against", type=Path, metavar="RESULTS", help="a run before it: what is fixed, broken, ...")
    parser.add_argument("--history", type=Path, metavar="FILE", help="a history: plots, and what to do about flakes")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: report.html in RESULTS")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Write the page of a run, with a comparison with another one and the rates of a history where these are asked for."""
    place, against, places = arguments.results, arguments.against, places_of(arguments)
    output: Path = arguments.output or (place if place.is_dir() else place.parent) / "report.html"
    report = load_report(place, *places)
    data = _run_data(report, place, output)
    if against:
        data["changes"] = _changes_data(compare(load_report(against, *places), report), against)
    if arguments.history:
        data["history"] = _history_data(arguments.history, place, report)
    try:
        write_text(output, fill_page(data["title"], data))
    except OSError as error:
        raise UsageError(f"{output}: {error.strerror}; give another --output FILE") from error
    print(output)
    return ExitCode.GREEN


def _run_data(report: Report, place: Path, output: Path) -> dict[str, Any]:
    record = report.record
    word = verdict_word(report)
    target = "-".join(filter(None, (report.target.driver, report.target.gpu)))
    logged = sum(len(row.result.attempts) for row in report.rows if row.result and wants_log(row))
    limit = max(_LEAST_LOG_CHARS, min(_LOG_CHARS, _ALL_LOGS_CHARS // max(1, logged)))
    verdicts = list(Verdict)
    number = {verdict: n for n, verdict in enumerate(verdicts)}
    facts = [
        f"{executed(report)} of {len(record.ids)} selected tests executed",
        f"begun {_minute(record.begun)} UTC",
        f"{record.wall_s:.0f} s",
        f"exit code {report.exit_code}",
    ]
    if report.not_run:
        facts.insert(1, f"{report.not_run} not run")
    return {
        "title": f"{target}: {word}",
        "verdict": word,
        "tone": _RUN_TONES.get(report.exit_code, "error"),
        "headline": ": ".join(filter(None, (target, ", ".join(_headline(report))))),
        "device": describe(record.device) if record.device else "no device was opened",
        "facts": "; ".join(facts),
        "notes": [*([f"stopped: {report.fatal}"] if report.fatal else []), *report.warnings],
        "identity": list(identity(report).items()),
        "repeat": repeat_command(report, ""),
        "verdicts": [[str(verdict), _tone(report, verdict)] for verdict in verdicts],
        "tones": {**{kind: tone for kind, (_, tone) in _CHANGES.items() if tone}, **_ACTION_TONES},
        "rows": [
            [
                row.id,
                number[row.verdict],
                round(row.duration_s, 3),
                shorten(row.message, _MESSAGE_CHARS),
                *([_attempts(row.result, limit), _log_url(row, place, output)] if row.result and wants_log(row) else []),
            ]
            for row in report.rows
        ],
    }


def _headline(report: Report) -> Iterator[str]:
    for rows, one, many in (
        (report.red, "regression", "regressions"),
        (report.of(Verdict.ERROR), "harness error", "harness errors"),
        ([r for r in report.of(Verdict.FLAKE) if not report.is_red(r)], "new flake", "new flakes"),
        ([r for r in report.rows if r.verdict.is_stale], "improvement", "improvements"),
    ):
        if rows:
            yield f"{len(rows)} {one if len(rows) == 1 else many}"


def _tone(report: Report, verdict: Verdict) -> str:
    """The class of a verdict on the page: what a reader is to do about it."""
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
            shorten(a.message, _MESSAGE_CHARS),
            shorten(a.output, limit),
        ]
        for a in result.attempts
    ]


def _log_url(row: Row, place: Path, output: Path) -> str:
    """The whole log as seen from the page, or "" where it is not there: an old run judged by other expectations."""
    path = place / log_path(row)
    return quote(os.path.relpath(path, output.parent)) if path.is_file() else ""


def _changes_data(found: Comparison, against: Path) -> dict[str, Any]:
    before, after = outcomes(found.old), outcomes(found.new)
    rows: list[list[str]] = []
    for kind in _CHANGES:
        for item in getattr(found, kind):
            match item:
                case Change(test_id, old, new):
                    rows.append([kind, test_id, f"{old.happened} \u2192 {new.happened}", old.message])
                case Pace(test_id, old_s, new_s):
                    rows.append([kind, test_id, f"{old_s:.2f} s \u2192 {new_s:.2f} s", ""])
                case test_id:
                    there = before.get(test_id) or after[test_id]
                    rows.append([kind, test_id, str(there.happened), there.message if kind == "only_old" else ""])
    present = {row[0] for row in rows}
    lists = [("capabilities gained", ", ".join(found.gained)), ("capabilities lost", ", ".join(found.lost))]
    return {
        "against": f"{against}: {found.same} outcomes are the same in both",
        "kinds": [[kind, title] for kind, (title, _) in _CHANGES.items() if kind in present],
        "differences": [[d.name, d.new, d.old] for d in found.differences] + [[k, v] for k, v in lists if v],
        "rows": [[kind, i, was, shorten(message, _MESSAGE_CHARS)] for kind, i, was, message in rows],
    }


def _history_data(path: Path, place: Path, report: Report) -> dict[str, Any]:
    config, target = report.record.config, report.target
    series = (replace(target, libclc="", tinygrad=""), config.variant)
    with opened_artifacts(place) as folders:
        own = {run_key(folder) for folder in folders}
    with History(path) as history:
        runs = [r for r in history.runs(target.driver, target.gpu) if r.series == series and not r.fault]
        runs = runs[-_HISTORY_RUNS:]
        name = f"{series[0].name}{f' --variant {config.variant}' if config.variant else ''}"
        if not runs:
            return {"note": f"{path} knows no run of {name}.", "runs": [], "tests": {}, "flakes": [], "span": ""}
        lines = load_expectations(target_of(config, report.record.device or DeviceReport()), config.expectations)
        flakes = sorted(find_flakes(history, runs, lines), key=lambda f: (not f.red, list(Action).index(f.action)))
        wanted = {r.id for r in report.rows if wants_log(r)} | {f.id for f in flakes}
        bars = {i: _bars(ran, runs) for i, ran in history.executions(runs, wanted).items()}
    builds = list(dict.fromkeys(run.build for run in runs))
    span = f"{runs[0].begun[:10]} to {runs[-1].begun[:10]}"
    return {
        "note": f"{path}: {len(runs)} runs of {name}, {span}. A bar is a run, the oldest first; its height is the part "
        "of the attempts that failed, and a thin line marks where another build was tested. Timeouts are amber.",
        "span": span,
        "runs": [[_minute(run.begun), run.key in own, builds.index(run.build)] for run in runs],
        "tests": {i: own_bars for i, own_bars in bars.items() if own_bars},
        "flakes": [
            [f.id, "red" if f.red else str(f.action), format_entry(f.line) if f.line else "", f.why, rate_text(*f.rate)]
            for f in flakes
        ],
    }


def _bars(executions: Iterable[Execution], runs: Sequence[Run]) -> list[tuple[int, int, int, str]]:
    """For each run that executed a test: its number, failed attempts, all attempts, the worst status."""
    place = {run.id: number for number, run in enumerate(runs)}
    found: dict[int, list[Status]] = {}
    for e in executions:
        if e.status is not Status.SKIP:
            found.setdefault(place[e.run.id], []).append(e.status)
    return [
        (n, sum(s in BAD for s in own), len(own), str(next((s for s in _WORST if s in own), Status.PASS)))
        for n, own in sorted(found.items())
    ]


def _minute(begun: str) -> str:
    return begun[:16].replace("T", " ")
