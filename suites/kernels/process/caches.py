"""Mesa's cache on disk, as one process leaves it and another one finds it.

OpenCL says nothing of caches, so a program is right with any of them, as it is without one (OpenCL API 3.0, 5.8.2): what
another build of Mesa or of its built-in library has made, and what is damaged, is no program of this one.
"""

from __future__ import annotations

import math
import os
import re
import struct
import sys
import tempfile
from pathlib import Path

import numpy as np

from runner import check
from runner.check import Mismatch, Unsupported
from runner.device import Device
from runner.model import Case
from runner.program import run_program

from .table import CACHED, DAMAGES, KINDS

_WANT = np.array([math.sin(math.pi / 4), math.asin(0.25) / math.pi, math.atan(0.25)])
_RTOL = 1e-6  # sinpi, asinpi and atan may be 4 and 5 ulp off; the other library's are off by 0.04
_BUILD_ID = re.compile(rb"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0(.{20})", re.DOTALL)
_LIBRARY = re.compile(rb"/[\w/.+-]*/clc/spirv64-mesa3d-\.spv")
_OTHERS = b"./clc.spv"  # in the program's working folder
_PI, _THREE = struct.pack("<f", math.pi), struct.pack("<f", 3.0)


class _Cache:
    """A folder of Mesa's cache, of one kind, and what programs print that use it."""

    def __init__(self, path: Path, kind: str) -> None:
        path.mkdir()
        self.path = path
        self._variables = KINDS[kind]

    def values(self, vendors: Path | None = None) -> list[float]:
        """A program's three values, by this process' Mesa or by the one that an .icd file names."""
        return self._run(vendors)[1]

    def library(self) -> Path:
        """The file of this process' Mesa. Raises Unsupported where the implementation is no Rusticl."""
        name = self._run(None)[0]
        if name == "none":
            raise Unsupported("the implementation is not Rusticl")
        return Path(name)

    def filled(self) -> int:
        """What it holds, in bytes, but for the tables of places, whose size is fixed."""
        return sum(path.stat().st_size for path in self._files() if path.name != "index")

    def damage(self, how: str) -> None:
        """Change each file, by DAMAGES."""
        for path in self._files():
            path.write_bytes(DAMAGES[how](path.read_bytes()))

    def _files(self) -> list[Path]:
        return [path for path in self.path.rglob("*") if path.is_file()]

    def _run(self, vendors: Path | None) -> tuple[str, list[float]]:
        environment = {**self._variables, "MESA_SHADER_CACHE_DIR": str(self.path), "XDG_CACHE_HOME": str(self.path)}
        if vendors:
            environment["OCL_ICD_VENDORS"] = str(vendors)
        ended = run_program([sys.executable, "-P", "-c", CACHED], vendors and vendors.parent, environment)
        if ended.code:
            raise Mismatch(f"enqueue: exit {ended.code}: {ended.reasons[-1]}")
        library, *values = ended.output.split()
        return library, [float(value) for value in values]


def check_taken(device: Device, case: Case) -> None:
    """A second process of the same Mesa has the same values, and compiles nothing. Params: kind."""
    with tempfile.TemporaryDirectory() as folder:
        cache = _filled(Path(folder), case)
        before = cache.filled()
        check.close("a second process' values", cache.values(), _WANT, rtol=_RTOL)
        check.equal("bytes that a second process adds", cache.filled() - before, 0)


def check_damaged(device: Device, case: Case) -> None:
    """What is damaged is not taken, by the first process that finds it, nor by the next one. Params: kind, how."""
    with tempfile.TemporaryDirectory() as folder:
        cache = _filled(Path(folder), case)
        cache.damage(case.params["how"])
        for place in ("first", "second"):
            check.close(f"the {place} process' values, after the damage", cache.values(), _WANT, rtol=_RTOL)


def check_other_build(device: Device, case: Case) -> None:
    """A Mesa with another build id, the same but for that, compiles all of it again. Params: kind."""
    with tempfile.TemporaryDirectory() as folder:
        cache = _filled(Path(folder), case)
        content = cache.library().read_bytes()
        found = _BUILD_ID.search(content)
        if not found:
            raise Unsupported("Mesa's library has no build id of 20 bytes")
        vendors = _vendors(Path(folder, "other"), content.replace(found[1], found[1][::-1]))
        empty, before = _Cache(Path(folder, "empty"), case.params["kind"]), cache.filled()
        check.close("the values of another build", cache.values(vendors), _WANT, rtol=_RTOL)
        empty.values(vendors)
        # A driver below Mesa's library, as zink's Vulkan, is the same one, and may take what is its own.
        check.true(
            f"another build adds {cache.filled() - before} bytes, of {empty.filled()} in an empty cache",
            cache.filled() - before >= (0.5 if "zink" in os.environ.get("RUSTICL_ENABLE", "") else 0.99) * empty.filled(),
        )


def check_other_library(device: Device, case: Case) -> None:
    """The same Mesa with another built-in library computes by that one, though its cache is full. Params: kind.

    In that library pi is 3; the values are those that the same process has with an empty cache.
    """
    with tempfile.TemporaryDirectory() as folder:
        cache = _filled(Path(folder), case)
        content = cache.library().read_bytes()
        found = _LIBRARY.search(content)
        if not found:
            raise Unsupported("Mesa's library names no built-in library of its own file")
        vendors = _vendors(Path(folder, "other"), content.replace(found[0], _OTHERS.ljust(len(found[0]), b"\0")))
        library = Path(os.fsdecode(found[0])).read_bytes()
        words = (library[at : at + 4] for at in range(0, len(library), 4))
        (vendors.parent / os.fsdecode(_OTHERS)).write_bytes(b"".join(_THREE if word == _PI else word for word in words))
        want = _Cache(Path(folder, "empty"), case.params["kind"]).values(vendors)
        if np.allclose(want, _WANT, rtol=1e-3, atol=0):
            raise Unsupported("the built-in library's sinpi does not use its pi")
        check.close("the values with another built-in library", cache.values(vendors), want, rtol=_RTOL)


def _filled(folder: Path, case: Case) -> _Cache:
    """The cache that a first process has left. Raises Unsupported where it leaves none."""
    cache = _Cache(folder / "cache", case.params["kind"])
    check.close("the first process' values", cache.values(), _WANT, rtol=_RTOL)
    if not cache.filled():
        raise Unsupported("the driver keeps no cache on disk")
    return cache


def _vendors(folder: Path, library: bytes) -> Path:
    """An .icd file of its own folder, for a changed copy of Mesa's library."""
    folder.mkdir()
    path = folder / "libRusticlOpenCL.so.1"
    path.write_bytes(library)
    vendors = folder / "other.icd"
    vendors.write_text(f"{path}\n", encoding="utf-8")
    return vendors
