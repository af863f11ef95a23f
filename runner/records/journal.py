"""The append-only record of a run: one JSON object a line, written only by the controller.

    {"event": "header", "config": {...}, "ids": [...], "catalogue": digest, "expectations": digest, ...}
    {"event": "device", "report": {...}}
    {"event": "start", "id": ...}
    {"event": "result", "id": ..., "attempts": [...]}
    {"event": "footer", "reason": "", "wall_s": s}   "" if the run came to its end; of an emulated
                                                     device also "emulated": {...}, what emulators counted
    {"event": "resume"}                     a later process goes on, or a configuration's run begins

A run of several configurations has the lines of each, with its name as "configuration", in one journal; all headers come
first, and name all of them as "configurations". {"event": "left_out", "reason": ...} is for one that this Mesa lacks.
A configuration's logs and evidence lie in a folder of its name beside the journal, and this folder stands for its run.

A line is one write, so SIGKILL loses nothing that was finished; a torn last line is dropped.

One file: the writer of a line and its reader share one format.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from runner.ids import check_id
from runner.lines import plain
from runner.model import Attempt, DeviceReport, How, InfrastructureError, Result, Status, UsageError
from runner.records import configurations
from runner.records.configurations import journal_of, runs_in
from runner.records.emulated import Totals, add_up, parse_totals
from runner.records.folder import lock
from runner.run_config import RunConfig
from runner.shapes import MALFORMED, as_tuple, fits, parse_json, read_text

NAME = configurations.JOURNAL
_ADDRESS = re.compile(r"https?://[A-Za-z0-9][!-~]{0,500}")
_SYNC_S = 1.0
BUSY_S = 20.0  # how long a run that was just killed may take to end
DEATHS = 2  # starts without an end, after which a case is blamed for the run's death


@dataclass(slots=True)
class Record:
    """The content of a journal."""

    config: RunConfig
    ids: tuple[str, ...]
    suites: str = ""  # digest of the catalogue
    expectations: str = ""  # digest of the files
    begun: str = ""  # UTC
    ci_job: str = ""  # the address of the CI job, https or http
    host: str = ""  # the machine that ran it
    device: DeviceReport | None = None
    results: dict[str, Result] = field(default_factory=dict)
    deaths: Counter[str] = field(default_factory=Counter)  # starts that a dead process never finished
    footer: str | None = None  # None: the run is not finished
    wall_s: float = 0.0  # of all processes that finished their part of the run
    cpu_s: float = 0.0  # of the processors, as wall_s; 0 on boards
    emulated: Totals = field(default_factory=dict)  # of an emulated device, added up as wall_s is
    evidence: dict[str, str] = field(default_factory=dict)  # by id; not from the journal, but from files beside it
    configuration: str = ""  # its name in a run of several

    @property
    def finished(self) -> bool:
        """True if the run came to its end: a footer without a reason."""
        return self.footer == ""

    @property
    def all_results(self) -> dict[str, Result]:
        """The run's results, and the Crash of each case that took it down."""
        return {result.id: result for result in self.take_down()} | self.results

    def take_down(self) -> list[Result]:
        """A Crash for each case that was running when the run died, twice."""
        return [
            Result(i, (Attempt(Status.CRASH, message="took the run down", how=How.ALONE),))
            for i, n in self.deaths.items()
            if n >= DEATHS and i not in self.results
        ]


class Journal:
    """The only writer of a journal: a second one waits until the first has ended.

    Raises InfrastructureError, naming the file, if it cannot be written.
    """

    def __init__(self, path: Path, configuration: str = "") -> None:
        """`configuration`: whose lines are written, in a run of several."""
        self.path = path
        self._own = {"configuration": configuration} if configuration else {}
        self._synced_s = time.monotonic()
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            lock(self._fd, BUSY_S)
            _drop_torn_line(path)
        except BlockingIOError as error:
            raise UsageError(f"{path}: another run writes it; wait for its end, or give --results DIR elsewhere") from error
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}; give --results DIR elsewhere") from error

    def write(self, event: str, **fields: Any) -> None:
        """Append one line; it reaches the disk within about a second."""
        line = json.dumps({"event": event, **self._own, **fields}, separators=(",", ":")).encode() + b"\n"
        try:
            if os.write(self._fd, line) != len(line):
                raise OSError(28, os.strerror(28))
        except OSError as error:
            raise self._refusal(error) from error
        if time.monotonic() - self._synced_s >= _SYNC_S:
            self.sync()

    def sync(self) -> None:
        """Flush everything to the disk (fdatasync)."""
        try:
            os.fdatasync(self._fd)
        except OSError as error:
            raise self._refusal(error) from error
        self._synced_s = time.monotonic()

    def _refusal(self, error: OSError) -> InfrastructureError:
        return InfrastructureError(
            f"{self.path}: {error.strerror}; make room, then go on with --resume (finished results are kept)"
        )

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._fd)


