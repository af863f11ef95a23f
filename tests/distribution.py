"""Which tier a test is in, which worker runs it, and when."""

import contextlib
import gc
import importlib
import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from runner.run.scheduling import GroupScheduling

gc.set_threshold(100_000)  # as the command: this saves two fifths of a worker's CPU seconds until its first test

# The fixtures that put a test into a tier other than `fast`.
_TIERS = {
    "opened": "root",
    "lab": "root",
    "browser": "root",
    "compiled": "root",
    "sample": "root",
    "logs": "root",
    "workplace": "root",
    "library_of": "root",  # of all emulated GPUs
    "project": "root",
    "real": "root",
    "component": "root",
    "mock": "slow",
    "wheel": "slow",
}


def pytest_collection(session: pytest.Session) -> None:
    """A worker of a whole run first imports its share of the files, so that each is compiled by one of them."""
    worker = getattr(session.config, "workerinput", None)
    if worker and session.config.args == session.config.getini("testpaths"):
        share = slice(int(worker["workerid"].removeprefix("gw")), None, worker["workercount"])
        for file in sorted(Path(__file__).parent.rglob("test_*.py"))[share]:
            if str(file.parent) not in sys.path:
                sys.path.insert(0, str(file.parent))
            with contextlib.suppress(Exception, pytest.skip.Exception):  # collection imports it again, and says why
                importlib.import_module(file.stem)


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    for item in items:
        _mark(item)
    yield  # -m chooses
    items[:] = _begin_with_the_longest(items)


# Files whose tests look at pages: one worker starts one browser for all of them.
_PAGES = ("tests/reports/test_html", "tests/reports/test_site")
# Tests of one function that share no fixture of their file: they take minutes, or there are a thousand of them at night.
_SPREAD_OVER_WORKERS = (
    "test_the_main_job",
    "test_a_mutant_is_caught",
    "test_one_wrong_element",
    "test_what_is_read",
    "test_a_million",
)
# Seconds that the tests of a file wait, with nothing to do: a board says its verdict for four.
_WAITS = {"test_serial.py": 20}


class _FileScheduling(GroupScheduling):
    """The tests of a file go to one worker, which makes their fixtures once; so do those that share a browser."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, name = nodeid.partition("::")
        if file.startswith(_PAGES):
            return "pages"
        return nodeid if name.startswith(_SPREAD_OVER_WORKERS) else file


@pytest.hookimpl(tryfirst=True, optionalhook=True)  # unknown under -p no:xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling:
    config.option.loadscopereorder = False  # the order is that of _begin_with_the_longest
    return _FileScheduling(config, log)


def _mark(item: pytest.Item) -> None:
    """Give a test its tier: fast needs nothing that a plain machine lacks and is done in a moment."""
    fixtures = getattr(item, "fixturenames", ())
    own = {marker.name for marker in item.iter_markers()} & {"fast", "root", "slow", "nightly"}
    tiers = {_TIERS[name] for name in fixtures if name in _TIERS}
    for tier in () if own else tiers or {"fast"}:
        item.add_marker(tier)
    if "opened" in fixtures:
        # Bodies run in this process. In a child a warning is not one of their failures, and catches no mutant.
        item.add_marker(pytest.mark.filterwarnings("default"))


def _begin_with_the_longest(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """First the tests that take minutes, then file by file those that need the root or wait, at last the quick ones."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if not item.get_closest_marker("long"):
            files.setdefault(item.path, []).append(item)
    longest = [item for item in items if item.get_closest_marker("long")]
    *rest, first = sorted(files.values(), key=_seconds) or [[]]
    # A worker is given one file more than it works on, so the file behind a main job should be short.
    soon, later = rest[: len(longest)], rest[len(longest) :]
    return [*longest, *itertools.chain(first, *soon, *reversed(later))]


def _seconds(file: Sequence[pytest.Item]) -> int:
    """About how long the tests of a file take, by their tiers."""
    seconds = (next((s for tier, s in (("root", 3), ("slow", 1)) if item.get_closest_marker(tier)), 0) for item in file)
    return sum(seconds, _WAITS.get(file[0].path.name, 0))
