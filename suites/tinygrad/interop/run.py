"""The bodies of sharing. What tinygrad allows on OpenCL: any buffer of its own context, whole or a sub-buffer."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device, error_name
from runner.model import Case

from ..inputs import draw
from ..results import launches, read, tensor
from .qcom import qcom
from .sharing import Sharing, handle, tripled

COUNT = 1031


def to_tensor(device: Device, case: Case) -> None:
    """A tensor over pyopencl's buffer reads it and writes it, and sees what pyopencl writes later."""
    dtype = case.params["dtype"]
    s = Sharing(device.tinygrad())
    x, y = (draw(device.rng, dtype, (COUNT,), "small") for _ in range(2))
    memory = s.buffer(x)
    on = s.tensor(memory, COUNT, dtype)
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], x + x.dtype.type(1))
    with launches(s.tinygrad):
        on.assign(on.flip(0) + 2).realize()
    check.equal(
        "pyopencl's view of what the tensor was assigned", s.content(memory, x), x[::-1] + x.dtype.type(2)
    )
    cl.enqueue_copy(s.queue, memory, y)
    s.queue.finish()
    check.equal("the tensor's view of what pyopencl wrote", read(s.tinygrad, on + 1)[0], y + y.dtype.type(1))


def from_tensor(device: Device, case: Case) -> None:
    """pyopencl reads and writes the buffer of a result."""
    dtype = case.params["dtype"]
    s = Sharing(device.tinygrad())
    x, y = (draw(device.rng, dtype, (COUNT,), "small") for _ in range(2))
    result = tensor(s.tinygrad, x)
    with launches(s.tinygrad):
        result = (result + 1).contiguous().realize()
    memory = s.memory(result)
    check.equal("its size", memory.size, x.nbytes, stage="api")
    check.equal("pyopencl's view of the result", s.content(memory, x), x + x.dtype.type(1))
    cl.enqueue_copy(s.queue, memory, y)
    s.queue.finish()
    check.equal("tinygrad's view of what pyopencl wrote", read(s.tinygrad, result.flip(0))[0], y[::-1])


def _ints(device: Device, count: int = COUNT) -> Any:
    return draw(device.rng, "int32", (count,), "full")


def _ping_pong(device: Device, s: Sharing) -> None:
    """A kernel of each in turn on one buffer, each waiting for the other's queue."""
    want = _ints(device)
    memory = s.buffer(want)
    on = s.tensor(memory, COUNT, "int32")
    for i in range(8):
        with launches(s.tinygrad):
            on.assign(on.flip(0) - 7).realize()
        s.opened.synchronize()
        s.triple(s.queue, memory, COUNT)
        s.queue.finish()
        want = tripled(want[::-1] - np.int32(7))
        check.equal(f"round {i}", s.content(memory, want), want)


def _one_queue(device: Device, s: Sharing) -> None:
    """The same in tinygrad's own queue, where nothing is waited for."""
    want = _ints(device)
    memory, queue = s.buffer(want), s.own_queue()
    on = s.tensor(memory, COUNT, "int32")
    for _ in range(20):
        on.assign(on.flip(0) - 7).realize()
        s.triple(queue, memory, COUNT)
        want = tripled(want[::-1] - np.int32(7))
    check.equal("after 20 rounds", on.numpy(), want)


def _shorter(device: Device, s: Sharing) -> None:
    """A tensor of fewer elements than the buffer has: the rest is not touched."""
    x = _ints(device)
    memory = s.buffer(x)
    on = s.tensor(memory, 77, "int32")
    with launches(s.tinygrad):
        on.assign(on * 3).realize()
    check.equal("the buffer", s.content(memory, x), np.concatenate([x[:77] * np.int32(3), x[77:]]))


def _two_tensors(device: Device, s: Sharing) -> None:
    """Two tensors of different type over one buffer."""
    x = _ints(device)
    memory = s.buffer(x)
    one, other = s.tensor(memory, COUNT, "int32"), s.tensor(memory, 4 * COUNT, "uint8")
    with launches(s.tinygrad):
        one.assign(one * 3).realize()
    check.equal("as bytes", read(s.tinygrad, other + 1)[0], (x * np.int32(3)).view(np.uint8) + np.uint8(1))


