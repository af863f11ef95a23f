"""The emulators' images without a GPU: their sources and images.c as a library."""

import ctypes
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emulators.library import _QUIET

_HERE = Path(__file__).parent
_ENGINE, _ADRENO = _HERE.parent.parent / "emulators/engine", _HERE.parent.parent / "emulators/adreno"
_SOURCES = (
    _HERE / "images.c",
    *(_ENGINE / name for name in ("format.c", "image.c")),
    *(_ADRENO / name for name in ("formats.c", "layout.c")),
)
_OPTIONS = ("-std=gnu11", "-O2", "-march=native", "-ffp-contract=off", "-fPIC", "-shared", "-Wall", "-Werror", *_QUIET)
Array = NDArray[Any]


def build_images(folder: Path) -> ctypes.CDLL:
    clang = shutil.which("clang") or next(iter(sorted(map(str, Path("/usr/bin").glob("clang-[0-9]*")))), None)
    assert clang, "the emulators are compiled by clang"
    library = folder / "images.so"
    subprocess.run([clang, *_OPTIONS, f"-I{_ADRENO}", "-o", str(library), *map(str, _SOURCES), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def pointer(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def nearest(value: Fraction) -> np.float32:
    """The float nearest to a number, the even one of two."""
    guess = np.float32(float(value))
    near = [guess, np.nextafter(guess, np.float32(-np.inf)), np.nextafter(guess, np.float32(np.inf))]
    return min(near, key=lambda f: (abs(Fraction(float(f)) - value), int(f.view(np.uint32)) & 1))
