"""References of what neural networks are made of, over `Bounded`: contractions, windows, normalisation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .bounded import Array, Bounded


def matmul(x: Bounded, y: Bounded) -> Bounded:
    """x @ y with numpy's broadcasting of the leading axes, for operands of two or more axes."""
    lead = "abcdef"[: x.value.ndim - 2]
    own = lead[len(lead) - (y.value.ndim - 2) :] if y.value.ndim > 2 else ""
    return x.einsum(f"{lead}mk,{own}kn->{lead}mn", y)


def matmul_gradient(g: Bounded, x: Bounded, y: Bounded) -> Sequence[Bounded]:
    """For two matrices."""
    return g.einsum("mn,kn->mk", y), x.einsum("mk,mn->kn", g)


def windows(image: Array, height: int, width: int, stride: int) -> Array:
    """All windows of an image, shape (..., rows, columns, height, width)."""
    every = np.lib.stride_tricks.sliding_window_view(image, (height, width), axis=(-2, -1))
    return every[..., ::stride, ::stride, :, :]


def _padded(image: Array, by: int) -> Array:
    return np.pad(image, [(0, 0)] * (image.ndim - 2) + [(by, by)] * 2)


def conv2d(x: Bounded, weight: Bounded, stride: int, padding: int, groups: int) -> Bounded:
    """Cross-correlation of (n, c, h, w) with (o, c / groups, height, width)."""
    o, c, height, width = weight.value.shape
    n = x.value.shape[0]

    def grouped(image: Array) -> Array:
        view = windows(_padded(image, padding), height, width, stride)
        return view.reshape(n, groups, c, *view.shape[2:])

    parts = []
    for i in range(groups):
        seen = x.moved(lambda a, i=i: grouped(a)[:, i])
        kernels = weight.moved(lambda a, i=i: a.reshape(groups, o // groups, c, height, width)[i])
        parts.append(seen.einsum("nchwij,ocij->nohw", kernels))
    value, error = (np.concatenate(p, axis=1) for p in zip(*((p.value, p.error) for p in parts), strict=True))
    return Bounded(value, error, x.dtype)


def conv2d_gradient(
    g: Bounded, x: Bounded, weight: Bounded, stride: int, padding: int, groups: int
) -> Sequence[Bounded]:
    """For stride 1 and one group: both gradients are convolutions again."""
    if (stride, groups) != (1, 1):
        raise ValueError("the gradient is written for stride 1 and one group")
    height, width = weight.value.shape[2:]
    flipped = weight.moved(lambda a: a[:, :, ::-1, ::-1].swapaxes(0, 1))
    seen = x.moved(lambda a: windows(_padded(a, padding), height, width, 1))
    return conv2d(g, flipped, 1, height - 1 - padding, 1), seen.einsum("nchwij,nohw->ocij", g)


def _pooled(x: Bounded, size: int, stride: int) -> Bounded:
    def flat(image: Array) -> Array:
        view = windows(image, size, size, stride)
        return view.reshape(*view.shape[:-2], size * size)

    return x.moved(flat)


def max_pool2d(x: Bounded, size: int, stride: int) -> Bounded:
    return _pooled(x, size, stride).max(-1)


def avg_pool2d(x: Bounded, size: int, stride: int) -> Bounded:
    return _pooled(x, size, stride).mean(-1)


def softmax(x: Bounded) -> Bounded:
    """Over the last axis."""
    power = (x - x.max(-1, keepdims=True)).exp()
    return power * power.sum(-1, keepdims=True).reciprocal()


def log_softmax(x: Bounded) -> Bounded:
    """Over the last axis."""
    away = x - x.max(-1, keepdims=True)
    return away - away.exp().sum(-1, keepdims=True).log()


def logsumexp(x: Bounded, axis: int) -> Bounded:
    top = x.max(axis, keepdims=True)
    return (x - top).exp().sum(axis).log() + top.moved(lambda a: np.squeeze(a, axis))


def _normalised(x: Bounded) -> tuple[Bounded, Bounded]:
    away = x - x.mean(-1, keepdims=True)
    scale = ((away * away).mean(-1, keepdims=True) + 1e-5).sqrt().reciprocal()
    return away * scale, scale


def layernorm(x: Bounded) -> Bounded:
    """Over the last axis, eps 1e-5, without weight and bias."""
    return _normalised(x)[0]


def layernorm_gradient(g: Bounded, x: Bounded) -> Sequence[Bounded]:
    y, scale = _normalised(x)
    return [scale * (g - g.mean(-1, keepdims=True) - y * (g * y).mean(-1, keepdims=True))]
