"""References of double for which float64 is too narrow: doubles.npz, made by `generate`."""

import functools
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kit.floating import Array, operands
from .table import BUILTINS

FILE = Path(__file__).parent / "doubles.npz"
FRACTIONS = 126  # of a unit in the last place, so that the rest fits into a signed byte
STORED = (
    *("acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atan2", "atan2pi", "atanh", "atanpi", "cbrt"),
    *("cos", "cosh", "cospi", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "hypot", "log", "log10", "log1p"),
    *("log2", "pow", "pown", "powr", "rootn", "rsqrt", "sin", "sinh", "sinpi", "tan", "tanh", "tanpi", "tgamma"),
)
SAMPLES = 4000


def types(name: str, floating: str) -> tuple[str, ...]:
    """The OpenCL C types of a builtin's operands."""
    return tuple(floating if letter == "f" else "int" for letter in BUILTINS[name].operands)


def columns(name: str, floating: str = "double") -> list[Array]:
    """The operands of a builtin, an array for each."""
    return operands(types(name, floating), SAMPLES)[0]


def digest() -> str:
    """A digest of all operands of double: the file is valid only for these."""
    state = hashlib.sha256()
    for letters in ("f", "ff", "fi"):
        for column in operands(tuple("double" if c == "f" else "int" for c in letters), SAMPLES)[0]:
            state.update(np.where(np.isnan(column), 0, column).tobytes())
    return state.hexdigest()[:16]


@functools.cache
def _file() -> Any:
    found = np.load(FILE)
    if str(found["digest"]) != digest():
        raise ValueError(f"{FILE.name} is of other operands: run python -m suites.kernels.math_functions.generate")
    return found


def reference(name: str, special: NDArray[np.float64]) -> NDArray[np.longdouble]:
    """The results for `columns(name)`; `special` are those of float64, used if the file has none."""
    near, rest = _file()[f"{name}.near"], _file()[f"{name}.rest"]
    with np.errstate(invalid="ignore"):
        unit = np.where(np.isfinite(near), np.spacing(np.minimum(np.abs(near), 2.0**1023)), 0)
    return np.where(np.isnan(near), special, near + unit.astype(np.longdouble) * rest / FRACTIONS)
