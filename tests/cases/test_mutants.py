"""Every mutant of tests/mutants/ is caught: the inputs of the suites are strong enough to see it.

Every twentieth of them on each change; `ci/test --nightly tests/cases/test_mutants.py` runs them all.
"""

import re
import subprocess
import sys
from typing import Any

import pytest
from mutation import SUITES, Mutant, applied, areas, is_red, mutants_of, passing, resolve

from runner.importing import import_suite_module
from runner.model import DeviceReport

MUTANTS: list[Mutant] = [mutant for area in areas() for mutant in mutants_of(area)]

_NIGHTLY = pytest.mark.nightly("all mutants take longer than everything else together; a change sees every twentieth")


_LONG = ("models/", "tinygrad/training/", "kernels/process/start/")


def tiered() -> list[Any]:
    """The mutants: nineteen of twenty are nightly, and all that train, answer or start processes for seconds."""
    chosen = [n % 20 == 0 and not mutant.cases.startswith(_LONG) for n, mutant in enumerate(MUTANTS)]
    return [pytest.param(m, id=m.name, marks=[] if chosen[n] else [_NIGHTLY]) for n, m in enumerate(MUTANTS)]


def test_mutants_have_names_of_their_own() -> None:
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names)


@pytest.mark.root
@pytest.mark.parametrize("place", sorted({mutant.place for mutant in MUTANTS if mutant.place.startswith("suites.kernels.")}))
def test_what_a_mutant_replaces_is_there(place: str) -> None:
    path, _, name = place.rpartition(".")
    assert callable(getattr(resolve(path), name))


@pytest.mark.parametrize("mutant", tiered())
def test_a_mutant_is_caught(mutant: Mutant, opened: tuple[Any, DeviceReport]) -> None:
    device, report = opened
    suite = mutant.cases.split("/", 1)[0]
    run = import_suite_module(SUITES / suite, "run").run
    cases = passing(mutant.cases, report)
    assert cases, f"{mutant.cases} matches no case that this device passes"
    with applied(mutant):
        assert any(is_red(run, device, case) for case in cases), f"none of {len(cases)} cases saw it"


@pytest.mark.nightly("a dozen mutants, each on the cases of an area")
@pytest.mark.usefixtures("opened")
def test_power_says_which_tier_catches_what_and_which_cases_are_the_only_ones() -> None:
    command = [sys.executable, "-P", "tests/power.py", "-j", "2", "vload"]
    printed = subprocess.run(command, cwd=SUITES.parent, check=True, capture_output=True, text=True).stdout
    assert "| vload | 12 | 12 (100.0%) | 12 (100.0%) | " in printed
    assert re.search(r"^\| `kernels/vload/\S+` \| \d+ ms \| `vload/\S+`", printed, re.MULTILINE)
