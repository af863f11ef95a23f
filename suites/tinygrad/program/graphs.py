"""Graphs of several operations: fused, shared, reduced twice; each with its reference.

Even if one operation by itself is right, its fusion with others is a different kernel: a reduction inside
a reduction, two that share a loop, a result that several kernels read, a kernel with many arguments.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..bounded import Array, Bounded
from ..derivative import derived
from ..networks import layernorm, matmul, softmax
from ..ops import Op, exactly


def _several_outputs(x: Any, y: Any) -> Any:
    product = x * y
    return product, product.sum(0), (product + x).exp(), product.sum(1).max()


def _several_outputs_reference(x: Bounded, y: Bounded) -> tuple[Bounded, ...]:
    wide = x * y
    return wide, wide.sum(0), (wide + x).exp(), wide.sum(1).max()


def _consumers_reference(x: Bounded, y: Bounded) -> tuple[Bounded, ...]:
    product = matmul(x, y)
    return product + 1.0, product * x.sum(1, keepdims=True), product.sum(0), product.moved(np.transpose)


def _consumers(x: Any, y: Any) -> Any:
    product = x @ y
    return product + 1.0, product * x.sum(1, keepdim=True), product.sum(0), product.transpose()


def _diamond(x: Any) -> Any:
    """One value in two terms of one sum."""
    first = x + 1.0
    return (first * first * first.exp()).sum(1)


def _centred(x: Any) -> Any:
    away = x - x.mean(-1, keepdims=True) if isinstance(x, Bounded) else x - x.mean(-1, keepdim=True)
    return (away * away).sum(-1)


def _attention(q: Any, k: Any, v: Any) -> Any:
    return ((q @ k.transpose(-1, -2)) * 0.25).softmax() @ v


def _attention_reference(q: Bounded, k: Bounded, v: Bounded) -> Bounded:
    return matmul(softmax(q.einsum("bmd,bnd->bmn", k) * 0.25), v)


def _perceptron(x: Any, w: Any, b: Any, v: Any) -> Any:
    return ((h := x @ w + b) * h + 1.0).sqrt() @ v + x


def _perceptron_reference(x: Bounded, w: Bounded, b: Bounded, v: Bounded) -> Bounded:
    return matmul(((h := matmul(x, w) + b) * h + 1.0).sqrt(), v) + x


def _moved(x: Any, y: Any) -> Any:
    """A sum over a view of a view of a difference."""
    view = (x - y).permute(1, 0).flip(0).reshape(x.shape[1] * x.shape[0])[3:-2:5]
    return view.exp().sum()


def _moved_reference(x: Bounded, y: Bounded) -> Bounded:
    return (x - y).moved(lambda a: a.T[::-1].reshape(-1)[3:-2:5]).exp().sum()


def _chain(x: Any) -> Any:
    """A polynomial of degree 24 by Horner's method, each step a multiplication and an addition."""
    total = x * 0.5
    for i in range(24):
        total = total * x + (i - 11.5) / 16
    return total


def _added(*x: Any) -> Any:
    """One kernel with an argument for each operand: 1 x0 + 2 x1 + ..."""
    total = x[0]
    for i, one in enumerate(x[1:], 2):
        total = total + one * i
    return total


def _many_results(x: Any) -> Any:
    return tuple(x * i + (i * i) for i in range(1, 13))


def _pooled(x: Any, k: Any) -> Any:
    """Convolution, rectifier, pooling and a sum: windows of windows."""
    return x.conv2d(k, padding=1).relu().max_pool2d((2, 2)).sum((2, 3))


def _pooled_reference(x: Array, k: Array) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view
    padded = np.pad(x.astype(np.int64), ((0, 0), (0, 0), (1, 1), (1, 1)))
    conv = np.maximum(np.einsum("nchwij,ocij->nohw", windows(padded, (3, 3), (2, 3)), k.astype(np.int64)), 0)
    return windows(conv, (2, 2), (2, 3))[:, :, ::2, ::2].max((-2, -1)).sum((2, 3)).astype(np.float32)


def _picked(x: Any, at: Any) -> Any:
    return (x.gather(1, at) * 2 + 1, x.gather(1, x.argmax(1, keepdim=True)), x.argmax(1) + x.argmin(1))


def _picked_reference(x: Array, at: Array) -> tuple[Array, ...]:
    two, one = x.dtype.type(2), x.dtype.type(1)
    tops = np.take_along_axis(x, x.argmax(1)[:, None], 1)
    return (np.take_along_axis(x, at, 1) * two + one, tops, (x.argmax(1) + x.argmin(1)).astype(np.int32))


def _several(function: Any) -> Any:
    """`exactly` for a reference with several results."""
    return lambda *x, **args: tuple(
        Bounded.exact(np.asarray(one)) for one in function(*(a.value.astype(a.dtype) for a in x), **args)
    )


def _gated(x: Any, far: int) -> Any:
    """A kernel that reads far outside its operand unless the gate of the load holds: padding is never stored."""
    n = x.shape[0]
    return x.pad(((far, far),))[far - n : far + 2 * n] + 1


def _gated_reference(x: Array, far: int) -> Array:
    return (np.pad(x, x.shape[0]) + x.dtype.type(1)).astype(x.dtype)


