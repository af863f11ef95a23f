"""The emulated GPUs, for tests that run shaders on them without a driver, and Mesa's description of them."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from emulators.library import build
from runner.cache_folder import cache_folder

_DESCRIPTIONS = ("src/freedreno/ir3/tests/disasm.c", "src/panfrost/compiler/bifrost/ISA.xml",
                 "src/panfrost/compiler/valhall/ISA.xml",
                 "src/panfrost/compiler/valhall/test/assembler-cases.txt")  # fmt: skip

if TYPE_CHECKING:  # beside the tests that ask for them
    from bare_gpu import BareGpu
    from bare_intel import BareIntel
    from bare_mali import BareMali
    from bare_rdna import BareRdna
    from bare_valhall import BareValhall


@pytest.fixture(scope="session")
def library_of() -> Callable[[str], Path]:
    """Build a family's library. EMULATOR_LIBRARY names another one: a mutant (test_wrong_rules.py)."""
    named = os.environ.get("EMULATOR_LIBRARY")
    return lambda family: Path(named) if named else build(family, cache_folder() / "emulators")


@pytest.fixture(scope="session")
def library(library_of: Callable[[str], Path]) -> Path:
    return library_of("adreno")


@pytest.fixture(scope="session")
def mali_library(library_of: Callable[[str], Path]) -> Path:
    return library_of("mali")


@pytest.fixture(scope="session")
def adreno(library: Path) -> BareGpu:
    """An a630."""
    from bare_gpu import BareGpu

    return BareGpu(library)


@pytest.fixture(scope="session")
def adreno7(library: Path) -> BareGpu:
    """An a750."""
    from bare_gpu import BareGpu

    return BareGpu(library, "a750")


@pytest.fixture(scope="session")
def intel_library(library_of: Callable[[str], Path]) -> Path:
    return library_of("intel")


@pytest.fixture(scope="session")
def intel(intel_library: Path) -> BareIntel:
    """A Tiger Lake."""
    from bare_intel import BareIntel

    return BareIntel(intel_library, "tgl")


@pytest.fixture(scope="session")
def mali(mali_library: Path) -> BareMali:
    """A g52."""
    from bare_mali import BareMali

    return BareMali(mali_library)


@pytest.fixture(scope="session")
def valhall(mali_library: Path) -> BareValhall:
    """A g57."""
    from bare_valhall import BareValhall

    return BareValhall(mali_library)


@pytest.fixture(scope="session")
def rdna(library_of: Callable[[str], Path]) -> BareRdna:
    """A navi31."""
    from bare_rdna import BareRdna

    return BareRdna(library_of("rdna"), "navi31")


@pytest.fixture(scope="session")
def vega10(library_of: Callable[[str], Path]) -> BareRdna:
    from bare_rdna import BareRdna

    return BareRdna(library_of("rdna"), "vega10")


@pytest.fixture(scope="session")
def navi10(library_of: Callable[[str], Path]) -> BareRdna:
    from bare_rdna import BareRdna

    return BareRdna(library_of("rdna"), "navi10")


@pytest.fixture(scope="session")
def navi21(library_of: Callable[[str], Path]) -> BareRdna:
    from bare_rdna import BareRdna

    return BareRdna(library_of("rdna"), "navi21")


@pytest.fixture(scope="session")
def gfx1201(library_of: Callable[[str], Path]) -> BareRdna:
    """A gfx1201."""
    from bare_rdna import BareRdna

    return BareRdna(library_of("rdna"), "gfx1201")


@pytest.fixture(scope="session")
def strix(library_of: Callable[[str], Path]) -> BareRdna:
    """A gfx1150."""
    from bare_rdna import BareRdna

    return BareRdna(library_of("rdna"), "gfx1150")


@pytest.fixture(scope="session")
def mesa(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MESA_SOURCE names a source of Mesa; else it is of the tarball that ci/mesa-build has fetched."""
    named = os.environ.get("MESA_SOURCE")
    if named:
        return Path(named)
    kept = sorted(cache_folder().glob("*+build-*/usr/src/mesa/mesa_*.orig.tar.*z"), key=lambda path: path.stat().st_mtime)
    if not kept:
        pytest.skip("no source of Mesa is here: MESA_SOURCE=DIR names one, and ci/mesa-build fetches one")
    folder = tmp_path_factory.mktemp("mesa")
    with tarfile.open(kept[-1]) as archive:
        for member in archive:
            _, _, rest = member.name.partition("/")
            if rest.startswith("src/freedreno/isa/") or rest in _DESCRIPTIONS:
                member.name = rest
                archive.extract(member, folder, filter="data")
    return folder
