"""The macros of OpenCL C 3.0, 6.15.2.1, and the builtins whose results they name."""

import math

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .table import WIDTHS

_PREFIX = {"half": "HALF", "float": "FLT", "double": "DBL"}
_SUFFIX = {"half": "_H", "float": "_F", "double": ""}
_NUMBERS = {
    "M_E": math.e,
    "M_LOG2E": 1.4426950408889634074,
    "M_LOG10E": 0.43429448190325182765,
    "M_LN2": 0.69314718055994530942,
    "M_LN10": 2.30258509299404568402,
    "M_PI": math.pi,
    "M_PI_2": math.pi / 2,
    "M_PI_4": math.pi / 4,
    "M_1_PI": 0.31830988618379067154,
    "M_2_PI": 0.63661977236758134308,
    "M_2_SQRTPI": 1.12837916709551257390,
    "M_SQRT2": 1.41421356237309504880,
    "M_SQRT1_2": 0.70710678118654752440,
}
_EXPONENTS = {"half": (3, 4, -4), "float": (6, 38, -37), "double": (15, 308, -307)}  # DIG, MAX_10_EXP, MIN_10_EXP


def check_macros(device: Device, *, type: str) -> None:
    """The macros for the limits of a type, and those for numbers such as M_PI."""
    dtype, prefix, suffix = np_type(type), _PREFIX[type], _SUFFIX[type]
    info = np.finfo(dtype)
    digits, high, low = _EXPONENTS[type]
    wholes = {
        "DIG": digits,
        "MANT_DIG": info.nmant + 1,
        "MAX_10_EXP": high,
        "MAX_EXP": info.maxexp,
        "MIN_10_EXP": low,
        "MIN_EXP": info.minexp + 1,
        "RADIX": 2,
    }
    reals = {f"{prefix}_MAX": info.max, f"{prefix}_MIN": info.tiny, f"{prefix}_EPSILON": info.eps}
    reals |= {f"{name}{suffix}": dtype.type(value) for name, value in _NUMBERS.items()}
    if type == "float":
        reals |= {"MAXFLOAT": info.max, "HUGE_VALF": np.inf, "INFINITY": np.inf, "NAN": np.nan}
    if type == "double":
        reals["HUGE_VAL"] = np.inf
    lines = [f"whole[{i}] = {prefix}_{name};" for i, name in enumerate(wholes)]
    lines += [f"real[{i}] = {name};" for i, name in enumerate(reals)]
    body = "\n    ".join(lines)
    source = f"{pragmas(type)}__kernel void f(__global int *whole, __global {type} *real) {{\n    {body}\n}}\n"
    whole, real = device.buffer(4 * len(wholes)), device.buffer(dtype.itemsize * len(reals))
    device.launch(device.build(source).f, [1], None, whole, real)
    for name, got, want in zip(wholes, device.read(whole, np.int32, len(wholes)), wholes.values(), strict=True):
        check.equal(f"{prefix}_{name}", int(got), int(want))
    for name, number, value in zip(reals, device.read(real, dtype, len(reals)), reals.values(), strict=True):
        check.equal(name, check.show(number), check.show(dtype.type(value)))


def check_ilogb(device: Device, *, type: str) -> None:
    """ilogb of zero and of NaN are FP_ILOGB0 and FP_ILOGBNAN, each of which has one of two values."""
    operands = np.array([0.0, -0.0, np.nan], dtype=np_type(type))
    source = (
        f"{pragmas(type)}__kernel void f(__global const {type} *x, __global int *result) {{\n"
        "    size_t i = get_global_id(0);\n    result[i] = ilogb(x[i]);\n"
        "    if (i == 0) {\n        result[3] = FP_ILOGB0;\n        result[4] = FP_ILOGBNAN;\n    }\n}\n"
    )
    result = device.buffer(4 * 5)
    device.launch(device.build(source).f, [3], None, device.buffer(operands), result)
    got = [int(x) for x in device.read(result, np.int32, 5)]
    check.true(f"FP_ILOGB0 = {got[3]} is INT_MIN or -INT_MAX", got[3] in (-(2**31), -(2**31) + 1))
    check.true(f"FP_ILOGBNAN = {got[4]} is INT_MIN or INT_MAX", got[4] in (-(2**31), 2**31 - 1))
    check.equal("ilogb of 0, -0, NaN", got[:3], [got[3], got[3], got[4]])


def check_nan(device: Device, *, type: str) -> None:
    """nan(code) is a NaN for every code, at every width."""
    code = {"half": "ushort", "float": "uint", "double": "ulong"}[type]
    codes = np.array([0, 1, 2, 0x1FF, 0x200, 0x7FFF, 0x8000, 0xFFFF] * 32).astype(np_type(code))
    codes[128:] = ~codes[128:]
    kernels = []
    for width in WIDTHS:
        w = "" if width == 1 else str(width)
        line = f"vstore{w}(nan(vload{w}(i, code)), i, result);" if w else "result[i] = nan(code[i]);"
        kernels.append(
            f"__kernel void f{width}(__global const {code} *code, __global {type} *result) {{\n"
            f"    size_t i = get_global_id(0);\n    {line}\n}}\n"
        )
    program = device.build(pragmas(type) + "".join(kernels))
    source = device.buffer(codes)
    for width in WIDTHS:
        items = codes.size // width
        result = device.buffer(np.zeros(codes.size, np_type(type)))
        device.launch(getattr(program, f"f{width}"), [items], None, source, result)
        found = device.read(result, np_type(type), codes.size)[: items * width]
        check.equal(f"nan({code}{width}) is NaN", np.isnan(found), np.ones(found.size, np.bool_))
