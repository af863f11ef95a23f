"""The one importer of pytest and xdist: they distribute the cases, and never touch a driver.

A run (`runner --driver ...`) calls `run_session` with a run file that names its configuration and its
cases; each xdist worker owns a `Worker` with a warm child, and sends one report an item. Plain
`pytest suites -k sin -n 2` works too, with --driver (default: llvmpipe), and keeps no journal.

One file: nothing else imports pytest.
"""

from __future__ import annotations

import faulthandler
import json
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from runner import ROOT
from runner.boards.address import host_of
from runner.cases.catalogue import Suite, load_header, load_suite
from runner.child.parent import die_with_parent
from runner.expectations.resolution import skip_reason
from runner.lines import plain
from runner.model import Case, InfrastructureError, Result, UsageError, Verdict
from runner.run.board_gate import hold_board, open_run
from runner.run.case_report import CaseReport
from runner.run.scheduling import GroupScheduling
from runner.run.supervisor import Stopped
from runner.run.watchdog import STACKS
from runner.run.worker import Worker
from runner.run_config import OPTIONS, RunConfig
from runner.verdict.judge import judge

# Undocumented names of xdist; tests/run/test_xdist.py looks for each of them.
XDIST_SESSION, XDIST_WORKER = "dsession", "WorkerInteractor"

# pytest's plugins for tests in Python, and for its own output: without them a run begins and ends sooner.
UNUSED_PLUGINS = (
    *("assertion", "cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging"),
    *("monkeypatch", "pastebin", "python", "recwarn", "setuponly", "setupplan", "skipping", "stepwise", "subtests"),
    *("terminal", "threadexception", "tmpdir", "unittest", "unraisableexception", "warnings"),
)


class Controller(Protocol):
    """The events of which the controlling process of a run is notified."""

    def pytest_runtest_logstart(self, nodeid: str) -> None: ...
    def pytest_runtest_logreport(self, report: Any) -> None: ...


def run_session(run_file: Path, folder: Path, suites: Iterable[str], jobs: int, controller: Controller) -> str:
    """Run the cases of a run file, which are of these suites, on `jobs` workers, until they are finished, lost, or stopped.

    Returns an error of the test suite itself, or "".
    """
    return _run_pytest(
        [
            f"--rootdir={folder}",
            f"--run-file={run_file}",
            "-n",
            str(jobs),
            "--max-worker-restart=1000",
            *(str(folder / suite / "suite.yaml") for suite in suites),
        ],
        controller,
    )


def run_on_boards(specifications: Sequence[str], controller: Controller) -> str:
    """As `run_session`, on boards: by xdist's specifications, and a controller that sends each worker its run.

    If a board goes away, the others finish what they have, and the session ends. xdist would start the lost worker again,
    and abort everything if that fails.
    """
    # Paths are the board's, below the folder that its specification names; a word that is a path here, too, is refused.
    words = ["--rootdir=.", "--override-ini=testpaths=suites", "--dist=load", "--max-worker-restart=0"]
    return _run_pytest([*words, *(f"--tx={word}" for word in specifications)], controller)


def _run_pytest(words: Sequence[str], controller: Controller) -> str:
    plugins = ("xdist.plugin", "runner.run.pytest_plugin", *(f"no:{name}" for name in UNUSED_PLUGINS))
    own = [f"--config-file={os.devnull}", "--noconftest", "--import-mode=importlib"]
    code = pytest.main([*(word for plugin in plugins for word in ("-p", plugin)), *own, *words], plugins=[controller])
    broken = code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR)
    return f"pytest ended with {code!r}" if broken else ""


def stop_session(config: pytest.Config, why: str) -> None:
    """End the running session now; its workers kill what they run. May be called by a signal's handler."""
    session = config.pluginmanager.getplugin(XDIST_SESSION)
    session.shouldstop = why
    session._max_worker_restart = 0  # no worker that dies from now on is replaced
    if session.nodemanager:
        # Workers here look for a file. In a thread, because the signal may have come in the middle of a write.
        boards = [gateway for gateway in session.nodemanager.group if not gateway.spec.popen]
        threading.Thread(target=lambda: [gateway.exit() for gateway in boards]).start()


def pytest_addoption(parser: pytest.Parser) -> None:
    """pytest's hook: the options of a plain `pytest suites`, and the run file of a run."""
    group = parser.getgroup("runner")
    group.addoption("--run-file", help="internal: the configuration and the ids of a run")
    group.addoption("--driver", default="llvmpipe", help="the driver under test, for a plain `pytest suites`")
    group.addoption("--registry", default="", help=f"{OPTIONS['registry'].help}, likewise")


