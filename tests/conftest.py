"""The tool's own tests drive the real command on the mock suite, whose cases really crash, hang and flake."""

import contextlib
import csv
import io
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import forked
import pytest

from runner.cli import main
from runner.model import DeviceReport
from runner.run.launcher import plan_launch
from runner.run.start_cache import StartCache
from runner.run_config import RunConfig

# Fixtures of several modules.
pytest_plugins = ("distribution", "emulated_gpus", "expect_files", "expect_tree", "gitlab_project", "lab", "pages")

ROOT = Path(__file__).parent.parent
MOCK = ROOT / "tests/mock"
_COMMAND = [sys.executable, "-m", "runner.cli"]
_NOT_INHERITED = ("CI", "GITLAB", "PYTEST", "MOCK")  # of the job in which the tests run
# Commands that look at files, and do not need a process of their own. (`changes` does: a suite is imported once in
# a process, and its tests change one.)
READERS = frozenset({"diff", "expect", "export", "flakes", "history", "html", "junit", "list", "merge", "report", "summary"})


@dataclass
class Mock:
    """The mock suite with a results folder and expectations of its own."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def results(self) -> Path:
        return self.folder / "results"

    def expect(self, kind: str, text: str) -> Path:
        """Write expectations/mock/mock-<kind>.txt."""
        path = self.folder / f"expectations/mock/mock-{kind}.txt"
        path.write_text(text, encoding="utf-8")
        return path

    def command(self, *words: str) -> list[str]:
        own = [
            "--driver=mock",
            f"--registry={MOCK / 'drivers.yaml'}",
            f"--suites={MOCK / 'suites'}",
            f"--expectations={self.folder / 'expectations'}",
            f"--results={self.results}",
        ]
        return [*_COMMAND, *own, *_one_worker(words), *words]

    def start(self, *words: str) -> subprocess.Popen[str] | forked.Started:
        """Start a run in a session of its own, its output in one file or pipe."""
        if forked.is_enough(self._environment()):
            return forked.Started(self.command(*words)[len(_COMMAND) :], self.folder, self._environment())
        return subprocess.Popen(
            self.command(*words),
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            cwd=self.folder,
        )

    def release(self) -> None:
        """Let the cases that MOCK_HOLD stops go on."""
        (self.folder / "state").mkdir(exist_ok=True)
        (self.folder / "state/go").touch()

    def run(self, *words: str, timeout_s: float = 120) -> tuple[int, str]:
        """Run to the end; returns the exit code and all output."""
        return forked.finish(self.start(*words), timeout_s)

    def cli(self, *words: str) -> tuple[int, str]:
        """A command other than a run, or one of tools/ (`tools.deqp`); one that only reads files in this process."""
        if words[0] in READERS:
            return call(words, self.folder, self._environment())
        if words[0] == "run" or words[0].startswith("-"):
            words = (*words, *_one_worker(words))
        own = [sys.executable, "-m"] if words[0].startswith("tools.") else _COMMAND
        if own is _COMMAND and forked.is_enough(self._environment()):
            return forked.call(words, self.folder, self._environment())
        command = [*own, *words]
        done = subprocess.run(command, env=self._environment(), capture_output=True, text=True, cwd=self.folder)
        return done.returncode, done.stdout + done.stderr

    def rows(self) -> dict[str, str]:
        """results.csv as {id: verdict}."""
        with (self.results / "results.csv").open(newline="") as file:
            return {name: status for name, status, _ in csv.reader(file)}

    def _environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(_NOT_INHERITED)}
        return {**kept, "PYTHONPATH": str(ROOT), "MOCK_STATE": str(self.folder / "state"), **self.environment}


def _one_worker(words: Sequence[str]) -> list[str]:
    """For a run that says nothing else: a second worker is a second of CPU, and three if its child parses libclc."""
    return [] if any(word.startswith(("-j", "--on", "--resume")) for word in words) else ["-j1"]


def call(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """A command that reads files, in this process, as it would run in that folder with only those variables."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment)
    try:
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stdout(io.StringIO()) as output,
            contextlib.redirect_stderr(io.StringIO()) as errors,
        ):
            code = main(words)
    finally:
        os.environ.clear()
        os.environ.update(before)
    return code, output.getvalue() + errors.getvalue()


@pytest.fixture
def mock(tmp_path: Path) -> Mock:
    return make_mock(tmp_path)


def make_mock(folder: Path) -> Mock:
    """The mock suite in a folder, which is made if it is missing."""
    (folder / "expectations/mock").mkdir(parents=True)
    return Mock(folder)


Command = Callable[..., tuple[int, str]]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process, in an empty folder, if it ends before it starts another process."""
    monkeypatch.chdir(tmp_path)
    for name in os.environ:
        if name.startswith(_NOT_INHERITED):
            monkeypatch.delenv(name)

    def run(*words: str) -> tuple[int, str]:
        code = main(words)
        output, errors = capfd.readouterr()
        return code, output + errors

    return run


@pytest.fixture
def wait_until() -> Callable[[Callable[[], bool], float], None]:
    """Wait until a condition holds; fail if it does not within the limit."""
    import time

    def wait(condition: Callable[[], bool], limit_s: float) -> None:
        deadline = time.monotonic() + limit_s
        while not condition():
            assert time.monotonic() < deadline, "it did not happen in time"
            time.sleep(0.02)

    return wait


def opencl_environment(folder: Path, driver: str = "llvmpipe") -> dict[str, str]:
    """The variables of a driver's child, its caches below `folder`, with what runs have kept of a start-up: nine tenths
    of the time of a program that does little.
    """
    cache = folder / "cache"
    environment = plan_launch(RunConfig(driver)).environment(cache)
    start = StartCache(folder, environment, cache)
    if start.claim():
        start.fill()
        start.release()
    return environment


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, DeviceReport]:
    """llvmpipe, opened as a child opens it."""
    environment = opencl_environment(tmp_path_factory.mktemp("opened"))
    del environment["XDG_CACHE_HOME"]  # by which the programs that later tests start find the project's cache folder
    os.environ.update(environment)
    from runner.child.probe import open_device

    device, report = open_device(None)
    return device, DeviceReport.from_json(report)
