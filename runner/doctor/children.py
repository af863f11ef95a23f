"""Questions that load a driver, each asked in a process of its own, all at once; none can hang or kill the doctor."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from runner.doctor.probes import PROCESSOR_LIMIT_S

_POLL_S = 0.02
_LOOK_S = 0.1
_IDLE_S = 0.5  # a child that is idle this long waits for something that will not come
_LIMIT_S = 2.0 * PROCESSOR_LIMIT_S  # should neither rule hold; longer if more children than processors share them


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a child: the arguments of runner.doctor.probes, and variables beside the doctor's own.

    An `optional` answer is not waited for once all others have come, even if the child works.
    """

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply, or how the child ended without one; and the last lines that it printed."""

    reply: Any = None
    died: str = ""
    output: str = ""


class _Child:
    def __init__(self, question: Question) -> None:
        # Files, not pipes: a driver may print more than a pipe holds, to standard output too.
        self.reply: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self.output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self.begun = time.monotonic()
        self.work, self.busy_at = -1, self.begun
        number = self.reply.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "runner.doctor.probes", str(number), *question.words],
            env={**os.environ, **question.environment},
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.output,
            pass_fds=(number,),
            start_new_session=True,
        )

    def look(self, now: float, groups: Mapping[int, tuple[int, bool]]) -> None:
        """Note whether the child, or a compiler that it started, has worked since the last look."""
        work, waits = groups.get(self.process.pid, (0, True))
        if work != self.work or not waits:
            self.work, self.busy_at = work, now

    def answer(self, died: str) -> Answer:
        self.output.seek(0, os.SEEK_END)
        self.output.seek(max(0, self.output.tell() - 4096))
        output = self.output.read().decode(errors="replace").strip()
        self.reply.seek(0)
        text = self.reply.read()
        if text and not died:
            return Answer(json.loads(text), "", output)
        return Answer(None, died or _death(self.process.returncode), output)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):  # the kernel may hold it: it is left behind
            self.process.wait(0.1)


def ask(questions: Mapping[str, Question], idle_limit_s: float = 1.2) -> dict[str, Answer]:
    """Ask all questions at once.

    A child that waits for something, and does not work, is given up after `idle_limit_s`. One that works, as on a slow
    or a loaded machine, has PROCESSOR_LIMIT_S of processor time.
    """
    children = {name: _Child(question) for name, question in questions.items()}
    limit_s = _LIMIT_S * max(1.0, len(children) / (os.cpu_count() or 1))
    answers: dict[str, Answer] = {}
    needed = {name for name, question in questions.items() if not question.optional}
    begun, looked_at = time.monotonic(), 0.0
    try:
        while len(answers) < len(children):
            time.sleep(_POLL_S)
            now = time.monotonic()
            groups = None
            if now - max(looked_at, begun + idle_limit_s - _IDLE_S) >= _LOOK_S:
                groups, looked_at = _process_groups({child.process.pid for child in children.values()}), now
            for name, child in children.items():
                if name in answers:
                    continue
                if child.process.poll() is not None:
                    answers[name] = child.answer("")
                    continue
                if groups is not None:
                    child.look(now, groups)
                age = now - child.begun
                # Starting the others may take longer than the limit: a child that was never looked at is not idle.
                idle = child.work >= 0 and now - child.busy_at >= _IDLE_S
                stuck = idle or (questions[name].optional and needed <= answers.keys())
                if (age >= idle_limit_s and stuck) or age >= limit_s:
                    child.kill()
                    answers[name] = child.answer(f"gives no answer within {age:.1f} s{' (hangs)' * idle}")
    finally:
        for child in children.values():
            child.kill()
            child.reply.close()
            child.output.close()
    return answers


def _process_groups(wanted: Set[int]) -> dict[int, tuple[int, bool]]:
    """Of each process group the processor time, in ticks, and whether all threads of it wait."""
    groups: dict[int, tuple[int, bool]] = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            fields = _stat(process)
            if (group := int(fields[2])) in wanted:
                work, waits = groups.get(group, (0, True))
                # If processors are short, a thread that could run may wait long for one.
                waits = waits and all(_stat(thread)[0] not in "RD" for thread in process.glob("task/*"))
                groups[group] = (work + int(fields[11]) + int(fields[12]), waits)
    return groups


def _stat(folder: Path) -> list[str]:
    """The fields after the name: state, parent, group, ..., user and system time at 11 and 12."""
    return (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()


def last_words(answer: Answer, lines: int = 1) -> str:
    """The last lines that a child printed."""
    return " | ".join(answer.output.splitlines()[-lines:])


def _death(code: int) -> str:
    if code == -signal.SIGXCPU:
        return f"gives no answer within {PROCESSOR_LIMIT_S} s of processor time"
    if code < 0:
        try:
            return f"dies of {signal.Signals(-code).name}"
        except ValueError:
            return f"dies of signal {-code}"
    return f"ends with exit code {code} and no answer"
