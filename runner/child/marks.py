"""What an emulator reports about a case beside its values, and how that changes the case's result.

Its library is preloaded, and exports `int emulator_marks(char *buffer, int size)`: the marks since the last call, one a
line, `KIND: TEXT`. It prints them, too. For other processes that a case starts, the files EMULATOR_STATISTICS.PID say
how many marks of each kind there were.
"""

import contextlib
import ctypes
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from runner.lines import one_line
from runner.model import Status

Mark = tuple[str, str]  # kind, text
_BUFFER_BYTES = 1 << 17  # more than the emulators keep
_NUMBERS_BYTES = 256
# The worst first. "Not emulated" says nothing about the driver; all others are its fault.
MEANINGS = {
    "unknown": (Status.ERROR, "emulator: not emulated"),
    "fault": (Status.FAIL, "emulator"),
    "hazard": (Status.FAIL, "hazard"),
    "race": (Status.FAIL, "race"),
    "undefined": (Status.FAIL, "undefined"),  # with --strict
}


class Marks:
    """The marks of this process and of those that it starts."""

    def __init__(self) -> None:
        """Raises AttributeError if no emulator is loaded into this process."""
        self._take = ctypes.CDLL(None).emulator_marks
        self._files: dict[str, int] = {}  # of other processes, by the time of their last write
        self._counts: Counter[tuple[str, str]] = Counter()  # by file and kind
        self._read_others()

    def take(self) -> list[Mark]:
        """The marks since the last call."""
        buffer = ctypes.create_string_buffer(_BUFFER_BYTES)
        self._take(buffer, _BUFFER_BYTES)
        lines = (one_line(line) for line in buffer.value.decode(errors="backslashreplace").splitlines())
        own = [(kind, text.strip()) for kind, _, text in (line.partition(":") for line in lines if line)]
        return own + self._read_others()

    def judge(self, status: Status, message: str, *, strict: bool) -> tuple[Status, str]:
        """A body's result, with the marks since the last call; for a FAIL prints the assumptions that it rests on."""
        assumptions = self._assumptions()
        status, message = decide(status, message, self.take(), strict=strict)
        if status is Status.FAIL and assumptions:
            print(f"emulator: what was launched rests on the assumptions {assumptions} of docs/emulation.md")
        return status, message

    def _assumptions(self) -> str:
        """The numbers, as "3, 4", of those on which the launches since the last call rest."""
        buffer = ctypes.create_string_buffer(_NUMBERS_BYTES)
        with contextlib.suppress(AttributeError):  # a family that has none
            ctypes.CDLL(None).emulator_assumptions(buffer, _NUMBERS_BYTES)
        return buffer.value.decode()

    def _read_others(self) -> list[Mark]:
        """The counts of other processes' emulators since the last look."""
        named = Path(os.environ.get("EMULATOR_STATISTICS", "/nonexistent/emulator"))
        found = []
        for path in named.parent.glob(f"{named.name}.*"):
            try:
                if path.suffix == f".{os.getpid()}" or self._files.get(path.name) == path.stat().st_mtime_ns:
                    continue
                counts = json.loads(path.read_text(encoding="utf-8"))
                self._files[path.name] = path.stat().st_mtime_ns
            except (OSError, ValueError):  # it is being written: the next look finds it
                continue
            for kind in MEANINGS:
                if counts.get(kind, 0) > self._counts[path.name, kind]:
                    found.append((kind, "in another process that the case started, whose output says where"))
                self._counts[path.name, kind] = counts.get(kind, 0)
        return found


def take_at_start() -> str:
    """Why a device whose start-up left marks cannot be used, or ""."""
    try:
        status, message = decide(Status.PASS, "", Marks().take(), strict=False)
    except AttributeError:
        return "emulator: its library is not loaded into the child; LD_PRELOAD does not reach it"
    return "" if status is Status.PASS else f"at its start: {message}"


def decide(status: Status, message: str, marks: Sequence[Mark], *, strict: bool) -> tuple[Status, str]:
    """A body's result, with the marks that its launches left; the message that they replace is printed."""
    if odd := next((mark for mark in marks if mark[0] not in MEANINGS), None):
        return Status.ERROR, f"emulator: a mark of an unknown kind: {odd[0]}: {odd[1]}"
    for kind, (worst, stage) in MEANINGS.items():
        if kind not in dict(marks) or (kind == "undefined" and not strict):
            continue
        if message:
            print(f"emulator: without its marks the case is {status}: {message}")
        return worst, f"{stage}: {next(text for own, text in marks if own == kind)}"
    return status, message
