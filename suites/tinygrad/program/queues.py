"""Long queues: hundreds of launches and copies, without any wait until the end.

tinygrad enqueues and continues; a driver that breaks the order, drops a command or reuses a buffer that is
still read shows it only here, since a wait after each launch hides it (tinygrad #9608).
"""

import gc
from typing import Any

import numpy as np

from runner.device import Device

from .session import Session

LENGTH = 300
THREE, ONE = np.int32(3), np.int32(1)


def _step(x: Any) -> Any:
    return (x.flip(0) * 3 + 1).contiguous().realize()


def _chain(s: Session) -> None:
    """Each launch reads what the previous one wrote."""
    want, on = s.draws()

    def long(x: Any) -> Any:
        for _ in range(LENGTH):
            x = _step(x)
        return x

    got = s.run(long, on)
    for _ in range(LENGTH):
        want = want[::-1] * THREE + ONE
    s.same("the last of the chain", got, want)


def _chains(s: Session) -> None:
    """Eight chains in turn, each on its own buffers."""
    wants, on = map(list, zip(*(s.draws() for _ in range(8)), strict=True))

    def long() -> None:
        for i in range(LENGTH):
            on[i % 8] = _step(on[i % 8])

    s.run(long)
    for i in range(LENGTH):
        wants[i % 8] = wants[i % 8][::-1] * THREE + ONE
    for i, (got, want) in enumerate(zip(on, wants, strict=True)):
        s.same(f"chain {i}", got, want)


def _assigns(s: Session) -> None:
    """One buffer, updated in place."""
    want, on = s.draws()
    (add, on_add), step = s.draws(), s.tinygrad.TinyJit(lambda x, y: x.assign(x * 3 + y).realize())

    def long() -> None:
        for _ in range(LENGTH):
            step(on, on_add)

    s.run(long)
    for _ in range(LENGTH):
        want = want * THREE + add
    s.same("the buffer", on, want)


def _copies(s: Session) -> None:
    """Copies from the host between the launches: each kernel adds the array that was copied just before."""
    want, on = s.draws()
    for i in range(100):
        new = np.roll(want, i + 1)
        on = (on * 3 + s.tinygrad.Tensor(new)).contiguous().realize()
        want = want * THREE + new
    s.same("the sum", on, want)


def _losses(s: Session) -> None:
    """A loop that collects a scalar from every step and reads them all at its end."""
    want, on = s.draws()
    losses, wants = [], []
    for _ in range(100):
        on = _step(on)
        losses.append(on.sum().realize())
        want = want[::-1] * THREE + ONE
        wants.append(want.sum(dtype=np.int32))
    got = np.array([one.item() for one in losses], dtype=np.int32)
    s.same("losses", s.tinygrad.Tensor(got), np.array(wants))


def _sizes(s: Session) -> None:
    """Launches of one element and of 2**20 in turn: a short one does not overtake a long one."""
    (want, on), (big, on_big) = s.draws((1, 1)), s.draws((1024, 1024))

    def long(one: Any, many: Any) -> tuple[Any, Any]:
        for _ in range(40):
            many = (many * 3 + one).contiguous().realize()
            one = (many[1023:, 1023:] + 1).contiguous().realize()
        return one, many

    got, got_big = s.run(long, on, on_big)
    for _ in range(40):
        big = big * THREE + want
        want = big[1023:, 1023:] + ONE
    s.same("the large one", got_big, big)
    s.same("the small one", got.reshape(1), want.reshape(1))


def _dropped(s: Session) -> None:
    """Operands that die while the kernels that read them are still queued: their buffers are reused."""
    total, on = s.draws()
    for _ in range(100):
        x, on_x = s.draws()
        on = (on + (on_x * 3).contiguous().realize()).contiguous().realize()
        total = total + x * THREE
        del on_x
    gc.collect()
    s.same("the sum", on, total)


def _cross(s: Session) -> None:
    """Every result reads the previous three: a graph of dependencies, not a chain."""
    wants, on = map(list, zip(*(s.draws() for _ in range(3)), strict=True))

    def long() -> None:
        for _ in range(120):
            on.append((on[-1] * 3 + on[-2].flip(1) - on[-3]).contiguous().realize())
            del on[0]

    s.run(long)
    for _ in range(120):
        wants = [*wants[1:], wants[-1] * THREE + wants[-2][:, ::-1] - wants[-3]]
    for i in range(3):
        s.same(f"the last but {2 - i}", on[i], wants[i])


_BODIES = (_chain, _chains, _assigns, _copies, _losses, _sizes, _dropped, _cross)
BODIES = {body.__name__[1:]: body for body in _BODIES}


def check_queue(device: Device, *, what: str) -> None:
    """Run the body that the case names."""
    BODIES[what](Session(device))
