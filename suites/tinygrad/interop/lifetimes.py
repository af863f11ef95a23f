"""Whether the tensor or pyopencl's buffer lives longer: the memory stays, and is not given to anything else."""

import gc
from collections.abc import Callable

import numpy as np

from runner import check
from runner.device import Device

from ..results import launches, read, tensor
from .sharing import COUNT, Sharing, handle, ints


def _tensor_dies(device: Device, s: Sharing) -> None:
    """The tensor gives its reference back, and the buffer lives on."""
    x = ints(device)
    memory = s.buffer(x)
    before = memory.reference_count
    on = s.tensor(memory, COUNT, "int32")
    check.equal("references with the tensor", memory.reference_count, before + 1, stage="api")
    with launches(s.tinygrad):
        on.assign(on * 3).realize()
    del on
    gc.collect()
    s.opened.synchronize()  # a kernel that is still queued holds its buffers
    check.equal("references without it", memory.reference_count, before, stage="api")
    check.equal("the buffer", s.content(memory, x), x * np.int32(3))


def _buffer_dies(device: Device, s: Sharing) -> None:
    """pyopencl releases its reference first: the tensor's keeps the memory."""
    x = ints(device)
    memory = s.buffer(x)
    on = s.tensor(memory, COUNT, "int32")
    memory.release()
    junk = [s.buffer(ints(device)) for _ in range(8)]
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], x + np.int32(1))
    for one in junk:
        one.release()


def _not_given_out(device: Device, s: Sharing) -> None:
    """After the tensor's end its buffer is not given to another tensor of the same size."""
    x = ints(device)
    memory = s.buffer(x)
    on = s.tensor(memory, COUNT, "int32")
    del on
    gc.collect()
    others = [tensor(s.tinygrad, ints(device)) for _ in range(4)]
    held = [handle(one.uop.buffer._buf) for one in others]
    check.true("the buffer is not among theirs", memory.int_ptr not in held, stage="api")
    check.equal("the buffer", s.content(memory, x), x)


PROGRAMS: dict[str, Callable[[Device, Sharing], None]] = {
    body.__name__[1:]: body for body in (_tensor_dies, _buffer_dies, _not_given_out)
}
