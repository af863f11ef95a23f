"""A Mesa that is not installed: what makes a child load it, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

from runner.model import InfrastructureError

# Where an installed build and an artifact (install/), and a meson build directory keep Vulkan's files.
_VULKAN_FILES = ("**/share/vulkan/icd.d/*.json", "src/**/*_devenv_icd.*.json")


def prefix_environment(prefix: Path, cache: Path) -> dict[str, str]:
    """The variables that pin a child to the Rusticl below `prefix`.

    The .icd file of a build names a path of the machine that built it, or none; the one written here, into
    `cache`, names the library that was found. Raises InfrastructureError where there is not exactly one.
    """
    found = sorted({p.resolve() for p in prefix.rglob("libRusticlOpenCL.so*") if p.is_file() and ".so.p" not in p.name})
    if len(found) != 1:
        what = ", ".join(map(str, found)) or "no libRusticlOpenCL.so"
        raise InfrastructureError(
            f"--mesa-prefix {prefix}: found {what} below it; give the folder of one build that was configured "
            "with -Dgallium-rusticl=true (`ninja -C BUILD` or `ninja -C BUILD install` done)"
        )
    library = found[0]
    cache.mkdir(parents=True, exist_ok=True)
    icd = cache / "rusticl.icd"
    icd.write_text(f"{library}\n", encoding="utf-8")
    paths = [str(library.parent), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    own = {"OCL_ICD_VENDORS": str(icd), "LD_LIBRARY_PATH": ":".join(paths)}
    if vulkan := sorted({str(p) for pattern in _VULKAN_FILES for p in prefix.glob(pattern)}):
        own["VK_DRIVER_FILES"] = ":".join(vulkan)
    return own
