"""Compiled objects, libraries, and programs that are linked from them (OpenCL API 3.0, 5.8.5 and 5.8.7)."""

import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.builds import answer, build, build_info, compile_, compiled, link, linked, log, source
from .links import KERNEL, LINKS, UNLINKED


def _objects(device: Device, sources: tuple[str, ...], libraries: tuple[int, ...] = ()) -> list[cl.Program]:
    objects = [compiled(device, text) for text in sources]
    for n in libraries:
        objects[n] = linked(device, [objects[n]], "-create-library")
    return objects


def check_linked(device: Device, *, name: str) -> None:
    """Objects that link, and the value of each kernel."""
    row = LINKS[name]
    program = linked(device, _objects(device, row.sources, row.libraries), row.options)
    names = program.get_info(cl.program_info.KERNEL_NAMES).split(";")
    check.equal("CL_PROGRAM_KERNEL_NAMES", sorted(names), sorted(row.values))
    for kernel, value in row.values.items():
        check.equal(f"kernel {kernel}", answer(device, program, kernel), value)


def check_library_options(device: Device, *, options: str) -> None:
    """-create-library is one of several options, and makes a library wherever it is among them (5.8.7.1).

    Options that begin with -cl- are for an executable (5.8.7.2): together with one, the options may be refused.
    """
    library, error = link(device, [compiled(device, "int t(int x) { return x ^ 1; }")], options)
    if "-cl-" in options and error != "CL_SUCCESS":
        check.equal(f"clLinkProgram with {options}", error, "CL_INVALID_LINKER_OPTIONS", stage="build")
        return
    check.equal(f"clLinkProgram with {options}", error, "CL_SUCCESS", stage="build")
    assert library is not None
    kind = build_info(device, library, "BINARY_TYPE")
    check.equal(f"CL_PROGRAM_BINARY_TYPE of what {options} makes", kind, cl.program_binary_type.LIBRARY)
    main = compiled(device, "int t(int);\n" + KERNEL + "t(8); }")
    check.equal("a kernel that calls the library", answer(device, linked(device, [main, library])), 9)


def check_unlinked(device: Device, *, name: str) -> None:
    """Objects that do not link are refused, with a log if a program comes with the error."""
    program, error = link(device, _objects(device, UNLINKED[name]))
    check.equal("clLinkProgram", error, "CL_LINK_PROGRAM_FAILURE", stage="build")
    if program is not None:  # the specification allows a program with the error
        check.true("the log is not empty", bool(log(device, program)), stage="build")


def check_reused(device: Device) -> None:
    """One object in two programs, which still work after it is compiled again."""
    part = compiled(device, "int t(int x) { return x ^ A; }", "-DA=8")
    first = linked(device, [compiled(device, "int t(int);\n" + KERNEL + "t(1); }"), part])
    check.equal("clCompileProgram again", compile_(device, part, "-DA=64"), "CL_SUCCESS", stage="build")
    second = linked(device, [compiled(device, "int t(int);\n" + KERNEL + "t(2); }"), part])
    check.equal("the first", answer(device, first), 9)
    check.equal("the second", answer(device, second), 66)


def check_released(device: Device) -> None:
    """A linked program no longer needs its parts."""
    parts = _objects(device, LINKS["pointer_argument"].sources)
    program = linked(device, parts)
    parts.clear()
    check.equal("the kernel's value", answer(device, program), 9)


def check_built_then_compiled(device: Device) -> None:
    """A program that was built can be compiled, and linked with another."""
    program = source(device, KERNEL + "5; }")
    check.equal("clBuildProgram", build(device, program), "CL_SUCCESS", stage="build")
    check.equal("clCompileProgram", compile_(device, program), "CL_SUCCESS", stage="build")
    check.equal("CL_PROGRAM_BINARY_TYPE", build_info(device, program, "BINARY_TYPE"), 1)
    whole = linked(device, [program, compiled(device, "__kernel void g(__global int *r) { *r = 6; }")])
    check.equal("f", answer(device, whole), 5)
    check.equal("g", answer(device, whole, "g"), 6)


def check_compiled_then_built(device: Device) -> None:
    """A program that was compiled can be built."""
    program = compiled(device, KERNEL + "A; }", "-DA=7")
    check.equal("clBuildProgram", build(device, program, "-DA=8"), "CL_SUCCESS", stage="build")
    check.equal("CL_PROGRAM_BINARY_TYPE", build_info(device, program, "BINARY_TYPE"), 4)
    check.equal("the kernel's value", answer(device, program), 8)


def check_linked_source(device: Device) -> None:
    """A linked program has no source, and cannot be compiled."""
    program = linked(device, [compiled(device, KERNEL + "5; }")])
    check.equal("CL_PROGRAM_SOURCE", program.get_info(cl.program_info.SOURCE), "")
    check.equal("clCompileProgram", compile_(device, program), "CL_INVALID_OPERATION", stage="build")
