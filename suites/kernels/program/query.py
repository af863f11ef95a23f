"""Queries of programs: clGetProgramInfo, clGetProgramBuildInfo (OpenCL API 3.0, 5.8.9), and reference counts."""

import ctypes
from collections.abc import Sequence
from typing import Any

import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.builds import ERROR, NONE, SUCCESS, answer, build, build_info, compile_, compiled, linked, log, source
from ..kit.opencl import call, create, handles
from .binaries import binary_of, from_binary
from .links import KERNEL

_TWO = "__kernel void g(__global int *r) { *r = 2; }\n__kernel void f(__global int *r) { *r = 1; }\n"
INFO = {
    "REFERENCE_COUNT": 0x1160,
    "CONTEXT": 0x1161,
    "NUM_DEVICES": 0x1162,
    "DEVICES": 0x1163,
    "SOURCE": 0x1164,
    "BINARY_SIZES": 0x1165,
    "BINARIES": 0x1166,
    "NUM_KERNELS": 0x1167,
    "KERNEL_NAMES": 0x1168,
    "SCOPE_GLOBAL_CTORS_PRESENT": 0x116A,
    "SCOPE_GLOBAL_DTORS_PRESENT": 0x116B,
}
BUILD_INFO = {
    "STATUS": 0x1181,
    "OPTIONS": 0x1182,
    "LOG": 0x1183,
    "BINARY_TYPE": 0x1184,
    "GLOBAL_VARIABLE_TOTAL_SIZE": 0x1185,
}


def raw(program: cl.Program, name: str, *, device: Device | None = None) -> tuple[bytes, str]:
    """The bytes of a query's answer and the error's name; the first call asks for the size."""
    function = "clGetProgramBuildInfo" if device else "clGetProgramInfo"
    first = (program.int_ptr, device.device.int_ptr) if device else (program.int_ptr,)
    number = (BUILD_INFO if device else INFO)[name]
    size = ctypes.c_size_t(0)
    error = call(function, *first, number, 0, 0, ctypes.byref(size))
    if error != "CL_SUCCESS":
        return b"", error
    data = ctypes.create_string_buffer(max(size.value, 1))
    error = call(function, *first, number, size.value, data, 0)
    return data.raw[: size.value], error


def _size_of_binaries(program: cl.Program) -> tuple[bytes, str]:
    """Zeros, as many bytes as CL_PROGRAM_BINARIES has: the cases of binaries test what it points to."""
    size = ctypes.c_size_t(0)
    error = call("clGetProgramInfo", program.int_ptr, INFO["BINARIES"], 0, 0, ctypes.byref(size))
    return bytes(size.value), error


def _check_text(got: bytes, want: str) -> None:
    """Compare CL_PROGRAM_SOURCE with its NUL, which numpy's comparison of texts ignores at the end."""
    check.equal("size of CL_PROGRAM_SOURCE", len(got), len(want) + 1)
    check.equal("CL_PROGRAM_SOURCE", got.decode(), want + "\0")


def check_info(device: Device, *, name: str) -> None:
    """The size and the value of a query of a built program."""
    program = source(device, _TWO)
    check.equal("clBuildProgram", build(device, program), "CL_SUCCESS", stage="build")
    got, error = raw(program, name) if name != "BINARIES" else _size_of_binaries(program)
    check.equal(f"CL_PROGRAM_{name}", error, "CL_SUCCESS", stage="api")
    pointer, word = ctypes.sizeof(ctypes.c_void_p), ctypes.sizeof(ctypes.c_size_t)
    if name == "SOURCE":
        _check_text(got, _TWO)
    elif name == "KERNEL_NAMES":
        check.equal("CL_PROGRAM_KERNEL_NAMES", sorted(got.decode().rstrip("\0").split(";")), ["f", "g"])
    elif name == "BINARY_SIZES":
        check.equal("size of CL_PROGRAM_BINARY_SIZES", len(got), word)
        check.true("the binary has bytes", int.from_bytes(got, "little") > 0)
    elif name == "BINARIES":
        check.equal("size of CL_PROGRAM_BINARIES", len(got), pointer)
    else:
        want, size = {
            "REFERENCE_COUNT": (None, 4),
            "NUM_DEVICES": (1, 4),
            "NUM_KERNELS": (2, word),
            "CONTEXT": (device.context.int_ptr, pointer),
            "DEVICES": (device.device.int_ptr, pointer),
            "SCOPE_GLOBAL_CTORS_PRESENT": (0, 4),  # OpenCL C has none
            "SCOPE_GLOBAL_DTORS_PRESENT": (0, 4),
        }[name]
        check.equal(f"size of CL_PROGRAM_{name}", len(got), size)
        value = int.from_bytes(got, "little")
        if want is None:  # the count is stale at once (API 3.0, 5.8.9): the driver may hold a reference, too
            check.true("CL_PROGRAM_REFERENCE_COUNT is 1 or more", value >= 1)
        else:
            check.equal(f"CL_PROGRAM_{name}", value, want)


