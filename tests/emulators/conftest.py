"""The library of the emulated Adreno, for tests that run shaders on it without a driver."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from bare_gpu import BareGpu

from emulators.library import build
from runner.cache_folder import cache_folder


@pytest.fixture(scope="session")
def library() -> Path:
    """EMULATOR_LIBRARY names another one: a mutant (test_wrong_rules.py)."""
    named = os.environ.get("EMULATOR_LIBRARY")
    return Path(named) if named else build("adreno", cache_folder() / "emulators")


@pytest.fixture(scope="session")
def adreno(library: Path) -> BareGpu:
    """An a630."""
    return BareGpu(library)


@pytest.fixture(scope="session")
def adreno7(library: Path) -> BareGpu:
    """An a750."""
    return BareGpu(library, "a750")
