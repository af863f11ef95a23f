"""References of reductions over `Bounded`: over one axis, several or all, by tinygrad's own formulas."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..bounded import Array, Bounded
from ..precision import unit_roundoff

Axes = int | Sequence[int] | None


def axes_of(x: Bounded, axis: Axes) -> tuple[int, ...]:
    """The axes as numpy takes them, counted from the first."""
    if axis is None:
        return tuple(range(x.value.ndim))
    return tuple(a % x.value.ndim for a in ([axis] if isinstance(axis, int) else axis))


def count(x: Bounded, axis: Axes) -> int:
    """The number of elements that are reduced to one result."""
    return int(np.prod([x.value.shape[a] for a in axes_of(x, axis)], dtype=int))


def total(x: Bounded, axis: Axes = None, keepdim: bool = False, dtype: str | None = None) -> Bounded:
    """Summed in the accumulator's type, or entirely in `dtype`: cast, then (n - 1) roundings of that type."""
    axes = axes_of(x, axis)
    if dtype is None:
        return x.sum(axes, keepdim)
    cast = x.cast(dtype)
    value = cast.value.sum(axis=axes, keepdims=keepdim, dtype=None if cast.dtype.kind == "f" else cast.dtype)
    if cast.dtype.kind != "f":
        return Bounded.exact(np.asarray(value))
    size = (np.abs(cast.value) + cast.error).sum(axis=axes, keepdims=keepdim)
    rounding = (count(x, axis) - 1) * unit_roundoff(cast.dtype) * size
    error = cast.error.sum(axis=axes, keepdims=keepdim) + rounding
    return Bounded(value, np.where(np.isfinite(value), error, 0), cast.dtype)


def product(x: Bounded, axis: Axes = None, keepdim: bool = False, dtype: str | None = None) -> Bounded:
    """Rounded once for each factor: the relative error of n factors is (1 + u)**(n - 1) - 1 at most. Integers wrap in
    their own type. The factors must be exact.
    """
    cast = x if dtype is None else x.cast(dtype)
    kind = None if cast.dtype.kind == "f" else cast.dtype
    value = np.asarray(cast.value.prod(axis=axes_of(x, axis), keepdims=keepdim, dtype=kind))
    if cast.dtype.kind != "f":
        return Bounded.exact(value)
    growth = np.expm1((count(x, axis) - 1) * np.log1p(unit_roundoff(cast.dtype)))
    return Bounded(value, np.where(np.isfinite(value), np.abs(value) * growth, 0), cast.dtype)


def _inverse(n: int, like: Bounded) -> Bounded:
    return Bounded.exact(np.asarray(n, like.dtype)).reciprocal()


def mean(x: Bounded, axis: Axes = None, keepdim: bool = False) -> Bounded:
    """The sum times 1 / n. For integers in float32, after an exact sum in their accumulator's type."""
    kind = x.dtype if x.dtype.kind == "f" else np.dtype(np.float32)
    wide = x.sum(axes_of(x, axis), keepdim, dtype=np.result_type(x.dtype, np.float32))  # float16 in float32
    if wide.dtype.kind != "f":
        wide = wide.cast(np.float32)
    return (wide * _inverse(count(x, axis), wide)).cast(kind)


def var(x: Bounded, axis: Axes = None, keepdim: bool = False, correction: int = 1) -> Bounded:
    """The squares of x - mean are rounded in the operand's type, their sum in the accumulator's."""
    away = x - mean(x, axis, keepdim=True)
    squares = away * away
    summed = squares.sum(axes_of(x, axis), keepdim, dtype=np.result_type(x.dtype, np.float32))
    return (summed * _inverse(max(count(x, axis) - correction, 0), summed)).cast(x.dtype)


def var_gradient(g: Bounded, x: Bounded, axis: Axes = None, keepdim: bool = False, correction: int = 1) -> list[Bounded]:
    """2 g (x - mean) / (n - correction), less its mean: that is the part through the mean, and 0 except for rounding."""
    away = x - mean(x, axis, keepdim=True)
    term = spread(g, x, axis) * away * (2 / (count(x, axis) - correction))
    return [term - mean(term, axis, keepdim=True).means(np.zeros(()))]


def std_gradient(g: Bounded, x: Bounded, axis: Axes = None, keepdim: bool = False, correction: int = 1) -> list[Bounded]:
    """The gradient of the standard deviation, from that of the variance."""
    root = var(x, axis, keepdim, correction).sqrt()
    return var_gradient(g / (root * 2.0), x, axis, keepdim, correction)


