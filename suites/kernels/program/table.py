"""Sources that must be refused, and options whose effect a kernel sees. Plain Python, because the catalogue reads it too."""

EMPTY = "__kernel void f(__global int *r) { *r = 1; }"
FAILURE = "CL_BUILD_PROGRAM_FAILURE"

# name: source, options, error of clBuildProgram, text that the log must contain
REFUSALS: dict[str, tuple[str, str, str, str]] = {
    "syntax_error": ("__kernel void f(__global int *r) { *r = 1 }", "", FAILURE, "error"),
    "undeclared": ("__kernel void f(__global int *r) { *r = no_such_name; }", "", FAILURE, "no_such_name"),
    "unresolved": ("int missing(int x);\n__kernel void f(__global int *r) { *r = missing(1); }", "", FAILURE, "missing"),
    "error_directive": ("#error stop here\n" + EMPTY, "", FAILURE, "stop here"),
    "werror": ("#warning look\n" + EMPTY, "-Werror", FAILURE, "look"),
    "werror_first": ("#warning look\n" + EMPTY, "-Werror -DA", FAILURE, "look"),
    "private_argument": ("__kernel void f(__private int *r) { *r = 1; }", "", FAILURE, "error"),
    "second_function": (EMPTY + "\nint g() { return unknown; }", "", FAILURE, "unknown"),
    "only_of_macro": ("#ifdef A\n#error chosen\n#endif\n" + EMPTY, "-DA", FAILURE, "chosen"),
    "by_macro": (EMPTY.replace("1", "A"), "-DA=nothing_known", FAILURE, "nothing_known"),
}

# Invalid options, for clBuildProgram, clCompileProgram and clLinkProgram.
INVALID_OPTIONS: dict[str, str] = {
    "unknown": "-no-such-option",
    "unknown_cl": "-cl-no-such-option",
    "word": "word",
    "std_unknown": "-cl-std=CL9.9",
    "std_empty": "-cl-std=",
    "std_word": "-cl-std=C99",
    "behind_valid": "-cl-opt-disable -no-such-option",
    "before_valid": "-no-such-option -cl-opt-disable",
    "misspelled": "-cl-mad-enabled",
    "capital": "-CL-MAD-ENABLE",
}
# Only for clLinkProgram: options of a compiler, and an option that needs -create-library.
INVALID_LINKER_OPTIONS: dict[str, str] = {
    "define": "-DA",
    "include": "-I .",
    "std": "-cl-std=CL1.2",
    "warnings": "-w",
    "enable_without_library": "-enable-link-options",
}

# name: options, expression, value; the kernel is *r = expression
OPTIONS: dict[str, tuple[str, str, int]] = {
    "define_two": ("-DVALUE=3 -D OTHER=-4", "VALUE * OTHER", -12),
    "define_flag": ("-DFLAG", "FLAG", 1),
    "define_expression": ("-DVALUE=(1+2)", "VALUE * 2", 6),
    "define_empty": ("-DVALUE=", "VALUE 7", 7),
    "define_macro_of_macro": ("-DA=B -DB=9", "A", 9),
    "define_equal_signs": ("-DA=(2==2)", "A + 4", 5),
    "define_hex": ("-DA=0xffu", "A", 255),
    "define_type": ("-DT=short4", "sizeof(T)", 8),
    "define_vector_suffix": ("-DN=4 -DT=int", "0 + sizeof(int4) / sizeof(T) - N", 0),
    "define_builtin": ("-DOP=max", "OP(3, 8)", 8),
    "define_underscore": ("-D_A1_=5", "_A1_", 5),
    "define_wide_space": ("  -D   VALUE=3    -DOTHER=4  ", "VALUE * OTHER", 12),
    "define_long": ("-DLONG_NAME_" + "x" * 300 + "=3", "LONG_NAME_" + "x" * 300, 3),
    "define_many": (" ".join(f"-DM{k}={k}" for k in range(100)), "M0 + M1 + M50 + M99", 150),
    "std_1.1": ("-cl-std=CL1.1", "__OPENCL_C_VERSION__", 110),
    "std_1.2": ("-cl-std=CL1.2", "__OPENCL_C_VERSION__", 120),
    "std_3.0": ("-cl-std=CL3.0", "__OPENCL_C_VERSION__", 300),
    "std_3.1": ("-cl-std=CL3.1", "__OPENCL_C_VERSION__ + CL_VERSION_3_1", 620),
    "std_default": ("", "__OPENCL_C_VERSION__", 120),  # the newest 1.x, even if there are later ones (API 3.0, 5.8.6.5)
    "std_behind": ("-DA=10 -cl-std=CL1.1", "__OPENCL_C_VERSION__ + A", 120),
    "std_between": ("-DA=1 -cl-std=CL1.1 -DB=2", "__OPENCL_C_VERSION__ + A + B", 113),
    "none": ("", "__OPENCL_VERSION__ >= 120", 1),
    "blank": ("   ", "3", 3),
    "relaxed": ("-cl-fast-relaxed-math", "__FAST_RELAXED_MATH__", 1),
    "no_warnings": ("-w -Werror", "1 ? 8 : (int)sizeof(short)", 8),
    "opt_disable": ("-cl-opt-disable", "__ENDIAN_LITTLE__ + 4", 5),
    "single_constant": ("-cl-single-precision-constant", "sizeof(1.0)", 4),
    "arg_info": ("-cl-kernel-arg-info", "6", 6),
    "mad_enable": ("-cl-mad-enable", "(int)(2.0f * 3.0f + 1.0f)", 7),
    "no_signed_zeros": ("-cl-no-signed-zeros", "(int)(2.0f * 3.0f + 2.0f)", 8),
    "unsafe_math": ("-cl-unsafe-math-optimizations", "(int)(2.0f * 3.0f + 3.0f)", 9),
    "finite_math": ("-cl-finite-math-only", "(int)(2.0f * 3.0f + 4.0f)", 10),
    "denorms_are_zero": ("-cl-denorms-are-zero", "(int)(2.0f * 3.0f + 5.0f)", 11),
    "strict_aliasing": ("-cl-strict-aliasing", "12", 12),
    "all_math": (
        "-cl-mad-enable -cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only "
        "-cl-denorms-are-zero -cl-fast-relaxed-math",
        "(int)(2.0f * 3.0f + 6.0f)",
        12,
    ),
    "uniform_groups": ("-cl-std=CL3.0 -cl-uniform-work-group-size", "13", 13),
    "no_subgroup_ifp": ("-cl-std=CL3.0 -cl-no-subgroup-ifp", "14", 14),
    "no_subgroup_ifp_between": ("-DA=5 -cl-no-subgroup-ifp -DB=10", "A + B", 15),
}
OPTION_NEEDS = {
    "std_3.0": ("opencl_c_3.0",),
    "std_3.1": ("opencl_c_3.1",),
    "uniform_groups": ("opencl_c_3.0",),
    "no_subgroup_ifp": ("opencl_c_3.0",),
    "no_subgroup_ifp_between": ("opencl3",),
    "single_constant": ("fp64",),
}
