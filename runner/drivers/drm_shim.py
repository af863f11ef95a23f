"""Where compile mode takes a driver's compiler and its noop drm-shim from: `compiler` and `shims` in drivers.yaml."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from runner.model import InfrastructureError
from runner.releases import series_of

ORIGINS = ("arm64", "package", "mesa-build")
_LIBRARIES = ("/usr/lib", "/usr/local/lib")


@dataclass(frozen=True, slots=True)
class Shim:
    """One of Mesa's noop drm-shims: a kernel driver that only looks like one, for a family of GPUs."""

    library: str  # lib<library>_noop_drm_shim.so
    gpus: Mapping[str, Mapping[str, str]]  # --gpu name -> the variables that choose it
    environment: Mapping[str, str] = field(default_factory=dict)
    fence: bool = False  # without ci/noop_fence.c's library a launch kills the driver, or never ends
    since: str = ""  # the first Mesa, as 26.2, that was seen to have these GPUs
    until: str = ""  # the last one

    def is_in(self, mesa: str) -> bool:
        """False for a Mesa, as 25.0.7, that is known to lack these GPUs."""
        own = series_of(mesa)
        return not mesa or (series_of(self.since) <= own and (not self.until or own <= series_of(self.until)))

    @property
    def file(self) -> str:
        """The library's file name."""
        return f"lib{self.library}_noop_drm_shim.so"


@dataclass(frozen=True, slots=True)
class Compiler:
    """What a child of compile mode loads."""

    shim: Path
    prefix: str = ""  # a Mesa that is not installed
    root: str = ""  # a root of another architecture, whose Python runs under its qemu


def find_compiler(driver: str, origins: Sequence[str], shim: Shim, prefix: str) -> Compiler:
    """The compiler of `--mesa-prefix`, or of the first of a driver's origins that is there.

    Where Debian has a driver for some architectures alone, the shim in its mesa-drm-shim tells whether the installed
    Rusticl has the driver. A driver that every package has may do with ci/mesa-build's shim: Intel's is in none.
    Raises InfrastructureError where there is none.
    """
    built, foreign = os.environ.get("RUNNER_MESA_BUILD", ""), os.environ.get("RUNNER_ARM64_ROOT", "")
    installed = next(filter(None, (_find(shim, p, "", "*/") for p in _LIBRARIES)), None)
    of_build = _find(shim, os.environ.get("RUNNER_SHIMS", ""), "")
    if prefix and (library := _find(shim, prefix, "**/") or installed or of_build):
        return Compiler(library, prefix)
    for origin in () if prefix else origins:
        match origin:
            case "package" if library := installed or (of_build if len(origins) == 1 else None):
                return Compiler(library)
            case "mesa-build" if library := _find(shim, built, "lib/"):
                return Compiler(library, built)
            case "arm64" if library := _find(shim, foreign, "usr/lib/*/"):
                return Compiler(library, root=foreign)
    ways = {
        "package": "a Debian whose mesa-drm-shim has it for this architecture (ci/run --mesa sid has most)",
        "mesa-build": "ci/mesa-build, which builds trixie's (once, ten minutes of CPU time)",
        "arm64": "ci/run --arch arm64, which takes Debian's for ARM under qemu (slow)",
    }
    if tuple(origins) == ("package",):
        ways["package"] += ", or ci/mesa-build, which builds every shim"
    where = f" in {prefix} or {', '.join(_LIBRARIES)}" if prefix else ""
    raise InfrastructureError(
        f"--mode compile: no {shim.file} for {driver}{where}; to be had from "
        f"{'; or '.join(ways[o] for o in origins)}; or a Mesa build with -Dtools=drm-shim, by --mesa-prefix"
    )


def fence_library(compiler: Compiler) -> str:
    """The path of ci/noop_fence.c's library, or "" where nothing has built it."""
    path = os.environ.get("RUNNER_NOOP_FENCE", "")
    path = f"{compiler.root}{path}" if path else ""
    return path if Path(path).is_file() else ""


def shim_environment(shim: Shim, gpu: str, compiler: Compiler) -> dict[str, str]:
    """The variables that put the shim in the kernel driver's place."""
    libraries = [str(compiler.shim), fence_library(compiler), os.environ.get("LD_PRELOAD", "")]
    return {"LD_PRELOAD": ":".join(filter(None, libraries)), **shim.environment, **shim.gpus[gpu]}


def parse_shim(
    library: str,
    selector: str = "",
    gpus: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    fence: bool = False,
    since: str = "",
    until: str = "",
) -> Shim:
    """A shim from its entry in drivers.yaml."""
    chosen = {name: {selector: str(value)} if selector else {} for name, value in (gpus or {}).items()}
    return Shim(library, chosen, environment or {}, fence, str(since), str(until))


def _find(shim: Shim, root: str, *places: str) -> Path | None:
    """The shim's library in one of some places below a folder; None too where there is no folder."""
    found = (p for place in places for p in sorted(Path(root).glob(place + shim.file)))
    return next(found, None) if root else None
