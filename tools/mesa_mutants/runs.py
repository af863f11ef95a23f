"""A run of a suite on a library, by the runner itself, and its red cases."""

import fnmatch
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from runner import ROOT
from runner.cache_folder import cache_folder
from runner.cases import catalogue
from runner.drivers.presence import shim_of
from runner.drivers.registry import expectations_of, load_drivers, resolve
from runner.lines import one_line, tell
from runner.model import DeviceReport, UsageError
from runner.records import journal
from runner.records.journal import Record
from runner.run_config import RunConfig
from runner.verdict.report import ReportRow, make_report
from tools.mesa_mutants.table import Target

_LIMIT_S = 3600.0
_MESSAGE = 300  # characters of a message


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run."""

    red: tuple[tuple[str, str], ...]  # id and message of all red cases, in the order of their results
    cases: int
    note: str
    cpu_s: float
    wall_s: float
    build_id: str  # of the library that was used as the driver


def run(
    library: Path,
    target: Target,
    tier: str,
    globs: Sequence[str],
    jobs: int,
    scratch: Path,
    shims: Sequence[Path] = (),
    known: Sequence[str] = (),
    most: int = 0,
    shard: str = "",
) -> Run:
    """Run the cases of some globs on a library, with every cache in `scratch`, a new folder.

    It leaves out `known`, and ends after `most` red cases (0: at its end). `shard`: a part of the cases, as for --shard.
    """
    (scratch / "prefix/lib").mkdir(parents=True)
    shutil.copyfile(library, scratch / "prefix/lib/libRusticlOpenCL.so.1")
    for shim in shims:
        shutil.copyfile(shim, scratch / "prefix/lib" / shim.name)
    words = [f"--driver={target.driver}", f"--mesa-prefix={scratch / 'prefix'}", f"--tier={tier}"]
    words += [f"--mode={target.mode}", f"--gpu={target.gpu}"] if target.gpu else []
    words += [f"--variant={target.variant}"] if target.variant else []
    words += [f"--jobs={jobs}", f"--results={scratch / 'results'}", f"--max-fails={most}"]
    words += [f"--shard={shard}"] if shard else []
    words += [word for glob in globs for word in ("-t", glob)]
    if any(glob.startswith("piglit/") for glob in globs):
        words.append(f"--piglit={_piglit()}")
    for test_id in known:
        words += ["-x", test_id]
    # Libclc as parsed by this library is of no use to another one: it must not be in the cache that runs share.
    own = [f"RUSTICL_RUNNER_CACHE={scratch / 'cache'}"]
    if target.gpu and (family := _family(target)):
        own.append(f"RUNNER_EMULATOR={_emulator(family)}")
    command = [str(ROOT / "ci/in-root"), "env", *own, "python3", "-P", "-m", "runner.cli", *words]
    begun = time.monotonic()
    with (scratch / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        note, cpu_s = _await(process)
    wall_s = time.monotonic() - begun
    try:
        record = journal.read(scratch / "results")
        red, ended = _judge(record)
        return Run(red, len(record.results), note or ended, cpu_s, wall_s, record.device.build_id if record.device else "")
    except UsageError as error:
        text = (scratch / "log").read_text(encoding="utf-8", errors="replace").strip()
        return Run((), 0, one_line(f"no results: {error}: {text[-300:]}"), cpu_s, wall_s, "")


@cache
def _piglit() -> str:
    """The folder of Debian's piglit, which is downloaded if it is missing."""
    return subprocess.run([ROOT / "ci/piglit"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def _family(target: Target) -> str:
    """The emulator's family; "" if none has this GPU. Raises UsageError for an unknown one."""
    config = RunConfig(target.driver, target.gpu, mode=target.mode)
    return shim_of(resolve(target.driver, load_drivers(config.registry)), config).emulator


@cache
def _emulator(family: str) -> str:
    """The emulator that executes launches, or checks compiled code: no change concerns it, so it is built once."""
    command = (ROOT / "ci/in-root", "python3", "-P", "-m", "emulators.library", family, cache_folder() / "emulators")
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def _await(process: subprocess.Popen[bytes]) -> tuple[str, float]:
    """Wait for the end; returns a note and the CPU seconds of the process and its children."""
    deadline_s, note = time.monotonic() + _LIMIT_S, ""
    try:
        while True:
            pid, _, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = 0  # it has been waited for
                return note, usage.ru_utime + usage.ru_stime
            if time.monotonic() > deadline_s and not note:
                note = f"stopped after {_LIMIT_S:.0f} s"
                os.killpg(process.pid, signal.SIGTERM)
            time.sleep(0.1)
    except BaseException:
        os.killpg(process.pid, signal.SIGTERM)
        raise


def _judge(record: Record) -> tuple[tuple[tuple[str, str], ...], str]:
    expectations = expectations_of(record.config, record.device or DeviceReport())
    report = make_report(record, expectations, _catalogue().kinds)
    order = {test_id: number for number, test_id in enumerate(record.results)}
    # Findings about the device come first, as a reader sees them.
    rows: list[ReportRow] = sorted(report.red, key=lambda row: order.get(row.id, -1))
    note = "" if record.finished or "--max-fails" in (record.footer or "") else record.footer or "it has no end"
    return tuple((row.id, one_line(row.message)[:_MESSAGE]) for row in rows), one_line(note)[:_MESSAGE]


@cache
def _catalogue() -> catalogue.Catalogue:
    return catalogue.load(ROOT / "suites")


def globs_of_words(words: Sequence[str], globs: Sequence[str]) -> list[str]:
    """Globs for the cases whose ids have one of the words that have three letters or more."""
    narrower = dict.fromkeys(f"{glob.rstrip('*')}*{word}*" for glob in globs for word in words if len(word) > 2)
    return [glob for glob in narrower if fnmatch.filter(_catalogue().cases, glob)]


def say(text: str) -> None:
    """Print a message at once."""
    tell(text, file=sys.stdout, flush=True)