def pytest_configure(config: pytest.Config) -> None:
    """pytest's hook: makes a worker in the processes that run cases."""
    if hasattr(config, "workerinput"):
        # A worker whose controller was killed must not go on, nor leave a child behind.
        die_with_parent()
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(_WorkerSide(config), "runner-worker")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """pytest's hook: collects each suite.yaml."""
    # Only if pytest was asked for it: `pytest tests` must not run the suites that the tests run.
    folder = parent.config.invocation_params.dir
    asked = {Path(os.path.normpath(folder / word)) for word in parent.config.args}
    if file_path.name != "suite.yaml" or not asked & {file_path, file_path.parent, file_path.parent.parent}:
        return None
    return SuiteFile.from_parent(parent, path=file_path)


@pytest.hookimpl(optionalhook=True)  # unknown under -p no:xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling:
    """xdist's hook: cases of one group go to one worker."""
    return GroupScheduling(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """xdist's hook: it must not copy files to boards, which have their own pytest."""
    # Boards have their own pytest; xdist would copy this one there, file by file.
    config.pluginmanager.getplugin(XDIST_SESSION).nodemanager.roots = []


class SuiteFile(pytest.File):
    """A suite.yaml; collects the cases of its suite that the run selected."""

    def collect(self) -> Iterator[CaseItem]:
        """The items of the selected cases."""
        side = self.config.pluginmanager.getplugin("runner-worker")
        ids = side.ids
        if side.cases is None:
            suite, cases = load_suite(self.path.parent)
        else:
            suite, cases = load_header(self.path), side.cases
            cases = [case for case in cases if case.id.startswith(f"{suite.name}/")]
        place = (str(self.path), None, suite.name)
        for case in cases:
            if case.id in ids if ids is not None else side.config.tier.includes(case.tier):
                yield CaseItem.from_parent(self, name=case.id, case=case, suite=suite, place=place)


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, suite: Suite, place: tuple[str, None, str], **kwargs: Any) -> None:
        super().__init__(nodeid=scoped_nodeid(kwargs["parent"].nodeid, case), **kwargs)
        self.case, self.suite = case, suite
        self.location = place  # computed again for every item otherwise

    def runtest(self) -> None:
        """Not called: `pytest_runtest_protocol` of the worker runs the case."""
        raise NotImplementedError("pytest_runtest_protocol runs it")


def scoped_nodeid(parent: str, case: Case) -> str:
    """`.../suite.yaml::<id>`, followed by `@<group>` if the case has one, for the scheduler."""
    return f"{parent}::{case.id}" + (f"@{case.group}" if case.group else "")


def id_of(nodeid: str) -> str:
    """The id of the case that a pytest node id stands for."""
    return nodeid.split("::", 1)[1].split("@", 1)[0]


