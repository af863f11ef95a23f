"""Another project's program as a process of its own, in the child's group: how it ended, and what it printed."""

import contextlib
import faulthandler
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.check import NothingTested

_NO_PROGRAM = 127  # the loader's exit code if a library is missing


@dataclass(frozen=True, slots=True)
class Ended:
    """A program that ended, normally unless stated: its exit code, and all of its stdout and stderr."""

    code: int
    output: str
    errors: str

    @property
    def reasons(self) -> list[str]:
        """What it printed on stderr, without blank lines: at least one line."""
        return [line for line in self.errors.splitlines() if line.strip()] or ["no reason is printed"]


def run_program(
    words: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None, *, may_die: bool = False
) -> Ended:
    """Run a program to its end; what it prints is the case's output too. `environment` is added to this process' own.

    The deadline is this process', whose supervisor kills the whole group. If a signal ends the program, it ends this
    process too; if the program `may_die`, the exit code is the signal's number, negative. Raises NothingTested for a
    program that cannot be started.
    """
    try:
        done = subprocess.run(
            words, cwd=folder, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, capture_output=True
        )
    except OSError as error:
        raise NothingTested(f"{words[0]}: {error.strerror}") from error
    text, errors = (stream.decode("utf-8", "backslashreplace") for stream in (done.stdout, done.stderr))
    print(f"{text}\n{errors}", flush=True)
    if done.returncode == _NO_PROGRAM and not text:  # else it had begun: the loader exits with this if memory is short, too
        raise NothingTested(f"{words[0]}: cannot be started: a library is missing (see the log)")
    # The supervisor reports the death as always: the signal, and the driver's last words.
    if done.returncode < 0 and not may_die:
        faulthandler.disable()
        with contextlib.suppress(OSError):  # of SIGKILL
            signal.signal(-done.returncode, signal.SIG_DFL)
        os.kill(os.getpid(), -done.returncode)
    return Ended(done.returncode, text, errors)
