"""Ends a worker, or a run, that has gone silent: every other deadline needs a worker that still runs."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from runner.child.environment import mask

ALIVE = "alive"  # in a worker's scratch folder while it starts or has a case: its process, written at every attempt
STACKS = "stacks"  # below a worker's scratch folder: where SIGUSR1 has it write Python's stacks
LOG = Path("logs/watchdog.txt")
_TICK_S = 1.0
_DUMP_S = 2.0  # for a process to write its stacks
_GDB_S = 10.0
_END_S = 10.0  # for the workers to end by themselves, and then for each round of killing them
_LOG_BYTES = 64 << 10  # of each file that a process writes its stacks to
_SIGUSR1_BIT = 1 << (signal.SIGUSR1 - 1)


class Watchdog:
    """A thread beside the controller's, from `with` on.

    `limit_s` is the longest silence: no `note_activity`, and no worker that writes its file `alive`. A worker
    that has a case and says nothing for that long is killed if another one reports or waits for a case: the controller
    hears of its death, and others run its cases. If all have a case and are silent, it writes the stacks of every process
    of this run to `log`, calls `end` with the reason, and kills what has not ended then, again and again: the controller
    hears of each death, and its session ends.
    """

    def __init__(
        self, limit_s: float, batch: Path, log: Path, end: Callable[[str], None], note: Callable[[str], None]
    ) -> None:
        self._limit_s, self._batch, self._log, self._end, self._note = limit_s, batch, log, end, note
        self._silent_s = 0.0
        self._workers: dict[Path, tuple[int, float]] = {}  # by file: when it was written, and the silence since, in seconds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def note_activity(self) -> None:
        """Note a sign of life."""
        self._silent_s = 0.0

    def __enter__(self) -> Watchdog:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        # Counted in ticks: if this process itself is stopped, or the machine sleeps, nobody was silent.
        while not self._over.wait(_TICK_S):
            silent = []
            for path in self._batch.glob(f"*/{ALIVE}"):
                with contextlib.suppress(OSError):  # it has just ended
                    if self._is_silent(path):
                        silent.append(path)
            if len(silent) < len([*self._batch.glob("*/output")]):
                for path in silent:
                    with contextlib.suppress(OSError, ValueError):
                        self._end_worker(path)
            self._silent_s += _TICK_S
            if self._silent_s > self._limit_s:
                self._stop_run()
                return

    def _is_silent(self, path: Path) -> bool:
        """Whether a worker has been silent for too long; hears of it if it has not."""
        written_ns = path.stat().st_mtime_ns
        shown_ns, silent_s = self._workers.get(path, (0, 0.0))
        if written_ns != shown_ns:
            silent_s = 0.0
            self.note_activity()
        self._workers[path] = (written_ns, silent_s + _TICK_S)  # counted like the silence of all
        return silent_s + _TICK_S > self._limit_s

    def _end_worker(self, path: Path) -> None:
        own = int(path.read_text(encoding="utf-8"))
        self._write_stacks()
        path.unlink()
        self._note(f"{path.parent.name} was silent for {self._limit_s:.0f} s and is ended; {self._log} says what it did")
        self.note_activity()
        for pid in tree(own) if own in tree(os.getpid()) else ():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def _write_stacks(self) -> None:
        with contextlib.suppress(OSError):  # the disk may be what hangs, or full
            self._log.parent.mkdir(parents=True, exist_ok=True)
            write_stacks(self._log, self._batch)

    def _stop_run(self) -> None:
        self._write_stacks()
        self._end(f"nothing was heard for {self._limit_s:.0f} s")
        while not self._over.wait(_END_S):
            for pid in tree(os.getpid())[1:]:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)


def limit_s(deadline_s: float, starved: int, start_s: float, scale: float, attempts: int = 1) -> float:
    """The longest silence of a healthy run: the longest attempt, after a child that started at its second try.

    `attempts` is more than 1 if only whole results are heard of, as from boards.
    """
    return attempts * ((starved * deadline_s + 2 * start_s) * scale + _GDB_S + 2 * _DUMP_S)


def tree(pid: int) -> list[int]:
    """A process and everything that it started, itself first."""
    return [pid, *(p for child in _children(pid) for p in tree(child))]


def write_stacks(path: Path, batch: Path) -> None:
    """Write what each process of this run does: its state, Python's stacks, and gdb's if there is gdb."""
    pids = tree(os.getpid())
    for pid in pids[1:]:
        if _catches_usr1(pid):
            os.kill(pid, signal.SIGUSR1)
    time.sleep(_DUMP_S)
    with path.open("a", encoding="utf-8") as log:
        log.write(f"--- {os.getpid()}: the runner\n")
        log.flush()
        faulthandler.dump_traceback(log)
        for pid in pids[1:]:
            log.write(f"\n--- {pid}: {mask(_read(pid, 'cmdline').replace(chr(0), ' '))[:300]}\n")
            fields = ("Name:", "State:", "PPid:", "VmRSS:", "Threads:")
            log.writelines(f"{line}\n" for line in _read(pid, "status").splitlines() if line.startswith(fields))
            log.write(f"wchan: {_read(pid, 'wchan')}\n{_read(pid, 'stack')}{_native_stacks(pid)}")
        for written in sorted([*batch.glob(f"*/{STACKS}"), *batch.glob("*/output")]):
            text = written.read_bytes()[-_LOG_BYTES:].decode("utf-8", "backslashreplace")
            log.write(f"\n--- {written.relative_to(batch)}\n{text}\n")


def _native_stacks(pid: int) -> str:
    gdb = shutil.which("gdb")
    if not gdb:
        return ""
    words = [gdb, "-p", str(pid), "-batch", "-nx", "-ex", "thread apply all backtrace"]
    try:
        done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=_GDB_S)
    except subprocess.TimeoutExpired:
        return "gdb gave no backtrace in time\n"
    return done.stdout.decode("utf-8", "backslashreplace")


def _catches_usr1(pid: int) -> bool:
    """True if SIGUSR1 has a process write its stacks, and does not end it."""
    caught = [line for line in _read(pid, "status").splitlines() if line.startswith("SigCgt:")]
    return bool(caught) and bool(int(caught[0].split()[1], 16) & _SIGUSR1_BIT)


def _read(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8", errors="backslashreplace")
    except OSError:  # it has ended, or only root may
        return ""


def _children(pid: int) -> Iterator[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return
    for task in tasks:
        with contextlib.suppress(OSError):
            yield from map(int, (task / "children").read_text().split())
