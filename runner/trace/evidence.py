"""Records what a case does on the device, for runner/records/evidence.py: through pyopencl, ctypes and tinygrad.

Imported only in the child, if an attempt is to be recorded. The device is asked for nothing: there is no read or wait that
the case does not make itself, and no handle is kept, because some cases are about lifetimes.
"""

from __future__ import annotations

import ctypes
import itertools
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from runner import tap
from runner.check import Mismatch
from runner.launches import Argument, arguments_of, buffer_name, buffer_size, launch_of
from runner.records.evidence import (
    ApiCall,
    Build,
    Event,
    HostData,
    KernelArgument,
    KernelLaunch,
    LeftOut,
    Return,
    format_event,
)
from runner.trace.wrong_elements import tabulate

# The first events, and the last ones: what comes between is counted.
_FIRST_BYTES, _LAST_BYTES = 160 << 10, 96 << 10
_TEXT_CHARS = 24 << 10  # of a source, a log
HEAD_BYTES = 64  # of a buffer
_MOST_ARGUMENTS, _MOST_ITEMS, _WORD_CHARS = 128, 16, 200


class EvidenceFile:
    """Events that are written to a file at once, so that they are there even if the process is killed in the next moment."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        self._first = 0  # bytes
        self._last: deque[bytes] = deque()
        self._left_out = 0

    def write(self, event: Event) -> None:
        """Append an event; if there is no room, leave out the oldest that is not among the first."""
        line = format_event(event).encode()
        if not self._last and self._first + len(line) <= _FIRST_BYTES:
            self._first += len(line)
            os.write(self._fd, line)
            return
        self._last.append(line)
        if sum(map(len, self._last)) <= _LAST_BYTES:
            os.write(self._fd, line)
            return
        while len(self._last) > 1 and sum(map(len, self._last)) > _LAST_BYTES // 2:
            self._last.popleft()
            self._left_out += 1
        os.ftruncate(self._fd, self._first)
        os.lseek(self._fd, 0, os.SEEK_END)
        os.write(self._fd, format_event(LeftOut(self._left_out)).encode() + b"".join(self._last))

    def close(self) -> None:
        """Stop writing."""
        os.close(self._fd)


class EvidenceRecorder:
    """Writes the steps of one case into a file, while its block lasts: those of tinygrad, and calls by ctypes."""

    def __init__(self, path: Path) -> None:
        self._file = EvidenceFile(path)
        self._steps = itertools.count(1)
        self._counts: dict[str, Iterator[int]] = {}
        self._names: dict[int | str, str] = {}  # by handle, which a later object may reuse, or by tinygrad's own name
        self._sources: dict[str, str] = {}  # of tinygrad: its program

    @contextmanager
    def recording(self) -> Iterator[EvidenceRecorder]:
        """Record what is done in the block."""
        listeners: dict[str, tap.Listener] = {
            "CLCompiler.compile": self._compile,
            "CLProgram.__call__": self._run,
            "CLAllocator._copyin": self._upload,
            tap.CTYPES: self._call,
        }
        try:
            with tap.listening(listeners):
                yield self
        finally:
            self._file.close()

    def write(self, event: Event) -> None:
        """Write an event that is not a step."""
        self._file.write(event)

    def explain(self, error: Mismatch) -> None:
        """Write the table of the comparison that failed. A mistake in this code is not a failure of the case."""
        try:
            table = tabulate(error)
        except Exception as slip:
            print(f"the wrong elements: {type(slip).__name__}: {slip}")
            return
        if table:
            self.write(table)

    def step(
        self, event: Build | KernelLaunch | ApiCall, describe: Callable[[Any], Sequence[str]] = lambda _: ()
    ) -> tap.Steps:
        """Write a step, and then its return: with the error that it raised, or with [error, log] from `describe`."""
        self.write(event)
        try:
            result = yield
        except Exception as error:
            log = cut(str(error)) if isinstance(event, Build) else ""
            self.write(Return(event.step, _error_name(error), log))
            raise
        self.write(Return(event.step, *map(cut, describe(result))))
        return result

    def write_earlier(self, name: str, source: str, language: str = "OpenCL C", log: str = "") -> None:
        """Write a program that an earlier case has built."""
        number = self.next_step()
        self.write(Build(number, name, source, language, earlier=True))
        self.write(Return(number, log=log))

    def next_step(self) -> int:
        """The number of a new step."""
        return next(self._steps)

    def new_name(self, kind: str, handle: int | str | None = None) -> str:
        """A name that no object of this case has; the handle's from now on."""
        name = f"{kind}{next(self._counts.setdefault(kind, itertools.count(1)))}"
        if handle is not None:
            self._names[handle] = name
        return name

    def rename(self, handle: int, name: str) -> None:
        """Give a handle another object's name."""
        self._names[handle] = name

    def name_of(self, kind: str, handle: int | str) -> str:
        """The name of an object, a new one if it is seen for the first time."""
        return self._names.get(handle) or self.new_name(kind, handle)

    def knows(self, handle: int) -> bool:
        """Whether an object has a name."""
        return handle in self._names

    def _compile(self, _: Any, source: str) -> tap.Steps:
        self._sources[source] = self.new_name("program")
        return self.step(Build(self.next_step(), self._sources[source], cut(source)))

    def _run(self, program: Any, *buffers: Any, **named: Any) -> tap.Steps:
        launch = launch_of(program, **named)
        try:
            arguments, handles = arguments_of(program, buffers, **named)
        except Exception as slip:  # our own mistake, not the case's
            print(f"evidence: {type(slip).__name__}: {slip}")
            arguments, handles = (), {}
        if launch.source not in self._sources:
            self._sources[launch.source] = self.new_name("program")
            self.write_earlier(self._sources[launch.source], cut(launch.source))
        sizes = {name: buffer_size(handle) for name, handle in handles.items()}
        shown = tuple(self._argument(a, sizes) for a in arguments[:_MOST_ARGUMENTS])
        sizes_in_items = launch.global_size, launch.local_size, None
        return self.step(KernelLaunch(self.next_step(), launch.name, self._sources[launch.source], *sizes_in_items, shown))

    def _upload(self, _: Any, to: Any, content: memoryview) -> None:
        name = self.name_of("buffer", buffer_name(to[0] if isinstance(to, tuple) else to))  # a tuple before 0.14
        self.write(HostData(name, content.nbytes, bytes(content.cast("B")[:HEAD_BYTES]).hex(), origin="copy"))

    def _call(self, function: str, *arguments: Any) -> tap.Steps:
        words = tuple(self._word(a) for a in arguments[:_MOST_ARGUMENTS])
        event = ApiCall(self.next_step(), function, words)
        return self.step(event, lambda result: [result[1] if isinstance(result, tuple) else result])

    def _argument(self, argument: Argument, sizes: Mapping[str, int]) -> KernelArgument:
        if not argument.buffer:
            return KernelArgument("value", dtype=argument.dtype, value=str(argument.value))
        kind, shape = ("image", " x ".join(map(str, argument.image))) if argument.image else ("buffer", "")
        return KernelArgument(kind, self.name_of("buffer", argument.buffer), sizes[argument.buffer], argument.dtype, shape)

    def _word(self, value: Any) -> str:
        """An argument of a call by ctypes."""
        value = getattr(value, "_obj", value)  # byref
        if isinstance(value, ctypes.Array) and value._type_ is not ctypes.c_char:
            more = ", ..." if len(value) > _MOST_ITEMS else ""
            return f"[{', '.join(self._word(each) for each in value[:_MOST_ITEMS])}{more}]"
        if isinstance(value, ctypes.Structure):
            return "{" + ", ".join(f"{name} {self._word(getattr(value, name))}" for name, *_ in value._fields_) + "}"
        value = getattr(value, "value", value)
        if isinstance(value, int):
            return self._names.get(value) or (hex(value) if value > 1 << 16 else str(value))
        return "NULL" if value is None else cut(plain(value), _WORD_CHARS)


def cut(text: str, most: int = _TEXT_CHARS) -> str:
    """The beginning of a text that is too long."""
    return text if len(text) <= most else f"{text[:most]}\n[... {len(text) - most} characters left out ...]"


def plain(value: Any) -> str:
    """Text, or bytes as text."""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def _error_name(error: Exception) -> str:
    if isinstance(getattr(error, "code", None), int):
        from runner.device import error_name

        return error_name(error)  # only pyopencl's errors have a code
    return cut((str(error).strip() or type(error).__name__).split("\n", 1)[0], _WORD_CHARS)
