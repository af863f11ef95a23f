"""Kernels and batches with turned bits end with a mark or with values, and touch nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from emulators.library import build
from runner.cache_folder import cache_folder

ROOT = Path(__file__).parents[2]
_CHECKS = ("bounds", "float-cast-overflow", "integer-divide-by-zero", "null", "shift-exponent", "unreachable")


def _run(first: int, count: int) -> None:
    library = build("intel", cache_folder() / "emulators", _CHECKS)
    command = [sys.executable, str(Path(__file__).parent / "intel_hostile.py"), str(library), str(first), str(count)]
    environment = {"PYTHONPATH": f"{ROOT}:{Path(__file__).parent}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr[-600:]}"
    word, stopped = done.stdout.split()
    assert word == "ended"
    assert 0.2 * count < int(stopped) < 0.95 * count, "some are to reach their end, and some not"


@pytest.mark.root
def test_three_hundred_hostile_submissions_end_as_they_must() -> None:
    _run(0, 60)


@pytest.mark.root
@pytest.mark.nightly("three hundred run in ci/test")
@pytest.mark.parametrize("first", range(1000, 21_000, 5000))
def test_twenty_thousand_hostile_submissions_end_as_they_must(first: int) -> None:
    _run(first, 5000)
