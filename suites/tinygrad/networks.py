"""References for the parts of neural networks, over `Bounded`: contractions, softmax, normalisation, attention.

Each is the expression of tinygrad's own composition, so that its bound counts the same roundings; `derivative.py`
derives their gradients.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike

from .bounded import Array, Axis, Bounded
from .derivative import detached
from .precision import unit_roundoff


def contraction(x: Bounded, y: Bounded, formula: str, dtype: DTypeLike | None = None) -> Bounded:
    """The einsum; with `dtype` summed and returned in it: the products are still rounded in the operands' type."""
    if dtype is None or np.dtype(dtype) == x.dtype:
        return x.einsum(formula, y)
    wide = x.cast(dtype).einsum(formula, y.cast(dtype))
    if x.dtype.kind != "f" or wide.dtype.itemsize <= x.dtype.itemsize:
        return wide
    size = np.einsum(formula, np.abs(x.value), np.abs(y.value))
    return wide + Bounded(np.zeros(size.shape), size * unit_roundoff(x.dtype), wide.dtype)


def product_formula(dims: int, others: int) -> str:
    """The einsum of `x @ y` for operands of `dims` and `others` axes, with numpy's broadcasting of the leading ones."""
    lead = "abcdef"[: max(dims, others, 2) - 2]
    left = lead[len(lead) - (dims - 2) :] + "mk" if dims > 2 else "mk"[-dims:]
    right = lead[len(lead) - (others - 2) :] + "kn" if others > 2 else "kn"[:others]
    return f"{left},{right}->{lead}{'m' * (dims > 1)}{'n' * (others > 1)}"


def matmul(x: Bounded, y: Bounded, dtype: DTypeLike | None = None) -> Bounded:
    """x @ y as numpy's matmul, vectors included."""
    return contraction(x, y, product_formula(x.value.ndim, y.value.ndim), dtype)


def linear(x: Bounded, weight: Bounded, bias: Bounded | None = None) -> Bounded:
    """x @ weight + bias; a weight of one axis scales."""
    y = x * weight if weight.value.ndim == 1 else matmul(x, weight)
    return y if bias is None else y + bias


def relu(x: Bounded) -> Bounded:
    """max(x, 0), without error if x is surely negative."""
    return x.moved(lambda a: a * (x.value + x.error > 0))


def softplus(x: Bounded) -> Bounded:
    """log(1 + exp(x)), as log(exp(x - m) + exp(-m)) + m for m = max(x, 0)."""
    top = relu(x)
    return ((x - top).exp() + (-top).exp()).log().means(_softplus_less_top(x.value)) + top


def _softplus_less_top(x: Array) -> Array:
    return np.log1p(np.exp(-np.abs(x)))


def softmax(x: Bounded, axis: int = -1) -> Bounded:
    """exp(x) over its sum along an axis, the maximum subtracted first."""
    power = (x - detached(x).max(axis, keepdims=True)).exp()
    return power * power.sum(axis, keepdims=True).reciprocal()


def log_softmax(x: Bounded, axis: int = -1) -> Bounded:
    """The logarithm of softmax, by the logarithm of the sum."""
    away = x - detached(x).max(axis, keepdims=True)
    return away - away.exp().sum(axis, keepdims=True).log()


def logsumexp(x: Bounded, axis: int) -> Bounded:
    """The logarithm of the sum of exp(x) along an axis, the maximum subtracted first."""
    top = detached(x).max(axis, keepdims=True)
    return (x - top).exp().sum(axis).log() + top.moved(lambda a: np.squeeze(a, axis))


def layernorm(x: Bounded, axis: Axis = -1, eps: float = 1e-5) -> Bounded:
    """Without weight and bias."""
    away = x - x.mean(axis, keepdims=True)
    return away * ((away * away).mean(axis, keepdims=True) + eps).sqrt().reciprocal()


def rmsnorm(x: Bounded, eps: float = 1e-6) -> Bounded:
    """Over the last axis, without weight: computed in float32 and rounded at the end."""
    wide = x.cast(np.float32)
    return (wide * ((wide * wide).mean(-1, keepdims=True) + eps).sqrt().reciprocal()).cast(x.dtype)


def reshaped(x: Bounded, shape: Sequence[int]) -> Bounded:
    """The same elements in another shape."""
    return x.moved(lambda a: a.reshape(tuple(shape)))


def group_norm(x: Bounded, groups: int, eps: float = 1e-5) -> Bounded:
    """Each sample's channels in `groups` groups, without weight and bias."""
    flat = reshaped(x, (x.value.shape[0], groups, -1))
    return reshaped(layernorm(flat, -1, eps), x.value.shape)


def channels(x: Bounded, like: Bounded, axis: int = 1) -> Bounded:
    """A vector of channels, shaped to meet `like` at its axis."""
    shape = [1] * like.value.ndim
    shape[axis] = -1
    return reshaped(x, shape)


def attention(
    query: Bounded,
    key: Bounded,
    value: Bounded,
    mask: Bounded | None = None,
    is_causal: bool = False,
    enable_gqa: bool = False,
) -> Bounded:
    """Scaled dot-product attention of (..., heads, length, width); a mask of booleans selects, one of floats is added.

    With `enable_gqa` each head of key and value serves several heads of the query, the quotient of their numbers. The
    scores are computed in float32 at least; a key that is masked out has the weight 0 exactly.
    """
    if enable_gqa:
        times = query.value.shape[-3] // key.value.shape[-3]
        key, value = (x.moved(lambda a: np.repeat(a, times, axis=-3)) for x in (key, value))
    across = key.moved(lambda a: a.swapaxes(-1, -2))
    scores = matmul(query, across, np.result_type(query.dtype, np.float32)) / np.sqrt(query.value.shape[-1])
    if is_causal:
        mask = Bounded.exact(np.tri(*scores.value.shape[-2:], dtype=np.bool_))
    if mask is not None and mask.dtype == np.bool_:
        mask = Bounded.exact(np.where(mask.value, 0, -np.inf).astype(scores.dtype))
    if mask is not None:
        scores = scores + mask
    return matmul(softmax(scores.cast(query.dtype)), value)


def lstm_cell(x: Bounded, h: Bounded, c: Bounded, *weights: Bounded) -> tuple[Bounded, Bounded]:
    """One step. Weights: input and hidden, (4 hidden, n) each, in the order input, forget, cell, output; then biases."""
    of_x, of_h, *biases = (w.moved(np.transpose) for w in weights)
    gates = linear(x, of_x, *biases[:1]) + linear(h, of_h, *biases[1:])
    size = h.value.shape[1]
    i, f, g, o = (gates.moved(lambda a, k=k: a[:, k * size : (k + 1) * size]) for k in range(4))  # type: ignore[misc]
    cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * cell.tanh(), cell
