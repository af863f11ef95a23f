"""The library of the emulated Mali, for tests that run shaders on it without a driver."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from emulators.library import build
from runner.cache_folder import cache_folder

if TYPE_CHECKING:
    from bare_mali import BareMali


@pytest.fixture(scope="session")
def mali_library() -> Path:
    """EMULATOR_LIBRARY names another one: a mutant (test_wrong_rules.py)."""
    named = os.environ.get("EMULATOR_LIBRARY")
    return Path(named) if named else build("mali", cache_folder() / "emulators")


@pytest.fixture(scope="session")
def mali(mali_library: Path) -> BareMali:
    """A g52."""
    from bare_mali import BareMali  # beside the tests that ask for it

    return BareMali(mali_library)
