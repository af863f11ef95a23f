"""Exhausted memory: an error, and the device still works afterwards (OpenCL API 3.0, 5.2.1, 5.3.1, 5.6.1, 5.2.4)."""

import contextlib
import ctypes
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from runner import check
from runner.check import Unsupported
from runner.device import Device

from ..kit.opencl import SUCCESS, call, create

_PIECE_BYTES, _FREE_BYTES, _MAX_PIECES = 32 << 20, 256 << 20, 64  # size of an object, free address space, objects
_ERRORS = ("CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY")
_COPY_HOST_PTR = 1 << 5
_SIDE = 1448  # of an RGBA image of floats, which has about the size of a piece


@contextlib.contextmanager
def _little_memory() -> Iterator[None]:
    """Limit the address space to `_FREE_BYTES` more than the process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + _FREE_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


class _Memory:
    """Makes objects of one kind, each of the size of a piece, and uses them."""

    def __init__(self, device: Device) -> None:
        self.context, self.queue = device.context.int_ptr, device.queue.int_ptr
        self.host = np.zeros(_PIECE_BYTES, np.uint8)
        self.handles: list[int] = []

    def buffer(self) -> str:
        """Make a buffer and fill it, as a driver may delay the allocation until the first use; returns the error."""
        handle, error = create("clCreateBuffer", self.context, 0, _PIECE_BYTES, 0)
        return self._filled(handle) if error == SUCCESS else error

    def copy(self) -> str:
        handle, error = create("clCreateBuffer", self.context, _COPY_HOST_PTR, _PIECE_BYTES, self.host.ctypes.data)
        self.handles += [handle] if error == SUCCESS else []
        return error

    def image(self) -> str:
        rgba_float = (ctypes.c_uint32 * 2)(0x10B5, 0x10DE)
        handle, error = create("clCreateImage2D", self.context, 0, rgba_float, _SIDE, _SIDE, 0, 0)
        self.handles += [handle] if error == SUCCESS else []
        if error == SUCCESS:
            sizes = ctypes.c_size_t * 3
            corner, region = sizes(0, 0, 0), sizes(_SIDE, 1, 1)
            row = self.host.ctypes.data
            error = call("clEnqueueWriteImage", self.queue, handle, 1, corner, region, 0, 0, row, 0, 0, 0)
        return error

    def _filled(self, handle: int) -> str:
        self.handles.append(handle)
        zero = ctypes.c_uint32(0)
        error = call("clEnqueueFillBuffer", self.queue, handle, ctypes.byref(zero), 4, 0, _PIECE_BYTES, 0, 0, 0)
        return error if error != SUCCESS else call("clFinish", self.queue)

    def release(self) -> None:
        for handle in self.handles:
            call("clReleaseMemObject", handle)
        self.handles.clear()


def check_exhausted(device: Device, *, what: str) -> None:
    """Make objects until there is no memory for one more; after their release, one can be made again."""
    memory = _Memory(device)
    make: Callable[[], str] = getattr(memory, what)
    try:
        check.equal("the first", make(), SUCCESS, stage="enqueue")
        with _little_memory():
            error = next((error for _ in range(_MAX_PIECES) if (error := make()) != SUCCESS), SUCCESS)
    finally:
        memory.release()
    if error == SUCCESS:
        raise Unsupported(
            f"{_MAX_PIECES} x {_PIECE_BYTES >> 20} MiB in {_FREE_BYTES >> 20} MiB: this process's memory is not the device's"
        )
    check.true(f"{error} is one of {', '.join(_ERRORS)}", error in _ERRORS, stage="enqueue")
    try:
        check.equal("one more, with memory", make(), SUCCESS, stage="enqueue")
        data = device.rng.integers(0, 256, 4096, dtype=np.uint8)
        check.equal("a buffer's bytes", device.read(device.buffer(data), np.uint8, data.size), data)
    finally:
        memory.release()
