"""The driver registry (drivers.yaml), and the check that a device is the one under test."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from runner.compiler_stats.formats import compilers
from runner.cpu import CLASSES, NEON, Cpu, class_environment, read_cpu
from runner.drivers.drm_shim import ORIGINS, Shim, parse_shim
from runner.drivers.emulator import FAMILIES, emulated_name
from runner.drivers.machine import kernel_devices, render_node_library
from runner.drivers.variants import FAULTS, VARIANTS
from runner.expectations.folder import read_files
from runner.expectations.resolution import Expectations, load_expectations, nearest_release
from runner.expectations.target import JUDGED_VARIANTS, Target
from runner.model import DeviceReport, InfrastructureError, UsageError
from runner.releases import series_of
from runner.run_config import NEAREST, RunConfig
from runner.shapes import as_tuple, make, read_text
from runner.spelling import closest
from runner.yaml_loader import load_yaml

_NAME = re.compile(r"[a-z0-9][a-z0-9_+-]*")
REGISTRY = Path(__file__).with_name("drivers.yaml")
# Where the Vulkan loader finds drivers. NVIDIA's makes no render node in most containers; in a root of ci/in-root it is
# not visible, nor is the machine's GPU.
VULKAN_FOLDERS = tuple(Path(folder, "vulkan") for folder in ("/etc", "/usr/share", "/usr/local/share"))


@dataclass(frozen=True, slots=True)
class Statistics:
    """How to make a driver's compiler print its statistics."""

    compilers: tuple[str, ...] = ()  # names in runner/compiler_stats/compilers.toml
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Driver:
    """One entry of the registry; the keys are explained in drivers.yaml."""

    name: str
    aliases: tuple[str, ...] = ()
    rusticl: str = ""
    device: str = ""
    gpu: Mapping[str, str] = field(default_factory=dict)
    kernel: tuple[str, ...] = ()
    environment: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    fail_on_output: tuple[str, ...] = ()
    caches_output: bool = True
    absent: str = ""
    supplied_node: bool = False
    platform: str = "rusticl"
    icd: str = "*rusticl*.icd"
    shims: tuple[Shim, ...] = ()
    compiler: tuple[str, ...] = ("package",)
    passes: tuple[str, ...] = ()
    statistics: Statistics = Statistics()
    opencl: bool = True  # false only for a registry of tests that need no device

    def variant_environment(self, variant: str, mesa: str = "") -> dict[str, str]:
        """The environment of this driver in one of its configurations, for a release of Mesa as 26.2, or "" for unknown.

        Raises UsageError for an unknown variant.
        """
        variants = {"": {}, **VARIANTS, **self.variants}
        if variant not in variants:
            raise UsageError(f"--variant {variant}: {self.name} has {', '.join(sorted(filter(None, variants)))}")
        return {name: _value(value, mesa) for name, value in self.environment.items()} | dict(variants[variant])

    def faults(self, variant: str) -> tuple[str, ...]:
        """The words that a PASS in this configuration must not have printed."""
        return self.fail_on_output + FAULTS.get(variant, ())

    def gpus_of(self, mode: str) -> list[str]:
        """The GPUs that compile mode knows, or emulate mode."""
        known = [(shim, gpu) for shim in self.shims for gpu in shim.gpus]
        return [gpu for shim, gpu in known if mode == "compile" or emulated_name(shim.emulator, gpu)]

    def gpu_of(self, device_report: DeviceReport) -> str:
        """The --gpu name of a device, from its name, its CPU or its driver's version; "" if no pattern matches."""
        version = ".".join(map(str, series_of(device_report.driver_version))) if device_report.driver_version else ""
        for pattern, name in self.gpu.items():
            if found := re.search(pattern, device_report.device):
                return name.format(*found.groups(), cpu=device_report.cpu_class, version=version).lower().removesuffix("_")
        return ""

    def cpu_class(self, gpu: str) -> str:
        """The class of CPU that a --gpu name asks for, or "": `avx2` of llvmpipe's avx2 and of zink's lavapipe_avx2.

        Raises UsageError for a class that lacks the rest of its name.
        """
        forms = [name.replace("{cpu}", "(.+)") for name in self.gpu.values() if name.endswith("{cpu}")]
        found = next((found[1] for form in forms if (found := re.fullmatch(form, gpu.lower()))), "")
        if not found and forms and gpu.partition("_")[0] in CLASSES:
            raise UsageError(f"--gpu {gpu}: {self.name} calls that class of CPU {forms[0].replace('(.+)', gpu)}")
        return found

    def target(self, config: RunConfig, device_report: DeviceReport) -> Target:
        """What a run ran on, as the names of expectation files can express it."""
        gpu = self.gpu_of(device_report) or config.gpu
        if not config.has_device:  # the shim that was loaded tells GPUs apart; a device's name may not
            gpu = config.gpu
        variant = config.variant if config.variant in JUDGED_VARIANTS else ""
        return replace(Target.of(self.name, gpu, device_report), mode=Target.mode_of(config.mode), variant=variant)


def load_drivers(registry: str | Path | None = None) -> dict[str, Driver]:
    """The drivers of a file, or of the runner's own, by name. Raises UsageError for a bad file."""
    path = Path(registry or REGISTRY)
    try:
        return {**_drivers_in(read_text(path), path)}
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: {error}") from error


@lru_cache(maxsize=8)  # a run asks four times
def _drivers_in(text: str, path: Path) -> dict[str, Driver]:
    data: Any = load_yaml(text)
    if not isinstance(data, dict):
        raise UsageError(f"{path}: must map names to drivers")
    drivers = {}
    for name, entry in data.items():
        try:
            drivers[name] = _driver(name, entry or {})
        except (TypeError, ValueError, LookupError, AttributeError, re.error) as error:
            raise UsageError(f"{path}: {name}: {error}") from error
    return drivers


