"""`runner merge DIR...`: the shards and retries of one run become one results directory with one JUnit report."""

import argparse
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from runner.analysis.merged_runs import Part, difference, join_results, load_catalogue, make_part, selected_ids, sort_parts
from runner.cases import catalogue
from runner.commands.options import add_judged_by, places_of
from runner.compiler_stats import listing
from runner.lines import one_line, tell
from runner.model import ExitCode, Result, UsageError
from runner.output.reports import write_reports, write_whole
from runner.records import journal
from runner.records.artifacts import PARTS, find_runs, run_key
from runner.records.configurations import configurations_in, journal_of, runs_in
from runner.records.emulated import add_up
from runner.records.evidence import evidence_path
from runner.records.journal import NAME, Journal
from runner.run_config import RunConfig


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the runs, the folder to write."""
    add_judged_by(parser)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="results directories, or folders of them")
    parser.add_argument("--results", type=Path, default="results", metavar="DIR", help="a new folder (default results)")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Join runs and write every report; returns the exit code of the whole.

    The attempts of a case that several runs executed become one result, oldest run first. A case without a result in any run
    is Missing, so a missing shard is red. Raises UsageError for runs that are not of one selection, one device and these
    suites.
    """
    suites, expectations = places_of(arguments)
    out: Path = arguments.results
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out}: is there already; delete it, or give another --results")
    groups: dict[str, list[Part]] = {}
    for part in _load(arguments.folders):
        groups.setdefault(part.record.configuration, []).append(part)
    if "" in groups and len(groups) > 1:
        raise UsageError(
            f"{groups[''][0].folder}: is of one configuration, unlike the others; merge only the shards of one run"
        )
    order = [name for parts in groups.values() for name in configurations_in(journal_of(parts[0].folder)[0].parent)]
    merged = {name: _merge(groups[name], suites, expectations, out / name) for name in dict.fromkeys(order or groups)}
    for name, whole in merged.items():
        _write(out, name, whole, list(merged))
    reports = {name: write_reports(out / name, journal.read(out / name), whole.loaded) for name, whole in merged.items()}
    return write_whole(out, reports, {}) if "" not in reports else reports[""].exit_code


@dataclass(frozen=True, slots=True)
class _Whole:
    """The parts of one run, joined."""

    parts: list[Part]
    config: RunConfig
    loaded: catalogue.Catalogue
    ids: list[str]
    results: dict[str, Result]


def _merge(parts: list[Part], suites: Path, expectations: Path, out: Path) -> _Whole:
    """Raises UsageError if they are not parts of one run."""
    one = next((p for p in parts if p.record.device), parts[0])
    first = one.record
    for part in parts:
        why = difference(first, part.record)
        if not why and first.expectations != part.record.expectations:
            why = "was judged by other expectations"
        if why:
            raise UsageError(f"{part.folder}: {why}, unlike {one.folder}; merge only the shards of one run")
    if first.suites != catalogue.digest(suites):
        raise UsageError(f"{suites}: is not what {one.folder} ran; give --suites of the same commit")
    loaded = load_catalogue(suites, [first.config])
    config = replace(
        first.config,
        shard=(1, 1),
        results=str(out),
        suites=str(suites),
        expectations=str(expectations),
        jobs=max(p.record.config.jobs for p in parts),
    )
    ids = selected_ids(loaded, config, parts)
    results = join_results(parts)
    _say_what_is_missing(parts, ids, results)
    return _Whole(parts, config, loaded, ids, results)


def _load(folders: Iterable[Path]) -> list[Part]:
    """The runs below these folders, oldest first, each once."""
    parts: dict[str, Part] = {}
    for place in folders:
        found = find_runs(place) if place.is_dir() else []
        if not found:
            tell(f"{place}: no results in it")  # its shard will be missing
        for folder in found:
            part = make_part(folder)
            record = part.record
            if record.device is None and not record.results:
                tell(f"{folder}: found no device ({one_line(record.footer or 'killed')})")
                if not (record.footer or "").startswith("probe: "):
                    continue
            parts.setdefault(part.key, part)
    if not parts:
        raise UsageError("none of these folders holds a run; give the results directories of the shards")
    return sort_parts(parts.values())


def _say_what_is_missing(parts: Sequence[Part], ids: Sequence[str], results: dict[str, Result]) -> None:
    total = parts[0].record.config.shard[1]
    for index in range(1, total + 1):
        own = [p for p in parts if p.index == index]
        left = {i for p in own for i in p.record.ids} - results.keys()
        if own and left and not any(p.record.finished for p in own):
            why = own[-1].record.footer or "killed"
            tell(f"shard {index}/{total}: {len(left)} cases have no result ({one_line(why)})")
    absent = [i for i in range(1, total + 1) if all(p.index != i for p in parts)]
    covered = {i for p in parts for i in p.record.ids}
    if lost := [i for i in ids if i not in covered]:
        where = (
            ", ".join(f"shard {i}/{total} is missing" for i in absent) or "the shards were divided by different histories"
        )
        tell(f"{where}: {len(lost)} cases are in no run")


def _write(out: Path, name: str, whole: _Whole, configurations: Sequence[str]) -> None:
    """The journal of a configuration, "" for a single one, and what lies beside it."""
    parts, first = whole.parts, whole.parts[0].record
    device = next((p.record.device for p in parts if p.record.device), None)
    try:
        (out / name).mkdir(parents=True, exist_ok=True)
        for part in parts:
            source = journal_of(part.folder)[0]
            shard = out / PARTS / run_key(runs_in(source.parent)[0])  # one for all of its configurations
            (shard / name).mkdir(parents=True, exist_ok=True)
            for test_id, evidence in part.record.evidence.items():
                (path := out / name / evidence_path(test_id)).parent.mkdir(parents=True, exist_ok=True)
                path.write_text(evidence, encoding="utf-8")
            shutil.copyfile(source, shard / NAME)
            if (part.folder / listing.NAME).exists():
                shutil.copyfile(part.folder / listing.NAME, shard / name / listing.NAME)
    except OSError as error:
        raise UsageError(f"{error.filename or out}: {error.strerror}; give --results DIR elsewhere") from error
    header: dict[str, Any] = {
        "config": whole.config.to_json(),
        "ids": whole.ids,
        "suites": first.suites,
        "expectations": first.expectations,
        "begun": first.begun,
    }
    if name:
        header["configurations"] = configurations
    with Journal(out / NAME, name) as merged:
        merged.write("header", **header)
        if device:
            merged.write("device", report=asdict(device))
        for test_id in whole.ids:
            if test_id in whole.results:
                merged.write("result", **whole.results[test_id].to_json())
        emulated = add_up(p.record.emulated for p in parts)
        own: dict[str, Any] = {"emulated": emulated} if emulated else {}
        own["cpu_s"] = sum(p.record.cpu_s for p in parts)
        merged.write("footer", reason=_reason(parts), wall_s=sum(p.record.wall_s for p in parts), **own)
        merged.sync()


def _reason(parts: Sequence[Part]) -> str:
    """The merged run is at its end: a case without a result is Missing, unless the driver died in start-up."""
    for index in {p.index for p in parts}:
        own = [p.record for p in parts if p.index == index]
        last = own[-1].footer or ""
        if last.startswith("probe: ") and not any(record.finished for record in own):
            return last
    return ""
