"""The extended instructions of OpenCL.std (OpenCL.std 100, 2), compared with Python's integers and numpy."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit import spirv
from ..kit.assembler import WIDTHS
from ..kit.spirv import DTYPES, kernel_text, memory, split
from .extended_table import BY_POINTER, FLOAT, INTEGER, INTEGER24
from .operators import COUNT, _inputs, _shaped, floats, integers, signed, to_float

IMPORT = '%cl = OpExtInstImport "OpenCL.std"\n'


def _limits(n: int, sign: bool) -> tuple[int, int]:
    return (-(1 << (n - 1)), (1 << (n - 1)) - 1) if sign else (0, (1 << n) - 1)


def _saturated(value: int, n: int, sign: bool) -> int:
    low, high = _limits(n, sign)
    return min(max(value, low), high)


def _low24(value: int, sign: bool) -> int:
    return signed(value & 0xFFFFFF, 24) if sign else value & 0xFFFFFF


# Functions of the number of bits, whether the instruction is signed, and the operands as it reads them (s_...: signed).
_INTEGER: dict[str, Callable[..., int]] = {
    "abs": lambda n, s, a: abs(a),
    "abs_diff": lambda n, s, a, b: abs(a - b),
    "clz": lambda n, s, a: n - a.bit_length(),
    "ctz": lambda n, s, a: (a & -a).bit_length() - 1 if a else n,
    "popcount": lambda n, s, a: a.bit_count(),
    "add_sat": lambda n, s, a, b: _saturated(a + b, n, s),
    "sub_sat": lambda n, s, a, b: _saturated(a - b, n, s),
    "hadd": lambda n, s, a, b: a + b >> 1,
    "rhadd": lambda n, s, a, b: a + b + 1 >> 1,
    "max": lambda n, s, a, b: max(a, b),
    "min": lambda n, s, a, b: min(a, b),
    "mul_hi": lambda n, s, a, b: a * b >> n,
    "rotate": lambda n, s, a, b: a << b % n | a >> (n - b % n),
    "clamp": lambda n, s, a, b, c: min(max(a, b), c),
    "mad_hi": lambda n, s, a, b, c: (a * b >> n) + c,
    "mad_sat": lambda n, s, a, b, c: _saturated(a * b + c, n, s),
    "bitselect": lambda n, s, a, b, c: a & ~c | b & c,
    "mul24": lambda n, s, a, b: _low24(a, s) * _low24(b, s),
    "mad24": lambda n, s, a, b, c: _low24(a, s) * _low24(b, s) + c,
}


def check_extended_integer(device: Device, *, op: str, type: str) -> None:
    """An instruction of OpenCL.std on integers."""
    scalar, width = split(type)
    n = WIDTHS[scalar]
    kinds = INTEGER.get(op, INTEGER24.get(op, ""))
    values = [integers(device, scalar) for _ in kinds]
    sign = op.startswith("s_")
    if op.endswith("clamp"):  # minval <= maxval
        order = np.sort(np.array(values[1:]).view(f"i{n // 8}") if sign else np.array(values[1:]), axis=0)
        values[1:] = [row.view(DTYPES[scalar]) for row in order]
    if op.endswith("24"):  # beyond 24 bits the result is implementation-defined
        values[:2] = [np.where(signed_fits(v, sign), v, v & 0x7FFFFF).astype(np.uint32) for v in values[:2]]
    operands = dict(zip("xzw", values, strict=False))
    names = " ".join(f"%{name}" for name in operands)
    body = f"{IMPORT}%y = OpExtInst %{type} %cl {op} {names}"
    text = kernel_text(type, dict.fromkeys(operands, type), body)
    got = spirv.compute(device, text, type, [memory(v, type) for v in values], COUNT // width)
    name = op.removeprefix("s_").removeprefix("u_")
    want = []
    for row in zip(*(map(int, v) for v in values), strict=True):
        if name == "select":  # it chooses by the sign bit in a vector, else by the value
            truth = row[2] >> (n - 1) if width > 1 else row[2]
            want.append(row[1] if truth else row[0])
        else:
            read = [signed(v, n) for v in row] if sign else list(row)
            want.append(_INTEGER[name](n, sign, *read) % 2**n)
    inputs = _inputs(type, operands)
    check.equal(op, got, _shaped(want, type, DTYPES[scalar]), inputs)


def signed_fits(values: NDArray[Any], sign: bool) -> NDArray[np.bool_]:
    """Mask of the 32-bit words that are numbers of 24 bits."""
    if sign:
        numbers = values.view(np.int32)
        return np.asarray((numbers >= -(2**23)) & (numbers < 2**23))
    return np.asarray(values < 2**24)


_FLOAT: dict[str, Callable[..., Any]] = {
    "round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
    "logb": lambda x: np.frexp(x)[1] - 1.0,
    "fmax_common": np.fmax,
    "fmin_common": np.fmin,
    "fdim": lambda x, z: np.where(x > z, x - z, 0),
    "maxmag": lambda x, z: np.where(np.abs(x) == np.abs(z), np.maximum(x, z), np.where(np.abs(x) > np.abs(z), x, z)),
    "minmag": lambda x, z: np.where(np.abs(x) == np.abs(z), np.minimum(x, z), np.where(np.abs(x) < np.abs(z), x, z)),
    "step": lambda edge, x: np.where(x < edge, 0.0, 1.0),
    "nextafter": lambda x, z: np.nextafter(x.astype(np.float32), z.astype(np.float32)),
    "fma": lambda x, z, w: x * z + w,
    "fclamp": lambda x, z, w: np.fmin(np.fmax(x, z), w),
    "ldexp": lambda x, k: np.ldexp(x, k.view(np.int32)),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "exp10": lambda x: np.power(np.longdouble(10), x),
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "sinpi": lambda x: np.sin(np.pi * np.longdouble(1) * np.fmod(x, 2)),
    "cospi": lambda x: np.cos(np.pi * np.longdouble(1) * np.fmod(x, 2)),
    "asinpi": lambda x: np.arcsin(x) / _PI,
    "acospi": lambda x: np.arccos(x) / _PI,
    "atanpi": lambda x: np.arctan(x) / _PI,
    "atan2": np.arctan2,
    "atan2pi": lambda x, z: np.arctan2(x, z) / _PI,
    "powr": np.power,
    "pow": np.power,
    "pown": lambda x, k: np.power(x, k.view(np.int32).astype(np.longdouble)),
    "remainder": lambda x, z: x - z * np.rint(x / z),
}
_PI: np.longdouble = np.longdouble("3.14159265358979323846264338327950288")


def _float_operands(device: Device, op: str, kinds: str) -> list[NDArray[Any]]:
    values = [floats(device, "float", False) for _ in kinds]
    if op in ("sqrt", "rsqrt", "log", "log2", "log10", "log1p", "powr", "pow"):
        values[0] = np.abs(values[0])
    if op in ("asin", "acos", "asinpi", "acospi"):
        values[0] = values[0] / np.float32(64)
    if op in ("pow", "powr", "exp10"):
        values[-1] = values[-1] / np.float32(8)
    if op in ("sinpi", "cospi"):  # not close to the zeros, for which pi in float64 is too inexact
        values[0] = np.asarray(np.round(values[0] * 8) / 8 + np.float32(0.0625), np.float32)
    if op in ("fmod", "remainder"):  # few bits, and quotients that are not close to integers or halves
        values[1] = np.asarray(2.0 ** device.rng.integers(-2, 3, COUNT), np.float32)
        values[0] = np.asarray(values[1] * (device.rng.integers(-6, 6, COUNT) + 0.25), np.float32)
    if op == "fclamp":
        values[1], values[2] = np.minimum(values[1], values[2]), np.maximum(values[1], values[2])
    if kinds.endswith("j"):
        values[-1] = device.rng.integers(-9, 10, COUNT).astype(np.int32).view(np.uint32)
    if op in ("ceil", "floor", "trunc", "rint", "round"):
        values[0][:40] = np.arange(-20, 20, dtype=np.float32) / 2
    return values


def check_extended_float(device: Device, *, op: str, width: int) -> None:
    """An instruction of OpenCL.std on floats."""
    kinds, limit = FLOAT[op]
    prefix = f"v{width}" if width > 1 else ""
    values = _float_operands(device, op, kinds)
    types = {n: prefix + ("uint" if k == "j" else "float") for n, k in zip("xzw", kinds, strict=False)}
    names = " ".join(f"%{n}" for n in types)
    text = kernel_text(prefix + "float", types, f"{IMPORT}%y = OpExtInst %{prefix}float %cl {op} {names}")
    inputs = [memory(v, prefix + "float") for v in values]
    got = spirv.compute(device, text, prefix + "float", inputs, COUNT // width)
    wide = [v if k == "j" else v.astype(np.longdouble) for k, v in zip(kinds, values, strict=True)]
    want = np.asarray((_FLOAT.get(op) or getattr(np, op))(*wide))
    if limit == 0:
        want = want.astype(np.float32)
    shown = [_shaped(list(v), prefix + "float", v.dtype) for v in values]
    check.ulp(op, got, [_shaped(list(want), prefix + "float", want.dtype)], limit, shown)


def check_by_pointer(device: Device, *, op: str) -> None:
    """An instruction with two results, of which it stores one."""
    kinds, stored = BY_POINTER[op]
    values = [floats(device, "float", False) for _ in kinds]
    if op == "remquo":
        values[1] = np.asarray(2.0 ** device.rng.integers(-2, 3, COUNT), np.float32)
        values[0] = np.asarray(values[1] * (device.rng.integers(-60, 60, COUNT) + 0.25), np.float32)
    x = values[0].astype(np.float64)
    operands = dict(zip("xz", values, strict=False))
    names = " ".join(f"%{n}" for n in operands)
    first, second, limit = _pairs(op, x, values)
    for result, want in (("float", first), (stored, second)):
        body = f"{IMPORT}%v = OpVariable %function_{stored} Function\n"
        if want is first:
            body += f"%y = OpExtInst %float %cl {op} {names} %v"
        else:
            body += f"%t = OpExtInst %float %cl {op} {names} %v\n%y = OpLoad %{stored} %v"
        got = spirv.compute(device, kernel_text(result, dict.fromkeys(operands, "float"), body), result, values, COUNT)
        what = f"{op}, {'returned' if want is first else 'stored'}"
        if result == "uint" and op == "remquo":  # at least the low seven bits, and the sign
            quotient = got.view(np.int32)
            got, want = np.sign(quotient) * (np.abs(quotient) % 128), np.asarray(want, np.int32)
        if result == "float":
            check.ulp(what, got, [want if limit else want.astype(np.float32)], limit, values)
        else:
            check.equal(what, got, want.astype(got.dtype), values)


def _pairs(op: str, x: NDArray[Any], values: list[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any], float]:
    """The result that is returned, the one that is stored, and the error allowed in ULP."""
    if op == "fract":
        return np.minimum(x - np.floor(x), 1 - 2.0**-24), np.floor(x), 0
    if op == "modf":
        return x - np.trunc(x), np.trunc(x), 0
    if op == "frexp":
        mantissa, exponent = np.frexp(x)
        return mantissa, exponent.astype(np.int32).view(np.uint32), 0
    if op == "sincos":
        return np.sin(x), np.cos(x), 4
    quotient = np.rint(x / values[1])
    return x - values[1] * quotient, np.sign(quotient) * (np.abs(quotient) % 128), 0


def check_vload(device: Device, *, type: str, width: int) -> None:
    """vloadn and vstoren with addresses that are not aligned for the vector."""
    data = integers(device, type, 16 * (width + 1)) if type != "float" else floats(device, type, True, 16 * (width + 1))
    vector = f"v{width}{type}"
    body = f"""{IMPORT}
