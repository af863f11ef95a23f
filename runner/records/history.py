"""The results of all runs: an SQLite file with every execution of every test, by target and Mesa release.

    run        one run: its key, when it began, its target, the build that it tested
    execution  one attempt: run, test, number, status, seconds, how it was made, message

Only facts, as in the journal; rates, flakes and verdicts are derived from them. A run counts once, by the key of
its journal: importing it again, or again after --resume, adds what is new. A merged results directory stands for
the runs that were merged (runner/records/artifacts.py).

One file: all the SQL that knows the tables of history.sql.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from runner.drivers.registry import driver_of
from runner.expectations.target import DRIVER_PATTERN, MODES, Target
from runner.ids import check_id
from runner.lines import one_line, plain
from runner.model import Attempt, How, Status, UsageError
from runner.records import journal
from runner.records.artifacts import run_key
from runner.records.journal import Record
from runner.run_config import RunConfig

_VERSION = 2
_BUSY_S = 60.0  # how long to wait for another run that is writing
_MESSAGE_CHARS = 300
_DURATION_RUNS = 20  # a duration is the mean over this many newest runs, times the shards
_TARGET = ("driver", "gpu", "mode", "mesa", "libclc", "tinygrad")
# A history from before the emulated devices had a column that was 1 for compile mode.
_FROM_1 = ("ALTER TABLE run RENAME COLUMN compile TO mode", "UPDATE run SET mode = iif(mode, 'compile', '')")
_SCHEMA = Path(__file__).with_name("history.sql")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the history."""

    id: int
    key: str
    begun: str  # UTC, ISO 8601
    target: Target
    variant: str
    build: str  # the same if the same driver was tested by the same suites
    device: str
    jobs: int
    fault: str  # of the machine or the harness: it says nothing about rates; "" if there was none

    @property
    def series(self) -> tuple[Target, str]:
        """The keys by which rates are comparable: driver, GPU, mode, Mesa release; and the variant."""
        return replace(self.target, libclc="", tinygrad=""), self.variant


@dataclass(frozen=True, slots=True)
class Execution:
    """One attempt at a test."""

    run: Run
    status: Status
    duration_s: float
    how: How
    nth_in_child: int
    message: str  # the first line


