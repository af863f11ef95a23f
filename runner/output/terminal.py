"""What a run tells a person: a line that moves on a terminal, plain lines in CI, and a last screen."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from runner.lines import one_line
from runner.model import DeviceReport, Kind, Verdict
from runner.output.files import log_path, wants_log
from runner.output.repeat import repeat_command
from runner.verdict.report import Report, executed

_MOST = 6  # of each kind, so that the last screen is one
_WIDEST = 1000  # characters of a line that says more than a message
_PLAIN_S = 10.0
_TTY_S = 0.1


class Progress:
    """Counts, rate and ETA while a run lasts; red lines as they happen."""

    def __init__(self, total: int, stream: TextIO = sys.stderr) -> None:
        self._total, self._stream = total, stream
        self._counts: Counter[Verdict] = Counter()
        self._begun_s = self._shown_s = time.monotonic()
        self._tty = stream.isatty()

    def note(self, text: str) -> None:
        """A line that stays."""
        self._clear()
        print(one_line(text, _WIDEST), file=self._stream, flush=True)

    def add(self, test_id: str, verdict: Verdict, message: str, *, red: bool) -> None:
        """One case is done."""
        self._counts[verdict] += 1
        if red or verdict in (Verdict.FLAKE, Verdict.ERROR) or verdict.is_stale:
            self.note(f"{verdict}: {test_id}: {one_line(message)}")
        now_s = time.monotonic()
        if now_s - self._shown_s >= (_TTY_S if self._tty else _PLAIN_S):
            self._shown_s = now_s
            self._show(now_s - self._begun_s)

    def finish(self) -> None:
        self._clear()

    def _show(self, spent_s: float) -> None:
        done = self._counts.total()
        rate = done / spent_s
        left_s = (self._total - done) / rate if rate else 0
        counts = ", ".join(f"{v} {n}" for v, n in sorted(self._counts.items()))
        line = f"{done}/{self._total}  {counts}  {rate:.1f}/s  {int(left_s)} s left"
        if self._tty:
            width = shutil.get_terminal_size().columns
            print(f"\r\033[K{line[: width - 1]}", end="", file=self._stream, flush=True)
        else:
            print(line, file=self._stream, flush=True)

    def _clear(self) -> None:
        if self._tty:
            print("\r\033[K", end="", file=self._stream, flush=True)


def describe(device: DeviceReport) -> str:
    """One line: what is under test."""
    if not device.device:
        return "no OpenCL device"
    software = " (lavapipe: Vulkan on the CPU, no GPU)" if "(MESA_LLVMPIPE)" in device.device else ""
    cpu = f", {device.cpu_class} ({device.cpu})" if device.cpu_class and "llvmpipe" in device.device else ""
    libclc = f"libclc {device.libclc_version} " if device.libclc_version else "libclc "
    return (
        f"{device.device}{software}, Mesa {device.mesa or '?'} ({device.driver_version}), LLVM {device.llvm or '?'}, "
        f"{libclc}{device.libclc[:12] or '?'}, tinygrad {device.tinygrad}, Linux {device.kernel}{cpu}"
    )


def print_summary(report: Report, folder: Path, stream: TextIO = sys.stdout) -> None:
    """The last screen: what ran on what, the verdict, and for each regression its reason and command."""

    def show(text: str = "") -> None:
        print(text, file=stream)

    record = report.record
    device = one_line(describe(record.device), _WIDEST) if record.device else "no device was opened"
    show(f"{record.config.driver}: {device}")
    for flake in report.of(Verdict.FLAKE)[:_MOST]:
        show(f"new flake: {flake.id}: {one_line(flake.message)}")
    red = report.red
    differing = len(red) + len(report.of(Verdict.IMPROVED_PASS, Verdict.IMPROVED_FAIL))
    if report.unmeasured and differing:
        layer = replace(report.target, libclc="", tinygrad="")
        show(
            f"{differing} case{'s differ' if differing > 1 else ' differs'} from {report.unmeasured}. Not yours? "
            f"Run twice, `runner expect update` on both, and write the reasons into {layer.path(Kind.FAILS)}"
        )
    if red:
        show("1 regression:" if len(red) == 1 else f"{len(red)} regressions:")
        for row in red[:_MOST]:
            path = folder / log_path(row)
            log = f"  # log: {path}" if wants_log(row) and path.exists() else ""
            show(f"  {row.verdict}: {row.id}")
            show(f"    {one_line(row.message)}")
            show(f"    {repeat_command(report, row.id)}{log}" if row.result else "    it has no result")
    for title, rows in (
        ("harness errors", report.of(Verdict.ERROR)),
        (
            "improvements (delete or change their lines)",
            report.of(Verdict.IMPROVED_PASS, Verdict.IMPROVED_FAIL),
        ),
    ):
        if rows:
            show(f"{title}:")
            for row in rows[:_MOST]:
                show(f"  {row.verdict}: {row.id}: {one_line(row.message)}")
    if len(red) > _MOST:
        show(f"all of them: {folder / 'failures.csv'}")
    known = report.of(Verdict.KNOWN_FLAKE)
    if known:
        show(f"known flakes that flaked: {', '.join(r.id for r in known[:_MOST])}")
    slow = sorted((r for r in report.rows if r.result), key=lambda r: -r.duration_s)[:5]
    if slow:
        show("slowest: " + ", ".join(f"{r.id} {r.duration_s:.1f} s" for r in slow))
    for text in report.warnings[:_MOST]:
        show(f"note: {text}")
    if len(report.warnings) > _MOST:
        show(f"note: and {len(report.warnings) - _MOST} more findings of this kind")
    if report.fatal:
        show(f"stopped: {one_line(report.fatal, _WIDEST)}")
    show(", ".join(f"{verdict} {report.counts[verdict]}" for verdict in Verdict if report.counts[verdict]) or "no results")
    if report.not_run:
        show(f"not run: {report.not_run} (go on with --resume)")
    show(
        f"{verdict_word(report)}: {executed(report)} of {len(record.ids)} selected cases executed; results in {folder}/ "
        f"(exit code {report.exit_code})"
    )


def verdict_word(report: Report) -> str:
    """The verdict on a whole run, after its exit code."""
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
def section(name: str, stream: TextIO = sys.stdout) -> Iterator[None]:
    """GitLab's collapsible section around what is printed inside; elsewhere nothing."""
    if not os.environ.get("GITLAB_CI"):
        yield
        return
    key = name.lower().replace(" ", "_")
    print(f"\033[0Ksection_start:{int(time.time())}:{key}\r\033[0K{name}", file=stream, flush=True)
    try:
        yield
    finally:
        print(f"\033[0Ksection_end:{int(time.time())}:{key}\r\033[0K", file=stream, flush=True)
