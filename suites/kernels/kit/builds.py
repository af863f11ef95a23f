"""clBuildProgram, clCompileProgram and clLinkProgram without pyopencl, which adds options, and whose failed link corrupts
the heap if a program comes with the error.
"""

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.check import Mismatch
from runner.device import Device, first_error

from .opencl import call, create, handles

NONE, ERROR, SUCCESS = -1, -2, 0  # CL_PROGRAM_BUILD_STATUS


def options_of(options: str | None) -> Any:
    """Options as a C string; None is NULL."""
    return 0 if options is None else options.encode()


def source(device: Device, text: str) -> cl.Program:
    """A program from OpenCL C. It is created at once, not at its first use as pyopencl's."""
    return cl.Program(cl._cl._Program(device.context, text))


def build(device: Device, program: cl.Program, options: str | None = None) -> str:
    """Call clBuildProgram for the device; returns the error's name."""
    return call("clBuildProgram", program.int_ptr, 1, handles([device.device]), options_of(options), 0, 0)


def compile_(
    device: Device, program: cl.Program, options: str | None = None, headers: Mapping[str, str] | None = None
) -> str:
    """Call clCompileProgram with headers by name; returns the error's name."""
    included = headers or {}
    parts = [source(device, text) for text in included.values()]
    names = (ctypes.c_char_p * max(len(included), 1))(*(name.encode() for name in included))
    return call(
        "clCompileProgram",
        program.int_ptr,
        1,
        handles([device.device]),
        options_of(options),
        len(included),
        handles(parts) if included else 0,
        names if included else 0,
        0,
        0,
    )


def link(device: Device, programs: Sequence[cl.Program], options: str | None = None) -> tuple[cl.Program | None, str]:
    """Call clLinkProgram; returns the program (None if there is none) and the error's name."""
    handle, error = create(
        "clLinkProgram",
        device.context.int_ptr,
        1,
        handles([device.device]),
        options_of(options),
        len(programs),
        handles(programs),
        0,
        0,
    )
    return cl.Program.from_int_ptr(handle, retain=False) if handle else None, error


def compiled(device: Device, text: str, options: str | None = None) -> cl.Program:
    """A compiled object. Raises `check.Mismatch` if it does not compile."""
    program = source(device, text)
    check.equal("clCompileProgram", compile_(device, program, options), "CL_SUCCESS", stage="build")
    return program


def linked(device: Device, programs: Sequence[cl.Program], options: str | None = None) -> cl.Program:
    """A linked program. Raises `check.Mismatch` if it does not link."""
    program, error = link(device, programs, options)
    if program is None or error != "CL_SUCCESS":
        reason = first_error(log(device, program)) if program else "no program"
        raise Mismatch(f"build: clLinkProgram: {error}: {reason}")
    return program


def answer(device: Device, program: cl.Program, name: str = "f", start: int = -1) -> int:
    """Run a kernel that writes to one int, of the value `start`, and return this int."""
    out = device.buffer(np.full(1, start, np.int32))
    device.launch(cl.Kernel(program, name), [1], [1], out)
    return int(device.read(out, np.int32, 1)[0])


def build_info(device: Device, program: cl.Program, what: str) -> Any:
    """The answer of clGetProgramBuildInfo. `what`: the name after CL_PROGRAM_BUILD_ (or CL_PROGRAM_)."""
    return program.get_build_info(device.device, getattr(cl.program_build_info, what))


def log(device: Device, program: cl.Program) -> str:
    """CL_PROGRAM_BUILD_LOG without blanks at its ends; bytes that are not UTF-8 are in hexadecimal."""
    try:
        text = str(build_info(device, program, "LOG"))
    except UnicodeDecodeError as error:
        text = error.object.decode(errors="backslashreplace")
    return text.strip("\0 \n")