class _WorkerSide:
    """The plugin of a process that runs cases: an xdist worker, or pytest itself without -n."""

    def __init__(self, config: pytest.Config) -> None:
        worker_input = getattr(config, "workerinput", {})
        name = worker_input.get("workerid", "w0")
        run_file = config.getoption("run_file")
        self.ids: frozenset[str] | None = None
        self.cases: list[Case] | None = None  # as the controller has them, so that no worker loads the catalogue again
        self._own_scratch: Path | None = None
        self._board = host_of(name) if "run" in worker_input else ""
        self._files: dict[Path, str] | None = None
        self._stopped: Callable[[], bool] = lambda: False
        if self._board:
            request = json.loads(worker_input["run"])
            hold_board(request["run"])
            self.config, self._files, scratch = open_run(request, worker_input["testrunuid"])
            self.ids = frozenset(request["ids"])
            self._stopped = lambda: _is_cut(config)
        elif run_file:
            data = json.loads(Path(run_file).read_text(encoding="utf-8"))
            self.config = RunConfig.from_json(data["config"])
            self.cases = [Case(**{**case, "requires": tuple(case["requires"])}) for case in data["cases"]]
            self.ids = frozenset(case.id for case in self.cases)
            scratch = Path(run_file).parent
        else:
            self.config = RunConfig(
                config.getoption("driver"), registry=config.getoption("registry"), expectations=str(ROOT / "expectations")
            )
            scratch = self._own_scratch = Path(tempfile.mkdtemp(prefix="runner-"))
        self._name, self._scratch = name, scratch
        (scratch / name).mkdir(parents=True, exist_ok=True)
        # Never closed: the watchdog asks a worker for its stacks by this signal.
        stacks = os.open(scratch / name / STACKS, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC)
        faulthandler.register(signal.SIGUSR1, stacks, all_threads=True)
        self._worker: Worker | None = None
        self._device_sent = False
        if self.ids is not None:
            self._worker_once()  # its child comes up while pytest collects

    def _worker_once(self) -> tuple[Worker | None, str]:
        """The worker with a started child, or why there is none."""
        if not self._worker:
            worker = Worker(self.config, self._scratch, self._name, files=self._files, stopped=self._stopped)
            worker.mark_busy()
            try:
                worker.start(wait=False)
            except InfrastructureError as error:
                worker.stop()
                return None, str(error)
            self._worker = worker
        return self._worker, ""

    def pytest_sessionfinish(self) -> None:
        if self._worker:
            self._worker.stop()
        if self._own_scratch:
            shutil.rmtree(self._own_scratch, ignore_errors=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        if not isinstance(item, CaseItem):
            return None
        hook = item.ihook
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        outcome, text, case_report = self._run(item, last=nextitem is None)
        if self._worker:
            self._worker.mark_idle()
        report = pytest.TestReport(
            item.nodeid,
            item.location,
            keywords={},
            outcome=outcome,
            longrepr=self._longrepr(item, outcome, text),
            when="call",
        )
        vars(report)["runner"] = case_report.to_json()
        hook.pytest_runtest_logreport(report=report)
        if self.ids is None:  # the controller of a run does not listen to it
            hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if case_report.refusal:  # the next case would be refused, too; else the controller waits until each has tried
            item.session.shouldstop = case_report.refusal
        if self._board and case_report.refusal:
            self.pytest_sessionfinish()
            os._exit(1)  # a board without its device counts as one that went away: others take its cases
        return True

    def _run(self, item: CaseItem, last: bool) -> tuple[Any, str, CaseReport]:
        """pytest's outcome, a text for people, and the report for the controller."""
        worker, refusal = self._worker_once()
        if worker:
            try:
                worker.mark_busy()
                worker.ensure_ready()
                expectations = worker.expectations
                assert expectations
                first = CaseReport()
                if not self._device_sent:
                    first = CaseReport(worker.report, files=worker.inventory.files if worker.inventory else {})
                self._device_sent = True
                if reason := skip_reason(item.case.id, expectations, self.config.tier):
                    if last:
                        worker.settle()
                    return "skipped", reason, replace(first, skipped=reason, late=self._placed(worker.take_late()))
                result = worker.run(item.suite, item.case, expectations.find(item.case.id), last=last)
                own = replace(first, result=self._placed(result), late=self._placed(worker.take_late()))
                kernels, evidence = tuple(worker.take_kernels()), worker.take_evidence()
                return (*_outcome(result, worker), replace(own, kernels=kernels, evidence=evidence))
            except (InfrastructureError, UsageError) as error:
                refusal = str(error)
            except OSError as error:  # the disk is full, or the results directory has been deleted
                refusal = f"{error.filename or self._scratch}: {error.strerror}; see to the disk, then run again"
            except Stopped:
                refusal = "stopped"
        late = self._placed(worker.take_late()) if worker else None
        return "failed", refusal, CaseReport(refusal=refusal or "no reason was given", late=late)

    def _placed(self, result: Result | None) -> Result | None:
        """A result with the board that it came from."""
        if not result or not self._board:
            return result
        return replace(result, attempts=tuple(replace(a, board=self._board) for a in result.attempts))

    def _longrepr(self, item: CaseItem, outcome: str, text: str) -> Any:
        if outcome == "skipped":
            return (item.location[0], 0, plain(text))
        return plain(text) if text and self.ids is None else None  # in a run, the controller has the whole result


def _is_cut(config: pytest.Config) -> bool:
    """True on a board once the host has ended the run, or the connection is lost."""
    # xdist's own plugin in the worker; with only execnet the case would go on for seconds.
    interactor = next(p for p in config.pluginmanager.get_plugins() if type(p).__name__ == XDIST_WORKER)
    try:
        interactor.channel.waitclose(0)
    except interactor.channel.TimeoutError:
        return False
    except Exception:  # the host's error, or that of the connection
        return True
    return True


def _outcome(result: Result, worker: Worker) -> tuple[str, str]:
    assert worker.expectations
    judgement = judge(result, worker.expectations.find(result.id), worker.expectations.floor)
    if judgement.verdict in (Verdict.PASS, Verdict.FLAKE, Verdict.KNOWN_FLAKE):
        return "passed", ""
    if judgement.verdict in (Verdict.SKIP, Verdict.EXPECTED_FAIL):
        return "skipped", f"{judgement.verdict}: {judgement.message}"
    return "failed", f"{judgement.verdict}: {judgement.message}\n{result.attempts[-1].output}".rstrip()
