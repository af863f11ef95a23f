"""Binaries: made, loaded into another program, context and process, and refused (OpenCL API 3.0, 5.8.1)."""

import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.builds import answer, build, build_info, compile_, compiled, linked, source
from ..kit.opencl import call, create, handles

# Sources with a kernel f, and the value to which f changes -1: what a binary must preserve.
SOURCES: dict[str, tuple[str, int]] = {
    "plain": ("__kernel void f(__global int *r) { *r = *r * 3 - 4; }", -7),
    "math": ("__kernel void f(__global int *r) { *r = (int)(sin(*r * 0.5f) * 1000); }", -479),
    "constant_table": ("__constant int t[4] = {5, 6, 7, 8};\n__kernel void f(__global int *r) { *r = t[*r + 3]; }", 7),
    "local_memory": (
        "__kernel void f(__global int *r) { __local int l[4]; l[1] = *r; barrier(CLK_LOCAL_MEM_FENCE); *r = l[1] - 1; }",
        -2,
    ),
    "function": ("int g(int x) { return x * x + 1; }\n__kernel void f(__global int *r) { *r = g(*r) + g(3); }", 12),
    "required_size": ("__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void f(__global int *r) { *r = 11; }", 11),
    "loop": ("__kernel void f(__global int *r) { for (int k = 0; k < 10; ++k) *r += k; }", 44),
    "two_kernels": ("__kernel void g(__global int *r) { *r = 1; }\n__kernel void f(__global int *r) { *r = 2; }", 2),
    "struct": (
        "typedef struct { char a; int b; } S;\n__kernel void f(__global int *r) { S s = {1, *r}; *r = s.a + s.b * 10; }",
        -9,
    ),
    "option": ("__kernel void f(__global int *r) { *r = A; }", 17),
    "vectors": ("__kernel void f(__global int *r) { int4 v = (int4)(*r, 2, 3, 4); v = v.wzyx * v; *r = v.x + v.y; }", 2),
}
_CHILD = """
import sys, numpy, pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl.Program(context, [device], [open(sys.argv[1], "rb").read()]).build()
out = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=numpy.array([-1], numpy.int32))
program.f(queue, [1], [1], out)
got = numpy.empty(1, numpy.int32)
cl.enqueue_copy(queue, got, out)
print("answer", got[0])
"""


def binary_of(program: cl.Program) -> bytes:
    """The binary for the only device, from CL_PROGRAM_BINARIES."""
    return bytes(program.get_info(cl.program_info.BINARIES)[0])


def from_binary(device: Device, data: bytes, context: Any = None) -> tuple[cl.Program | None, str, str]:
    """Call clCreateProgramWithBinary; returns the program (None if there is none), the error's name and the status."""
    status = ctypes.c_int32(12345)
    room = ctypes.create_string_buffer(data, max(len(data), 1))
    handle, error = create(
        "clCreateProgramWithBinary",
        (context or device.context).int_ptr,
        1,
        handles([device.device]),
        (ctypes.c_size_t * 1)(len(data)),
        (ctypes.c_void_p * 1)(ctypes.addressof(room)),
        ctypes.byref(status),
    )
    name = cl.status_code.to_string(status.value, "code %d")
    return cl.Program.from_int_ptr(handle, retain=False) if handle else None, error, f"CL_{name}"


def _built(device: Device, name: str) -> cl.Program:
    program = source(device, SOURCES[name][0])
    check.equal("clBuildProgram", build(device, program, "-DA=17"), "CL_SUCCESS", stage="build")
    return program


def _again(device: Device, data: bytes) -> cl.Program:
    program, error, status = from_binary(device, data)
    check.equal("clCreateProgramWithBinary", (error, status), ("CL_SUCCESS", "CL_SUCCESS"), stage="api")
    assert program is not None
    return program


def check_round_trip(device: Device, *, name: str, times: int) -> None:
    """A program is built, and `times` times it is made again from its binary and built."""
    program = _built(device, name)
    for _ in range(times):
        program = _again(device, binary_of(program))
        check.equal("clBuildProgram", build(device, program), "CL_SUCCESS", stage="build")
    check.equal(f"the value of {name}", answer(device, program), SOURCES[name][1])
    names = program.get_info(cl.program_info.KERNEL_NAMES).split(";")
    check.equal("CL_PROGRAM_KERNEL_NAMES", sorted(names), ["f", "g"] if name == "two_kernels" else ["f"])
    if name == "required_size":
        group = cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE
        check.equal("the required size", program.f.get_work_group_info(group, device.device), [1, 1, 1])


def check_new_context(device: Device) -> None:
    """A binary works in another context."""
    data = binary_of(_built(device, "math"))
    context = cl.Context([device.device])
    program, error, _ = from_binary(device, data, context)
    check.equal("clCreateProgramWithBinary", error, "CL_SUCCESS", stage="api")
    assert program is not None
    check.equal("clBuildProgram", build(device, program), "CL_SUCCESS", stage="build")
    queue, got = cl.CommandQueue(context), np.empty(1, np.int32)
    out = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=np.full(1, -1, np.int32))
    program.f(queue, [1], [1], out)
    cl.enqueue_copy(queue, got, out)
    check.equal("(int)(sin(-0.5f) * 1000)", int(got[0]), -479)


