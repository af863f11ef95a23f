"""The blocks of model.py in numpy's float64."""

import numpy as np

from .. import layers
from ..layers import Weights, conv2d, linear
from ..rounding import F64, FUNCTION, Rounding

GROUPS, EPSILON = 8, 1e-5


def unet(w: Weights, x: F64, time: F64, context: F64, width: int, heads: int, r: Rounding) -> dict[str, F64]:
    """The noise that `model.UNet` predicts, with the values between its blocks, by name."""
    frequency = r(np.exp(r(np.arange(width // 2) * (-np.log(10000) / (width // 2)))), FUNCTION)
    angle = r(time[:, None] * frequency)
    waves = np.concatenate([r(np.cos(angle), FUNCTION), r(np.sin(angle), FUNCTION)], axis=1)
    embedded = linear(w, "time2", r.silu(linear(w, "time1", waves, r)), r)
    first = _transformer(w, "look", _residual(w, "down", conv2d(w, "conv_in", x, r), embedded, r), context, heads, r)
    second = _residual(w, "middle", conv2d(w, "shrink", first, r, stride=2), embedded, r)
    joined = np.concatenate([conv2d(w, "grow", _doubled(second), r), first], axis=1)
    third = _residual(w, "up", joined, embedded, r)
    noise = conv2d(w, "conv_out", r.silu(_group_norm(w, "norm", third, r)), r)
    return {"time": embedded, "first": first, "second": second, "third": third, "noise": noise}


def decoder(w: Weights, x: F64, r: Rounding) -> dict[str, F64]:
    """The image that `model.Decoder` makes, with the values between its blocks, by name."""
    h = _residual(w, "block1", conv2d(w, "conv_in", x, r), None, r)
    seen = _group_norm(w, "norm_a", h, r)
    q, k, v = (_tokens(conv2d(w, name, seen, r)) for name in "qkv")
    first = r(h + conv2d(w, "out", _pixels(layers.attention(q, k, v, 1, r), h.shape), r))
    second = _residual(w, "block2", conv2d(w, "grow", _doubled(first), r), None, r)
    picture = conv2d(w, "conv_out", r.silu(_group_norm(w, "norm", second, r)), r)
    return {"first": first, "second": second, "picture": picture}


def _residual(w: Weights, name: str, x: F64, time: F64 | None, r: Rounding) -> F64:
    h = conv2d(w, f"{name}.conv1", r.silu(_group_norm(w, f"{name}.norm1", x, r)), r)
    if time is not None:
        h = r(h + linear(w, f"{name}.time", r.silu(time), r)[:, :, None, None])
    h = conv2d(w, f"{name}.conv2", r.silu(_group_norm(w, f"{name}.norm2", h, r)), r)
    return r((conv2d(w, f"{name}.skip", x, r) if f"{name}.skip.weight" in w else x) + h)


def _transformer(w: Weights, name: str, x: F64, context: F64, heads: int, r: Rounding) -> F64:
    t = _tokens(conv2d(w, f"{name}.proj_in", _group_norm(w, f"{name}.norm", x, r), r))
    seen = layers.layer_norm(w, f"{name}.norm1", t, r)
    t = r(t + _attention(w, f"{name}.attn1", seen, seen, heads, r))
    t = r(t + _attention(w, f"{name}.attn2", layers.layer_norm(w, f"{name}.norm2", t, r), context, heads, r))
    value, gate = np.split(linear(w, f"{name}.gate", layers.layer_norm(w, f"{name}.norm3", t, r), r), 2, axis=-1)
    t = r(t + linear(w, f"{name}.ff", r(value * layers.gelu(gate, r)), r))
    return r(x + conv2d(w, f"{name}.proj_out", _pixels(t, x.shape), r))


def _attention(w: Weights, name: str, x: F64, context: F64, heads: int, r: Rounding) -> F64:
    q, k, v = (linear(w, f"{name}.{part}", of, r) for part, of in (("q", x), ("k", context), ("v", context)))
    return linear(w, f"{name}.out", layers.attention(q, k, v, heads, r), r)


def _group_norm(w: Weights, name: str, x: F64, r: Rounding) -> F64:
    return layers.group_norm(w, name, x, GROUPS, EPSILON, r)


def _tokens(x: F64) -> F64:
    return np.moveaxis(x, 1, -1).reshape(len(x), -1, x.shape[1])


def _pixels(t: F64, shape: tuple[int, ...]) -> F64:
    return np.moveaxis(t.reshape(shape[0], *shape[2:], shape[1]), -1, 1)


def _doubled(x: F64) -> F64:
    return x.repeat(2, axis=2).repeat(2, axis=3)
