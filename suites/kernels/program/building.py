"""Builds: refusals, options, callbacks, repeated builds (OpenCL API 3.0, 5.8.4 to 5.8.6)."""

import ctypes
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import builds
from ..kit.builds import ERROR, SUCCESS, answer, build, build_info, compile_, compiled, link, linked, log, source
from ..kit.opencl import call, create, handles
from .table import EMPTY, INVALID_LINKER_OPTIONS, INVALID_OPTIONS, OPTIONS

_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


def check_refusal(device: Device, *, source: str, options: str, error: str, log: str) -> None:
    """A source that must be refused. `log`: a text that the log must contain."""
    program = builds.source(device, source)
    check.equal("error of clBuildProgram", build(device, program, options), error, stage="build")
    check.equal("CL_PROGRAM_BUILD_STATUS", build_info(device, program, "STATUS"), ERROR, stage="build")
    text = builds.log(device, program)
    check.true(f"the build log contains {log!r}: {text[:200]!r}", log in text, stage="build")


def check_invalid_options(device: Device, *, function: str, name: str) -> None:
    """Invalid options are refused with the error code of the function that gets them."""
    options = {**INVALID_OPTIONS, **INVALID_LINKER_OPTIONS}[name]
    if function == "clBuildProgram":
        error, want = build(device, source(device, EMPTY), options), "CL_INVALID_BUILD_OPTIONS"
    elif function == "clCompileProgram":
        error, want = compile_(device, source(device, EMPTY), options), "CL_INVALID_COMPILER_OPTIONS"
    else:
        _, error = link(device, [compiled(device, EMPTY)], options)
        want = "CL_INVALID_LINKER_OPTIONS"
    check.equal(f"{function} with {options!r}", error, want, stage="build")


def check_option(device: Device, *, name: str, how: str) -> None:
    """An option whose effect a kernel can see, or that has none. `how`: "build" or "compile"."""
    options, expression, value = OPTIONS[name]
    text = f"__kernel void f(__global int *r) {{ *r = {expression}; }}"
    if how == "build":
        program = source(device, text)
        check.equal(f"clBuildProgram with {options!r}", build(device, program, options), "CL_SUCCESS", stage="build")
    else:
        linked_program, error = link(device, [compiled(device, text, options)])
        check.equal("clLinkProgram", error, "CL_SUCCESS", stage="build")
        assert linked_program is not None
        program = linked_program
    check.equal(f"{expression} with {options!r}", answer(device, program), value)


def check_null_options(device: Device) -> None:
    """NULL options mean the same as an empty string."""
    for options in (None, ""):
        program = source(device, EMPTY)
        check.equal(f"clBuildProgram with {options!r}", build(device, program, options), "CL_SUCCESS", stage="build")
        check.equal("the kernel's value", answer(device, program), 1)


def check_rounded_divide(device: Device) -> None:
    """-cl-fp32-correctly-rounded-divide-sqrt is refused, or the results are correctly rounded (5.8.6.2)."""
    option = "-cl-fp32-correctly-rounded-divide-sqrt"
    text = "__kernel void f(__global float *r) { int i = get_global_id(0); r[i] = i < 128 ? r[i] / 3.0f : sqrt(r[i]); }"
    program = source(device, text)
    error = build(device, program, option)
    if not device.device.single_fp_config & cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT:
        check.true(f"clBuildProgram with {option} fails: {error}", error != "CL_SUCCESS", stage="build")
        return
    check.equal(f"clBuildProgram with {option}", error, "CL_SUCCESS", stage="build")
    x = device.rng.uniform(1, 2**20, 256).astype(np.float32)
    out = device.buffer(x)
    device.launch(program.f, [256], None, out)
    want = np.where(np.arange(256) < 128, x / np.float32(3), np.sqrt(x))
    check.equal("x / 3, sqrt(x)", device.read(out, np.float32, 256), want, [x])


def check_warnings(device: Device, *, options: str, error: str, warned: bool | None) -> None:
    """A source with a warning, which -w silences and -Werror makes an error (5.8.6.4). `warned`: in the log (None: open)."""
    program = source(device, "#warning look here\n" + EMPTY)
    check.equal("clBuildProgram", build(device, program, options), error, stage="build")
    if warned is not None:
        check.equal("the log contains the warning", "look here" in log(device, program), warned)
    if error == "CL_SUCCESS":
        check.equal("the kernel's value", answer(device, program), 1)