def read(folder: Path) -> Record:
    """The record of a results directory. Raises UsageError if there is none, or a line is damaged.

    It may be a stranger's: its ids, which become paths, are checked, and texts that are shown hold no control character.
    """
    path, name = journal_of(folder)
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not in UTF-8"
        raise UsageError(f"{path}: {why}; give the results directory of a run") from error
    reader = _Reader()
    lines = text.split("\n")[:-1]  # after the last newline is nothing, or a torn line
    for number, line in enumerate(_parse_lines(lines), 1):
        try:
            data = parse_json(line) if isinstance(line, str) else line
            if data.get("configuration", "") != name:
                if not name:
                    raise UsageError(f"{path}: is of several configurations; give {_either(folder)}")
                continue
            reader.take(data)
        except MALFORMED as error:
            raise UsageError(f"{path}:{number}: damaged ({error!r}); delete that line, or run without --resume") from error
    record = reader.record
    if record is None:
        raise UsageError(f"{path}: empty: the run was killed before it began; delete {path.parent} and run again")
    record.deaths.update(reader.running)
    return record


class _Reader:
    """The record that the lines of one run make, in order. Two runs in one file, or a lost part, are damage."""

    def __init__(self) -> None:
        self.record: Record | None = None
        self.running: set[str] = set()
        self._ids: frozenset[str] = frozenset()

    def take(self, data: dict[str, Any]) -> None:
        """Read one line. Raises one of MALFORMED for a line that the writer never writes."""
        event, record = data["event"], self.record
        if event in ("header", "device", "footer"):  # messages and output are escaped when they are shown
            data = plain(data)
        if event == "header":
            self._begin(data)
            return
        if record is None:
            raise ValueError("no header before it")
        if record.footer is not None and event != "resume":
            raise ValueError(f"{event!r} after the end of the run")
        match event:
            case "start":
                self.running.add(self._id_of(data))
            case "result":
                self._end(record, Result.from_json({**data, "id": self._id_of(data)}))
            case "device":
                device = DeviceReport.from_json(data["report"])
                if record.device and device.identity != record.device.identity:
                    raise ValueError(f"another device than before: {device.device!r}")
                record.device = device
            case "footer":
                self.running.clear()  # it was stopped in order; nothing took it down
                record.footer = _text(data["reason"])
                record.wall_s += _seconds(data["wall_s"])
                record.cpu_s += _seconds(data.get("cpu_s", 0))
                record.emulated = add_up([record.emulated, parse_totals(data.get("emulated", {}))])
            case "resume":
                record.deaths.update(self.running)
                self.running.clear()
                record.footer = None
            case "left_out":
                pass  # of a configuration: configurations_in
            case _:
                raise ValueError(f"no event {event!r}")

    def _begin(self, data: dict[str, Any]) -> None:
        if self.record:
            raise ValueError("a second header: two runs in one file")
        self.record = Record(
            RunConfig.from_json(data["config"]),
            tuple(check_id(_text(i)) for i in as_tuple(data["ids"])),
            _text(data["suites"]),
            _text(data["expectations"]),
            _text(data["begun"]),
            _address(data.get("ci_job", "")),
            plain(str(data.get("host", "")))[:255],
            configuration=data.get("configuration", ""),
        )
        self._ids = frozenset(self.record.ids)
        if len(self._ids) != len(self.record.ids):
            raise ValueError("an id stands there twice")

    def _end(self, record: Record, result: Result) -> None:
        self.running.discard(result.id)
        last = result.attempts[-1]
        # Only the late death or late word of its child gives a case two results (runner/run/late_death.py).
        if result.id in record.results and last.how is not How.LATE and last.status is not Status.ERROR:
            raise ValueError(f"a second result of {result.id}")
        record.results[result.id] = result

    def _id_of(self, data: dict[str, Any]) -> str:
        if (test_id := _text(data["id"])) not in self._ids:
            check_id(test_id)
            raise ValueError(f"{test_id!r} is not one of the run's cases")
        return test_id


def _either(folder: Path) -> str:
    """The folders of a run's configurations, in words. Raises ValueError if they are not names of configurations."""
    *names, last = map(str, runs_in(folder))
    if not names:
        raise ValueError("a configuration that the header does not name")
    return f"{', '.join(names)} or {last}"


def _parse_lines(lines: Sequence[str]) -> Sequence[Any]:
    """Each line's value, all in one go; if they are not one value each, the lines, to find the one that is damaged."""
    with contextlib.suppress(ValueError, RecursionError):
        values: list[Any] = parse_json(f"[{','.join(lines)}]")
        if len(values) == len(lines) and not any(isinstance(value, str) for value in values):
            return values
    return lines


def _seconds(value: object) -> float:
    if not fits(value, float):
        raise TypeError(f"{str(value)[:60]!r} is not a number of seconds")
    return float(value)  # type: ignore[arg-type]  # it fits


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:60]!r} is not text")
    return value


def _address(value: object) -> str:
    """An address that a page may link to; "" for anything else, such as a script."""
    text = _text(value)
    return text if _ADDRESS.fullmatch(text) else ""


def _drop_torn_line(path: Path) -> None:
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)
