"""A thousand kills at random, of every kind of process: nothing is lost, nothing is there twice, and every run ends.

`ci/test --nightly tests/run/test_kill_storm.py`; KILLS says another number than 1,000.
"""

import json
import os
import random
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import Mock
from lab import Lab

from runner.records.journal import NAME, read
from runner.run.watchdog import tree

pytestmark = pytest.mark.nightly("tests/run/test_kill.py kills each kind of process at one moment")
_KILLS = int(os.environ.get("KILLS", "1000"))
_END_S = 180.0  # for what was not killed to end
_CAUSES = ("took the run down", "took the worker down", "took the board down", "SIGKILL")
Victims = Callable[[int], dict[str, list[int]]]


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _kinds(pids: list[int]) -> dict[str, list[int]]:
    """Processes by their kind."""
    found: dict[str, list[int]] = {}
    for pid in pids:
        words = _command(pid)
        name = "child" if b"runner.child" in words else "ssh" if words.startswith((b"ssh\0", b"sshd")) else "worker"
        if words:
            found.setdefault(name, []).append(pid)
    return found


def _here(runner: int) -> dict[str, list[int]]:
    return {"runner": [runner], **_kinds(tree(runner)[1:])}


def _results(folder: Path) -> Counter[str]:
    """How often each id has a whole result line."""
    text = (folder / NAME).read_text() if (folder / NAME).exists() else ""
    events = [json.loads(line) for line in text.split("\n")[:-1]]
    return Counter(event["id"] for event in events if event["event"] == "result")


def _storm(mock: Mock, words: list[str], cases: int, kills: int, victims: Victims) -> Counter[str]:
    """Runs, one after the other, each killed and resumed until it has ended; returns how often each kind was killed."""
    seed = random.getrandbits(32)
    print(f"seed {seed}")
    draw = random.Random(seed)
    counts: Counter[str] = Counter()
    while counts.total() < kills:
        shutil.rmtree(mock.results, ignore_errors=True)
        before: Counter[str] = Counter()
        code: int | None = None
        while code not in (0, 1) or not read(mock.results).finished:
            begun = before or ((mock.results / NAME).exists() and b"\n" in (mock.results / NAME).read_bytes())
            process = mock.start(*words, *(["--resume"] if begun else []))
            while counts.total() < kills:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(draw.uniform(0, 2))  # a child takes a while to come up
                if process.poll() is not None:
                    break
                kinds = victims(process.pid)
                if len(kinds) == 1:
                    continue  # it has only begun
                kind = draw.choice([*sorted(kinds.keys() - {"runner"}) * 3, "runner"])
                with suppress(ProcessLookupError):
                    os.kill(draw.choice(kinds[kind]), signal.SIGKILL)
                    counts[kind] += 1
                if kind == "runner":
                    break
            output, _ = process.communicate(timeout=_END_S)
            code = process.returncode
            after = _results(mock.results)
            assert code in (0, 1, 3, -signal.SIGKILL), output
            assert not before - after, f"lost: {before - after}\n{output}"
            assert set(after.values()) <= {1}, f"twice: {after}\n{output}"
            before = after
        rows = mock.rows()
        assert len(rows) == cases, output
        assert set(rows.values()) <= {"Pass", "Flake", "Crash"}, Counter(rows.values())
        reds = [a for i, r in read(mock.results).results.items() if rows[i] == "Crash" for a in r.attempts]
        assert all(a.message.startswith(_CAUSES) for a in reds if a.status == "Crash"), output
        assert code == int("Crash" in rows.values()), output
    return counts


def test_random_kills_on_one_machine_lose_nothing_and_double_nothing(mock: Mock) -> None:
    mock.environment = {"MOCK_SLEEP": "400"}
    counts = _storm(mock, ["-j", "4", "-t", "mock/sleep/*"], 400, _KILLS - _KILLS // 10, _here)
    print(dict(counts))
    assert counts.keys() == {"runner", "worker", "child"} or _KILLS < 100


def test_random_kills_on_boards_lose_nothing_and_double_nothing(lab: Lab, host: Mock) -> None:
    def everywhere(runner: int) -> dict[str, list[int]]:
        boards = [p for board in lab.boards if board.process for p in tree(board.process.pid)[1:]]
        return {"runner": [runner], **_kinds([*tree(runner)[1:], *boards])}

    counts = _storm(host, [*lab.on, "-t", "mock/sleep/*"], 60, _KILLS // 10, everywhere)
    print(dict(counts))
    assert counts.keys() == {"runner", "worker", "child", "ssh"} or _KILLS < 1000
