"""`runner diff OLD NEW`: what differs between two runs, for a terminal, a merge request or a program.

Compares results, whatever the expectations are. Exit code 1 if something broke, else 0. RESULTS is a results directory, a
folder of the shards of one run, or artifacts.zip; one of the two may be a golden file of the OpenCL-CTS' own CI, or a
results file that the CTS wrote.
"""

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from runner.analysis.comparison import PROBE, Change, Comparison, Outcome, Pace, compare
from runner.analysis.golden import is_golden, load_golden
from runner.analysis.merged_runs import load_report
from runner.commands.options import add_form, add_judged_by, places_of
from runner.lines import one_line, tell
from runner.model import ExitCode, UsageError, Verdict
from runner.output.markdown import block, cell, code, count, details, shorten_list, table
from runner.output.terminal import describe
from runner.verdict.report import Report

_MAX_TEXT_LINES = 20  # of a list on a terminal
_MAX_MARKDOWN_LINES = 200  # of a list in a comment, which GitLab limits to a million characters
_MAX_OPEN = 10  # lists up to this length are not folded
_MIN_TESTS = 20  # tests whose CPU time is typical of all


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the two runs."""
    add_judged_by(parser)
    parser.add_argument("old", type=Path, metavar="RESULTS_A", help="the run before")
    parser.add_argument("new", type=Path, metavar="RESULTS_B", help="the run after")
    add_form(parser, "text", "markdown", "json")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print what differs; REGRESSION if something broke."""
    form = arguments.form
    comparison = compare(*_load(arguments))
    if is_golden(arguments.old) or is_golden(arguments.new):  # it does not name the device, nor say that one was opened
        old, new = (tuple(i for i in ids if i != PROBE) for ids in (comparison.only_old, comparison.only_new))
        comparison = replace(comparison, differences=(), only_old=old, only_new=new)
    tell({"text": format_text, "markdown": format_markdown, "json": _format_json}[form](comparison))
    return ExitCode.REGRESSION if comparison.is_worse else ExitCode.GREEN


def _load(arguments: argparse.Namespace) -> tuple[Report, Report]:
    old, new = arguments.old, arguments.new
    if is_golden(old) and is_golden(new):
        raise UsageError(f"{old}, {new}: one of the two must be results of a run")
    if is_golden(old):
        run = load_report(new, *places_of(arguments))
        return load_golden(old, run), run
    run = load_report(old, *places_of(arguments))
    return run, load_golden(new, run) if is_golden(new) else load_report(new, *places_of(arguments))


def format_text(comparison: Comparison) -> str:
    """For a terminal."""
    lines = [f"old: {_side(comparison.old)}", f"new: {_side(comparison.new)}"]
    lines += [f"  {d.name}: {one_line(d.old) or '-'} -> {one_line(d.new) or '-'}" for d in comparison.differences]
    for title, found in _lists(comparison).items():
        lines.append(f"{title}: {len(found)}")
        lines += [f"  {line}" for line in found[:_MAX_TEXT_LINES]]
        if len(found) > _MAX_TEXT_LINES:
            lines.append(f"  and {len(found) - _MAX_TEXT_LINES} more; --format json has them all")
    return "\n".join([*lines, _last_line(comparison)])


def format_markdown(comparison: Comparison) -> str:
    """To paste into a merge request."""
    sides = "\n".join(f"- {name}: {code(_side(r))}" for name, r in (("old", comparison.old), ("new", comparison.new)))
    parts = [f"**{_last_line(comparison)}**", sides]
    if comparison.differences:
        rows = [["", "old", "new"], *([d.name, cell(d.old), cell(d.new)] for d in comparison.differences)]
        own = table(rows)
        parts.append(own if len(rows) <= _MAX_OPEN else details(count(len(rows) - 1, "difference"), own))
    for name, found in _lists(comparison).items():
        title, lines = f"{name}: {len(found)}", block(shorten_list(found, _MAX_MARKDOWN_LINES))
        parts.append(f"**{title}**\n\n{lines}" if len(found) <= _MAX_OPEN else details(title, lines))
    return "\n\n".join(parts)


