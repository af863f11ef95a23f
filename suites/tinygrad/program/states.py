"""TinyJit and the state that a captured program keeps between its calls: a counter, a cache, weights."""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check

from ..bounded import Array
from ..inputs import draw
from ..results import tensor
from .session import CALLS, SHAPE, Session


def _in_place(s: Session) -> None:
    """A buffer that is updated in place keeps its last update."""
    want, state = s.draws()
    step = s.tinygrad.TinyJit(lambda x: state.assign(state * 3 + x).realize())
    for i, x, on in s.steps():
        s.run(step, on)
        want = want * np.int32(3) + x
        s.same(f"state after {i + 1}", state, want)


def _counter(s: Session) -> None:
    """A buffer of one element counts the calls, and the result depends on it."""
    count = tensor(s.tinygrad, np.zeros(1, dtype=np.int32))

    def count_and_add(x: Any) -> Any:
        count.assign(count + 1).realize()
        return (x + count).realize()

    step = s.tinygrad.TinyJit(count_and_add)
    for i, x, on in s.steps():
        s.same(f"call {i}", s.run(step, on), x + np.int32(i + 1))
    check.equal("the count", count.numpy(), np.array([CALLS], dtype=np.int32))


def _cache_rows(s: Session) -> None:
    """Like a decoder's cache: each call writes one row, at a symbolic index, and sums the rows so far."""
    rows = 9
    cache = tensor(s.tinygrad, np.zeros((rows, SHAPE[1]), dtype=np.int32))
    at = s.tinygrad.Variable("at", 0, rows - 1)

    def write(x: Any, place: Any) -> Any:
        cache[place : place + 1].assign(x).realize()
        return cache[: place + 1].sum(0).realize()

    step, want = s.tinygrad.TinyJit(write), np.zeros((rows, SHAPE[1]), dtype=np.int32)
    for i, x, on in s.steps((1, SHAPE[1]), rows):
        want[i] = x[0]
        s.same(f"call {i}", s.run(step, on, at.bind(i)), want[: i + 1].sum(0, dtype=np.int32))
    s.same("the cache", cache, want)


def _two_states(s: Session) -> None:
    """Two buffers whose updates read each other: both read the old content."""
    (a, on_a), (b, on_b) = s.draws(), s.draws()

    def swap(x: Any) -> None:
        first, second = (on_b + x).contiguous(), (on_a * 3).contiguous()
        s.tinygrad.Tensor.realize(first, second)
        s.tinygrad.Tensor.realize(on_a.assign(first), on_b.assign(second))

    step = s.tinygrad.TinyJit(swap)
    for i, x, on in s.steps():
        s.run(step, on)
        a, b = b + x, a * np.int32(3)
        s.same(f"first state after {i + 1}", on_a, a)
        s.same(f"second state after {i + 1}", on_b, b)


def _interleaved(s: Session) -> None:
    """Two captured programs in turn, on one input and one state."""
    want, state = s.draws()
    add = s.tinygrad.TinyJit(lambda x: state.assign(state + x).realize())
    mix = s.tinygrad.TinyJit(lambda x: state.assign(state.flip(0) * 5 - x).realize())
    for i, x, on in s.steps():
        s.run(add, on)
        s.run(mix, on)
        want = (want + x)[::-1] * np.int32(5) - x
        s.same(f"state after {i + 1}", state, want)


def _optimiser(s: Session) -> None:
    """Gradient descent with momentum: the captured step gives the same weights as the eager one, in every bit."""
    drawn = [draw(s.rng, "float32", shape, "normal") for shape in ((33, 13), (33, 3), (13, 3))]

    def trained(captured: bool) -> list[Array]:
        x, y, w = (tensor(s.tinygrad, a) for a in drawn)
        speed = tensor(s.tinygrad, np.zeros((13, 3), dtype=np.float32))

        def descend(batch: Any) -> None:
            (gradient,) = ((batch @ w - y) ** 2).mean().gradient(w)
            s.tinygrad.Tensor.realize(speed.assign(speed * 0.5 + gradient))
            s.tinygrad.Tensor.realize(w.assign(w - speed * 0.125))

        step = s.tinygrad.TinyJit(descend) if captured else descend
        for _ in range(CALLS):
            s.run(step, x)
        return [w.numpy(), speed.numpy()]

    eager, replayed = trained(False), trained(True)
    check.true("the weights have moved", bool((eager[0] != drawn[2]).all()))
    check.equal("weights", replayed[0], eager[0])
    check.equal("momentum", replayed[1], eager[1])


def _weights_replaced(s: Session) -> None:
    """A weight that is not an input is assigned between the replays: they see the new one."""
    _, w = s.draws()
    step = s.tinygrad.TinyJit(lambda x: (x * w - 3).realize())
    for i, x, on in s.steps():
        new, on_new = s.draws()
        w.assign(on_new).realize()
        s.same(f"call {i}", s.run(step, on), x * new - np.int32(3))


_BODIES = (_in_place, _counter, _cache_rows, _two_states, _interleaved, _optimiser, _weights_replaced)
BODIES: dict[str, Callable[[Session], None]] = {body.__name__[1:]: body for body in _BODIES}
