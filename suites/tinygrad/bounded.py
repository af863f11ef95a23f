"""Arrays with error bounds for the device's results: the oracle of the suite.

A reference is written once, as an expression over `Bounded`. Its value is computed in float64; its
error is the sum of the errors that each operation of the device may add, to first order or better:

- + - * and casts are correctly rounded; 1/x, sqrt, exp2, log2 and sin have the limits of OpenCL C 3.0,
  7.4 (`precision`): tinygrad's OpenCL code calls no other functions, it composes everything else of
  them, and the compositions here have the same roundings as tinygrad's;
- a sum of n terms in any order, tree or contraction errs by at most (n-1) u sum|x| (Higham, Accuracy
  and Stability of Numerical Algorithms, 4.2), a dot product by n u sum|a||b| (3.1);
- a sum of whole numbers is exact while sum|x| is below 2**(the type's precision);
- numbers below the smallest normal one may be flushed to zero (7.5.3), except in double;
- a constant is rounded to the type of the other operand.

Integers and booleans wrap as numpy's do and are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import erf, pi
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .precision import ERF_APPROXIMATION, LIMITS, ulp, unit_roundoff

Array = NDArray[Any]
Axis = int | tuple[int, ...] | None


@dataclass(frozen=True, eq=False)
class Bounded:
    """An array of `dtype` as the device holds it: |device - value| <= error, elementwise."""

    value: Array
    error: NDArray[np.float64]
    dtype: np.dtype[Any]

    @classmethod
    def exact(cls, value: Array) -> Bounded:
        """An input: the device holds exactly this."""
        wide = value.astype(np.float64) if value.dtype.kind == "f" else value
        return cls(wide, np.zeros(value.shape), value.dtype)

    def _lift(self, other: Bounded | Array | float) -> Bounded:
        if isinstance(other, Bounded):
            return other
        if isinstance(other, np.ndarray):
            return Bounded.exact(other)
        if self.dtype.kind != "f":
            return Bounded.exact(np.asarray(other).astype(self.dtype))
        stored = float(self.dtype.type(other))
        return Bounded(np.float64(other), np.float64(0 if stored == other else abs(stored - other)), self.dtype)  # type: ignore[arg-type]

    def _rounded(self, value: Array, error: Array, ulps: float = 0.5, dtype: DTypeLike | None = None) -> Bounded:
        kind = np.dtype(dtype or self.dtype)
        if kind.kind != "f":
            return Bounded(np.asarray(value).astype(kind), np.zeros(np.shape(value)), kind)
        info = np.finfo(kind)
        value = np.asarray(value, dtype=np.float64)
        if kind != np.float64:  # what rounds beyond the largest number is infinite
            beyond = np.abs(value) >= float(info.max) * (1 + unit_roundoff(kind) / 2)
            value = np.where(beyond, np.copysign(np.inf, value), value)
        # 2**-50 |value|: the rounding of this float64 arithmetic itself
        error = error + ulps * ulp(value, kind) + np.ldexp(np.abs(value), -50)
        if kind != np.float64:
            tiny = float(info.tiny)
            error = error + np.where((np.abs(value) < tiny) & (value != 0), tiny, 0)
        return Bounded(value, np.where(np.isfinite(value), error, 0), kind)

    def means(self, value: Array) -> Bounded:
        """The same bound, around the value of the mathematical definition."""
        return Bounded(np.where(np.isfinite(self.value), value, self.value), self.error, self.dtype)

    def widened(self, factor: float) -> Bounded:
        """For code that rounds `factor` times as often as the expression."""
        return Bounded(self.value, self.error * factor, self.dtype)

    # arithmetic

    def __add__(self, other: Bounded | Array | float) -> Bounded:
        b = self._lift(other)
        return self._rounded(self.value + b.value, self.error + b.error, dtype=_common(self, b))

    def __neg__(self) -> Bounded:
        return Bounded(-self.value, self.error, self.dtype)

    def __sub__(self, other: Bounded | Array | float) -> Bounded:
        return self + (-self._lift(other))

    def __rsub__(self, other: float) -> Bounded:
        return self._lift(other) - self

    def __mul__(self, other: Bounded | Array | float) -> Bounded:
        b = self._lift(other)
        error = np.abs(self.value) * b.error + self.error * (np.abs(b.value) + b.error)
        return self._rounded(self.value * b.value, error, dtype=_common(self, b))

    def __truediv__(self, other: Bounded | Array | float) -> Bounded:
        return self * self._lift(other).reciprocal()

    __radd__, __rmul__ = __add__, __mul__

    def reciprocal(self) -> Bounded:
        size = np.abs(self.value)
        error = self.error / (size * np.maximum(size - self.error, 0))
        return self._rounded(1 / self.value, error, LIMITS["reciprocal"][self.dtype.name])

    def sqrt(self) -> Bounded:
        root = np.sqrt(self.value)
        error = root - np.sqrt(np.maximum(self.value - self.error, 0))
        return self._rounded(root, error, LIMITS["sqrt"][self.dtype.name])

    def exp2(self) -> Bounded:
        power = np.exp2(self.value)
        return self._rounded(power, power * np.expm1(np.log(2) * self.error), LIMITS["exp2"][self.dtype.name])

    def log2(self) -> Bounded:
        error = -np.log1p(-np.minimum(self.error / np.abs(self.value), 1)) / np.log(2)
        return self._rounded(np.log2(self.value), error, LIMITS["log2"][self.dtype.name])

    def sin(self) -> Bounded:
        return self._rounded(np.sin(self.value), np.minimum(self.error, 2), LIMITS["sin"][self.dtype.name])

    # tinygrad's compositions of these, with numpy's values

    def exp(self) -> Bounded:
        wide = self.cast(np.result_type(self.dtype, np.float32))
        return (wide * (1 / np.log(2))).exp2().means(np.exp(self.value)).cast(self.dtype)

    def log(self) -> Bounded:
        return (self.log2() * np.log(2)).means(np.log(self.value))

    def cos(self) -> Bounded:
        wide = self.cast(np.result_type(self.dtype, np.float32))
        return (pi / 2 - wide).sin().means(np.cos(self.value)).cast(self.dtype)

    def sigmoid(self) -> Bounded:
        return ((self * (-1 / np.log(2))).exp2() + 1).reciprocal()

    def tanh(self) -> Bounded:
        return ((self * 2.0).sigmoid() * 2.0 - 1.0).means(np.tanh(self.value))

    def erf(self) -> Bounded:
        t = (self.abs() * 0.3275911 + 1.0).reciprocal()
        poly = t * 0 + 1.061405429
        for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
            poly = poly * t + coefficient
        composed = 1.0 - t * poly * (-(self * self)).exp()
        exact = np.vectorize(erf, otypes=[np.float64])(self.value)
        return Bounded(exact, composed.error + ERF_APPROXIMATION, self.dtype)

    # reductions

    def sum(self, axis: Axis = None, keepdims: bool = False, dtype: DTypeLike | None = None) -> Bounded:
        """Summed in the type `dtype`: float16 in float32 and rounded at the end, as tinygrad does."""
        wide = _accumulator(self.dtype)
        if wide.kind != "f":
            exact = self.value.sum(axis=axis, keepdims=keepdims, dtype=wide)
            return Bounded(exact, np.zeros(exact.shape), wide)
        total = self.value.sum(axis=axis, keepdims=keepdims)
        terms = self.value.size // max(total.size, 1)
        size = (np.abs(self.value) + self.error).sum(axis=axis, keepdims=keepdims)
        rounding = 0 if _whole(self) and _precise(size, wide) else (terms - 1) * unit_roundoff(wide)
        error = self.error.sum(axis=axis, keepdims=keepdims) + rounding * size
        if not error.any():
            return Bounded(total, error, wide).cast(dtype or self.dtype)
        return self._rounded(total, error, 0, wide).cast(dtype or self.dtype)

    def mean(self, axis: Axis = None, keepdims: bool = False) -> Bounded:
        total = self.sum(axis, keepdims, dtype=_accumulator(self.dtype))
        return (total * (self._lift(1.0 * self.value.size / total.value.size).reciprocal())).cast(self.dtype)

    def max(self, axis: Axis = None, keepdims: bool = False) -> Bounded:
        """Maxima differ by no more than the elements do."""
        return Bounded(
            self.value.max(axis=axis, keepdims=keepdims), self.error.max(axis=axis, keepdims=keepdims), self.dtype
        )

    def einsum(self, formula: str, other: Bounded) -> Bounded:
        """A contraction of two operands: matmul, dot, convolution over windows."""
        wide = _accumulator(self.dtype)
        if wide.kind != "f":
            exact = np.einsum(formula, self.value.astype(wide), other.value.astype(wide))
            return Bounded(exact, np.zeros(exact.shape), wide).cast(self.dtype)
        a, b = np.abs(self.value), np.abs(other.value)
        total = np.einsum(formula, self.value, other.value)
        inputs, output = formula.split("->")
        sizes = dict(zip(inputs.replace(",", ""), self.value.shape + other.value.shape, strict=True))
        terms = int(np.prod([n for letter, n in sizes.items() if letter not in output]))
        rounding = terms * unit_roundoff(wide)
        if wide != self.dtype:  # the products are rounded in the narrow type before they are summed
            rounding += unit_roundoff(self.dtype)
        if _whole(self) and _whole(other) and _precise(np.einsum(formula, a, b), self.dtype):
            return Bounded(total, np.zeros(total.shape), self.dtype)
        error = np.einsum(formula, a, other.error) + np.einsum(formula, self.error, b + other.error)
        return self._rounded(total, error + rounding * np.einsum(formula, a, b), 0, wide).cast(self.dtype)

    # selection and movement: exact

    def abs(self) -> Bounded:
        return Bounded(np.abs(self.value), self.error, self.dtype)

    def cast(self, dtype: DTypeLike) -> Bounded:
        target = np.dtype(dtype)
        if target == self.dtype or (target.kind == self.dtype.kind == "f" and target.itemsize > self.dtype.itemsize):
            return Bounded(self.value, self.error, target)
        return self._rounded(self.value, self.error, dtype=target)

    def moved(self, move: Callable[[Array], Array]) -> Bounded:
        """A permutation, repetition, selection or padding with zeros of the elements."""
        return Bounded(move(self.value), move(self.error), self.dtype)


def _common(a: Bounded, b: Bounded) -> np.dtype[Any]:
    return np.result_type(a.dtype, b.dtype)


def _whole(x: Bounded) -> bool:
    return not x.error.any() and bool((np.rint(x.value) == x.value).all())


def _precise(size: Array, dtype: np.dtype[Any]) -> bool:
    """True if `dtype` holds all whole numbers up to this size."""
    return bool((size <= 2.0 ** (np.finfo(dtype).nmant + 1)).all())


def _accumulator(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type in which tinygrad sums: at least 32 bits."""
    return np.result_type(dtype, {"f": np.float32, "u": np.uint32}.get(dtype.kind, np.int32))
