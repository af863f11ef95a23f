"""References of indexing, scatter and sorting, over plain arrays or `Bounded`, by the definition."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..bounded import Array, Bounded
from ..precision import unit_roundoff


def taken(x: Array, *index: Array, axis: int = 0) -> Array:
    """x[index] along consecutive axes; an index outside the operand gives 0, as with tinygrad's masks."""
    sizes = x.shape[axis : axis + len(index)]
    wide = [i.astype(np.int64) for i in index]
    where = [np.where(i < 0, i + n, i) for i, n in zip(wide, sizes, strict=True)]
    inside = np.logical_and.reduce(np.broadcast_arrays(*((i >= 0) & (i < n) for i, n in zip(where, sizes, strict=True))))
    found = x[(slice(None),) * axis + tuple(np.where(inside, i, 0) for i in where)]
    return np.where(inside.reshape(inside.shape + (1,) * (x.ndim - axis - len(index))), found, x.dtype.type(0))


def gather(x: Array, index: Array, dim: int) -> Array:
    """The operand is as large as the index, except along `dim`."""
    kept = tuple(slice(None) if d == dim % x.ndim else slice(n) for d, n in enumerate(index.shape))
    return np.take_along_axis(x[kept], index.astype(np.int64), dim)


def _places(index: Array, dim: int) -> Any:
    """Each position of the index, in order, and the one in the operand that it points to."""
    for place in np.ndindex(index.shape):
        yield place, (*place[:dim], int(index[place]), *place[dim + 1 :])


def scatter(x: Array, index: Array, source: Array | float, dim: int) -> Array:
    """If several sources go to one element, the last counts."""
    result = x.copy()
    for place, to in _places(index, dim % x.ndim):
        result[to] = source[place] if isinstance(source, np.ndarray) else source
    return result


def scatter_reduce(x: Bounded, index: Bounded, source: Bounded, dim: int, reduce: str, include_self: bool = True) -> Bounded:
    """Reduce the sources of each element, and the operand's own with `include_self` or if there are none.

    Exact for integers, amax and amin; otherwise for n terms: (n - 1) u sum|x| for a sum, in float32 at least;
    (1 + u)**(n - 1) - 1 for a product; a mean is a sum times 1 / n, three roundings and the reciprocal's error.
    tinygrad sums float16 in float32, rounds, adds the operand's own and rounds.
    """
    parts: dict[tuple[int, ...], list[Any]] = {to: [] for to in np.ndindex(x.value.shape)}
    for place, to in _places(index.value, dim % x.value.ndim):
        parts[to].append(source.value[place])
    value, error = np.empty(x.value.shape, x.value.dtype), np.zeros(x.value.shape)
    unit = unit_roundoff(x.dtype) if x.dtype.kind == "f" else 0.0
    for to, sources in parts.items():
        terms = [*sources, x.value[to]] if include_self or not sources else sources
        n = len(terms)
        with np.errstate(over="ignore"):
            value[to], error[to] = _reduced(reduce, np.array(terms, x.value.dtype), n, unit)
    return Bounded(value, error, x.dtype)


def _reduced(reduce: str, terms: Array, n: int, unit: float) -> tuple[Any, float]:
    size = float(np.abs(terms).sum()) if unit else 0.0
    match reduce:
        case "sum":
            return terms.sum(dtype=terms.dtype), (n + 1) * unit * size
        case "mean":
            return terms.sum(dtype=terms.dtype) / n, (n + 7) * unit * size / n
        case "prod":
            value = terms.prod(dtype=terms.dtype)
            return value, float(abs(value)) * float(np.expm1(n * np.log1p(unit))) if unit else 0.0
        case "amax":
            return terms.max(), 0.0
        case "amin":
            return terms.min(), 0.0
    raise ValueError(f"no reduction {reduce}")


def order(x: Array, dim: int = -1, descending: bool = False) -> Array:
    """The stable order: equal elements keep their order."""
    if not descending:
        return np.argsort(x, axis=dim, kind="stable").astype(np.int32)
    last = x.shape[dim] - 1
    return np.flip(last - np.argsort(np.flip(x, dim), axis=dim, kind="stable"), dim).astype(np.int32)


def sort(x: Array, dim: int = -1, descending: bool = False) -> list[Array]:
    """The sorted values along a dimension, and their indices; equal ones keep their order."""
    where = order(x, dim, descending)
    return [np.take_along_axis(x, where, dim), where]


def topk(x: Array, k: int, dim: int = -1, largest: bool = True) -> list[Array]:
    """The k largest or smallest along a dimension, and their indices."""
    return [np.take(a, np.arange(k), axis=dim) for a in sort(x, dim, largest)]


def filled(found: Array, size: int | None, fill: Any) -> Array:
    """The first `size` along the first axis, filled up with `fill`; all of them if `size` is None."""
    if size is None:
        return found
    room = np.full((size, *found.shape[1:]), fill, found.dtype)
    room[: len(found)] = found[:size]
    return room


def several(parts: Sequence[Array]) -> tuple[Bounded, ...]:
    """Several exact results."""
    return tuple(Bounded.exact(np.asarray(a)) for a in parts)
