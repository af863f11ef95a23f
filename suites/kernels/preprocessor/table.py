"""Macros and directives of OpenCL C with their values. Plain Python, because the catalogue reads it too.

Sections are those of OpenCL C 3.0; directives are those of C99, to which 6.12 refers.
"""

from dataclasses import dataclass

Value = int | float | str  # a str is for float.fromhex, or names a value of the device


@dataclass(frozen=True, slots=True)
class Macro:
    """An expression of a type, and its values: each of `wants` is right. `head` is before the kernel."""

    expression: str
    wants: tuple[Value, ...]
    type: str = "int"
    head: str = ""
    options: str = ""
    requires: tuple[str, ...] = ()


def _ints(values: dict[str, int], type_name: str, *requires: str) -> dict[str, Macro]:
    return {f"{name}": Macro(name, (value,), type_name, requires=requires) for name, value in values.items()}


# 6.15.3.2
LIMITS: dict[str, Macro] = {
    **_ints(
        {
            "CHAR_BIT": 8,
            "SCHAR_MAX": 127,
            "SCHAR_MIN": -128,
            "CHAR_MAX": 127,
            "CHAR_MIN": -128,
            "UCHAR_MAX": 255,
            "SHRT_MAX": 32767,
            "SHRT_MIN": -32768,
            "USHRT_MAX": 65535,
            "INT_MAX": 2**31 - 1,
            "INT_MIN": -(2**31),
        },
        "int",
    ),
    **_ints({"UINT_MAX": 2**32 - 1}, "uint"),
    **_ints({"LONG_MAX": 2**63 - 1, "LONG_MIN": -(2**63)}, "long", "int64"),
    **_ints({"ULONG_MAX": 2**64 - 1}, "ulong", "int64"),
}
# 6.15.2.1, for double and half as well
_FLOAT_INTS = {
    "FLT": {"DIG": 6, "MANT_DIG": 24, "MAX_10_EXP": 38, "MAX_EXP": 128, "MIN_10_EXP": -37, "MIN_EXP": -125, "RADIX": 2},
    "DBL": {"DIG": 15, "MANT_DIG": 53, "MAX_10_EXP": 308, "MAX_EXP": 1024, "MIN_10_EXP": -307, "MIN_EXP": -1021},
    "HALF": {"DIG": 3, "MANT_DIG": 11, "MAX_10_EXP": 4, "MAX_EXP": 16, "MIN_10_EXP": -4, "MIN_EXP": -13, "RADIX": 2},
}
_FLOAT_ENDS = {
    "FLT": {"MAX": "0x1.fffffep127", "MIN": "0x1p-126", "EPSILON": "0x1p-23"},
    "DBL": {"MAX": "0x1.fffffffffffffp1023", "MIN": "0x1p-1022", "EPSILON": "0x1p-52"},
    "HALF": {"MAX": "0x1.ffcp15", "MIN": "0x1p-14", "EPSILON": "0x1p-10"},
}
_FLOAT_TYPES = {"FLT": ("float", ()), "DBL": ("double", ("fp64",)), "HALF": ("half", ("fp16",))}
# 35 digits of each constant, rounded to the type by Python's exact conversion
_CONSTANTS = {
    "E": "2.7182818284590452353602874713526624978",
    "LOG2E": "1.4426950408889634073599246810018921374",
    "LOG10E": "0.43429448190325182765112891891660508229",
    "LN2": "0.69314718055994530941723212145817656808",
    "LN10": "2.3025850929940456840179914546843642076",
    "PI": "3.1415926535897932384626433832795028842",
    "PI_2": "1.5707963267948966192313216916397514421",
    "PI_4": "0.78539816339744830961566084581987572105",
    "1_PI": "0.31830988618379067153776752674502872407",
    "2_PI": "0.63661977236758134307553505349005744814",
    "2_SQRTPI": "1.1283791670955125738961589031215451717",
    "SQRT2": "1.4142135623730950488016887242096980786",
    "SQRT1_2": "0.70710678118654752440084436210484903928",
}
FLOATS: dict[str, Macro] = {
    **{
        f"{p}_{n}": Macro(f"{p}_{n}", (v,), requires=_FLOAT_TYPES[p][1])
        for p, values in _FLOAT_INTS.items()
        for n, v in values.items()
    },
    **{
        f"{p}_{n}": Macro(f"{p}_{n}", (float.fromhex(v),), _FLOAT_TYPES[p][0], requires=_FLOAT_TYPES[p][1])
        for p, values in _FLOAT_ENDS.items()
        for n, v in values.items()
    },
    **{f"M_{n}_F": Macro(f"M_{n}_F", (v,), "float") for n, v in _CONSTANTS.items()},
    **{f"M_{n}": Macro(f"M_{n}", (v,), "double", requires=("fp64",)) for n, v in _CONSTANTS.items()},
    **{f"M_{n}_H": Macro(f"M_{n}_H", (v,), "half", requires=("fp16",)) for n, v in _CONSTANTS.items()},
    "MAXFLOAT": Macro("MAXFLOAT", (float.fromhex("0x1.fffffep127"),), "float"),
    "HUGE_VALF": Macro("HUGE_VALF", (float("inf"),), "float"),
    "HUGE_VAL": Macro("HUGE_VAL", (float("inf"),), "double", requires=("fp64",)),
    "INFINITY": Macro("-INFINITY", (float("-inf"),), "float"),
    "NAN": Macro("isnan(NAN) && NAN != NAN", (1,)),
    "FP_ILOGB0": Macro("FP_ILOGB0", (-(2**31), -(2**31) + 1)),
    "FP_ILOGBNAN": Macro("FP_ILOGBNAN", (2**31 - 1, -(2**31))),
    "size_of_M_PI_F": Macro("sizeof(M_PI_F)", (4,)),
    "size_of_FLT_MAX": Macro("sizeof(FLT_MAX)", (4,)),
    "size_of_M_PI": Macro("sizeof(M_PI)", (8,), requires=("fp64",)),
}
# 6.12; a device's own value is named
PREDEFINED: dict[str, Macro] = {
    "CL_VERSION_1_0": Macro("CL_VERSION_1_0", (100,)),
    "CL_VERSION_1_1": Macro("CL_VERSION_1_1", (110,)),
    "CL_VERSION_1_2": Macro("CL_VERSION_1_2", (120,)),
    "CL_VERSION_2_0": Macro("CL_VERSION_2_0", (200,), options="-cl-std=CL3.0", requires=("opencl_c_3.0",)),
    "CL_VERSION_3_0": Macro("CL_VERSION_3_0", (300,), options="-cl-std=CL3.0", requires=("opencl_c_3.0",)),
    "OPENCL_VERSION": Macro("__OPENCL_VERSION__", ("version",)),
    "OPENCL_VERSION.1.1": Macro("__OPENCL_VERSION__", ("version",), options="-cl-std=CL1.1"),
    "OPENCL_VERSION.3.0": Macro("__OPENCL_VERSION__", ("version",), options="-cl-std=CL3.0", requires=("opencl_c_3.0",)),
    "OPENCL_C_VERSION.1.1": Macro("__OPENCL_C_VERSION__", (110,), options="-cl-std=CL1.1"),
    "OPENCL_C_VERSION.1.2": Macro("__OPENCL_C_VERSION__", (120,), options="-cl-std=CL1.2"),
    "OPENCL_C_VERSION.3.0": Macro("__OPENCL_C_VERSION__", (300,), options="-cl-std=CL3.0", requires=("opencl_c_3.0",)),
    "OPENCL_C_VERSION.default": Macro("__OPENCL_C_VERSION__", (120,)),  # the highest 1.x (API 3.0, 5.8.6.5)
    "ENDIAN_LITTLE": Macro(
        "ENDIAN",
        ("endian",),
        head="#ifdef __ENDIAN_LITTLE__\n#define ENDIAN __ENDIAN_LITTLE__\n#else\n#define ENDIAN 0\n#endif",
    ),
    "IMAGE_SUPPORT": Macro("__IMAGE_SUPPORT__", (1,), requires=("images",)),
    "FAST_RELAXED_MATH": Macro("__FAST_RELAXED_MATH__", (1,), options="-cl-fast-relaxed-math"),
    "FAST_RELAXED_MATH.not": Macro(
        "defined_", (0,), head="#ifdef __FAST_RELAXED_MATH__\n#define defined_ 1\n#else\n#define defined_ 0\n#endif"
    ),
    "FAST_RELAXED_MATH.not_of_unsafe": Macro(
        "defined_",
        (0,),
        options="-cl-unsafe-math-optimizations",
        head="#ifdef __FAST_RELAXED_MATH__\n#define defined_ 1\n#else\n#define defined_ 0\n#endif",
    ),
    "LINE": Macro("line", (3,), head="\n\n__constant int line = __LINE__;\n"),
    "LINE.after_line": Macro("line", (1001,), head="#line 1000\n\n__constant int line = __LINE__;\n"),
    "FILE": Macro("sizeof(__FILE__) > 1", (1,)),
    "FILE.after_line": Macro(
        "name[0] * 1000 + name[2] + sizeof(name)",
        (97 * 1000 + 99 + 7,),
        head='#line 7 "abc.cl"\n__constant char name[] = __FILE__;\n',
    ),
    "kernel_exec": Macro("1", (1,), head="__kernel_exec(4, float4) void other(__global float4 *a) { a[0] = 1; }"),
    "NULL": Macro("is_null(NULL) && !NULL", (1,), head="int is_null(__global int *p) { return p == NULL; }"),
}
