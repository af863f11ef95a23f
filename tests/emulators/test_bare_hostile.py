"""Input with flipped bits for a Tiger Lake and a Mali ends with a mark or with values, and touches nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest
from hostile_cases import CHECKS

from emulators.library import build
from runner.cache_folder import cache_folder

ROOT = Path(__file__).parents[2]


def _run(family: str, first: int, count: int) -> None:
    library = build(family, cache_folder() / "emulators", CHECKS)
    command = [sys.executable, str(Path(__file__).parent / f"{family}_hostile.py"), str(library), str(first), str(count)]
    environment = {"PYTHONPATH": f"{ROOT}:{Path(__file__).parent}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr[-600:]}"
    word, stopped = done.stdout.split()
    assert word == "ended"
    assert 0.2 * count < int(stopped) < 0.95 * count, "some are to reach their end, and some not"


@pytest.mark.root
@pytest.mark.parametrize("family", ["intel", "mali"])
def test_sixty_hostile_submissions_end_as_they_must(family: str) -> None:
    _run(family, 0, 60)


@pytest.mark.root
@pytest.mark.nightly("sixty run in ci/test")
@pytest.mark.parametrize("first", range(1000, 21_000, 5000))
@pytest.mark.parametrize("family", ["intel", "mali"])
def test_twenty_thousand_hostile_submissions_end_as_they_must(family: str, first: int) -> None:
    _run(family, first, 5000)
