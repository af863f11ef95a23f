"""Mesa's cache on disk, which one process leaves and another one finds.

OpenCL says nothing about caches, so a program must be right with any of them, as it is without one (OpenCL API 3.0, 5.8.2):
entries that are damaged, or that come from another build of Mesa or of its built-in library, must not be used.
"""

from __future__ import annotations

import math
import os
import re
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from runner import check
from runner.check import Mismatch, Unsupported
from runner.device import Device
from runner.program import run_program

from .processes import program
from .table import DAMAGES, KINDS

_WANT = np.array([math.sin(math.pi / 4), math.asin(0.25) / math.pi, math.atan(0.25)])
_RTOL = 1e-6  # sinpi, asinpi and atan may be 4 and 5 ulp off; with the other library they are off by 0.04
_BUILD_ID = re.compile(rb"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0(.{20})", re.DOTALL)
_LIBRARY = re.compile(rb"(/[\w/.+-]*/clc/spirv64-mesa3d-\.spv)")
_UNUSED_LIBRARY = b"./clc.spv"  # in the program's working folder
_PI, _THREE = struct.pack("<f", math.pi), struct.pack("<f", 3.0)


class _Cache:
    """A folder with Mesa's cache, of one kind, and the output of programs that use it."""

    def __init__(self, path: Path, kind: str) -> None:
        path.mkdir()
        self.path = path
        self.library = ""  # the file of Mesa that the last program had; "none" if the implementation is not Rusticl
        self._kind = kind

    def beside(self, name: str) -> _Cache:
        """An empty cache of the same kind."""
        return _Cache(self.path.with_name(name), self._kind)

    def values(self, vendors: Path | None = None) -> list[float]:
        """A program's three values, by this process's Mesa or by the one that an .icd file names."""
        environment = {**KINDS[self._kind], "MESA_SHADER_CACHE_DIR": str(self.path), "XDG_CACHE_HOME": str(self.path)}
        if vendors:
            environment["OCL_ICD_VENDORS"] = str(vendors)
        ended = run_program(program("cached"), vendors and vendors.parent, environment)
        if ended.code:
            raise Mismatch(f"enqueue: exit {ended.code}: {ended.reasons[-1]}")
        self.library, *values = ended.output.split()
        return [float(value) for value in values]

    def filled(self) -> int:
        """The size of its files in bytes, without the index files, whose size is fixed."""
        return sum(path.stat().st_size for path in self._files() if path.name != "index")

    def damage(self, how: str) -> None:
        """Damage each file. `how`: a name of DAMAGES."""
        for path in self._files():
            path.write_bytes(DAMAGES[how](path.read_bytes()))

    def _files(self) -> list[Path]:
        return [path for path in self.path.rglob("*") if path.is_file()]


def check_cache_taken(device: Device, *, kind: str) -> None:
    """A second process with the same Mesa has the same values, and compiles nothing."""
    with _filled(kind) as cache:
        before = cache.filled()
        check.close("a second process' values", cache.values(), _WANT, rtol=_RTOL)
        check.equal("bytes that a second process adds", cache.filled() - before, 0)


def check_cache_damaged(device: Device, *, kind: str, how: str) -> None:
    """Neither the first process that finds damaged entries uses them, nor the next one."""
    with _filled(kind) as cache:
        cache.damage(how)
        for place in ("first", "second"):
            check.close(f"the {place} process' values, after the damage", cache.values(), _WANT, rtol=_RTOL)


def check_cache_other_build(device: Device, *, kind: str) -> None:
    """A Mesa that differs only in its build id compiles everything again."""
    with _filled(kind) as cache:
        content, build_id = _find(cache, _BUILD_ID, "a build id of 20 bytes")
        vendors = _vendors(cache, content.replace(build_id, build_id[::-1]))
        empty, before = cache.beside("empty"), cache.filled()
        check.close("the values of another build", cache.values(vendors), _WANT, rtol=_RTOL)
        empty.values(vendors)
        # A driver below Mesa's library, such as zink's Vulkan driver, is the same one, and may use its own entries.
        check.true(
            f"another build adds {cache.filled() - before} bytes, of {empty.filled()} in an empty cache",
            cache.filled() - before >= (0.5 if "zink" in os.environ.get("RUSTICL_ENABLE", "") else 0.99) * empty.filled(),
        )


def check_cache_other_library(device: Device, *, kind: str) -> None:
    """The same Mesa with another built-in library uses that library, although its cache is full.

    In that library pi is 3; the values must be those of the same process with an empty cache.
    """
    with _filled(kind) as cache:
        content, name = _find(cache, _LIBRARY, "a built-in library in a file of its own")
        vendors = _vendors(cache, content.replace(name, _UNUSED_LIBRARY.ljust(len(name), b"\0")))
        library = Path(os.fsdecode(name)).read_bytes()
        words = (library[at : at + 4] for at in range(0, len(library), 4))
        (vendors.parent / os.fsdecode(_UNUSED_LIBRARY)).write_bytes(
            b"".join(_THREE if word == _PI else word for word in words)
        )
        want = cache.beside("empty").values(vendors)
        if np.allclose(want, _WANT, rtol=1e-3, atol=0):
            raise Unsupported("the built-in library's sinpi does not use its pi")
        check.close("the values with another built-in library", cache.values(vendors), want, rtol=_RTOL)


@contextmanager
def _filled(kind: str) -> Iterator[_Cache]:
    """The cache that a first process leaves, in a temporary folder. Raises Unsupported if it leaves none."""
    with tempfile.TemporaryDirectory() as folder:
        cache = _Cache(Path(folder, "cache"), kind)
        check.close("the first process' values", cache.values(), _WANT, rtol=_RTOL)
        if not cache.filled():
            raise Unsupported("the driver keeps no cache on disk")
        yield cache


def _find(cache: _Cache, pattern: re.Pattern[bytes], what: str) -> tuple[bytes, bytes]:
    """The bytes of Mesa's library, and the pattern's group in it. Raises Unsupported if either is missing."""
    if cache.library == "none":
        raise Unsupported("the implementation is not Rusticl")
    content = Path(cache.library).read_bytes()
    found = pattern.search(content)
    if not found:
        raise Unsupported(f"Mesa's library does not have {what}")
    return content, found[1]


def _vendors(cache: _Cache, library: bytes) -> Path:
    """An .icd file in a folder of its own beside the cache, for a changed copy of Mesa's library."""
    folder = cache.path.with_name("other")
    folder.mkdir()
    path = folder / "libRusticlOpenCL.so.1"
    path.write_bytes(library)
    vendors = folder / "other.icd"
    vendors.write_text(f"{path}\n", encoding="utf-8")
    return vendors
