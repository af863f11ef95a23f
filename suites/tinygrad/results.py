"""Tensors to the device and back, and the checks that the device did the work."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import opencl_backend

from .bounded import Bounded

POISON = b"\xa5"  # -2.9e-16 as a float, 165 as a bool


def tensor(tinygrad: Any, array: NDArray[Any]) -> Any:
    """A buffer on the device with the array's content, which tinygrad cannot fold as a constant."""
    return tinygrad.Tensor(array).realize()


@dataclass
class Watched:
    """What a block had tinygrad do: `ran` counts every kernel and every copy from the host, on every device."""

    launched: int = 0
    copied: int = 0
    ran: int = 0

    @property
    def elsewhere(self) -> int:
        """The number of operations that were neither a kernel of the device nor a copy to it."""
        return self.ran - self.launched - self.copied


@contextmanager
def watched(tinygrad: Any) -> Iterator[Watched]:
    """Count a block's kernels and copies.

    Buffers that are allocated in the block are filled with `POISON`: tinygrad reuses old ones, and the zeros of an
    earlier kernel must not hide a work-group that never ran.
    """
    from tinygrad.helpers import GlobalCounters

    backend = opencl_backend(tinygrad)
    program, allocator = backend.CLProgram, backend.CLAllocator
    call, alloc, copyin = program.__call__, allocator.alloc, allocator._copyin
    seen = Watched()

    def counted_call(*args: Any, **kwargs: Any) -> Any:
        seen.launched += 1
        return call(*args, **kwargs)

    def counted_copyin(*args: Any) -> None:
        seen.copied += 1
        copyin(*args)

    def poisoned(self: Any, size: int, *args: Any, **kwargs: Any) -> Any:
        buffer = alloc(self, size, *args, **kwargs)
        copyin(self, buffer, memoryview(bytearray(POISON * size)))
        return buffer

    before = GlobalCounters.kernel_count
    program.__call__, allocator.alloc, allocator._copyin = counted_call, poisoned, counted_copyin
    try:
        yield seen
    finally:
        program.__call__, allocator._copyin = call, copyin
        del allocator.alloc  # inherited
        seen.ran = GlobalCounters.kernel_count - before


@contextmanager
def launches(tinygrad: Any) -> Iterator[None]:
    """Refuse a block that proves nothing: `check.NothingTested` if it launched no kernel on the device, or if
    tinygrad ran anything else, such as a kernel on the CPU or a copy. Make the operands before, read the results after.
    """
    with watched(tinygrad) as seen:
        yield
    if seen.launched == 0 or seen.launched != seen.ran:
        raise check.NothingTested(f"of {seen.ran} kernels and copies, {seen.launched} on the device")


def read(tinygrad: Any, *tensors: Any) -> list[NDArray[Any]]:
    """Compute the tensors in one schedule, under `launches`, and copy them out.

    Raises `check.NothingTested` for a tensor without a device: tinygrad would compute it on the CPU.
    """
    outputs = [t.contiguous() for t in tensors]
    if wrong := [t.device for t in outputs if t.device != tinygrad.Device.DEFAULT]:
        raise check.NothingTested(f"results on {wrong}")
    with launches(tinygrad):
        tinygrad.Tensor.realize(*outputs)
    return [t.numpy() for t in outputs]


def compare(what: str, got: NDArray[Any], want: Bounded, *, bits: bool = False) -> None:
    """Require the type, and every element within its bound; with `bits` also the sign of zeros."""
    if want.value.size > 1 and (want.value == want.value.flat[0]).all():
        raise check.NothingTested(f"every {what} is {want.value.flat[0]}")
    check.equal(f"{what}: type", got.dtype.name, want.dtype.name)
    if want.dtype.kind == "f" and want.error.any():
        known = np.isfinite(want.value) & (want.value != 0)
        if np.mean(want.error[known] <= np.abs(want.value[known]) / 16) < 0.5:
            raise check.NothingTested(f"the bound of {what} admits almost anything")
        check.close(what, got, want.value, atol=want.error)
    elif want.dtype.kind == "b":  # as bytes: numpy takes any byte but 0 for true, the poison included
        check.equal(what, got.view(np.uint8), want.value.view(np.uint8))
    else:
        check.equal(what, got, want.value.astype(want.dtype))
    if bits and want.dtype.kind == "f":
        zero = want.value == 0
        check.equal(f"{what}: sign of zero", np.signbit(got[zero]), np.signbit(want.value[zero]))
