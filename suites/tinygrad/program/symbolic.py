"""Shapes with a variable: one kernel for all values, which it gets as an argument; every value is tried.

The shape of a result is concrete, padded if necessary: tinygrad does not copy symbolic shapes to the host.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Array, Bounded
from ..inputs import draw
from ..networks import layernorm, matmul, softmax
from ..results import compare, launches, tensor

N = 9  # the largest value: odd, and larger than a vector of eight
WIDE = 13


@dataclass(frozen=True)
class Shape:
    """`apply` takes tensors and the bound variable, `reference` takes `Bounded` and the variable's value."""

    operands: tuple[tuple[int, ...], ...]
    apply: Callable[..., Any]
    reference: Callable[..., Bounded]
    dtype: str = "float32"
    domain: str = "normal"
    least: int = 1
    two: bool = False  # a second variable


def _cut(x: Bounded, *index: Any) -> Bounded:
    return x.moved(lambda a: a[index])


def _filled(x: Bounded, *shape: int) -> Bounded:
    """Padded with zeros at the ends."""
    return x.moved(lambda a: np.pad(a, [(0, n - have) for n, have in zip(shape, a.shape, strict=True)]))


def _moved(function: Callable[[Array, int], Array]) -> Callable[[Bounded, int], Bounded]:
    return lambda x, n: x.moved(lambda a: function(a, n))


def _attention(q: Any, k: Any, v: Any, n: Any) -> Any:
    return ((q @ k[:n].transpose(0, 1)) * 0.25).softmax() @ v[:n]


def _attention_reference(q: Bounded, k: Bounded, v: Bounded, n: int) -> Bounded:
    return matmul(softmax(q.einsum("mk,nk->mn", _cut(k, slice(n))) * 0.25), _cut(v, slice(n)))


def _stored(x: Any, n: Any) -> Any:
    """A result of symbolic shape in memory, read by two kernels."""
    kept = (x[:n] * 2.0).contiguous()
    return (kept - kept.sum(0, keepdim=True)).pad_to(N, WIDE)


def _stored_reference(x: Bounded, n: int) -> Bounded:
    kept = _cut(x, slice(n)) * 2.0
    return _filled(kept - kept.sum(0, keepdims=True), N, WIDE)


