"""The emulated GPUs: the one module that knows the package `emulators`, whose libraries execute what a driver submits.

RUNNER_EMULATOR names a library that is taken in place of the built one: a changed emulator, or one with a sanitizer.
"""

import hashlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import emulators
from emulators.library import NotBuilt, build
from runner.cache_folder import cache_folder
from runner.cases.catalogue import digest
from runner.lines import tell
from runner.model import InfrastructureError

STATISTICS = "EMULATOR_STATISTICS"  # names files: NAME.PID, what each process' emulator has counted
TRACE = "EMULATOR_TRACE"
FAMILIES: Mapping[str, emulators.Family] = emulators.FAMILIES
_SOURCES = Path(emulators.__file__).parent


@dataclass(frozen=True, slots=True)
class Emulator:
    """One GPU of a family."""

    library: Path  # preloaded before the shim
    gpu: str  # by its name in the emulators
    identity: str  # of the family and its sources, as reports have it


def emulated_name(family: str, gpu: str) -> str:
    """The emulators' name for a --gpu name, a630 for turnip_a630 too; "" for one that they do not know."""
    own = FAMILIES[family].gpus if family in FAMILIES else ()
    return next((name for name in (gpu, gpu.partition("_")[2]) if name in own), "")


@cache
def find_emulator(family: str, gpu: str, arm_root: str = "") -> Emulator:
    """The library for a GPU, of this machine or of a root of ARM, built if need be. Raises InfrastructureError."""
    if own := os.environ.get("RUNNER_EMULATOR", ""):
        if not Path(own).is_file():
            raise InfrastructureError(f"RUNNER_EMULATOR={own}: no such file; name a library, or unset it")
        content = hashlib.sha256(Path(own).read_bytes()).hexdigest()[:16]
        return Emulator(Path(own).absolute(), emulated_name(family, gpu), f"{family} {Path(own).name} {content}")
    try:
        library = build(family, cache_folder() / "emulators", arm_root=arm_root)
    except NotBuilt as error:
        raise InfrastructureError(f"--mode emulate --gpu {gpu}: {error}") from error
    return Emulator(library, emulated_name(family, gpu), f"{family} {digest(_SOURCES)}")


@cache
def find_checker(family: str, gpu: str) -> Emulator | None:
    """The library that checks a GPU's shaders in compile mode; None if there is none, or no clang to build it."""
    if family not in FAMILIES or emulated_name(family, gpu) not in FAMILIES[family].checks:
        return None
    try:
        return find_emulator(family, gpu)
    except InfrastructureError as error:
        tell(f"hazards are not checked: {error}", file=sys.stderr)
        return None
