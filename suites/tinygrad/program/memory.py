"""Assignments, aliases and laziness: what a buffer holds after it was written in place, in whatever order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case

from ..bounded import Array
from . import hosts, pools
from .replay import Session

THREE = np.int32(3)


def _assigned(
    value: Callable[[Any], Any], want: Callable[[Array], Array], side: int = 37
) -> Callable[..., None]:
    """x.assign(value(x)), where the reads of old elements and the writes of new ones could meet."""

    def body(s: Session) -> None:
        x, on = s.draws((side, side))
        s.run(lambda: on.assign(value(on)).realize())
        s.same("x", on, np.ascontiguousarray(want(x)))

    return body


def _written(at: Any, shape: tuple[int, ...]) -> Callable[[Session], None]:
    """A view of a buffer is assigned; the rest stays."""

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

        place = (
            tuple(s.tinygrad.Tensor(i).realize() if isinstance(i, list) else i for i in at) if listed else at
        )

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
    """A window of a buffer moves by one row inside of it: upwards, then downwards."""
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
    """Two windows of one buffer, assigned in one go, and a sum that reads both."""
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


def _order(s: Session) -> None:
    """An expression on x that is computed after x was assigned still means the x of its making."""
    x, on = s.draws()

    def both() -> Any:
        before = on * 3 + 1
        on.assign(on.flip(0) - 5)
        s.tinygrad.Tensor.realize(on, before)
        return before

    s.same("the expression", s.run(both), x * THREE + np.int32(1))
    s.same("x", on, x[::-1] - np.int32(5))


def _contiguous(s: Session) -> None:
    """A view has its own buffer after `contiguous`, and later writes to the base do not reach it."""
    x, on = s.draws()
    got = s.run(lambda: on.permute(1, 0).contiguous().realize())
    s.run(lambda: on.assign(on * 0 + 7).realize())
    s.same("the copy", got, np.ascontiguousarray(x.T))


def _contiguous_view(s: Session) -> None:
    """A slice that starts inside of a buffer: on OpenCL a copy, never a pointer past its start."""
    x, on = s.draws((29, 31))
    got = s.run(lambda: on[3:20].contiguous().realize())
    s.same("the slice", got, x[3:20])
    check.true("it has a buffer of its own", got.uop.buffer is not on.uop.buffer, stage="api")


def _gradient_of(build: Callable[[Any], Any], factor: float) -> Callable[[Session], None]:
    """The gradient of sum(build(x)) is factor * x: whole numbers, exact."""

    def body(s: Session) -> None:
        x = s.rng.integers(-99, 100, (7, 37)).astype(np.float32)
        on = s.tinygrad.Tensor(x).realize()
        (got,) = build(on).sum().gradient(on)
        s.run(got.contiguous().realize)
        s.same("gradient", got, x * np.float32(factor))

    return body


def _backward(s: Session) -> None:
    """`backward` adds to the gradient that is there."""
    x = s.rng.integers(-99, 100, (7, 37)).astype(np.float32)
    on = s.tinygrad.Tensor(x).realize()
    for i in (1, 2):
        (on * on).sum().backward()
        s.run(on.grad.realize)
        s.same(f"gradient after {i}", on.grad, x * np.float32(2 * i))


def _clone(s: Session) -> None:
    """A clone of a buffer does not see what its original is assigned later, nor the other way round."""
    x, on = s.draws()
    copy = s.run(on.clone().realize)
    s.run(lambda: on.assign(on * 3).realize())
    s.run(lambda: copy.assign(copy + 1).realize())
    s.same("the original", on, x * THREE)
    s.same("the clone", copy, x + np.int32(1))


def _replace(s: Session) -> None:
    (_, on), (y, on_y) = s.draws(), s.draws()
    on.replace(on_y * 3)
    s.run(on.realize)
    s.same("x", on, y * THREE)


def _callify(s: Session) -> None:
    x, on = s.draws()
    result = (on * 3 + on.flip(0)).callify()
    s.run(result.realize)
    s.same("the result", result, x * THREE + x[::-1])


def _scheduled(with_variables: bool) -> Callable[[Session], None]:
    """A schedule that is made first and run by hand."""

    def body(s: Session) -> None:
        from tinygrad.engine.realize import run_linear

        x, on = s.draws()
        result = (on.cumsum(0).contiguous() * 3).contiguous()
        linear, values = result.linear_with_vars() if with_variables else (result.schedule_linear(), {})
        s.run(lambda: run_linear(linear, values))
        s.same("the result", result, np.cumsum(x, 0, dtype=np.int32) * THREE)

    return body


def _to(in_place: bool) -> Callable[[Session], None]:
    """To tinygrad's CPU device and back, with a kernel on the device after it."""

    def body(s: Session) -> None:
        x, on = s.draws()
        if in_place:
            on.to_("CPU")
            on.realize()
            on.to_("CL")
        else:
            on = on.to("CPU").realize().to("CL")
        on.realize()
        s.same("x * 3", s.run((on * 3).realize), x * THREE)

    return body


def _realized_once(s: Session) -> None:
    """What is realised is not computed again: a second `realize` launches nothing."""
    from tinygrad.helpers import GlobalCounters

    x, on = s.draws()
    result = s.run((on * 3).contiguous().realize)
    before = GlobalCounters.kernel_count
    result.realize()
    check.equal("kernels of the second time", GlobalCounters.kernel_count - before, 0, stage="api")
    s.same("the result", result, x * THREE)


BODIES: dict[str, Callable[[Session], None]] = {
    "assign.whole": _assigned(lambda x: x.bitwise_xor(-1), lambda x: ~x),
    "assign.itself": _assigned(lambda x: x * x + x, lambda x: x * x + x),
    "assign.flipped": _assigned(lambda x: x.flip(0), lambda x: x[::-1]),
    "assign.transposed": _assigned(lambda x: x.transpose(0, 1), lambda x: x.T),
    "assign.total": _assigned(
        lambda x: x + x.sum(0, keepdim=True), lambda x: x + x.sum(0, keepdims=True, dtype=np.int32)
    ),
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
    "lazy.order": _order,
    "lazy.contiguous": _contiguous,
    "lazy.contiguous_view": _contiguous_view,
    "lazy.detach": _gradient_of(lambda x: x.detach() * x, 1),
    "lazy.contiguous_backward": _gradient_of(lambda x: (x * x).contiguous_backward(), 2),
    "lazy.backward": _backward,
    "lazy.clone": _clone,
    "lazy.replace": _replace,
    "lazy.callify": _callify,
    "lazy.schedule_linear": _scheduled(False),
    "lazy.linear_with_vars": _scheduled(True),
    "lazy.to": _to(False),
    "lazy.to_": _to(True),
    "lazy.realized_once": _realized_once,
    **hosts.BODIES,
    **pools.BODIES,
}  # fmt: skip


def memory(device: Device, case: Case) -> None:
    """A body of BODIES, on tensors of its own."""
    BODIES[case.params["what"]](Session(device))
