"""How a child is started: its command line and its environment."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner import ROOT
from runner.child.environment import passed
from runner.drivers import PLACE_VARIABLE
from runner.drivers.drm_shim import Shim, Shimmed, fence_library, shim_environment
from runner.drivers.emulator import STATISTICS
from runner.drivers.machine import find_icd, place_library, shared_memory_library
from runner.drivers.mesa_prefix import (
    library_of,
    library_path,
    prefix_environment,
    release_in,
    sanitizer_runtime,
    unknown_words,
)
from runner.drivers.presence import shim_of, shimmed_of
from runner.drivers.registry import Driver, cpu_environment, driver_of, emulator_root, missing_layers, node_environment
from runner.drivers.variants import GL_SHARING, SANITIZERS
from runner.model import InfrastructureError
from runner.releases import installed_version, opencl_environment, version_in
from runner.run_config import RunConfig

STATISTICS_NAME = "emulator"  # with a process' number behind it: what an emulator counts, beside the child's cache
# OCL_ICD_FILENAMES would add a second implementation to the pinned one; the others choose a device of tinygrad.
_REMOVED = ("OCL_ICD_FILENAMES", "DEV", "CL", "GPU", "CPU")


@dataclass(frozen=True, slots=True)
class ChildCommand:
    """The arguments of `subprocess.Popen`, except for the pipes."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """How a process starts its children: made once, when everything that they need was found."""

    config: RunConfig
    driver: Driver
    shim: Shim | None  # of a run without a device
    shimmed: Shimmed | None  # the same: what it loads
    root: str  # of another architecture in which the children run, or ""

    @property
    def enqueues(self) -> bool:
        """False if a launch on a shim would kill the driver, or never end."""
        shim, shimmed = self.shim, self.shimmed
        return not (shim and shimmed) or bool(shimmed.emulator or fence_library(shimmed)) or not shim.fence

    def environment(self, cache: Path) -> dict[str, str]:
        """The variables that a child gets beyond the runner's own; with them a case can be repeated by hand.

        Every cache that could serve a kernel of another Mesa is off or is in `cache`: Mesa's shader cache, pyopencl's
        program cache, tinygrad's kernel cache. Raises InfrastructureError without an ICD.
        """
        config, driver, shim, shimmed = self.config, self.driver, self.shim, self.shimmed
        given = passed(os.environ, (*driver.passes, *driver.variant_environment(config.variant)))
        own = {
            "XDG_CACHE_HOME": str(cache),
            "MESA_SHADER_CACHE_DIR": str(cache),
            "PYOPENCL_NO_CACHE": "1",
            "CACHELEVEL": "0",  # tinygrad
            "CCACHE": "0",  # tinygrad
            "PARALLEL": "0",  # tinygrad: lower in the process itself, so that it dies if the driver does
            # numpy's, for the references: its other threads would spin on the processors of the other workers.
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONPATH": os.pathsep.join(
                filter(None, [config.tinygrad_src, config.tinygrad_prefix, str(ROOT), os.environ.get("PYTHONPATH")])
            ),
        }
        releases = (version_in(Path(folder)) for folder in (config.tinygrad_src, config.tinygrad_prefix) if folder)
        own |= opencl_environment(next(filter(None, releases), "") or installed_version())
        if driver.opencl:
            if prefix := shimmed.prefix if shimmed else config.mesa_prefix:
                own |= prefix_environment(Path(prefix), cache)
            else:
                own |= _installed(driver, cache)
            own["RUSTICL_ENABLE"] = driver.rusticl
            if shim and shimmed:
                own |= shim_environment(shim, config.gpu, shimmed)
                if driver.fail_on_output and driver.caches_output:  # a kernel that comes from the cache prints nothing
                    own["MESA_SHADER_CACHE_DISABLE"] = "true"
            else:
                own |= node_environment(driver) | cpu_environment(driver, config.gpu)
            if self.root:
                own["PYTHONHOME"] = "/usr"  # else Python looks beside its own file
        library = library_of(Path(own["OCL_ICD_VENDORS"])) if driver.opencl else None
        first = _sanitizer(config.variant, library) or (shared_memory_library(cache) if config.variant == GL_SHARING else "")
        if first:
            own["LD_PRELOAD"] = ":".join(filter(None, [first, own.get("LD_PRELOAD", given.get("LD_PRELOAD"))]))
        chosen = driver.variant_environment(config.variant, release_in(library) if library else "")
        if config.variant and library and (unknown := unknown_words(library, chosen)):
            raise InfrastructureError(f"--variant {config.variant}: {library} has no {', '.join(unknown)}: another Mesa")
        if missing := missing_layers(chosen):
            raise InfrastructureError(
                f"--variant {config.variant}: no Vulkan layer {', '.join(missing)}: install it "
                "(Debian: vulkan-validationlayers), or name its manifest's folder in VK_ADD_LAYER_PATH"
            )
        of_gpu = shim.environment if shim else {}
        for name, value in chosen.items():
            own[name] = given.get(name, of_gpu.get(name, value))  # a developer's own value wins, and is shown in the report
        if config.stats:
            # Without no_variants Rusticl compiles each kernel twice. All of these are lists.
            for name, value in {"RUSTICL_DEBUG": "no_variants", **driver.statistics.environment}.items():
                own[name] = ",".join(filter(None, [own.get(name, given.get(name)), value]))
            own["MESA_SHADER_CACHE_DISABLE"] = "true"
        return own

    @property
    def setup(self) -> dict[str, Any]:
        """The first line that a child reads."""
        config, emulator = self.config, self.shimmed.emulator if self.shimmed else None
        asked = ("seed", "gpt2_weights", "repro", "executes", "strict", "stats")
        return {name: getattr(config, name) for name in asked} | {
            "opencl": self.driver.opencl,
            "emulator": emulator.identity if emulator and config.executes else "",
            "checks": bool(emulator) and not config.executes,
            "enqueues": self.enqueues,
        }

    def command(self, cache: Path, request_fd: int, reply_fd: int) -> ChildCommand:
        """The command that starts `runner.child` on two inherited pipe ends."""
        python: tuple[str, ...] = (sys.executable,)
        if root := self.root:
            python = (f"{root}/usr/bin/qemu-aarch64", "-L", root, f"{root}/usr/bin/python3")
        argv = (*python, "-m", "runner.child", str(request_fd), str(reply_fd), str(os.getpid()))
        kept = {name: value for name, value in passed(os.environ, self.driver.passes).items() if name not in _REMOVED}
        kept.pop(PLACE_VARIABLE, None)
        if (place := place_library()) and Path(f"{root}{place}").is_file():
            kept[PLACE_VARIABLE] = place
        own = self.environment(cache)
        if self.config.mode == "emulate":
            own[STATISTICS] = str(cache.with_name(STATISTICS_NAME))
        return ChildCommand(argv, kept | own)


def plan_launch(config: RunConfig, driver: Driver | None = None) -> LaunchPlan:
    """Find what the children of a run need.

    Raises UsageError for a GPU that no shim has, InfrastructureError if the driver, its emulator or its root is not there.
    """
    driver = driver or driver_of(config)
    if driver.opencl and (shimmed := shimmed_of(driver, config)):
        return LaunchPlan(config, driver, shim_of(driver, config), shimmed, shimmed.root)
    return LaunchPlan(config, driver, None, None, emulator_root(driver, config.gpu))


def _installed(driver: Driver, cache: Path) -> dict[str, str]:
    """The installed .icd file; if it is not a system's, the library's neighbours too, because wheels bring what it needs."""
    icd = find_icd(os.environ, driver.icd)
    library = library_of(icd)
    if driver.platform == "rusticl" or not library or library.is_relative_to("/usr"):
        return {"OCL_ICD_VENDORS": str(icd)}
    folder = cache / "neighbours"
    folder.mkdir(parents=True, exist_ok=True)
    for path in library.parent.glob("*.so*"):
        if not path.name.startswith("libOpenCL.") and not (folder / path.name).is_symlink():  # not its own loader
            (folder / path.name).symlink_to(path)
    return {"OCL_ICD_VENDORS": str(icd), "LD_LIBRARY_PATH": library_path(folder)}


def _sanitizer(variant: str, library: Path | None) -> str:
    """The runtime that comes before all other libraries, or "".

    Raises InfrastructureError if the library was not built for the variant.
    """
    runtime = sanitizer_runtime(library) if library else ""
    built = next((name for name, prefix in SANITIZERS.items() if runtime.startswith(prefix)), "")
    if library and built != (variant if variant in SANITIZERS else ""):
        raise InfrastructureError(
            f"--variant {variant or '(none)'}: {library} was built {f'for --variant {built}' if built else 'without it'}; "
            "ci/mesa-build --sanitize makes one for asan (address,undefined) and one for tsan (thread)"
        )
    # The loader finds it beside the library, or where the system has it. libstdc++ too, whose functions it replaces, and
    # because it would come too late with a library of Python's.
    return f"{runtime}:libstdc++.so.6" if runtime else ""
