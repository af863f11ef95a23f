"""`runner site OUT [RESULTS...] --history FILE`: a static site of everything in a history, without a server or a network.

A matrix of drivers, GPUs and releases of Mesa with its pass rates, also by area; a page a bug, a page a test that ever
failed, with its runs over time; a page a run, the full one for those whose RESULTS are given. Today's expectations judge.
"""

import argparse
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from runner.analysis.merged_runs import load_report
from runner.commands.options import add_history, add_judged_by, places_of
from runner.expectations.bugs import Bug, bugs_folder, load_bugs
from runner.expectations.resolution import load_expectations
from runner.expectations.sightings import count_by_driver, load_listings
from runner.lines import tell
from runner.model import ExitCode, UsageError
from runner.output.files import write_text
from runner.pages import site_pages as pages
from runner.pages import site_tables as tables
from runner.pages.fill import fill_page, read_asset
from runner.pages.run_page import head_of, plain_of, run_data, title_of
from runner.pages.run_views import history_data
from runner.pages.site_data import SiteData, load_site, target_name
from runner.records.artifacts import opened_artifacts, run_key
from runner.records.history import History

_FOLDERS = ("areas", "bugs", "cases", "runs", "targets")
_MARK = "site.css"  # a folder that holds it is an earlier site


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the history and results, the folder to write."""
    parser.add_argument("out", type=Path, metavar="OUT", help="a new folder, or one with an earlier site, which it replaces")
    where = "results directories or artifacts.zip, one run each: their pages show every test with its evidence"
    parser.add_argument("results", nargs="*", type=Path, metavar="RESULTS", help=where)
    add_history(parser)
    add_judged_by(parser)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Write it, and print how large it is."""
    out: Path = arguments.out
    if out.exists() and not (out.is_dir() and ((out / _MARK).is_file() or not any(out.iterdir()))):
        raise UsageError(f"{out}: not empty, and no earlier site; give a new folder")
    with History(arguments.history) as history:
        data = load_site(history, cache(partial(load_expectations, folder=arguments.expectations)))
    if not data.series:
        raise UsageError(f"{arguments.history}: knows no run; fill it with `runner history import`")
    bugs = load_bugs(bugs_folder(arguments.expectations))
    files = 1
    try:
        for name in _FOLDERS:
            shutil.rmtree(out / name, ignore_errors=True)
            (out / name).mkdir(parents=True)
        (out / _MARK).write_text(read_asset("report.css") + read_asset("site.css"), encoding="utf-8")
        for name, text in _pages(data, bugs, count_by_driver(load_listings(arguments.expectations))):
            (out / name).write_text(text, encoding="utf-8", errors="backslashreplace")
            files += 1
        for place in arguments.results:
            files += _write_run(place, out, bugs, arguments)
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}; give another OUT") from error
    for run in data.left_out:
        why = run.fault or "older than those that are shown"
        tell(f"left out: the run of {target_name(run)}, begun {run.begun}: {why}")
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    tell(f"{out / 'index.html'}: {files} files, {size / 1e6:.1f} MB")
    return ExitCode.GREEN


def _pages(data: SiteData, bugs: dict[int, Bug], entries: dict[int, Counter[str]]) -> Iterator[tuple[str, str]]:
    """Every static page: its file and its text."""
    yield "index.html", pages.index_page(data)
    yield "areas.html", pages.areas_page(data)
    yield "bugs.html", pages.bugs_page(bugs, entries)
    yield "runs.html", pages.runs_page(data)
    for area in data.areas:
        yield tables.area_page(area), pages.area_text(data, area)
    for name in data.targets:
        yield tables.target_page(name), pages.target_text(data, name)
    for number, bug in bugs.items():
        yield f"bugs/{number}.html", pages.bug_text(data, bug, entries.get(number, Counter()))
    for test_id in data.bad:
        yield tables.case_page(test_id), pages.case_text(data, test_id, bugs)
    for series in data.series:
        for run in series.runs:
            yield tables.run_page(run), pages.run_text(data, run)


def _write_run(place: Path, out: Path, bugs: dict[int, Bug], arguments: argparse.Namespace) -> int:
    """Write the full page of a run in place of the short one; returns how many files are new."""
    report = load_report(place, *places_of(arguments))
    with opened_artifacts(place) as folders:
        keys = [run_key(folder) for folder in folders]
    data = run_data({"": report}, place, None, bugs)
    data["bug_pages"] = "../bugs/"
    data["history"] = history_data(arguments.history, set(keys), report)
    text = fill_page(title_of(report), head_of(report), plain_of(report), data)
    new = 0
    for key in keys:
        path = out / "runs" / f"{key}.html"
        new += not path.exists()
        write_text(path, text)
    return new
