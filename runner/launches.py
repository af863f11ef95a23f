"""tinygrad's launches on the device under test: recorded in every case, examined only when a case has failed.

What is done past `Device`, by tinygrad and by calls through ctypes, is reported to `listener` if there is one.

Imported in the child alone. Releases before 0.14 do not offer all of it: `observe` raises LookupError there.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

KEPT = 512  # launches that a case's log can tell of
_PRINTED_BYTES = 48 << 10  # of source; the supervisor keeps 256 KiB of a case's output
_MEM_SIZE = 0x1102  # CL_MEM_SIZE


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as OpenCL gets it: a buffer by its name, an image over one, or a number."""

    dtype: str  # tinygrad's name of the element's type
    buffer: str = ""
    image: tuple[int, ...] = ()  # (height, width, 4) where the kernel sees an RGBA image
    value: int = 0


@dataclass(frozen=True, slots=True)
class Launch:
    """One kernel as it was launched. `local_size` is None if the driver chooses; sizes are in work-items."""

    name: str
    source: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None

    @property
    def sizes(self) -> str:
        """The global and the local size, for people."""
        return f"global {self.global_size}, local {self.local_size}"


@dataclass(frozen=True, slots=True)
class Observed:
    """A launch with the contents of its buffers before and after it, in the order of its arguments.

    `kernel` is tinygrad's schedule item, from which any of its devices makes the same kernel; None if it has none
    (written by hand). `variables` are the bound symbolic values.
    """

    launch: Launch
    kernel: Any
    variables: Mapping[str, int]
    arguments: tuple[Argument, ...]
    before: Mapping[str, NDArray[np.uint8]]
    after: Mapping[str, NDArray[np.uint8]]


@dataclass(slots=True)
class Stage:
    """What to call before a step that may end the process: a compilation, a launch; None: nothing."""

    compiling: Callable[[str], None] | None = None
    launching: Callable[[Launch, tuple[Argument, ...], Mapping[str, NDArray[np.uint8]]], None] | None = None


class Listener(Protocol):
    """Hears of each step before it is made; the block of its context manager is the step."""

    def compiling(self, source: str) -> AbstractContextManager[Any]:
        """A kernel of tinygrad's is compiled."""

    def launching(
        self, launch: Launch, arguments: Sequence[Argument], sizes: Mapping[str, int]
    ) -> AbstractContextManager[Any]:
        """A kernel of tinygrad's is launched; `sizes` are those of its buffers, in bytes."""

    def copying(self, buffer: str, content: memoryview) -> None:
        """The host's data are copied into a buffer of tinygrad's."""

    def calling(self, function: str, arguments: Sequence[Any]) -> AbstractContextManager[list[str]]:
        """A function is called by ctypes; the block leaves the name of its error in the list."""


listener: Listener | None = None
_recent: deque[tuple[Any, Any, Any]] = deque(maxlen=KEPT)
_total = 0
_texts: weakref.WeakKeyDictionary[Any, tuple[str, str]] = weakref.WeakKeyDictionary()  # program: name, source
_sources: dict[bytes, str] = {}  # by binary, for the releases whose programs are made of that only
_refused = ""  # the source that the compiler has taken and not given back


def forget() -> None:
    """Forget the launches of the case before."""
    global _total, _refused
    _recent.clear()
    _total, _refused = 0, ""


def remember(backend: Any) -> None:
    """Make tinygrad's CL back end, a module, record every program and launch: a reference, no copy.

    Call it before anything else wraps these methods; it costs a microsecond a launch.
    """
    init, call, compile_ = (backend.CLProgram.__init__, backend.CLProgram.__call__, backend.CLCompiler.compile)
    copy = backend.CLAllocator._copyin

    def compiled(self: Any, source: str) -> bytes:
        global _refused
        _refused = source
        with listener.compiling(source) if listener else nullcontext():
            binary: bytes = compile_(self, source)
        _refused = ""
        _sources[binary] = source
        return binary

    def initialised(self: Any, device: Any, *args: Any, **kwargs: Any) -> None:
        init(self, device, *args, **kwargs)
        first: Any = args[0] if args else kwargs.get("obj", kwargs.get("name"))
        if isinstance(first, str):  # 0.12, 0.13: name, binary
            _texts[self] = first, _sources.get(args[1] if len(args) > 1 else kwargs["lib"], "")
        else:
            _texts[self] = first.name, first.lib.decode()

    def called(self: Any, *buffers: Any, **kwargs: Any) -> Any:
        global _total
        _total += 1
        launched = (self, kwargs.get("global_size", (1, 1, 1)), kwargs.get("local_size"))
        _recent.append(launched)
        if not listener:
            return call(self, *buffers, **kwargs)
        try:
            arguments, handles = _arguments(self, buffers, kwargs.get("vals", ()))
        except Exception as slip:  # of ours: no failure of the case
            print(f"evidence: {type(slip).__name__}: {slip}")
            arguments, handles = (), {}
        with listener.launching(_launch(*launched), arguments, {name: _size(h) for name, h in handles.items()}):
            return call(self, *buffers, **kwargs)

    def copied(self: Any, dest: Any, src: memoryview) -> None:
        if listener:
            listener.copying(_name(dest[0] if isinstance(dest, tuple) else dest), src)  # a tuple before 0.14
        copy(self, dest, src)

    backend.CLAllocator._copyin = copied
    backend.CLCompiler.compile = compiled
    backend.CLProgram.__init__, backend.CLProgram.__call__ = initialised, called


def watched(function: str, arguments: Sequence[Any]) -> AbstractContextManager[list[str]]:
    """The block of a call by ctypes, which leaves the name of its error in the list."""
    return listener.calling(function, arguments) if listener else nullcontext([])