%one = OpInBoundsPtrAccessChain %global_{type} %p_x %size_1
%v = OpExtInst %{vector} %cl vloadn %i %one {width}
%w = OpVectorShuffle %{vector} %v %v {" ".join(str(n) for n in reversed(range(width)))}
%there = OpInBoundsPtrAccessChain %global_{type} %r %size_3
%s = OpExtInst %void %cl vstoren %w %i %there"""
    items = 8
    text = kernel_text(type, {"x": type}, body)
    target = device.buffer(np.zeros(16 * (width + 1), DTYPES[type]))
    device.launch(spirv.build(device, text).f, [items], None, target, device.buffer(data))
    got = device.read(target, DTYPES[type], 16 * (width + 1))
    want = np.zeros_like(data)
    want[3 : 3 + items * width] = data[1 : 1 + items * width].reshape(items, width)[:, ::-1].ravel()
    check.equal(f"vload{width}, vstore{width} of {type}", got, want)


_HALF = """
OpCapability Float16Buffer
%h = OpTypeFloat 16
%half_pointer = OpTypePointer CrossWorkgroup %h
"""


def check_half_load(device: Device, *, op: str, width: int) -> None:
    """vload_half, its vectors and vloada_half convert halves to floats exactly."""
    result = f"v{width}float" if width > 1 else "float"
    body = f"""{IMPORT}{_HALF}
