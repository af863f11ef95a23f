"""The device under test as a body sees it: the one seam between the suites and OpenCL.

Imported only in the child. Programs, launches and read-backs pass through `Device`, so that compile
mode, reproducers and fault injection have one place to act. A failure raises `check.Mismatch`, whose
text begins with the stage: `build:`, `enqueue:` or `api:`.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import time
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import DTypeLike, NDArray

from runner import check, launches, tap, transfers
from runner.check import Compiled, Mismatch, NothingTested
from runner.model import Case

_PROGRAMS_KEPT = 16
_TIMEOUT_S = 30.0  # of a case that states none
# A case takes its own kernel objects from a program that it shares with others.
if hasattr(cl, "RepeatedKernelRetrieval"):  # from 2025.2 on
    warnings.simplefilter("ignore", cl.RepeatedKernelRetrieval)
tap.follow(cl, tap.PYOPENCL)


class Device:
    """One OpenCL device with a context and an in-order queue.

    `rng` is seeded again for every case from the run's seed and the case's id; `case_id` and `timeout_s` are the
    case's. `gpt2_weights` is the folder of `--gpt2-weights`, or None. If `executes` is false (compile mode) a
    launch is enqueued and no result is waited for: an attempt to read one raises `check.Compiled`, which ends the
    case. If `enqueues` is false too, the arguments are set, and that is all. If something behind the driver looks
    at each launch (`completes`), it is waited for.
    """

    def __init__(
        self,
        device: cl.Device,
        gpt2_weights: Path | None = None,
        *,
        executes: bool = True,
        enqueues: bool = True,
        completes: bool = False,
    ) -> None:
        self.device = device
        self.executes, self.enqueues, self.completes = executes, enqueues, completes
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.gpt2_weights = gpt2_weights
        self.case_id, self.timeout_s, self.rng = "", _TIMEOUT_S, np.random.default_rng(0)
        self._programs: dict[tuple[str, str], cl.Program] = {}
        self._tinygrad: Any = None

    def begin(self, case: Case, seed: int) -> None:
        """Make ready for one case."""
        self.case_id, self.timeout_s = case.id, case.timeout_s or _TIMEOUT_S
        launches.forget()
        transfers.forget()
        digest = hashlib.sha256(f"{seed} {case.id}".encode()).digest()
        self.rng = np.random.default_rng(int.from_bytes(digest[:8], "little"))

    def perform(self, body: Callable[[Device, Case], None], case: Case) -> None:
        """Run a case's body. Raises what the body raises; a failed comparison says which commands moved the data.

        The case behind a command that failed gets another queue: OpenCL allows a queue to be unusable from then on.
        """
        try:
            body(self, case)
        except Mismatch as error:
            error.args = (transfers.described(str(error)),)
            if str(error).startswith("enqueue:"):
                self.queue = cl.CommandQueue(self.context)
            raise

    def tinygrad(self) -> Any:
        """The module `tinygrad`, proved to drive this very device on its CL back end."""
        if self._tinygrad is None:
            self._tinygrad = open_tinygrad(self.device.name, self.executes, self.enqueues, self.completes)
        return self._tinygrad

    def build(self, source: str, options: str = "") -> cl.Program:
        """Compile and link OpenCL C. A refusal is `build: ` and the first error line of the log.

        The last programs are kept: cases that share a source share its build (and say so by `Case.group`).
        """
        if (source, options) not in self._programs:
            program = cl.Program(self.context, source)
            try:
                built = program.build(options=options)  # PYOPENCL_NO_CACHE keeps it from an old binary
            except cl.Error as error:
                raise Mismatch(f"build: {first_error(str(error))}") from error
            if len(self._programs) >= _PROGRAMS_KEPT:
                del self._programs[next(iter(self._programs))]
            self._programs[source, options] = built
            if not self.executes:
                check.true("its kernels can be created", len(built.all_kernels()) > 0, stage="build")
        return self._programs[source, options]

    @tap.told("Device.buffer")
    def buffer(self, content: NDArray[Any] | int) -> cl.Buffer:
        """A read-write buffer with the bytes of an array, or of that many bytes (not initialised)."""
        flags = cl.mem_flags.READ_WRITE
        if isinstance(content, int):
            return cl.Buffer(self.context, flags, size=content)
        return cl.Buffer(self.context, flags | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.ascontiguousarray(content))

    def launch(
        self,
        kernel: cl.Kernel,
        global_size: Sequence[int],
        local_size: Sequence[int] | None,
        *args: Any,
        offset: Sequence[int] | None = None,
    ) -> cl.Event | None:
        """Set the arguments and enqueue. Scalars are numpy scalars, as pyopencl wants them."""
        try:
            if len(args) != kernel.num_args:  # pyopencl would raise a TypeError, as for a mistake in the body
                raise Mismatch(f"enqueue: {kernel.function_name}: {kernel.num_args} arguments, and {len(args)} are set")
            kernel.set_args(*args)
            if not self.enqueues:
                return None
            event = cl.enqueue_nd_range_kernel(
                self.queue,
                kernel,
                tuple(global_size),
                tuple(local_size) if local_size else None,
                tuple(offset) if offset else None,
            )
            if not self.executes:
                _submit(self.queue, self.completes)
                if (status := event.command_execution_status) < 0:
                    raise Mismatch(f"enqueue: {kernel.function_name}: the launch: {code_name(status)}")
            return event
        except cl.Error as error:
            raise Mismatch(f"enqueue: {kernel.function_name}: {error_name(error)}") from error

    def read(self, source: cl.Buffer, dtype: DTypeLike, shape: int | Sequence[int]) -> NDArray[Any]:
        """Wait, and copy a buffer from its start into a new array."""
        out = np.empty(shape, dtype=dtype)
        self.copy(out, source)
        return out

    def read_image(
        self, source: cl.Image, dtype: DTypeLike, shape: Sequence[int], origin: Sequence[int], region: Sequence[int]
    ) -> NDArray[Any]:
        """Wait, and copy a region of an image into a new array; `shape` has the channels last."""
        out = np.empty(shape, dtype=dtype)
        self.copy(out, source, origin=tuple(origin), region=tuple(region))
        return out

    def copy(self, target: Any, source: Any, **where: Any) -> None:
        """pyopencl's `enqueue_copy` (any transfer), waited for."""
        if not self.executes:
            if isinstance(source, np.ndarray):
                return  # an upload: no kernel will look at it
            raise Compiled
        try:
            cl.enqueue_copy(self.queue, target, source, **where)
            self.queue.finish()
        except cl.Error as error:
            raise Mismatch(f"enqueue: copy: {error_name(error)}") from error


