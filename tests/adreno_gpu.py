"""The library of the emulated Adreno, for tests that run shaders on it without a driver."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from emulators.library import build
from runner.cache_folder import cache_folder

if TYPE_CHECKING:
    from bare_gpu import BareGpu


@pytest.fixture(scope="session")
def library() -> Path:
    """EMULATOR_LIBRARY names another one: a mutant (test_wrong_rules.py)."""
    named = os.environ.get("EMULATOR_LIBRARY")
    return Path(named) if named else build("adreno", cache_folder() / "emulators")


@pytest.fixture(scope="session")
def adreno(library: Path) -> BareGpu:
    """An a630."""
    from bare_gpu import BareGpu  # beside the tests that ask for it

    return BareGpu(library)


@pytest.fixture(scope="session")
def adreno7(library: Path) -> BareGpu:
    """An a750."""
    from bare_gpu import BareGpu

    return BareGpu(library, "a750")
