"""Many random programs: chunks of them go to workers, and each red one is run alone and reduced.

A chunk's case runs its programs one after another in one request, so that a program costs little more than its
compilation. The child says which one it begins: if it dies, that one is red, and the rest of the chunk follows.
"""

import json
import multiprocessing
import os
import re
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from runner.cases.catalogue import Suite, load_header
from runner.importing import import_suite_module
from runner.model import Attempt, Case, InfrastructureError, Status, UsageError
from runner.run.worker import Worker
from runner.run_config import RunConfig

CHUNK = 20  # programs of a request
_JOURNAL = "fuzz.jsonl"
_TRIALS = 60  # of smaller forms of one that dies; a second each
_RERUNS_PER_PLACE = (
    2  # deaths in one place that are run alone and made small; the others are counted, unless all are asked for
)


@dataclass(frozen=True, slots=True)
class Red:
    """A program that went wrong: what it did, and when it ran alone its small form ("" if it was not made small)."""

    family: str
    number: int
    status: str
    message: str
    least: str = ""
    group: str = ""


Chunk = tuple[str, int, int]  # family, first number, how many


class Fuzzing:
    """The programs of some families from a number on, in a folder that holds the results so far.

    `all_small`: every red is made small, of the folder too. Raises UsageError for a folder of another run, or one that is
    there without `resume`.
    """

    def __init__(
        self,
        config: RunConfig,
        families: Sequence[str],
        first: int,
        count: int,
        without: Sequence[str],
        *,
        resume: bool,
        all_small: bool = False,
    ) -> None:
        self.config, self.without, self.all_small = config, tuple(without), all_small
        self.reds: list[Red] = []
        self.skipped: dict[str, str] = {}
        self._done: set[Chunk] = set()
        self._deaths: Counter[str] = Counter()
        self._folder = Path(config.results)
        self._path = self._folder / _JOURNAL
        self._chunks = list(_chunks(families, first, count))
        header = {"families": list(families), "first": first, "count": count, "without": list(without)}
        if self._path.exists():
            if not resume:
                raise UsageError(f"{self._path}: exists; --resume goes on with it, --results names another folder")
            self._read(header)
        else:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write({"event": "begin", **header})

    @property
    def done(self) -> int:
        """How many programs have run, in this run and in the one that it continues."""
        return sum(count for _, _, count in self._done)

    def run(self, report: Callable[[Red], None], progress: Callable[[int], None]) -> None:
        """Run what is left. `report` gets each red in its best known form, `progress` the number of programs done."""
        spawn = multiprocessing.get_context("spawn")
        with tempfile.TemporaryDirectory(prefix="runner-", ignore_cleanup_errors=True) as scratch:
            given = (self.config, scratch, self.without)
            with ProcessPoolExecutor(self.config.jobs, mp_context=spawn, initializer=_open, initargs=given) as pool:
                try:
                    self._run(pool, report, progress)
                except BaseException:
                    pool.shutdown(cancel_futures=True)
                    raise

    def _run(self, pool: ProcessPoolExecutor, report: Callable[[Red], None], progress: Callable[[int], None]) -> None:
        left = iter([chunk for chunk in self._chunks if chunk not in self._done])
        running: dict[Future[Any], Chunk | None] = {}
        # Reds of an earlier run whose small form was not there yet; the group of one that was only counted is its place.
        for red in [r for r in self.reds if not r.group or (self.all_small and not r.least and r.group == place_of(r))]:
            running[pool.submit(_alone, red)] = None
        while True:
            while len(running) < 2 * self.config.jobs and (chunk := next(left, None)):
                running[pool.submit(_run_chunk, chunk)] = chunk
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                chunk = running.pop(future)
                if chunk is None:
                    self._record_red(future.result(), report)
                    continue
                reds, skipped = future.result()
                event = {"event": "chunk", "chunk": list(chunk), "reds": [asdict(red) for red in reds]}
                self._write({**event, "skipped": skipped})
                self._done.add(chunk)
                if skipped:
                    self.skipped[chunk[0]] = skipped
                for red in reds:
                    self._deaths[place_of(red)] += 1
                    if self.all_small or red.status == Status.FAIL or self._deaths[place_of(red)] <= _RERUNS_PER_PLACE:
                        running[pool.submit(_alone, red)] = None
                    else:
                        self._record_red(replace(red, group=place_of(red)), report)
                progress(self.done)

    def _record_red(self, red: Red, report: Callable[[Red], None]) -> None:
        self.reds = [r for r in self.reds if (r.family, r.number) != (red.family, red.number)] + [red]
        self._write({"event": "red", **asdict(red)})
        report(red)

    def _write(self, event: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")

    def _read(self, header: dict[str, Any]) -> None:
        reds: dict[tuple[str, int], Red] = {}
        for line in self._path.read_text(encoding="utf-8").splitlines():
            try:
                event = json.loads(line)
            except ValueError:  # the last line of a run that was cut off
                continue
            match event.pop("event"):
                case "begin" if event != header:
                    raise UsageError(f"{self._path}: was begun with {event}, and this is {header}; give the same")
                case "chunk":
                    family, first, count = event["chunk"]
                    self._done.add((family, first, count))
                    found = [Red(**red) for red in event["reds"]]
                    reds |= {(red.family, red.number): red for red in found}
                    self._deaths.update(map(place_of, found))
                case "red":
                    reds[event["family"], event["number"]] = Red(**event)
        self.reds = list(reds.values())


def place_of(red: Red) -> str:
    """The key that reds of one cause share before they are made small: where the process died, else the stage."""
    return re.sub(r"\d+", "#", f"{red.status}: {red.message}".split(" < ")[0])[:120] if red.status != Status.FAIL else "Fail"


def _chunks(families: Sequence[str], first: int, count: int) -> Iterator[Chunk]:
    """The families in turn, so that a run that ends early has looked at all of them."""
    each, more = divmod(count, len(families))
    ends = {family: first + each + (n < more) for n, family in enumerate(families)}
    for begin in range(first, max(ends.values()), CHUNK):
        for family, end in ends.items():
            if begin < end:
                yield family, begin, min(CHUNK, end - begin)


# What follows runs in a worker's process.
_worker: Worker
_suite: Suite
_left_out: tuple[str, ...]
_before: tuple[str, int] | None = None  # the program that ran last: its family and number


def _open(config: RunConfig, scratch: str, without: tuple[str, ...]) -> None:
    global _worker, _suite, _left_out
    _worker, _left_out = Worker(config, Path(scratch), f"w{os.getpid()}"), without
    _suite = suite_of(config)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others, between two chunks
    Finalize(None, _worker.stop, exitpriority=10)
    _worker.start()


def suite_of(config: RunConfig) -> Suite:
    """The suite that has random programs."""
    return load_header(Path(config.suites) / "kernels" / "suite.yaml")


def _attempt(case: Case, *, last: bool = False) -> Attempt:
    _worker.ensure_ready()
    attempt = _worker.run(_suite, replace(case, timeout_s=_suite.timeout_s), None, last=last).attempts[-1]
    if attempt.status is Status.ERROR:
        raise InfrastructureError(f"{case.id}: harness error: {attempt.message}")
    return attempt


def _run_chunk(chunk: Chunk) -> tuple[list[Red], str]:
    """The reds of a chunk; or why its family is not for this device."""
    family, first, count = chunk
    global _before
    fuzzing = import_suite_module(_suite.folder, "fuzzing")
    numbers, reds = list(range(first, first + count)), list[Red]()
    while numbers:
        attempt = _attempt(fuzzing.several(family, numbers, _left_out))
        if (late := _worker.take_late()) and _before:
            reds.append(Red(_before[0], _before[1], Status.CRASH, late.attempts[-1].message))
        _before = (family, numbers[-1])
        wrong = re.findall(r"^wrong (\d+): (.+)$", attempt.output, re.MULTILINE)
        reds += [Red(family, int(number), Status.FAIL, message) for number, message in wrong]
        if attempt.status is Status.SKIP:
            return reds, attempt.message
        if attempt.status is Status.PASS or (attempt.status is Status.FAIL and wrong):
            break
        begun = [int(n) for n in re.findall(r"^program (\d+)$", attempt.output, re.MULTILINE)]
        if attempt.status is Status.FAIL and len(numbers) > 1:  # because of the driver's output, for any of them
            for number in numbers:
                reds += _run_chunk((family, number, 1))[0]
            break
        last = begun[-1] if begun else numbers[0]
        reds.append(Red(family, last, attempt.status, attempt.message))
        numbers = [n for n in numbers if n > last]
    return reds, ""


def _alone(red: Red) -> Red:
    """The red run alone: its message then, and the smallest form that still does so; for a pass, its group says so."""
    fuzzing = import_suite_module(_suite.folder, "fuzzing")
    case = fuzzing.program_case_of(red.family, red.number, _left_out)
    attempt = _attempt(case, last=True)
    if attempt.status is Status.PASS:
        return replace(red, group="passes by itself")
    red = replace(red, status=attempt.status, message=attempt.message)
    if attempt.status is Status.FAIL:  # made small by its body
        message, _, text = attempt.message.partition("; cut down to: ")
        return replace(red, message=message, least=text, group=f"Fail: {fuzzing.kind_of(text) if text else message}")

    def as_red(smaller: Case) -> bool:
        got = _attempt(smaller)
        return place_of(replace(red, status=got.status, message=got.message)) == place_of(red)

    least = case
    if attempt.status is Status.CRASH:
        least = import_suite_module(_suite.folder, "reduction").reduce(case, as_red, _TRIALS)
    return replace(red, least=fuzzing.text_of(least), group=place_of(red))
