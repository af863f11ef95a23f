"""Bounds for builtins whose error the specification leaves open: loose ones that every sane device keeps.

- native_NAME (7.4: implementation-defined): the precision that Vulkan's table asks of the operation of the same name, or,
  if it has none, of those from which it is derived: sin and cos within 2^-11 on [-pi, pi], exp2 within 3 + 2 |x| ULP,
  log2 within 2^-21 on [0.5, 2] and 3 ULP elsewhere, inversesqrt 2 ULP, division 2.5 ULP.
- lgamma (no limit): the usual sums, with each term off by some units of the greatest one.
- mad if it is "any value": a multiplication and an addition, each off by at most a unit.

A result with the wrong sign, one that falls although the function rises, and a finite one although the function is not,
exceed these bounds. If nothing can be asked, the bound is infinite.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check

from ..kit.floating import Array, overflowed
from ..kit.scalar import np_type
from .reference import reference

Doubles = NDArray[np.float64]
# The origin of the bound, for the message, behind "allowed":
_VULKAN_BOUND = " by this suite's own bound, from Vulkan's table of precision (7.4 leaves it to the implementation)"
_SOURCES = {
    **dict.fromkeys(("lgamma", "lgamma_r"), " by this suite's own bound, that of the usual sums (7.4 leaves it undefined)"),
    "mad": " by this suite's own bound, of a product and a sum that err by a unit each (7.4 allows any value)",
}
_EPS = 2.0**-23  # of float, the only type with native builtins
_TRIGONOMETRIC = 2.0**-11
_GAMMA_UNITS = 64


def _ulps(want: Doubles, count: Any, dtype: np.dtype[Any]) -> Doubles:
    """`count` units in the last place of `want` as numbers."""
    info = np.finfo(dtype)
    size = np.clip(np.abs(np.where(np.isfinite(want), want, 1)), float(info.smallest_subnormal), float(info.max))
    unit = np.ldexp(1.0, np.maximum(np.frexp(size)[1] - 1, info.minexp) - info.nmant)
    return np.asarray(count * unit)


def _trigonometric(x: Doubles, want: Doubles) -> Doubles:
    return np.where(np.abs(x) <= np.float32(np.pi), _TRIGONOMETRIC, np.inf)


def _tan(x: Doubles, want: Doubles) -> Doubles:
    """sin / cos, each off by 2^-11; open if that may be a division by zero."""
    cosine = np.abs(np.cos(x)) - _TRIGONOMETRIC
    off = _TRIGONOMETRIC * (1 + np.abs(want)) / np.where(cosine > _TRIGONOMETRIC, cosine, np.nan)
    return np.where(np.isnan(off) | (np.abs(x) > np.float32(np.pi)), np.inf, off + _near(want, 2.5))


def _near(want: Doubles, count: Any) -> Doubles:
    return _ulps(want, count, np.dtype(np.float32))


def _exponential(base: float) -> Callable[[Doubles, Doubles], Doubles]:
    """exp2 of x log2(base), which is a product of two rounded numbers."""
    factor = math.log2(base)

    def allowed(x: Doubles, want: Doubles) -> Doubles:
        argument = np.minimum(np.abs(x * factor), 2.0**20)
        return _near(want, 3 + 2 * argument + (0 if factor == 1 else 2 * math.log(2) * argument))

    return allowed


def _log2_error(x: Doubles) -> Doubles:
    """The error of log2, as a number."""
    return np.where((x >= 0.5) & (x <= 2), 2.0**-21, 3 * _EPS * np.abs(np.log2(x)))


def _logarithm(base: float) -> Callable[[Doubles, Doubles], Doubles]:
    """log2 divided by a constant."""
    return lambda x, want: np.where(np.isfinite(want), _log2_error(x) / math.log2(base) + _near(want, 2 * (base != 2)), 0)


def _powr(x: Doubles, y: Doubles, want: Doubles) -> Doubles:
    """exp2 of y log2(x)."""
    argument = y * np.log2(x)
    off = np.abs(y) * _log2_error(x) + _EPS * np.abs(argument)
    count = 3 + 2 * np.abs(argument) + 2 * off / _EPS
    return np.where((x > 0) & np.isfinite(x) & np.isfinite(y) & (off < 1), _near(want, np.minimum(count, 2.0**23)), np.inf)


def _divide(x: Doubles, y: Doubles, want: Doubles) -> Doubles:
    """x times the reciprocal of y, in the domain of the relaxed table (7.4): beyond it the reciprocal may be zero."""
    inside = (np.abs(y) >= 2.0**-62) & (np.abs(y) <= 2.0**62) & (np.abs(x) >= 2.0**-62) & (np.abs(x) <= 2.0**62)
    return np.where(inside, _near(want, 4), np.inf)


_NATIVE: dict[str, Callable[..., Doubles]] = {
    "cos": _trigonometric,
    "sin": _trigonometric,
    "tan": _tan,
    "divide": _divide,
    "recip": lambda x, want: np.where((np.abs(x) <= 2.0**126) | np.isinf(x), _near(want, 2.5), np.inf),
    "exp": _exponential(math.e),
    "exp2": _exponential(2),
    "exp10": _exponential(10),
    "log": _logarithm(math.e),
    "log2": _logarithm(2),
    "log10": _logarithm(10),
    "powr": _powr,
    "rsqrt": lambda x, want: _near(want, 2),
    "sqrt": lambda x, want: _near(want, 5),  # the reciprocal of rsqrt
}


def _lgamma(floating: str, x: Doubles, want: Doubles) -> Doubles:
    """Units of the greatest term; below zero, lgamma is log |pi / (x sin(pi x))| - lgamma(-x). -Inf is an edge (7.5.1)."""
    terms = np.maximum(1, np.abs(want)) + np.where((x < 0) & np.isfinite(x), np.abs(gamma(np.abs(x))), 0)
    off = np.where(np.isfinite(want), _GAMMA_UNITS * float(np.finfo(np_type(floating)).eps) * terms, 0)
    return np.where(x == -np.inf, np.inf, off)


def _mad(floating: str, a: Doubles, b: Doubles, want: Doubles) -> Doubles:
    """Open if the product by itself may overflow, or be a NaN that the sum with an infinity hides."""
    info = np.finfo(np_type(floating))
    product = np.abs(a * b)
    off = float(info.eps) * (np.minimum(product, float(info.max)) + np.where(np.isfinite(want), np.abs(want), 0))
    finite = np.isfinite(a) & np.isfinite(b)
    return np.where(finite & (product >= float(info.max) * (1 - float(info.eps))), np.inf, off)


def gamma(x: Doubles) -> Doubles:
    """lgamma: the logarithm of |gamma(x)|; infinite at its poles."""

    def one(value: float) -> float:
        try:
            return math.lgamma(value)
        except (OverflowError, ValueError):
            return math.inf

    return np.vectorize(one, otypes=[np.float64])(x)


def _sign_of_gamma(x: Doubles) -> Doubles:
    """The sign that lgamma_r stores; NaN if gamma has none."""
    known = np.isfinite(x) & ((x > 0) | (x != np.floor(x)))
    return np.where(known, np.where((x < 0) & (np.fmod(np.floor(x), 2) != 0), -1.0, 1.0), np.nan)


def require_sane(name: str, floating: str, inputs: Sequence[Array], outputs: Sequence[Array], *, denormals: bool) -> None:
    """Require the results of a builtin without a limit to be within its bound, and the sign that lgamma_r stores."""
    dtype = np_type(floating)
    tiny = float(np.finfo(dtype).tiny)
    values = [a.astype(np.float64) for a in inputs]
    native = name.removeprefix("native_")
    with np.errstate(all="ignore"):
        normal = np.all([(v == 0) | ~(np.abs(v) < tiny) for v in values], axis=0)
        if name in ("lgamma", "lgamma_r"):
            want = gamma(values[0])
            off = _lgamma(floating, values[0], want)
        elif name == "mad":
            want = reference("fma", dtype)(*values)
            off = _mad(floating, values[0], values[1], want)
            off = np.where(normal | denormals, off, np.inf)
        else:
            want = reference(native, dtype)(*values)
            off = _NATIVE[native](*values, want)
            # A denormal operand may be flushed to zero, and graphics does not ask for NaN.
            off = np.where(~np.isnan(want) & normal, off, np.inf)
        if not denormals:
            off = off + (2 if name == "mad" else 1) * tiny
        limit = np.where(np.isnan(off), np.inf, off / _ulps(want, 1, dtype))
    source = _SOURCES.get(name, _VULKAN_BOUND)
    wants = [want, overflowed(want, floating)]
    if name in ("lgamma", "lgamma_r") and not denormals:
        wants.append(np.where(normal, want, np.inf))  # a denormal operand may be flushed to zero (7.5.3)
    check.ulp(name, outputs[0], wants, limit, inputs, source=source)
    if name == "lgamma_r":
        sign = np.where(normal | denormals, _sign_of_gamma(values[0]), np.nan)
        check.exact(f"*{name}", outputs[1], [np.where(np.isnan(sign), outputs[1], sign).astype(np.int32)], inputs)
