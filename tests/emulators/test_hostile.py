"""Command streams and shaders that no driver makes (hostile.py) end with a mark or with values, and touch nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest
from hostile import ENDED, MOST_BYTES
from hostile_cases import CHECKS

from emulators.library import build
from runner.cache_folder import cache_folder

ROOT = Path(__file__).parents[2]


def _run(first: int, count: int, folder: Path) -> None:
    library = build("adreno", cache_folder() / "emulators", CHECKS)
    progress = folder / "progress"
    command = [
        sys.executable,
        str(Path(__file__).parent / "hostile.py"),
        str(library),
        "1",
        str(first),
        str(count),
        str(progress),
    ]
    environment = {"PYTHONPATH": f"{ROOT}:{Path(__file__).parent}", "PATH": "/usr/bin:/bin"}
    errors = folder / "errors"
    with errors.open("w") as file:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=file, text=True, check=False)
    end = errors.read_text(errors="replace")[-1000:]
    assert done.returncode == 0, f"case {progress.read_text().strip()} of seed 1: exit code {done.returncode}\n{end}"
    word, stopped, size = done.stdout.split()
    assert word == ENDED
    assert 0.2 * count < int(stopped) < 0.95 * count, "some are to reach their end, and some not"
    assert int(size) < MOST_BYTES


@pytest.mark.root
def test_a_thousand_hostile_submissions_end_as_they_must(tmp_path: Path) -> None:
    _run(0, 1000, tmp_path)


@pytest.mark.root
@pytest.mark.nightly("a thousand run in ci/test")
@pytest.mark.parametrize("first", range(1000, 101_000, 10_000))
def test_a_hundred_thousand_hostile_submissions_end_as_they_must(first: int, tmp_path: Path) -> None:
    _run(first, 10_000, tmp_path)
