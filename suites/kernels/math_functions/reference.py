"""References of the math builtins in float64.

Each takes float64 arrays and returns float64; those that also store through a pointer return a pair. All are for half and
float; those with the limit 0 for double are correctly rounded, and are for double, too (`stored` has the others). A NaN
instead of an int means that the specification leaves the value open.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .table import ROUGH

Doubles = NDArray[np.float64]
INT_MAX = 2.0**31 - 1


def _each(function: Callable[..., float]) -> Callable[..., Doubles]:
    """Apply a `function` of Python floats to arrays; the result is NaN if it refuses its operand."""

    def one(*values: float) -> float:
        try:
            return function(*values)
        except (ValueError, ZeroDivisionError):
            return math.nan

    return np.vectorize(one, otypes=[np.float64])


def _sinpi(x: Doubles) -> Doubles:
    turn = x - 2 * np.rint(x / 2)  # exact: -1 to 1
    return np.sin(np.pi * np.where(np.abs(turn) > 0.5, np.copysign(1, turn) - turn, turn))


def _cospi(x: Doubles) -> Doubles:
    return np.sin(np.pi * (0.5 - np.abs(x - 2 * np.rint(x / 2))))


def _tanpi(x: Doubles) -> Doubles:
    turn = x - np.rint(x)  # exact: -0.5 to 0.5
    rest = 0.5 - np.abs(turn)
    return np.where(rest < 0.25, np.copysign(1 / np.tan(np.pi * rest), turn), np.tan(np.pi * turn))


def _tgamma(x: float) -> float:
    if x == 0:
        return math.copysign(math.inf, x)
    try:
        return math.gamma(x)
    except OverflowError:
        return math.copysign(math.inf, x) if abs(x) < 1 else math.inf


def fma(a: Doubles, b: Doubles, c: Doubles) -> Doubles:
    """a * b + c, rounded to odd: the product of two float32 is exact, and the sum can safely be rounded again."""
    product = a * b
    total = product + c
    back = total - product
    lost = (product - (total - back)) + (c - back)
    even = total.view(np.int64) & 1 == 0
    inexact = np.isfinite(lost) & (lost != 0) & np.isfinite(total)
    return np.where(inexact & even, np.nextafter(total, np.copysign(np.inf, lost)), total)


def _fma_double(a: Doubles, b: Doubles, c: Doubles) -> Doubles:
    """a * b + c, correctly rounded, by integers."""

    def one(x: float, y: float, z: float) -> float:
        if math.isinf(z) and math.isfinite(x) and math.isfinite(y):
            return z  # even if the product by itself would overflow
        if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
            return x * y + z
        (p, q), (r, s), (t, u) = x.as_integer_ratio(), y.as_integer_ratio(), z.as_integer_ratio()
        exact = p * r * u + t * q * s
        try:
            return exact / (q * s * u) if exact else x * y + z  # the float sum has the right sign of an exact zero
        except OverflowError:
            return math.inf if exact > 0 else -math.inf

    return np.vectorize(one, otypes=[np.float64])(a, b, c)


def _fdim(x: Doubles, y: Doubles) -> Doubles:
    return np.where(np.isnan(x) | np.isnan(y), np.nan, np.where(x > y, x - y, 0.0))


def _maxmag(x: Doubles, y: Doubles) -> Doubles:
    return np.where(np.abs(x) > np.abs(y), x, np.where(np.abs(y) > np.abs(x), y, np.fmax(x, y)))


def _minmag(x: Doubles, y: Doubles) -> Doubles:
    return np.where(np.abs(x) < np.abs(y), x, np.where(np.abs(y) < np.abs(x), y, np.fmin(x, y)))


def _round(x: Doubles) -> Doubles:
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1, x), whole)


def _rootn(x: Doubles, n: Doubles) -> Doubles:
    odd = np.fmod(n, 2) != 0
    root = np.power(np.abs(x), 1 / n)
    return np.where((n == 0) | ((x < 0) & ~odd), np.nan, np.where(odd, np.copysign(root, x), root))


def _powr(x: Doubles, y: Doubles) -> Doubles:
    undefined = (x < 0) | np.isnan(x) | np.isnan(y)
    undefined |= (np.isinf(x) | (x == 0)) & (y == 0) | (x == 1) & np.isinf(y)
    return np.where(undefined, np.nan, np.power(np.abs(x), y))


def _fract(x: Doubles, dtype: np.dtype[Any]) -> tuple[Doubles, Doubles]:
    rest = np.fmin(x - np.floor(x), 1 - float(np.finfo(dtype).eps) / 2)
    return np.where(np.isinf(x), 0.0, np.where(np.isnan(x), np.nan, rest)), np.floor(x)


def _nextafter(x: Doubles, y: Doubles, dtype: np.dtype[Any]) -> Doubles:
    return np.nextafter(x.astype(dtype), y.astype(dtype)).astype(np.float64)


def _frexp(x: Doubles) -> tuple[Doubles, Doubles]:
    fraction, exponent = np.frexp(x)
    return fraction, np.where(np.isfinite(x), exponent, 0).astype(np.float64)  # 7.5.1


def _modf(x: Doubles) -> tuple[Doubles, Doubles]:
    return np.where(np.isinf(x), 0.0, x - np.trunc(x)), np.trunc(x)


def _ilogb(x: Doubles) -> Doubles:
    exponent = np.frexp(x)[1] - 1.0
    return np.where(np.isinf(x), INT_MAX, np.where((x == 0) | np.isnan(x), np.nan, exponent))


def _logb(x: Doubles) -> Doubles:
    finite = np.isfinite(x) & (x != 0)
    return np.where(finite, np.frexp(x)[1] - 1.0, np.where(x == 0, -np.inf, np.abs(x)))


def _quotient(x: float, y: float) -> float:
    """The integer nearest to x / y, its sign and low seven bits; 0 if the remainder is NaN (7.5.1)."""
    if not math.isfinite(x) or math.isnan(y) or y == 0:
        return 0.0
    if math.isinf(y):
        return 0.0
    (a, b), (c, d) = abs(x).as_integer_ratio(), abs(y).as_integer_ratio()
    whole, rest = divmod(a * d, b * c)
    whole += 2 * rest > b * c or (2 * rest == b * c and whole % 2 == 1)
    return math.copysign(whole % 128, x * y if x and y else 0.0) + 0.0


_remainder = _each(math.remainder)
_gamma = _each(_tgamma)

REFERENCES: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "divide": np.divide,
    "recip": lambda x: 1 / x,
    "neg": np.negative,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "acospi": lambda x: np.arccos(x) / np.pi,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "asinpi": lambda x: np.arcsin(x) / np.pi,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atan2pi": lambda y, x: np.arctan2(y, x) / np.pi,
    "atanh": np.arctanh,
    "atanpi": lambda x: np.arctan(x) / np.pi,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "copysign": np.copysign,
    "cos": np.cos,
    "cosh": np.cosh,
    "cospi": _cospi,
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "exp": np.exp,
    "exp10": lambda x: np.power(10.0, x),
    "exp2": np.exp2,
    "expm1": np.expm1,
    "fabs": np.abs,
    "fdim": _fdim,
    "floor": np.floor,
    "fma": fma,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "fmod": np.fmod,
    "frexp": _frexp,
    "hypot": np.hypot,
    "ilogb": _ilogb,
    "ldexp": lambda x, n: np.ldexp(x, n.astype(np.int64).clip(-5000, 5000).astype(np.int32)),
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "logb": _logb,
    "mad": fma,
    "maxmag": _maxmag,
    "minmag": _minmag,
    "modf": _modf,
    "pow": np.power,
    "pown": np.power,
    "powr": _powr,
    "remainder": _remainder,
    "remquo": lambda x, y: (_remainder(x, y), _each(_quotient)(x, y)),
    "rint": np.rint,
    "rootn": _rootn,
    "round": _round,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sin": np.sin,
    "sincos": lambda x: (np.sin(x), np.cos(x)),
    "sinh": np.sinh,
    "sinpi": _sinpi,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "tanpi": _tanpi,
    "tgamma": _gamma,
    "trunc": np.trunc,
}
REFERENCES |= {f"half_{name}": REFERENCES[name] for name in ROUGH}


def reference(name: str, dtype: np.dtype[Any]) -> Callable[..., Any]:
    """The reference for a builtin of a type, as a function of float64 arrays."""
    if name == "fract":
        return lambda x: _fract(x, dtype)
    if name == "nextafter":
        return lambda x, y: _nextafter(x, y, dtype)
    if name == "fma" and dtype == np.float64:
        return _fma_double
    return REFERENCES[name]
