"""The layers of tinygrad.nn: how to make one from a case's operands, and what it computes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..bounded import Bounded
from ..convolution.windows import conv, conv_transpose
from ..derivative import derived
from ..networks import channels, group_norm, layernorm, linear, lstm_cell, rmsnorm
from ..ops import Op

BOTH = ("weight", "bias")
LSTM = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def make_module(name: str, attributes: Sequence[str], weights: Sequence[Any], sizes: Sequence[Any], options: Any) -> Any:
    """The module with these weights in place of its own; the ones that are not given must be absent in it."""
    from tinygrad import nn

    module = getattr(nn, name)(*(tuple(s) if isinstance(s, list) else s for s in sizes), **options)
    for attribute, weight in zip(attributes, weights, strict=False):
        if getattr(module, attribute).shape != weight.shape:
            raise ValueError(f"{name}.{attribute} is {getattr(module, attribute).shape}, not {weight.shape}")
        setattr(module, attribute, weight)
    for attribute in attributes[len(weights) :]:
        if getattr(module, attribute) is not None:
            raise ValueError(f"{name}.{attribute} has no operand")
    return module


def layer(name: str, attributes: Sequence[str], reference: Callable[..., Any]) -> Op:
    """The operation of a module. Operands: the input, then the attributes; args: the constructor's."""

    def apply(x: Any, *weights: Any, sizes: Sequence[Any], **options: Any) -> Any:
        return make_module(name, attributes, weights, sizes, options)(x)

    def refer(x: Bounded, *weights: Bounded, sizes: Sequence[Any], **options: Any) -> Any:
        return reference(x, *weights, sizes=sizes, **options)

    return Op(apply, refer, derived(refer))


def _affine(x: Bounded, weights: Sequence[Bounded], axis: int = 1) -> Bounded:
    """Scale, then shift, by the weights that are given, on the axis of the channels."""
    scaled = x * channels(weights[0], x, axis) if weights else x
    return scaled + channels(weights[1], x, axis) if len(weights) > 1 else scaled


def _linear(x: Bounded, w: Bounded, b: Bounded | None = None, **_: Any) -> Bounded:
    return linear(x, w.moved(np.transpose), b)


