"""The parts of networks in numpy's float64 with `Rounding`: written from the definitions, independently of tinygrad."""

from collections.abc import Mapping

import numpy as np

from .rounding import F64, FUNCTION, Rounding

Weights = Mapping[str, F64]


def linear(w: Weights, name: str, x: F64, r: Rounding) -> F64:
    """x (..., in) by a weight (out, in), plus the bias if there is one."""
    y = r.matmul(x, w[f"{name}.weight"].T)
    return r(y + w[f"{name}.bias"]) if f"{name}.bias" in w else y


def windows(x: F64, size: int, stride: int, padding: int) -> F64:
    """(n, c, h, w) to (n, rows, columns, c * size * size): the inputs of each output pixel of a convolution."""
    padded = np.pad(x, [(0, 0), (0, 0), (padding, padding), (padding, padding)])
    seen = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(2, 3))[:, :, ::stride, ::stride]
    n, c, rows, columns = seen.shape[:4]
    return seen.transpose(0, 2, 3, 1, 4, 5).reshape(n, rows, columns, c * size * size)


def conv2d(w: Weights, name: str, x: F64, r: Rounding, stride: int = 1) -> F64:
    """Cross-correlation with a square kernel (out, in, size, size) of odd size, padded by half of it."""
    kernel = w[f"{name}.weight"]
    size = kernel.shape[-1]
    y = r.matmul(windows(x, size, stride, size // 2), kernel.reshape(len(kernel), -1).T).transpose(0, 3, 1, 2)
    return r(y + w[f"{name}.bias"][:, None, None]) if f"{name}.bias" in w else y


def normalised(x: F64, epsilon: float, r: Rounding) -> F64:
    """Mean 0 and variance 1 over the last axis."""
    centred = r(x - r.mean(x))
    deviation = r(np.sqrt(r(r.mean(r(centred**2)) + epsilon)), FUNCTION)
    return r(centred / deviation, FUNCTION)


def layer_norm(w: Weights, name: str, x: F64, r: Rounding) -> F64:
    """Layer normalisation over the last axis, with the weight and bias of that name."""
    return r(r(normalised(x, 1e-5, r) * w[f"{name}.weight"]) + w[f"{name}.bias"])


def group_norm(w: Weights, name: str, x: F64, groups: int, epsilon: float, r: Rounding) -> F64:
    """(n, c, h, w), normalised over `groups` groups of neighbouring channels with all their pixels."""
    y = normalised(x.reshape(len(x), groups, -1), epsilon, r).reshape(x.shape)
    return r(r(y * w[f"{name}.weight"][:, None, None]) + w[f"{name}.bias"][:, None, None])


def attention(q: F64, k: F64, v: F64, heads: int, r: Rounding) -> F64:
    """(n, t, width) each, keys and values with a length of their own; each row and each head separately."""
    out = np.empty((*q.shape[:2], v.shape[2]))
    for row in range(len(q)):
        parts = (np.split(each[row], heads, axis=1) for each in (q, k, v))
        mixed = [r.matmul(r.softmax(r(r.matmul(a, b.T) / np.sqrt(a.shape[1]))), c) for a, b, c in zip(*parts, strict=True)]
        out[row] = np.concatenate(mixed, axis=1)
    return out


def gelu(x: F64, r: Rounding) -> F64:
    """In its tanh form."""
    return r(x / 2 * r(1 + r.tanh(r(np.sqrt(2 / np.pi) * r(x + r(0.044715 * r(x**3)))))))
