"""The operations of the family: indexing, gather and scatter, sorting."""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Bounded
from ..inputs import draw
from ..movement.views import viewed
from ..ops import Op, exactly
from ..results import compare, launches, read, tensor
from . import references as ref
from .expressions import BASIC, LISTS

INDICES = {**BASIC, **LISTS}


def _exact(apply: Callable[..., Any], reference: Callable[..., Any], bits: bool = True) -> Op:
    """An exact operation whose first operand holds values; the others are indices or masks."""
    return viewed(Op(apply, exactly(reference), bits=bits), values=1)


def _several(apply: Callable[..., Any], reference: Callable[..., Any]) -> Op:
    """An exact operation with several results."""

    def wanted(x: Bounded, **args: Any) -> Any:
        return ref.several(reference(x.value.astype(x.dtype), **args))

    return viewed(Op(apply, wanted))


def _named(x: Any, index: str) -> tuple[Any, ...]:
    """The index expression for this operand: a tensor's lists are tensors of the device, made before anything runs."""
    items = INDICES[index]
    if isinstance(x, np.ndarray):
        return items
    tensor_type = type(x)
    return tuple(tensor_type(i, dtype="int32").realize() if isinstance(i, list) else i for i in items)


def _stored(x: Any, v: Any, index: str) -> Any:
    """x[index] = v in a copy that is not realized: one kernel computes both."""
    copy = x.copy() if isinstance(x, np.ndarray) else x.clone()
    copy[_named(x, index)] = v
    return copy


def _scatter(x: Any, index: Any, source: Any, dim: int) -> Any:
    return x.scatter(dim, index, source)


def _scattered_scalar(x: Bounded, index: Bounded, dim: int, value: float, reduce: str | None) -> Bounded:
    """Put a number into every element; a reduction has one rounding for each number."""
    source = np.full(index.value.shape, value, x.value.dtype)
    if reduce is None:
        return Bounded.exact(ref.scatter(x.value.astype(x.dtype), index.value, value, dim))
    by = {"add": "sum", "multiply": "prod"}[reduce]
    return ref.scatter_reduce(x, index, Bounded.exact(source.astype(x.dtype)), dim, by)


def _pair_sum(x: Any, y: Any) -> Any:
    """Two gathers from two operands by the same index, and arithmetic with both."""
    return x * 3 + y


OPS: dict[str, Op] = {
    "__getitem__": _exact(lambda x, index: x[_named(x, index)], lambda x, index: x[_named(x, index)]),
    "stored": viewed(Op(_stored, exactly(_stored)), values=2),
    "take": _exact(lambda x, index: x[index], ref.taken),
    "take_second": _exact(lambda x, index: x[:, index], lambda x, index: ref.taken(x, index, axis=1)),
    "take_pairs": _exact(lambda x, i, j: x[i, j], ref.taken),
    "take_inner": _exact(lambda x, i, j: x[:, i, j], lambda x, i, j: ref.taken(x, i, j, axis=1)),
    "take_grid": _exact(lambda x, i, j: x[i[:, None], j], lambda x, i, j: ref.taken(x, i[:, None], j)),
    "take_apart": _exact(lambda x, i, j: x[i, :, j], lambda x, i, j: x[i, :, j]),
    "take_after": _exact(lambda x, i: (x[i] * 2)[1:].sum(0), lambda x, i: (ref.taken(x, i) * 2)[1:].sum(0, dtype=x.dtype)),
    "take_chain": _exact(lambda x, i, j: x[i][j], lambda x, i, j: ref.taken(ref.taken(x, i), j)),
    "gather": _exact(lambda x, index, dim: x.gather(dim, index), ref.gather),
    "scatter": viewed(Op(_scatter, exactly(lambda x, index, source, dim: ref.scatter(x, index, source, dim))), values=1),
    "scatter_scalar": Op(lambda x, index, dim, value, reduce: x.scatter(dim, index, value, reduce), _scattered_scalar),
    "scatter_reduce": Op(
        lambda x, index, source, dim, **how: x.scatter_reduce(dim, index, source, **how), ref.scatter_reduce
    ),
    "one_hot": Op(
        lambda x, classes: x.one_hot(classes).cast("int32"),  # it has no type of its own
        exactly(lambda x, classes: (x[..., None] == np.arange(classes)).astype(np.int32)),
    ),
    "masked_fill": viewed(
        Op(
            lambda x, mask, value: x.masked_fill(mask, value),
            exactly(lambda x, mask, value: np.where(mask, x.dtype.type(value), x)),
            bits=True,
        ),
        values=1,
    ),
    "masked_select": _exact(
        lambda x, mask, size=None, fill=0: x.masked_select(mask, size, fill),
        lambda x, mask, size=None, fill=0: ref.filled(x[np.broadcast_to(mask, x.shape)], size, fill),
    ),
    "nonzero": _exact(
        lambda x, size=None, fill=0: x.nonzero(size, fill),
        lambda x, size=None, fill=0: ref.filled(np.argwhere(x).astype(np.int32), size, fill),
    ),
    "sort": _several(lambda x, **args: x.sort(**args), ref.sort),
    "argsort": viewed(Op(lambda x, **args: x.argsort(**args), exactly(ref.order))),
    "topk": _several(lambda x, k, **args: x.topk(k, **args), ref.topk),
    "sorted_values": viewed(Op(lambda x, **args: x.sort(**args)[0], exactly(lambda x, **args: ref.sort(x, **args)[0]))),
    "largest_values": viewed(Op(lambda x, **args: x.topk(**args)[0], exactly(lambda x, **args: ref.topk(x, **args)[0]))),
    "distinct": viewed(
        Op(
            lambda x: (s := x.sort()[0])[..., 1:].ne(s[..., :-1]).sum(-1),
            exactly(lambda x: (np.diff(np.sort(x)) != 0).sum(-1, dtype=np.int32)),
        )
    ),
    "histogram": Op(
        lambda x, classes: x.one_hot(classes).sum(0).cast("int32"),
        exactly(lambda x, classes: np.bincount(x, minlength=classes).astype(np.int32)),
    ),
    "joined": viewed(
        Op(lambda x, y, i: _pair_sum(x[i], y[i]), exactly(lambda x, y, i: _pair_sum(ref.taken(x, i), ref.taken(y, i)))),
        values=2,
    ),
}


