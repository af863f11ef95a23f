"""The run of one configuration, from the selection to the reports: `runner --driver NAME`."""

import contextlib
import os
import platform
import resource
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from runner.cases import catalogue
from runner.child.environment import mask
from runner.drivers.presence import missing_device
from runner.drivers.registry import Driver, cpu_environment, driver_of
from runner.drivers.variants import SANITIZERS
from runner.expectations import files
from runner.expectations.folder import read_files
from runner.lines import tell
from runner.model import ExitCode, InfrastructureError, UsageError
from runner.output.reports import write_reports
from runner.records.configurations import journal_of
from runner.records.earlier_run import put_aside, set_aside
from runner.records.folder import held
from runner.records.history import History, durations_for
from runner.records.journal import BUSY_S, NAME, Journal, Record, read
from runner.run.inventory import judged_by, judged_otherwise
from runner.run.launcher import plan_launch
from runner.run.session import Session
from runner.run.slowdown import slowdown
from runner.run_config import RESUME, RunConfig
from runner.sources import CTS_RESULTS_VARIABLE
from runner.verdict.report import Report


def run(config: RunConfig, resume: bool) -> ExitCode:
    """Run the selected cases and write every report; returns the exit code."""
    begun_s = time.monotonic()
    if not resume:
        set_aside(Path(config.results))
    plan = make_plan(config, resume)
    return run_plan(plan, resume, begun_s).exit_code if plan else ExitCode.GREEN


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One configuration, with everything that is known before a device is opened."""

    config: RunConfig
    driver: Driver
    known: catalogue.Catalogue
    header: dict[str, Any]  # the journal's
    judges: Mapping[str, str]  # the files that decide the verdicts, which must be the same at the end

    @property
    def folder(self) -> Path:
        """Where the results go."""
        return Path(self.config.results)


def make_plan(config: RunConfig, resume: bool, known: catalogue.Catalogue | None = None) -> PlannedRun | None:
    """Check the whole request; None if a shard is empty. `known`: the suites, if they were loaded before.

    An impossible request is refused before a device is opened. Raises UsageError, or InfrastructureError without a device.
    """
    driver = driver_of(config)
    driver.variant_environment(config.variant)
    if not config.on:
        plan_launch(config, driver)
        cpu_environment(driver, config.gpu)
    folder = Path(config.results)
    known = known or _load(Path(config.suites))
    begun = read(folder).begun if resume and journal_of(folder)[0].exists() else ""
    ids = catalogue.select(known, config.include, config.exclude, config.tier, config.shard, durations_for(config, begun))
    judges = judged_by(config, driver.name)
    expectation_texts = read_files(Path(config.expectations), driver.name)
    if not ids:
        tell(f"shard {config.shard[0]}/{config.shard[1]} of this selection is empty; nothing to do")
        return None
    if not config.on and (absent := missing_device(driver, config.mode)):
        raise InfrastructureError(absent)
    return PlannedRun(config, driver, known, _header(config, ids, expectation_texts), judges)


def run_plan(plan: PlannedRun, resume: bool, begun_s: float, spent_s: float = 0.0) -> Report:
    """Run the cases and write every report; returns the report they are made from.

    `begun_s`: when this run began, by the monotonic clock; `spent_s`: the CPU time of earlier runs of this process.
    """
    config, known, header, folder = plan.config, plan.known, plan.header, plan.folder
    ids = header["ids"]
    if config.cts:
        os.environ[CTS_RESULTS_VARIABLE] = str(folder.absolute() / "cts")
    with prepared(folder, resume), Journal(*(journal_of(folder) if resume else (folder / NAME,))) as journal:
        if not resume:
            journal.write("header", **header)
            session = Session(config, folder, journal, ids, known.cases)
        else:
            old = read(folder)  # not before: another process may have been writing it
            _compare(folder, old, header)
            journal.write("resume")
            for result in old.take_down():
                journal.write("result", **result.to_json())
                old.results[result.id] = result
            left = [i for i in ids if i not in old.results]
            suspects = [i for i in left if old.deaths[i]]
            session = Session(config, folder, journal, left, known.cases, suspects, old.device)
        reason = session.run() or judged_otherwise(plan.judges, judged_by(config, plan.driver.name))
        if not journal.path.exists():
            raise InfrastructureError(f"{folder}: was deleted or moved while the run went on; leave it, and run again")
        emulated = {"emulated": session.emulated} if config.mode == "emulate" else {}
        journal.write("footer", reason=reason, wall_s=time.monotonic() - begun_s, cpu_s=cpu_s() - spent_s, **emulated)
        journal.sync()
    # A run that is resumed here may have begun on another machine, with other folders.
    record = replace(read(folder), config=config)
    if config.variant in SANITIZERS and not reason and (slower := slowdown(config, record.results, known)):
        tell(f"--variant {config.variant}: {slower}")
    report = write_reports(folder, record, known)
    if config.history and record.device:
        with History(Path(config.history)) as history:
            history.add(folder)
    return report


def cpu_s() -> float:
    """The CPU time of this process and of everything that it has waited for: workers, their children, their programs."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(usage.ru_utime + usage.ru_stime for usage in usages), 3)


def _header(config: RunConfig, ids: list[str], expectation_texts: dict[Path, str]) -> dict[str, Any]:
    return {
        "config": config.to_json(),
        "ids": ids,
        "suites": catalogue.digest(Path(config.suites)),
        "expectations": files.digest(expectation_texts),
        "begun": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": platform.node(),
        "ci_job": mask(os.environ.get("CI_JOB_URL", "")),
    }


def _load(suites: Path) -> catalogue.Catalogue:
    if "::" in str(suites) or "[" in str(suites):
        raise UsageError(f"--suites {suites}: pytest takes :: and [ in a path for a part of a file; give it another name")
    return catalogue.load(suites)


@contextlib.contextmanager
def prepared(folder: Path, resume: bool) -> Iterator[None]:
    """The results directory of a new run, or the one to go on with: only this run's until its end. Raises UsageError."""
    if resume:
        path = journal_of(folder)[0]
        if not path.exists() or not path.stat().st_size:
            raise UsageError(f"{path}: no run to resume; run without --resume")
        with held(folder, BUSY_S):
            yield
        return
    with contextlib.ExitStack() as locks:
        locks.enter_context(held(folder))
        if put_aside(folder):  # of a run that began and ended since `set_aside`
            locks.enter_context(held(folder))
        yield


def _compare(folder: Path, old: Record, header: dict[str, Any]) -> None:
    if old.finished:
        raise UsageError(f"{folder}: that run is finished; run without --resume")
    new = RunConfig.from_json(header["config"])
    if name := old.config.difference(new, RESUME):
        raise UsageError(f"{folder}: was run with {name} {getattr(old.config, name)!r}; give the same to --resume")
    if list(old.ids) != header["ids"] or old.suites != header["suites"]:
        raise UsageError(f"{folder}: the selection or the suites have changed since; run without --resume, elsewhere")
