"""The controlling process of a run: receives results from the workers, writes the journal, shows progress, decides when to
stop.

One file: everything that reaches the journal, and its order, is decided here.
"""

import contextlib
import json
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from runner.boards.address import host_of
from runner.boards.fleet import Boards
from runner.compiler_stats import listing
from runner.drivers.registry import expectations_of
from runner.expectations.resolution import Expectations
from runner.lines import one_line
from runner.model import Attempt, Case, DeviceReport, How, InfrastructureError, Result, Status, UsageError, Verdict
from runner.output.files import write_text
from runner.output.terminal import Progress, describe, section
from runner.records.emulated import Totals, add_up, read_files
from runner.records.evidence import MOST_BYTES, MOST_RUN_BYTES, evidence_path
from runner.records.journal import DEATHS, Journal
from runner.run.case_report import CaseReport
from runner.run.deadline import STARVED
from runner.run.inventory import difference
from runner.run.launcher import STATISTICS_NAME
from runner.run.pytest_plugin import id_of, run_on_boards, run_session, stop_session
from runner.run.scheduling import in_order
from runner.run.watchdog import LOG, Watchdog, limit_s
from runner.run.worker import START_S
from runner.run_config import RunConfig
from runner.verdict.judge import FLAKE_ATTEMPTS, judge


