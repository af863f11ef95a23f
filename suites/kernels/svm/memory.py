"""Allocations of shared virtual memory, and how the host and the device access their bytes."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.opencl import call, ctypes_argument, library
from .table import KINDS, MAP_FLAGS

Bytes = NDArray[np.uint8]
SVM_PTRS = 0x11B6


def allocate(device: Device, flags: int, size: int, alignment: int = 0) -> int:
    """Call clSVMAlloc; returns the address, 0 for NULL."""
    routine = library().clSVMAlloc
    routine.restype = ctypes.c_void_p
    return routine(*map(ctypes_argument, (device.context.int_ptr, flags, size, alignment))) or 0


def release(device: Device, pointer: int) -> None:
    """Call clSVMFree."""
    library().clSVMFree.restype = None
    library().clSVMFree(*map(ctypes_argument, (device.context.int_ptr, pointer)))


class Shared:
    """An allocation: its address `pointer`, its bytes as an array, and its kind, which says whether the host must map it."""

    def __init__(self, device: Device, kind: str, size: int) -> None:
        self.device, self.kind, self.size = device, kind, size
        flags = KINDS[kind][1]
        self._own = np.zeros(size + 128, np.uint8) if flags is None else None
        if self._own is not None:
            self.pointer = -(-self._own.ctypes.data // 128) * 128
        else:
            self.pointer = allocate(device, 1 | (flags or 0), size)
            check.true("clSVMAlloc returns memory", self.pointer != 0, stage="api")
        self.bytes: Bytes = np.frombuffer((ctypes.c_uint8 * size).from_address(self.pointer), np.uint8)  # type: ignore[call-overload]

    @contextmanager
    def mapped(self, flags: str, at: int = 0, size: int | None = None) -> Iterator[Bytes]:
        """The bytes for the host: mapped if the memory is coarse-grain, else after a clFinish."""
        size = self.size - at if size is None else size
        queue = self.device.queue.int_ptr
        if self.kind == "coarse":
            error = call("clEnqueueSVMMap", queue, 1, MAP_FLAGS[flags], self.pointer + at, size, 0, 0, 0)
            check.equal("clEnqueueSVMMap", error, "CL_SUCCESS", stage="api")
        else:
            self.device.queue.finish()
        yield self.bytes[at : at + size]
        if self.kind == "coarse":
            error = call("clEnqueueSVMUnmap", queue, self.pointer + at, 0, 0, 0)
            check.equal("clEnqueueSVMUnmap", error, "CL_SUCCESS", stage="api")

    def put(self, content: NDArray[Any]) -> None:
        """Write `content` to the beginning, by the host."""
        with self.mapped("write") as there:
            there[: content.nbytes] = content.view(np.uint8).ravel()

    def get(self) -> Bytes:
        """Read all bytes, by the host."""
        with self.mapped("read") as there:
            return there.copy()

    def free(self) -> None:
        """Free the allocation, after all commands that were enqueued."""
        self.device.queue.finish()
        if self._own is None and self.pointer:
            release(self.device, self.pointer)
        self.pointer = 0


@contextmanager
def shared(device: Device, kind: str, *sizes: int) -> Iterator[list[Shared]]:
    """Allocations that are freed at the end, whatever happens."""
    blocks: list[Shared] = []
    try:
        for size in sizes:
            blocks.append(Shared(device, kind, size))
        yield blocks
    finally:
        for each in blocks:
            each.free()


def launch(device: Device, kernel: cl.Kernel, items: int, *args: Any, uses: tuple[int, ...] = ()) -> None:
    """Launch with pointers (ints), buffers and numpy scalars; `uses`: allocations that the kernel reaches indirectly."""
    for index, argument in enumerate(args):
        if isinstance(argument, int):
            error = call("clSetKernelArgSVMPointer", kernel.int_ptr, index, argument)
            check.equal("clSetKernelArgSVMPointer", error, "CL_SUCCESS", stage="api")
        else:
            kernel.set_arg(index, argument)
    if uses:
        pointers = (ctypes.c_void_p * len(uses))(*uses)
        error = call("clSetKernelExecInfo", kernel.int_ptr, SVM_PTRS, 8 * len(uses), pointers)
        check.equal("clSetKernelExecInfo", error, "CL_SUCCESS", stage="api")
    cl.enqueue_nd_range_kernel(device.queue, kernel, (items,), None)


def succeed(function: str, *arguments: Any) -> None:
    """Make a call that must succeed."""
    check.equal(function, call(function, *arguments), "CL_SUCCESS", stage="api")
