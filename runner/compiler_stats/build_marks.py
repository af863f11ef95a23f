"""Marks in a child's error output around each build, so that the listing of the driver's compiler can be separated.

    @@runner build                  a program goes to the compiler
    @@runner built {"source": ..., "compile_s": ...}      and its kernels are created
    @@runner kernel {"source": ..., "name": ..., "private_bytes": ..., "work_group_items": ...}
    @@runner made                   that is all
    @@runner refused                or it did not build

`source` is a digest of the program's text with its build options. Imported only in the child, for --stats;
`runner.compiler_stats.listing` reads the lines.
"""

import contextlib
import ctypes
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Generator
from typing import Any

import pyopencl as cl

from runner import tap
from runner.model import BUILD_MARK

_libc = ctypes.CDLL(None)
_LINE_BUFFERED = 1  # _IOLBF of glibc and musl
_binaries: dict[bytes, str] = {}  # tinygrad makes its programs of these: the source's digest


def announce() -> None:
    """From now on, print the marks around every build by pyopencl and tinygrad.

    tinygrad builds each kernel twice, from source and from the resulting binary: of the second nobody reads the listing.
    """
    # Some compilers disassemble to stdout and write their statistics to stderr: in the order in which they were printed.
    _libc.setvbuf(ctypes.c_void_p.in_dll(_libc, "stdout"), None, _LINE_BUFFERED, ctypes.c_size_t(0))
    tap.listen({"Program.build": _build, "CLCompiler.compile": _compile, "CLProgram.__init__": _load})


def _build(_: Any, options: Any = None, *__: Any, **___: Any) -> tap.Steps:
    built = yield from _marked(lambda built: _digest(_text(built), str(options or "")))
    with contextlib.suppress(cl.Error):  # a library has none
        for kernel in sorted(built.all_kernels(), key=lambda k: k.function_name):
            _describe(kernel, _digest(_text(built), str(options or "")))
    _say("made")


def _compile(_: Any, source: str) -> tap.Steps:
    binary = yield from _marked(lambda _: _digest(source))
    _binaries[binary] = _digest(source)


def _load(program: Any, *_: Any, **__: Any) -> tap.Steps:
    _say("build")
    try:
        yield
    except BaseException:
        _say("refused")
        raise
    if handle := ctypes.cast(program.kernel, ctypes.c_void_p).value:
        _describe(cl.Kernel.from_int_ptr(handle), _binaries.get(program.lib, ""))
    _say("made")


def _marked(digest: Callable[[Any], str]) -> Generator[None, Any, Any]:
    """A build, and what came of it."""
    _say("build")
    begun_s = time.monotonic()
    try:
        built = yield
    except BaseException:
        _say("refused")
        raise
    compile_s = time.monotonic() - begun_s
    _say("built", source=digest(built), compile_s=round(compile_s, 6))
    return built


def _describe(kernel: cl.Kernel, source: str) -> None:
    info = cl.kernel_work_group_info
    device = kernel.context.devices[0]
    _say(
        "kernel",
        source=source,
        name=kernel.function_name,
        private_bytes=kernel.get_work_group_info(info.PRIVATE_MEM_SIZE, device),
        work_group_items=kernel.get_work_group_info(info.WORK_GROUP_SIZE, device),
    )


def _text(program: cl.Program) -> str | bytes:
    """OpenCL C, else SPIR-V, else the binary that the program was made of."""
    for name in ("SOURCE", "IL", "BINARIES"):
        with contextlib.suppress(cl.Error, AttributeError):
            try:
                text: Any = program.get_info(getattr(cl.program_info, name))
            except UnicodeDecodeError as error:
                text = error.object  # SPIR-V, all of it: pyopencl takes each text for UTF-8
            if text:
                return b"".join(text) if isinstance(text, list) else text
    return ""


def _digest(text: str | bytes, options: str = "") -> str:
    own = text if isinstance(text, bytes) else text.encode()
    return hashlib.sha256(own + b"\0" + options.encode()).hexdigest()[:16]


def _say(event: str, **fields: Any) -> None:
    # What the driver printed through C so far must lie before this line, and nothing may split it.
    sys.stdout.flush()
    _libc.fflush(None)
    words = f"{BUILD_MARK}{event} {json.dumps(fields) if fields else ''}".rstrip()
    os.write(2, words.encode() + b"\n")
