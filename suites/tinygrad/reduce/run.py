"""The operations of the family: reductions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from runner.device import Device

from ..bounded import Bounded
from ..inputs import draw
from ..movement.views import viewed
from ..ops import Op, exactly
from ..results import compare, read, tensor
from . import references as ref


def _reduction(name: str, reference: Callable[..., Any], gradient: Any = None, **more: Any) -> Op:
    """The Tensor method `name`, with the case's args: axis, keepdim, dtype, correction."""
    op = viewed(Op(lambda x, **args: getattr(x, name)(**_hashable(args)), reference, gradient, **more))
    return op if gradient is None else replace(op, gradient=gradient)


def _hashable(args: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in args.items()}


def _numpy(function: Callable[..., Any]) -> Callable[..., Bounded]:
    """A reduction of numpy over tinygrad's axis and keepdim, exact."""

    def reduced(x: Any, axis: Any = None, keepdim: bool = False) -> Any:
        return function(x, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdim)

    return exactly(reduced)


def _extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    def gradient(g: Bounded, x: Bounded, axis: Any = None, keepdim: bool = False) -> Any:
        return ref.extreme_gradient(g, x, function(x.value, axis=ref.axes_of(x, axis), keepdims=True), axis)

    return gradient


def _pair(second: Callable[..., Any], first: Callable[..., Any]) -> Callable[..., Any]:
    def reference(x: Bounded, axis: Any = None, keepdim: bool = False, correction: int = 1) -> Any:
        return second(x, axis, keepdim, correction), first(x, axis, keepdim)

    return reference


def _std(x: Bounded, axis: Any = None, keepdim: bool = False, correction: int = 1) -> Bounded:
    return ref.var(x, axis, keepdim, correction).sqrt()


def _cumulative(name: str, best: np.ufunc) -> Op:
    """cummax and cummin: values and indices, or only the values, which have a gradient."""
    reference = ref.cumextreme(best)

    def apply(x: Any, axis: int, values: bool = False) -> Any:
        found = getattr(x, name)(axis)
        return found[0] if values else found

    def wanted(x: Bounded, axis: int, values: bool = False) -> Any:
        parts = tuple(Bounded.exact(a) for a in reference(x.value.astype(x.dtype), axis))
        return parts[0] if values else parts

    return viewed(Op(apply, wanted))


OPS: dict[str, Op] = {
    "sum": _reduction("sum", ref.total, lambda g, x, axis=None, keepdim=False: [ref.spread(g, x, axis)]),
    # a product of n - 1 factors for each element, by a division: n + 4 roundings
    "prod": _reduction("prod", ref.product, roundings=64),
    "max": _reduction("max", _numpy(np.max), _extreme(np.max)),
    "min": _reduction("min", _numpy(np.min), _extreme(np.min)),
    "any": _reduction("any", _numpy(np.any)),
    "all": _reduction("all", _numpy(np.all)),
    "argmax": _reduction("argmax", exactly(ref.first("argmax"))),
    "argmin": _reduction("argmin", exactly(ref.first("argmin"))),
    "mean": _reduction(
        "mean", ref.mean, lambda g, x, axis=None, keepdim=False: [ref.spread(g, x, axis) * (1 / ref.count(x, axis))]
    ),
    "var": _reduction("var", ref.var, ref.var_gradient),
    "std": _reduction("std", _std, ref.std_gradient),
    "var_mean": _reduction("var_mean", _pair(ref.var, ref.mean)),
    "std_mean": _reduction("std_mean", _pair(_std, ref.mean)),
    "logsumexp": _reduction("logsumexp", ref.logsumexp, ref.logsumexp_gradient),
    "cumsum": _reduction("cumsum", ref.cumsum),
    "cumprod": _reduction("cumprod", ref.cumprod, roundings=64),
    "cummax": _cumulative("cummax", np.maximum),
    "cummin": _cumulative("cummin", np.minimum),
    # exp of a difference of at most 8, whose rounding grows eightfold: about 24; the log and its reciprocal: 12
    "logcumsumexp": _reduction("logcumsumexp", ref.logcumsumexp, roundings=64),
    "allclose": Op(
        lambda x, y: (
            x.allclose(x, equal_nan=True),
            x.allclose(x),
            x.allclose(x + y, equal_nan=True),
            y.allclose(y * (1 + 2.0**-18)),
            y.allclose(y * (1 + 2.0**-14)),
        ),
        lambda x, y: tuple(Bounded.exact(np.array(same)) for same in (True, False, False, True, False)),
    ),
    # Reductions that share a kernel or follow each other.
    "normalised": viewed(
        Op(
            lambda x: (x - x.mean(1, keepdim=True)) * (x.max(1, keepdim=True) - x.min(1, keepdim=True)),
            lambda x: (x - ref.mean(x, 1, True)) * (x.max(1, True) - (-((-x).max(1, True)))),
        )
    ),
    "sum_of_max": viewed(Op(lambda x: x.max(2).sum(0), lambda x: ref.total(x.max(2), 0))),
    "max_of_sum": viewed(Op(lambda x: x.sum(0).max(1), lambda x: ref.total(x, 0).max(1))),
    "two_sums": viewed(
        Op(
            lambda x: x.sum(0, keepdim=True) + x.sum(1, keepdim=True),
            lambda x: ref.total(x, 0, True) + ref.total(x, 1, True),
        )
    ),
    "outer_sum": Op(lambda x, y: (x.unsqueeze(1) * y.unsqueeze(0)).sum(2), lambda x, y: x.einsum("ik,jk->ij", y)),
}


def check_nothing(device: Device) -> None:
    """A reduction of no elements gives the operation's neutral element, here added to an operand."""
    tinygrad = device.tinygrad()
    drawn = draw(device.rng, "float32", (5, 1), "small")
    x, y = tensor(tinygrad, np.zeros((5, 0, 3), np.float32)), tensor(tinygrad, drawn)
    wants = {
        "sum": (x.sum(1), 0.0),
        "prod": (x.prod(1), 1.0),
        "max": (x.max(1), -np.inf),
        "min": (x.min(1), np.inf),
        "mean": (x.mean(1), np.nan),
        "cumsum": (x.cumsum(1).sum(1), 0.0),
    }
    for name, (reduced, neutral) in wants.items():
        (got,) = read(tinygrad, tinygrad.Tensor.arange(3).eq(1).where(reduced, y * 3))
        want = np.where(np.arange(3) == 1, np.float32(neutral), drawn * 3)
        compare(name, got, Bounded.exact(want))
