"""The bodies: each asks the emulator that is loaded into this process for what the case is about."""

from __future__ import annotations

import ctypes
import os
import signal
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


def _segfault(case: Case) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _exit(case: Case) -> None:
    os._exit(97)
