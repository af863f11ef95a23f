"""The library of the emulated RDNA, for tests that run shaders on it without a driver."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from emulators.library import build
from runner.cache_folder import cache_folder

if TYPE_CHECKING:
    from bare_rdna import BareRdna


@pytest.fixture(scope="session")
def rdna() -> BareRdna:
    """A navi31. EMULATOR_LIBRARY names another library: a mutant (test_rdna_wrong_rules.py)."""
    from bare_rdna import BareRdna  # beside the tests that ask for it

    named = os.environ.get("EMULATOR_LIBRARY")
    return BareRdna(Path(named) if named else build("rdna", cache_folder() / "emulators"), "navi31")
