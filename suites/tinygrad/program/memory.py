"""Assignments, aliases and laziness: the content of a buffer after it was written in place, in any order."""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from . import assignments, hosts, pools
from .session import Session

THREE = np.int32(3)


def _order(s: Session) -> None:
    """An expression on x that is computed after x was assigned still means the x at the time it was made."""
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
    """A slice that starts inside a buffer: on OpenCL a copy, never a pointer past its start."""
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
    """`backward` adds to the existing gradient."""
    x = s.rng.integers(-99, 100, (7, 37)).astype(np.float32)
    on = s.tinygrad.Tensor(x).realize()
    for i in (1, 2):
        (on * on).sum().backward()
        s.run(on.grad.realize)
        s.same(f"gradient after {i}", on.grad, x * np.float32(2 * i))


def _clone(s: Session) -> None:
    """A clone of a buffer does not see later assignments to its original, nor the other way round."""
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
    """A schedule that is made first and then run by hand."""

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
    """A realised tensor is not computed again: a second `realize` launches nothing."""
    from tinygrad.helpers import GlobalCounters

    x, on = s.draws()
    result = s.run((on * 3).contiguous().realize)
    before = GlobalCounters.kernel_count
    result.realize()
    check.equal("kernels of the second time", GlobalCounters.kernel_count - before, 0, stage="api")
    s.same("the result", result, x * THREE)


BODIES: dict[str, Callable[[Session], None]] = {
    **assignments.BODIES,
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
}


def check_memory(device: Device, *, what: str) -> None:
    """A body of BODIES, on its own tensors."""
    BODIES[what](Session(device))