def error_name(error: cl.Error) -> str:
    """The specification's name of the code that a pyopencl error carries, as CL_INVALID_VALUE."""
    return code_name(error.code)


def code_name(code: int) -> str:
    """The specification's name of an error code."""
    codes: Any = cl.status_code
    return f"CL_{codes.to_string(code, 'code %d')}"


def first_error(log: str) -> str:
    """The line of a build log that says most: the first error without its place, else the first line."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    for line in lines:
        found = re.search(r"\b(?:fatal )?error: (.*)|(Unresolved external.*)", line)
        if "not fully linked" in line and not (found and found.start() == 0):
            return line
        if found:
            return found.group(1) or found.group(2)
    return lines[0] if lines else "no log"


def open_tinygrad(expected: str, executes: bool, enqueues: bool = True, completes: bool = False) -> Any:
    """Import tinygrad on its CL back end and prove that it drives the device named `expected`.

    The launcher sets the variable that chooses the back end, and the cache variables. A wrong variable makes tinygrad pick
    another device silently, so both its choice and the device's name are checked (else
    `check.NothingTested`). The driver's compiler and launch errors come out as `Mismatch`, like pyopencl's.
    """
    import tinygrad.device

    chosen = tinygrad.device.Device.DEFAULT
    backend = opencl_backend(tinygrad)
    if not executes:
        _compile_alone(backend, enqueues, completes)
    opened: Any = tinygrad.device.Device[chosen]
    drives = opened.device_name if chosen in ("CL", "GPU") else "no OpenCL"
    if expected != drives:
        raise NothingTested(f"tinygrad drives {chosen}, {drives}, not {expected}; the launcher sets what chooses it")
    tap.follow(backend, tap.TINYGRAD)
    _wrap(backend.CLCompiler, "compile", "build")
    _wrap(backend.CLProgram, "__init__", "build")
    _wrap(backend.CLProgram, "__call__", "enqueue")
    return tinygrad


def opencl_backend(tinygrad: Any) -> Any:
    """The module of tinygrad's OpenCL back end: ops_cl, and before 0.12 ops_gpu."""
    return import_module(f"tinygrad.runtime.ops_{tinygrad.Device.DEFAULT.lower()}")


def _submit(queue: cl.CommandQueue, completes: bool) -> None:
    """Wait until the driver has all of a queue, but not for its end, which no shim promises.

    Rusticl launches after a flush, in its own thread: there the driver's code of the launch is reached, and on zink the
    Vulkan driver's compiler.
    """
    if completes:
        queue.finish()
        return
    marker = cl.enqueue_marker(queue)
    queue.flush()
    while marker.command_execution_status == cl.command_execution_status.QUEUED:
        time.sleep(0.001)


def _compile_alone(ops_cl: Any, enqueues: bool, completes: bool) -> None:
    """Have tinygrad's CL back end build its kernels and launch them, and end the case if it wants a result."""
    if not hasattr(ops_cl, "CLProgram"):
        return  # not the CL back end, which is refused in a moment
    call, create_queue = ops_cl.CLProgram.__call__, ops_cl.cl.clCreateCommandQueue

    def launch(self: Any, *args: Any, wait: bool = False, **kwargs: Any) -> float | None:
        if enqueues:
            call(self, *args, **kwargs)
            _submit(cl.CommandQueue.from_int_ptr(ctypes.cast(self.dev.queue, ctypes.c_void_p).value), completes)
        return 1.0 if wait else None  # s: one time for all, so that a search goes through its candidates

    def end(*_: Any, **__: Any) -> None:
        check.true("its kernels can be created", True, stage="build")
        raise Compiled

    ops_cl.CLProgram.__call__ = launch
    ops_cl.CLAllocator._copyin = lambda *_: None
    ops_cl.CLAllocator._copyout = end
    # A shim never writes the time stamps that a queue with profiling waits for.
    ops_cl.cl.clCreateCommandQueue = lambda context, device, _, status: create_queue(context, device, 0, status)


def _wrap(owner: type, name: str, stage: str) -> None:
    inner = getattr(owner, name)

    def outer(*args: Any, **kwargs: Any) -> Any:
        try:
            return inner(*args, **kwargs)
        except Mismatch:
            raise
        except Exception as error:
            raise Mismatch(f"{stage}: {first_error(str(error))}") from error

    setattr(owner, name, outer)
