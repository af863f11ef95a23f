"""What a build and a launch must not change in their process: the floating-point environment (C99, 7.6) and open files."""

import ctypes
import os
from pathlib import Path

import numpy as np

from runner import check
from runner.device import Device

from ..kit.opencl import call, create

_LIBM = ctypes.CDLL("libm.so.6")
_TO_ZERO = {"x86_64": 0xC00, "aarch64": 0xC00000}.get(os.uname().machine, 0)
_SOURCE = """
__kernel void f(__global float *r, float a) {
    size_t i = get_global_id(0);
    float zero = i > 100 ? 0.0f : 0.0f;
    r[i] = sqrt(r[i] / 3.0f) * a + native_recip(0.0f) - native_sqrt(-1.0f) + native_log2(-2.0f) + native_divide(0.0f, zero)
        + NUMBER.25f;
}
"""


def _build_and_run(device: Device, number: int) -> None:
    """Build, launch and release a program of its own, so that no cache has it from another number; wait for the launch."""
    text = (ctypes.c_char_p * 1)(_SOURCE.replace("NUMBER", str(number)).encode())
    program, error = create("clCreateProgramWithSource", device.context.int_ptr, 1, text, 0)
    check.equal("clCreateProgramWithSource", error, "CL_SUCCESS", stage="api")
    check.equal("clBuildProgram", call("clBuildProgram", program, 0, 0, b"", 0, 0), "CL_SUCCESS", stage="build")
    kernel, error = create("clCreateKernel", program, b"f")
    check.equal("clCreateKernel", error, "CL_SUCCESS", stage="api")
    buffer = device.buffer(np.array([0, -0.0, 1e-40, np.inf, np.nan, 1e38, 1, 7], np.float32))
    handle, factor = ctypes.c_void_p(buffer.int_ptr), ctypes.c_float(1.5 + number)
    call("clSetKernelArg", kernel, 0, 8, ctypes.byref(handle))
    call("clSetKernelArg", kernel, 1, 4, ctypes.byref(factor))
    size = (ctypes.c_size_t * 1)(8)
    error = call("clEnqueueNDRangeKernel", device.queue.int_ptr, kernel, 1, 0, size, 0, 0, 0, 0)
    check.equal("clEnqueueNDRangeKernel", error, "CL_SUCCESS", stage="enqueue")
    call("clFinish", device.queue.int_ptr)
    call("clReleaseKernel", kernel)
    call("clReleaseProgram", program)


def check_rounding(device: Device, *, mode: str) -> None:
    """The rounding mode and the treatment of denormals of this thread are as before, in either mode."""
    wanted = _TO_ZERO if mode == "to_zero" else 0
    before = _LIBM.fegetround()
    try:
        _LIBM.fesetround(wanted)
        _build_and_run(device, 1 + bool(wanted))
        after = _LIBM.fegetround()
    finally:
        _LIBM.fesetround(before)
    check.equal("rounding mode after a build and a launch", after, wanted)
    least = np.full(4, 1e-40, np.float32)
    check.true("denormals are kept", bool((least / np.float32(2) > 0).all()))


def check_descriptors(device: Device, *, rounds: int) -> None:
    """Builds, launches and releases leave no file open and no thread behind."""
    for number in range(3):
        _build_and_run(device, number)
    before = _counts()
    for number in range(rounds):
        _build_and_run(device, number)
    after = _counts()
    # Threads of pools, and files that a driver's own threads open, may appear late, but not one for each round.
    for what, now, then in zip(("open files", "threads"), after, before, strict=True):
        check.true(f"{now} {what} after, {then} before", now - then < rounds // 4)


def _counts() -> tuple[int, int]:
    files, tasks = (sum(1 for _ in Path("/proc/self", name).iterdir()) for name in ("fd", "task"))
    return files, tasks


def check_traps(device: Device) -> None:
    """A build and a launch in a thread with floating-point traps enabled, which are meant for the application only.

    By C99, 7.6, each thread has its environment; a driver that computes in the caller's thread must not crash the process.
    """
    old = _LIBM.fegetexcept()
    _LIBM.feenableexcept(0x1 | 0x4)  # FE_INVALID and FE_DIVBYZERO
    try:
        check.equal("traps are enabled", _LIBM.fegetexcept(), 0x1 | 0x4)
        _build_and_run(device, 9)
    finally:
        left = _LIBM.fegetexcept()
        _LIBM.fedisableexcept(0x1D & ~old)
    check.equal("traps after a build and a launch", left, 0x1 | 0x4)
