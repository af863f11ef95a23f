"""The lock that gives one worker of a run the device to itself: flock, so that a killed worker leaves nothing locked."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


class DeviceLock:
    """Lets one worker have the device to itself: flock, so that a killed worker leaves nothing locked."""

    def __init__(self, scratch: Path) -> None:
        self._gate = os.open(scratch / "gate", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
        self._room = os.open(scratch / "room", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        """Share the device with the other workers."""
        with _locked(self._gate, fcntl.LOCK_EX):  # waits behind a worker that wants the device to itself
            fcntl.flock(self._room, fcntl.LOCK_SH)
        try:
            yield
        finally:
            fcntl.flock(self._room, fcntl.LOCK_UN)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Have the device to itself."""
        with _locked(self._gate, fcntl.LOCK_EX), _locked(self._room, fcntl.LOCK_EX):
            yield


@contextlib.contextmanager
def _locked(fd: int, how: int) -> Iterator[None]:
    fcntl.flock(fd, how)
    try:
        yield
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)
