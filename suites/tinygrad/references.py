"""References of single operations that take more than a line, over `Bounded`."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Any

import numpy as np

from .bounded import Array, Bounded
from .precision import unit_roundoff

Gradients = Sequence[Bounded | None]


def unbroadcast(gradient: Bounded, like: Bounded) -> Bounded:
    """The gradient of an operand that was broadcast: summed over what was repeated."""
    lead = gradient.value.ndim - like.value.ndim
    axes = tuple(
        i for i, n in enumerate(gradient.value.shape) if i < lead or like.value.shape[i - lead] == 1 != n
    )
    return gradient.sum(axes).moved(lambda a: a.reshape(like.value.shape)) if axes else gradient


def prod(x: Bounded, axis: int) -> Bounded:
    """Rounded once a factor: the relative error of n factors is (1 + u)**(n - 1) - 1 at most."""
    exact = x.value.prod(axis=axis, dtype=x.value.dtype)
    if x.dtype.kind != "f":
        return Bounded.exact(exact)
    growth = np.expm1((x.value.shape[axis] - 1) * np.log1p(unit_roundoff(x.dtype)))
    return Bounded(exact, np.abs(exact) * growth, x.dtype)


def std(x: Bounded, axis: int) -> Bounded:
    """With correction 1, as tinygrad does by default."""
    away = x - x.mean(axis, keepdims=True)
    return ((away * away).sum(axis) * (1 / (x.value.shape[axis] - 1))).sqrt()


def cumsum(x: Bounded, axis: int) -> Bounded:
    """Every entry is a sum of n terms at most."""
    if x.dtype.kind != "f":
        return Bounded.exact(np.cumsum(x.value, axis, dtype=x.dtype))
    size = np.cumsum(np.abs(x.value), axis)
    error = (x.value.shape[axis] - 1) * unit_roundoff(x.dtype) * size
    return Bounded(np.cumsum(x.value, axis), error, x.dtype)


def gelu(x: Bounded) -> Bounded:
    """The tanh form, tinygrad's default."""
    cubic = x * x * x * 0.044715
    return x * 0.5 * (1.0 + ((x + cubic) * np.sqrt(2 / pi)).tanh())


def gather(x: Bounded, index: Bounded, axis: int) -> Bounded:
    """Exact: one element each."""
    return x.moved(lambda a: np.take_along_axis(a, index.value, axis))


def gather_gradient(g: Bounded, x: Bounded, index: Bounded, axis: int) -> Gradients:
    """For two axes, along the second: what was taken more than once adds up."""
    chosen = np.arange(x.value.shape[axis])[None, :, None] == index.value[:, None, :]
    spread = Bounded(np.where(chosen, g.value[:, None, :], 0), np.zeros(chosen.shape), g.dtype)
    return spread.sum(2), None


def scatter_add(x: Bounded, index: Bounded, source: Bounded) -> Bounded:
    """For two axes, along the first."""
    chosen = np.arange(x.value.shape[0])[:, None, None] == index.value[None]
    terms = np.concatenate([x.value[:, None], np.where(chosen, source.value[None], 0)], axis=1)
    return Bounded(terms, np.zeros(terms.shape), x.dtype).sum(1)


def strided(a: Any) -> Any:
    return a[3:29:2, 60:1:-3]


def in_order(a: Array, descending: bool) -> Array:
    return -np.sort(-a, axis=-1) if descending else np.sort(a, axis=-1)


def max_gradient(g: Bounded, x: Bounded, axis: int) -> Gradients:
    """For distinct values: no ties."""
    top = x.value == x.value.max(axis=axis, keepdims=True)
    return [g.moved(lambda a: np.expand_dims(a, axis) * top)]


def spread(g: Bounded, x: Bounded, axis: int) -> Bounded:
    """The cotangent of a reduced axis, repeated along it."""
    return g.moved(lambda a: np.broadcast_to(np.expand_dims(a, axis), x.value.shape))