def count() -> int:
    """Launches since `forget`."""
    return _total


def refused() -> str:
    """The source whose compilation did not return; "" for none."""
    return _refused


def recent() -> list[Launch]:
    """The last launches since `forget`, at most KEPT."""
    return [_launch(*launch) for launch in _recent]


def describe() -> str:
    """The part of a failed case's log about its launches: each with its sizes, each kernel's source once, the last first."""
    launches = recent()
    first = _total - len(launches)
    lines = [f"kernel {first + i + 1} of {_total}: {x.name} {x.sizes}" for i, x in enumerate(launches)]
    if _refused:
        lines.append(f"the compiler refused, after {_total} launches:\n{_refused}")
    left = _PRINTED_BYTES
    for source in dict.fromkeys(x.source for x in reversed(launches)):
        if (left := left - len(source)) < 0:
            lines.append(f"[sources of earlier kernels left out: more than {_PRINTED_BYTES} bytes]")
            break
        lines.append(source)
    return "\n".join(lines)


@contextmanager
def observe(seen: Callable[[Observed], None], stage: Stage | None = None) -> Iterator[None]:
    """Call `seen` with every launch of the block, and the contents of its buffers before and after it.

    Waits for each launch. Kernels that tinygrad times (BEAM) are not observed. Raises LookupError on a release that does not
    name a program's schedule item.
    """
    realize: Any = importlib.import_module("tinygrad.engine.realize")
    if not all(hasattr(realize, name) for name in ("_compile_kernel", "get_runtime", "to_program_cache")):
        raise LookupError("this release of tinygrad does not record which kernel a program was made of")
    ops_cl: Any = importlib.import_module("tinygrad.runtime.ops_cl")
    stage = stage or Stage()
    kernels: dict[Any, Any] = {}  # the program's own form of a kernel: the schedule item
    programs: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
    lower, get = realize._compile_kernel, realize.get_runtime
    call, compile_ = ops_cl.CLProgram.__call__, ops_cl.CLCompiler.compile

    def lowered(item: Any) -> Any:
        number, program = lower(item)
        kernels[program.src[0]] = item[1][0]
        return number, program

    def got(device: str, program: Any, *args: Any, **kwargs: Any) -> Any:
        runtime = get(device, program, *args, **kwargs)
        programs[runtime] = program
        return runtime

    def compiled(self: Any, source: str) -> Any:
        if stage.compiling:
            stage.compiling(source)
        return compile_(self, source)

    def called(self: Any, *buffers: Any, **kwargs: Any) -> Any:
        program = programs.get(self)
        if kwargs.get("wait") or program is None:
            return call(self, *buffers, **kwargs)
        launch = _launch(self, kwargs.get("global_size", (1, 1, 1)), kwargs.get("local_size"))
        arguments, handles = _arguments(self, buffers, kwargs.get("vals", ()))
        before = {name: _read(self.dev, handle) for name, handle in handles.items()}
        if stage.launching:
            stage.launching(launch, arguments, before)
        result = call(self, *buffers, **kwargs)
        after = {name: _read(self.dev, handle) for name, handle in handles.items()}
        names = (variable.expr for variable in program.arg.vars)
        variables = dict(zip(names, kwargs.get("vals", ()), strict=False))
        seen(Observed(launch, kernels.get(program.src[0]), variables, arguments, before, after))
        return result

    realize.to_program_cache.clear()  # so that each kernel of the block comes by `lowered`
    realize._compile_kernel, realize.get_runtime = lowered, got
    ops_cl.CLProgram.__call__, ops_cl.CLCompiler.compile = called, compiled
    try:
        yield
    finally:
        realize._compile_kernel, realize.get_runtime = lower, get
        ops_cl.CLProgram.__call__, ops_cl.CLCompiler.compile = call, compile_


def _launch(program: Any, global_size: Any, local_size: Any) -> Launch:
    name, source = _texts.get(program, ("?", ""))
    if local_size is not None:  # tinygrad counts groups then
        global_size = [g * n for g, n in zip(global_size, local_size, strict=True)]
    return Launch(name, source, tuple(map(int, global_size)), tuple(map(int, local_size)) if local_size else None)


def _arguments(program: Any, buffers: Any, values: Any) -> tuple[tuple[Argument, ...], dict[str, Any]]:
    """The arguments in order, and the buffers' handles by name; one buffer that is given twice has one name."""
    arguments, handles = [], {}
    for _, slot, dtype, shape in getattr(program, "signature", ()):  # of 0.14 and later
        kind = np.dtype(dtype.fmt).name if dtype.fmt else {"__bf16": "bfloat16"}.get(dtype.name, dtype.name)
        if slot >= len(buffers):
            arguments.append(Argument(f"int{dtype.bitsize}", value=int(values[slot - len(buffers)])))
            continue
        name = _name(buffers[slot])
        handles[name] = buffers[slot]
        image = tuple(map(int, shape)) if shape is not None and len(shape) == 3 and shape[-1] == 4 else ()
        arguments.append(Argument(kind, name, image))
    return tuple(arguments), handles


def _name(handle: Any) -> str:
    return f"buffer{ctypes.cast(handle, ctypes.c_void_p).value:x}"


def _size(handle: Any) -> int:
    cl: Any = sys.modules["tinygrad.runtime.autogen.opencl"]
    size = ctypes.c_size_t()
    cl.clGetMemObjectInfo(handle, _MEM_SIZE, ctypes.sizeof(size), ctypes.byref(size), None)
    return size.value


def _read(device: Any, handle: Any) -> NDArray[np.uint8]:
    out = np.empty(_size(handle), np.uint8)
    device.allocator._copyout(out.data, handle)
    return out
