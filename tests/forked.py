"""The runner's command and its first workers in forks of a process that has imported both: half of a short run."""

import atexit
import gc
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from execnet import gateway_base, gateway_io

_SERVER = multiprocessing.get_context("forkserver")
_COMMAND = ("runner.cli", "runner.commands.run", "runner.run.configurations")
_SESSION = ("xdist.remote", "xdist.dsession", "xdist.newhooks", "_pytest._argcomplete", "_pytest.helpconfig")
_SERVER.set_forkserver_preload([*_COMMAND, *_SESSION, __name__, "forked_reads"])
_READ_AT_THE_START = ("LD_", "PYTHON")  # prefixes of the variables that count before a program's first line


def call(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], *, streams: int = 2, timeout_s: float | None = None
) -> tuple[int, str]:
    """Run `runner WORDS` in a folder, in a session of its own: the exit code, and what it printed, stdout first.

    With one stream stderr is among it. Raises TimeoutExpired.
    """
    return finish(Started(words, folder, environment, streams), timeout_s)


def finish(process: "Started | subprocess.Popen[str]", timeout_s: float | None) -> tuple[int, str]:
    """The exit code and the output of a command in a session of its own. Raises TimeoutExpired, and then has killed it."""
    try:
        output, _ = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert process.returncode is not None
    return process.returncode, output


class Started:
    """A command that was begun, with as much of subprocess.Popen as the tests use."""

    def __init__(self, words: Sequence[str], folder: Path, environment: Mapping[str, str], streams: int = 1) -> None:
        self._words = [*words]
        with ExitStack() as stack:
            self._files = [stack.enter_context(tempfile.NamedTemporaryFile("r")) for _ in range(streams)]
            names = [file.name for file in self._files]
            self._process = _SERVER.Process(target=_main, args=(self._words, folder, {**environment}, [names[0], names[-1]]))
            self._process.start()
            self._close = stack.pop_all().close
        self.pid: int = self._process.pid or 0
        self.kill = self._process.kill

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def wait(self, timeout: float | None = None) -> None:
        """Until it has ended. Raises TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self._words, timeout or 0)

    def communicate(self, timeout: float | None = None) -> tuple[str, None]:
        """What it printed, once it has ended; its workers may live. Raises TimeoutExpired."""
        self.wait(timeout)
        with closing(self):
            return "".join(file.read() for file in self._files), None

    def close(self) -> None:
        """Remove the files of its output."""
        self._close()


def is_enough(environment: Mapping[str, str]) -> bool:
    """False for an environment that a process must have from its start."""
    return all(os.environ.get(name) == value for name, value in environment.items() if name.startswith(_READ_AT_THE_START))


def _main(words: list[str], folder: Path, environment: dict[str, str], outputs: list[str]) -> None:
    gc.freeze()  # pytest collects at its end, five times, and would look through all that the server has imported
    os.setsid()
    for stream, name in enumerate(outputs, 1):
        descriptor = os.open(name, os.O_WRONLY | os.O_APPEND)
        os.dup2(descriptor, stream)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["runner", *words]
    _FirstWorker.ready = [_Worker() for _ in range(1 + ("-j2" in " ".join(words).replace("-j ", "-j")))]
    gateway_io.Popen2IOMaster = _FirstWorker  # type: ignore[misc]  # with which execnet starts a worker
    from runner.cli import main

    sys.exit(main())


class _Worker:
    """A process that becomes a worker of this one, as subprocess.Popen would start it: forked before there is a thread."""

    def __init__(self) -> None:
        (inner_in, outer_in), (outer_out, inner_out) = os.pipe(), os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.dup2(inner_in, 0)
            os.dup2(inner_out, 1)
            os.closerange(3, 1024)
            _be_worker()
        os.close(inner_in)
        os.close(inner_out)
        self.stdin, self.stdout = os.fdopen(outer_in, "wb"), os.fdopen(outer_out, "rb")

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


def _be_worker() -> None:
    """Do what `python -c` does with the line that execnet sends, in the environment sent before it."""
    atexit._clear()
    code = 1
    try:
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
        if line := sys.stdin.readline():
            os.environ.clear()
            os.environ.update(json.loads(line))
            sys.argv = ["-c"]
            exec(eval(sys.stdin.readline()), {"__name__": "__main__"})
        code = 0
    finally:
        atexit._run_exitfuncs()
        os._exit(code)


class _FirstWorker(gateway_io.Popen2IOMaster):
    """The process of a worker: the one that is ready, if there is one and it should use this Python; else a new one."""

    ready: list[_Worker]

    def __init__(self, args: list[str], execmodel: Any) -> None:
        if not self.ready or args != [sys.executable, "-u", "-c", gateway_io.popen_bootstrapline]:
            super().__init__(args, execmodel)
            return
        self.popen: Any = self.ready.pop()
        gateway_base.Popen2IO.__init__(self, self.popen.stdin, self.popen.stdout, execmodel)
        self.write(json.dumps(dict(os.environ)).encode() + b"\n")