def check_info_error(device: Device, *, name: str, size: int, program: str, error: str) -> None:
    """clGetProgramInfo refuses a call. `size`: of the room; `program`: "null", "source" or "built"."""
    made = source(device, _TWO)
    if program == "built":
        build(device, made)
    handle = 0 if program == "null" else made.int_ptr
    data = ctypes.create_string_buffer(4096)
    returned = call("clGetProgramInfo", handle, INFO.get(name, 0x11FF), size, data, 0)
    check.equal(f"clGetProgramInfo of {name}", returned, error, stage="api")


def check_build_info_error(d: Device, *, size: int, program: str, device: bool, error: str, name: str) -> None:
    """clGetProgramBuildInfo refuses a call. `program`: "null" or "built"; `device`: whether one is passed."""
    made = source(d, _TWO)
    build(d, made, "-DA")
    handle = 0 if program == "null" else made.int_ptr
    data = ctypes.create_string_buffer(4096)
    returned = call(
        "clGetProgramBuildInfo", handle, d.device.int_ptr if device else 0, BUILD_INFO.get(name, 0x11FF), size, data, 0
    )
    check.equal(f"clGetProgramBuildInfo of {name}", returned, error, stage="api")


_BINARY = {"none": 0, "compiled": 1, "library": 2, "executable": 4}


def _program_in(device: Device, state: str) -> cl.Program:
    """A program in a state of STATES."""
    if state == "failed":
        program = source(device, "__kernel void f( {")
        build(device, program, "-DA=1")
    elif state == "link_failed":
        program = source(device, "int missing(int);\n" + KERNEL + "missing(1); }")
        build(device, program, "-DA=4")
    elif state == "compile_failed":
        program = source(device, "__kernel void f( {")
        compile_(device, program)
    elif state == "compiled":
        program = compiled(device, _TWO, "-DA=2")
    elif state == "linked":
        program = linked(device, [compiled(device, _TWO)])
    elif state in ("compiled_loaded_built", "library_loaded_built"):
        part = compiled(device, _TWO)
        if state.startswith("library"):
            part = linked(device, [part], "-create-library")
        loaded, error, _ = from_binary(device, binary_of(part))
        check.equal("clCreateProgramWithBinary", error, "CL_SUCCESS", stage="api")
        assert loaded is not None
        program = loaded
        build(device, program)
    elif state == "library":
        program = linked(device, [compiled(device, "int twice(int x) { return 2 * x; }")], "-create-library")
    else:
        program = source(device, _TWO)
        if state in ("built", "rebuilt"):
            build(device, program, "-DA=3 -w")
        if state == "rebuilt":
            build(device, program, "-DB")
        if state == "built_without_options":
            build(device, program)
    return program


STATES: dict[str, tuple[int, str, str]] = {  # status, type of binary, options
    "new": (NONE, "none", ""),
    "built": (SUCCESS, "executable", "-DA=3 -w"),
    "built_without_options": (SUCCESS, "executable", ""),
    "rebuilt": (SUCCESS, "executable", "-DB"),
    "failed": (ERROR, "none", "-DA=1"),
    "link_failed": (ERROR, "none", "-DA=4"),
    "compiled": (SUCCESS, "compiled", "-DA=2"),
    "compile_failed": (ERROR, "none", ""),
    "linked": (SUCCESS, "executable", ""),
    "library": (SUCCESS, "library", "-create-library"),
    "compiled_loaded_built": (SUCCESS, "executable", ""),
    "library_loaded_built": (SUCCESS, "executable", ""),
}


def check_state(device: Device, *, state: str, query: str) -> None:
    """The build info of a program in a state of STATES."""
    program = _program_in(device, state)
    status, binary, options = STATES[state]
    if query == "status":
        check.equal("CL_PROGRAM_BUILD_STATUS", build_info(device, program, "STATUS"), status)
    elif query == "binary_type":
        check.equal("CL_PROGRAM_BINARY_TYPE", build_info(device, program, "BINARY_TYPE"), _BINARY[binary])
    elif query == "options":
        check.equal("CL_PROGRAM_BUILD_OPTIONS", str(build_info(device, program, "OPTIONS")).strip("\0"), options)
    elif query == "log":
        if status != SUCCESS:  # the log of a successful build may say anything
            check.equal("there is a log", bool(log(device, program)), status == ERROR)
        data, error = raw(program, "LOG", device=device)
        check.equal("CL_PROGRAM_BUILD_LOG", error, "CL_SUCCESS", stage="api")
        check.true("the log ends with a NUL", data.endswith(b"\0"))
    elif query == "kernels":
        got, error = raw(program, "NUM_KERNELS")
        if binary == "executable":
            check.equal("CL_PROGRAM_NUM_KERNELS", int.from_bytes(got, "little"), 2)
        else:
            check.equal("CL_PROGRAM_NUM_KERNELS", error, "CL_INVALID_PROGRAM_EXECUTABLE", stage="api")
    else:
        _, error = create("clCreateKernel", program.int_ptr, b"f")
        want = "CL_SUCCESS" if binary == "executable" else "CL_INVALID_PROGRAM_EXECUTABLE"
        check.equal("clCreateKernel", error, want, stage="api")


