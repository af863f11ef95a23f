"""`runner --driver NAME --gpu all --mode compile`, or emulate: the GPUs of a driver's shims, one after the other."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from runner.drivers.registry import driver_of
from runner.lines import tell
from runner.model import ExitCode, InfrastructureError, UsageError, Verdict
from runner.records.journal import NAME, read
from runner.run.job import run
from runner.run_config import RunConfig

ALL = "all"
_WORST_FIRST = (
    ExitCode.INTERRUPTED,
    ExitCode.REGRESSION,
    ExitCode.INFRASTRUCTURE,
    ExitCode.NOTHING_RAN,
    ExitCode.IMPROVED,
    ExitCode.GREEN,
)


@dataclass(frozen=True, slots=True)
class Member:
    """How the run of one GPU ended; `note` is the reason where there was none."""

    gpu: str
    exit_code: ExitCode | None = None
    counts: Counter[str] = field(default_factory=Counter)
    note: str = ""


def run_family(config: RunConfig, resume: bool) -> ExitCode:
    """Run the selection on every GPU, each with results of its own below --results; returns the worst exit code.

    A GPU that this Mesa lacks by the registry is left out, and reported; the first run shows which Mesa it is. Raises
    UsageError without --mode compile or emulate, because a machine only has the GPUs that it has.
    """
    driver = driver_of(config)
    known = driver.gpus_of(config.mode)
    if config.has_device or not known:
        raise UsageError(
            f"--gpu all: needs --mode compile and a driver with shims, and {driver.name} has "
            f"{', '.join(driver.gpus_of('compile')) or 'none'}; or --mode emulate, for "
            f"{', '.join(driver.gpus_of('emulate')) or 'none of them'}"
        )
    folder = Path(config.results)
    if (folder / NAME).exists():
        raise UsageError(f"{folder}: holds the results of one GPU; give another --results")
    members: list[Member] = []
    mesa = ""
    for shim in driver.shims:
        for gpu in (name for name in shim.gpus if name in known):
            if not shim.is_in(mesa):
                when = f"since Mesa {shim.since}" if shim.since else f"until Mesa {shim.until}"
                members.append(Member(gpu, note=f"not in Mesa {mesa}: known {when}"))
                continue
            tell(f"== {driver.name} {gpu}", file=sys.stderr)
            own = replace(config, gpu=gpu, results=str(folder / gpu))
            members.append(_run_member(own, resume and (folder / gpu / NAME).exists()))
            if members[-1].exit_code == ExitCode.INTERRUPTED:
                break
            if not mesa and (folder / gpu / NAME).exists() and (device := read(folder / gpu).device):
                mesa = device.mesa
        if members[-1].exit_code == ExitCode.INTERRUPTED:
            break
    tell(_table(members))
    codes = [m.exit_code for m in members if m.exit_code is not None]
    return min(codes, key=_WORST_FIRST.index) if codes else ExitCode.NOTHING_RAN


def _run_member(config: RunConfig, resume: bool) -> Member:
    try:
        code = run(config, resume)
    except InfrastructureError as error:
        return Member(config.gpu, ExitCode.INFRASTRUCTURE, note=str(error))
    path = Path(config.results) / "results.csv"
    with path.open(newline="", encoding="utf-8") as file:
        counts = Counter(status for _, status, _ in csv.reader(file))
    return Member(config.gpu, code, counts)


def _table(members: list[Member]) -> str:
    """One line a GPU: its verdicts and its exit code."""
    words = [v for v in Verdict if any(m.counts[v] for m in members)]
    width = max(len(m.gpu) for m in members)
    head = " ".join([f"{'gpu':{width}}", *(f"{w:>{max(7, len(w))}}" for w in words), "exit"])
    lines = [head]
    for m in members:
        counts = (f"{m.counts[w] or '-':>{max(7, len(w))}}" for w in words)
        code = "-" if m.exit_code is None else m.exit_code
        lines.append(" ".join([f"{m.gpu:{width}}", *counts, f"{code:>4}", *filter(None, [m.note])]))
    return "\n".join(lines)
