"""OpenCL.std's instructions: the types of their operands, and the error that is allowed. Plain Python.

Letters of types: i is the integer type of the case, f its float type, j 32-bit integers with as many components.
"""

INTEGER: dict[str, str] = {
    **dict.fromkeys(("s_abs", "u_abs", "clz", "ctz", "popcount"), "i"),
    **dict.fromkeys(
        (
            *("s_abs_diff", "u_abs_diff", "s_add_sat", "u_add_sat", "s_sub_sat", "u_sub_sat", "s_hadd", "u_hadd"),
            *("s_rhadd", "u_rhadd", "s_max", "u_max", "s_min", "u_min", "s_mul_hi", "u_mul_hi", "rotate"),
        ),
        "ii",
    ),
    **dict.fromkeys(("s_clamp", "u_clamp", "s_mad_hi", "u_mad_hi", "s_mad_sat", "u_mad_sat", "bitselect", "select"), "iii"),
}
# Only with 32-bit operands.
INTEGER24: dict[str, str] = {"s_mul24": "ii", "u_mul24": "ii", "s_mad24": "iii", "u_mad24": "iii"}
# Operands, and the error in ULP for single precision (OpenCL C 3.0, 7.4); 0: correctly rounded or exact.
FLOAT: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("ceil", "floor", "trunc", "rint", "round", "fabs", "sign", "logb"), ("f", 0)),
    **dict.fromkeys(
        ("fmax", "fmin", "fmax_common", "fmin_common", "copysign", "fdim", "maxmag", "minmag", "step", "nextafter"),
        ("ff", 0),
    ),
    "fma": ("fff", 0),
    "fclamp": ("fff", 0),
    "ldexp": ("fj", 0),
    "sqrt": ("f", 3),
    "rsqrt": ("f", 2),
    "cbrt": ("f", 2),
    "degrees": ("f", 2),
    "radians": ("f", 2),
    **dict.fromkeys(("exp", "exp2", "exp10", "expm1"), ("f", 3)),
    "log1p": ("f", 2),
    **dict.fromkeys(("log", "log2", "log10"), ("f", 3)),
    **dict.fromkeys(("sin", "cos", "sinh", "cosh", "asin", "acos", "asinh", "sinpi", "cospi"), ("f", 4)),
    **dict.fromkeys(("tan", "atan", "tanh", "asinpi", "acospi", "atanpi"), ("f", 5)),
    "atan2": ("ff", 6),
    "atan2pi": ("ff", 6),
    "hypot": ("ff", 4),
    "pow": ("ff", 16),
    "powr": ("ff", 16),
    "pown": ("fj", 16),
    "fmod": ("ff", 0),
    "remainder": ("ff", 0),
}
# The width of each instruction's vectors: 2 for those that are not here.
WIDTH_OF: dict[str, int] = {
    op: width
    for width, ops in {
        3: "floor sign fmin_common step sqrt exp log sinh sinpi asinpi hypot remainder",
        4: "trunc logb copysign nextafter rsqrt exp2 log2 cosh cospi acospi pow",
        8: "rint fmax fdim fma cbrt exp10 log10 asin tan atanpi powr",
        16: "round fmin maxmag fclamp degrees expm1 sin acos atan atan2 pown",
    }.items()
    for op in ops.split()
}
# Instructions with two results: operands, and the type of the second result, which is stored through a pointer.
BY_POINTER: dict[str, tuple[str, str]] = {
    "fract": ("f", "float"),
    "modf": ("f", "float"),
    "frexp": ("f", "uint"),
    "sincos": ("f", "float"),
    "remquo": ("ff", "uint"),
}
VLOAD = tuple((scalar, width) for scalar in ("uchar", "ushort", "uint", "float") for width in (2, 3, 4, 8, 16))
HALF_STORES = ("", "RTE", "RTZ", "RTP", "RTN")
