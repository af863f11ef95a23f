"""The files of an implementation: its libraries, their build ids, Mesa's built-in library, its packages."""

import contextlib
import ctypes
import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

_PATCHED = b"__clc_mesa_libclc_version"  # the symbol that Rusticl looks for, from 26.1 on


def mapped_libraries() -> list[Path]:
    """The shared objects of this process, from the kernel's list."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    return sorted({Path(line.split(maxsplit=5)[5]) for line in lines if ".so" in line and len(line.split(maxsplit=5)) == 6})


class _LinkMap(ctypes.Structure):
    """The head of glibc's and musl's `struct link_map` (<link.h>), which is what dlopen returns."""

    _fields_ = (("address", ctypes.c_void_p), ("name", ctypes.c_char_p))


def loaded_by_name(name: str, mapped: Iterable[Path]) -> Path | None:
    """Which of the mapped files this process has loaded by a name: a path, or what the dynamic loader finds by itself.

    `libvendor.so.1`, as .icd files say, may be the file libvendor.so.580.12.
    """
    try:
        handle: int = ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)._handle
        own = Path(os.fsdecode(_LinkMap.from_address(handle).name or b"")).stat()
    except OSError:
        return None
    for path in mapped:
        # The same file, not the same path: qemu-user's programs see some of their paths with the root before them.
        with contextlib.suppress(OSError):
            if os.path.samestat(path.stat(), own):
                return path
    return None


def why_unloadable(name: str) -> str:
    """The dynamic loader's error for a library; "" if it loads it."""
    try:
        ctypes.CDLL(name)
    except OSError as error:
        return str(error)
    return ""


def find_libclc(address_bits: int = 64) -> Path | None:
    """Mesa's built-in library, whose path is compiled into Mesa; None if it lies elsewhere."""
    name = f"spirv{'64' if address_bits == 64 else ''}-mesa3d-.spv"
    paths = (Path(folder, "clc", name) for folder in ("/usr/lib", "/usr/share"))
    return next((p for p in paths if p.is_file()), None)


def libclc_hash(path: Path | None) -> str:
    """The name of a built-in library in results, or ""."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path else ""


def is_patched(libclc: Path) -> bool:
    """True for the libclc that Mesa's developers patch; a plain one has bugs that they know."""
    return _PATCHED in libclc.read_bytes()


def root_packages() -> tuple[str, ...]:
    """The exact packages of the implementation, if a root has recorded its own (ci/in-root)."""
    record = Path(os.environ.get("RUNNER_ROOT_PACKAGES", ""))
    lines = record.read_text(encoding="utf-8").splitlines() if record.is_file() else []
    return tuple(line for line in lines if re.match(r"mesa-|libclc|libllvm|ocl-icd|clang-\d", line))


def build_id(library: Path) -> str:
    """The GNU build id of an ELF file, found by its note header, or ""."""
    if not library.is_file():
        return ""
    with library.open("rb") as file:
        head = file.read(1 << 16)
    found = re.search(rb"\x04\0\0\0([\x10\x14])\0\0\0\x03\0\0\0GNU\0", head)
    return head[found.end() : found.end() + found[1][0]].hex() if found else ""
