"""tinygrad and OpenCL refuse what they cannot share: other addresses, offsets, contexts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device, error_name

from ..results import launches, read, tensor
from .sharing import COUNT, Sharing, handle, ints


def _from_blob(device: Device, s: Sharing) -> None:
    """`from_blob` ignores the address on OpenCL: the tensor has its own buffer, and the memory there is not touched."""
    x = ints(device)
    memory = s.buffer(x)
    on = s.tinygrad.Tensor.from_blob(memory.int_ptr, (COUNT,), dtype="int32", device="CL")
    check.true("a buffer of its own", handle(on.uop.buffer._buf) != memory.int_ptr, stage="api")
    with launches(s.tinygrad):
        on.assign(on * 0 + 7).realize()
    check.equal("the tensor", on.numpy(), np.full_like(x, 7))
    check.equal("pyopencl's buffer", s.content(memory, x), x)


def _offset(device: Device, s: Sharing) -> None:
    """tinygrad's own views with an offset are refused on OpenCL, not computed from the start of the buffer."""
    x = ints(device)
    on = tensor(s.tinygrad, x)
    try:
        on.uop.buffer.view(64, on.dtype, 256).ensure_allocated()
        refused = False
    except (NotImplementedError, AssertionError):  # the second before 0.14
        refused = True
    check.true("refused", refused, stage="api")
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], x + np.int32(1))


def _context(device: Device, s: Sharing) -> None:
    """A buffer of another context in tinygrad's queue is CL_INVALID_CONTEXT (OpenCL 3.0, 5.2.2), and not copied."""
    x = ints(device)
    foreign = device.buffer(x)
    message = _raised(s.tensor(foreign, COUNT, "int32").numpy)
    check.true(f"CL_INVALID_CONTEXT, in {message}", "CL_INVALID_CONTEXT" in message, stage="api")
    check.equal("the buffer", device.read(foreign, np.int32, COUNT), x)


def _context_write(device: Device, s: Sharing) -> None:
    """pyopencl's queue in another context does not write a tensor's buffer."""
    x = ints(device)
    on = tensor(s.tinygrad, x)
    try:
        cl.enqueue_copy(device.queue, s.memory(on), np.zeros_like(x))
        raised = "CL_SUCCESS"
    except cl.Error as error:
        raised = error_name(error)
    check.equal("raised", raised, "CL_INVALID_CONTEXT", stage="api")
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], x + np.int32(1))


def _raised(call: Callable[[], Any]) -> str:
    try:
        call()
    except RuntimeError as error:
        return str(error)
    return "nothing"


PROGRAMS: dict[str, Callable[[Device, Sharing], None]] = {
    "refused.from_blob": _from_blob,
    "refused.offset": _offset,
    "refused.context": _context,
    "refused.context_write": _context_write,
}
