"""TinyJit refuses some calls by its own error instead of a wrong result, and still works afterwards."""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from .session import Session

# Calls that a captured program with two inputs, both of SHAPE, refuses.
_CALLS: dict[str, Callable[[Session, Any, Any], tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "shape": lambda s, x, y: ((x, s.draws((7, 36))[1]), {}),
    "shapes": lambda s, x, y: ((s.draws((14, 37))[1], s.draws((37, 7))[1]), {}),
    "dtype": lambda s, x, y: ((x.float().contiguous().realize(), y), {}),
    "device": lambda s, x, y: ((x.to("CPU").realize(), y), {}),
    "count": lambda s, x, y: ((x, y, s.draws()[1]), {}),
    "name": lambda s, x, y: ((x,), {"y": y}),
    "view": lambda s, x, y: ((s.draws((8, 37))[1][1:], y), {}),
    "same_twice": lambda s, x, y: ((x, x), {}),
    "constant": lambda s, x, y: ((x, s.tinygrad.Tensor(3)), {}),
}


def check_refused(device: Device, *, what: str) -> None:
    """The refusal is a JitError (nested: a RuntimeError), and right calls before and after give right results."""
    s = Session(device)
    function: Callable[..., Any] = lambda x, y: (x * 3 + y).realize()  # noqa: E731
    step = s.tinygrad.TinyJit(function)
    for i in range(3):
        (x, on_x), (y, on_y) = s.draws(), s.draws()
        s.same(f"call {i}", s.run(step, on_x, on_y), x * np.int32(3) + y)
    if what in _CALLS:
        args, kwargs = _CALLS[what](s, on_x, on_y)
        _raises(s, what, lambda: step(*args, **kwargs))
    else:
        captured = {
            "nested": lambda x, y: (step(x, y) + 1).realize(),
            "no_tensor": lambda x, y: ((x + y).realize(), 3),
            "read": lambda x, y: s.tinygrad.Tensor((x + y).numpy()).realize(),
        }[what]
        if what == "nested":
            step.reset()
        outer = s.tinygrad.TinyJit(captured)
        outer(on_x, on_y)  # runs as a plain function; the second call captures
        _raises(s, what, lambda: outer(on_x, on_y))
    (x, on_x), (y, on_y) = s.draws(), s.draws()
    s.same("a right call after it", s.run(step, on_x, on_y), x * np.int32(3) + y)


def _raises(s: Session, what: str, call: Callable[[], Any]) -> None:
    from tinygrad.engine.jit import JitError

    try:
        call()
        raised = "nothing"
    except (JitError, RuntimeError) as error:
        raised = type(error).__name__
    check.equal(f"{what}: raised", raised, "RuntimeError" if what == "nested" else "JitError", stage="api")