def spread(g: Bounded, x: Bounded, axis: Axes) -> Bounded:
    """The cotangent, repeated along the reduced axes."""
    axes = axes_of(x, axis)
    kept = [1 if i in axes else n for i, n in enumerate(x.value.shape)]
    return g.moved(lambda a: np.broadcast_to(a.reshape(kept), x.value.shape))


def logsumexp(x: Bounded, axis: Axes = None, keepdim: bool = False) -> Bounded:
    """The logarithm of the sum of exp(x) over some axes, the maximum subtracted first."""
    axes = axes_of(x, axis)
    top = x.max(axes, keepdims=True)
    power = (x - top).exp().sum(axes, keepdim).log()
    return power + (top if keepdim else top.moved(lambda a: np.squeeze(a, axes)))


def logsumexp_gradient(g: Bounded, x: Bounded, axis: Axes = None, keepdim: bool = False) -> list[Bounded]:
    """g softmax(x), over the axes."""
    axes = axes_of(x, axis)
    power = (x - x.max(axes, keepdims=True)).exp()
    return [spread(g, x, axis) * power * power.sum(axes, keepdims=True).reciprocal()]


def first(reduction: str) -> Any:
    """argmax, argmin: the first of equal elements, as int32."""

    def index(x: Array, axis: int | None = None, keepdim: bool = False) -> Array:
        found = np.asarray(getattr(np, reduction)(x, axis=axis, keepdims=keepdim and axis is not None))
        return found.astype(np.int32)

    return index


def extreme_gradient(g: Bounded, x: Bounded, top: Array, axis: Axes) -> list[Bounded]:
    """The cotangent goes to the extreme elements, in equal parts."""
    chosen = (x.value == top).astype(np.float64)
    share = chosen / chosen.sum(axis=axes_of(x, axis), keepdims=True)
    return [spread(g, x, axis) * Bounded.exact(share.astype(x.dtype))]


# cumulative


def cumsum(x: Bounded, axis: int = 0) -> Bounded:
    """Every entry is a sum of n terms at most. float16: in float32 and rounded; beyond 512 elements tinygrad sums
    parts of 256, then their totals, and adds the two: three roundings to float16, none greater than that of the
    sum of the magnitudes.
    """
    wide = x.cast(np.result_type(x.dtype, {"f": np.float32, "u": np.uint32}.get(x.dtype.kind, np.int32)))
    value = np.cumsum(wide.value, axis, dtype=None if wide.dtype.kind == "f" else wide.dtype)
    if wide.dtype.kind != "f":
        return Bounded.exact(value)
    size = np.cumsum(np.abs(x.value), axis)
    error = (x.value.shape[axis] - 1) * unit_roundoff(wide.dtype) * size
    if x.dtype != wide.dtype:
        error = error + 3 * unit_roundoff(x.dtype) * size
    return Bounded(value, np.where(np.isfinite(value), error, 0), x.dtype)


def cumprod(x: Bounded, axis: int = 0) -> Bounded:
    """As `product`, of n factors at most."""
    value = np.cumprod(x.value, axis, dtype=None if x.dtype.kind == "f" else x.dtype)
    if x.dtype.kind != "f":
        return Bounded.exact(value)
    growth = np.expm1((x.value.shape[axis] - 1) * np.log1p(unit_roundoff(x.dtype)))
    return Bounded(value, np.abs(value) * growth, x.dtype)


def cumextreme(best: np.ufunc) -> Any:
    """cummax and cummin: the extreme so far, and its first index."""

    def reference(x: Array, axis: int = 0) -> tuple[Array, Array]:
        values = best.accumulate(x, axis)
        moved, tops = np.moveaxis(x, axis, -1), np.moveaxis(values, axis, -1)
        same = moved[..., None, :] == tops[..., :, None]
        return values, np.moveaxis(same.argmax(-1), -1, axis).astype(np.int32)

    return reference


def logcumsumexp(x: Bounded, axis: int = 0) -> Bounded:
    """log(sum over i <= j of exp(x_i - m_j)) + m_j, with m_j the maximum so far: tinygrad's formula."""
    rows = x.moved(lambda a: np.moveaxis(a, axis, -1))
    top = Bounded.exact(np.maximum.accumulate(rows.value, -1).astype(x.dtype))
    away = rows.moved(lambda a: a[..., None, :]) - top.moved(lambda a: a[..., :, None])
    power = away.exp()
    before = np.tril(np.ones(power.value.shape[-2:], bool))
    kept = Bounded(np.where(before, power.value, 0), np.where(before, power.error, 0), power.dtype)
    return (kept.sum(-1).log() + top).moved(lambda a: np.moveaxis(a, -1, axis))
