"""piglit's own programs: each runs in a separate process, in the child's group, and prints its result on stdout."""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runner import check
from runner.check import Mismatch, Unsupported
from runner.device import Device
from runner.program import run_program
from runner.sources import PIGLIT_VARIABLE

_REASONS = (
    re.compile(r"^Failed\b"),
    re.compile(r"Unexpected|: failed\b|FAIL\b|Could not"),
    re.compile(r"^# *Skipping|Error|require"),
)
_GREEN = ("pass", "warn")  # the same words as in deqp-runner


@dataclass(frozen=True, slots=True)
class PiglitResult:
    """What a program reported for itself and for each subtest: one of piglit's words, or "" for none."""

    result: str
    subtests: dict[str, str]
    reason: str  # the most informative line of a failure


_last: tuple[tuple[str, ...], PiglitResult, set[str]] | None = None  # the last program, its report, and who still needs it


def check_binary(_: Device, *, command: Sequence[str]) -> None:
    """The program passes."""
    report = _result_for(tuple(command), "")
    _judge(report.result, report)


def check_subtest(_: Device, *, command: Sequence[str], subtest: str) -> None:
    """One subtest passes."""
    report = _result_for(tuple(command), subtest)
    if subtest not in report.subtests:
        raise Unsupported(f"piglit: it reports no such subtest: {report.result}")
    _judge(report.subtests[subtest], report)


def _judge(word: str, report: PiglitResult) -> None:
    if word == "skip":
        raise Unsupported(f"piglit: {report.reason or 'skip'}")
    if word not in _GREEN:
        raise Mismatch(f"api: {word or 'no result'}: {report.reason or 'no reason is printed'}")
    check.true(f"piglit says {word}", True, stage="api")


def _result_for(command: tuple[str, ...], who: str) -> PiglitResult:
    """One execution serves the test and each of its subtests once; a case that asks again runs it again."""
    global _last
    if not _last or _last[0] != command or who in _last[2]:
        _last = None
        _last = command, run_binary(Path(os.environ[PIGLIT_VARIABLE]), command), set()
    _last[2].add(who)
    return _last[1]


def run_binary(folder: Path, command: Sequence[str]) -> PiglitResult:
    """Run one of piglit's programs, and read its output. If a signal kills it, this process is killed by it too."""
    own = [os.environ.get("LD_LIBRARY_PATH", ""), str(folder / "lib")]
    environment = {"LD_LIBRARY_PATH": ":".join(filter(None, own)), "PIGLIT_SOURCE_DIR": str(folder)}
    words = [str(folder / "bin" / command[0]), *command[1:]]
    done = run_program(words, folder, environment)
    return read_result(done.output, done.errors)


def read_result(text: str, errors: str = "") -> PiglitResult:
    """The report in a program's output: the lines `PIGLIT: {...}` of its stdout."""
    result, subtests = "", dict[str, str]()
    for line in text.splitlines():
        if not line.startswith("PIGLIT:"):
            continue
        try:
            report = json.loads(line.removeprefix("PIGLIT:"))
        except (ValueError, RecursionError):
            continue
        if not isinstance(report, dict):
            continue
        result = str(report.get("result", result))
        own = report.get("subtest", {})
        subtests |= {name: str(word) for name, word in own.items()} if isinstance(own, dict) else {}
    lines = [line.strip() for line in (*errors.splitlines(), *text.splitlines())]
    saying = (line for pattern in _REASONS for line in lines if pattern.search(line))
    return PiglitResult(result, subtests, next(saying, "")[:200])
