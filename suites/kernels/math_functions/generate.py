"""Make doubles.npz: the references of double for which float64 is too narrow, by mpmath (a development dependency).

Run as `python -m suites.kernels.math_functions.generate` from the root of the repository. `stored` reads the file.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import mpmath as mp
import numpy as np
from numpy.typing import NDArray

from .stored import FILE, FRACTIONS, STORED, columns, digest

_BEYOND = mp.ldexp(1, 3000)  # overflows; its inverse underflows, far from any limit
_PRECISION = 240


def _clipped(function: Callable[[Any], Any], low: float, high: float, below: Any, above: Any) -> Callable[[Any], Any]:
    """`function` between `low` and `high`; the values `below` and `above` outside."""
    return lambda x: below if x < low else above if x > high else function(x)


def _tgamma(x: Any) -> Any:
    if x < -200:
        return (-1) ** int(mp.floor(x) % 2) / _BEYOND
    return _BEYOND if x > 200 else mp.gamma(x)


def _power(x: Any, y: Any) -> Any:
    """|x| to the power of y."""
    scale = float(y) * float(mp.log(abs(x), 2))
    return _BEYOND if scale > 1100 else 1 / _BEYOND if scale < -1200 else mp.power(abs(x), y)


def _signed_power(x: Any, y: Any) -> Any:
    if x < 0 and y != int(y):
        raise ValueError
    return -_power(x, y) if x < 0 and int(y) % 2 else _power(x, y)


def _rootn(x: Any, n: Any) -> Any:
    if n == 0 or (x < 0 and n % 2 == 0):
        raise ValueError
    return mp.sign(x) * mp.power(abs(x), mp.mpf(1) / n)


def _powr(x: Any, y: Any) -> Any:
    if x < 0:
        raise ValueError
    return _power(x, y)


_exp = _clipped(mp.exp, -1000, 1000, 1 / _BEYOND, _BEYOND)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "acos": mp.acos,
    "acosh": mp.acosh,
    "acospi": lambda x: mp.acos(x) / mp.pi,
    "asin": mp.asin,
    "asinh": mp.asinh,
    "asinpi": lambda x: mp.asin(x) / mp.pi,
    "atan": mp.atan,
    "atan2": mp.atan2,
    "atan2pi": lambda y, x: mp.atan2(y, x) / mp.pi,
    "atanh": mp.atanh,
    "atanpi": lambda x: mp.atan(x) / mp.pi,
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "cos": mp.cos,
    "cosh": _clipped(mp.cosh, -1000, 1000, _BEYOND, _BEYOND),
    "cospi": mp.cospi,
    "erf": _clipped(mp.erf, -30, 30, mp.mpf(-1), mp.mpf(1)),
    "erfc": _clipped(mp.erfc, -30, 30, mp.mpf(2), 1 / _BEYOND),
    "exp": _exp,
    "exp10": _clipped(lambda x: mp.power(10, x), -1000, 1000, 1 / _BEYOND, _BEYOND),
    "exp2": _clipped(lambda x: mp.power(2, x), -2000, 2000, 1 / _BEYOND, _BEYOND),
    "expm1": _clipped(mp.expm1, -1000, 1000, mp.mpf(-1), _BEYOND),
    "hypot": mp.hypot,
    "log": mp.log,
    "log10": mp.log10,
    "log1p": mp.log1p,
    "log2": lambda x: mp.log(x, 2),
    "pow": _signed_power,
    "pown": _signed_power,
    "powr": _powr,
    "rootn": _rootn,
    "rsqrt": lambda x: 1 / mp.sqrt(x),
    "sin": mp.sin,
    "sinh": _clipped(mp.sinh, -1000, 1000, -_BEYOND, _BEYOND),
    "sinpi": mp.sinpi,
    "tan": mp.tan,
    "tanh": _clipped(mp.tanh, -50, 50, mp.mpf(-1), mp.mpf(1)),
    "tanpi": lambda x: mp.sinpi(x) / mp.cospi(x),
    "tgamma": _tgamma,
}


def _rounded_value(function: Callable[..., Any], row: tuple[Any, ...]) -> tuple[float, int] | None:
    """The double nearest to a value, and the rest in 1 / FRACTIONS of its last place; None if mpmath is not needed."""
    if not all(math.isfinite(x) and x != 0 for x in row):
        return None
    try:
        value = function(*(mp.mpf(x) if isinstance(x, float) else x for x in row))
    except (ValueError, ZeroDivisionError):
        return None
    if not isinstance(value, mp.mpf) or not mp.isfinite(value):
        return None
    if abs(value) >= mp.ldexp(1, 1024):
        return math.copysign(math.inf, value), 0
    near = float(value)
    if math.isinf(near):  # it rounds to 2^1024, but is less
        near = math.copysign(float(np.finfo(np.float64).max), value)
    rest = (value - mp.mpf(near)) / mp.mpf(math.ulp(near))
    return near, max(-FRACTIONS, min(FRACTIONS, int(mp.nint(rest * FRACTIONS))))


def values(name: str, rows: Iterable[int]) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """The pair of arrays that is stored for a builtin, for these rows of its operands.

    If an operand is special or outside of the domain, the first is NaN: float64 itself has that result.
    """
    operands = columns(name)
    found = []
    with mp.workprec(_PRECISION):
        for row in rows:
            pair = _rounded_value(FUNCTIONS[name], tuple(column[row].item() for column in operands))
            found.append((math.nan, 0) if pair is None else pair)
    near, rest = zip(*found, strict=True)
    return np.array(near), np.array(rest, dtype=np.int8)


def main() -> None:
    """Write the file."""
    arrays: dict[str, NDArray[Any]] = {"digest": np.array(digest())}
    for name in STORED:
        arrays[f"{name}.near"], arrays[f"{name}.rest"] = values(name, range(columns(name)[0].size))
        print(name, flush=True)
    np.savez_compressed(FILE, **arrays)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