def _regions(device: Device, s: Sharing, count: int) -> None:
    """Sub-buffers at the alignment that the device asks for (tinygrad #5970, #17014), and nothing beside them."""
    step = max(device.device.mem_base_addr_align // 8, 4)
    x = _ints(device, (count + 1) * step // 2)
    memory, want = s.buffer(x), x.copy()
    for i in range(1, count + 1):
        part = memory.get_sub_region(i * step, step)
        on = s.tensor(part, step // 4, "int32")
        at = slice(i * step // 4, (i + 1) * step // 4)
        check.equal(f"region {i} + 1", read(s.tinygrad, on + 1)[0], want[at] + np.int32(1))
        with launches(s.tinygrad):
            on.assign(on * 3 + i).realize()
        want[at] = want[at] * np.int32(3) + np.int32(i)
        check.equal(f"the whole after region {i}", s.content(memory, x), want)


def _host_pointer(device: Device, s: Sharing) -> None:
    """A buffer in the host's memory (CL_MEM_USE_HOST_PTR): a map shows there what the tensor wrote."""
    raw = np.zeros(COUNT * 4 + 4096, dtype=np.uint8)
    start = -raw.ctypes.data % 4096
    x = raw[start : start + COUNT * 4].view(np.int32)
    x[:] = _ints(device)
    want = x * np.int32(3)
    memory = s.buffer(x, cl.mem_flags.USE_HOST_PTR)
    on = s.tensor(memory, COUNT, "int32")
    with launches(s.tinygrad):
        on.assign(on * 3).realize()
    s.opened.synchronize()
    mapped, _ = cl.enqueue_map_buffer(s.queue, memory, cl.map_flags.READ, 0, COUNT, np.int32)
    check.equal("address of the map", mapped.ctypes.data, x.ctypes.data, stage="api")
    check.equal("the host's memory", x.copy(), want)
    mapped.base.release(s.queue)
    s.queue.finish()


def _filled(device: Device, s: Sharing) -> None:
    """clEnqueueFillBuffer on a tensor's buffer."""
    x = _ints(device)
    on = tensor(s.tinygrad, x)
    s.opened.synchronize()
    cl.enqueue_fill_buffer(s.queue, s.memory(on), np.int32(-5), 40, 400)
    s.queue.finish()
    want = x.copy()
    want[10:110] = -5
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], want + np.int32(1))


def _copied(device: Device, s: Sharing) -> None:
    """clEnqueueCopyBuffer from a tensor's buffer into a part of another's."""
    (x, y) = _ints(device), _ints(device)
    on_x, on_y = tensor(s.tinygrad, x), tensor(s.tinygrad, y)
    s.opened.synchronize()
    cl.enqueue_copy(s.queue, s.memory(on_y), s.memory(on_x), byte_count=400, src_offset=40, dst_offset=80)
    s.queue.finish()
    want = y.copy()
    want[20:120] = x[10:110]
    check.equal("y + 1", read(s.tinygrad, on_y + 1)[0], want + np.int32(1))


def _mapped(device: Device, s: Sharing) -> None:
    """clEnqueueMapBuffer on a part of a tensor's buffer, for reading and writing."""
    x = _ints(device)
    on = tensor(s.tinygrad, x)
    s.opened.synchronize()
    flags = cl.map_flags.READ | cl.map_flags.WRITE
    mapped, _ = cl.enqueue_map_buffer(s.queue, s.memory(on), flags, 40, 100, np.int32)
    check.equal("the map", mapped.copy(), x[10:110])
    mapped[:] = mapped[::-1].copy()
    mapped.base.release(s.queue)
    s.queue.finish()
    want = x.copy()
    want[10:110] = x[10:110][::-1]
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], want + np.int32(1))


def _replayed(device: Device, s: Sharing) -> None:
    """A captured program, replayed on one buffer of pyopencl's after another."""
    step = s.tinygrad.TinyJit(lambda x: (x * 3 + x.flip(0)).contiguous().realize())
    for i in range(5):
        x = _ints(device)
        memory = s.buffer(x)
        with launches(s.tinygrad):
            result = step(s.tensor(memory, COUNT, "int32"))
        check.equal(f"call {i}", result.numpy(), x * np.int32(3) + x[::-1])


def _tensor_dies(device: Device, s: Sharing) -> None:
    """The tensor gives its reference back, and the buffer lives on."""
    x = _ints(device)
    memory = s.buffer(x)
    before = memory.reference_count
    on = s.tensor(memory, COUNT, "int32")
    check.equal("references with the tensor", memory.reference_count, before + 1, stage="api")
    with launches(s.tinygrad):
        on.assign(on * 3).realize()
    del on
    gc.collect()
    s.opened.synchronize()  # a kernel that waits holds its buffers
    check.equal("references without it", memory.reference_count, before, stage="api")
    check.equal("the buffer", s.content(memory, x), x * np.int32(3))


def _buffer_dies(device: Device, s: Sharing) -> None:
    """pyopencl releases its reference first: the tensor's keeps the memory."""
    x = _ints(device)
    memory = s.buffer(x)
    on = s.tensor(memory, COUNT, "int32")
    memory.release()
    junk = [s.buffer(_ints(device)) for _ in range(8)]
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], x + np.int32(1))
    for one in junk:
        one.release()