class Session:
    """Runs cases until they are finished, or the run ends early. A plugin of the controlling pytest."""

    def __init__(
        self,
        config: RunConfig,
        folder: Path,
        journal: Journal,
        ids: Sequence[str],
        cases: Mapping[str, Case],
        suspects: Sequence[str] = (),
        device: DeviceReport | None = None,
    ) -> None:
        """`cases` has the cases of all these ids. `suspects` were running when an earlier part of this run died;
        `device` is the one that that part tested.
        """
        self._config, self._journal, self._folder = config, journal, folder
        self._scratch = self._batch = folder / "scratch"
        self._ids, self._suspects, self._cases = list(ids), list(suspects), cases
        self._device = device
        self._files: dict[str, dict[str, str]] = {}  # by host, the files of its workers' first children
        self._expectations: Expectations | None = None
        self._progress = Progress(len(self._ids))
        self._done: set[str] = set()
        self._red = self._evidence_bytes = 0
        self.emulated: Totals = {}
        self._statistics = Journal(folder / listing.NAME) if config.stats else None
        self._stopped = ""
        self._error: InfrastructureError | UsageError | None = None
        self._pytest: Any = None
        self._boards = Boards(config) if config.on else None
        self._board_run = ""  # the run as their workers get it
        # A board reports only whole results, a worker here each attempt.
        attempts = FLAKE_ATTEMPTS if config.on else 1
        deadline_s = max((cases[i].timeout_s or 0 for i in ids), default=0)
        self._silence_s = limit_s(deadline_s, STARVED, START_S, config.timeout_factor, attempts)
        self._watchdog: Watchdog | None = None
        self._running: set[str] = set()
        self._died_early = False
        self._deaths = Counter(suspects)  # how often a worker or a board went away while a case was running
        self._refused: set[str] = set()

    def run(self) -> str:
        """Run everything; returns why it ended early, or "".

        Raises InfrastructureError if the disk refuses, UsageError for a bad expectation file.
        """
        with (
            _interrupts(lambda: self._stop("interrupted")),
            section("Cases", sys.stderr),
            self._statistics or contextlib.nullcontext(),
        ):
            if self._boards:
                self._run_on_boards(self._boards)
            else:
                self._progress.note(f"opening {self._config.driver}...")
                self._run_here()
        if not self._stopped and (left := len(self._ids) - len(self._done)):
            self._stop(f"harness: no worker lived long enough to bring the results of {left} cases")
        self._progress.finish()
        shutil.rmtree(self._scratch, ignore_errors=True)
        if self._error:
            raise self._error
        return self._stopped

    def _run_here(self) -> None:
        self._run_batch([i for i in self._ids if i not in self._suspects], self._config.jobs)
        self._run_batch(self._suspects, 1)  # they may take the machine down: last, one at a time
        fruitless = 0
        while not self._stopped and (lost := [i for i in self._ids if i not in self._done]) and fruitless < 2:
            done = len(self._done)
            self._run_batch(lost, self._config.jobs)  # lost with a worker
            fruitless = 0 if len(self._done) > done else fruitless + 1

    def _run_on_boards(self, boards: Boards) -> None:
        """Run on all boards, and again on those that are left, until nothing is left to run, or no board."""
        fruitless = 0
        while not self._stopped and (left := [i for i in self._ids if i not in self._done]) and fruitless < 2:
            specifications, device, none = boards.gather(self._device, self._progress.note, lambda: bool(self._stopped))
            if self._stopped or device is None:
                self._stop(none)
                return
            self._check_device(device)
            done = len(self._done)
            # A case that may have taken a board down runs last, alone, on one board.
            batch = [i for i in left if not self._deaths[i]]
            self._board_run = boards.request(batch or left[:1])
            with self._watched():
                broken = run_on_boards(specifications if batch else specifications[:1], self)
            fruitless = 0 if len(self._done) > done else fruitless + 1
            if broken and fruitless == 2:
                self._stop(f"harness: {broken}")

    def _run_batch(self, ids: Sequence[str], jobs: int) -> None:
        if not ids or self._stopped:
            return
        shutil.rmtree(self._scratch, ignore_errors=True)
        try:
            self._scratch.mkdir(exist_ok=True)
            # A folder of its own, so that processes that a killed run left behind have no part in it.
            self._batch = Path(tempfile.mkdtemp(dir=self._scratch))
            run_file = self._batch / "run.json"
            cases = [case.to_json() for case in in_order([self._cases[i] for i in ids])]
            run_file.write_text(json.dumps({"config": self._config.to_json(), "cases": cases}), encoding="utf-8")
        except OSError as error:
            if self._journal.path.exists():
                why = f"{self._scratch}: {error.strerror}; see to the disk, then go on with --resume"
                self._fail(InfrastructureError(why))
            else:
                self._stop("the results are gone")  # which the run's end will report
            return
        with self._watched():
            suites = dict.fromkeys(i.split("/", 1)[0] for i in ids)
            broken = run_session(run_file, Path(self._config.suites), suites, min(jobs, len(ids)), self)
        self.emulated = add_up([self.emulated, read_files(self._batch.glob(f"*/{STATISTICS_NAME}.*"))])
        if broken and not self._died_early:
            self._stop(f"harness: {broken}")

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        self._running, self._died_early = set(), False
        log = self._folder / LOG
        with Watchdog(self._silence_s, self._batch, log, self._stop_silent_run, self._progress.note) as self._watchdog:
            yield

    def _stop_silent_run(self, why: str) -> None:
        """Called by the watchdog's thread."""
        running = f" while {', '.join(sorted(self._running))} ran" if self._running else ""
        self._stop(f"harness: {why}{running}; {self._folder / LOG} says what every process did")

    def _note_activity(self) -> None:
        if self._watchdog:
            self._watchdog.note_activity()

    def pytest_configure(self, config: Any) -> None:
        """pytest's hook: remember the session, to stop it."""
        self._pytest = config

    def pytest_internalerror(self, excrepr: object, excinfo: Any) -> bool:
        """pytest's hook, also for a worker's pytest: a fault of the harness, unless a worker died as it was started."""
        started = any(entry.name == "makegateway" for entry in excinfo.traceback)  # execnet's
        if started and isinstance(excinfo.value, EOFError | OSError):
            self._died_early = True  # the rest runs in another session
            return True
        path = self._folder / "traceback.txt"
        with contextlib.suppress(OSError):
            path.write_text(str(excrepr), encoding="utf-8", errors="backslashreplace")
        self._stop(f"harness: pytest failed; report it with {path}")
        return True  # it is not printed

    def pytest_configure_node(self, node: Any) -> None:
        """xdist's hook: send a worker on a board its run."""
        if self._boards:
            node.workerinput["run"] = self._board_run

    def pytest_testnodeready(self) -> None:
        """xdist's hook: a worker has started."""
        self._note_activity()

    def pytest_xdist_node_collection_finished(self) -> None:
        """xdist's hook: a worker knows its cases."""
        self._note_activity()

    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """xdist's hook: notes a board that went away."""
        self._note_activity()
        if error and self._boards and not self._stopped:
            host = host_of(node.gateway.id)
            self._boards.lose(host)
            self._progress.note(f"{host} went away; what it had not finished runs again")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """pytest's hook: a worker has started a case."""
        self._note_activity()
        self._running.add(id_of(nodeid))
        self._write("start", id=id_of(nodeid))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """pytest's hook: a worker has finished a case."""
        self._note_activity()
        text = getattr(report, "runner", None)
        if self._stopped:
            return
        if text is None:  # xdist's own report on a dead worker, whose case is run again
            self._handle_death(id_of(report.nodeid), host_of(report.node.gateway.id))
            return
        test_id = id_of(report.nodeid)
        self._running.discard(test_id)
        try:
            case_report = CaseReport.parse(text, test_id)
        except ValueError as error:
            self._stop(f"harness: {host_of(report.node.gateway.id)}: {one_line(str(error))}")
            return
        if case_report.late and case_report.late.id in self._done:
            self._record_result(case_report.late, again=True)
        if test_id in self._done:  # it was given up: xdist does not know of the deaths before this session
            return
        self._handle_report(test_id, host_of(report.node.gateway.id), case_report)

    def _handle_report(self, test_id: str, host: str, case_report: CaseReport) -> None:
        if case_report.device:
            self._check_device(case_report.device)
            self._compare_files(host, case_report.files)
        if case_report.refusal and self._boards:
            self._progress.note(f"{host}: {case_report.refusal}")
            self._refused.add(test_id)
        elif case_report.refusal:
            self._stop(case_report.refusal)
        elif not self._stopped:
            self._done.add(test_id)
            if self._boards:
                self._boards.trust(host)
            for kernel in case_report.kernels:
                self._write("kernel", self._statistics, **asdict(kernel) | {"id": test_id})
            if case_report.result:
                self._keep(test_id, case_report.evidence)
                self._record_result(case_report.result)
            else:
                self._progress.add(test_id, Verdict.SKIP, case_report.skipped, red=False)

    def _handle_death(self, test_id: str, host: str) -> None:
        """A worker or a board went away while it ran a case; the second time, the case is to blame."""
        self._running.discard(test_id)
        if test_id in self._done:
            return
        if test_id in self._refused:  # the board's device was to blame
            self._refused.remove(test_id)
            return
        self._deaths[test_id] += 1
        if self._deaths[test_id] >= DEATHS:
            self._done.add(test_id)
            if self._boards:
                self._boards.trust(host)
            what, board = ("board", host) if self._boards else ("worker", "")
            attempt = Attempt(Status.CRASH, message=f"took the {what} down", how=How.ALONE, board=board)
            self._record_result(Result(test_id, (attempt,)))

    def _keep(self, test_id: str, evidence: str) -> None:
        """Write what a case's repeat recorded; a board's may be anything, and is not parsed here."""
        self._evidence_bytes += len(evidence)
        if not evidence or len(evidence) > MOST_BYTES or self._evidence_bytes > MOST_RUN_BYTES:
            return
        path = self._folder / evidence_path(test_id)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, evidence)
        except OSError as error:
            self._fail(InfrastructureError(f"{path}: {error.strerror}; make room, then go on with --resume"))

    def _record_result(self, result: Result, *, again: bool = False) -> None:
        self._write("result", **result.to_json())
        expected = self._expectations  # none yet if the very first case took its workers down
        judgement = judge(result, expected.find(result.id), expected.floor) if expected else judge(result, None)
        red = judgement.verdict.is_red(self._config.strict_flakes)
        if again:
            self._progress.note(f"{judgement.verdict}: {result.id}: {judgement.message}")
        else:
            self._progress.add(result.id, judgement.verdict, judgement.message, red=red)
        self._red += red
        if self._config.max_fails and self._red >= self._config.max_fails:
            self._stop(f"{self._red} regressions (--max-fails {self._config.max_fails})")

    def _check_device(self, device: DeviceReport) -> None:
        """A worker's device: the first one is the run's, every other must be the same."""
        if self._device is None:
            self._device = device
            self._write("device", report=asdict(device))
        elif device.identity != self._device.identity:
            self._stop(f"two devices in one run: {describe(self._device)}, and {describe(device)}")
        if self._expectations is None:
            self._progress.note(f"testing {describe(device)}")
            try:
                self._expectations = expectations_of(self._config, device)
                for test_id in self._ids:
                    self._expectations.find(test_id)
            except UsageError as error:
                self._fail(error)

    def _compare_files(self, host: str, files: Mapping[str, str]) -> None:
        """The files of a worker's first child must be those of every other worker's on the same machine."""
        first = self._files.setdefault(host if self._boards else "", {})
        if what := difference(first, files):
            self._stop(one_line(what))
        first.update(files)

    def _write(self, event: str, journal: Journal | None = None, **fields: Any) -> None:
        try:
            (journal or self._journal).write(event, **fields)
        except InfrastructureError as error:
            self._fail(error)

    def _fail(self, error: InfrastructureError | UsageError) -> None:
        self._error = self._error or error
        self._stop(str(error))

    def _stop(self, why: str) -> None:
        self._stopped = self._stopped or why
        with contextlib.suppress(OSError):  # the disk may be full
            (self._batch / "stop").touch()  # the workers look for it, and kill what they run
        if self._pytest:
            stop_session(self._pytest, why)


@contextlib.contextmanager
def _interrupts(stop: Callable[[], None]) -> Iterator[None]:
    """SIGINT and SIGTERM end the run in order, with all reports."""
    before = {s: signal.signal(s, lambda *_: stop()) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
