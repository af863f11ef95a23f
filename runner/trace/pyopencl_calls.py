"""What a case asks pyopencl for, reported to an evidence recorder: through `Device`, and past it.

Imported in the child alone, where an attempt is to be recorded. Functions and methods are replaced, classes never: a program
asks whether a buffer is of its class, and derives from it. So a buffer that is not made by `Device.buffer` is named where it
is first used, what it was made of is not recorded, and one that has the handle of an earlier one has its name, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any, TypeVar

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner.check import show
from runner.device import Device
from runner.records.evidence import ApiCall, Build, HostData, KernelArgument, KernelLaunch
from runner.trace.evidence import HEAD_BYTES, EvidenceRecorder, cut, plain

T = TypeVar("T")
_SOURCES = (("OpenCL C", "SOURCE"), ("SPIR-V", "IL"), ("binary", "BINARIES"))
_MOST_HEX_BYTES = 4 << 10  # of a binary


class PyopenclCalls:
    """Puts functions of its own before those of pyopencl that make, fill and launch something."""

    def __init__(self, recorder: EvidenceRecorder) -> None:
        self._recorder = recorder
        self._arguments: dict[int, dict[int, KernelArgument]] = {}  # by the kernel's handle

    @contextmanager
    def recorded(self) -> Iterator[None]:
        """Record the calls of the block."""
        with ExitStack() as stack:
            for owner, name, wrapped in (
                (cl.Program, "build", self._building("")),
                (cl.Program, "compile", self._building("compile")),
                (cl, "link_program", self._linking),
                (cl.Kernel, "set_args", self._setting_all),
                (cl.Kernel, "set_arg", self._setting_one),
                (cl.Kernel, "__call__", self._calling),
                (Device, "buffer", self._creating),
                (cl, "enqueue_nd_range_kernel", self._enqueueing),
                (cl, "enqueue_copy", self._copying),
                (cl, "enqueue_fill_buffer", self._filling),
            ):
                inner = getattr(owner, name)
                stack.callback(setattr, owner, name, inner)
                setattr(owner, name, wraps(inner)(wrapped(inner)))
            yield

    def _building(self, kind: str) -> Callable[[Any], Any]:
        def wrapped(inner: Any) -> Any:
            def build(program: Any, options: Any = None, *args: Any, **more: Any) -> Any:
                return self._build(program, kind, options, lambda: inner(program, options, *args, **more) or program)

            return build

        return wrapped

    def _linking(self, inner: Any) -> Any:
        def link_program(context: Any, programs: Any, options: Any = None, *args: Any, **more: Any) -> Any:
            return self._build(programs, "link", options, lambda: inner(context, programs, options, *args, **more))

        return link_program

    def _setting_all(self, inner: Any) -> Any:
        def set_args(kernel: Any, *values: Any) -> None:
            self._arguments[kernel.int_ptr] = {n: self._argument(value) for n, value in enumerate(values)}
            inner(kernel, *values)

        return set_args

    def _setting_one(self, inner: Any) -> Any:
        def set_arg(kernel: Any, index: int, value: Any) -> None:
            self._arguments.setdefault(kernel.int_ptr, {})[index] = self._argument(value)
            inner(kernel, index, value)

        return set_arg

    def _calling(self, inner: Any) -> Any:
        def __call__(kernel: Any, queue: Any, sizes: Any, local: Any, *values: Any, **more: Any) -> Any:
            self._arguments[kernel.int_ptr] = {n: self._argument(value) for n, value in enumerate(values)}
            with self._recorder.step(self._launch(kernel, sizes, local, more.get("global_offset"))):
                return inner(kernel, queue, sizes, local, *values, **more)

        return __call__

    def _enqueueing(self, inner: Any) -> Any:
        def enqueue(queue: Any, kernel: Any, sizes: Any, local: Any, offset: Any = None, *args: Any, **more: Any) -> Any:
            with self._recorder.step(self._launch(kernel, sizes, local, more.get("global_work_offset", offset))):
                return inner(queue, kernel, sizes, local, *([offset] if offset is not None or args else []), *args, **more)

        return enqueue

    def _creating(self, inner: Any) -> Any:
        def buffer(device: Device, content: NDArray[Any] | int) -> cl.Buffer:
            made = inner(device, content)
            self._recorder.new_name("buffer", made.int_ptr)
            if isinstance(content, np.ndarray):
                self._put(made, content, "create")
            return made

        return buffer

    def _copying(self, inner: Any) -> Any:
        def enqueue_copy(queue: Any, dest: Any, src: Any, **more: Any) -> Any:
            if isinstance(src, np.ndarray):
                self._put(dest, src, "copy")
                return inner(queue, dest, src, **more)
            into = f"{dest.nbytes} bytes" if isinstance(dest, np.ndarray) else self._name(dest)
            with self._recorder.step(ApiCall(self._recorder.next_step(), "enqueue_copy", (self._name(src), into))):
                return inner(queue, dest, src, **more)

        return enqueue_copy

    def _filling(self, inner: Any) -> Any:
        def enqueue_fill_buffer(queue: Any, buffer: Any, pattern: Any, *args: Any, **more: Any) -> Any:
            self._put(buffer, pattern, "fill")
            return inner(queue, buffer, pattern, *args, **more)

        return enqueue_fill_buffer

    def _build(self, program: Any, kind: str, options: Any, act: Callable[[], Any]) -> Any:
        """Make a program as `act` does: build, compile, link, or, if it is built already, nothing."""
        parts = "\n".join(map(self._name, program)) if kind == "link" else ""
        language, source = ("objects", parts) if kind == "link" else _describe(("unknown", ""), lambda: _source_of(program))
        words = options if isinstance(options, str) else _describe("", lambda: " ".join(map(plain, options or ())))
        name = self._recorder.new_name("program")
        step = self._recorder.next_step()
        with self._recorder.step(
            Build(step, name, source, language, f"{kind} {words}".strip(), earlier=kind == "earlier")
        ) as outcome:
            built = act()
            outcome += ["", _describe("", lambda: _log_of(built))]
        self._recorder.rename(built.int_ptr, name)
        return built

    def _launch(self, kernel: Any, sizes: Any, local: Any, offset: Any) -> KernelLaunch:
        program = _describe("an unknown program", lambda: self._program_of(kernel))
        held = self._arguments.get(kernel.int_ptr, {})
        return KernelLaunch(
            self._recorder.next_step(),
            _describe("unknown", lambda: str(kernel.function_name)),
            program,
            _sizes(sizes) or (),
            _sizes(local),
            _sizes(offset),
            tuple(held[n] for n in sorted(held)),
        )

    def _program_of(self, kernel: Any) -> str:
        """The name of a kernel's program, which some implementations do not give any more when it was released."""
        program = kernel.program
        if not self._recorder.knows(program.int_ptr):
            self._build(program, "earlier", "", lambda: program)
        return self._name(program)

    def _put(self, target: Any, content: Any, origin: str) -> None:
        """Record what the host puts into a buffer or an image."""
        _describe(None, lambda: self._write_data(target, np.asarray(content), origin))

    def _write_data(self, target: Any, array: NDArray[Any], origin: str) -> None:
        head = array.ravel()[: max(1, HEAD_BYTES // max(1, array.itemsize))].tobytes()[:HEAD_BYTES].hex()
        shape = tuple(map(int, array.shape))
        self._recorder.write(HostData(self._name(target), array.nbytes, head, array.dtype.name, shape, origin))

    def _name(self, thing: Any) -> str:
        kind = type(thing).__name__.lstrip("_").lower()
        handle = getattr(thing, "int_ptr", None)
        return kind if handle is None else self._recorder.name_of(kind, handle)

    def _argument(self, value: Any) -> KernelArgument:
        return _describe(KernelArgument("unknown"), lambda: self._describe_argument(value))

    def _describe_argument(self, value: Any) -> KernelArgument:
        if value is None:
            return KernelArgument("null")
        if isinstance(value, np.generic | np.ndarray):
            number = isinstance(value, np.generic) and value.dtype.kind in "iufb"
            shown = show(value) if number else value.tobytes()[:HEAD_BYTES].hex()
            return KernelArgument("value", bytes=value.nbytes, dtype=value.dtype.name, value=shown)
        if isinstance(value, cl.LocalMemory):
            return KernelArgument("local", bytes=int(value.size))
        kind = type(value).__name__.lower()
        return KernelArgument(kind, self._name(value), int(value.size) if kind == "buffer" else 0)


def _describe(otherwise: T, how: Callable[[], T]) -> T:
    """What `how` makes of somebody's objects. What it raises must not reach the case, whose verdict would be ours then."""
    try:
        return how()
    except Exception as slip:
        print(f"evidence: {type(slip).__name__}: {slip}")
        return otherwise


def _sizes(values: Sequence[Any] | None) -> tuple[int, ...] | None:
    none: tuple[int, ...] = ()
    return _describe(none, lambda: tuple(map(int, values))) if values is not None else None


def _source_of(program: Any) -> tuple[str, str]:
    """The language of a program, and its text."""
    if isinstance(text := getattr(program, "_source", None), str | bytes):  # has no handle yet
        return "OpenCL C", cut(plain(text))
    for language, query in _SOURCES:
        try:
            content = program.get_info(getattr(cl.program_info, query))
        except cl.Error:  # a program of another language has none
            continue
        except UnicodeDecodeError as error:  # pyopencl takes SPIR-V for text
            content = error.object
        content = content[0] if isinstance(content, list) and content else content
        if content and content != "\0":
            code = content.encode() if isinstance(content, str) else content
            return language, cut(plain(code)) if query == "SOURCE" else code[:_MOST_HEX_BYTES].hex()
    return "objects", ""


def _log_of(program: Any) -> str:
    try:
        devices = program.get_info(cl.program_info.DEVICES)
        return "\n".join(filter(None, (program.get_build_info(d, cl.program_build_info.LOG).strip() for d in devices)))
    except cl.Error:
        return ""
