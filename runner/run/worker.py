"""One worker's part of a run: its warm child, and the attempts of a case until the judge needs no more.

One file: all attempts of a case use the state of one warm child.
"""

import contextlib
import itertools
import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from runner.cases.catalogue import Suite
from runner.compiler_stats.listing import Kernel, ListingExtractor
from runner.drivers.presence import check_identity, missing_device
from runner.drivers.registry import driver_of, expectations_of
from runner.drivers.variants import FAULTS, SANITIZERS
from runner.expectations.resolution import Expectations
from runner.lines import plain
from runner.model import Attempt, Case, DeviceReport, Expectation, How, InfrastructureError, Result, Status, Verdict
from runner.records.configurations import journal_of
from runner.run.device_lock import DeviceLock
from runner.run.emulation import last_words_in, without_blame
from runner.run.inventory import Exchanged, Inventory, places_of
from runner.run.kernel_log import KernelLog
from runner.run.late_death import mark_late_death, with_death
from runner.run.launcher import LaunchPlan, plan_launch
from runner.run.recording import Recording
from runner.run.start_cache import StartCache
from runner.run.supervisor import Death, ProtocolError, Supervisor
from runner.run.watchdog import ALIVE
from runner.run_config import RunConfig
from runner.shapes import MALFORMED
from runner.verdict.judge import BAD, MANY_REGRESSIONS, Next, judge, next_attempt
from runner.verdict.sanitizer import read_report

START_S = 60.0
_SETTLE_S = 0.3  # how long to wait for a death that comes late


class ProbeFailure(InfrastructureError):
    """The driver died in start-up on a machine that has its device: the driver's fault, not the machine's."""


