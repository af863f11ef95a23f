"""The runner's command in a fork of a process that has imported it already: a third of what a short run takes."""

import atexit
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from multiprocessing import resource_tracker
from pathlib import Path

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["runner.cli", "runner.run.configurations", __name__])
_READ_AT_THE_START = ("LD_", "PYTHON")  # how the variables begin that count before a program's first line


def call(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], *, streams: int = 2, timeout_s: float | None = None
) -> tuple[int, str]:
    """Run `runner WORDS` in a folder, in a session of its own: the exit code, and what it printed, stdout first.

    With one stream stderr is among it. Raises TimeoutExpired.
    """
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.NamedTemporaryFile("r")) for _ in range(streams)]
        names = [file.name for file in files]
        process = _SERVER.Process(target=_main, args=([*words], folder, {**environment}, [names[0], names[-1]]))
        process.start()
        process.join(timeout_s)
        if process.exitcode is None:
            assert process.pid
            os.killpg(process.pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired([*words], timeout_s or 0)
        return process.exitcode, "".join(file.read() for file in files)


def is_enough(environment: Mapping[str, str]) -> bool:
    """False for an environment that a process must have from its start."""
    return all(os.environ.get(name) == value for name, value in environment.items() if name.startswith(_READ_AT_THE_START))


@atexit.register
def _end_tracker() -> None:
    """The server comes with a process that a test of kill_orphans() may have ended, which Python would complain of."""
    with suppress(ChildProcessError):
        resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined]


def _main(words: list[str], folder: Path, environment: dict[str, str], outputs: list[str]) -> None:
    os.setsid()
    for stream, name in enumerate(outputs, 1):
        descriptor = os.open(name, os.O_WRONLY | os.O_APPEND)
        os.dup2(descriptor, stream)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["runner", *words]
    from runner.cli import main

    sys.exit(main())
