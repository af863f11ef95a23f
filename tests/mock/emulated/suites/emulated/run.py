"""The bodies: each asks the emulator that is loaded into this process what the case is about."""

import ctypes
import os
import signal
import time
from pathlib import Path
from typing import Any

from runner import check
from runner.model import Case

_emulator = ctypes.CDLL(None)


def run(device: Any, case: Case) -> None:
    globals()[f"_{case.kind}"](case)


def _mark(case: Case) -> None:
    for line in case.params.get("lines", ()):
        _emulator.mock_mark(line.encode())
    check.equal("mock", 2 if case.params.get("wrong") else 1, 1)


def _count(case: Case) -> None:
    _emulator.mock_count(case.params["pid"], case.params["json"].encode())
    check.equal("mock", 1, 1)


def _broken(case: Case) -> None:
    _emulator.mock_break()


def _slow(case: Case) -> None:
    time.sleep(2.5)
    check.equal("mock", 1, 1)


def _exchange(case: Case) -> None:
    """The emulator's library is another file from here on; the child dies, so that the next one loads it."""
    library = Path(os.environ["RUNNER_EMULATOR"])
    other = library.with_name("other.so")
    other.write_bytes(library.read_bytes() + b"more")
    other.replace(library)
    _segfault(case)


def _segfault(case: Case) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _exit(case: Case) -> None:
    os._exit(97)
