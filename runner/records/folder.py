"""The results directory of a run, which belongs to one run until that ends."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from runner.model import UsageError

_POLL_S = 0.1


@contextlib.contextmanager
def held(folder: Path, wait_s: float = 0.0) -> Iterator[None]:
    """Make a folder if there is none, and keep every other run out of it. Waits up to `wait_s` for a run that has it.

    The lock is on the folder itself: it stays if the folder is renamed, and leaves no file behind.
    Raises UsageError if another run has it, or it cannot be written.
    """
    try:
        folder.resolve().mkdir(parents=True, exist_ok=True)  # also if it is a link
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}; give --results DIR elsewhere") from error
    try:
        try:
            lock(fd, wait_s)
        except BlockingIOError as error:
            raise UsageError(
                f"{folder}: another run writes it; wait for its end, or give --results DIR elsewhere"
            ) from error
        except OSError:  # a file system that cannot lock folders: the journal's own lock remains
            pass
        yield
    finally:
        os.close(fd)


def lock(fd: int, wait_s: float) -> None:
    """Lock a file until it is closed. Raises BlockingIOError if another process has it until `wait_s` from now."""
    deadline_s = time.monotonic() + wait_s
    while True:
        try:
            return fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline_s:
                raise
        time.sleep(_POLL_S)
