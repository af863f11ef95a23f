"""`runner merge DIR...`: the shards and retries of one run become one results directory with one JUnit report."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from runner.analysis.merged_runs import (
    Part,
    difference,
    join_results,
    load_catalogue,
    make_part,
    selected_ids,
    sort_parts,
)
from runner.cases import catalogue
from runner.commands.options import add_judged_by, places_of
from runner.compiler_stats import listing
from runner.lines import one_line, tell
from runner.model import ExitCode, Result, UsageError
from runner.output.reports import write_reports
from runner.records import journal
from runner.records.artifacts import PARTS, find_runs
from runner.records.emulated import add_up
from runner.records.evidence import evidence_path
from runner.records.journal import NAME, Journal
from runner.run_config import RunConfig


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Which runs, and into what."""
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
    parts = _load(arguments.folders)
    one = next((p for p in parts if p.record.device), parts[0])
    first = one.record
    for part in parts:
        why = difference(first, part.record)
        if not why and first.expectations != part.record.expectations:
            why = "was judged by other expectations"
        if why:
            raise UsageError(f"{part.folder}: {why}, unlike {one.folder}; merge the shards of one run alone")
    if first.suites != catalogue.digest(suites):
        raise UsageError(f"{suites}: is not what {one.folder} ran; give --suites of the same commit")
    known = load_catalogue(suites, [first.config])
    config = replace(
        first.config,
        shard=(1, 1),
        results=str(out),
        suites=str(suites),
        expectations=str(expectations),
        jobs=max(p.record.config.jobs for p in parts),
    )
    ids = selected_ids(known, config, parts)
    results = join_results(parts)
    _say_what_is_missing(parts, ids, results)
    _write(out, parts, config, ids, results)
    return write_reports(out, journal.read(out), known)


def _load(folders: Iterable[Path]) -> list[Part]:
    """The runs below these folders, oldest first, each once."""
    parts: dict[str, Part] = {}
    for place in folders:
        found = find_runs(place) if place.is_dir() else []
        if not found:
            tell(f"{place}: no results in it")  # its shard will be missed
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


def _write(out: Path, parts: Sequence[Part], config: RunConfig, ids: Sequence[str], results: dict[str, Result]) -> None:
    first = parts[0].record
    device = next((p.record.device for p in parts if p.record.device), None)
    try:
        for part in parts:
            (out / PARTS / part.key).mkdir(parents=True)
            for test_id, evidence in part.record.evidence.items():
                (path := out / evidence_path(test_id)).parent.mkdir(parents=True, exist_ok=True)
                path.write_text(evidence, encoding="utf-8")
            for name in (NAME, listing.NAME):
                if (part.folder / name).exists():
                    shutil.copyfile(part.folder / name, out / PARTS / part.key / name)
    except OSError as error:
        raise UsageError(f"{error.filename or out}: {error.strerror}; give --results DIR elsewhere") from error
    header: dict[str, Any] = {
        "config": config.to_json(),
        "ids": ids,
        "suites": first.suites,
        "expectations": first.expectations,
        "begun": first.begun,
    }
    with Journal(out / NAME) as merged:
        merged.write("header", **header)
        if device:
            merged.write("device", report=asdict(device))
        for test_id in ids:
            if test_id in results:
                merged.write("result", **results[test_id].to_json())
        emulated = add_up(p.record.emulated for p in parts)
        own: dict[str, Any] = {"emulated": emulated} if emulated else {}
        own["cpu_s"] = sum(p.record.cpu_s for p in parts)
        merged.write("footer", reason=_reason(parts), wall_s=sum(p.record.wall_s for p in parts), **own)
        merged.sync()


def _reason(parts: Sequence[Part]) -> str:
    """The merged run is at its end: what has no result is Missing. But a driver that died in start-up is the reason."""
    for index in {p.index for p in parts}:
        own = [p.record for p in parts if p.index == index]
        last = own[-1].footer or ""
        if last.startswith("probe: ") and not any(record.finished for record in own):
            return last
    return ""
