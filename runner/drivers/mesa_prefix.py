"""Which Rusticl a child loads: one that is not installed, and what a library says about itself before anything loads it."""

import mmap
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache as once
from pathlib import Path

from runner.model import InfrastructureError

_LIBRARIES = ("/usr/local/lib", "/usr/lib", "/usr/lib64")
# Where an installed build and an artifact (install/), and a meson build directory keep Vulkan's files.
_VULKAN_FILES = ("**/share/vulkan/icd.d/*.json", "src/**/*_devenv_icd.*.json")


def prefix_environment(prefix: Path, cache: Path) -> dict[str, str]:
    """The variables that pin a child to the Rusticl below `prefix`.

    The .icd file of a build names a path of the machine that built it, or none; the one written here, into
    `cache`, names the library that was found. Raises InfrastructureError if there is not exactly one.
    """
    if fault := fault_of(prefix):
        raise InfrastructureError(fault)
    library = _libraries(prefix)[0]
    cache.mkdir(parents=True, exist_ok=True)
    icd = cache / "rusticl.icd"
    icd.write_text(f"{library}\n", encoding="utf-8")
    own = {"OCL_ICD_VENDORS": str(icd), "LD_LIBRARY_PATH": library_path(library.parent)}
    if vulkan := sorted({str(p) for pattern in _VULKAN_FILES for p in prefix.glob(pattern)}):
        own["VK_DRIVER_FILES"] = ":".join(vulkan)
    return own


def fault_of(prefix: Path) -> str:
    """Why a folder is not that of one build of Rusticl; "" if it is."""
    if len(found := _libraries(prefix)) == 1:
        return ""
    what = ", ".join(map(str, found)) or "no libRusticlOpenCL.so"
    return (
        f"--mesa-prefix {prefix}: found {what} below it; give the folder of one build that was configured "
        "with -Dgallium-rusticl=true (`ninja -C BUILD` or `ninja -C BUILD install` done)"
    )


def _libraries(prefix: Path) -> list[Path]:
    return sorted({p.resolve() for p in prefix.rglob("libRusticlOpenCL.so*") if p.is_file() and ".so.p" not in p.name})


def library_path(folder: Path) -> str:
    """LD_LIBRARY_PATH with a folder first."""
    return ":".join([str(folder), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])])


def library_of(icd: Path) -> Path | None:
    """The library that an .icd file names, by its path or by its name in the system's folders; None if it is not found."""
    try:
        name = icd.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    if not name:
        return None
    folders = [f for base in map(Path, _LIBRARIES) for f in (base, *base.glob("*-linux-*"))]
    places = [Path(name)] if "/" in name else [folder / name for folder in folders]
    return next((place for place in places if place.is_file() and place.stat().st_size), None)


@once
def sanitizer_runtime(library: Path) -> str:
    """The runtime that a library built with a sanitizer needs before all others, as libasan.so.8; "" for another one."""
    with _mapped(library) as data:
        end = -1
        while (end := data.find(b"san.so.", end + 1)) >= 0:
            if (begin := data.rfind(b"\0", 0, end) + 1) and data[begin:end] in (b"liba", b"libt"):
                return data[begin : data.find(b"\0", end)].decode("ascii", "replace")
    return ""


@once
def release_in(library: Path) -> str:
    """The release of a build of Mesa, as 26.2, from the version that is compiled into it; "" if there is none."""
    with _mapped(library) as data:
        end = -1
        while (end := data.find(b" build ", end + 1)) >= 0:  # a regular expression would be slow over 50 MB
            if found := re.search(rb"%s (\d+\.\d+)\.\d+[^\0]*\Z", data[max(0, end - 80) : end]):
                return found[1].decode()
    return ""


def unknown_words(library: Path, environment: Mapping[str, str]) -> list[str]:
    """Rusticl's variables, and flags of RUSTICL_DEBUG, that a build of Mesa does not know and silently ignores."""
    words = [name for name in environment if name.startswith("RUSTICL_")]
    words += filter(None, environment.get("RUSTICL_DEBUG", "").split(","))
    with _mapped(library) as data:
        return [word for word in words if data.find(word.encode()) < 0]


@contextmanager
def _mapped(path: Path) -> Iterator[mmap.mmap]:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        yield data
