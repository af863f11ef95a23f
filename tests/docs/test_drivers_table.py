"""The tables of drivers in README and docs/emulation.md: which rows there are, and the bugs that only one driver shows."""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import pytest
import yaml
from documentation import ROOT

from emulators import FAMILIES
from runner.drivers.registry import load_drivers, resolve
from runner.expectations.sightings import load_listings
from runner.expectations.target import ALL, Target
from runner.model import Status

_HOW = {"device": "", "emulated": "emulate", "compiled": "compile"}
_RELEASES = {"trixie": "25.0", "sid": "26.2"}


@dataclass(frozen=True)
class Row:
    driver: str
    gpus: tuple[str, ...]  # none: all
    mesa: str
    mode: str
    cases: str
    bugs: int

    def covers(self, layer: Target) -> bool:
        """Whether a file's entries may belong to this row."""
        if (layer.driver, layer.mode) != (self.driver, self.mode):
            return False
        return any(layer.overlaps(Target(self.driver, gpu, self.mode, self.mesa)) for gpu in self.gpus or ("",))


def _cells(page: str, head: str) -> Iterator[list[str]]:
    """The rows of the table that begins with this head."""
    _, _, rest = (ROOT / page).read_text().partition(head)
    assert rest, f"{page}: no table with {head}"
    for line in itertools.takewhile(lambda line: line.startswith("|"), rest.splitlines()[2:]):
        yield [cell.strip() for cell in line.strip("|").split("|")]


@cache
def _rows() -> list[Row]:
    rows = []
    for driver, _, gpus, mesa, how, cases, _, bugs in _cells("docs/emulation.md", "| driver | generation | GPUs |"):
        named = () if gpus.startswith("all") else tuple(gpus.split(", "))
        rows.append(Row(driver, named, mesa.rpartition(".")[0], _HOW[how], cases, int(bugs)))
    return rows


@cache
def _alone() -> Mapping[int, list[Target]]:
    """The bugs that only one driver's files name, and not those of all drivers; with the files' names."""
    named: dict[int, list[Target]] = {}
    for listing in load_listings(ROOT / "expectations"):
        bugs = {entry.bug for entry in listing.entries.values() if entry.bug and entry.statuses != {Status.PASS}}
        for bug in bugs:
            named.setdefault(bug, []).append(listing.layer)
    return {
        bug: layers
        for bug, layers in named.items()
        if len({layer.driver for layer in layers}) == 1 and layers[0].driver != ALL
    }


def test_each_row_has_the_number_of_bugs_that_only_its_driver_shows_there() -> None:
    found = [sum(any(map(row.covers, layers)) for layers in _alone().values()) for row in _rows()]
    assert [row.bugs for row in _rows()] == found, "docs/emulation.md, the last column"


def test_readme_has_the_number_of_bugs_of_each_driver() -> None:
    rows = {
        tuple(driver.split(", ")): int(cells[-1])
        for driver, *cells in _cells("README.md", "| driver | executed on a device |")
    }
    assert set(itertools.chain(*rows)) == {row.driver for row in _rows()}
    assert rows == {drivers: sum(layers[0].driver in drivers for layers in _alone().values()) for drivers in rows}


def test_each_emulated_gpu_and_each_compiler_has_a_row() -> None:
    drivers = load_drivers()
    shims = [(name, shim) for name, driver in drivers.items() for shim in driver.shims]
    emulated = {
        (name, gpu)
        for name, s in shims
        if s.emulator and name != "zink"
        for gpu in s.gpus
        if gpu in FAMILIES[s.emulator].gpus
    }
    assert {
        (row.driver, gpu) for row in _rows() if row.mode == "emulate" and row.driver != "zink" for gpu in row.gpus
    } == emulated
    assert {row.driver for row in _rows() if row.mode == "compile"} == {name for name, _ in shims}


@pytest.mark.parametrize(("job", "mode"), [(".rusticl-emulate-all", "emulate"), (".rusticl-compile-all", "compile")])
def test_the_nights_run_what_was_run_whole(job: str, mode: str) -> None:
    drivers = load_drivers()
    run = set()
    for row in yaml.safe_load((ROOT / "ci/gitlab/rusticl.yml").read_text())[job]["parallel"]["matrix"]:
        words = [
            value if isinstance(value, list) else [value] for value in (row[k] for k in ("RUSTICL_DRIVER", "RUSTICL_MESA"))
        ]
        gpus = row.get("RUSTICL_GPU", "all")
        for driver, mesa, gpu in itertools.product(*words, gpus if isinstance(gpus, list) else [gpus]):
            run.add((resolve(driver, drivers).name, gpu, _RELEASES[re.split(r"\W", mesa)[0]]))
    rows = {(row.driver, gpu, row.mesa) for row in _rows() if row.mode == mode for gpu in row.gpus or ("all",)}
    whole = {
        (row.driver, gpu, row.mesa)
        for row in _rows()
        if row.mode == mode and row.cases.startswith("all") for gpu in row.gpus or ("all",)
    }  # fmt: skip
    assert whole <= run, "the nights lack these"
    assert run <= rows, "the table lacks these"
