"""The bodies of sharing. On OpenCL tinygrad allows any buffer of its own context, whole or a sub-buffer."""

from collections.abc import Callable

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..inputs import draw
from ..results import launches, read, tensor
from . import lifetimes, refusals
from .sharing import COUNT, Sharing, ints, tripled


def check_to_tensor(device: Device, *, dtype: str) -> None:
    """A tensor over pyopencl's buffer reads it and writes it, and sees what pyopencl writes later."""
    s = Sharing(device.tinygrad())
    x, y = (draw(device.rng, dtype, (COUNT,), "small") for _ in range(2))
    memory = s.buffer(x)
    on = s.tensor(memory, COUNT, dtype)
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], x + x.dtype.type(1))
    with launches(s.tinygrad):
        on.assign(on.flip(0) + 2).realize()
    check.equal("pyopencl's view of what the tensor was assigned", s.content(memory, x), x[::-1] + x.dtype.type(2))
    cl.enqueue_copy(s.queue, memory, y)
    s.queue.finish()
    check.equal("the tensor's view of what pyopencl wrote", read(s.tinygrad, on + 1)[0], y + y.dtype.type(1))


def check_from_tensor(device: Device, *, dtype: str) -> None:
    """pyopencl reads and writes the buffer of a result."""
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


def _ping_pong(device: Device, s: Sharing) -> None:
    """A kernel of each in turn on one buffer, each after waiting for the other's queue."""
    want = ints(device)
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
    """The same in tinygrad's own queue, without any wait."""
    want = ints(device)
    memory, queue = s.buffer(want), s.own_queue()
    on = s.tensor(memory, COUNT, "int32")
    for _ in range(20):
        on.assign(on.flip(0) - 7).realize()
        s.triple(queue, memory, COUNT)
        want = tripled(want[::-1] - np.int32(7))
    check.equal("after 20 rounds", on.numpy(), want)


def _shorter(device: Device, s: Sharing) -> None:
    """A tensor of fewer elements than the buffer has: the others are not touched."""
    x = ints(device)
    memory = s.buffer(x)
    on = s.tensor(memory, 77, "int32")
    with launches(s.tinygrad):
        on.assign(on * 3).realize()
    check.equal("the buffer", s.content(memory, x), np.concatenate([x[:77] * np.int32(3), x[77:]]))


def _two_tensors(device: Device, s: Sharing) -> None:
    """Two tensors of different type over one buffer."""
    x = ints(device)
    memory = s.buffer(x)
    one, other = s.tensor(memory, COUNT, "int32"), s.tensor(memory, 4 * COUNT, "uint8")
    with launches(s.tinygrad):
        one.assign(one * 3).realize()
    check.equal("as bytes", read(s.tinygrad, other + 1)[0], (x * np.int32(3)).view(np.uint8) + np.uint8(1))


def _regions(device: Device, s: Sharing, count: int) -> None:
    """Sub-buffers at the alignment that the device asks for (tinygrad #5970, #17014); bytes beside them do not change."""
    step = max(device.device.mem_base_addr_align // 8, 4)
    x = ints(device, (count + 1) * step // 2)
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
    x[:] = ints(device)
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
    x = ints(device)
    on = tensor(s.tinygrad, x)
    s.opened.synchronize()
    cl.enqueue_fill_buffer(s.queue, s.memory(on), np.int32(-5), 40, 400)
    s.queue.finish()
    want = x.copy()
    want[10:110] = -5
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], want + np.int32(1))


def _copied(device: Device, s: Sharing) -> None:
    """clEnqueueCopyBuffer from a tensor's buffer into a part of another's."""
    (x, y) = ints(device), ints(device)
    on_x, on_y = tensor(s.tinygrad, x), tensor(s.tinygrad, y)
    s.opened.synchronize()
    cl.enqueue_copy(s.queue, s.memory(on_y), s.memory(on_x), byte_count=400, src_offset=40, dst_offset=80)
    s.queue.finish()
    want = y.copy()
    want[20:120] = x[10:110]
    check.equal("y + 1", read(s.tinygrad, on_y + 1)[0], want + np.int32(1))


def _mapped(device: Device, s: Sharing) -> None:
    """clEnqueueMapBuffer on a part of a tensor's buffer, for reading and writing."""
    x = ints(device)
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
    """A captured program, replayed on several buffers of pyopencl in turn."""
    step = s.tinygrad.TinyJit(lambda x: (x * 3 + x.flip(0)).contiguous().realize())
    for i in range(5):
        x = ints(device)
        memory = s.buffer(x)
        with launches(s.tinygrad):
            result = step(s.tensor(memory, COUNT, "int32"))
        check.equal(f"call {i}", result.numpy(), x * np.int32(3) + x[::-1])


def _result(device: Device, s: Sharing) -> None:
    """A result is computed straight into pyopencl's buffer: no other buffer is allocated for it."""
    x = ints(device)
    memory, on = s.buffer(np.zeros_like(x)), tensor(s.tinygrad, x)
    target = s.tensor(memory, COUNT, "int32")
    with launches(s.tinygrad):
        target.assign(on.cumsum(0)).realize()
    check.equal("pyopencl's buffer", s.content(memory, x), np.cumsum(x, dtype=np.int32))


def _view_of_tensor(device: Device, s: Sharing) -> None:
    """A sub-buffer that pyopencl makes of a tensor's buffer, written by pyopencl's kernel."""
    step = max(device.device.mem_base_addr_align // 8, 4)
    x = ints(device, step)
    on = tensor(s.tinygrad, x.copy())
    s.opened.synchronize()
    s.triple(s.queue, s.memory(on).get_sub_region(step, step), step // 4)
    s.queue.finish()
    at = slice(step // 4, step // 2)
    want = x.copy()
    want[at] = tripled(x[at])
    check.equal("x + 1", read(s.tinygrad, on + 1)[0], want + np.int32(1))


_PROGRAMS = (
    _ping_pong,
    _one_queue,
    _shorter,
    _two_tensors,
    _host_pointer,
    _filled,
    _copied,
    _mapped,
    _replayed,
    _result,
    _view_of_tensor,
)
PROGRAMS: dict[str, Callable[[Device, Sharing], None]] = {
    **{body.__name__[1:]: body for body in _PROGRAMS},
    "sub_buffer": lambda device, s: _regions(device, s, 1),
    "sub_buffers": lambda device, s: _regions(device, s, 5),
    **lifetimes.PROGRAMS,
    **refusals.PROGRAMS,
}


def check_program(device: Device, *, what: str) -> None:
    """Run the program that the case names."""
    PROGRAMS[what](device, Sharing(device.tinygrad()))
