"""Operands that are views, and arithmetic around an operation: tinygrad folds both into the operation's kernel."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..bounded import Bounded
from ..ops import Op

View = Callable[[Any], Any]


def swapped(a: Any, first: int = -1, second: int = -2) -> Any:
    """Two axes exchanged, of a tensor or of an array."""
    return a.swapaxes(first, second) if isinstance(a, np.ndarray) else a.transpose(first, second)


def _padded(a: Any) -> Any:
    if isinstance(a, np.ndarray):
        return np.pad(a, [(0, 0)] * (a.ndim - 1) + [(2, 3)])
    return a.pad((None,) * (a.ndim - 1) + ((2, 3),))


def _expanded(a: Any) -> Any:
    shape = tuple(a.shape)
    if isinstance(a, np.ndarray):
        return np.broadcast_to(a[..., None], (*shape, 7))
    return a.unsqueeze(-1).expand(*shape, 7)


def _same(a: Any) -> Any:
    return a


# For tensors and arrays alike. The last axis of n elements becomes: shrunk n - 3, strided ceil(n / 2),
# padded n + 5 with zeros around; expanded appends an axis of 7 equal elements; chained combines four of these.
VIEWS: dict[str, View] = {
    "": _same,
    "transposed": swapped,
    "reversed": lambda a: a[..., ::-1],
    "shrunk": lambda a: a[..., 1:-2],
    "strided": lambda a: a[..., ::2],
    "padded": _padded,
    "expanded": _expanded,
    "chained": lambda a: swapped(_padded(swapped(a[..., ::-2])))[1:],
}


def _typed(a: Any, dtype: str) -> Any:
    """To bfloat16 and back, only on the device: it holds the whole numbers below 256 exactly."""
    return a if isinstance(a, np.ndarray) else a.cast(dtype)


# Arithmetic before and after the operation, exact in integers of any size (they wrap) and in the small whole
# numbers of the domain `small`.
FOLDS: dict[str, tuple[View, View]] = {
    "": (_same, _same),
    "before": (lambda a: a * 3 + 1, _same),
    "after": (_same, lambda a: a * 5 - 2),
    "around": (lambda a: a * 3 + 1, lambda a: a * 5 - 2),
    "odd": (lambda a: a * 2 + 1, _same),  # products of odd numbers never become 0, however they wrap
    "bfloat16": (lambda a: _typed(a, "bfloat16"), lambda a: _typed(a, "float32")),
}


def viewed(op: Op, values: int | None = None) -> Op:
    """The operation with two more args: `view`, a name of VIEWS for all operands or a list of one for each,
    and `fold`, a name of FOLDS, for the first `values` operands (the others are indices) or for all.

    A gradient in closed form is one for plain operands: rows that ask for it have neither.
    """

    def around(call: Callable[..., Any], mapped: Callable[[Any, View], Any]) -> Callable[..., Any]:
        def changed(*operands: Any, view: Any = "", fold: str = "", **args: Any) -> Any:
            views = [view] * len(operands) if isinstance(view, str) else view
            before, after = FOLDS[fold]
            seen = [mapped(x, VIEWS[name]) for x, name in zip(operands, views, strict=True)]
            seen[:values] = [mapped(x, before) for x in seen[:values]]
            result = call(*seen, **args)
            if isinstance(result, tuple | list):
                return tuple(mapped(r, after) for r in result)
            return mapped(result, after)

        return changed

    def of_bounded(x: Bounded, move: View) -> Bounded:
        if move is _same:
            return x
        if x.error.any():
            raise ValueError("views and folds are for exact operands and results")
        return Bounded.exact(np.asarray(move(x.value.astype(x.dtype))))

    return replace(op, apply=around(op.apply, lambda x, move: move(x)), reference=around(op.reference, of_bounded))
