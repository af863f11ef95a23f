"""TinyJit: a captured program, replayed, does the same as the eager one, whatever happens in between."""

import gc
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Array, Bounded
from ..inputs import draw
from ..results import compare, launches, read, tensor, watched
from . import states
from .graphs import OPS
from .session import CALLS, SHAPE, Session


def check_replay(device: Device, *, op: str, operands: Sequence[Any], args: Any, variant: str) -> None:
    """A graph of `graphs.py`, captured and replayed: within its bounds, and equal to the eager run in every bit."""
    tinygrad = device.tinygrad()
    row = OPS[op]

    def results(*on: Any) -> tuple[Any, ...]:
        found = row.apply(*on, **args)
        return tuple(t.contiguous() for t in (found if isinstance(found, tuple) else (found,)))

    def computed(*on: Any) -> tuple[Any, ...]:
        found = results(*on)
        tinygrad.Tensor.realize(*found)
        return found

    replayed = tinygrad.TinyJit(computed)
    for step in range(4):
        arrays = [draw(device.rng, dtype, shape, domain) for shape, domain, dtype in operands]
        on = [tensor(tinygrad, a) for a in arrays]
        with tinygrad.Context(NOOPT=int(variant == "noopt")), launches(tinygrad):
            outputs = replayed(*on)
        wants = row.reference(*map(Bounded.exact, arrays), **args)
        wants = wants if isinstance(wants, tuple) else (wants,)
        plain = read(tinygrad, *results(*on))
        for i, (out, want, eager) in enumerate(zip(outputs, wants, plain, strict=True)):
            got = out.numpy()
            compare(f"call {step}, result {i}", got, want, bits=row.bits)
            check.equal(f"call {step} against eager, result {i}", got, eager)


def _containers(s: Session) -> None:
    """Inputs in a list, results in a dictionary."""
    step = s.tinygrad.TinyJit(
        lambda pair: {"sum": (pair[0] + pair[1]).realize(), "difference": (pair[0] - pair[1]).realize()}
    )
    for i, x, on in s.steps():
        y, on_y = s.draws()
        found = s.run(step, [on, on_y])
        s.same(f"sum {i}", found["sum"], x + y)
        s.same(f"difference {i}", found["difference"], x - y)


def _keywords(s: Session) -> None:
    """Inputs by name, in any order."""
    step = s.tinygrad.TinyJit(lambda less, more: (more - less * 5).realize())
    for i, x, on in s.steps():
        y, on_y = s.draws()
        keywords = {"less": on, "more": on_y} if i % 2 else {"more": on_y, "less": on}
        s.same(f"call {i}", s.run(step, **keywords), y - x * np.int32(5))


def _method(s: Session) -> None:
    """A method of an object that holds the weights."""
    w, on_w = s.draws()

    class Layer:
        @s.tinygrad.TinyJit  # type: ignore[untyped-decorator]
        def forward(self, x: Any) -> Any:
            return (x * on_w + 1).realize()

    layer = Layer()
    for i, x, on in s.steps():
        s.same(f"call {i}", s.run(layer.forward, on), x * w + np.int32(1))


def _views(s: Session) -> None:
    """Inputs that are views: a shrunk and a transposed one of a larger buffer."""
    step = s.tinygrad.TinyJit(lambda x, y: (x * 3 + y).realize())
    for i, x, on in s.steps((9, 40)):
        y, on_y = s.draws((37, 7))
        got = s.run(step, on[1:8, 2:39], on_y.permute(1, 0))
        s.same(f"call {i}", got, x[1:8, 2:39] * np.int32(3) + y.T)


def _feedback(s: Session) -> None:
    """A result is the next call's input: the same buffer would be read and written."""
    want, on = s.draws()
    step = s.tinygrad.TinyJit(lambda x: (x.flip(1) * 3 + 1).realize())
    for i in range(CALLS + 2):
        on = s.run(step, on) if i < 2 else step(on)  # a replay copies an input that it is about to overwrite
        want = want[:, ::-1] * np.int32(3) + np.int32(1)
        s.same(f"call {i}", on, want)