%ph = OpBitcast %half_pointer %p_x
%y = OpExtInst %{result} %cl {op} %i %ph{f" {width}" if width > 1 else ""}"""
    data = floats(device, "half", True)
    got = spirv.compute(device, kernel_text(result, {"x": "ushort"}, body), result, [data], COUNT // 16)
    room = 4 if width == 3 and op == "vloada_halfn" else width
    want = data[: COUNT // 16 * room].astype(np.float32)
    check.equal(op, got, want if width == 1 else want.reshape(-1, room)[:, :width])


def check_half_store(device: Device, *, op: str, width: int, mode: str) -> None:
    """vstore_half, its vectors and rounding modes. `mode`: "" for the default, RTE."""
    operand = f"v{width}float" if width > 1 else "float"
    body = f"""{IMPORT}{_HALF}
%ph = OpBitcast %half_pointer %r
%s = OpExtInst %void %cl {op}{"_r" if mode else ""} %x %i %ph{f" {mode}" if mode else ""}"""
    data = floats(device, "float", False)
    items = COUNT // width
    room = 4 if width == 3 and op == "vstorea_halfn" else width
    target = device.buffer(np.zeros(items * room, np.uint16))
    text = kernel_text("ushort", {"x": operand}, body)
    device.launch(spirv.build(device, text).f, [items], None, target, device.buffer(memory(data, operand)))
    got = device.read(target, np.float16, items * room).reshape(items, room)[:, :width].ravel()
    want = np.array([to_float(Fraction(float(v)), mode or "RTE", "half") for v in data], np.float16)
    check.equal(f"{op} {mode}", got, want, [data])
