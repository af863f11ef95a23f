"""The views of the page of a run beside its list: the changes against another run, and a history."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from runner.analysis.comparison import Change, Comparison, Pace, outcomes
from runner.analysis.flakes import Action, Flake, find_flakes
from runner.drivers.registry import expectations_of
from runner.expectations.files import format_entry
from runner.lines import shorten
from runner.model import DeviceReport, Status
from runner.output.files import wants_log
from runner.pages.markup import minute
from runner.records.history import Execution, History, Run
from runner.releases import series_of
from runner.verdict.intervals import rate_text
from runner.verdict.judge import BAD
from runner.verdict.report import Report

_MESSAGE_CHARS = 2000
_HISTORY_RUNS = 100  # the newest ones
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
    "only_old": ("only in the other run", ""),
    "only_new": ("only in this run", ""),
}
TONES = {kind: tone for kind, (_, tone) in _CHANGES.items() if tone}
TONES |= {"add": "flake", "change": "flake", "drop": "pass", "keep": "expected"}


def changes_data(found: Comparison, against: Path) -> dict[str, Any]:
    """What differs from another run, by kind."""
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


def history_data(path: Path, own: set[str], report: Report) -> dict[str, Any]:
    """The newest runs of this driver, GPU and configuration with every Mesa, and the flakes of this one.

    `own` holds the keys of the page's runs. Rates are comparable only inside one release; the bars show them all.
    """
    config, target = report.record.config, report.target
    series = (replace(target, libclc="", tinygrad="", variant=""), config.variant)
    with History(path) as history:
        comparable = [r for r in history.runs(target.driver, target.gpu) if not r.fault and r.variant == config.variant]
        runs = [r for r in comparable if r.target.mode == target.mode][-_HISTORY_RUNS:]
        runs.sort(key=lambda r: (series_of(r.target.mesa), r.begun))
        mine = sorted((r for r in runs if r.series == series), key=lambda r: r.begun)
        name = f"{series[0].name}{f' --variant {config.variant}' if config.variant else ''}"
        if not mine:
            return {"note": f"{path} knows no run of {name}.", "runs": [], "tests": {}, "flakes": []}
        lines = expectations_of(config, report.record.device or DeviceReport())
        red = {row.id for row in report.red}
        flakes = [f for f in find_flakes(history, mine, lines) if not (f.action is Action.ADD and f.id in red)]
        flakes.sort(key=lambda f: (not f.red, list(Action).index(f.action)))
        wanted = {r.id for r in report.rows if wants_log(r) or r.entry} | {f.id for f in flakes}
        bars = {i: _bars(ran, runs) for i, ran in history.executions(runs, wanted).items()}
    builds = list(dict.fromkeys(run.build for run in runs))
    return {
        "note": f"{path}: {len(mine)} runs of {name}, {mine[0].begun[:10]} to {mine[-1].begun[:10]}. "
        "What fails in this run is not a flake, and has no entry here, whatever it did before.",
        "runs": [[minute(run.begun), run.key in own, builds.index(run.build), run.target.mesa] for run in runs],
        "tests": {i: own_bars for i, own_bars in bars.items() if own_bars},
        "flakes": [[f.id, "red" if f.red else str(f.action), _proposal(f), f.why, rate_text(*f.rate)] for f in flakes],
    }


def _proposal(flake: Flake) -> str:
    """Its flakes entry; none if it fails more often than its entry says: that needs a look, not an entry."""
    return format_entry(flake.entry) if flake.entry and not flake.red else ""


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