def _format_json(comparison: Comparison) -> str:
    values: dict[str, Any] = {}
    for name in Comparison.__dataclass_fields__:
        value = getattr(comparison, name)
        if isinstance(value, Report):
            device = value.record.device
            value = {
                "target": asdict(value.target),
                "begun": value.record.begun,
                "exit_code": value.exit_code,
                "device": asdict(device) if device else None,
            }
        elif isinstance(value, tuple):
            value = [v if isinstance(v, str) else asdict(v) for v in value]
        values[name] = value
    return json.dumps(values, indent=1)


def _side(report: Report) -> str:
    device = report.record.device
    if not report.record.begun:
        return f"{report.record.config.driver}: {count(len(report.rows), 'sub-test')} of the CTS"
    what = one_line(describe(device)) if device else "no device was opened"
    stopped = f"; STOPPED, {report.not_run} tests not run: {one_line(report.fatal)}" if report.not_run else ""
    return f"{report.record.config.driver}: {what}; begun {report.record.begun}{stopped}"


def _last_line(comparison: Comparison) -> str:
    lists = [f"{title} {len(lines)}" for title, lines in _lists(comparison).items()]
    pace = f"all in all {comparison.shift:.2f} times the time a test" if comparison.shift != 1 else ""
    words = ", ".join(filter(None, [*lists, f"the same {comparison.same}", pace, _cpu_words(comparison)]))
    return f"{'BROKEN' if comparison.is_worse else 'nothing broke'}: {words}"


def _cpu_words(comparison: Comparison) -> str:
    """How much CPU time the tests of both took, which compares two builds even on a busy machine."""
    sides = (comparison.old, comparison.new)
    old, new = ({i: r.attempts[0].cpu_s for i, r in side.record.results.items() if r.attempts} for side in sides)
    both = [i for i in old.keys() & new.keys() if old[i] and new[i]]
    return (
        f"{sum(new[i] for i in both) / sum(old[i] for i in both):.2f} times the CPU time" if len(both) >= _MIN_TESTS else ""
    )


def _lists(comparison: Comparison) -> dict[str, list[str]]:
    """The lines of every kind of difference found, the worst first."""
    lists: list[tuple[str, Iterable[str]]] = [
        ("broken", map(_change_line, comparison.broken)),
        ("capabilities lost", map(one_line, comparison.lost)),
        ("changed in kind", (_change_line(c) for c in comparison.changed if c.is_of_kind)),
        ("newly flaky", map(_change_line, comparison.newly_flaky)),
        ("newly skipped", map(_change_line, comparison.newly_skipped)),
        ("slower", map(_pace_line, comparison.slower)),
        ("another message", (_change_line(c) for c in comparison.changed if not c.is_of_kind)),
        ("fixed", map(_change_line, comparison.fixed)),
        ("capabilities gained", map(one_line, comparison.gained)),
        ("newly running", map(_change_line, comparison.newly_running)),
        ("no longer flaky", map(_change_line, comparison.no_longer_flaky)),
        ("faster", map(_pace_line, comparison.faster)),
        ("only in the old run", comparison.only_old),
        ("only in the new run", comparison.only_new),
    ]
    return {title: lines for title, found in lists if (lines := list(found))}


def _change_line(change: Change) -> str:
    old, new = change.old, change.new
    if old.is_bad and new.is_bad:
        return f"{change.id}: {_word(old)}: {one_line(old.message)} -> {_word(new)}: {one_line(new.message)}"
    shown = old if new.happened is Verdict.PASS else new
    why = f": {one_line(shown.message)}" if shown.message else ""
    return f"{change.id}: {_word(old)} -> {_word(new)}{why}"


def _word(outcome: Outcome) -> str:
    """What happened, and the verdict beside the run's expectations if that differs."""
    known = outcome.verdict in (Verdict.EXPECTED_FAIL, Verdict.KNOWN_FLAKE)
    return f"{outcome.happened} ({outcome.verdict})" if known else str(outcome.happened)


def _pace_line(pace: Pace) -> str:
    return f"{pace.id}: {pace.old_s:.2f} s -> {pace.new_s:.2f} s, {pace.ratio:.2f} times what the others' shift makes of it"
