"""The methods that draw: tinygrad's call, and its result computed from the model's uniform numbers.

If a method consists of integers, choices, or products and sums without rounding, its result is known exactly. A
normal number goes through log2, sin and sqrt, and a product with a sum may be contracted to one rounding
(OpenCL C 3.0, 6.15.2.1): these have `Bounded`'s limits, and need not agree with another device to the last bit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import pi, prod
from typing import Any

import numpy as np

from runner import check
from runner.releases import training

from ..bounded import Array, Bounded
from .stream import Stream

Want = Array | Bounded


@dataclass(frozen=True)
class Draw:
    """`apply` takes Tensor (the class), shape and the case's args; `model` takes the stream in place of Tensor."""

    apply: Callable[..., Any]
    model: Callable[..., Want]


def _uniform(s: Stream, shape: Any, low: float = 0.0, high: float = 1.0, dtype: str = "float32") -> Want:
    u = s.rand(shape)
    span = high - low
    if np.log2(span) % 1 == 0:  # the product is exact
        return ((np.float32(span) * u).astype(dtype) + np.dtype(dtype).type(low)).astype(dtype)
    return (Bounded.exact(u) * span).cast(dtype) + low


def _randint(s: Stream, shape: Any, low: int = 0, high: int = 10, dtype: str = "int32") -> Want:
    return (np.float32(high - low) * s.rand(shape)).astype(dtype) + np.dtype(dtype).type(low)


def _randn(s: Stream, shape: Any, dtype: str = "float32") -> Bounded:
    """Box and Muller's transform. 1 - u is exact: both are multiples of 2**-23."""
    angle, radius = s.rand((2, *shape))
    turned = (Bounded.exact(angle) * (2 * pi)).cos()
    return (turned * (Bounded.exact(np.float32(1) - radius).log() * -2.0).sqrt()).cast(dtype)


def _normal(s: Stream, shape: Any, mean: float = 0.0, std: float = 1.0) -> Bounded:
    return _randn(s, shape) * std + mean


def _rows(shape: Any) -> int:
    return prod(shape[1:])


def weights_of(shape: Any) -> Array:
    """Whole weights, one of them zero, whose sum is a power of two: cumulative sums and quotients are exact."""
    rows, kinds = (1, *shape)[-2:]
    weights = np.tile(np.arange(kinds, dtype=np.float32), (rows, 1))
    weights += np.arange(rows, dtype=np.float32)[:, None]
    total = weights.sum(1)
    weights[:, -1] += np.exp2(np.ceil(np.log2(total))) - total
    return weights.reshape(shape)


def _multinomial(s: Stream, shape: Any, count: int) -> Want:
    weights = weights_of(shape).reshape(-1, shape[-1])
    cumulated = np.cumsum(weights, 1) / weights.sum(1, keepdims=True)
    found = (s.rand((count, len(weights), 1)) >= cumulated).sum(2, dtype=np.int32).T
    return found.reshape(*shape[:-1], count)


def _chosen(s: Stream, shape: Any, count: int) -> Want:
    """Without replacement: the largest log2(u) / weight, in order, which must not depend on a rounding."""
    weights = weights_of(shape).reshape(-1, shape[-1]) + np.float32(1)
    keys = Bounded.exact(s.rand(weights.shape)).log2() / Bounded.exact(weights)
    order = np.argsort(-keys.value, 1, kind="stable")
    value, error = (np.take_along_axis(a, order, 1)[:, : count + 1] for a in (keys.value, keys.error))
    if (value[:, :-1] - error[:, :-1] <= value[:, 1:] + error[:, 1:]).any():
        raise check.NothingTested("two keys are closer than their bounds: take another seed")
    return order[:, :count].astype(np.int32).reshape(*shape[:-1], count)


def _dropped_operand(shape: Any) -> Array:
    return (np.arange(1, prod(shape) + 1, dtype=np.float32) / 8).reshape(shape)


def _dropout(s: Stream, shape: Any, p: float) -> Want:
    x = _dropped_operand(shape)
    kept = s.rand(shape) >= np.float32(p)
    return Bounded.exact(np.where(kept, x, np.float32(0))) / (1.0 - p)


def _apply_dropout(tensor: Any, shape: Any, p: float) -> Any:
    import tinygrad

    with training(tinygrad):
        return tensor(_dropped_operand(shape)).realize().dropout(p)


def _bound(shape: Any, method: str) -> float:
    fan = shape[0] + _rows(shape) if method == "glorot" else (1 + 0.01**2) * _rows(shape)
    return float((6 / fan) ** 0.5)


DRAWS: dict[str, Draw] = {
    "rand": Draw(lambda t, shape, **a: t.rand(*shape, **a), lambda s, shape, dtype="float32": s.rand(shape, dtype)),
    "rand_like": Draw(
        lambda t, shape, dtype: t(np.ones(shape, dtype=dtype)).realize().rand_like(),
        lambda s, shape, dtype: s.rand(shape, dtype),
    ),
    "randint": Draw(lambda t, shape, **a: t.randint(*shape, **a), _randint),
    "uniform": Draw(lambda t, shape, **a: t.uniform(*shape, **a), _uniform),
    "randn": Draw(lambda t, shape, **a: t.randn(*shape, **a), _randn),
    "randn_like": Draw(
        lambda t, shape, dtype: t(np.ones(shape, dtype=np.float32)).realize().randn_like(dtype=dtype), _randn
    ),
    "normal": Draw(lambda t, shape, **a: t.normal(*shape, **a), _normal),
    "scaled_uniform": Draw(
        lambda t, shape: t.scaled_uniform(*shape),
        lambda s, shape: Bounded.exact(s.rand(shape) * 2 - 1) * prod(shape) ** -0.5,
    ),
    "glorot_uniform": Draw(
        lambda t, shape: t.glorot_uniform(*shape),
        lambda s, shape: Bounded.exact(s.rand(shape)) * (2 * (b := _bound(shape, "glorot"))) - b,
    ),
    "kaiming_uniform": Draw(
        lambda t, shape: t.kaiming_uniform(*shape),
        lambda s, shape: Bounded.exact(s.rand(shape)) * (2 * (b := _bound(shape, "kaiming"))) - b,
    ),
    "kaiming_normal": Draw(
        lambda t, shape: t.kaiming_normal(*shape),
        lambda s, shape: _randn(s, shape) * float((2 / (1 + 0.01**2) / _rows(shape)) ** 0.5),
    ),
    "randperm": Draw(
        lambda t, shape: t.randperm(shape[0]), lambda s, shape: np.argsort(s.rand(shape), kind="stable").astype(np.int32)
    ),
    "multinomial": Draw(
        lambda t, shape, count: t(weights_of(shape)).realize().multinomial(count, replacement=True), _multinomial
    ),
    "multinomial_chosen": Draw(lambda t, shape, count: (t(weights_of(shape)) + 1).realize().multinomial(count), _chosen),
    "dropout": Draw(_apply_dropout, _dropout),
}