def check_many_kernels(device: Device, *, count: int) -> None:
    """A program with many kernels lists all of them, and returns them by name and all at once."""
    text = "\n".join(f"__kernel void f{n}(__global int *r) {{ *r = {3 * n}; }}" for n in range(count))
    program, want = source(device, text), sorted(f"f{n}" for n in range(count))
    check.equal("clBuildProgram", build(device, program), "CL_SUCCESS", stage="build")
    check.equal("CL_PROGRAM_NUM_KERNELS", int.from_bytes(raw(program, "NUM_KERNELS")[0], "little"), count)
    names = sorted(raw(program, "KERNEL_NAMES")[0].rstrip(b"\0").decode().split(";"))
    check.equal("CL_PROGRAM_KERNEL_NAMES", names, want)
    made = sorted(kernel.function_name for kernel in program.all_kernels())
    check.equal("CL_KERNEL_FUNCTION_NAME of clCreateKernelsInProgram's", made, want)
    for n in (0, count // 2, count - 1):
        check.equal(f"kernel f{n}", answer(device, program, f"f{n}"), 3 * n)


def check_reference_count(device: Device) -> None:
    """clRetainProgram and clReleaseProgram count; a kernel keeps its program alive."""
    handle, error = create("clCreateProgramWithSource", device.context.int_ptr, 1, _strings([_TWO.encode()]), 0)
    check.equal("clCreateProgramWithSource", error, "CL_SUCCESS", stage="api")
    program = cl.Program.from_int_ptr(handle, retain=True)

    def count(program: cl.Program) -> int:
        return int.from_bytes(raw(program, "REFERENCE_COUNT")[0], "little")

    check.equal("after clRetainProgram", count(program), 2)
    check.equal("clReleaseProgram", call("clReleaseProgram", handle), "CL_SUCCESS", stage="api")
    check.equal("after clReleaseProgram", count(program), 1)
    build(device, program)
    kernel = cl.Kernel(program, "f")
    del program
    out = device.buffer(4)
    device.launch(kernel, [1], [1], out)
    check.equal("the kernel of a released program", int(device.read(out, "i4", 1)[0]), 1)


def check_null(device: Device, *, function: str) -> None:
    """The functions refuse NULL instead of a program."""
    devices = handles([device.device])
    arguments: tuple[Any, ...] = {
        "clRetainProgram": (),
        "clReleaseProgram": (),
        "clBuildProgram": (1, devices, 0, 0, 0),
        "clCompileProgram": (1, devices, 0, 0, 0, 0, 0, 0),
        "clCreateKernelsInProgram": (0, 0, 0),
    }[function]
    check.equal(function, call(function, 0, *arguments), "CL_INVALID_PROGRAM", stage="api")


def _strings(texts: list[bytes]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(texts))(*texts)


def check_create(device: Device, *, parts: Sequence[str], lengths: Sequence[int] | None) -> None:
    """clCreateProgramWithSource from several parts. `lengths`: None for NULL; a length of 0 means up to the NUL."""
    counts = 0 if lengths is None else (ctypes.c_size_t * len(lengths))(*lengths)
    texts = _strings([p.encode() for p in parts])
    handle, error = create("clCreateProgramWithSource", device.context.int_ptr, len(parts), texts, counts)
    check.equal("clCreateProgramWithSource", error, "CL_SUCCESS", stage="api")
    program = cl.Program.from_int_ptr(handle, retain=False)
    whole = "".join(p[:n] if n else p for p, n in zip(parts, lengths or [0] * len(parts), strict=True))
    _check_text(raw(program, "SOURCE")[0], whole)
    check.equal("clBuildProgram", build(device, program), "CL_SUCCESS", stage="build")
    check.equal("the kernel's value", answer(device, program), 1)


def check_create_error(device: Device, *, context: bool, count: int, strings: str, error: str) -> None:
    """clCreateProgramWithSource refuses a call. `strings`: "null", "entry" (one of them is NULL) or "good"."""
    given: Any = {"null": 0, "entry": _strings([_TWO.encode(), None]), "good": _strings([_TWO.encode()])}[strings]  # type: ignore[list-item]
    handle, returned = create("clCreateProgramWithSource", device.context.int_ptr if context else 0, count, given, 0)
    check.equal("clCreateProgramWithSource", returned, error, stage="api")
    check.true("no program comes with the error", handle == 0, stage="api")
