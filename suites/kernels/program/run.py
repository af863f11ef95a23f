"""Programs: what a refusal says, what options do, compilation apart, binaries, what kernels tell."""

from __future__ import annotations

import warnings

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device, error_name
from runner.model import Case

from ..opencl import call, create, handles

BUILD_ERROR = -2  # CL_BUILD_ERROR, which pyopencl does not name


def refusal(program: cl.Program, options: str) -> str:
    """The name of a build's error; CL_SUCCESS where there is none."""
    try:
        program.build(options=options, cache_dir=False)
    except cl.Error as error:
        return error_name(error)
    return "CL_SUCCESS"


def check_refusal(device: Device, case: Case) -> None:
    """What must be refused. Params: source, options, error, part of the log ("": none is due)."""
    p = case.params
    program = cl.Program(device.context, p["source"])
    check.equal("error of clBuildProgram", refusal(program, p["options"]), p["error"], stage="build")
    if p["log"]:
        status = program.get_build_info(device.device, cl.program_build_info.STATUS)
        check.equal("CL_PROGRAM_BUILD_STATUS", status, BUILD_ERROR, stage="build")
        log = program.get_build_info(device.device, cl.program_build_info.LOG)
        check.true(f"the build log speaks of {p['log']!r}: {log[:200]!r}", p["log"] in log, stage="build")


def answer(device: Device, program: cl.Program) -> int:
    """What the kernel `f` of a program writes into its only argument."""
    out = device.buffer(np.full(1, -1, np.int32))
    device.launch(program.f, [1], [1], out)
    return int(device.read(out, np.int32, 1)[0])


def check_options(device: Device, case: Case) -> None:
    """Options that a kernel can see. Params: rows of [options, an expression of type int, its value]."""
    for options, expression, value in case.params["rows"]:
        program = device.build(f"__kernel void f(__global int *r) {{ *r = {expression}; }}", options)
        check.equal(f"{expression} with {options!r}", answer(device, program), value)


def check_link(device: Device, case: Case) -> None:
    """Two programs compiled apart, one with a header, linked; without its other half one does not link."""
    context = device.context
    header = cl.Program(context, "int twice(int x);\n#define OFFSET 5\n")
    library = cl.Program(context, "int twice(int x) { return 2 * x; }")
    main = cl.Program(
        context, '#include "twice.h"\n__kernel void f(__global int *r) { *r = twice(*r) + OFFSET; }'
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # pyopencl: no caching of what is compiled apart
        main.compile(headers=[("twice.h", header)])
        library.compile()
    check.equal("twice(-1) + 5", answer(device, cl.link_program(context, [main, library])), 3)
    # By ctypes: a failed link through pyopencl corrupts the heap on Rusticl, which returns a program with the
    # error; the same call made so, its program released or not, does not.
    arguments = (context.int_ptr, 1, handles([device.device]), b"", 1, handles([main]), 0, 0)
    handle, error = create("clLinkProgram", *arguments)
    if handle:
        call("clReleaseProgram", handle)
    check.equal("error without the library", error, "CL_LINK_PROGRAM_FAILURE", stage="build")


def check_binary(device: Device, case: Case) -> None:
    """A program made again from its binary does the same."""
    source = "__kernel void f(__global int *r) { *r = (int)(sin(*r * 0.5f) * 1000); }"
    program = device.build(source)
    binary = program.get_info(cl.program_info.BINARIES)[0]
    check.true("the binary is not empty", len(binary) > 0)
    again = cl.Program(device.context, [device.device], [binary]).build(cache_dir=False)
    check.equal("(int)(sin(-0.5f) * 1000)", answer(device, program), -479)
    check.equal("the same of the binary", answer(device, again), -479)


def check_kernel_info(device: Device, case: Case) -> None:
    """Names, arguments and attributes of kernels (5.9.4)."""
    program = device.build(
        """
__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void second(__global const float *restrict a, __local int4 *b, uchar3 c, __constant short *d) {}
__kernel void first(volatile __global int *x) {}
""",
        "-cl-kernel-arg-info",
    )
    names = sorted(kernel.function_name for kernel in program.all_kernels())
    check.equal("kernels", names, ["first", "second"])
    kernel = program.second
    check.equal("arguments", kernel.num_args, 4)
    info, qualifier, space = cl.kernel_arg_info, cl.kernel_arg_type_qualifier, cl.kernel_arg_address_qualifier
    types = [kernel.get_arg_info(n, info.TYPE_NAME) for n in range(4)]
    check.equal("types", types, ["float*", "int4*", "uchar3", "short*"])
    check.equal("names", [kernel.get_arg_info(n, info.NAME) for n in range(4)], list("abcd"))
    spaces = [kernel.get_arg_info(n, info.ADDRESS_QUALIFIER) for n in range(4)]
    check.equal("address spaces", spaces, [space.GLOBAL, space.LOCAL, space.PRIVATE, space.CONSTANT])
    given = kernel.get_arg_info(0, info.TYPE_QUALIFIER)
    check.equal("qualifiers of a", given, qualifier.CONST | qualifier.RESTRICT)
    group = cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE
    check.equal("reqd_work_group_size", kernel.get_work_group_info(group, device.device), [4, 2, 1])


BODIES = {
    "program.refusal": check_refusal,
    "program.options": check_options,
    "program.link": check_link,
    "program.binary": check_binary,
    "program.kernel_info": check_kernel_info,
}