def _overwritten(s: Session) -> None:
    """A replay's result is one buffer: the next replay overwrites it, and a clone keeps the old content."""
    step = s.tinygrad.TinyJit(lambda x: (x * 7).realize())
    kept: list[tuple[Array, Any, Any]] = []
    for _, x, on in s.steps():
        found = s.run(step, on)
        kept.append((x * np.int32(7), found, found.clone().realize()))
    for i, (want, _, clone) in enumerate(kept):
        s.same(f"clone {i}", clone, want)
    for i, (_, found, _) in enumerate(kept[2:], 2):
        s.same(f"result {i}, after the last call", found, kept[-1][0])


def _pruned(s: Session) -> None:
    """With `prune`, kernels that do not depend on the inputs run only once."""
    w, on_w = s.draws()

    def both(x: Any) -> Any:
        return (x + (on_w * 3).contiguous().realize()).realize()

    step = s.tinygrad.TinyJit(both, prune=True)
    for i, x, on in s.steps():
        s.same(f"call {i}", s.run(step, on), x + w * np.int32(3))
    _, on = s.draws()
    with watched(s.tinygrad) as replay:
        step(on)
    check.equal("kernels of a replay", replay.launched, 1, stage="api")


def _reset(s: Session) -> None:
    """After a reset the function is captured again, for other shapes."""
    step = s.tinygrad.TinyJit(lambda x: (x * 3 - 1).realize())
    for shape in (SHAPE, (5, 11)):
        for i, x, on in s.steps(shape, 3):
            s.same(f"call {i} of {shape}", s.run(step, on), x * np.int32(3) - np.int32(1))
        step.reset()


def _freed(s: Session) -> None:
    """The intermediates of a captured program are freed between two replays."""
    step = s.tinygrad.TinyJit(lambda x: ((x * 3).contiguous().realize().flip(0) - x).realize())
    for i, x, on in s.steps():
        s.same(f"call {i}", s.run(step, on), (x * np.int32(3))[::-1] - x)
        if step.captured is not None:
            step.captured.free_intermediates()


def _pickled(s: Session) -> None:
    """A captured program is pickled and does the same afterwards, including a weight that it holds."""
    w, on_w = s.draws()
    step = s.tinygrad.TinyJit(lambda x: (x * on_w + x.flip(0)).realize())
    for i, x, on in s.steps():
        if i == 3:
            step = pickle.loads(pickle.dumps(step))
        s.same(f"call {i}", s.run(step, on), x * w + x[::-1])


def _many_kernels(s: Session) -> None:
    """Sixty kernels in one capture, each on the result of the previous one."""

    def long(x: Any) -> Any:
        for i in range(60):
            x = (x.flip(i % 2) * 3 + 1).contiguous().realize()
        return x

    step = s.tinygrad.TinyJit(long)
    for i, x, on in s.steps(calls=3):
        want = x
        for k in range(60):
            want = np.flip(want, k % 2) * np.int32(3) + np.int32(1)
        s.same(f"call {i}", s.run(step, on), want)


def _between_deaths(s: Session) -> None:
    """Between the replays, tensors of the same sizes come and go: none of them gets a captured buffer."""
    step = s.tinygrad.TinyJit(lambda x: ((x + 1).contiguous().realize() * (x.flip(0) - 1)).realize())
    for i, x, on in s.steps():
        found = s.run(step, on)
        junk = [s.draws()[1] for _ in range(8)]
        s.same(f"call {i}", found, (x + np.int32(1)) * (x[::-1] - np.int32(1)))
        del junk
        gc.collect()


def _same_thrice(s: Session) -> None:
    """The run, the capture and the replay of one input have the same result."""
    x, on = s.draws((33, 65))
    step = s.tinygrad.TinyJit(lambda x: x.bitwise_xor(x.flip(1)).cumsum(1).realize())
    want = np.cumsum(x ^ x[:, ::-1], 1, dtype=np.int32)
    for i in range(3):
        s.same(f"call {i}", s.run(step, on), want)


_BODIES = (
    _containers,
    _keywords,
    _method,
    _views,
    _feedback,
    _overwritten,
    _pruned,
    _reset,
    _freed,
    _pickled,
    _many_kernels,
    _between_deaths,
    _same_thrice,
)
BODIES: dict[str, Callable[[Session], None]] = {**{body.__name__[1:]: body for body in _BODIES}, **states.BODIES}


def check_jit(device: Device, *, what: str) -> None:
    """Run the body that the case names."""
    BODIES[what](Session(device))
