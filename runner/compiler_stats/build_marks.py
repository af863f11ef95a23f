"""Marks in a child's error output around each build, so that the listing of the driver's compiler can be separated.

    @@runner build                  a program goes to the compiler
    @@runner built {"source": ..., "compile_s": ...}      and its kernels are created
    @@runner kernel {"source": ..., "name": ..., "private_bytes": ..., "work_group_items": ...}
    @@runner made                   that is all
    @@runner refused                or it did not build

`source` is a digest of the program's text with its build options. Imported in the child alone, for --stats;
`runner.compiler_stats.listing` reads the lines.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pyopencl as cl

from runner.model import BUILD_MARK

_libc = ctypes.CDLL(None)
_LINE_BUFFERED = 1  # _IOLBF of glibc and musl
_announcing = False
_binaries: dict[bytes, str] = {}  # tinygrad makes its programs of these: the source's digest


def announce() -> None:
    """From now on, print the marks around every build by pyopencl and tinygrad."""
    global _announcing
    _announcing = True
    # Some compilers disassemble to stdout and write their statistics to stderr: in the order in which they were printed.
    _libc.setvbuf(ctypes.c_void_p.in_dll(_libc, "stdout"), None, _LINE_BUFFERED, ctypes.c_size_t(0))
    inner = cl.Program.build

    def build(self: cl.Program, *args: Any, **kwargs: Any) -> cl.Program:
        options = kwargs.get("options", args[0] if args else None) or ""
        with _building(lambda built: _digest(_text(built), str(options))) as done:
            built: cl.Program = inner(self, *args, **kwargs)
            done.append(built)
        with contextlib.suppress(cl.Error):  # a library has none
            for kernel in sorted(built.all_kernels(), key=lambda k: k.function_name):
                _describe(kernel, _digest(_text(built), str(options)))
        _say("made")
        return built

    cl.Program.build = build


def follow(backend: Any) -> None:
    """The same for tinygrad's CL back end, a module; does nothing unless `announce` was called.

    tinygrad builds each kernel twice, from source and from the resulting binary: only the first is marked.
    """
    if not _announcing:
        return
    compile_, init = backend.CLCompiler.compile, backend.CLProgram.__init__

    def compiled(self: Any, source: str) -> bytes:
        with _building(lambda _: _digest(source)) as done:
            done.append(binary := compile_(self, source))
        _binaries[binary] = _digest(source)
        return bytes(binary)

    def initialised(self: Any, *args: Any, **kwargs: Any) -> None:
        _say("build")  # of the binary, which is read by nobody
        try:
            init(self, *args, **kwargs)
        except BaseException:
            _say("refused")
            raise
        if handle := ctypes.cast(self.kernel, ctypes.c_void_p).value:
            _describe(cl.Kernel.from_int_ptr(handle), _binaries.get(self.lib, ""))
        _say("made")

    backend.CLCompiler.compile, backend.CLProgram.__init__ = compiled, initialised


@contextlib.contextmanager
def _building(digest: Callable[[Any], str]) -> Iterator[list[Any]]:
    """A build whose result the block puts into the list."""
    done: list[Any] = []
    _say("build")
    begun_s = time.monotonic()
    try:
        yield done
    finally:
        compile_s = time.monotonic() - begun_s
        if done:
            _say("built", source=digest(done[0]), compile_s=round(compile_s, 6))
        else:
            _say("refused")


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
