"""What a run prints: a progress line on a terminal, plain lines in CI, and a summary at the end."""

import contextlib
import math
import os
import shlex
import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from runner.lines import one_line, tell
from runner.model import DeviceReport, FileKind, Verdict
from runner.output.files import log_path, wants_log
from runner.output.markdown import count
from runner.output.repeat import failed_command, judging_words, next_commands, repeat_command, run_command
from runner.records.emulated import say
from runner.run_config import words_of
from runner.verdict.report import Report, ReportRow, cpu_seconds, executed

_MAX_LINES = 6  # of each kind, so that the last screen is one
_MAX_LINE_CHARS = 1000  # characters of a line that says more than a message
_PLAIN_S = 10.0
_TTY_S = 0.1
# Before that a rate says nothing: the first cases wait for the driver to start, and few cases are not typical.
_ETA_AFTER_S, _ETA_AFTER_CASES, _ETA_AFTER_PART = 10.0, 30, 50
_COLOURS = {"red": "31", "green": "32", "yellow": "33"}


def is_live(stream: TextIO) -> bool:
    """True if a line can be written over: a terminal that is not dumb."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str, stream: TextIO) -> str:
    """The text in a colour, if the stream is a terminal that has them and NO_COLOR (no-color.org) is not set."""
    if not is_live(stream) or os.environ.get("NO_COLOR"):
        return text
    return f"\033[{_COLOURS[colour]}m{text}\033[0m"


class Progress:
    """Counts, rate and ETA while a run lasts; red lines as they happen."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        stream = stream or sys.stderr
        self._total, self._stream = total, stream
        self._counts: Counter[Verdict] = Counter()
        self._begun_s = self._shown_s = time.monotonic()
        self._tty = is_live(stream)

    def note(self, text: str) -> None:
        """Print a line that stays."""
        self._clear()
        tell(one_line(text, _MAX_LINE_CHARS), file=self._stream, flush=True)

    def add(self, test_id: str, verdict: Verdict, message: str, *, red: bool) -> None:
        """Count one finished case, and print it if it is red."""
        self._counts[verdict] += 1
        if red or verdict in (Verdict.FLAKE, Verdict.ERROR) or verdict.is_stale:
            self._clear()
            print(paint(str(verdict), "red" if red else "yellow", self._stream), end=": ", file=self._stream)
            tell(f"{one_line(test_id, _MAX_LINE_CHARS)}: {one_line(message)}", file=self._stream, flush=True)
        now_s = time.monotonic()
        if now_s - self._shown_s >= (_TTY_S if self._tty else _PLAIN_S):
            self._shown_s = now_s
            self._show(now_s - self._begun_s)

    def finish(self) -> None:
        """End the moving line."""
        self._clear()

    def _show(self, spent_s: float) -> None:
        width = shutil.get_terminal_size().columns if self._tty else _MAX_LINE_CHARS
        line = progress_line(self._counts, self._total, spent_s, width - 1)
        if self._tty:
            print(f"\r\033[K{line}", end="", file=self._stream, flush=True)
        else:
            tell(line, file=self._stream, flush=True)

    def _clear(self) -> None:
        if self._tty:
            print("\r\033[K", end="", file=self._stream, flush=True)


