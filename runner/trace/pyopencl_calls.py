"""A case's calls of pyopencl, reported to an evidence recorder: through `Device`, and past it.

Imported only in the child, if an attempt is to be recorded. A buffer that is not made by `Device.buffer` is named where
it is first used, what it was made of is not recorded, and one that has the handle of an earlier one has its name, too.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import tap
from runner.check import show
from runner.records.evidence import ApiCall, Build, HostData, KernelArgument, KernelLaunch
from runner.trace.evidence import HEAD_BYTES, EvidenceRecorder, cut, plain

T = TypeVar("T")
_SOURCES = (("OpenCL C", "SOURCE"), ("SPIR-V", "IL"), ("binary", "BINARIES"))
_MOST_HEX_BYTES = 4 << 10  # of a binary


class PyopenclCalls:
    """Listens for the objects that pyopencl makes, fills and launches."""

    def __init__(self, recorder: EvidenceRecorder) -> None:
        self._recorder = recorder
        self._arguments: dict[int, dict[int, KernelArgument]] = {}  # by the kernel's handle

    def recorded(self) -> AbstractContextManager[None]:
        """Record the calls of the block."""
        return tap.listening(
            {
                "Program.build": self._build,
                "Program.compile": partial(self._build, kind="compile"),
                "link_program": self._link,
                "Kernel.set_args": self._set_all,
                "Kernel.set_arg": self._set_one,
                "Kernel.__call__": self._call,
                "Device.buffer": self._create,
                "enqueue_nd_range_kernel": self._enqueue,
                "enqueue_copy": self._copy,
                "enqueue_fill_buffer": lambda _, buffer, pattern, *__, **___: self._put(buffer, pattern, "fill"),
            }
        )

    def _build(self, program: Any, options: Any = None, *_: Any, kind: str = "", **__: Any) -> tap.Steps:
        language, source = _describe(("unknown", ""), lambda: _source_of(program))
        return self._make(program, source, language, f"{kind} {_words(options)}")

    def _link(self, _: Any, programs: Any, options: Any = None, *__: Any, **___: Any) -> tap.Steps:
        return self._make(None, "\n".join(map(self._name, programs)), "objects", f"link {_words(options)}")

    def _make(self, program: Any, source: str, language: str, options: str) -> tap.Steps:
        name = self._recorder.new_name("program")
        event = Build(self._recorder.next_step(), name, source, language, options.strip())
        # The compiled object is not returned.
        made = yield from self._recorder.step(event, lambda made: ["", _describe("", lambda: _log_of(made or program))])
        self._recorder.rename((made or program).int_ptr, name)

    def _set_all(self, kernel: Any, *values: Any) -> None:
        self._arguments[kernel.int_ptr] = {n: self._argument(value) for n, value in enumerate(values)}

    def _set_one(self, kernel: Any, index: int, value: Any) -> None:
        self._arguments.setdefault(kernel.int_ptr, {})[index] = self._argument(value)

    def _call(self, kernel: Any, _: Any, sizes: Any, local: Any, *values: Any, **more: Any) -> tap.Steps:
        self._set_all(kernel, *values)
        return self._recorder.step(self._launch(kernel, sizes, local, more.get("global_offset")))

    def _enqueue(self, _: Any, kernel: Any, sizes: Any, local: Any, offset: Any = None, *__: Any, **more: Any) -> tap.Steps:
        return self._recorder.step(self._launch(kernel, sizes, local, more.get("global_work_offset", offset)))

    def _create(self, _: Any, content: NDArray[Any] | int) -> tap.Steps:
        made = yield
        self._recorder.new_name("buffer", made.int_ptr)
        if isinstance(content, np.ndarray):
            self._put(made, content, "create")

    def _copy(self, _: Any, dest: Any, src: Any, **__: Any) -> tap.Steps | None:
        if isinstance(src, np.ndarray):
            self._put(dest, src, "copy")
            return None
        into = f"{dest.nbytes} bytes" if isinstance(dest, np.ndarray) else self._name(dest)
        return self._recorder.step(ApiCall(self._recorder.next_step(), "enqueue_copy", (self._name(src), into)))

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
        """The name of a kernel's program, which some implementations no longer give after its release."""
        program = kernel.program
        if not self._recorder.knows(program.int_ptr):
            self._recorder.rename(program.int_ptr, name := self._recorder.new_name("program"))
            language, source = _describe(("unknown", ""), lambda: _source_of(program))
            self._recorder.write_earlier(name, source, language, log=_describe("", lambda: _log_of(program)))
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
    """What `how` makes of objects of the case. What it raises must not reach the case: it would change the verdict."""
    try:
        return how()
    except Exception as slip:
        print(f"evidence: {type(slip).__name__}: {slip}")
        return otherwise


def _words(options: Any) -> str:
    return options if isinstance(options, str) else _describe("", lambda: " ".join(map(plain, options or ())))


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
        except UnicodeDecodeError as error:  # pyopencl decodes SPIR-V as text
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
