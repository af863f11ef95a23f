"""Large buffers, checked completely: more elements than a float can count, more bytes than an int can.

An index that goes through a float is wrong from 2**24; one in a signed 32-bit byte offset from 2**31 (tinygrad
#392, #2128). The content is a function of the index, whose reference is computed by numpy, and every
element is compared.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..results import launches, tensor

COUNT = (1 << 24) + 1031
_MIX = np.uint32(2654435761)  # Knuth's multiplicative hash: neighbours differ in every byte


def _content(count: int, start: int = 0) -> np.ndarray[Any, np.dtype[np.uint32]]:
    return np.arange(start, start + count, dtype=np.uint64).astype(np.uint32) * _MIX


def _bytes(count: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return (_content(count) >> np.uint32(24)).astype(np.uint8)


def _require_room(device: Device, size: int) -> None:
    """Raises Unsupported if no buffer of the device may have that many bytes."""
    if (most := device.device.max_mem_alloc_size) < size:
        raise check.Unsupported(f"a buffer of {size} bytes (at most {most})")


def _elementwise(device: Device, tinygrad: Any) -> None:
    x = _bytes(COUNT)
    on = tensor(tinygrad, x)
    with launches(tinygrad):
        got = (on.bitwise_xor(255) + 3).realize()
    check.equal("x", got.numpy(), (x ^ np.uint8(255)) + np.uint8(3))


def _reduced(device: Device, tinygrad: Any) -> None:
    """Sum and maximum of all, and the index of the maximum: above 2**24."""
    _require_room(device, 4 * COUNT)
    x = device.rng.integers(-100, 100, COUNT, dtype=np.int32)
    x[-77] = 1 << 20
    on = tensor(tinygrad, x)
    with launches(tinygrad):
        results = on.sum(), on.max(), on.argmax()
        tinygrad.Tensor.realize(*results)
    for what, got, want in zip(("sum", "max", "argmax"), results, (x.sum(), x.max(), COUNT - 77), strict=True):
        check.equal(what, got.item(), int(want))


def _indexed(device: Device, tinygrad: Any) -> None:
    """The elements around 2**24 and at the end, by a list of indices and by slices."""
    x = _bytes(COUNT)
    on = tensor(tinygrad, x)
    start = (1 << 24) - 9
    at = np.concatenate([np.arange(start, start + 20), device.rng.integers(0, COUNT, 80), [0, COUNT - 1]]).astype(np.int32)
    with launches(tinygrad):
        window = (on[start : start + 20] + 1).realize()
        tail = (on[-33:] + 1).realize()
    check.equal("around 2**24", window.numpy(), x[start : start + 20] + np.uint8(1))
    check.equal("the end", tail.numpy(), x[-33:] + np.uint8(1))
    on_at = tensor(tinygrad, at)
    with launches(tinygrad):
        got = on.reshape(-1, 1).gather(0, on_at.reshape(-1, 1)).realize()
    check.equal("at the indices", got.numpy().ravel(), x[at])


def _moved(device: Device, tinygrad: Any) -> None:
    """Reversed, and transposed as a matrix of 4097 rows."""
    x = _content(4097 * 4099)
    _require_room(device, x.nbytes)
    on = tensor(tinygrad, x)
    with launches(tinygrad):
        flipped = on.flip(0).contiguous().realize()
    check.equal("reversed", flipped.numpy(), x[::-1])
    with launches(tinygrad):
        turned = on.reshape(4097, 4099).permute(1, 0).contiguous().realize()
    check.equal("transposed", turned.numpy(), x.reshape(4097, 4099).T)


def _filled(device: Device, tinygrad: Any, count: int) -> None:
    """A buffer of `count` words that a kernel fills, read by kernels in pieces of 2**24, and compared completely."""
    zero = tensor(tinygrad, np.zeros(1, dtype=np.uint32))  # an `arange` by itself belongs to no device
    # No `launches`, whose poison takes three times the memory: no earlier buffer was large enough to be mistaken for it.
    index = zero.expand(count) + tinygrad.Tensor.arange(count, dtype="uint32")
    on = (index * int(_MIX)).contiguous().realize()
    check.equal("device", on.device, "CL", stage="api")
    step = 1 << 24
    for start in range(0, count, step):
        size = min(step, count - start)
        with launches(tinygrad):
            part = (on[start : start + size] + 1).contiguous().realize()
        check.equal(f"from word {start}", part.numpy(), _content(size, start) + np.uint32(1))


def _gigabyte(device: Device, tinygrad: Any) -> None:
    _filled(device, tinygrad, min(1 << 30, device.device.max_mem_alloc_size) // 4)


def _beyond_2_31(device: Device, tinygrad: Any) -> None:
    """The largest buffer that the device allows; larger than 2**31 bytes if the device allows that."""
    _filled(device, tinygrad, min((1 << 31) + (1 << 20), device.device.max_mem_alloc_size) // 4)


BODIES: dict[str, Callable[[Device, Any], None]] = {
    body.__name__[1:]: body for body in (_elementwise, _reduced, _indexed, _moved, _gigabyte, _beyond_2_31)
}


def check_large(device: Device, *, what: str) -> None:
    """Run the body that the case names."""
    BODIES[what](device, device.tinygrad())
