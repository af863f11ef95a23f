"""The runs that make up one result, shards and their retries: find, distinguish, join and judge them."""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runner.cases import catalogue
from runner.cases.catalogue import Catalogue
from runner.drivers.registry import expectations_of
from runner.model import Attempt, DeviceReport, Result, UsageError
from runner.records import journal
from runner.records.artifacts import PARTS, find_runs, opened_artifacts, run_key
from runner.records.configurations import journal_of
from runner.records.emulated import add_up
from runner.records.evidence import load_evidence
from runner.records.journal import NAME, Record
from runner.run_config import MERGE, RunConfig
from runner.sources import announce, forget
from runner.verdict.likeness import name_similar
from runner.verdict.report import Report, make_report


@dataclass(frozen=True, slots=True)
class Part:
    """One run: a shard, or a retry of one."""

    folder: Path
    record: Record
    key: str

    @property
    def index(self) -> int:
        """The shard's number, from 1."""
        return self.record.config.shard[0]


def make_part(folder: Path) -> Part:
    """The run of a results directory. Raises UsageError if there is none."""
    record = journal.read(folder)
    record.evidence = load_evidence(folder)
    return Part(folder, record, run_key(folder))


def sort_parts(parts: Iterable[Part]) -> list[Part]:
    """Oldest first."""
    return sorted(parts, key=lambda p: (p.record.begun, p.index, p.key))


def difference(one: Record, other: Record) -> str:
    """Why two runs cannot be parts of one run; "" if they can."""
    if name := one.config.difference(other.config, MERGE):
        return f"was run with {name} {getattr(other.config, name)!r}"
    if one.config.shard[1] != other.config.shard[1]:
        return f"is one of {other.config.shard[1]} shards"
    if one.suites != other.suites:
        return "ran other suites"
    if one.device and other.device and one.device.identity != other.device.identity:
        what = ", ".join(filter(None, (other.device.device, f"Mesa {other.device.mesa or '?'}", other.device.cpu_class)))
        return f"ran on another device ({what})"
    return ""


def join_results(parts: Sequence[Part]) -> dict[str, Result]:
    """Every attempt of a case that several runs executed in one result, oldest run first."""
    attempts: dict[str, tuple[Attempt, ...]] = {}
    for part in parts:
        for test_id, result in part.record.all_results.items():
            attempts[test_id] = (*attempts.get(test_id, ()), *result.attempts)
    return {i: Result(i, own) for i, own in attempts.items()}


def load_reports(places: Iterable[Path], suites: Path, expectations: Path) -> tuple[list[Report], Catalogue]:
    """The runs in folders or artifacts, judged by these expectations: a report for each selection and device.

    Shards and retries of one run are joined, whether they were merged before or not; a run that is found twice counts
    once. The cases of a shard that is not there are Missing. Raises UsageError if there is no run.
    """
    with contextlib.ExitStack() as stack:
        runs = [run for place in places for run in stack.enter_context(opened_artifacts(place))]
        parts = _load_once(list(dict.fromkeys(map(_whole, runs))))
    groups: list[list[Part]] = []
    for part in sorted(parts, key=lambda p: p.record.device is None):  # those with a device define the groups
        group = next((g for g in groups if not difference(g[0].record, part.record)), None)
        if group is None:
            groups.append(group := [])
        group.append(part)
    loaded = load_catalogue(suites, [part.record.config for part in reversed(parts)])
    records = [_join(sort_parts(group), loaded, suites) for group in groups]
    reports = []
    for record in records:
        record.config = replace(record.config, suites=str(suites), expectations=str(expectations))
        expected = expectations_of(record.config, record.device or DeviceReport())
        reports.append(name_similar(make_report(record, expected, loaded.kinds), loaded))
    return reports, loaded


def load_catalogue(suites: Path, configs: Iterable[RunConfig]) -> Catalogue:
    """The suites as these runs saw them; a run's ids replace those made from sources that cannot be read here."""
    for config in configs:
        announce(config)
    try:
        return catalogue.load(suites)
    except UsageError:
        forget()
        return catalogue.load(suites)


def selected_ids(loaded: Catalogue, config: RunConfig, parts: Iterable[Part]) -> list[str]:
    """The selection of a run of several shards; if its sources cannot be read here, that of the shards that are there."""
    try:
        return catalogue.select(loaded, config.include, config.exclude, config.tier)
    except UsageError:
        return list(dict.fromkeys(i for part in parts for i in part.record.ids))


def load_report(place: Path, suites: Path, expectations: Path) -> Report:
    """The one run that is there, in however many parts. Raises UsageError if there are several."""
    return only_report(place, load_reports([place], suites, expectations)[0])


def only_report(place: Path, reports: Sequence[Report]) -> Report:
    """The first of them. Raises UsageError if there are others."""
    first, *others = reports
    if others:
        why = difference(first.record, others[0].record)
        raise UsageError(f"{place}: holds more than one run: one {why}, unlike another; give their folders apart")
    return first


def _whole(run: Path) -> Path:
    """The merged directory that a run is part of, or its own: the merged journal knows which shard was missing."""
    path, name = journal_of(run)
    parts = path.parent.parent
    return parts.parent / name if parts.name == PARTS and (parts.parent / NAME).exists() else run


def _load_once(folders: Sequence[Path]) -> list[Part]:
    """Each run once, even if both a merged directory and its parts are given.

    If a run is there in two states, before and after --resume, the later one counts.
    """
    runs = {folder: find_runs(folder) for folder in folders}
    keys = {run: run_key(run) for own in runs.values() for run in own}
    latest = {keys[run]: run for run in sorted(keys, key=_bytes_of)}
    parts = []
    for folder in sorted(folders, key=lambda f: -len(runs[f])):
        new = [run for run in runs[folder] if latest.get(keys[run]) == run]
        for run in new:
            del latest[keys[run]]
        parts += [make_part(run) for run in ([folder] if len(new) == len(runs[folder]) else new)]
    return parts


def _bytes_of(run: Path) -> int:
    """How much a run has written: its journal only grows."""
    return journal_of(run)[0].stat().st_size


def _join(parts: Sequence[Part], loaded: Catalogue, suites: Path) -> Record:
    first = next((p.record for p in parts if p.record.device), parts[0].record)
    config = first.config
    ids = dict.fromkeys(i for p in parts for i in p.record.ids)
    reasons = [r for index in sorted({p.index for p in parts}) if (r := _reason(parts, index)) != ""]
    if config.shard[1] > 1:
        if first.suites == catalogue.digest(suites):
            ids = dict.fromkeys(selected_ids(loaded, config, parts))
        elif absent := set(range(1, config.shard[1] + 1)) - {p.index for p in parts}:
            reasons.append(f"shard {min(absent)}/{config.shard[1]} is missing")
    return Record(
        replace(config, shard=(1, 1), jobs=max(p.record.config.jobs for p in parts)),
        tuple(ids),
        first.suites,
        first.expectations,
        parts[0].record.begun,
        first.ci_job,
        first.host,
        first.device,
        join_results(parts),
        footer=reasons[0] if reasons else "",
        wall_s=sum(p.record.wall_s for p in parts),
        cpu_s=sum(p.record.cpu_s for p in parts),
        emulated=add_up(p.record.emulated for p in parts),
        evidence={i: text for p in parts for i, text in p.record.evidence.items()},
        configuration=first.configuration,
    )


def _reason(parts: Sequence[Part], index: int) -> str | None:
    """How a shard ended, "" if it came to its end in one of its runs; None: killed."""
    own = [p.record for p in parts if p.index == index]
    return "" if any(record.finished for record in own) else own[-1].footer