def check_argument_error(device: Device, *, function: str, wrong: str, error: str) -> None:  # noqa: C901 - one arm a kind
    """The functions that build, compile and link refuse wrong arguments."""
    program = source(device, EMPTY)
    devices: Any = handles([device.device])
    count, callback, data = 1, 0, 0
    if wrong == "devices_without_count":
        count = 0
    elif wrong == "count_without_devices":
        devices = 0
    elif wrong == "null_device":
        devices = (ctypes.c_void_p * 1)(None)
    elif wrong == "data_without_callback":
        data = 8
    if function == "clBuildProgram":
        returned = call(function, program.int_ptr, count, devices, 0, callback, data)
    elif function == "clCompileProgram":
        headers = (1, 0, 0) if wrong == "header_count" else (0, 0, 0)
        if wrong == "headers_without_count":
            headers = (0, handles([program]), (ctypes.c_char_p * 1)(b"a.h"))  # type: ignore[assignment]
        elif wrong == "headers_without_names":
            headers = (1, handles([program]), 0)  # type: ignore[assignment]
        returned = call(function, program.int_ptr, count, devices, 0, *headers, callback, data)
    else:
        part = compiled(device, EMPTY)
        parts: tuple[int, Any] = (1, handles([part]))
        context = device.context.int_ptr
        if wrong == "no_programs":
            parts = (0, 0)
        elif wrong == "programs_without_count":
            parts = (0, parts[1])
        elif wrong == "count_without_programs":
            parts = (1, 0)
        elif wrong == "null_program":
            parts = (1, (ctypes.c_void_p * 1)(None))
        elif wrong == "null_context":
            context = 0
        _, returned = create(function, context, count, devices, 0, *parts, callback, data)
    check.equal(f"{function} with {wrong}", returned, error, stage="api")


def check_attached(device: Device, *, function: str, name: str) -> None:
    """A program with a kernel object cannot be built again, and the kernel still works; without the object it can.

    `name`: of the kernel, which is one of several in the program.
    """
    program = source(device, "\n".join(EMPTY.replace(" f(", f" {each}(") for each in "efgh"))
    check.equal("clBuildProgram", build(device, program), "CL_SUCCESS", stage="build")
    kernel = cl.Kernel(program, name)
    again = build if function == "clBuildProgram" else compile_
    check.equal(f"{function} with a kernel", again(device, program), "CL_INVALID_OPERATION", stage="build")
    out = device.buffer(np.zeros(1, np.int32))
    device.launch(kernel, [1], [1], out)
    check.equal("the kernel's value", int(device.read(out, np.int32, 1)[0]), 1)
    del kernel
    check.equal(f"{function} without it", again(device, program), "CL_SUCCESS", stage="build")


def check_again(device: Device, *, builds: Sequence[Any], asks: Sequence[str]) -> None:
    """Several builds of one program, each with options of its own: nothing of the earlier ones may remain.

    `builds`: options and the kernel's value (None: the build fails); `asks`: build info that must be as a new program's.
    """
    text = "#if A == 0\n#error no A\n#elif A == 7\n#warning seven\n#endif\n__kernel void f(__global int *r) { *r = A; }"
    program = source(device, text)
    for options, value in builds:
        error = build(device, program, options)
        check.equal(
            f"clBuildProgram with {options}", error, "CL_SUCCESS" if value else "CL_BUILD_PROGRAM_FAILURE", stage="build"
        )
        check.equal("CL_PROGRAM_BUILD_STATUS", build_info(device, program, "STATUS"), SUCCESS if value else ERROR)
        new = source(device, text)
        build(device, new, options)
        for what in asks:
            words = f"CL_PROGRAM_{'' if what == 'BINARY_TYPE' else 'BUILD_'}{what} of a program that was built before"
            got, want = (build_info(device, one, what) for one in (program, new))
            if what == "LOG":  # compilers number their builds, so only the messages of the source are compared
                got, want = ([word for word in ("no A", "seven") if word in told] for told in (got, want))
            check.equal(words, got, want)
        if value:
            check.equal("the kernel's value", answer(device, program), value)
        else:
            _, error = create("clCreateKernel", program.int_ptr, b"f")
            check.equal("clCreateKernel", error, "CL_INVALID_PROGRAM_EXECUTABLE", stage="api")


