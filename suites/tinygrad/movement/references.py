"""References of movements that take more than a line of numpy, over plain arrays."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..bounded import Array

MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def number(value: float | str) -> float:
    """A number of a case's parameters, in which "inf" and "nan" are words."""
    return float(value) if isinstance(value, str) else value


def expand(x: Array, shape: Sequence[int]) -> Array:
    """An entry of -1 keeps the operand's size."""
    lead = len(shape) - x.ndim
    return np.broadcast_to(x, [x.shape[i - lead] if n == -1 else n for i, n in enumerate(shape)])


def pad(x: Array, padding: Sequence[Any], mode: str = "constant", value: float | str = 0) -> Array:
    """`padding`: for each axis a pair or None, or flat numbers, the last axis first; negative ones crop.

    The modes that copy elements of the operand see all of it before it is cropped, except `circular`, which wraps what
    is left.
    """
    pairs = [(0, 0) if p is None else p for p in padding]
    if padding and all(isinstance(p, int) for p in padding):
        flat = list(zip(padding[::2], padding[1::2], strict=True))[::-1]
        pairs = [(0, 0)] * (x.ndim - len(flat)) + flat
    kept = tuple(slice(max(-b, 0), n + min(a, 0)) for (b, a), n in zip(pairs, x.shape, strict=True))
    added = [(max(b, 0), max(a, 0)) for b, a in pairs]
    if mode in ("constant", "circular"):
        x, kept = x[kept], ()
    if mode == "constant":
        return np.pad(x, added, constant_values=x.dtype.type(number(value)))
    wide = np.pad(x, added, mode=MODES[mode])  # type: ignore[call-overload]
    if not kept:
        return wide
    return wide[tuple(slice(max(-b, 0), n + min(a, 0)) for (b, a), n in zip(pairs, wide.shape, strict=True))]


def flatten(x: Array, start_dim: int = 0, end_dim: int = -1) -> Array:
    """The axes from `start_dim` to `end_dim` as one."""
    start, end = start_dim % x.ndim, end_dim % x.ndim
    return x.reshape(*x.shape[:start], -1, *x.shape[end + 1 :])


def unflatten(x: Array, dim: int, sizes: Sequence[int]) -> Array:
    """One axis as several of these sizes."""
    dim %= x.ndim
    return x.reshape(*x.shape[:dim], *sizes, *x.shape[dim + 1 :])


def split(x: Array, sizes: int | Sequence[int], dim: int) -> list[Array]:
    """Parts of one size, the last with the rest, or of the sizes given."""
    ends = range(sizes, x.shape[dim], sizes) if isinstance(sizes, int) else np.cumsum(sizes)[:-1]
    return np.split(x, list(ends), axis=dim)


def chunk(x: Array, chunks: int, dim: int) -> list[Array]:
    """That many parts along an axis; the last may be smaller."""
    return split(x, -(-x.shape[dim] // chunks), dim)


def rearrange(x: Array, formula: str, sizes: Mapping[str, int]) -> Array:
    """The rearrangements of the catalogue, each written out."""
    match formula:
        case "b (c h) w -> w b h c":
            b, _, w = x.shape
            return x.reshape(b, sizes["c"], -1, w).transpose(3, 0, 2, 1)
        case "... c h -> (h c) ...":
            return np.moveaxis(np.moveaxis(x, -1, 0), -1, 1).reshape(-1, *x.shape[:-2])
        case "(a b) 1 c -> 1 (c b) a":
            return x.reshape(-1, sizes["b"], x.shape[2]).transpose(2, 1, 0).reshape(1, -1, x.shape[0] // sizes["b"])
    raise ValueError(f"no reference for {formula}")


def unfold(x: Array, dim: int, size: int, step: int) -> Array:
    """Windows of `size` along an axis, `step` apart, as a new last axis."""
    windows = np.lib.stride_tricks.sliding_window_view(x, size, axis=dim)
    return windows[(slice(None),) * (dim % x.ndim) + (slice(None, None, step),)]


def diagonal(x: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """The diagonal of two axes, as a new last axis."""
    return np.diagonal(x, offset, dim1, dim2)