class Worker:
    """Runs cases one after another in a child process that is kept as long as it behaves.

    `scratch` is the run's own folder: caches, output files, and the locks and counters that the workers of a run share.
    `name` is unique in the run. `files` are the expectation files if they are not on this machine, but on the host of a
    board; `stopped` is one more reason to end the run.
    """

    def __init__(
        self,
        config: RunConfig,
        scratch: Path,
        name: str = "w0",
        *,
        files: Mapping[Path, str] | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.config = config
        self.driver = driver_of(config)
        self.report = DeviceReport()
        self.expectations: Expectations | None = None
        self.inventory: Inventory | None = None  # from the first child's start on
        self._scratch = scratch
        self._cache = scratch / name / "cache"
        self._alive = scratch / name / ALIVE
        self._child_numbers = itertools.count(1)
        self._child = 0
        self._history: list[tuple[Suite, Case]] = []  # what the present child has run
        self._last: Result | None = None  # of the case that a child ran last
        self._late: Result | None = None  # the same, if the child died afterwards
        self._ready = False
        (scratch / name).mkdir(parents=True, exist_ok=True)
        output = scratch / name / "output"
        output.touch()
        self._faults = self.driver.faults(config.variant)
        self._sieve = ListingExtractor(self.driver.statistics.compilers, self._faults)
        # If the folder itself is gone, nobody can leave word in it.
        self._stopped = lambda: (scratch / "stop").exists() or not scratch.exists() or stopped()
        self._supervisor = Supervisor(
            output, config.memory_limit_mib << 20, self._stopped, self._sieve.clean if config.stats else None
        )
        self.seed: Path | None = None  # the cache that the next child begins with, instead of only the start-up's
        self._start_cache: StartCache | None = None
        self._room = DeviceLock(scratch)
        self._files = files
        self._kernel_log = KernelLog()
        self._recording = Recording(scratch / name / "evidence")

    def start(self, *, wait: bool = True) -> None:
        """Start a child without waiting for it; `ensure_ready` reads its first message.

        If another worker's child makes the cache that this one is to begin with, wait for that, or leave the start to
        `ensure_ready`. Raises InfrastructureError if the machine lacks the device, Exchanged if the last child has
        loaded something that those before it had not.
        """
        if absent := missing_device(self.driver, self.config.mode):
            raise InfrastructureError(absent)
        try:
            if self.inventory:
                self.inventory.check_libraries(self._supervisor.pid)
        finally:
            self._supervisor.kill()
        shutil.rmtree(self._cache, ignore_errors=True)
        self._cache.mkdir()
        if self.inventory is None:
            environment = self._plan.command(self._cache, -1, -1).environment
            self.inventory = Inventory(places_of(self.config, environment, self._plan.root), self._scratch)
        if self.seed:
            shutil.copytree(self.seed, self._cache, dirs_exist_ok=True)
        elif self.driver.opencl:
            if self._start_cache is None:
                environment = self._plan.command(self._cache, -1, -1).environment
                self._start_cache = StartCache(self._scratch, environment, self._cache)
            if wait:
                self._start_cache.wait(START_S * self.config.timeout_factor, self._stopped)
            elif not self._start_cache.claim():
                return
            self._start_cache.fill()
        self._child = next(self._child_numbers)
        self._history, self._ready = [], False
        self._supervisor.start(partial(self._plan.command, self._cache), self._plan.setup)

    @cached_property
    def _plan(self) -> LaunchPlan:
        return plan_launch(self.config, self.driver)

    def ensure_ready(self) -> None:
        """Make sure that there is a child whose device was checked; one retry.

        Raises InfrastructureError: no device, a wrong one, or (ProbeFailure) a driver that dies in start-up.
        """
        if self._ready and self._supervisor.has_child:
            return  # also if it has died since: the next attempt will find and explain that
        try:
            self._await_ready()
        except Exchanged:  # it is not chance
            raise
        except InfrastructureError:
            self.start()
            self._await_ready()

    def run(self, suite: Suite, case: Case, expectation: Expectation | None, *, last: bool = False) -> Result:
        """All attempts of one case. Call `ensure_ready` first; `last` means that no other case follows.

        Raises Exchanged if the tested files have changed.
        """
        needs = (*suite.requires, *case.requires)
        if unmet := [need for need in needs if need not in (*self.report.features, *self.report.extensions)]:
            if last:
                self.settle()
            hint = f" ({suite.hints[unmet[0]]})" if unmet[0] in suite.hints else ""
            return Result(
                case.id, (Attempt(Status.SKIP, message=f"unsupported: {', '.join(unmet)}{hint}", unmet=tuple(unmet)),)
            )
        self._recycle_if_old()
        before = list(self._history)
        no_repeats = self._has_many_regressions()  # whose later cases are not repeated
        self._recording.begin(first=no_repeats or self.config.evidence == "all")
        attempt = self._attempt(suite, case, How.WARM)
        if attempt.how is How.LATE:  # the child died before this case had begun
            self._record_late_death(attempt)
            before = []
            self.ensure_ready()
            attempt = self._attempt(suite, case, How.WARM)
        attempts = [self._settled(attempt, last)]
        retries = 0 if no_repeats else self.config.retries
        while (then := next_attempt(attempts, expectation, retries)) is not Next.DONE:
            self._sync_journal()
            if late := self._ensure_fresh_child():
                attempts[-1] = mark_late_death(attempts[-1], late)
                continue
            self.ensure_ready()
            if then is Next.REPLAY:
                attempt = self._replay(suite, case, before)
            else:
                attempt = self._attempt(suite, case, How.ALONE, quiet=then is Next.QUIET)
            # A child that has died once may do so again, and a moment later.
            waits = last or then is Next.REPLAY or any(a.status is Status.CRASH for a in attempts)
            attempts.append(self._settled(attempt, waits))
        if (
            attempts[-1].status not in (Status.PASS, Status.SKIP)
            and next_attempt(attempts[-1:], expectation) is not Next.DONE
            and (late := self._ensure_fresh_child())  # unexpected: no trace of it may reach the next case
        ):
            attempts[-1] = mark_late_death(attempts[-1], late)
        self._last = result = Result(case.id, tuple(attempts))
        self._count_red(judge(result, expectation).verdict)
        if last and self.inventory:  # no later child would notice
            self.inventory.check_libraries(self._supervisor.pid)
            self.inventory.check_files()
        return result

    def settle(self) -> None:
        """Wait for the late death of a child that is to run no case any more."""
        if late := self._late_death(_SETTLE_S):
            self._record_late_death(late)

    def mark_busy(self) -> None:
        """Tell the watchdog that this process is at work."""
        with contextlib.suppress(OSError):
            self._alive.write_text(str(os.getpid()))

    def mark_idle(self) -> None:
        """Tell the watchdog that this process waits for a case: it may be silent."""
        self._alive.unlink(missing_ok=True)

    def take_late(self) -> Result | None:
        """The result of the case before, again, if its child has died since `run` brought it."""
        late, self._late = self._late, None
        return late

    def take_kernels(self) -> list[Kernel]:
        """The statistics of the kernels that were built since the last call; nothing without --stats."""
        return self._sieve.take()

    def take_evidence(self) -> str:
        """What the last case's attempts did, if one of them went wrong and was recorded."""
        return self._recording.take()

    def stop(self) -> None:
        """End the child."""
        self.mark_idle()
        self._supervisor.kill()
        if self._start_cache:
            self._start_cache.release()

    def _ensure_fresh_child(self) -> Attempt | None:
        """Have a child that has run nothing, ready or on its way; the late death of the last one."""
        if not self._history:
            return None
        late = self._late_death(0.0)
        self.start()
        return late

    def _sync_journal(self) -> None:
        """Put on the disk that this case was started: its repeat may take the machine down."""
        with contextlib.suppress(FileNotFoundError):  # plain pytest keeps no journal
            fd = os.open(journal_of(self._scratch.parent.parent)[0], os.O_RDONLY)
            os.fdatasync(fd)
            os.close(fd)

    def _describe_end(self, death: Death) -> str:
        """How a child that was never ready ended: by a signal as a case would, else with its last output."""
        output = self._supervisor.take_output().strip()
        if death.signal and not death.reason:
            return self._supervisor.describe(death, output)
        said = itertools.takewhile(lambda line: not line.endswith("(most recent call first):"), output.splitlines())
        return ": ".join([death.text, *[*said][-1:]])

    def _await_ready(self) -> None:
        if not self._supervisor.alive:
            self.start()
        loading = False
        while True:
            try:
                message = self._supervisor.wait_message(START_S * self.config.timeout_factor)
            except ProtocolError as error:
                raise InfrastructureError(f"probe: protocol: {error}") from error
            if isinstance(message, Death):
                text = f"probe: {self._describe_end(message)}"
                # Python itself ends with 1: a broken installation. Everything else is the driver, or its emulator.
                ours = message.exit_code == 1 or (self.config.mode == "emulate" and last_words_in(message.exit_code, text))
                raise ProbeFailure(text) if loading and not ours else InfrastructureError(text)
            match message["event"]:
                case "loading":
                    loading = True
                case "refused":
                    raise InfrastructureError(str(message.get("message")))
                case _:
                    break
        try:
            answer = plain(message["report"])
            self.report = DeviceReport.from_json(answer) if answer else DeviceReport(features=("execute",))
        except MALFORMED as error:
            self._supervisor.kill()
            raise InfrastructureError(f"probe: protocol: no report of a device: {error!r}") from error
        if wrong := check_identity(self.driver, self.config, self.report):
            raise InfrastructureError(wrong)
        if self.inventory:
            self.inventory.check(self.report, self._supervisor.pid)
        self._supervisor.take_output()
        self._ready = True
        # Every later child begins with only this, so a repeat compiles again what the case itself compiled.
        if self._start_cache and not self._start_cache.keep(self.report, self._supervisor.pid):
            self.start()
            self._await_ready()
        if self.expectations is None:
            self.expectations = expectations_of(self.config, self.report, self._files)

    def _attempt(self, suite: Suite, case: Case, how: How, *, quiet: bool = False) -> Attempt:
        assert case.timeout_s is not None
        limit_s = case.timeout_s * self.config.timeout_factor
        request = {
            "suite": str(suite.folder),
            "case": replace(case, timeout_s=limit_s).to_json(),  # a body that waits for threads waits in proportion
            "evidence": self._recording.path_for(how),
        }
        self.mark_busy()
        with self._room.alone() if quiet else self._room.shared():
            self.mark_busy()  # the other workers may have taken a while
            self._kernel_log.mark()
            answer = self._supervisor.run(request, limit_s)
        if isinstance(answer, Death):
            if self._history:
                return self._describe_late(answer)
            answer = self._crash(answer)  # a child that has run nothing
        attempt = self._without_emulator(answer)
        self._history.append((suite, case))
        attempt = replace(attempt, how=how, child=self._child, nth_in_child=len(self._history))
        attempt, reported = self._with_faults(attempt)
        if attempt.status in BAD:
            attempt = replace(attempt, output=attempt.output + self._kernel_log.take())
        if reported or not self._supervisor.has_child:  # one that has died since its reply is looked at first
            self.start()  # at once, so that it comes up while the result is on its way
        return attempt

    def _with_faults(self, attempt: Attempt) -> tuple[Attempt, bool]:
        """The attempt, a FAIL if the driver printed what it must not; True if its child prints that only once."""
        report = read_report(attempt.output, self.report.library) if self.config.variant in SANITIZERS else ""
        if report and attempt.status in (Status.PASS, Status.FAIL):
            # It also replaces a failure, which runs without a sanitizer show.
            return replace(attempt, status=Status.FAIL, message=report), True
        if report and attempt.exit_code is not None:  # after some of its reports a sanitizer ends the process
            return replace(attempt, message=f"{attempt.message}: {report}"), True
        found = filter(None, (re.search(rf"{re.escape(word)}[\w-]*", attempt.output) for word in self._faults))
        fault = next(found, None)
        if fault and attempt.status is Status.PASS:
            attempt = replace(attempt, status=Status.FAIL, message=f"build: the driver printed {fault[0]!r}")
        return attempt, bool(fault) and self.config.variant in FAULTS

    def _replay(self, suite: Suite, case: Case, before: list[tuple[Suite, Case]]) -> Attempt:
        """Run a case in a fresh child after what the first attempt's child had run, in that order.

        A death anywhere on the way counts as the case's: it may come late, from a thread.
        """
        last = case
        for other_suite, other in [*before, (suite, case)]:
            attempt = self._attempt(other_suite, other, How.REPLAY)
            if attempt.how is How.LATE:
                attempt = replace(attempt, how=How.REPLAY)
                break
            if attempt.status in (Status.CRASH, Status.TIMEOUT) or attempt.exit_code:  # there is no child to go on with
                break
            last = other
        if attempt.status is Status.PASS:
            return attempt
        culprit = before[-1][1].id if last is case else last.id
        return replace(attempt, message=f"{attempt.message} (only after {culprit})")

    def _settled(self, attempt: Attempt, waits: bool) -> Attempt:
        """Keep the record of an attempt; returns it, or one that says how its child has died since."""
        late = self._late_death(_SETTLE_S if waits else 0.0)
        return self._recording.add(mark_late_death(attempt, late) if late else attempt)

    def _late_death(self, wait_s: float) -> Attempt | None:
        """A CRASH if the idle child dies within a time, an ERROR if it speaks unasked."""
        if not self._ready or not self._history or not self._supervisor.has_child:
            return None
        try:
            death = self._supervisor.settle(wait_s)
        except ProtocolError as error:
            return Attempt(Status.ERROR, message=f"protocol: {error}")
        return self._describe_late(death) if death else None

    def _crash(self, death: Death) -> Attempt:
        output = self._supervisor.take_output()
        return Attempt(
            Status.CRASH,
            message=self._supervisor.describe(death, output),
            output=output,
            signal=death.signal,
            exit_code=death.exit_code,
        )

    def _describe_late(self, death: Death) -> Attempt:
        crash = self._crash(death)
        self._history = []
        return self._without_emulator(replace(crash, output=crash.output + self._kernel_log.take(), how=How.LATE))

    def _record_late_death(self, late: Attempt) -> None:
        """Have the case that the child ran last answer for its death."""
        if self._last:
            self._late = with_death(self._last, late)

    def _without_emulator(self, attempt: Attempt) -> Attempt:
        """The attempt; output that an emulator's own death has cut off says nothing about the driver."""
        return without_blame(attempt) if self.config.mode == "emulate" else attempt

    def _recycle_if_old(self) -> None:
        rss = self._supervisor.rss_bytes
        if len(self._history) >= self.config.recycle_after or rss > self.config.rss_recycle_bytes:
            if late := self._ensure_fresh_child():
                self._record_late_death(late)
            self.ensure_ready()

    def _has_many_regressions(self) -> bool:
        """True once enough regressions are confirmed: repeating more shows nothing new."""
        try:
            tally = (self._scratch / "tally").read_bytes()
        except FileNotFoundError:
            return False
        return tally.count(b"r") >= MANY_REGRESSIONS and b"f" not in tally

    def _count_red(self, verdict: Verdict) -> None:
        letter = b"r" if verdict.is_red() else b"f" if verdict in (Verdict.FLAKE, Verdict.KNOWN_FLAKE) else b""
        if letter:
            with (self._scratch / "tally").open("ab", buffering=0) as file:
                file.write(letter)