ROWS, COLUMNS = (N, WIDE), (5, N)
SHAPES: dict[str, Shape] = {
    "sum": Shape((ROWS,), lambda x, n: x[:n].sum(0), lambda x, n: _cut(x, slice(n)).sum(0)),
    "maximum": Shape((ROWS,), lambda x, n: x[:n].max(0), lambda x, n: _cut(x, slice(n)).max(0)),
    "mean": Shape((ROWS,), lambda x, n: x[:n].mean(0), lambda x, n: _cut(x, slice(n)).mean(0)),
    "softmax": Shape(
        (COLUMNS,),
        lambda x, n: x[:, :n].softmax(-1).pad_to(*COLUMNS),
        lambda x, n: _filled(softmax(_cut(x, slice(None), slice(n))), *COLUMNS),
    ),
    "layernorm": Shape(
        (COLUMNS,),
        lambda x, n: x[:, :n].layernorm().pad_to(*COLUMNS),
        lambda x, n: _filled(layernorm(_cut(x, slice(None), slice(n))), *COLUMNS),
        least=2,
    ),
    "rows_matmul": Shape(
        (ROWS, (WIDE, 7)),
        lambda x, w, n: (x[:n] @ w).pad_to(N, 7),
        lambda x, w, n: _filled(matmul(_cut(x, slice(n)), w), N, 7),
    ),
    "inner_matmul": Shape(
        (COLUMNS, ROWS),
        lambda x, y, n: x[:, :n] @ y[:n],
        lambda x, y, n: matmul(_cut(x, slice(None), slice(n)), _cut(y, slice(n))),
    ),
    "columns_matmul": Shape(
        ((7, 5), COLUMNS),
        lambda w, y, n: (w @ y[:, :n]).pad_to(7, N),
        lambda w, y, n: _filled(matmul(w, _cut(y, slice(None), slice(n))), 7, N),
    ),
    "attention": Shape(((3, 16), (N, 16), (N, 16)), _attention, _attention_reference),
    "stored": Shape((ROWS,), _stored, _stored_reference),
    "reshape": Shape(
        (COLUMNS,),
        lambda x, n: x[:, :n].reshape(5 * n).pad_to(5 * N),
        _moved(lambda a, n: np.pad(a[:, :n].ravel(), (0, 5 * (N - n)))),
        "int32",
        "full",
    ),
    "shrink": Shape(
        (ROWS,),
        lambda x, n: x.shrink(((n - 1, N), None)).sum(0),
        _moved(lambda a, n: a[n - 1 :].sum(0, dtype=np.int32)),
        "int32",
        "full",
    ),
    "moving_window": Shape(
        ((N + 3, WIDE),), lambda x, n: x[n : n + 3] * 1, _moved(lambda a, n: a[n : n + 3]), "int32", "full"
    ),
    "padded": Shape(
        (ROWS,),
        lambda x, n: x[:n].pad(((2, 0), (1, 1))).pad_to(N + 2, WIDE + 2),
        _moved(lambda a, n: np.pad(a[:n], ((2, N - n), (1, 1)))),
        "int32",
        "full",
    ),
    "joined": Shape(
        (ROWS, (3, WIDE)),
        lambda x, y, n: x[:n].cat(y).pad_to(N + 3, WIDE),
        lambda x, y, n: x.moved(lambda a: np.pad(np.concatenate([a[:n], y.value]), ((0, N - n), (0, 0)))),
        "int32",
        "full",
    ),
    "spread": Shape(
        ((1, WIDE),),
        lambda x, n: x.expand(n, WIDE).contiguous().sum(0),
        _moved(lambda a, n: a[0] * np.int32(n)),
        "int32",
        "full",
    ),
    "permuted": Shape(
        (ROWS,),
        lambda x, n: x[:n].permute(1, 0).contiguous().pad_to(WIDE, N),
        _moved(lambda a, n: np.pad(a[:n].T, ((0, 0), (0, N - n)))),
        "int32",
        "full",
    ),
    "flipped": Shape(
        (ROWS,),
        lambda x, n: x[:n].flip(0).pad_to(N, WIDE),
        _moved(lambda a, n: np.pad(a[:n][::-1], ((0, N - n), (0, 0)))),
        "int32",
        "full",
    ),
    "scalar": Shape(
        (ROWS,), lambda x, n: x * n + (n - 3), _moved(lambda a, n: a * np.int32(n) + np.int32(n - 3)), "int32", "full"
    ),
    "row": Shape((ROWS,), lambda x, n: x[n - 1] * 3, _moved(lambda a, n: a[n - 1] * np.int32(3)), "int32", "full"),
    "scan": Shape(
        (ROWS,),
        lambda x, n: x.cumsum(0)[:n].max(0),
        _moved(lambda a, n: np.cumsum(a, 0, dtype=np.int32)[:n].max(0)),
        "int32",
        "full",
    ),
    "triangle": Shape(
        (ROWS,),
        lambda x, n: (type(x).arange(N).reshape(N, 1) < n).where(x, -1).sum(0),
        _moved(lambda a, n: np.where(np.arange(N)[:, None] < n, a, -1).sum(0, dtype=np.int32)),
        "int32",
        "full",
    ),
    "two": Shape(
        (ROWS,),
        lambda x, n, m: x[:n, :m].sum(1).pad_to(N) * m,
        lambda x, n, m: x.moved(lambda a: np.pad(a[:n, :m].sum(1, dtype=np.int32) * np.int32(m), (0, N - n))),
        "int32",
        "full",
        two=True,
    ),
}


def check_symbolic(device: Device, *, what: str, variant: str) -> None:
    """Every value of the variables, eager (optimised or not) or through one captured program."""
    tinygrad, shape = device.tinygrad(), SHAPES[what]
    arrays = [draw(device.rng, shape.dtype, one, shape.domain) for one in shape.operands]
    on, exact = [tensor(tinygrad, a) for a in arrays], [Bounded.exact(a) for a in arrays]
    variables = [tinygrad.Variable("n", shape.least, N), tinygrad.Variable("m", 1, WIDE)][: 1 + shape.two]

    def apply(*inputs: Any) -> Any:
        return shape.apply(*inputs).contiguous().realize()

    function = tinygrad.TinyJit(apply) if variant == "jit" else apply
    with tinygrad.Context(NOOPT=int(variant == "noopt")):
        for values in _values(shape):
            bound = [v.bind(value) for v, value in zip(variables, values, strict=True)]
            with launches(tinygrad):
                result = function(*on, *bound)
            want = shape.reference(*exact, *values)
            if want.value.size > 1 and (want.value == want.value.flat[0]).all():
                check.equal(f"{values}", result.numpy(), want.value.astype(want.dtype))  # softmax of one
            else:
                compare(f"{values}", result.numpy(), want)


def _values(shape: Shape) -> Iterator[tuple[int, ...]]:
    for n in range(shape.least, N + 1):
        if shape.two:
            yield from ((n, m) for m in range(1 + n % 3, WIDE + 1, 3))
        else:
            yield (n,)
