"""Assignments: the content of a buffer after it, or a view of it, was written in place."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..bounded import Array
from .session import Session

THREE = np.int32(3)


def _assigned(value: Callable[[Any], Any], want: Callable[[Array], Array], side: int = 37) -> Callable[..., None]:
    """x.assign(value(x)), if the reads of old elements and the writes of new ones could collide."""

    def body(s: Session) -> None:
        x, on = s.draws((side, side))
        s.run(lambda: on.assign(value(on)).realize())
        s.same("x", on, np.ascontiguousarray(want(x)))

    return body


def _written(at: Any, shape: tuple[int, ...]) -> Callable[[Session], None]:
    """A view of a buffer is assigned; the other elements stay."""

    def body(s: Session) -> None:
        (x, on), (y, on_y) = s.draws((29, 31)), s.draws(shape)
        s.run(lambda: on[at].assign(on_y).realize())
        x[at] = y
        s.same("x", on, x)

    return body


def _set(at: Any, shape: tuple[int, ...] | None) -> Callable[[Session], None]:
    """x[at] = y, or = 77."""

    def body(s: Session) -> None:
        (x, on), (y, on_y) = s.draws((29, 31)), s.draws(shape or (1,))
        listed = isinstance(at, tuple) and any(isinstance(i, list) for i in at)

        place = tuple(s.tinygrad.Tensor(i).realize() if isinstance(i, list) else i for i in at) if listed else at

        def write() -> None:
            on[place] = on_y if shape else 77
            on.realize()

        s.run(write)
        x[at] = y if shape else 77
        s.same("x", on, x)

    return body


def _swapped(s: Session) -> None:
    (a, on_a), (b, on_b) = s.draws(), s.draws()

    def swap() -> None:
        old = on_a.clone()
        on_a.assign(on_b)
        on_b.assign(old)
        s.tinygrad.Tensor.realize(on_a, on_b)

    s.run(swap)
    s.same("a", on_a, b)
    s.same("b", on_b, a)


def _chain(s: Session) -> None:
    """Ten assignments before anything runs."""
    want, on = s.draws()

    def write() -> None:
        for i in range(10):
            on.assign(on.flip(0) * 3 + i)
        on.realize()

    s.run(write)
    for i in range(10):
        want = want[::-1] * THREE + np.int32(i)
    s.same("x", on, want)


def _overlapping(s: Session) -> None:
    """A window of a buffer moves by one row inside it: upwards, then downwards."""
    want, on = s.draws((29, 31))
    for to, source in ((slice(1, 20), slice(0, 19)), (slice(4, 25), slice(5, 26))):
        s.run(lambda to=to, source=source: on[to].assign(on[source]).realize())
        want[to] = want[source].copy()
        s.same("x", on, want)


def _bitcast(s: Session) -> None:
    """A buffer of int32 is assigned through its view as float32."""
    x, on = s.draws()
    y = s.rng.standard_normal(x.shape).astype(np.float32)
    on_y = s.tinygrad.Tensor(y).realize()
    s.run(lambda: on.bitcast("float32").assign(on_y).realize())
    s.same("x", on, y.view(np.int32))


def _shared(s: Session) -> None:
    """Two names of one buffer: a view that was made before sees the assignment."""
    x, on = s.draws()
    view = on.reshape(37, 7)
    s.run(lambda: on.assign(on * 3).realize())
    s.same("the view", view, (x * THREE).reshape(37, 7))


def _twice(s: Session) -> None:
    """Two windows of one buffer, assigned together, and a sum that reads both."""
    (x, on), (y, on_y) = s.draws(), s.draws((2, 37))

    def write() -> Any:
        on[0:2].assign(on_y)
        on[5:7].assign(on_y + 1)
        return on.sum(0).realize()

    total = s.run(write)
    x[0:2], x[5:7] = y, y + np.int32(1)
    s.same("sum", total, x.sum(0, dtype=np.int32))
    s.same("x", on, x)


def _set_lazy(s: Session) -> None:
    """An element of a result that is not computed yet."""
    x, on = s.draws()

    def write() -> Any:
        result = (on * 3).contiguous()
        result[2, 5:11] = 77
        return result.realize()

    got, want = s.run(write), x * THREE
    want[2, 5:11] = 77
    s.same("the result", got, want)


BODIES: dict[str, Callable[[Session], None]] = {
    "assign.whole": _assigned(lambda x: x.bitwise_xor(-1), lambda x: ~x),
    "assign.itself": _assigned(lambda x: x * x + x, lambda x: x * x + x),
    "assign.flipped": _assigned(lambda x: x.flip(0), lambda x: x[::-1]),
    "assign.transposed": _assigned(lambda x: x.transpose(0, 1), lambda x: x.T),
    "assign.total": _assigned(lambda x: x + x.sum(0, keepdim=True), lambda x: x + x.sum(0, keepdims=True, dtype=np.int32)),
    "assign.swapped": _swapped,
    "assign.chain": _chain,
    "assign.window": _written(np.s_[3:20], (17, 31)),
    "assign.strided": _written(np.s_[::2, 1::3], (15, 10)),
    "assign.column": _written(np.s_[:, 7:8], (29, 1)),
    "assign.overlapping": _overlapping,
    "assign.bitcast": _bitcast,
    "assign.shared": _shared,
    "assign.twice": _twice,
    "setitem.slice": _set(np.s_[3:20, 2:9], (17, 7)),
    "setitem.element": _set((5, 30), None),
    "setitem.column": _set(np.s_[:, 7], (29,)),
    "setitem.strided": _set(np.s_[1::4, ::3], (7, 11)),
    "setitem.negative": _set(np.s_[-3:, -1], None),
    "setitem.indices": _set(([0, 28, 3], slice(None)), (3, 31)),
    "setitem.lazy": _set_lazy,
}