def check_far(device: Device, *, dtype: str, noopt: int, domain: str) -> None:
    """Indices far outside the operand give 0 and load nothing: only the load's gate prevents it."""
    tinygrad = device.tinygrad()
    drawn = draw(device.rng, dtype, (37, 5), domain)
    far_ones = [-(2**31), 2**31 - 1, -(2**30), 2**30, -(2**24), 2**24, 37, -38, 10**6, -(10**6), 0, 36, -1, -37]
    index = np.array(far_ones, np.int32)
    second = draw(device.rng, "int32", index.shape, "-5")
    x, i, j = tensor(tinygrad, drawn), tensor(tinygrad, index), tensor(tinygrad, second)
    wants = {
        "x[i]": (lambda: x[i], ref.taken(drawn, index)),
        "x[i, j]": (lambda: x[i, j], ref.taken(drawn, index, second)),
        "x[j, i]": (lambda: x[j, i], ref.taken(drawn, second, index)),
    }
    if dtype == "bool":  # two indices of a bool tensor make an integer without a size: 0 is not one of its numbers
        wants = {"x[i]": wants["x[i]"]}
    with tinygrad.Context(NOOPT=noopt):
        for name, (taken, want) in wants.items():
            (got,) = read(tinygrad, taken())  # type: ignore[no-untyped-call]
            compare(name, got, Bounded.exact(want))


def check_assigned(device: Device, *, dtype: str, noopt: int, index: str) -> None:
    """x[...] = v in a realized buffer: the elements of the index change, in place, the others stay."""
    tinygrad = device.tinygrad()
    place = INDICES[index]
    want = draw(device.rng, dtype, (9, 11, 13), "full" if dtype != "float32" else "normal")
    replacement = draw(device.rng, dtype, want[place].shape, "small")
    x = tensor(tinygrad, want)
    buffer = x.uop.base.realized
    with tinygrad.Context(NOOPT=noopt):
        for value in (replacement, 3):
            on = tensor(tinygrad, value) if isinstance(value, np.ndarray) else value
            named = _named(x, index)
            with launches(tinygrad):
                x[named] = on  # computed here before 0.13
                x.realize()
            want[place] = value
            compare(f"x after {'a tensor' if value is replacement else 'a number'}", x.numpy(), Bounded.exact(want))
    if index in BASIC:
        check.true("the assignment is to the same buffer", x.uop.base.realized is buffer)


def check_stored_at(device: Device, *, dtype: str, noopt: int) -> None:
    """x[i] = v with a tensor of distinct indices, for a realized buffer and for a lazy one."""
    tinygrad = device.tinygrad()
    start = draw(device.rng, dtype, (37, 5), "full" if dtype != "float32" else "normal")
    index = device.rng.permutation(37)[:11].astype(np.int32)
    source = draw(device.rng, dtype, (11, 5), "small")
    i, v = tensor(tinygrad, index), tensor(tinygrad, source)
    with tinygrad.Context(NOOPT=noopt):
        for lazy in (False, True):
            x = tensor(tinygrad, start)
            want = start * 3 if lazy else start.copy()
            x = x * 3 if lazy else x
            with launches(tinygrad):
                x[i] = v  # computed here before 0.13
                x.realize()
            want[index] = source
            compare("a lazy tensor" if lazy else "a buffer", x.numpy(), Bounded.exact(want))
