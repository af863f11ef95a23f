"""The emulated GPUs, for tests that run shaders on them without a driver, and Mesa's description of them."""

import importlib
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emulators.library import build
from runner.cache_folder import cache_folder

_DESCRIPTIONS = ("src/freedreno/ir3/tests/disasm.c", "src/panfrost/compiler/bifrost/ISA.xml",
                 "src/panfrost/compiler/valhall/ISA.xml",
                 "src/panfrost/compiler/valhall/test/assembler-cases.txt")  # fmt: skip


@pytest.fixture(scope="session")
def library_of() -> Callable[[str], Path]:
    """Build a family's library. EMULATOR_LIBRARY names another one: a mutant (test_wrong_rules.py)."""
    named = os.environ.get("EMULATOR_LIBRARY")
    return lambda family: Path(named) if named else build(family, cache_folder() / "emulators")


def _library(family: str) -> Any:
    return pytest.fixture(scope="session")(lambda library_of: library_of(family))


library, mali_library, intel_library = _library("adreno"), _library("mali"), _library("intel")


def _opened(family: str, kind: str, gpu: str) -> Any:
    """A GPU of a family; its class lies beside the tests that ask for it."""

    def open_gpu(library_of: Callable[[str], Path]) -> Any:
        module, _, name = kind.partition(".")
        return getattr(importlib.import_module(module), name)(library_of(family), gpu)

    return pytest.fixture(scope="session")(open_gpu)


adreno, adreno7 = (_opened("adreno", "bare_gpu.BareGpu", gpu) for gpu in ("a630", "a750"))
intel = _opened("intel", "bare_intel.BareIntel", "tgl")
mali, valhall = _opened("mali", "bare_mali.BareMali", "g52"), _opened("mali", "bare_valhall.BareValhall", "g57")
_RDNA = ("vega10", "navi10", "navi21", "navi31", "gfx1201", "gfx1150")
vega10, navi10, navi21, rdna, gfx1201, strix = (_opened("rdna", "bare_rdna.BareRdna", gpu) for gpu in _RDNA)


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
