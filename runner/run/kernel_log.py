"""The kernel's messages during a case: a GPU fault or an out-of-memory kill explains a dead child."""

import os
import re
from pathlib import Path

_PATH = Path("/dev/kmsg")
_RECORD_BYTES = 1 << 13  # the kernel's own limit; a shorter read fails
# "6,752,15372729246,-;text": priority, number, microseconds since boot, flags (Documentation/ABI/testing/dev-kmsg)
_RECORD = re.compile(r"\d+,\d+,(\d{1,20}),[^;]*;(.*)", re.ASCII)


_HEADING = "kernel log meanwhile:\n"
_MAX_LINES = 200


def read_lines(output: str) -> tuple[str, ...]:
    """The kernel's lines in the output of an attempt, as `KernelLog.take` wrote them."""
    return tuple(output.rpartition(_HEADING)[2].splitlines()[:_MAX_LINES]) if _HEADING in output else ()


class KernelLog:
    """The records of /dev/kmsg since a mark. If it may not be read, that is reported once."""

    def __init__(self, path: Path = _PATH) -> None:
        self._refusal = ""
        self._fd = -1
        try:
            # Not dmesg: it may be missing, and its clock does not matter here.
            self._fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            os.lseek(self._fd, 0, os.SEEK_END)
        except OSError as error:
            self._refusal = f"{path}: {error.strerror} (root, or kernel.dmesg_restrict=0, may read it)"

    def mark(self) -> None:
        """Forget the messages before now."""
        if self._fd >= 0:
            os.lseek(self._fd, 0, os.SEEK_END)

    def take(self) -> str:
        """The lines since the mark under a heading, or why there are none; "" if the kernel printed nothing."""
        if self._refusal:
            text, self._refusal = f"kernel log: not read: {self._refusal}\n", ""
            return text
        lines = []
        while self._fd >= 0:
            try:
                record = os.read(self._fd, _RECORD_BYTES).decode("utf-8", "backslashreplace")
            except BrokenPipeError:  # overwritten before it was read; the next read goes on after the gap
                continue
            except BlockingIOError:
                break
            if not record:
                break
            if found := _RECORD.match(record):
                lines.append(f"[{int(found[1]) / 1e6:12.6f}] {found[2]}\n")
        return f"{_HEADING}{''.join(lines)}" if lines else ""
