"""cl_khr_command_buffer: commands that are recorded once, and run each time that the buffer is enqueued.

The version of the extension decides the arguments: since 0.9.5, each command has a list of properties.
"""

import ctypes
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import sizes
from . import address

_STATE, _COUNT_QUEUES, _REFERENCES = 0x1297, 0x1295, 0x1296
_RECORDING, _EXECUTABLE = 0, 1
_PROPERTIES_SINCE = 0x9005  # 0.9.5, as a cl_version
_COUNT = 64
SOURCE = """
__kernel void advance(__global uint *a, uint n) { a[get_global_id(0)] = a[get_global_id(0)] * 3 + n; }
__kernel void sum(__global const uint *a, __global const uint *b, __global uint *r) {
    size_t i = get_global_id(0);
    r[i] += a[i] + 2 * b[i];
}
"""


class _Commands:
    """A command buffer for the device's queue. It is released at the end of the case's process."""

    def __init__(self, device: Device) -> None:
        self._device = device
        versions = {v.name: v.version for v in device.device.extensions_with_version}
        self._listed = (0,) * (versions["cl_khr_command_buffer"] >= _PROPERTIES_SINCE)
        self._queues = (ctypes.c_void_p * 1)(device.queue.int_ptr)
        self.handle, error = address.create(device, "clCreateCommandBufferKHR", 1, self._queues, 0)
        check.equal("clCreateCommandBufferKHR", error, "CL_SUCCESS", stage="api")

    def error(self, name: str, *arguments: Any) -> str:
        return address.call(self._device, name, self.handle, *arguments)

    def info(self, code: int) -> int:
        value = ctypes.c_uint32(77)
        check.equal(
            "clGetCommandBufferInfoKHR",
            self.error("clGetCommandBufferInfoKHR", code, 4, value, 0),
            "CL_SUCCESS",
            stage="api",
        )
        return value.value

    def record(self, name: str, *arguments: Any, listed: bool = False, after: tuple[int, ...] = ()) -> tuple[str, int]:
        """Record a command without a queue, after sync points; returns the error and the command's sync point."""
        point, wait = ctypes.c_uint32(), (ctypes.c_uint32 * len(after))(*after)
        head = (0, *(self._listed or (0,) * listed))
        error = self.error(name, *head, *arguments, len(after), wait if after else 0, point, 0)
        return error, point.value

    def launch(self, kernel: cl.Kernel, after: tuple[int, ...] = ()) -> tuple[str, int]:
        """Record a launch of 64 items; this command has properties in every version."""
        name = "clCommandNDRangeKernelKHR"
        return self.record(name, kernel.int_ptr, 1, 0, sizes([_COUNT]), 0, listed=True, after=after)

    def finalize(self) -> None:
        check.equal("clFinalizeCommandBufferKHR", self.error("clFinalizeCommandBufferKHR"), "CL_SUCCESS", stage="api")

    def enqueue(self) -> str:
        return address.call(self._device, "clEnqueueCommandBufferKHR", 0, 0, self.handle, 0, 0, 0)


def _right(what: str, answer: tuple[str, int]) -> int:
    check.equal(what, answer[0], "CL_SUCCESS", stage="api")
    return answer[1]


def check_command_buffer_replayed(device: Device, *, times: int) -> None:
    """Two launches in order, enqueued several times; they keep the arguments that were recorded."""
    start = device.rng.integers(0, 1 << 30, _COUNT, dtype=np.uint32)
    a, other, commands = device.buffer(start), device.buffer(start), _Commands(device)
    kernel = device.build(SOURCE).advance
    kernel.set_args(a, np.uint32(5))
    first = _right("the first launch", commands.launch(kernel))
    kernel.set_args(a, np.uint32(11))
    _right("the second launch", commands.launch(kernel, (first,)))
    commands.finalize()
    kernel.set_args(other, np.uint32(999))
    want = start.copy()
    for _ in range(times):
        check.equal("clEnqueueCommandBufferKHR", commands.enqueue(), "CL_SUCCESS", stage="api")
        device.queue.finish()
        want = (want * 3 + 5) * 3 + 11
    check.equal("what the launches leave", device.read(a, np.uint32, _COUNT), want.astype(np.uint32))
    check.equal("the buffer of a later argument", device.read(other, np.uint32, _COUNT), start)


def check_command_buffer_transfers(device: Device) -> None:
    """A fill and a copy at offsets, and a launch that waits for both."""
    data = device.rng.integers(0, 1 << 20, _COUNT, dtype=np.uint32)
    source, a, b, r = (device.buffer(values) for values in (data, data * 0, data + 1, data * 0))
    pattern, commands = np.array([7, 9], np.uint32), _Commands(device)
    filled = _right("the fill", commands.record("clCommandFillBufferKHR", a.int_ptr, pattern.ctypes.data, 8, 16, 64))
    copied = _right("the copy", commands.record("clCommandCopyBufferKHR", source.int_ptr, b.int_ptr, 8, 32, 128))
    kernel = device.build(SOURCE).sum
    kernel.set_args(a, b, r)
    _right("the launch", commands.launch(kernel, (filled, copied)))
    commands.finalize()
    for _ in range(2):  # without SIMULTANEOUS_USE, a pending command buffer cannot be enqueued, so one after the other
        check.equal("clEnqueueCommandBufferKHR", commands.enqueue(), "CL_SUCCESS", stage="api")
        device.queue.finish()
    want_a, want_b = data * 0, data + 1
    want_a[4:20] = np.tile(pattern, 8)
    want_b[8:40] = data[2:34]
    for name, buffer, want in (("filled", a, want_a), ("copied", b, want_b), ("summed", r, 2 * (want_a + 2 * want_b))):
        check.equal(f"what is {name}", device.read(buffer, np.uint32, _COUNT), want)


def check_command_buffer_state(device: Device) -> None:
    """A command buffer is recording, then executable; calls that are too early or too late are refused, without effect."""
    a, commands = device.buffer(np.zeros(_COUNT, np.uint32)), _Commands(device)
    kernel = device.build(SOURCE).advance
    kernel.set_args(a, np.uint32(5))
    check.equal("queues", commands.info(_COUNT_QUEUES), 1)
    check.equal("the state at first", commands.info(_STATE), _RECORDING)
    _right("the launch", commands.launch(kernel))
    check.equal("an enqueue before it is finalized", commands.enqueue(), "CL_INVALID_OPERATION", stage="api")
    commands.finalize()
    check.equal("the state then", commands.info(_STATE), _EXECUTABLE)
    check.equal("a launch too late", commands.launch(kernel)[0], "CL_INVALID_OPERATION", stage="api")
    again = commands.error("clFinalizeCommandBufferKHR")
    check.equal("finalized again", again, "CL_INVALID_OPERATION", stage="api")
    device.queue.finish()
    check.equal("what has run", device.read(a, np.uint32, _COUNT), np.zeros(_COUNT, np.uint32))
    before = commands.info(_REFERENCES)
    check.equal("clRetainCommandBufferKHR", commands.error("clRetainCommandBufferKHR"), "CL_SUCCESS", stage="api")
    check.equal("references then", commands.info(_REFERENCES) - before, 1)
    check.equal("clReleaseCommandBufferKHR", commands.error("clReleaseCommandBufferKHR"), "CL_SUCCESS", stage="api")
    check.equal("and after a release", commands.info(_REFERENCES) - before, 0)