def _conv(x: Bounded, w: Bounded, b: Bounded | None = None, *, sizes: Any, **options: Any) -> Bounded:
    if options.get("padding") == "same":  # an even kernel pads one more element after than before
        options["padding"] = [p for k in reversed(w.value.shape[2:]) for p in ((k - 1) // 2, k // 2)]
    options.pop("bias", None)
    return conv(x, w, b, **options)


def _conv_transpose(x: Bounded, w: Bounded, b: Bounded | None = None, *, sizes: Any, **options: Any) -> Bounded:
    options.pop("bias", None)
    return conv_transpose(x, w, b, **options)


def _layernorm(x: Bounded, *weights: Bounded, sizes: Any, eps: float = 1e-5, **_: Any) -> Bounded:
    shape = sizes[0] if isinstance(sizes[0], list) else sizes
    y = layernorm(x, tuple(range(-len(shape), 0)), eps)
    return y * weights[0] + weights[1] if weights else y


def _layernorm2d(x: Bounded, *weights: Bounded, sizes: Any, eps: float = 1e-5) -> Bounded:
    return _affine(layernorm(x, 1, eps), weights)


def _group_norm(x: Bounded, *weights: Bounded, sizes: Any, eps: float = 1e-5, affine: bool = True) -> Bounded:
    return _affine(group_norm(x, sizes[0], eps), weights)


def _rmsnorm(x: Bounded, *weights: Bounded, sizes: Any, eps: float = 1e-6, **_: Any) -> Bounded:
    return rmsnorm(x, eps) * weights[0] if weights else rmsnorm(x, eps)


def _batchnorm(
    x: Bounded, weight: Bounded, bias: Bounded, mean: Bounded, var: Bounded, *, sizes: Any, eps: float = 1e-5
) -> Bounded:
    """As at inference: with the running statistics."""
    scale = (channels(var, x) + eps).sqrt().reciprocal()
    return (x - channels(mean, x)) * channels(weight, x) * scale + channels(bias, x)


def normalised_batch(x: Bounded, weight: Bounded, bias: Bounded, eps: float = 1e-5) -> tuple[Bounded, Bounded, Bounded]:
    """As in training: with the batch's own mean and variance, which are the other results."""
    axes = tuple(i for i in range(x.value.ndim) if i != 1)
    mean = x.mean(axes)
    away = x - channels(mean, x)
    var = (away * away).mean(axes)
    return _affine(away * channels((var + eps).sqrt().reciprocal(), x), (weight, bias)), mean, var


def _embedding(index: Bounded, weight: Bounded, *, sizes: Any) -> Bounded:
    """One row for each index; an index outside the table gives zeros."""
    known = (index.value >= 0) & (index.value < weight.value.shape[0])
    return weight.moved(lambda a: np.where(known[..., None], a[np.where(known, index.value, 0)], 0))


def lstm(result: int | None) -> Op:
    """The cell over the steps of (steps, batch, n), from a given state: returns the new state, or one of its two parts."""

    def apply(x: Any, h: Any, c: Any, *weights: Any, sizes: Sequence[int], **options: Any) -> Any:
        cell = make_module("LSTMCell", LSTM, weights, sizes, options)
        for i in range(x.shape[0]):
            h, c = cell(x[i], (h, c))
        return (h, c) if result is None else (h, c)[result]

    def reference(x: Bounded, h: Bounded, c: Bounded, *weights: Bounded, sizes: Any, **options: Any) -> Any:
        for i in range(x.value.shape[0]):
            h, c = lstm_cell(x.moved(lambda a, i=i: a[i]), h, c, *weights)  # type: ignore[misc]
        return (h, c) if result is None else (h, c)[result]

    return Op(apply, reference, derived(reference))


def _first_step(x: Any, *weights: Any, sizes: Sequence[int]) -> Any:
    return make_module("LSTMCell", LSTM, weights, sizes, {})(x)


def _from_nothing(x: Bounded, *weights: Bounded, sizes: Sequence[int]) -> tuple[Bounded, Bounded]:
    zero = Bounded.exact(np.zeros((x.value.shape[0], sizes[1]), x.dtype))
    return lstm_cell(x, zero, zero, *weights)


def _perceptron(x: Bounded, w: Bounded, v: Bounded) -> Bounded:
    return linear(linear(x, w).tanh(), v)


LAYERS: Mapping[str, Op] = {
    "Linear": layer("Linear", BOTH, _linear),
    "Conv1d": layer("Conv1d", BOTH, _conv),
    "Conv2d": layer("Conv2d", BOTH, _conv),
    "ConvTranspose1d": layer("ConvTranspose1d", BOTH, _conv_transpose),
    "ConvTranspose2d": layer("ConvTranspose2d", BOTH, _conv_transpose),
    "LayerNorm": layer("LayerNorm", BOTH, _layernorm),
    "LayerNorm2d": layer("LayerNorm2d", BOTH, _layernorm2d),
    "GroupNorm": layer("GroupNorm", BOTH, _group_norm),
    "InstanceNorm": layer("InstanceNorm", BOTH, _group_norm),
    "RMSNorm": layer("RMSNorm", ("weight",), _rmsnorm),
    "BatchNorm": layer("BatchNorm", (*BOTH, "running_mean", "running_var"), _batchnorm),
    "Embedding": layer("Embedding", ("weight",), _embedding),
    "LSTMCell": lstm(None),
    "LSTMCell_hidden": lstm(0),
    "LSTMCell_first": Op(_first_step, _from_nothing),
    "sequential": Op(
        lambda x, w, v: x.sequential([lambda t: t @ w, type(x).tanh, lambda t: t @ v]), _perceptron, derived(_perceptron)
    ),
}