def resolve(name: str, drivers: Mapping[str, Driver]) -> Driver:
    """The driver of a name or an alias; an unknown one is a UsageError with the closest names."""
    for driver in drivers.values():
        if name.lower() in (driver.name, *driver.aliases):
            return driver
    known = [n for d in drivers.values() for n in (d.name, *d.aliases)]
    near = closest(name, known) or f"; known: {', '.join(drivers)}"
    raise UsageError(f"--driver {name}: no such driver{near}")


def target_of(config: RunConfig, device_report: DeviceReport) -> Target:
    """What a run ran on, by the registry that its configuration names."""
    return driver_of(config).target(config, device_report)


def expectations_of(config: RunConfig, device_report: DeviceReport, files: Mapping[Path, str] | None = None) -> Expectations:
    """What is expected of a run on its device; `files` instead of those on this machine. Raises UsageError."""
    target = target_of(config, device_report)
    if files is None and config.expectations:
        files = read_files(Path(config.expectations), target.driver)
    if release := config.expectations_release:
        target = replace(target, mesa=nearest_release(files or {}, target) if release == NEAREST else release)
    return load_expectations(target, config.expectations, files, config.expectations_mesa, config.seed)


def driver_of(config: RunConfig) -> Driver:
    """The driver of a run. Raises UsageError."""
    return resolve(config.driver, load_drivers(config.registry))


def cpu_environment(driver: Driver, gpu: str, cpu: Cpu | None = None) -> dict[str, str]:
    """The variables that make a driver on the CPU treat it as one of the class that --gpu names.

    Raises UsageError for an unknown class, InfrastructureError for one that this machine cannot show.
    """
    wanted = driver.cpu_class(gpu)
    return class_environment(wanted, cpu or read_cpu()) if wanted and not emulator_root(driver, gpu) else {}


def emulator_root(driver: Driver, gpu: str, cpu: Cpu | None = None) -> str:
    """The root whose Python runs under its qemu, if --gpu names ARM's class of CPU and this one is another's; or ""."""
    if driver.cpu_class(gpu) != NEON or (cpu or read_cpu()).name == NEON:
        return ""
    if root := os.environ.get("RUNNER_ARM64_ROOT", ""):
        if driver.supplied_node:
            raise InfrastructureError(
                f"--gpu {gpu}: the library that supplies {driver.name}'s render node is not built for ARM"
            )
        return root
    raise InfrastructureError(
        f"--gpu {gpu}: this CPU is not an ARM one; ci/run --arch arm64 runs {driver.name} under qemu (slow)"
    )


def node_environment(driver: Driver) -> dict[str, str]:
    """The variables that replace a render node that the machine does not have."""
    if not driver.supplied_node or kernel_devices():
        return {}
    own = {"LD_PRELOAD": ":".join(filter(None, [render_node_library(), os.environ.get("LD_PRELOAD")]))}
    if "VK_DRIVER_FILES" not in os.environ and not any(any(f.glob("icd.d/nvidia*.json")) for f in VULKAN_FOLDERS):
        own["LIBGL_ALWAYS_SOFTWARE"] = "true"  # else zink refuses a Vulkan device that is a CPU
    return own


def missing_layers(environment: Mapping[str, str]) -> list[str]:
    """The layers of VK_INSTANCE_LAYERS that are not installed: the Vulkan loader goes on without them."""
    added = filter(None, (os.environ.get("VK_ADD_LAYER_PATH", "") + ":" + os.environ.get("VK_LAYER_PATH", "")).split(":"))
    folders = [*map(Path, added), *(folder / "explicit_layer.d" for folder in VULKAN_FOLDERS)]
    manifests = [path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("*.json")]
    wanted = filter(None, environment.get("VK_INSTANCE_LAYERS", "").split(":"))
    return [layer for layer in wanted if not any(f'"{layer}"' in manifest for manifest in manifests)]


def _value(value: str | Mapping[str, str], mesa: str) -> str:
    if isinstance(value, str):
        return value
    first = min(value, key=series_of)
    return value[max((s for s in value if mesa and series_of(s) <= series_of(mesa)), key=series_of, default=first)]


def _driver(name: str, entry: Mapping[str, Any]) -> Driver:
    values = dict(entry)
    for key in ("aliases", "kernel", "fail_on_output", "compiler", "passes"):
        if key in values:
            values[key] = as_tuple(values[key])
    own = dict(values.get("statistics", {}))
    values["statistics"] = make(Statistics, own | {"compilers": as_tuple(own.get("compilers", ()))})
    values["shims"] = tuple(parse_shim(**shim) for shim in as_tuple(values.get("shims", ())))
    driver = make(Driver, {"name": name, "rusticl": name, **values})
    if not _NAME.fullmatch(name):
        raise ValueError("a driver's name is that of a folder in expectations/: only small letters, digits, _, + and -")
    if unknown := set(driver.compiler) - set(ORIGINS):
        raise TypeError(f"compiler: no {', '.join(unknown)}; known: {', '.join(ORIGINS)}")
    if unknown := {shim.emulator for shim in driver.shims} - {"", *FAMILIES}:
        raise TypeError(f"shims: no emulator {', '.join(unknown)}; known: {', '.join(FAMILIES)}")
    if unknown := set(driver.statistics.compilers) - compilers().keys():
        raise TypeError(f"statistics: no compiler {', '.join(unknown)}; known: {', '.join(compilers())}")
    if {} in driver.environment.values():
        raise ValueError("environment: a variable by release without a release; write its value, or {'25.0': value}")
    re.compile(driver.device)
    for pattern, gpu in driver.gpu.items():
        gpu.format(*[""] * re.compile(pattern).groups, cpu="", version="")
    return driver
