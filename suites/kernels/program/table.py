"""Sources that must be refused, and options that kernels see. Plain Python, for the catalogue too."""

from __future__ import annotations

EMPTY = "__kernel void f(__global int *r) { *r = 1; }"

# name: source, options, error of clBuildProgram, what its log must contain
REFUSALS: dict[str, tuple[str, str, str, str]] = {
    "syntax_error": ("__kernel void f(__global int *r) { *r = 1 }", "", "CL_BUILD_PROGRAM_FAILURE", "error"),
    "undeclared": (
        "__kernel void f(__global int *r) { *r = no_such_name; }",
        "",
        "CL_BUILD_PROGRAM_FAILURE",
        "no_such_name",
    ),
    "unresolved": (
        "int missing(int x);\n__kernel void f(__global int *r) { *r = missing(1); }",
        "",
        "CL_BUILD_PROGRAM_FAILURE",
        "missing",
    ),
    "error_directive": ("#error stop here\n" + EMPTY, "", "CL_BUILD_PROGRAM_FAILURE", "stop here"),
    "werror": ("#warning look\n" + EMPTY, "-Werror", "CL_BUILD_PROGRAM_FAILURE", "look"),
    "private_argument": (
        "__kernel void f(__private int *r) { *r = 1; }",
        "",
        "CL_BUILD_PROGRAM_FAILURE",
        "error",
    ),
    "invalid_option": (EMPTY, "-no-such-option", "CL_INVALID_BUILD_OPTIONS", ""),
}

# options, expression, value
OPTIONS: tuple[tuple[str, str, int], ...] = (
    ("-DVALUE=3 -D OTHER=-4", "VALUE * OTHER", -12),
    ("-DFLAG", "FLAG", 1),
    ("-DVALUE=(1+2)", "VALUE * 2", 6),
    ("-cl-std=CL1.2", "__OPENCL_C_VERSION__", 120),
    ("-cl-std=CL3.0", "__OPENCL_C_VERSION__", 300),
    ("", "__OPENCL_VERSION__ >= 120", 1),
    ("-cl-fast-relaxed-math", "__FAST_RELAXED_MATH__", 1),
    ("-w -Werror", "1 ? 8 : (int)sizeof(short)", 8),
    ("-cl-opt-disable", "__ENDIAN_LITTLE__ + 4", 5),
)
