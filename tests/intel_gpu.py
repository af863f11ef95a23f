"""The library of the emulated Intel GPU, for tests that run kernels on it without a driver."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from emulators.library import build
from runner.cache_folder import cache_folder

if TYPE_CHECKING:
    from bare_intel import BareIntel


@pytest.fixture(scope="session")
def intel() -> BareIntel:
    """A Tiger Lake. EMULATOR_LIBRARY names another library: a mutant."""
    from bare_intel import BareIntel  # beside the tests that ask for it

    named = os.environ.get("EMULATOR_LIBRARY")
    return BareIntel(Path(named) if named else build("intel", cache_folder() / "emulators"), "tgl")