def check_new_process(device: Device) -> None:
    """A binary works in another process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.bin")
        path.write_bytes(binary_of(_built(device, "math")))
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, str(path)], capture_output=True, text=True, timeout=25, check=False
        )
    last = (done.stdout.strip().splitlines() or done.stderr.strip().splitlines() or ["nothing"])[-1]
    check.equal("what the other process prints", last, "answer -479")


def check_object(device: Device, *, kind: str) -> None:
    """The binary of a compiled object or of a library can be linked."""
    part = compiled(device, "int other(int x) { return ~x; }")
    if kind == "library":
        part = linked(device, [part], "-create-library")
    again = _again(device, binary_of(part))
    check.equal("CL_PROGRAM_BINARY_TYPE", build_info(device, again, "BINARY_TYPE"), 2 if kind == "library" else 1)
    main = compiled(device, "int other(int);\n__kernel void f(__global int *r) { *r = other(21); }")
    check.equal("other(21)", answer(device, linked(device, [main, again])), -22)


def check_linked_binary(device: Device) -> None:
    """The binary of a linked program works."""
    parts = [
        compiled(device, "int t(int x) { return ~x; }"),
        compiled(device, "int t(int);\n__kernel void f(__global int *r) { *r = t(8); }"),
    ]
    again = _again(device, binary_of(linked(device, parts)))
    check.equal("clBuildProgram", build(device, again), "CL_SUCCESS", stage="build")
    check.equal("t(8)", answer(device, again), -9)


def check_binary_query(device: Device, *, query: str) -> None:
    """Queries of a program that was made from a binary."""
    first = _built(device, "plain")
    data = binary_of(first)
    program = _again(device, data)
    if query == "type":
        check.equal("CL_PROGRAM_BINARY_TYPE", build_info(device, program, "BINARY_TYPE"), 4)
    elif query == "sizes":
        check.equal("CL_PROGRAM_BINARY_SIZES", first.get_info(cl.program_info.BINARY_SIZES), [len(data)])
    elif query == "source":
        check.equal("CL_PROGRAM_SOURCE", program.get_info(cl.program_info.SOURCE), "")
    elif query == "compile":
        check.equal("clCompileProgram", compile_(device, program), "CL_INVALID_OPERATION", stage="build")
    elif query == "unbuilt_size":
        check.equal(
            "CL_PROGRAM_BINARY_SIZES", source(device, SOURCES["plain"][0]).get_info(cl.program_info.BINARY_SIZES), [0]
        )
    elif query == "kernel_before_build":
        _, error = create("clCreateKernel", program.int_ptr, b"f")
        check.true(f"clCreateKernel: {error}", error in ("CL_SUCCESS", "CL_INVALID_PROGRAM_EXECUTABLE"), stage="api")
    elif query == "options":
        check.equal("clBuildProgram", build(device, program, "-w"), "CL_SUCCESS", stage="build")
        check.equal("CL_PROGRAM_BUILD_OPTIONS", str(build_info(device, program, "OPTIONS")).strip("\0"), "-w")
    elif query == "null_entry":  # NULL for a device: its binary is not returned
        pointers = (ctypes.c_void_p * 1)(None)
        error = call("clGetProgramInfo", first.int_ptr, cl.program_info.BINARIES, ctypes.sizeof(pointers), pointers, 0)
        check.equal("clGetProgramInfo", error, "CL_SUCCESS", stage="api")


_BAD: dict[str, bytes] = {"zeros": b"\0" * 64, "text": b"__kernel void f() {}", "one_byte": b"\x7f", "ones": b"\xff" * 256}


def check_bad_binary(device: Device, *, kind: str = "", cut: int | None = None, bytes: int | None = None) -> None:
    """Data that is not a binary is refused when the program is made, or when it is built.

    `kind` names the data; else it is the beginning of a good binary: `cut` percent of it, or `bytes` bytes.
    """
    good = binary_of(_built(device, "plain"))
    if cut is not None:
        data = good[: len(good) * cut // 100]
    elif bytes is not None:
        data = good[:bytes]
    elif kind == "wrong_start":
        data = (~np.frombuffer(good[:16], np.uint8)).tobytes() + good[16:]
    elif kind == "shifted":
        data = good[1:]
    else:
        data = _BAD[kind]
    program, error, status = from_binary(device, data)
    if error != "CL_SUCCESS":
        check.equal("clCreateProgramWithBinary", (error, status), ("CL_INVALID_BINARY", "CL_INVALID_BINARY"), stage="api")
        return
    assert program is not None
    error = build(device, program)
    check.true(
        f"clBuildProgram refuses it: {error}", error in ("CL_BUILD_PROGRAM_FAILURE", "CL_INVALID_BINARY"), stage="build"
    )


def check_binary_error(device: Device, *, wrong: str, error: str) -> None:
    """clCreateProgramWithBinary refuses wrong arguments."""
    data = binary_of(_built(device, "plain"))
    room = ctypes.create_string_buffer(data, len(data))
    sizes: Any = (ctypes.c_size_t * 1)(0 if wrong == "empty" else len(data))
    pointers: Any = (ctypes.c_void_p * 1)(None if wrong == "null_binary" else ctypes.addressof(room))
    count, devices = 1, handles([device.device])
    context = 0 if wrong == "no_context" else device.context.int_ptr
    if wrong == "no_count":
        count = 0
    elif wrong == "no_devices":
        devices = 0  # type: ignore[assignment]
    elif wrong == "null_device":
        devices = (ctypes.c_void_p * 1)(None)
    elif wrong == "no_lengths":
        sizes = 0
    elif wrong == "no_binaries":
        pointers = 0
    handle, returned = create("clCreateProgramWithBinary", context, count, devices, sizes, pointers, 0)
    check.equal(f"clCreateProgramWithBinary with {wrong}", returned, error, stage="api")
    check.true("no program comes with the error", handle == 0, stage="api")