class History:
    """One file. Raises UsageError if it is not a history, or cannot be written."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """`create` makes a new one if there is none; else that is a UsageError."""
        if not create and not path.exists():
            raise UsageError(f"{path}: no history; fill one with `runner history import RESULTS... --history {path}`")
        self._path = path
        with self._errors():
            self._db = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
        try:
            self._open(create)
        except UsageError:
            self._db.close()
            raise

    def _open(self, create: bool) -> None:
        """Look for the tables, or make them."""
        with self._errors():
            self._db.execute("BEGIN IMMEDIATE" if create else "BEGIN")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if create and version == 0 and not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in _SCHEMA.read_text(encoding="utf-8").split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {_VERSION}")
                version = _VERSION
            if version == 1:
                for statement in _FROM_1:
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {_VERSION}")
                version = _VERSION
            self._db.execute("COMMIT")
            # A view is computed when it is read, and may never end; a trigger writes what it likes.
            others = self._db.execute("SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index')").fetchone()
        if others:
            raise UsageError(f"{self._path}: has a {others[0]}, {one_line(str(others[1]))}; give another --history FILE")
        if version != _VERSION:
            raise UsageError(f"{self._path}: is not a history of this version ({_VERSION}); give another --history FILE")

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, folder: Path) -> int:
        """Take in one results directory; returns how many executions are new.

        Raises UsageError if it is not a run, or found no device.
        """
        record = journal.read(folder)
        if record.device is None:
            raise UsageError(f"{folder}: found no device ({record.footer or 'killed'}); there is nothing to learn")
        results = record.all_results
        if not results:
            return 0
        executions = [
            (result.id, number, attempt)
            for result in results.values()
            for number, attempt in enumerate(result.attempts)
            if attempt.status is not Status.ERROR  # the harness's fault is not a fact about the test
        ]
        with self._errors(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            run = self._put_run(run_key(folder), record)
            tests = self._numbers("test", "name", {i for i, _, _ in executions})
            messages = self._numbers("message", "text", {_first_line(a) for _, _, a in executions} - {""})
            before = self._db.total_changes
            self._db.executemany(
                "INSERT OR IGNORE INTO execution VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        run,
                        tests[i],
                        number,
                        str(a.status),
                        a.duration_s,
                        str(a.how),
                        a.nth_in_child,
                        messages.get(_first_line(a)),
                    )
                    for i, number, a in executions
                ),
            )
            return self._db.total_changes - before

    def runs(self, driver: str = "", gpu: str = "") -> list[Run]:
        """All runs of a target, "" for any, oldest first."""
        texts = (
            *("key", "begun", "driver", "gpu", "mode", "mesa", "libclc", "tinygrad", "variant", "build", "device"),
            "fault",
        )
        numbers = ("id", "jobs")
        columns = [*(_cast(name, "TEXT") for name in texts), *(_cast(name, "INTEGER") for name in numbers)]
        with self._errors():
            rows = self._db.execute(
                f"SELECT {', '.join(columns)} FROM run WHERE driver IN (?1, iif(?1 = '', driver, ?1)) "
                "AND gpu IN (?2, iif(?2 = '', gpu, ?2)) ORDER BY begun, key",
                (driver, gpu),
            )
            return [_run(dict(zip((*texts, *numbers), row, strict=True))) for row in rows]

    def series(self, driver: str = "", gpu: str = "") -> list[list[Run]]:
        """The runs of a target by the keys by which rates are comparable, each oldest first."""
        groups: dict[object, list[Run]] = {}
        for run in self.runs(driver, gpu):
            groups.setdefault(run.series, []).append(run)
        return list(groups.values())

    def statuses(self, runs: Sequence[Run]) -> dict[str, set[Status]]:
        """Every status that the tests of these runs ever ended with, by test, in the order of their names."""
        with self._errors():
            names = dict(self._db.execute("SELECT id, name FROM test"))
            found: dict[str, set[Status]] = {}
            for number, status in self._db.execute(
                f"SELECT DISTINCT test, status FROM execution WHERE run IN ({_numbers(runs)})"
            ):
                found.setdefault(check_id(names[number]), set()).add(Status(status))
        return dict(sorted(found.items()))

    def executions(self, runs: Sequence[Run], tests: Collection[str]) -> dict[str, list[Execution]]:
        """Every execution of these tests in these runs, oldest first."""
        by_id = {run.id: run for run in runs}
        found: dict[str, list[tuple[tuple[str, str, int], Execution]]] = {name: [] for name in tests}
        with self._errors():
            self._db.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (test INTEGER PRIMARY KEY)")
            self._db.execute("DELETE FROM wanted")
            self._db.executemany("INSERT INTO wanted SELECT id FROM test WHERE name = ?", ((name,) for name in found))
            for n, name, number, status, duration_s, how, nth, message in self._db.execute(
                f"SELECT run, name, {_cast('attempt', 'INTEGER')}, status, {_cast('duration_s', 'REAL')}, how, "
                f"{_cast('nth_in_child', 'INTEGER')}, {_cast('text', 'TEXT')} FROM execution "
                "JOIN test ON test.id = test LEFT JOIN message ON message.id = message "
                f"WHERE run IN ({_numbers(runs)}) AND test IN wanted"
            ):
                run = by_id[n]
                one = Execution(run, Status(status), duration_s, How(how), nth, message)
                found[name].append(((run.begun, run.key, number), one))
        return {name: [e for _, e in sorted(own, key=lambda o: o[0])] for name, own in found.items()}

    def durations(self, driver: str, gpu: str, mode: str, total: int, before: str = "") -> dict[str, float]:
        """Seconds that a test takes in a run, all attempts together: the mean over the newest runs of a target.

        `total` is the number of shards that a run is made of; `before` leaves out the runs that began later.
        """
        with self._errors():
            runs = [
                run
                for run in self.runs(driver, gpu)
                if not run.fault
                and run.target.mode == Target.mode_of(mode)
                and (not before or _time(run.begun) < _time(before))
            ]
            return dict(
                self._db.execute(
                    f"SELECT name, sum({_cast('duration_s', 'REAL')}) / count(DISTINCT run) "
                    "FROM execution JOIN test ON test.id = test "
                    f"WHERE run IN ({_numbers(runs[-_DURATION_RUNS * total :])}) GROUP BY test"
                )
            )

    def _put_run(self, key: str, record: Record) -> int:
        config, device = record.config, record.device
        assert device
        target = driver_of(config).target(config, device)
        build = "|".join((*device.build, record.suites))
        left = any(i not in record.results for i in record.ids)
        fault = ("killed" if left else "") if record.footer is None else record.footer
        if fault == "interrupted" or "(--max-fails" in fault:
            fault = ""  # somebody stopped it; results until then count
        (number,) = self._db.execute(
            "INSERT INTO run (key, begun, driver, gpu, mode, mesa, libclc, tinygrad, variant, build, device, jobs, "
            "fault) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET fault = excluded.fault RETURNING id",
            (
                key,
                record.begun,
                target.driver,
                target.gpu,
                target.mode,
                target.mesa,
                target.libclc,
                target.tinygrad,
                config.variant,
                build,
                device.device,
                config.jobs,
                fault,
            ),
        ).fetchone()
        return int(number)

    def _numbers(self, table: str, column: str, values: Collection[str]) -> dict[str, int]:
        """The row numbers of texts, which are entered if they are new."""
        self._db.executemany(f"INSERT OR IGNORE INTO {table} ({column}) VALUES (?)", ((v,) for v in sorted(values)))
        rows = self._db.execute(f"SELECT {column}, id FROM {table}")
        return {text: number for text, number in rows if text in values}

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, KeyError) as error:  # a stranger's file may hold anything
            raise UsageError(f"{self._path}: {error}; give another --history FILE") from error


def durations_for(config: RunConfig, begun: str = "") -> dict[str, float]:
    """The durations that divide a run into shards; none without a history, or without shards.

    Raises UsageError for a history that cannot be written: before the run, not after it.
    Every shard must divide alike, also one that starts or is retried after another has been added to the history:
    runs count that began before the pipeline, or, if a run is resumed, before it (`begun`).
    """
    if not config.history:
        return {}
    with History(Path(config.history), create=True) as history:
        if config.shard[1] == 1:
            return {}
        before = os.environ.get("CI_PIPELINE_CREATED_AT") or begun
        return history.durations(driver_of(config).name, config.gpu, config.mode, config.shard[1], before)


def _run(row: Mapping[str, Any]) -> Run:
    """A row fit for a terminal. Raises ValueError for a driver whose name would be a path."""
    own = plain(dict(row))
    if not DRIVER_PATTERN.fullmatch(own["driver"]):
        raise ValueError(f"{own['driver'][:60]!r} is not a driver")
    if own["mode"] not in ("", *MODES):
        raise ValueError(f"{own['mode'][:60]!r} is not a mode")
    target = Target(**{name: own.pop(name) for name in _TARGET})
    return Run(target=target, **own)


def _cast(column: str, kind: str) -> str:
    """A column as a value of one type: a stranger's file may hold anything."""
    return f"CAST(ifnull({column}, '') AS {kind})"


def _first_line(attempt: Attempt) -> str:
    if attempt.status in (Status.PASS, Status.SKIP):
        return ""
    return attempt.message.strip().split("\n", 1)[0][:_MESSAGE_CHARS]


def _numbers(runs: Sequence[Run]) -> str:
    return ",".join(str(run.id) for run in runs)  # integers of this program


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