def progress_line(counts: Mapping[Verdict, int], total: int, spent_s: float, width: int) -> str:
    """What is done, the time that is left, and the counts, red ones first; those without room are summed up."""
    done = sum(counts.values())
    known = spent_s >= _ETA_AFTER_S and done >= max(_ETA_AFTER_CASES, total // _ETA_AFTER_PART)
    left_s = (total - done) * spent_s / done if known else 0.0
    line = "  ".join(filter(None, (f"{done}/{total}", _time_left(left_s) if left_s else "")))
    ordered = sorted(counts.items(), key=lambda entry: (not entry[0].is_red(), entry[0]))
    words = [f"{verdict} {number}" for verdict, number in ordered]
    for shown in range(len(words), -1, -1):
        rest = sum(number for _, number in ordered[shown:])
        text = ", ".join([*words[:shown], *([f"others {rest}"] if rest else [])])
        if len(line) + 2 + len(text) <= width:
            return f"{line}  {text}" if text else line
    return line


def _time_left(left_s: float) -> str:
    minutes = math.ceil(left_s / 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min left"
    return f"{minutes} min left" if left_s >= 60 else "less than a minute left"


def describe(device: DeviceReport) -> str:
    """One line: what is under test."""
    if not device.device:
        return "no OpenCL device"
    cpu = f", {device.cpu_class} ({device.cpu})" if device.cpu_class and "llvmpipe" in device.device else ""
    libclc = f"libclc {device.libclc_version} " if device.libclc_version else "libclc "
    mesa = f"Mesa {device.mesa} ({device.driver_version})" if device.mesa else device.driver_version
    words = [
        device.full_name,
        mesa,
        f"LLVM {device.llvm}" if device.llvm else "",
        f"{libclc}{device.libclc[:12] or '?'}" if device.mesa else "",
    ]
    known = ", ".join(filter(None, words))
    return f"{known}, tinygrad {device.tinygrad or 'absent'}, Linux {device.kernel}{cpu}"


def print_summary(report: Report, folder: Path, stream: TextIO | None = None) -> None:
    """Print the summary: what was tested, the verdict, each regression's message and the command that repeats it."""
    stream = stream or sys.stdout
    record = report.record
    device = one_line(describe(record.device), _MAX_LINE_CHARS) if record.device else "no device was opened"
    tell(f"{f'{record.config.driver} {record.configuration}'.rstrip()}: {device}", file=stream)
    for line in (*_regressions(report, folder), *_remarks(report)):
        tell(line, file=stream)
    word = verdict_word(report)
    colour = {"green": "green", "RED": "red"}.get(word.partition(",")[0], "yellow")
    ran = f"{executed(report)} of {len(record.ids)} selected cases executed"
    print(paint(word, colour, stream), end=": ", file=stream)
    tell(f"{ran}; results in {folder}/ (exit code {report.exit_code})", file=stream)


def _regressions(report: Report, folder: Path) -> Iterator[str]:
    """Results that need a person: new flakes, regressions, the harness's errors, stale entries."""
    for flake in report.of(Verdict.FLAKE)[:_MAX_LINES]:
        yield f"new flake: {flake.id}: {one_line(flake.message)}"
    red, improved = report.red, report.of(Verdict.IMPROVED_PASS, Verdict.IMPROVED_FAIL)
    differing = len(red) + len(improved)
    if report.unmeasured and differing:
        layer = replace(report.target, libclc="", tinygrad="")
        yield (
            f"{differing} case{'s differ' if differing > 1 else ' differs'} from {report.unmeasured}. Not yours? "
            f"Run twice, `runner expect update` on both, and write the reasons into {layer.path(FileKind.FAILS)}"
        )
    if red and report.is_new:
        what = count(len(red), "failure")
        yield f"{what}, none expected yet: {report.target.driver} has no expectation files"
    elif red:
        yield "1 regression:" if len(red) == 1 else f"{len(red)} regressions:"
    for row in red[:_MAX_LINES]:
        path = folder / log_path(row)
        log = f"  # log: {path}" if wants_log(row) and path.exists() else ""
        yield f"  {row.verdict}: {row.id}"
        yield f"    {one_line(row.message)}"
        yield f"    {repeat_command(report, row.id)}{log}" if row.result else "    it has no result"
    stale = "improvements (delete or change their entries)"
    for title, rows in (("harness errors", report.of(Verdict.ERROR)), (stale, improved)):
        if rows:
            yield f"{title}:"
            yield from (f"  {row.verdict}: {row.id}: {one_line(row.message)}" for row in rows[:_MAX_LINES])
    if len(red) > _MAX_LINES:
        yield f"all of them: {folder / 'failures.csv'}"
    if differing and not report.record.configuration:  # else they are printed for all of them
        yield from _next_steps(report, folder, [row for row in (*red, *improved) if row.result])


def _next_steps(report: Report, folder: Path, rows: list[ReportRow]) -> Iterator[str]:
    """The commands to type next: for the first case that differs, and for all of them."""
    runner = os.environ.get("RUNNER_COMMAND", "runner")
    config = report.record.config
    judged_by = judging_words(config)
    yield "next:"
    if report.is_new:
        yield f"  {run_command(config)}  # once more: what fails both times is written down"
        init = shlex.join(["expect", "init", *words_of(config, ("expectations", "registry", "suites"))])
        yield f"  {runner} {init} {folder} {folder}.1  # its expectation files, from both runs"
    elif any(row.result or row.verdict is Verdict.MISSING for row in report.red):
        yield f"  {failed_command(config, folder)}  # what failed, again"
    if rows:
        words = {"repeat": "the first of them again, with its evidence", "as a program": "as a program of its own"}
        own = dict(next_commands(report, rows[0].id))
        yield from (f"  {own[label]}  # {text}" for label, text in words.items())
    yield f"  {runner} report --as html{judged_by} {folder}  # all of them on a page"
    if report.is_new:
        return
    update = shlex.join(["expect", "update", *words_of(config, ("expectations", "registry", "suites"))])
    yield f"  expected? Run it again, then `{runner} {update} {folder} {folder}.1`"


def _remarks(report: Report) -> Iterator[str]:
    """Further information: known flakes, the slowest cases, notes, counts."""
    if known := report.of(Verdict.KNOWN_FLAKE):
        yield f"known flakes that flaked: {', '.join(r.id for r in known[:_MAX_LINES])}"
    if slow := sorted((r for r in report.rows if r.result), key=lambda r: -r.duration_s)[:5]:
        yield "slowest: " + ", ".join(f"{r.id} {r.duration_s:.1f} s" for r in slow)
        yield _cost(report)
    if report.record.config.mode == "emulate":
        yield f"emulated: {say(report.record.emulated, cpu_seconds(report))}; it says nothing about speed"
    yield from (f"note: {one_line(text, _MAX_LINE_CHARS)}" for text in report.warnings[:_MAX_LINES])
    if len(report.warnings) > _MAX_LINES:
        yield f"note: and {len(report.warnings) - _MAX_LINES} more findings of this kind"
    if report.fatal:
        yield f"stopped: {one_line(report.fatal, _MAX_LINE_CHARS)}"
    yield ", ".join(f"{v} {report.counts[v]}" for v in Verdict if report.counts[v]) or "no results"
    if report.not_run:
        yield f"not run: {report.not_run} (go on with --resume)"


def _cost(report: Report) -> str:
    """Wall and CPU seconds of the run, and the areas that took most of them."""
    areas: dict[str, float] = defaultdict(float)
    for row in report.rows:
        areas["/".join(row.id.split("/")[:2])] += row.duration_s
    cpu_s = report.record.cpu_s or cpu_seconds(report)  # on boards, that of the cases
    dearest = ", ".join(f"{area} {seconds:.1f} s" for area, seconds in sorted(areas.items(), key=lambda a: -a[1])[:3])
    return f"took {report.record.wall_s:.0f} s, {cpu_s:.0f} s of the processors; dearest areas: {dearest}"


def verdict_word(report: Report) -> str:
    """The verdict on a whole run, from its exit code."""
    cut_short = ", AND CUT SHORT" if report.not_run and report.exit_code == 1 else ""  # else the code says so
    return {
        0: "green",
        1: f"RED{cut_short}",
        3: "INFRASTRUCTURE",
        4: "NOTHING EXECUTED",
        5: "STALE EXPECTATIONS",
        130: "INTERRUPTED",
    }[report.exit_code]


@contextlib.contextmanager
def section(name: str, stream: TextIO | None = None) -> Iterator[None]:
    """Put what is printed inside into a collapsible section of GitLab's log; elsewhere do nothing."""
    stream = stream or sys.stdout
    if not os.environ.get("GITLAB_CI"):
        yield
        return
    key = name.lower().replace(" ", "_")
    print(f"\033[0Ksection_start:{int(time.time())}:{key}\r\033[0K{name}", file=stream, flush=True)
    try:
        yield
    finally:
        print(f"\033[0Ksection_end:{int(time.time())}:{key}\r\033[0K", file=stream, flush=True)
