"""The operations of the family: movement. No arithmetic, every element at its place."""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Array
from ..inputs import draw
from ..ops import Op, exactly
from ..results import tensor
from . import references as ref
from .views import swapped, viewed


def _move(apply: Callable[..., Any], reference: Callable[..., Any], bits: bool = True) -> Op:
    return viewed(Op(apply, _each(reference), bits=bits))


def _each(reference: Callable[..., Any]) -> Callable[..., Any]:
    """`exactly`, for one result or a list of them."""

    def exact(*operands: Any, **args: Any) -> Any:
        parts = reference(*(x.value.astype(x.dtype) for x in operands), **args)
        if isinstance(parts, list):
            return tuple(exactly(lambda part=part: part)() for part in parts)
        return exactly(lambda: parts)()

    return exact


def _pairs(pads: Any) -> Any:
    """Lists from a case's parameters, in the form that tinygrad expects: flat numbers, or pairs and None."""
    return [tuple(p) if isinstance(p, list) else p for p in pads]


def _pad(x: Any, padding: Any, mode: str = "constant", value: float | str = 0) -> Any:
    return x.pad(_pairs(padding), mode, ref.number(value))


def _far(a: Any, away: int) -> Any:
    """Four elements of each row, with `away` rows of zeros before and after.

    Without the gate the kernel would load from addresses that are as many rows outside the operand.
    """
    few = a[:, :: a.shape[1] // 4]
    return np.pad(few, [(away, away), (0, 0)]) if isinstance(a, np.ndarray) else few.pad(((away, away), (0, 0)))


def _views(a: Any) -> Any:
    """A permutation of a pad of a shrink of a flip of a stride, and back through a reshape."""
    b = swapped(a[1:-1, ::-2])
    if isinstance(b, np.ndarray):
        return np.pad(b, [(1, 0), (2, 3)]).reshape(-1)[3:-2].reshape(5, -1)[::-1, 1:]
    return b.pad(((1, 0), (2, 3))).reshape(-1)[3:-2].reshape(5, -1)[::-1, 1:]


def _shrunk_arithmetic(a: Any) -> Any:
    """Arithmetic between views: each pad and shrink is at another place of the expression."""
    if isinstance(a, np.ndarray):
        rows = np.pad(a * 3, [(2, 1), (0, 4)])[1:-1, 2:] + 5
        return np.pad(rows, [(0, 2), (1, 0)]).T * 7 + np.pad(a[:, :3].sum(1, dtype=a.dtype), (1, 2))
    rows = (a * 3).pad(((2, 1), (0, 4)))[1:-1, 2:] + 5
    return rows.pad(((0, 2), (1, 0))).T * 7 + a[:, :3].sum(1).pad(((1, 2),))


OPS: dict[str, Op] = {
    "reshape": _move(lambda x, shape: x.reshape(shape), lambda x, shape: x.reshape(shape)),
    "view": _move(lambda x, shape: x.view(*shape), lambda x, shape: x.reshape(shape)),
    "permute": _move(lambda x, order: x.permute(order), lambda x, order: x.transpose(order)),
    "transpose": _move(lambda x, axes: x.transpose(*axes), lambda x, axes: x.swapaxes(*axes)),
    "T": _move(lambda x: x.T, lambda x: x.T),
    "expand": _move(lambda x, shape: x.expand(shape), ref.expand),
    "shrink": _move(
        lambda x, bounds: x.shrink(_pairs(bounds)), lambda x, bounds: x[tuple(slice(*(b or (None,))) for b in bounds)]
    ),
    "shrink_to": _move(lambda x, shape: x.shrink_to(shape), lambda x, shape: x[tuple(slice(n) for n in shape)]),
    "pad": _move(_pad, ref.pad),
    "pad_joined": _move(_pad, ref.pad, bits=False),  # reflect and replicate: by cat
    "pad_to": _move(
        lambda x, shape, value: x.pad_to(shape, value=value) if value else x.pad_to(shape),
        lambda x, shape, value: ref.pad(x, [[0, (s or n) - n] for s, n in zip(shape, x.shape, strict=True)], value=value),
    ),
    "flip": _move(lambda x, axes: x.flip(axes), lambda x, axes: np.flip(x, tuple(axes))),
    "squeeze": _move(lambda x, **axis: x.squeeze(**axis), lambda x, dim=None: np.squeeze(x, dim)),
    "unsqueeze": _move(lambda x, dim: x.unsqueeze(dim), lambda x, dim: np.expand_dims(x, dim)),
    "flatten": _move(lambda x, **axes: x.flatten(**axes), ref.flatten),
    "unflatten": _move(lambda x, dim, sizes: x.unflatten(dim, tuple(sizes)), ref.unflatten),
    "stack": _move(lambda *x, dim: x[0].stack(*x[1:], dim=dim), lambda *x, dim: np.stack(x, dim)),
    # cat of unequal parts is a sum of padded ones: -0 + 0 is 0.
    "cat": _move(lambda *x, axis: x[0].cat(*x[1:], dim=axis), lambda *x, axis: np.concatenate(x, axis=axis), bits=False),
    "chunk": _move(lambda x, chunks, dim: x.chunk(chunks, dim), ref.chunk),
    "split": _move(lambda x, sizes, dim: x.split(sizes, dim), ref.split),
    "split_cat": _move(
        lambda x, sizes, dim: (parts := x.split(sizes, dim))[-1].cat(*parts[:-1], dim=dim),
        lambda x, sizes, dim: np.concatenate([(p := ref.split(x, sizes, dim))[-1], *p[:-1]], dim),
        bits=False,
    ),
    "repeat": _move(lambda x, repeats: x.repeat(repeats), lambda x, repeats: np.tile(x, repeats)),
    "repeat_interleave": _move(
        lambda x, repeats, dim: x.repeat_interleave(repeats, dim), lambda x, repeats, dim: np.repeat(x, repeats, dim)
    ),
    "roll": _move(
        lambda x, shifts, dims: x.roll(_tuple(shifts), _tuple(dims)), lambda x, shifts, dims: np.roll(x, shifts, dims)
    ),
    "rearrange": _move(lambda x, formula, sizes: x.rearrange(formula, **sizes), ref.rearrange),
    "unfold": _move(lambda x, dim, size, step: x.unfold(dim, size, step), ref.unfold),
    "meshgrid": _move(
        lambda *x, indexing: x[0].meshgrid(*x[1:], indexing=indexing),
        lambda *x, indexing: [np.array(a) for a in np.meshgrid(*x, indexing=indexing)],
    ),
    "diag": _move(lambda x: x.diag(), np.diag),
    "diagonal": _move(lambda x, **which: x.diagonal(**which), ref.diagonal),
    "triu": _move(lambda x, diagonal=0: x.triu(diagonal), lambda x, diagonal=0: np.triu(x, diagonal)),
    "tril": _move(lambda x, diagonal=0: x.tril(diagonal), lambda x, diagonal=0: np.tril(x, diagonal)),
    "far": _move(_far, _far),
    "views": _move(_views, _views),
    "view_arithmetic": _move(_shrunk_arithmetic, _shrunk_arithmetic),
    "moved_sum": viewed(
        Op(
            lambda x, order, axis: x.permute(order).sum(axis),
            lambda x, order, axis: x.moved(lambda a: a.transpose(order)).sum(axis),
        )
    ),
    "pad_times_flip": viewed(
        Op(
            lambda x, y: (x.permute(1, 0).pad(((1, 2), (0, 0))) * y[::-1]).sum(0),
            lambda x, y: (x.moved(lambda a: np.pad(a.T, [(1, 2), (0, 0)])) * y.moved(lambda a: a[::-1])).sum(0),
        )
    ),
}


def _tuple(a: Any) -> Any:
    return tuple(a) if isinstance(a, list) else a


def check_nothing(device: Device) -> None:
    """A tensor without elements keeps its shape and type, and launches nothing."""
    tinygrad = device.tinygrad()
    drawn: Array = draw(device.rng, "float32", (3, 0, 5), "normal")
    x = tensor(tinygrad, drawn)
    wants = {
        "permute": (x.permute(2, 0, 1), (5, 3, 0)),
        "reshape": (x.reshape(0, 15), (0, 15)),
        "expand": (x.unsqueeze(0).expand(7, 3, 0, 5), (7, 3, 0, 5)),
        "flip": (x.flip(0), (3, 0, 5)),
        "cat": (x.cat(x, dim=0), (6, 0, 5)),
        "shrink": (x.shrink(((1, 2), None, (0, 3))), (1, 0, 3)),
        "repeat": (x.repeat(2, 3, 1), (6, 0, 5)),
        "roll": (x.roll(1, 0), (3, 0, 5)),
        "chunk": (x.chunk(2, 2)[1], (3, 0, 2)),
        "slice": (x[:, :, 4:1], (3, 0, 0)),
    }
    for name, (moved, shape) in wants.items():
        got = moved.contiguous().numpy()
        check.equal(f"{name}: shape", list(got.shape), list(shape))
        check.equal(f"{name}: type", got.dtype.name, "float32")
    whole = x.pad(((1, 0), (2, 0), None))
    sizes = [len(whole), whole.numel(), whole.max_numel(), whole.size(-1)]
    check.equal("len, numel, max_numel, size", sizes, [4, 40, 40, 5])
