"""References of convolution, pooling and interpolation in any number of dimensions, from their definitions."""

from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ..bounded import Array, Bounded
from ..networks import channels, contraction, reshaped

Ints = int | Sequence[int]
Pads = list[tuple[int, int]]
Places = NDArray[np.int64]  # (results, elements of a window): the index of each element, which may lie outside


def each(value: Ints, dims: int) -> list[int]:
    """One number for each dimension."""
    return [value] * dims if isinstance(value, int) else list(value)


def sides(padding: Ints, dims: int) -> Pads:
    """(before, after) of each dimension, from one number, from one for each dimension, or from two for each, last first."""
    if isinstance(padding, int) or len(padding) == dims:
        return [(p, p) for p in each(padding, dims)]
    return [(padding[2 * i], padding[2 * i + 1]) for i in reversed(range(dims))]


def places(size: int, kernel: int, stride: int, dilation: int, pads: tuple[int, int], up: bool = False) -> Places:
    """The positions of the windows of one dimension; with `up` (ceil mode) one may hang over, but begins inside."""
    span = size + sum(pads) - dilation * (kernel - 1) - 1
    count = (ceil(span / stride) if up else span // stride) + 1
    if up and (count - 1) * stride >= size + pads[0]:
        count -= 1
    return np.arange(count)[:, None] * stride - pads[0] + np.arange(kernel) * dilation


def transposed_places(size: int, kernel: int, stride: int, dilation: int, pads: tuple[int, int], more: int) -> Places:
    """Of a transposed convolution: input y and element i of the kernel meet in result y stride + i dilation - pad."""
    count = (size - 1) * stride - sum(pads) + dilation * (kernel - 1) + more + 1
    at = np.arange(count)[:, None] + pads[0] - np.arange(kernel) * dilation
    return np.where(at % stride == 0, at // stride, -1)


def windows(image: Array, by: Sequence[Places], outside: float = 0) -> Array:
    """Turn each of the last axes into two, results and elements of the window; elements outside are `outside`."""
    first = image.ndim - len(by)
    for i, at in enumerate(by):
        axis = first + 2 * i
        inside = (at >= 0) & (at < image.shape[axis])
        image = np.take(image, np.where(inside, at, 0), axis)
        inside = inside.reshape(*at.shape, *[1] * (image.ndim - axis - 2))
        image = np.where(inside, image, np.asarray(outside).astype(image.dtype))
    return image


def _correlated(x: Bounded, weight: Bounded, by: Sequence[Places], formula: str, groups: int, dtype: str = "") -> Bounded:
    """Windows of x (n, groups c, ...) with weight in groups; "*" in the formula stands for the window's axes."""
    n, c = x.value.shape[:2]
    results, elements = "TXYZ"[-len(by) :], "txyz"[-len(by) :]
    both = "".join(r + e for r, e in zip(results, elements, strict=True))
    seen = x.moved(lambda a: windows(a.reshape(n, groups, c // groups, *a.shape[2:]), by))
    total = {"i": np.int32, "u": np.uint32}.get(x.dtype.kind)  # integers stay in the type of their sum
    kind = dtype or (None if total is None else np.result_type(x.dtype, total))
    y = contraction(seen, weight, f"ngc{both},{formula}{elements}->ngo{results}", kind)
    return reshaped(y, (n, -1, *(len(at) for at in by)))


def conv(
    x: Bounded,
    weight: Bounded,
    bias: Bounded | None = None,
    groups: int = 1,
    stride: Ints = 1,
    dilation: Ints = 1,
    padding: Ints = 0,
    dtype: str = "",
) -> Bounded:
    """Cross-correlation of (n, c, ...) with (o, c / groups, ...), summed and returned in `dtype`."""
    size, kernel = x.value.shape[2:], weight.value.shape[2:]
    dims = len(kernel)
    steps = zip(size, kernel, each(stride, dims), each(dilation, dims), sides(padding, dims), strict=True)
    grouped = reshaped(weight, (groups, -1, *weight.value.shape[1:]))
    y = _correlated(x, grouped, [places(*step) for step in steps], "goc", groups, dtype)
    return y if bias is None else y + channels(bias, y)


def conv_transpose(
    x: Bounded,
    weight: Bounded,
    bias: Bounded | None = None,
    groups: int = 1,
    stride: Ints = 1,
    dilation: Ints = 1,
    padding: Ints = 0,
    output_padding: Ints = 0,
) -> Bounded:
    """Transposed convolution of (n, c, ...) with (c, o / groups, ...)."""
    size, kernel = x.value.shape[2:], weight.value.shape[2:]
    dims = len(kernel)
    steps = zip(
        size, kernel, each(stride, dims), each(dilation, dims), sides(padding, dims), each(output_padding, dims), strict=True
    )
    grouped = reshaped(weight, (groups, -1, *weight.value.shape[1:]))
    y = _correlated(x, grouped, [transposed_places(*step) for step in steps], "gco", groups)
    return y if bias is None else y + channels(bias, y)


def _pooled(
    x: Bounded, kernel: Sequence[int], stride: Ints | None, dilation: Ints, pads: Pads, up: bool, outside: float
) -> tuple[Bounded, list[Places]]:
    """The windows, flat along the last axis."""
    dims = len(kernel)
    size = x.value.shape[-dims:]
    steps = zip(size, kernel, each(kernel if stride is None else stride, dims), each(dilation, dims), pads, strict=True)
    by = [places(*step, up=up) for step in steps]

    def flat(image: Array) -> Array:
        image, first = windows(image, by, outside), image.ndim - dims
        lead, rest = range(first), range(first, image.ndim)
        image = image.transpose(*lead, *rest[::2], *rest[1::2])
        return image.reshape(*image.shape[: first + dims], -1)

    return x.moved(flat), by


def max_pool(
    x: Bounded,
    kernel_size: Sequence[int],
    stride: Ints | None = None,
    dilation: Ints = 1,
    padding: Ints = 0,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Bounded | tuple[Bounded, Bounded]:
    """The maxima and, if asked for, the flat index of each in its image: the first of equal ones."""
    dims = len(kernel_size)
    shape = x.value.shape[-dims:]
    options = (kernel_size, stride, dilation, sides(padding, dims), ceil_mode)
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    seen = _pooled(x, *options, lowest)[0]
    if not return_indices:
        return seen.max(-1)
    numbers = Bounded.exact(np.arange(np.prod(shape), dtype=np.int32).reshape(shape))
    where = np.broadcast_to(_pooled(numbers, *options, 0)[0].value, seen.value.shape)
    first = np.take_along_axis(where, seen.value.argmax(-1)[..., None], -1)[..., 0]
    return seen.max(-1), Bounded.exact(first)


def avg_pool(
    x: Bounded,
    kernel_size: Sequence[int],
    stride: Ints | None = None,
    dilation: Ints = 1,
    padding: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Bounded:
    """Elements that hang over in ceil mode do not count; padding counts as zeros by default."""
    dims = len(kernel_size)
    pads = sides(padding, dims)
    seen, by = _pooled(x, kernel_size, stride, dilation, pads, ceil_mode, 0)
    if count_include_pad and not ceil_mode:
        return seen.mean(-1)
    counts = np.ones(())
    for at, n, (_, after) in zip(by, x.value.shape[-dims:], pads, strict=True):
        counted = at < n + after if count_include_pad else (at >= 0) & (at < n)
        counts = counts[..., None] * counted.sum(1)
    return seen.sum(-1) / Bounded.exact(np.broadcast_to(counts, seen.value.shape[:-1]).astype(x.dtype))


def max_unpool(x: Bounded, indices: Bounded, size: Sequence[int]) -> Bounded:
    """Each value at its index in an image of `size`, the rest 0."""

    def spread(a: Array) -> Array:
        image = np.zeros((*a.shape[:2], int(np.prod(size))), a.dtype)
        np.put_along_axis(image, indices.value.reshape(*a.shape[:2], -1), a.reshape(*a.shape[:2], -1), -1)
        return image.reshape(*a.shape[:2], *size)

    return x.moved(spread)


def interpolate(x: Bounded, size: Sequence[int], mode: str = "linear", align_corners: bool = False) -> Bounded:
    """The last axes resampled to `size`, one after another, the last first.

    linear: output i lies at (i + 1/2) n / size - 1/2 (aligned: i (n - 1) / (size - 1)) of the input, kept inside.
    nearest: floor(i n / size), nearest-exact: floor((i + 1/2) n / size), in float32 as tinygrad computes it: IEEE
    754 leaves nothing open there.
    """
    kind = x.dtype
    for axis in range(-1, -len(size) - 1, -1):
        n, out = x.value.shape[axis], size[axis]
        i = np.arange(out)
        if mode != "linear":
            half = np.float32(0.5 if mode == "nearest-exact" else 0)
            index = (np.float32(n / out) * (i.astype(np.float32) + half)).astype(int)
            x = x.moved(lambda a, index=index, axis=axis: np.take(a, index, axis))  # type: ignore[misc]
            continue
        at = i * (n - 1) / max(out - 1, 1) if align_corners else (i + 0.5) * n / out - 0.5
        at = np.clip(at, 0, n - 1)
        low, high = np.floor(at).astype(int), np.ceil(at).astype(int)
        shape = [1] * x.value.ndim
        shape[axis] = out
        weight = Bounded(at - low, np.spacing(np.float32(at - low)).astype(float), np.dtype(np.float32))
        a, b = (x.moved(lambda v, j=j, axis=axis: np.take(v, j, axis)) for j in (low, high))  # type: ignore[misc]
        x = a + (b - a) * reshaped(weight, shape)
    return x.cast(kind)
