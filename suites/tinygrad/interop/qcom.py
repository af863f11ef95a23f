"""The sharing that tinygrad documents for its QCOM back end, which drives an Adreno by the kgsl device, with Rusticl.

These cases run if the kernel offers that device (the feature `qcom`): Mesa's freedreno may drive the same GPU
through it, and a buffer then goes from one to the other through the host's memory.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..bounded import Bounded
from ..inputs import draw
from ..networks import matmul
from ..results import compare, tensor

PAGE, BACK_END = 4096, "QCOM"


def _pages(device: Device, count: int) -> tuple[Any, Any]:
    """Random int32 at a page's start, as the kernel maps pages, and the object that keeps them alive."""
    raw = np.zeros(count * 4 + 2 * PAGE, dtype=np.uint8)
    start = -raw.ctypes.data % PAGE
    x = raw[start : start + count * 4].view(np.int32)
    x[:] = draw(device.rng, "int32", (count,), "full")
    return x, raw


def _blob(tinygrad: Any, x: Any, offset: int = 0) -> Any:
    count = x.size - offset
    return tinygrad.Tensor.from_blob(x.ctypes.data + 4 * offset, (count,), dtype="int32", device=BACK_END)


def _read(device: Device, tinygrad: Any) -> None:
    """The back end reads the host's memory, also after it has changed; Rusticl continues with its result."""
    x, _raw = _pages(device, 1031)
    on = _blob(tinygrad, x)
    for i in range(2):
        got = (on * 3).realize()
        check.equal(f"x * 3, {i}", got.numpy(), x * np.int32(3))
        check.equal(f"on OpenCL, {i}", (got.to("CL") + 1).numpy(), x * np.int32(3) + np.int32(1))
        x[:] = x[::-1].copy()


def _written(device: Device, tinygrad: Any) -> None:
    """The host's memory holds what the back end writes."""
    x, _raw = _pages(device, 1031)
    want = x * np.int32(3)
    on = _blob(tinygrad, x)
    on.assign(on * 3).realize()
    tinygrad.Device[BACK_END].synchronize()
    check.equal("the host's memory", x.copy(), want)


def _offset(device: Device, tinygrad: Any) -> None:
    """A blob that starts in the middle of another one's page."""
    x, _raw = _pages(device, 2048)
    check.equal("from 1024", (_blob(tinygrad, x, 1024) * 3).numpy(), x[1024:] * np.int32(3))


def _opencl(device: Device, tinygrad: Any) -> None:
    """A buffer of Qualcomm's own OpenCL: its handle points to a struct whose word 20 is the GPU's address, as documented."""
    x = draw(device.rng, "int32", (64,), "full")
    memory = device.buffer(x)
    device.queue.finish()
    described = ctypes.cast(memory.int_ptr, ctypes.POINTER(ctypes.c_uint64 * 32)).contents
    on = tinygrad.Tensor.from_blob(described[20], (64,), dtype="int32", device=BACK_END)
    check.equal("x * 3", (on * 3).numpy(), x * np.int32(3))
    on.assign(on * 3).realize()
    tinygrad.Device[BACK_END].synchronize()
    found = np.empty_like(x)
    cl.enqueue_copy(device.queue, found, memory)
    check.equal("pyopencl's buffer", found, x * np.int32(3))


def _image(device: Device, tinygrad: Any) -> None:
    """IMAGE=1 on the back end and on Rusticl: both within the bounds of one reference."""
    arrays = [draw(device.rng, "float32", (64, 64), "normal") for _ in range(2)]
    want = matmul(*map(Bounded.exact, arrays))
    with tinygrad.Context(IMAGE=1):
        x, y = (tensor(tinygrad, a) for a in arrays)
        compare("on OpenCL", (x @ y).numpy(), want)
        compare("on the back end", (x.to(BACK_END) @ y.to(BACK_END)).numpy(), want)


BODIES: dict[str, Callable[[Device, Any], None]] = {
    "from_blob.read": _read,
    "from_blob.written": _written,
    "from_blob.offset": _offset,
    "from_blob.opencl": _opencl,
    "image": _image,
}


def check_qcom(device: Device, *, what: str) -> None:
    """Run the body that the case names."""
    BODIES[what](device, device.tinygrad())
