"""The GPUs that can be emulated here: whether their shim and the compiler of the emulator are there."""

import os
import shutil
from collections.abc import Mapping

from runner.doctor.finding import Finding, Section, find, install_step
from runner.drivers.drm_shim import find_shimmed
from runner.drivers.registry import Driver
from runner.model import InfrastructureError


def examine_emulators(drivers: Mapping[str, Driver]) -> Section:
    """A finding for each driver with an emulated GPU; nothing is built, and nothing is opened."""
    return Section("emulated GPUs", tuple(_examine(d) for d in drivers.values() if d.gpus_of("emulate")))


def _examine(driver: Driver) -> Finding:
    gpus = driver.gpus_of("emulate")
    which = f"{driver.name}: {', '.join(gpus)}"
    shim = next(shim for shim in driver.shims if gpus[0] in shim.gpus)
    try:
        found = find_shimmed(driver.name, driver.compiler, shim, "", "emulate")
    except InfrastructureError as error:
        what, _, step = str(error).removeprefix("--mode emulate: ").partition("; ")
        return find("not-emulated", which=which, why=what, step=step)
    if not shutil.which(os.environ.get("EMULATOR_CC", "clang")):
        return find("not-emulated", which=which, why="no clang, which compiles the emulator", step=install_step())
    return find("emulated", which=which, shim=found.shim, driver=driver.name, gpu=gpus[0])
