"""The classifier in numpy's float64, and its training by hand: every gradient from its definition."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..layers import Weights, conv2d, linear, windows
from ..rounding import F64, FUNCTION, Rounding

EPSILON, MOMENTUM = 1e-5, 0.1  # of the batch norms
STRIDES = {"conv1": 1, "conv2": 2, "conv3": 1}


@dataclass(frozen=True, slots=True)
class Norm:
    """A batch norm after its use: its normalised input, 1 / deviation, and the batch's statistics."""

    y: F64
    scale: F64
    mean: F64
    variance: F64


def infer(w: Weights, x: F64, r: Rounding) -> F64:
    """The logits, with the running statistics."""
    return _forward(w, x, r, training=False)[0]


def train(
    w: dict[str, F64],
    velocity: dict[str, F64],
    x: F64,
    labels: NDArray[np.int64],
    rate: float,
    momentum: float,
    decay: float,
    r: Rounding,
) -> tuple[dict[str, F64], dict[str, F64], F64]:
    """One step of gradient descent on the mean cross entropy: (weights and statistics, velocities, loss)."""
    logits, kept = _forward(w, x, r, training=True)
    chance = r.softmax(logits)
    rows = np.arange(len(x))
    loss = r.mean(-r(np.log(chance[rows, labels]), FUNCTION))
    wrong = chance.copy()
    wrong[rows, labels] -= 1
    gradients = _backward(w, kept, r(wrong / len(x)), r)
    new, speed = dict(w), {}
    for name, gradient in gradients.items():
        speed[name] = r(momentum * velocity.get(name, 0.0) + r(gradient + r(decay * w[name])))
        new[name] = r(w[name] - r(rate * speed[name]))
    for name in ("norm1", "norm2", "norm3"):
        norm = kept[name]
        count = norm.y.size // norm.y.shape[1]
        batch = {"mean": norm.mean, "var": norm.variance * count / (count - 1)}
        for which, value in batch.items():
            key = f"{name}.running_{which}"
            new[key] = r(r((1 - MOMENTUM) * w[key]) + r(MOMENTUM * value))
    return new, speed, loss


def _forward(w: Weights, x: F64, r: Rounding, training: bool) -> tuple[F64, dict[str, Any]]:
    kept: dict[str, Any] = {"x": x}
    h = _normalise(w, "norm1", conv2d(w, "conv1", x, r), kept, training, r)
    kept["a"] = h
    n, c, rows, columns = h.shape
    tiles = np.maximum(h, 0).reshape(n, c, rows // 2, 2, columns // 2, 2)
    kept["pooled"] = tiles.max(axis=(3, 5))
    kept["b"] = _normalise(w, "norm2", conv2d(w, "conv2", kept["pooled"], r, stride=2), kept, training, r)
    kept["inner"] = np.maximum(kept["b"], 0)
    h = _normalise(w, "norm3", conv2d(w, "conv3", kept["inner"], r), kept, training, r)
    kept["c"] = r(kept["inner"] + h)
    kept["mean"] = r.mean(np.maximum(kept["c"], 0), axis=(2, 3))[:, :, 0, 0]
    return linear(w, "head", kept["mean"], r), kept


def _backward(w: Weights, kept: dict[str, Any], g: F64, r: Rounding) -> dict[str, F64]:
    """The gradient of every parameter, from that of the logits."""
    out = {"head.weight": r.matmul(g.T, kept["mean"]), "head.bias": r(g.sum(axis=0))}
    shape = kept["c"].shape
    g = r(r.matmul(g, w["head.weight"]) / (shape[2] * shape[3]))[:, :, None, None] * (kept["c"] > 0)
    inner = _back_norm(w, "norm3", kept, g, out, r)
    g = r(g + _back_conv(w, "conv3", kept["inner"], inner, out, r)) * (kept["b"] > 0)
    g = _back_conv(w, "conv2", kept["pooled"], _back_norm(w, "norm2", kept, g, out, r), out, r)
    # the gradient of a tile goes to its largest pixel
    a, top = kept["a"], kept["pooled"].repeat(2, axis=2).repeat(2, axis=3)
    g = g.repeat(2, axis=2).repeat(2, axis=3) * ((a == top) & (a > 0))
    _back_conv(w, "conv1", kept["x"], _back_norm(w, "norm1", kept, g, out, r), out, r)
    return out


def _normalise(w: Weights, name: str, x: F64, kept: dict[str, Any], training: bool, r: Rounding) -> F64:
    mean, variance = w[f"{name}.running_mean"], w[f"{name}.running_var"]
    if training:
        mean = r.mean(x, axis=(0, 2, 3))[0, :, 0, 0]
        variance = r.mean(r(r(x - mean[:, None, None]) ** 2), axis=(0, 2, 3))[0, :, 0, 0]
    scale = r(1 / r(np.sqrt(r(variance + EPSILON)), FUNCTION), FUNCTION)
    y = r(r(x - mean[:, None, None]) * scale[:, None, None])
    kept[name] = Norm(y, scale, mean, variance)
    return r(r(y * w[f"{name}.weight"][:, None, None]) + w[f"{name}.bias"][:, None, None])


def _back_norm(w: Weights, name: str, kept: dict[str, Any], g: F64, out: dict[str, F64], r: Rounding) -> F64:
    norm, axes = kept[name], (0, 2, 3)
    out[f"{name}.weight"], out[f"{name}.bias"] = r((g * norm.y).sum(axis=axes)), r(g.sum(axis=axes))
    g = r(g * w[f"{name}.weight"][:, None, None])
    inner = r(g - r.mean(g, axes) - r(norm.y * r.mean(r(g * norm.y), axes)))
    return r(inner * norm.scale[:, None, None])


def _back_conv(w: Weights, name: str, x: F64, g: F64, out: dict[str, F64], r: Rounding) -> F64:
    """The gradient of x; the kernel's goes to `out`."""
    kernel, stride = w[f"{name}.weight"], STRIDES[name]
    o, c, size, _ = kernel.shape
    seen = windows(x, size, stride, size // 2).reshape(-1, c * size * size)
    flat = g.transpose(0, 2, 3, 1).reshape(-1, o)
    out[f"{name}.weight"] = r.matmul(flat.T, seen).reshape(kernel.shape)
    parts = r.matmul(flat, kernel.reshape(o, -1)).reshape(len(x), *g.shape[2:], c, size, size)
    padded = np.zeros((len(x), c, x.shape[2] + size - 1, x.shape[3] + size - 1))
    for row in range(g.shape[2]):
        for column in range(g.shape[3]):
            top, left = row * stride, column * stride
            padded[:, :, top : top + size, left : left + size] += parts[:, row, column]
    return r(padded[:, :, size // 2 : -(size // 2), size // 2 : -(size // 2)])
