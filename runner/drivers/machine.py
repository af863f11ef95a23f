"""What this machine has for its drivers: .icd files, and render nodes."""

import contextlib
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from runner import ROOT
from runner.cache_folder import cache_folder
from runner.drivers import PLACE_VARIABLE
from runner.lines import one_line
from runner.model import InfrastructureError

VENDORS = (Path("/etc/OpenCL/vendors"), Path("/usr/share/OpenCL/vendors"), Path("/usr/local/etc/OpenCL/vendors"))


def find_icd(environment: Mapping[str, str], pattern: str = "*rusticl*.icd") -> Path:
    """The .icd file under test: the one that OCL_ICD_VENDORS or OCL_ICD_FILENAMES names, else the installed one.

    `pattern` chooses among the files of a folder; a file that is named is taken as it is.
    Raises InfrastructureError if there is not exactly one.
    """
    name = next((n for n in ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES") if environment.get(n)), "")
    if name:
        named, where = Path(environment[name]), f"{name}={environment[name]}"
        found = sorted(named.glob(pattern)) if named.is_dir() else [named] * named.is_file()
    else:
        found = sorted({p.resolve() for folder in VENDORS for p in folder.glob(pattern)})
        where = ", ".join(map(str, VENDORS))
    if len(found) != 1:
        what = f"no {pattern} file" if not found else f"{len(found)} {pattern} files ({', '.join(p.name for p in found)})"
        raise InfrastructureError(
            f"{what} in {where}: install Mesa's OpenCL (ci/run --mesa system names the package), "
            "or set OCL_ICD_VENDORS to exactly one .icd file of your build"
        )
    return found[0]


def kernel_devices(root: Path = Path("/sys/class/drm")) -> dict[str, str]:
    """The render nodes of this machine and their kernel drivers, as {"renderD128": "msm"}."""
    return {p.name: (p / "device/driver").resolve().name for p in sorted(root.glob("renderD*"))}


def render_node_library() -> str:
    """The path of ci/render_node.c's library in this root, or ""."""
    path = os.environ.get("RUNNER_RENDER_NODE", "")
    return path if Path(path).is_file() else ""


def place_library() -> str:
    """ci/crash_place.c's library: that of the root, or one that this machine's C compiler makes in the cache; "" without."""
    if PLACE_VARIABLE in os.environ:
        return os.environ[PLACE_VARIABLE]
    source = ROOT / "ci/crash_place.c"
    compiler = next(filter(None, map(shutil.which, ("cc", "clang", "gcc"))), "")
    path = cache_folder() / f"crash_place-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}-{platform.machine()}.so"
    if path.is_file() or not compiler:
        return str(path) if path.is_file() else ""
    with contextlib.suppress(OSError, subprocess.CalledProcessError):  # without it a crash is red, without its place
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
            made = Path(scratch, path.name)
            subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", made, source], check=True, capture_output=True)
            made.rename(path)
        return str(path)
    return ""


def shared_memory_library(folder: Path) -> str:
    """ci/udmabuf.c's library, built into a folder; "" if the machine has the kernel's own /dev/udmabuf.

    Raises InfrastructureError if it cannot be built.
    """
    path = folder / "udmabuf.so"
    if os.access("/dev/udmabuf", os.R_OK | os.W_OK):
        return ""
    if not path.is_file():
        command = ["clang", "-shared", "-fPIC", "-O2", "-o", str(path), f"{ROOT}/ci/udmabuf.c"]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            why = one_line(str(getattr(error, "stderr", None) or error))
            raise InfrastructureError(f"no /dev/udmabuf, and what stands in for it cannot be built: {why}") from error
    return str(path)
