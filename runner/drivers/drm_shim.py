"""The source of the driver and its noop drm-shim for a run without a device: `compiler` and `shims` in drivers.yaml."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from runner.drivers.emulator import Emulator
from runner.model import InfrastructureError
from runner.releases import series_of

ORIGINS = ("arm64", "package", "mesa-build")
_LIBRARIES = ("/usr/lib", "/usr/local/lib")


@dataclass(frozen=True, slots=True)
class Shim:
    """One of Mesa's noop drm-shims: a fake kernel driver for a family of GPUs."""

    library: str  # lib<library>_noop_drm_shim.so
    gpus: Mapping[str, Mapping[str, str]]  # --gpu name -> the variables that choose it
    environment: Mapping[str, str] = field(default_factory=dict)
    fence: bool = False  # without ci/noop_fence.c's library a launch kills the driver, or never ends
    since: str = ""  # the first Mesa, as 26.2, that was seen to have these GPUs
    until: str = ""  # the last one
    emulated: Mapping[str, str] = field(default_factory=dict)  # the environment if an emulator executes, before a variant's
    emulator: str = ""  # a family in emulators/, by which --mode emulate executes some of the GPUs

    def is_in(self, mesa: str) -> bool:
        """False for a Mesa, as 25.0.7, that is known to lack these GPUs."""
        own = series_of(mesa)
        return not mesa or (series_of(self.since) <= own and (not self.until or own <= series_of(self.until)))

    @property
    def file(self) -> str:
        """The library's file name."""
        return f"lib{self.library}_noop_drm_shim.so"


@dataclass(frozen=True, slots=True)
class Shimmed:
    """The libraries of a child without a device: the driver, and those that stand in for the kernel and for the GPU."""

    shim: Path
    prefix: str = ""  # a Mesa that is not installed
    root: str = ""  # a root of another architecture, whose Python runs under its qemu
    emulator: Emulator | None = None  # what executes the launches, and in compile mode checks their shaders
    executes: bool = False


def find_shimmed(driver: str, origins: Sequence[str], shim: Shim, prefix: str, mode: str = "compile") -> Shimmed:
    """The driver of `--mesa-prefix`, or of the first of its origins that is there, with its shim.

    If Debian has a driver for some architectures only, the shim in its mesa-drm-shim tells whether the installed
    Rusticl has the driver. A driver that every package has may do with ci/mesa-build's shim: Intel's is in none.
    Raises InfrastructureError if there is none.
    """
    built, foreign = os.environ.get("RUNNER_MESA_BUILD", ""), os.environ.get("RUNNER_ARM64_ROOT", "")
    installed = next(filter(None, (_find(shim, p, "", "*/") for p in _LIBRARIES)), None)
    of_build = _find(shim, os.environ.get("RUNNER_SHIMS", ""), "")
    if prefix and (library := _find(shim, prefix, "**/") or installed or of_build):
        return Shimmed(library, prefix)
    for origin in () if prefix else origins:
        match origin:
            case "package" if library := installed or (of_build if len(origins) == 1 else None):
                return Shimmed(library)
            case "mesa-build" if library := _find(shim, built, "lib/"):
                return Shimmed(library, built)
            case "arm64" if library := _find(shim, foreign, "usr/lib/*/"):
                return Shimmed(library, root=foreign)
    ways = {
        "package": "a Debian whose mesa-drm-shim has it for this architecture (ci/run --mesa sid has most)",
        "mesa-build": "ci/mesa-build, which builds trixie's (once, ten minutes of CPU time)",
        "arm64": "ci/run --arch arm64, which takes Debian's for ARM under qemu (slow)",
    }
    if tuple(origins) == ("package",):
        ways["package"] += ", or ci/mesa-build, which builds every shim"
    where = f" in {prefix} or {', '.join(_LIBRARIES)}" if prefix else ""
    raise InfrastructureError(
        f"--mode {mode}: no {shim.file} for {driver}{where}; to be had from "
        f"{'; or '.join(way for origin, way in ways.items() if origin in origins)}; "
        "or a Mesa build with -Dtools=drm-shim, by --mesa-prefix"
    )


def fence_library(shimmed: Shimmed) -> str:
    """The path of ci/noop_fence.c's library, or "" if nothing has built it."""
    path = os.environ.get("RUNNER_NOOP_FENCE", "")
    path = f"{shimmed.root}{path}" if path else ""
    return path if Path(path).is_file() else ""


def shim_environment(shim: Shim, gpu: str, shimmed: Shimmed) -> dict[str, str]:
    """The variables that put the shim in the kernel driver's place, and if there is one, an emulator in the GPU's."""
    own = {**shim.environment, **shim.gpus[gpu]}
    libraries = [str(shimmed.shim), fence_library(shimmed)]
    if shimmed.emulator:  # does what the fence library does, and must see a submission before the shim
        libraries = [str(shimmed.emulator.library), str(shimmed.shim)]
        execute = str(int(shimmed.executes))
        own |= {**shim.emulated, "EMULATOR_GPU": shimmed.emulator.gpu, "EMULATOR_EXECUTE": execute}
    return {"LD_PRELOAD": ":".join(filter(None, [*libraries, os.environ.get("LD_PRELOAD", "")])), **own}


def parse_shim(
    library: str,
    selector: str = "",
    gpus: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    fence: bool = False,
    since: str = "",
    until: str = "",
    emulator: str = "",
    emulated: Mapping[str, str] | None = None,
) -> Shim:
    """A shim from its entry in drivers.yaml."""
    chosen = {name: {selector: str(value)} if selector else {} for name, value in (gpus or {}).items()}
    return Shim(library, chosen, environment or {}, fence, str(since), str(until), emulated or {}, emulator)


def _find(shim: Shim, root: str, *places: str) -> Path | None:
    """The shim's library in one of some places below a folder; None too if there is no folder."""
    found = (p for place in places for p in sorted(Path(root).glob(place + shim.file)))
    return next(found, None) if root else None