def check_two_programs(device: Device) -> None:
    """Two programs with the same source keep their own options."""
    one, two = source(device, EMPTY.replace("1", "A")), source(device, EMPTY.replace("1", "A"))
    for program, options in ((one, "-DA=5"), (two, "-DA=6")):
        check.equal("clBuildProgram", build(device, program, options), "CL_SUCCESS", stage="build")
    check.equal("of the first", answer(device, one), 5)
    check.equal("of the second", answer(device, two), 6)


def check_unloaded(device: Device, *, function: str) -> None:
    """After an unload, the compiler is loaded when it is needed, and programs keep what was built (API 3.0, 5.8.8)."""
    built, begun = source(device, EMPTY.replace("1", "A")), compiled(device, EMPTY.replace("1", "6"))
    check.equal("clBuildProgram", build(device, built, "-DA=5"), "CL_SUCCESS", stage="build")
    platform = [device.device.platform.int_ptr] if function == "clUnloadPlatformCompiler" else []
    check.equal(function, call(function, *platform), "CL_SUCCESS", stage="api")
    check.equal("built before", answer(device, built), 5)
    check.equal("linked afterwards", answer(device, linked(device, [begun])), 6)
    check.equal("clBuildProgram afterwards", build(device, built, "-DA=7"), "CL_SUCCESS", stage="build")
    check.equal("built again", answer(device, built), 7)


def check_callback(device: Device, *, function: str, good: bool) -> None:
    """The callback is called once, with the program and the data, when the result is there."""
    text = EMPTY if good else "int missing(int);\n__kernel void f(__global int *r) { *r = missing(1); }"
    if function == "clCompileProgram" and not good:
        text = "__kernel void f( {"
    calls: list[tuple[int, int]] = []
    done = threading.Event()

    def notify(program: int, data: int) -> None:
        calls.append((program, data))
        done.set()

    pointer = _CALLBACK(notify)
    devices = handles([device.device])
    program = compiled(device, text) if function == "clLinkProgram" else source(device, text)
    handle = program.int_ptr
    if function == "clBuildProgram":
        call(function, handle, 1, devices, 0, pointer, 4096)
    elif function == "clCompileProgram":
        call(function, handle, 1, devices, 0, 0, 0, 0, pointer, 4096)
    else:
        handle, _ = create(function, device.context.int_ptr, 1, devices, 0, 1, handles([program]), pointer, 4096)
    check.true("the callback comes within 10 s", done.wait(10), stage="api")
    check.equal("what the callback is given", calls, [(handle, 4096)], stage="api")
    if handle:
        result = cl.Program.from_int_ptr(handle, retain=function != "clLinkProgram")
        check.equal("CL_PROGRAM_BUILD_STATUS", build_info(device, result, "STATUS"), SUCCESS if good else ERROR)
        if good and function != "clCompileProgram":
            check.equal("the kernel's value", answer(device, result), 1)


def check_kernel_error(device: Device, *, wrong: str, error: str) -> None:
    """The errors of clCreateKernel and clCreateKernelsInProgram."""
    program = source(device, EMPTY + "\n__kernel void g() {}\nvoid helper() {}")
    if not wrong.endswith("before_build"):
        check.equal("clBuildProgram", build(device, program), "CL_SUCCESS", stage="build")
    if wrong.startswith("all"):
        room = (ctypes.c_void_p * 2)()
        count = ctypes.c_uint32(0)
        number, array = (1, room) if wrong == "all_too_few" else (2, room)
        returned = call("clCreateKernelsInProgram", program.int_ptr, number, array, ctypes.byref(count))
        if wrong == "all":
            check.equal("number of kernels", count.value, 2)
            names = {cl.Kernel.from_int_ptr(k, retain=False).function_name for k in room if k}
            check.equal("kernels", names, {"f", "g"})
    else:
        name: Any = {"no_name": 0, "unknown_name": b"h", "empty_name": b"", "function": b"helper", "longer_name": b"ff"}.get(
            wrong, b"f"
        )
        handle, returned = create("clCreateKernel", 0 if wrong == "no_program" else program.int_ptr, name)
        check.true("no kernel comes with the error", handle == 0, stage="api")
    check.equal(f"creation with {wrong}", returned, error, stage="api")
