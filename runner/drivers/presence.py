"""What a run needs on this machine: the driver's device, or the shim and the emulator that stand in for it."""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from runner import ROOT
from runner.drivers.drm_shim import Shim, Shimmed, find_shimmed
from runner.drivers.emulator import find_checker, find_emulator
from runner.drivers.machine import find_icd, kernel_devices, render_node_library
from runner.drivers.registry import Driver, emulator_root, load_drivers, resolve
from runner.expectations.target import covers
from runner.model import DeviceReport, InfrastructureError, UsageError
from runner.run_config import RunConfig
from runner.spelling import closest


def shim_of(driver: Driver, config: RunConfig) -> Shim:
    """The shim for a run's GPU. Raises UsageError if there is none, or none whose GPU is emulated."""
    mode, gpu, known = config.mode, config.gpu, driver.gpus_of(config.mode)
    if gpu in known:
        return next(shim for shim in driver.shims if gpu in shim.gpus)
    if owner := next((d.name for d in load_drivers(config.registry).values() if gpu in d.gpus_of(mode)), ""):
        raise UsageError(f"--mode {mode} --gpu {gpu}: that is a GPU of {owner}; give --driver {owner}")
    if mode == "emulate" and not known:
        others = [
            f"{d.name} ({', '.join(found)})" for d in load_drivers(config.registry).values() if (found := d.gpus_of(mode))
        ]
        raise UsageError(f"--mode emulate: {driver.name} has no emulator; these have one: {'; '.join(others)}")
    there = ("emulated: " if mode == "emulate" else "") + (", ".join(known) or "no shim")
    raise UsageError(f"--mode {mode} --gpu {gpu or '(none)'}: {driver.name} has {there}{closest(gpu, known)}")


def shimmed_of(driver: Driver, config: RunConfig) -> Shimmed | None:
    """The source of the driver for a run without a device; None for a run on a device.

    Raises UsageError for a GPU that no shim has, InfrastructureError if the driver, or its emulator, is not there.
    """
    if config.has_device:
        return None
    shim = shim_of(driver, config)
    found = find_shimmed(driver.name, driver.compiler, shim, config.mesa_prefix, config.mode)
    if config.mode == "emulate":
        if os.environ.get("RUNNER_ARM64_ROOT") and not found.root:
            raise UsageError(f"--arch arm64: {found.shim} of {driver.name} is this machine's own; leave --arch out")
        return replace(found, emulator=find_emulator(shim.emulator, config.gpu, found.root), executes=True)
    return replace(found, emulator=None if found.root else find_checker(shim.emulator, config.gpu))


def driver_emulating(gpu: str, registry: str = "", driver: str = "") -> tuple[Driver, str]:
    """The driver whose emulated GPU this is, and the GPU's name there: with `driver` zink a630 is turnip_a630.

    Raises UsageError for an unknown one.
    """
    drivers = load_drivers(registry)
    asked = [resolve(driver, drivers)] if driver else drivers.values()
    known = {name: one for one in asked for name in one.gpus_of("emulate")}
    if driver and not known:
        shim_of(resolve(driver, drivers), RunConfig(driver, gpu, mode="emulate", registry=registry))
    for name, one in known.items():
        if gpu == name or (driver and gpu == name.partition("_")[2]):
            return one, name
    raise UsageError(f"--gpu {gpu or '(none)'}: emulated are {', '.join(known)}{closest(gpu, known)}")


def missing_device(driver: Driver, mode: str = "execute") -> str:
    """Why this machine cannot have the driver's device, or "" if it may."""
    if driver.absent:
        return f"{driver.name} has no device anywhere: {driver.absent}"
    if mode != "execute":
        return ""
    nodes = kernel_devices()
    if driver.supplied_node and not nodes and not render_node_library():
        return (
            f"{driver.name}: this machine has no /dev/dri/renderD*, and there is no library that supplies one; "
            "run by ci/run, which builds it, or set RUNNER_RENDER_NODE to what `cc -shared -fPIC` makes of "
            f"{ROOT}/ci/render_node.c"
        )
    if driver.kernel and not set(driver.kernel) & set(nodes.values()):
        found = ", ".join(f"/dev/dri/{n} of {k}" for n, k in nodes.items()) or "no /dev/dri/renderD* at all"
        return (
            f"{driver.name}: looked for a render node of the kernel driver {' or '.join(driver.kernel)}, found {found}; "
            "run on a machine with that device (inside a container, pass /dev/dri in), "
            f"or choose {next_without_device(driver)}"
        )
    return ""


def runnable(drivers: Mapping[str, Driver]) -> list[str]:
    """The drivers whose .icd file and device, if they need one, are on this machine."""

    def has_icd(driver: Driver) -> bool:
        try:
            return not driver.opencl or bool(find_icd(os.environ, driver.icd))
        except InfrastructureError:
            return False

    return [name for name, driver in drivers.items() if has_icd(driver) and not missing_device(driver, "execute")]


def next_without_device(driver: Driver) -> str:
    """The alternative on a machine without a driver's device: the driver itself on an emulated GPU, or another driver."""
    if gpus := driver.gpus_of("emulate"):
        return f"--mode emulate --gpu {gpus[0]}, which executes what the driver compiles and launches on an emulated GPU"
    return "--driver llvmpipe, which runs anywhere"


def check_identity(driver: Driver, config: RunConfig, report: DeviceReport) -> str:
    """Why the device that a child found is not the one under test; "" if it is."""
    gpu = config.gpu
    if not driver.opencl:
        return ""
    shimmed = shimmed_of(driver, config)
    prefix = (shimmed.root or shimmed.prefix) if shimmed else config.mesa_prefix or emulator_root(driver, gpu)
    found = f"found the platform {report.platform!r} with the device {report.device!r} from {report.library or 'nowhere'}"
    if driver.platform.lower() not in report.platform.lower():
        return f"looked for the platform {driver.platform}, {found}; pin OCL_ICD_VENDORS to its .icd file"
    if prefix and not Path(report.library).resolve().is_relative_to(Path(prefix).resolve()):
        return f"looked for a library of {'--mesa-prefix ' if config.mesa_prefix else ''}{prefix}, {found}"
    if not re.search(driver.device, report.device):
        return f"looked for a device of {driver.name} (its name matches {driver.device!r}), {found}"
    own = driver.gpu_of(report)
    # A Vulkan driver's name does not tell its GPUs apart; the shim that was loaded does.
    if gpu and not (covers(gpu.lower(), own) or (not config.has_device and own and covers(own, gpu.lower()))):
        return f"looked for --gpu {gpu}, {found}, which is {own or 'none that drivers.yaml knows'}"
    return ""
