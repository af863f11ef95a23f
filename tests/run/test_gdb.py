"""`runner run-case --gdb` without gdb, as in the roots: a debugger attaches from outside."""

import ctypes
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MOCK, ROOT

_PTRACE_SEIZE = 0x4206
_WORDS = ["run-case", "--driver=mock", f"--registry={MOCK / 'drivers.yaml'}", f"--suites={MOCK / 'suites'}", "--gdb"]
_COMMAND = [sys.executable, "-m", "runner.cli", *_WORDS, "mock/basic/fail"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """That of a root, with no gdb in reach."""
    (tmp_path / "bin").mkdir()
    for name in ("sh", "env"):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    own = {"PATH": str(tmp_path / "bin"), "RUNNER_ROOT_PACKAGES": "/packages.txt", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **own, "MOCK_STATE": str(tmp_path)}


@pytest.mark.slow
def test_without_gdb_and_a_terminal_it_says_what_to_install(environment: dict[str, str]) -> None:
    done = subprocess.run(_COMMAND, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert "--gdb: there is no gdb here; install the package gdb" in done.stderr


@pytest.mark.slow
def test_on_a_terminal_the_case_begins_when_a_debugger_has_attached(environment: dict[str, str]) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(_COMMAND, env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        output = _read_until(ours, rb"gdb -p \d+ -ex 'set sysroot /proc/\d+/root'\s+.*when gdb has attached")
        pid = int(re.findall(rb"gdb -p (\d+)", output)[0])
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.ptrace(_PTRACE_SEIZE, pid, None, None) == 0, os.strerror(ctypes.get_errno())
        # The case ends its process, whose tracer hears of it before its parent.
        os.waitpid(pid, 0)
        output = _read_until(ours, b"Fail after .*\n")
        assert b"value: mock: got 1 want 2" in output
    assert process.returncode == 1


def _read_until(fd: int, pattern: bytes) -> bytes:
    data = b""
    while not re.search(pattern, data):
        data += os.read(fd, 4096)
    return data


def _behind(prefix: str, case: str, environment: dict[str, str]) -> tuple[int, str]:
    words = [*_COMMAND[:3], *_WORDS[:-1], f"--prefix={prefix}", f"mock/basic/{case}"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_a_case_runs_under_a_command_whose_end_counts_too(environment: dict[str, str]) -> None:
    code, output = _behind("env MOCK_ANY=1", "pass", environment)
    assert (code, "Pass after" in output) == (0, True), output
    code, output = _behind("env MOCK_ANY=1", "fail", environment)
    assert (code, "Fail after" in output) == (1, True), output
    code, output = _behind("""sh -c '"$@"; exit 9' name""", "pass", environment)
    assert code == 1, output
    assert "mock/basic/pass: under sh the process ended with 9" in output
    code, output = _behind("nowhere", "pass", environment)
    assert code == 2, output
    assert "--prefix nowhere: there is no such command here" in output
