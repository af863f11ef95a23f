"""Many buffers, their reuse and their end. tinygrad keeps freed buffers and hands them out again."""

import gc
from collections.abc import Callable

import numpy as np

from runner import check

from .session import Session

THREE = np.int32(3)


def _many(s: Session) -> None:
    """A hundred and fifty live buffers of one size: each keeps its own content while the others are written."""
    buffers = [s.draws((3, 11)) for _ in range(150)]
    for i in range(0, 150, 7):
        x, on = buffers[i]
        s.run(lambda on=on: on.assign(on * 3).realize())
        buffers[i] = x * THREE, on
    for i, (x, on) in enumerate(buffers):
        s.same(f"buffer {i}", on, x)


def _reused(s: Session) -> None:
    """A buffer that was freed while a kernel still reads it is reused for another result."""
    for i in range(60):
        x, on = s.draws()
        result = (on * 3).contiguous().realize()
        del on  # its buffer is free for the next draw, although the kernel may not have run
        y, on_y = s.draws()
        s.same(f"result {i}", result, x * THREE)
        s.same(f"new buffer {i}", on_y, y)


def _accounted(s: Session) -> None:
    """tinygrad's count of allocated bytes returns to its old value: nothing holds a dead tensor's buffer."""
    from tinygrad.helpers import GlobalCounters

    gc.collect()
    before = GlobalCounters.mem_used
    x, on = s.draws((64, 64))
    results = [(on * i).contiguous().realize() for i in range(1, 11)]
    check.equal("bytes with eleven buffers", GlobalCounters.mem_used - before, 11 * 64 * 64 * 4, stage="api")
    s.same("the last", results[-1], x * np.int32(10))
    del on, results
    gc.collect()
    check.equal("bytes after their end", GlobalCounters.mem_used - before, 0, stage="api")


def _refused(s: Session) -> None:
    """A buffer beyond the device's limit is a MemoryError, and the device still works afterwards (tinygrad #15485)."""
    for _ in range(3):
        try:
            s.tinygrad.Tensor.empty(1 << 42, dtype="uint8").uop.buffer.allocate()
            raised = "nothing"
        except MemoryError:
            raised = "MemoryError"
        check.equal("4 TiB: raised", raised, "MemoryError", stage="api")
        x, on = s.draws()
        s.same("after it", s.run((on * 3).realize), x * THREE)


def _sizes(s: Session) -> None:
    """Buffers of 1 to 70 bytes, all alive: no kernel writes past the end of its own into a neighbour's."""
    arrays = [s.rng.integers(0, 256, n, dtype=np.uint8) for n in range(1, 71)]
    on = [s.tinygrad.Tensor(a).realize() for a in arrays]
    for n in range(0, 70, 9):
        s.run(lambda n=n: on[n].assign(on[n].bitwise_xor(255)).realize())
        arrays[n] = ~arrays[n]
    for a, t in zip(arrays, on, strict=True):
        check.equal(f"{a.size} bytes", t.numpy(), a)


def _kept(s: Session) -> None:
    """A result outlives its operands, and a view outlives its base."""
    x, on = s.draws((29, 31))
    result, view = s.run((on * 3).contiguous().realize), on[3:9].permute(1, 0)
    del on
    gc.collect()
    junk = [s.draws((29, 31))[1] for _ in range(8)]
    s.same("the result", result, x * THREE)
    s.same("the view", s.run((view + 1).contiguous().realize), np.ascontiguousarray(x[3:9].T) + np.int32(1))
    del junk


BODIES: dict[str, Callable[[Session], None]] = {
    "buffers.many": _many,
    "buffers.reused": _reused,
    "buffers.accounted": _accounted,
    "buffers.refused": _refused,
    "buffers.sizes": _sizes,
    "buffers.kept": _kept,
}
