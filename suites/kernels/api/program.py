"""Calls on programs, and their mistakes (OpenCL API 3.0, 5.8)."""

from typing import Any

from .terms import DEVICE, OPERATION, VALUE, Handles, Host, Sizes, Text, Texts, call, info, references

EXECUTABLE = ("CL_INVALID_PROGRAM_EXECUTABLE",)
PROGRAM = ("CL_INVALID_PROGRAM",)
BINARY = ("CL_INVALID_BINARY",)
ONE = Handles(("device",))

_DEVICES: dict[str, tuple[Any, ...]] = {
    "count_without_devices": ({"count": 1, "devices": None}, VALUE),
    "devices_without_count": ({"count": 0, "devices": ONE}, VALUE),
    "null_device": ({"count": 2, "devices": Handles(("device", None))}, DEVICE),
    "data_without_callback": ({"data": Host()}, VALUE),
}
_BUILD = {"count": 1, "devices": ONE, "options": Text("")}
_DONE = {"callback": None, "data": None}
_HEADERS = {"headers": 0, "header_programs": None, "header_names": None}
_INFO = {
    "reference_count": (0x1160, 4),
    "context": (0x1161, 8),
    "num_devices": (0x1162, 4),
    "devices": (0x1163, 8),
    "binary_sizes": (0x1165, 8),
    "binaries": (0x1166, 8),
    "num_kernels": (0x1167, 8),
}


def _without_executable() -> dict[str, tuple[Any, ...]]:
    """The queries that need an executable, for programs that do not have one."""
    queries = {"num_kernels": 0x1167, "kernel_names": 0x1168, "global_ctors_present": 0x116A, "global_dtors_present": 0x116B}
    states = {"too_early": "new_program", "of_broken": "broken_program", "of_compiled": "compiled_program"}
    return {
        f"{query}_{state}": ({"program": program, "name": code}, EXECUTABLE, ("opencl3",) * query.startswith("global"))
        for query, code in queries.items()
        for state, program in states.items()
    }


CALLS = (
    call(
        "clCreateProgramWithSource",
        {"context": "context", "count": 1, "strings": Texts(("__kernel void f() {}",)), "lengths": None},
        {
            "count_zero": ({"count": 0}, VALUE),
            "null_strings": ({"strings": None}, VALUE),
            "null_string": ({"strings": Texts((None,))}, VALUE),
            "second_string_null": ({"count": 2, "strings": Texts(("__kernel void f() {}", None))}, VALUE),
        },
    ),
    call(
        "clCreateProgramWithBinary",
        {
            "context": "context",
            "count": 1,
            "devices": ONE,
            "lengths": Sizes((64,)),
            "binaries": "garbage_binaries",
            "status": None,
        },
        {
            "garbage": ({}, BINARY),
            "null_devices": ({"devices": None}, VALUE),
            "count_zero": ({"count": 0}, VALUE),
            "null_lengths": ({"lengths": None}, VALUE),
            "null_binaries": ({"binaries": None}, VALUE),
            "null_device": ({"devices": Handles((None,))}, DEVICE),
            "null_binary": ({"binaries": Texts((None,))}, VALUE),
            "length_zero": ({"lengths": Sizes((0,))}, VALUE),
        },
        right=False,
    ),
    call(
        "clCreateProgramWithIL",
        {"context": "context", "il": "spirv", "length": 20},
        {
            "null_il": ({"il": None}, VALUE),
            "length_zero": ({"length": 0}, VALUE),
            "garbage": ({"il": Host(64), "length": 64}, VALUE),
            "length_no_word": ({"length": 19}, VALUE),
            "header_cut": ({"length": 16}, VALUE),
        },
        requires=("il", "opencl3"),
        right=False,
    ),
    call(
        "clCreateProgramWithBuiltInKernels",
        {"context": "context", "count": 1, "devices": ONE, "names": Text("no_such_kernel")},
        {"unknown_name": ({}, VALUE), "null_names": ({"names": None}, VALUE), "count_zero": ({"count": 0}, VALUE)},
        right=False,
    ),
    *references("Program", "new_program"),
    call(
        "clBuildProgram",
        {"program": "new_program", **_BUILD, **_DONE},
        {
            **_DEVICES,
            "options": ({"options": Text("-cl-no-such-option")}, ("CL_INVALID_BUILD_OPTIONS",)),
            "kernel_attached": ({"program": "program_with_kernel"}, OPERATION),
            "broken_source": ({"program": "broken_program"}, ("CL_BUILD_PROGRAM_FAILURE",)),
        },
    ),
    call(
        "clCompileProgram",
        {"program": "new_program", **_BUILD, **_HEADERS, **_DONE},
        {
            **_DEVICES,
            "options": ({"options": Text("-cl-no-such-option")}, ("CL_INVALID_COMPILER_OPTIONS",)),
            "kernel_attached": ({"program": "program_with_kernel"}, OPERATION),
            "broken_source": ({"program": "broken_program"}, ("CL_COMPILE_PROGRAM_FAILURE",)),
            "null_header_programs": ({"headers": 1, "header_names": Texts(("a.h",))}, VALUE),
            "null_header_names": ({"headers": 1, "header_programs": Handles(("new_program",))}, VALUE),
            "header_names_without_count": ({"header_names": Texts(("a.h",))}, VALUE),
            "header_programs_without_count": ({"header_programs": Handles(("new_program",))}, VALUE),
        },
    ),
    call(
        "clLinkProgram",
        {"context": "context", **_BUILD, "inputs": 1, "programs": Handles(("compiled_program",)), **_DONE},
        {
            **_DEVICES,
            "inputs_zero": ({"inputs": 0}, VALUE),
            "null_programs": ({"programs": None}, VALUE),
            "null_program": ({"inputs": 2, "programs": Handles(("compiled_program", None))}, PROGRAM),
            "options": ({"options": Text("-cl-no-such-option")}, ("CL_INVALID_LINKER_OPTIONS",)),
            "not_compiled": ({"programs": Handles(("new_program",))}, OPERATION),
            "unresolved": ({"programs": Handles(("unresolved_program",))}, ("CL_LINK_PROGRAM_FAILURE",)),
        },
    ),
    call(
        "clSetProgramReleaseCallback",
        {"program": "new_program", "callback": None, "data": None},
        {"null_callback": ({}, VALUE + OPERATION)},
        requires=("opencl3",),
        right=False,
    ),
    call(
        "clSetProgramSpecializationConstant",
        {"program": "new_program", "id": 1, "size": 4, "value": Host()},
        {"of_source": ({}, PROGRAM)},
        requires=("il", "opencl3"),
        right=False,
    ),
    info(
        "clGetProgramInfo",
        {"program": "built_program"},
        _INFO,
        {
            **_without_executable(),
            "source_short": ({"name": 0x1164, "size": 3}, VALUE),
            "kernel_names_short": ({"name": 0x1168, "size": 1}, VALUE),
        },
    ),
    info(
        "clGetProgramBuildInfo",
        {"program": "built_program", "device": "device"},
        {"status": (0x1181, 4), "binary_type": (0x1184, 4), "global_variable_total_size": (0x1185, 8)},
        {
            "null_device": ({"device": None}, DEVICE),
            "options_short": ({"name": 0x1182, "size": 0}, VALUE),
            "log_short": ({"name": 0x1183, "size": 0}, VALUE),
        },
    ),
)
