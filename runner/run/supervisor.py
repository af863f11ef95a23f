"""One child process: start, request, deadline, kill, exit status. Knows neither pytest nor OpenCL.

One file: the waits, the pipe and the kill of a child are one race, and must be read together.
"""

import contextlib
import ctypes
import json
import os
import secrets
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from runner.drivers import PLACE_VARIABLE
from runner.model import Attempt, Status
from runner.run.deadline import Deadline
from runner.run.launcher import ChildCommand
from runner.run.orphans import kill_group, kill_orphans
from runner.shapes import fits, parse_json
from runner.verdict.last_words import last_words
from runner.verdict.place import add_place

_HEAD_BYTES, _TAIL_BYTES = 64 << 10, 192 << 10
_OUTPUT_LIMIT_BYTES = 1 << 30
_REPLY_LIMIT_BYTES = 16 << 20
_MESSAGE_LIMIT = 64 << 10  # characters: comparisons and searches see no more of it
_POLL_S = 0.1
_GRACE_S = 2.0
_GDB_S = 10.0
_IDLE_S = 20.0  # for a child to come back from its reply
_PR_SET_CHILD_SUBREAPER = 36
_TRACED = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT")  # as ci/crash_place.c


class Stopped(Exception):
    """The run was interrupted while a child was busy."""


class ProtocolError(Exception):
    """A child answered what it was not asked, or sent no message; it is no longer trusted, and has been killed."""


@dataclass(frozen=True, slots=True)
class Death:
    """How a child ended: a signal's name or an exit code, and the reason if the supervisor killed it."""

    signal: str = ""
    exit_code: int | None = None
    reason: str = ""  # "deadline", "memory limit", "output limit"

    @property
    def text(self) -> str:
        """How the child ended, as the beginning of a message: `SIGSEGV`, `exit 10`, `deadline`."""
        return self.reason or self.signal or f"exit {self.exit_code}"