def _joined(x: Any, y: Any) -> Any:
    return (x + 1).cat(y * 2, x - y, dim=1).sum(1)


def _infinite(x: Any) -> Any:
    """Infinity as a constant that the compiler folds (tinygrad #16706), through a choice, a maximum and a sum."""
    inf = x.full_like(float("inf"))
    return (x > 0).where(inf, -inf), x.maximum(-inf), (x < 0).where(-inf, x).max(0)


def _infinite_reference(x: Array) -> tuple[Array, ...]:
    inf = x.dtype.type(np.inf)
    return np.where(x > 0, inf, -inf), x, np.where(x < 0, -inf, x).max(0)


def _derived(apply: Callable[..., Any], reference: Callable[..., Bounded]) -> Op:
    return Op(apply, reference, derived(reference))


OPS: dict[str, Op] = {
    "several_outputs": Op(_several_outputs, _several_outputs_reference),
    "consumers": Op(_consumers, _consumers_reference),
    "shared_ranges": Op(
        lambda x: (x.sum(1), (x * x).sum(1), x.exp().sum(1)), lambda x: (x.sum(1), (x * x).sum(1), x.exp().sum(1))
    ),
    "shared_integers": Op(
        lambda x: (x.sum(1), x.max(1), x.min(1), x.sum(1) * x.max(1)),
        _several(lambda x: ((s := x.sum(1, dtype=np.int32)), x.max(1), x.min(1), (s * x.max(1)).astype(np.int32))),
    ),
    "nested_sums": _derived(lambda x: x.sum(2).exp().sum(1), lambda x: x.sum(2).exp().sum(1)),
    "nested_choices": Op(lambda x: x.max(2).sum(1).max(0), exactly(lambda x: x.max(2).sum(1, dtype=np.int32).max(0))),
    "sum_of_scans": Op(
        lambda x: x.cumsum(1).max(1) - x.sum(1),
        exactly(lambda x: np.cumsum(x, 1, dtype=np.int32).max(1) - x.sum(1, dtype=np.int32)),
    ),
    "reduced_and_spread": Op(
        lambda x: (x / x.abs().sum(1, keepdim=True)).sum(0), lambda x: (x / x.abs().sum(1, keepdims=True)).sum(0)
    ),
    "diamond": _derived(_diamond, _diamond),
    "centred": _derived(_centred, _centred),
    "softmax_twice": _derived(lambda x: (x.softmax() * 4.0).softmax(), lambda x: softmax(softmax(x) * 4.0)),
    "attention": _derived(_attention, _attention_reference),
    "perceptron": _derived(_perceptron, _perceptron_reference),
    "normalised_product": Op(lambda x, w: x.layernorm() @ w, lambda x, w: matmul(layernorm(x), w)),
    "three_products": _derived(lambda x, y, z: x @ y @ z, lambda x, y, z: matmul(matmul(x, y), z)),
    "moved": Op(_moved, _moved_reference),
    "chain": Op(_chain, _chain),
    "added": Op(_added, _added),
    "many_results": Op(_many_results, _several(lambda x: tuple(x * np.int32(i) + np.int32(i * i) for i in range(1, 13)))),
    "pooled": Op(_pooled, exactly(_pooled_reference)),
    "picked": Op(_picked, _several(_picked_reference)),
    "gated": Op(_gated, exactly(_gated_reference)),
    "joined": Op(_joined, exactly(lambda x, y: np.concatenate([x + 1, y * 2, x - y], 1).sum(1, dtype=np.int32))),
    "infinite": Op(_infinite, _several(_infinite_reference), bits=True),
    "outer": Op(
        lambda x, y: ((d := x.reshape(-1, 1) - y.reshape(1, -1)).abs().sum(0), (d * d).sum(1)),
        lambda x, y: ((d := x.moved(lambda a: a[:, None]) - y.moved(lambda a: a[None])).abs().sum(0), (d * d).sum(1)),
    ),
    "mixed_types": Op(
        lambda x, i, b: (x * i.float() + b.where(1.0, -1.0)).sum(1) + b.sum(1),
        lambda x, i, b: (
            (x * i.cast(np.float32) + np.where(b.value, 1.0, -1.0).astype(np.float32)).sum(1) + b.sum(1).cast(np.float32)
        ),
    ),
    "above_mean": Op(
        lambda x: (x > x.max() // 2).where(x, -x).sum(0),
        exactly(lambda x: np.where(x > x.max() // 2, x, -x).sum(0, dtype=np.int32)),
    ),
    "hashed": Op(
        lambda x, y: ((x * 31 + 7).bitwise_xor(y) * 17 + (x & y)).sum(0),
        exactly(lambda x, y: (((x * 31 + 7) ^ y) * 17 + (x & y)).sum(0, dtype=np.int32)),
    ),
    "embedded": Op(
        lambda ids, table, w: table[ids] @ w, lambda ids, table, w: matmul(table.moved(lambda a: a[ids.value]), w)
    ),
    "scattered_sum": Op(
        lambda at, x, n: (at.reshape(-1, 1) == type(at).arange(n)).where(x, 0).sum(0),
        exactly(lambda at, x, n: np.array([x[at == i, 0].sum(dtype=np.int32) for i in range(n)], dtype=np.int32)),
    ),
}
