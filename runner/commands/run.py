"""`runner --driver NAME`: select, run, report."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from runner import catalogue, expectations, junit, report
from runner.catalogue import Catalogue
from runner.drivers import load_drivers, missing_device, resolve
from runner.execute import skip_reason
from runner.expectations import Expectations
from runner.journal import NAME, Journal, Record, read
from runner.judge import judge
from runner.model import DeviceReport, InfrastructureError, Result, RunConfig, UsageError
from runner.pytest_plugin import id_of, run_session, stop_session
from runner.summary import Progress, describe, print_summary, section


def run(config: RunConfig, resume: bool) -> int:
    """Run the selected cases and write every report; returns the exit code."""
    begun_s = time.monotonic()
    driver = resolve(config.driver, load_drivers(*([Path(config.registry)] if config.registry else [])))
    driver.variant_environment(config.variant)
    folder, suites = Path(config.results), Path(config.suites)
    known = catalogue.load(suites)
    ids = catalogue.select(known, config.include, config.exclude, config.tier, config.shard)
    files = expectations.read_files(Path(config.expectations), driver.name)
    header = {
        "config": config.to_json(),
        "ids": ids,
        "suites": catalogue.digest(suites),
        "expectations": expectations.digest(files),
        "begun": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    if not ids:
        print(f"shard {config.shard[0]}/{config.shard[1]} of this selection is empty; nothing to do")
        return report.EXIT_GREEN
    if absent := missing_device(driver):
        raise InfrastructureError(absent)
    old = _prepare(folder, header, resume)
    with Journal(folder / NAME) as journal:
        if old:
            journal.write("resume")
        else:
            journal.write("header", **header)
        if old:
            for result in old.take_down():
                journal.write("result", **result.to_json())
                old.results[result.id] = result
        session = _Session(
            config, known, folder, journal, [i for i in ids if not old or i not in old.results], old
        )
        try:
            reason = session.run()
        except InfrastructureError as error:  # the disk is full: say so, and keep what is there
            print(f"runner: {error}", file=sys.stderr)
            return report.EXIT_INFRASTRUCTURE
        finally:
            shutil.rmtree(folder / "scratch", ignore_errors=True)
        journal.write("footer", reason=reason, wall_s=time.monotonic() - begun_s)
        journal.sync()
    return write_reports(folder, read(folder), known)


def write_reports(folder: Path, record: Record, known: Catalogue) -> int:
    """csv, junit, logs and the summary of a record; returns the exit code."""
    loaded = report.load_expectations(record)
    made = report.make_report(record, loaded, known.cases)
    try:
        report.write_csv(made, folder)
        report.write_logs(made, folder)
        junit.write_junit(made, folder / "junit.xml", folder)
    except OSError as error:
        raise InfrastructureError(
            f"{error.filename}: {error.strerror}; make room, then `runner report {folder}`"
        ) from error
    with section("Summary"):
        print_summary(made, folder)
    return made.exit_code


class _Session:
    """The controlling side of the workers: journal, progress, and when to stop."""

    def __init__(
        self,
        config: RunConfig,
        known: Catalogue,
        folder: Path,
        journal: Journal,
        ids: Sequence[str],
        old: Record | None,
    ) -> None:
        self._config, self._known, self._folder, self._journal = config, known, folder, journal
        self._wanted = list(ids)
        self._suspects = [i for i in ids if old and old.deaths[i]]
        self._done: set[str] = set()
        self._progress = Progress(len(ids))
        self._expectations: Expectations | None = None
        self._device: DeviceReport | None = old.device if old else None
        self._red = 0
        self._stopped = ""
        self._error: InfrastructureError | None = None
        self._pytest: Any = None

    def run(self) -> str:
        """Run everything; returns why it ended early, or ""."""
        suspects = set(self._suspects)
        batches: list[tuple[Callable[[], list[str]], int]] = [
            (lambda: [i for i in self._wanted if i not in suspects], self._config.jobs),
            (lambda: self._suspects, 1),  # what may take the machine down comes last, one at a time
            (
                lambda: [i for i in self._wanted if i not in self._done],
                self._config.jobs,
            ),  # lost with a dead worker
        ]
        with _interrupts(self._interrupt), section("Cases", sys.stderr):
            for ids, jobs in batches:
                if (chosen := ids()) and not self._stopped:
                    self._run_batch(chosen, jobs)
        self._progress.finish()
        if self._error:
            raise self._error
        return self._stopped

    def _run_batch(self, ids: list[str], jobs: int) -> None:
        scratch = self._folder / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        run_file = scratch / "run.json"
        run_file.write_text(json.dumps({"config": self._config.to_json(), "ids": ids}), encoding="utf-8")
        if broken := run_session(run_file, Path(self._config.suites), min(jobs, len(ids)), self):
            self._stop(f"harness: {broken}")

    def pytest_configure(self, config: Any) -> None:
        self._pytest = config

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._write("start", id=id_of(nodeid))

    def pytest_runtest_logreport(self, report: Any) -> None:
        data = getattr(report, "runner", None)
        if data is None or self._stopped:
            return  # xdist's own word on a dead worker; its case is run again
        data = json.loads(data)
        test_id = id_of(report.nodeid)
        if "device" in data:
            self._meet(DeviceReport.from_json(data["device"]))
        if "refusal" in data:
            self._stop(data["refusal"])
            return
        self._done.add(test_id)
        if "result" in data:
            self._take(Result.from_json(data["result"]))

    def _take(self, result: Result) -> None:
        assert self._expectations
        self._write("result", **result.to_json())
        judgement = judge(result, self._expectations.find(result.id))
        red = judgement.verdict.is_red(self._config.strict_flakes)
        self._progress.add(result.id, judgement.verdict, judgement.message, red=red)
        self._red += red
        if self._config.max_fails and self._red >= self._config.max_fails:
            self._stop(f"{self._red} regressions (--max-fails {self._config.max_fails})")

    def _meet(self, device: DeviceReport) -> None:
        """Hear of a worker's device: the first is the run's, every other must be the same."""
        if self._device is None:
            self._device = device
            self._write("device", report=_jsonable(device))
        elif _identity(device) != _identity(self._device):
            self._stop(f"two devices in one run: {describe(self._device)}, and {describe(device)}")
        if self._expectations is None:
            record = Record(self._config, (), device=device)
            self._expectations = report.load_expectations(record)
            self._progress.note(f"testing {describe(device)}")

    def _write(self, event: str, **fields: Any) -> None:
        try:
            self._journal.write(event, **fields)
        except InfrastructureError as error:
            self._error = self._error or error
            self._stop(str(error))

    def _interrupt(self) -> None:
        self._stop("interrupted")

    def _stop(self, why: str) -> None:
        self._stopped = self._stopped or why
        (self._folder / "scratch" / "stop").touch()  # the workers look for it, and kill what they run
        if self._pytest:
            stop_session(self._pytest, why)


def _prepare(folder: Path, header: dict[str, Any], resume: bool) -> Record | None:
    """The results directory for a new run, or the record of the one to go on with."""
    old = read(folder) if (folder / NAME).exists() and (folder / NAME).stat().st_size else None
    if resume:
        if old is None:
            raise UsageError(f"{folder / NAME}: no run to resume; run without --resume")
        _compare(folder, old, header)
        return old
    if old and not old.finished:
        raise UsageError(
            f"{folder}: holds an unfinished run; go on with --resume, or give another --results, or delete it"
        )
    try:
        if folder.is_dir() and any(folder.iterdir()):
            if not old:
                raise UsageError(f"{folder}: not empty, and no results directory; give another --results")
            number = 1
            while (target := folder.with_name(f"{folder.name}.{number}")).exists():
                number += 1
            folder.rename(target)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{folder}: cannot be written: {error.strerror}; give --results DIR elsewhere"
        ) from error
    return None


def _compare(folder: Path, old: Record, header: dict[str, Any]) -> None:
    if old.finished:
        raise UsageError(f"{folder}: that run is finished; run without --resume")
    new = RunConfig.from_json(header["config"])
    for name in ("driver", "gpu", "variant", "seed"):
        if getattr(old.config, name) != getattr(new, name):
            raise UsageError(
                f"{folder}: was run with {name} {getattr(old.config, name)!r}; give the same to --resume"
            )
    if list(old.ids) != header["ids"] or old.suites != header["suites"]:
        raise UsageError(
            f"{folder}: the selection or the suites have changed since; run without --resume, elsewhere"
        )


def _identity(device: DeviceReport) -> tuple[str, ...]:
    return (
        device.platform,
        device.device,
        device.driver_version,
        device.llvm,
        device.libclc,
        device.library,
        device.build_id,
    )


def _jsonable(device: DeviceReport) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(device)


@contextlib.contextmanager
def _interrupts(stop: Callable[[], None]) -> Iterator[None]:
    """SIGINT and SIGTERM end the run in order, with all reports."""

    def handle(*_: object) -> None:
        stop()

    before = {s: signal.signal(s, handle) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


__all__ = ["run", "skip_reason", "write_reports"]