class Supervisor:
    """Owns one child process and the file that its stdout and stderr go to.

    `output` is that file, emptied after every case. `clean` is called on the file before it is cut to the size that is kept,
    and may take parts out of it. `stopped` is called while waiting; once it returns True the child is killed and
    `Stopped` raised.
    """

    def __init__(
        self,
        output: Path,
        rss_limit_bytes: int,
        stopped: Callable[[], bool] = lambda: False,
        clean: Callable[[Path], None] | None = None,
    ) -> None:
        self._output, self._clean = output, clean
        self._rss_limit_bytes = rss_limit_bytes
        self._stopped = stopped
        self._process: subprocess.Popen[bytes] | None = None
        self._traced = False  # the child says where it dies
        self._request_fd = self._reply_fd = -1
        self._buffer = b""
        self._number = 0  # of the present child's last request
        self._token = ""  # random, so that no reply can be prepared
        # Orphans of the child become children of this process, which ends them.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)

    def start(self, plan: Callable[[int, int], ChildCommand], setup: Mapping[str, Any]) -> None:
        """Start the child and send it its set-up; does not wait."""
        request_r, self._request_fd = os.pipe()
        self._reply_fd, reply_w = os.pipe()
        launch = plan(request_r, reply_w)
        self._traced = PLACE_VARIABLE in launch.environment
        try:
            with self._output.open("ab") as stream:
                self._process = subprocess.Popen(
                    launch.argv,
                    env=dict(launch.environment),
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=stream,
                    pass_fds=(request_r, reply_w),
                    start_new_session=True,
                )
        finally:
            os.close(request_r)
            os.close(reply_w)
        self._buffer, self._number = b"", 0
        self._send(setup)

    @property
    def has_child(self) -> bool:
        """True from the child's start until its exit status is known, also if it has died meanwhile."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """The child's process; 0, which no process has, if there is none."""
        return self._process.pid if self._process else 0

    @property
    def alive(self) -> bool:
        """True while the child runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def rss_bytes(self) -> int:
        """The child's resident memory now."""
        fields = self._read_proc("statm").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0

    @property
    def _processor_s(self) -> float:
        """The processor time of all threads of the child so far."""
        fields = self._read_proc("stat").rpartition(b")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    def _read_proc(self, name: str) -> bytes:
        """A file of the child in /proc, read at once; b"" if there is no child."""
        try:
            with Path(f"/proc/{self.pid}/{name}").open("rb", buffering=0) as file:
                return file.read(4096)
        except OSError:
            return b""

    def run(self, request: Mapping[str, Any], timeout_s: float) -> Attempt | Death:
        """Have the child run one case, and return what happened: its reply, or how it died; a Death if that was before
        the case had begun.

        Only the one reply to this very request counts. Anything else on the pipe, before or after it, is an ERROR, and
        the child is killed: its message may belong to another case.
        """
        begun = time.monotonic()
        self._number += 1
        try:
            self._check_silent()
            self._ask(request)
            answer = self.wait_message(max(timeout_s, _IDLE_S))
            if not isinstance(answer, Death):
                self._check_event(answer, "begun")
                answer = self.wait_message(timeout_s)
            elif answer.reason != "deadline" or self._number > 1:  # it has hung since the case before
                return answer
            reply = None if isinstance(answer, Death) else self._parse_reply(answer)
            if reply:
                self._check_silent()
        except ProtocolError as error:
            return Attempt(Status.ERROR, time.monotonic() - begun, f"protocol: {error}", self.take_output())
        duration_s = time.monotonic() - begun
        output = self.take_output()
        if reply:
            return replace(reply, output=output)
        assert isinstance(answer, Death)
        if answer.reason == "deadline":
            return Attempt(Status.TIMEOUT, duration_s, f"deadline: {timeout_s:g} s", output, signal=answer.signal)
        message = self.describe(answer, output)
        return Attempt(Status.CRASH, duration_s, message, output, signal=answer.signal, exit_code=answer.exit_code)

    def wait_message(self, timeout_s: float) -> dict[str, Any] | Death:
        """The child's next message; its Death if it ended, or was killed for time, memory or output.

        The time is the child's own on a busy machine. Raises ProtocolError if it is not a message.
        """
        deadline = Deadline(timeout_s, time.monotonic(), self._processor_s)
        while True:
            if b"\n" in self._buffer:
                line, self._buffer = self._buffer.split(b"\n", 1)
                return self._parse_message(line)
            left_s = deadline.left_s(time.monotonic())
            if self._wait_readable(max(0.0, min(_POLL_S, left_s))):
                chunk = os.read(self._reply_fd, 1 << 16)
                if not chunk:
                    return self._reap("")
                self._buffer += chunk
                if len(self._buffer) > _REPLY_LIMIT_BYTES:
                    self._refuse(f"a message of more than {_REPLY_LIMIT_BYTES >> 20} MiB")
                continue
            if self._stopped():
                self.kill()
                raise Stopped
            if left_s <= 0:
                if not deadline.is_over(time.monotonic(), self._processor_s):
                    continue
                self._dump()
                return self._reap("deadline")
            if self.rss_bytes > self._rss_limit_bytes:
                return self._reap("memory limit")
            with contextlib.suppress(FileNotFoundError):  # deleted: noticed when it is read
                if self._output.stat().st_size > _OUTPUT_LIMIT_BYTES:
                    return self._reap("output limit")

    def settle(self, wait_s: float) -> Death | None:
        """Give an idle child some time to die, once it waits for a case again; returns its Death if it did.

        Raises ProtocolError if it speaks instead.
        """
        if wait_s:
            self._number += 1
            self._check_silent()
            self._ask({})
            answer = self.wait_message(_IDLE_S)
            if isinstance(answer, Death):
                return answer
            self._check_event(answer, "begun")
        if not self._wait_readable(wait_s):
            return None
        self._check_silent()
        message = self.wait_message(0)
        return message if isinstance(message, Death) else None

    def take_output(self) -> str:
        """What the child printed since the last call: the first 64 KiB and the last 192 KiB."""
        try:
            if not self._output.stat().st_size:
                return ""  # as after most cases
        except FileNotFoundError:
            if self._output.parent.exists():
                self.kill()  # its later output would be lost, too
                self._output.touch()
                return "[the file that this output went to was deleted]\n"
        if self._clean:
            self._clean(self._output)
        with self._output.open("r+b") as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(_HEAD_BYTES)
            rest = size - len(head)
            cut = rest - _TAIL_BYTES
            if cut > 0:
                file.seek(-_TAIL_BYTES, os.SEEK_END)
                head += f"\n[... {cut} bytes left out ...]\n".encode()
            tail = file.read(_TAIL_BYTES)
            file.truncate(0)
        return (head + tail).decode("utf-8", "backslashreplace")

    def describe(self, death: Death, output: str) -> str:
        """The message of a crash: how the child ended, its last words, and where that was."""
        words = last_words(output)
        traced = self._traced and death.signal in _TRACED and not death.reason
        return add_place(death.text + (f": {words}" if words else ""), output, traced=traced)

    def kill(self) -> None:
        """Kill the child and all processes that it started."""
        if self._process:
            self._reap("killed")

    def _check_silent(self) -> None:
        """Raise ProtocolError if something lies in the pipe. Its end does not: that is a death, found by a wait."""
        while not self._buffer and self.has_child and self._wait_readable(0):
            chunk = os.read(self._reply_fd, 1 << 16)
            if not chunk:
                return
            self._buffer += chunk
        if self._buffer:
            self._refuse(f"the child spoke unasked, at its request {self._number}: {self._buffer[:200]!r}")

    def _parse_message(self, line: bytes) -> dict[str, Any]:
        try:
            message = parse_json(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or not isinstance(message.get("event"), str):
            self._refuse(f"no message: {line[:200]!r}")
        return message

    def _parse_reply(self, message: Mapping[str, Any]) -> Attempt:
        self._check_event(message, "done")
        text = message.get("message")
        seconds: list[Any] = [message.get(name) for name in ("duration_s", "cpu_s")]
        status = next((s for s in Status if s == message.get("status")), None)
        if status is None or not isinstance(text, str) or not all(fits(one, float) for one in seconds):
            self._refuse(f"no reply: {str(message)[:200]!r}")
        # A lone surrogate, which JSON allows, cannot be encoded in a report.
        text = text[:_MESSAGE_LIMIT].encode("utf-8", "backslashreplace").decode()
        duration_s, cpu_s = map(float, seconds)
        return Attempt(status, duration_s, text, cpu_s=cpu_s)

    def _check_event(self, message: Mapping[str, Any], event: str) -> None:
        number = message.get("number")
        if message["event"] != event or number != self._number or message.get("token") != self._token:
            self._refuse(f"{message['event']!r} for its request {number!r}, where {event!r} of {self._number} was due")

    def _refuse(self, why: str) -> NoReturn:
        self.kill()
        raise ProtocolError(why)

    def _reap(self, reason: str) -> Death:
        assert self._process
        process = self._process
        if reason:
            kill_group(process.pid)
        try:
            code = process.wait(_GRACE_S)  # after an end of file it is dying already
        except subprocess.TimeoutExpired:
            kill_group(process.pid)
            code = process.wait()
        kill_group(process.pid)  # grandchildren in its group, then those that left it
        kill_orphans()
        for fd in (self._request_fd, self._reply_fd):
            os.close(fd)
        self._request_fd = self._reply_fd = -1
        self._process = None
        if code < 0:
            return Death(_signal_name(-code), None, reason)
        return Death("", code, reason)

    def _dump(self) -> None:
        """Have the child write where it hangs: Python's stacks, and gdb's if there is gdb."""
        assert self._process
        pid = self._process.pid
        try:
            os.kill(pid, signal.SIGUSR1)
        except ProcessLookupError:
            return
        if gdb := shutil.which("gdb"):
            with self._output.open("ab") as stream:
                try:
                    command = [gdb, "-p", str(pid), "-batch", "-nx", "-ex", "thread apply all backtrace"]
                    subprocess.run(command, stdout=stream, stderr=stream, stdin=subprocess.DEVNULL, timeout=_GDB_S)
                except subprocess.TimeoutExpired:
                    stream.write(b"gdb gave no backtrace in time\n")
        self._wait_readable(_GRACE_S)

    def _ask(self, request: Mapping[str, Any]) -> None:
        self._token = secrets.token_hex(8)
        self._send({**request, "number": self._number, "token": self._token})

    def _send(self, message: Mapping[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError):  # it is dead, which the wait for its answer will find
            os.write(self._request_fd, json.dumps(message).encode() + b"\n")

    def _wait_readable(self, timeout_s: float) -> bool:
        return bool(select.select([self._reply_fd], [], [], timeout_s)[0])


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
