"""The operations of the family: convolutions, pooling and interpolation."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..bounded import Bounded
from ..derivative import derived
from ..ops import Op
from .windows import avg_pool, conv, conv_transpose, interpolate, max_pool, max_unpool
from .winograd import winograd


def in_winograd_form(x: Any, w: Any, **args: Any) -> Any:
    """A convolution that tinygrad computes by Winograd's transforms."""
    from tinygrad.helpers import Context

    with Context(WINO=1):
        return x.conv2d(w, **args)


def interpolate_bytes(x: Bounded, size: Sequence[int]) -> Bounded:
    """Linear, for bytes: with the weight in 128ths, rounded half up, as tinygrad mixes two bytes."""
    a = x.value.astype(np.int64)
    for axis in range(-1, -len(size) - 1, -1):
        n, out = a.shape[axis], size[axis]
        at = np.clip((np.arange(out) + 0.5) * n / out - 0.5, 0, n - 1)
        low, high = (np.take(a, f(at).astype(int), axis) for f in (np.floor, np.ceil))
        shape = [1] * a.ndim
        shape[axis] = out
        weight = np.floor((at - np.floor(at)) * 128 + 0.5).astype(int).reshape(shape)
        a = low + ((high - low) * weight + 64 >> 7)
    return Bounded.exact(a.astype(np.uint8))


def unpooled(x: Any, size: Sequence[int], **args: Any) -> Any:
    """max_pool followed by max_unpool with its indices, in tinygrad."""
    top, indices = x.max_pool2d(return_indices=True, **args)
    return top.max_unpool2d(indices, output_size=tuple(size))


def unpool(x: Bounded, size: Sequence[int], **args: Any) -> Bounded:
    """The reference of `unpooled`."""
    top, indices = max_pool(x, return_indices=True, **args)  # type: ignore[misc]
    return max_unpool(top, indices, size)


OPS: dict[str, Op] = {
    "conv2d": Op(lambda x, w, b=None, **args: x.conv2d(w, b, **args), conv, derived(conv)),
    "conv_transpose2d": Op(
        lambda x, w, b=None, **args: x.conv_transpose2d(w, b, **args), conv_transpose, derived(conv_transpose)
    ),
    "conv2d_winograd": Op(in_winograd_form, winograd, derived(winograd)),
    "max_pool2d": Op(lambda x, **args: x.max_pool2d(**args), max_pool, derived(max_pool)),
    "avg_pool2d": Op(lambda x, **args: x.avg_pool2d(**args), avg_pool, derived(avg_pool)),
    "max_unpool2d": Op(unpooled, unpool, derived(unpool)),
    "interpolate": Op(lambda x, size, **args: x.interpolate(tuple(size), **args), interpolate, derived(interpolate)),
    "interpolate_bytes": Op(lambda x, size: x.interpolate(tuple(size)), interpolate_bytes),
}