def _not_given_out(device: Device, s: Sharing) -> None:
    """After the tensor's end its buffer is not given to another tensor of that size."""
    x = _ints(device)
    memory = s.buffer(x)
    on = s.tensor(memory, COUNT, "int32")
    del on
    gc.collect()
    others = [tensor(s.tinygrad, _ints(device)) for _ in range(4)]
    held = [handle(one.uop.buffer._buf) for one in others]
    check.true("the buffer is not among theirs", memory.int_ptr not in held, stage="api")
    check.equal("the buffer", s.content(memory, x), x)


def _result(device: Device, s: Sharing) -> None:
    """A result is computed straight into pyopencl's buffer: no other one is allocated for it."""
    x = _ints(device)
    memory, on = s.buffer(np.zeros_like(x)), tensor(s.tinygrad, x)
    target = s.tensor(memory, COUNT, "int32")
    with launches(s.tinygrad):
        target.assign(on.cumsum(0)).realize()
    check.equal("pyopencl's buffer", s.content(memory, x), np.cumsum(x, dtype=np.int32))


def _view_of_tensor(device: Device, s: Sharing) -> None:
    """A sub-buffer that pyopencl makes of a tensor's buffer, written by pyopencl's kernel."""
    step = max(device.device.mem_base_addr_align // 8, 4)
    x = _ints(device, step)
    on = tensor(s.tinygrad, x.copy())
    s.opened.synchronize()
    s.triple(s.queue, s.memory(on).get_sub_region(step, step), step // 4)
    s.queue.finish()
    at = slice(step // 4, step // 2)
    want = x.copy()
    want[at] = tripled(x[at])
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], want + np.int32(1))


def _refused_from_blob(device: Device, s: Sharing) -> None:
    """`from_blob` takes no address on OpenCL: the tensor has a buffer of its own, and the other is not touched."""
    x = _ints(device)
    memory = s.buffer(x)
    on = s.tinygrad.Tensor.from_blob(memory.int_ptr, (COUNT,), dtype="int32", device="CL")
    check.true("a buffer of its own", handle(on.uop.buffer._buf) != memory.int_ptr, stage="api")
    with launches(s.tinygrad):
        on.assign(on * 0 + 7).realize()
    check.equal("the tensor", on.numpy(), np.full_like(x, 7))
    check.equal("pyopencl's buffer", s.content(memory, x), x)


def _refused_offset(device: Device, s: Sharing) -> None:
    """tinygrad's own views with an offset are refused on OpenCL, not computed from the start of the buffer."""
    x = _ints(device)
    on = tensor(s.tinygrad, x)
    try:
        on.uop.buffer.view(64, on.dtype, 256).ensure_allocated()
        raised = "nothing"
    except NotImplementedError:
        raised = "NotImplementedError"
    check.equal("raised", raised, "NotImplementedError", stage="api")
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], x + np.int32(1))


def _refused_context(device: Device, s: Sharing) -> None:
    """A buffer of another context in tinygrad's queue is CL_INVALID_CONTEXT (OpenCL 3.0, 5.2.2), and no copy."""
    x = _ints(device)
    foreign = device.buffer(x)
    message = _raised(s.tensor(foreign, COUNT, "int32").numpy)
    check.true(f"CL_INVALID_CONTEXT, in {message}", "CL_INVALID_CONTEXT" in message, stage="api")
    check.equal("the buffer", device.read(foreign, np.int32, COUNT), x)


def _refused_context_write(device: Device, s: Sharing) -> None:
    """pyopencl's queue of another context does not write a tensor's buffer."""
    x = _ints(device)
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


_PROGRAMS = (
    _ping_pong, _one_queue, _shorter, _two_tensors, _host_pointer, _filled, _copied, _mapped, _replayed,
    _tensor_dies, _buffer_dies, _not_given_out, _result, _view_of_tensor,
)  # fmt: skip
PROGRAMS: dict[str, Callable[[Device, Sharing], None]] = {
    **{body.__name__[1:]: body for body in _PROGRAMS},
    "sub_buffer": lambda device, s: _regions(device, s, 1),
    "sub_buffers": lambda device, s: _regions(device, s, 5),
    "refused.from_blob": _refused_from_blob,
    "refused.offset": _refused_offset,
    "refused.context": _refused_context,
    "refused.context_write": _refused_context_write,
}


def program(device: Device, case: Case) -> None:
    PROGRAMS[case.params["what"]](device, Sharing(device.tinygrad()))


BODIES: dict[str, Callable[[Device, Case], None]] = {
    "interop.to_tensor": to_tensor,
    "interop.from_tensor": from_tensor,
    "interop.program": program,
    "interop.qcom": qcom,
}
