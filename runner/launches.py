"""tinygrad's launches on the device under test: recorded in every case, examined only when a case has failed.

Imported only in the child. Releases before 0.14 do not offer all of it: `observe` raises LookupError there.
"""

import ctypes
import importlib
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import tap

KEPT = 512  # launches that a case's log can list
_PRINTED_BYTES = 48 << 10  # of source; the supervisor keeps 256 KiB of a case's output
_MEM_SIZE = 0x1102  # CL_MEM_SIZE


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as OpenCL gets it: a buffer by its name, an image over one, or a number."""

    dtype: str  # tinygrad's name of the element's type
    buffer: str = ""
    image: tuple[int, ...] = ()  # (height, width, 4) if the kernel sees an RGBA image
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


_recent: deque[tuple[Any, Any, Any]] = deque(maxlen=KEPT)
_total = 0
_texts: weakref.WeakKeyDictionary[Any, tuple[str, str]] = weakref.WeakKeyDictionary()  # program: name, source
_sources: dict[bytes, str] = {}  # by binary, for the releases whose programs are made from the binary only
_refused = ""  # the source whose compilation has not returned


def forget() -> None:
    """Forget the launches of the case before."""
    global _total, _refused
    _recent.clear()
    _total, _refused = 0, ""


def _compile(_: Any, source: str) -> tap.Steps:
    global _refused
    _refused = source
    binary = yield
    _refused = ""
    _sources[binary] = source


def _load(program: Any, _: Any, *given: Any, **named: Any) -> tap.Steps:
    yield
    first: Any = given[0] if given else named.get("obj", named.get("name"))
    if isinstance(first, str):  # 0.12, 0.13: name, binary
        _texts[program] = first, _sources.get(given[1] if len(given) > 1 else named["lib"], "")
    else:
        _texts[program] = first.name, first.lib.decode()


def _run(program: Any, *_: Any, global_size: Any = (1, 1, 1), local_size: Any = None, **__: Any) -> None:
    global _total
    _total += 1
    _recent.append((program, global_size, local_size))  # a reference, no copy


tap.listen({"CLCompiler.compile": _compile, "CLProgram.__init__": _load, "CLProgram.__call__": _run})


def count() -> int:
    """Launches since `forget`."""
    return _total


def refused() -> str:
    """The source whose compilation did not return; "" for none."""
    return _refused


def recent() -> list[Launch]:
    """The last launches since `forget`, at most KEPT."""
    return [launch_of(*launch) for launch in _recent]


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
def observe(
    seen: Callable[[Observed], None],
    launching: Callable[[Launch, Sequence[Argument], Mapping[str, NDArray[np.uint8]]], None] = lambda *_: None,
) -> Iterator[None]:
    """Call `seen` with every launch of the block, and the contents of its buffers before and after it.

    `launching` is called before the launch, which may end the process. Waits for each launch. Kernels that tinygrad times
    (BEAM) are not observed. Raises LookupError on a release that does not name a program's schedule item.
    """
    realize: Any = importlib.import_module("tinygrad.engine.realize")
    if not all(hasattr(realize, name) for name in ("_compile_kernel", "get_runtime", "to_program_cache")):
        raise LookupError("this release of tinygrad does not record which kernel a program was made of")
    kernels: dict[Any, Any] = {}  # the program's own form of a kernel: the schedule item
    programs: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
    lower, get = realize._compile_kernel, realize.get_runtime

    def lowered(item: Any) -> Any:
        number, program = lower(item)
        kernels[program.src[0]] = item[1][0]
        return number, program

    def got(device: str, program: Any, *args: Any, **kwargs: Any) -> Any:
        runtime = get(device, program, *args, **kwargs)
        programs[runtime] = program
        return runtime

    def run(runtime: Any, *buffers: Any, wait: bool = False, **named: Any) -> tap.Steps:
        program = programs.get(runtime)
        if wait or program is None:
            yield
            return
        launch, (arguments, handles) = launch_of(runtime, **named), arguments_of(runtime, buffers, **named)
        before = {name: _read(runtime.dev, handle) for name, handle in handles.items()}
        launching(launch, arguments, before)
        yield
        after = {name: _read(runtime.dev, handle) for name, handle in handles.items()}
        names = (variable.expr for variable in program.arg.vars)
        variables = dict(zip(names, named.get("vals", ()), strict=False))
        seen(Observed(launch, kernels.get(program.src[0]), variables, arguments, before, after))

    realize.to_program_cache.clear()  # so that each kernel of the block comes by `lowered`
    realize._compile_kernel, realize.get_runtime = lowered, got
    try:
        with tap.listening({"CLProgram.__call__": run}):
            yield
    finally:
        realize._compile_kernel, realize.get_runtime = lower, get


def launch_of(program: Any, global_size: Any = (1, 1, 1), local_size: Any = None, **_: Any) -> Launch:
    """The launch that a call of a program makes."""
    name, source = _texts.get(program, ("?", ""))
    if local_size is not None:  # tinygrad counts groups then
        global_size = [g * n for g, n in zip(global_size, local_size, strict=True)]
    return Launch(name, source, tuple(map(int, global_size)), tuple(map(int, local_size)) if local_size else None)


def arguments_of(
    program: Any, buffers: Sequence[Any], vals: Sequence[int] = (), **_: Any
) -> tuple[tuple[Argument, ...], dict[str, Any]]:
    """The arguments in order, and the buffers' handles by name; one buffer that is given twice has one name."""
    arguments, handles = [], {}
    for _, slot, dtype, shape in getattr(program, "signature", ()):  # of 0.14 and later
        kind = np.dtype(dtype.fmt).name if dtype.fmt else {"__bf16": "bfloat16"}.get(dtype.name, dtype.name)
        if slot >= len(buffers):
            arguments.append(Argument(f"int{dtype.bitsize}", value=int(vals[slot - len(buffers)])))
            continue
        name = buffer_name(buffers[slot])
        handles[name] = buffers[slot]
        image = tuple(map(int, shape)) if shape is not None and len(shape) == 3 and shape[-1] == 4 else ()
        arguments.append(Argument(kind, name, image))
    return tuple(arguments), handles


def buffer_name(handle: Any) -> str:
    """The name of a buffer of tinygrad's."""
    return f"buffer{ctypes.cast(handle, ctypes.c_void_p).value:x}"


def buffer_size(handle: Any) -> int:
    """In bytes."""
    cl: Any = sys.modules["tinygrad.runtime.autogen.opencl"]
    size = ctypes.c_size_t()
    cl.clGetMemObjectInfo(handle, _MEM_SIZE, ctypes.sizeof(size), ctypes.byref(size), None)
    return size.value


def _read(device: Any, handle: Any) -> NDArray[np.uint8]:
    out = np.empty(buffer_size(handle), np.uint8)
    device.allocator._copyout(out.data, handle)
    return out
