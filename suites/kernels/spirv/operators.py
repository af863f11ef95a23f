"""Arithmetic, relations and conversions of SPIR-V, compared with Python's integers and fractions.

One file: it is a table of operators with their models.
"""

import math
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
from .table import FLOAT_OPERATIONS, FLOAT_RELATIONS, INTEGER_OPERATIONS

COUNT = 240  # values of a case: whole vectors of every width


def signed(value: int, bits: int) -> int:
    """The signed number of a word in two's complement."""
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def truncated(a: int, b: int) -> int:
    """a / b, rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# Functions of words a, b of n bits; the result is taken modulo 2^n.
INTEGER: dict[str, Callable[[int, int, int], int]] = {
    "SNegate": lambda a, b, n: -a,
    "Not": lambda a, b, n: ~a,
    "BitCount": lambda a, b, n: a.bit_count(),
    "IAdd": lambda a, b, n: a + b,
    "ISub": lambda a, b, n: a - b,
    "IMul": lambda a, b, n: a * b,
    "UDiv": lambda a, b, n: a // b,
    "SDiv": lambda a, b, n: truncated(signed(a, n), signed(b, n)),
    "UMod": lambda a, b, n: a % b,
    "SRem": lambda a, b, n: signed(a, n) - signed(b, n) * truncated(signed(a, n), signed(b, n)),
    "SMod": lambda a, b, n: signed(a, n) % signed(b, n),
    "ShiftLeftLogical": lambda a, b, n: a << b,
    "ShiftRightLogical": lambda a, b, n: a >> b,
    "ShiftRightArithmetic": lambda a, b, n: signed(a, n) >> b,
    "BitwiseAnd": lambda a, b, n: a & b,
    "BitwiseOr": lambda a, b, n: a | b,
    "BitwiseXor": lambda a, b, n: a ^ b,
}
_WIDE: dict[str, Callable[[int, int, int], tuple[int, int]]] = {
    "IAddCarry": lambda a, b, n: (a + b, a + b >> n),
    "ISubBorrow": lambda a, b, n: (a - b, int(a < b)),
    "UMulExtended": lambda a, b, n: (a * b, a * b >> n),
    "SMulExtended": lambda a, b, n: (a * b, signed(a, n) * signed(b, n) >> n),
}
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "Equal": lambda a, b: a == b,
    "NotEqual": lambda a, b: a != b,
    "GreaterThan": lambda a, b: a > b,
    "LessThan": lambda a, b: a < b,
    "GreaterThanEqual": lambda a, b: a >= b,
    "LessThanEqual": lambda a, b: a <= b,
    "LessOrGreater": lambda a, b: a < b or a > b,
    "Ordered": lambda a, b: not math.isnan(a) and not math.isnan(b),
    "Unordered": lambda a, b: math.isnan(a) or math.isnan(b),
    "IsNan": lambda a, b: math.isnan(a),
    "IsInf": lambda a, b: math.isinf(a),
    "IsFinite": lambda a, b: math.isfinite(a),
    "IsNormal": lambda a, b: math.isfinite(a) and a != 0,
    "SignBitSet": lambda a, b: math.copysign(1, a) < 0,
}


def integers(device: Device, scalar: str, count: int = COUNT) -> NDArray[Any]:
    """Words: edges of the type, and random ones."""
    bits = WIDTHS[scalar]
    edges = [0, 1, 2, 3, 2**bits - 1, 2**bits - 2, 1 << (bits - 1), (1 << (bits - 1)) - 1, (1 << (bits - 1)) + 1]
    data = device.rng.integers(0, 2**bits, count, dtype=DTYPES[scalar])
    small = device.rng.integers(0, 16, count, dtype=DTYPES[scalar])
    data = np.where(device.rng.random(count) < 0.3, small, data)
    place = device.rng.permutation(count)[: 6 * len(edges)]
    data[place] = np.resize(np.array(edges, DTYPES[scalar]), len(place))
    return data


def floats(device: Device, scalar: str, special: bool, count: int = COUNT) -> NDArray[Any]:
    """Numbers of either sign with magnitudes from 2^-6 to 2^6; with `special`, also zeros, infinities and NaN."""
    data = device.rng.uniform(1, 2, count) * 2.0 ** device.rng.integers(-6, 6, count)
    data *= device.rng.choice([-1.0, 1.0], count)
    if special:
        edges = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0]
        place = device.rng.permutation(count)[: 18 * len(edges)]
        data[place] = np.resize(edges, len(place))
    return np.asarray(data, DTYPES[scalar])


def _shaped(values: list[Any], type_name: str, dtype: Any) -> NDArray[Any]:
    """The wanted values in the shape that `spirv.compute` returns."""
    width = split(type_name)[1]
    flat = np.array(values, dtype)
    return flat if width == 1 else flat.reshape(-1, width)


def _run(device: Device, type_name: str, result: str, body: str, operands: dict[str, NDArray[Any]]) -> NDArray[Any]:
    width = split(type_name)[1]
    text = kernel_text(result, dict.fromkeys(operands, type_name), body)
    return spirv.compute(device, text, result, [memory(v, type_name) for v in operands.values()], COUNT // width)


def _inputs(type_name: str, operands: dict[str, NDArray[Any]]) -> list[NDArray[Any]]:
    return [_shaped(list(v), type_name, v.dtype) for v in operands.values()]


def _composite(name: str, type_name: str, value: int) -> str:
    scalar, width = split(type_name)
    if width == 1:
        return ""
    return f"%{name} = OpConstantComposite %{type_name}" + f" %{scalar}_{value}" * width


def check_integer(device: Device, *, op: str, type: str) -> None:
    """An operation on integers."""
    scalar, _ = split(type)
    bits = WIDTHS[scalar]
    operands = {"x": integers(device, scalar)}
    if INTEGER_OPERATIONS[op] == 2:
        z = integers(device, scalar)
        if op.startswith("Shift"):
            z %= bits
        elif op[1:] in ("Div", "Mod", "Rem"):  # without a division by 0, and without an overflow
            z = np.where((z == 0) | (z == z.dtype.type(2**bits - 1)), z.dtype.type(3), z)
        operands["z"] = z
    names = " ".join(f"%{n}" for n in operands)
    got = _run(device, type, type, f"%y = Op{op} %{type} {names}", operands)
    pairs = zip(operands["x"], operands.get("z", operands["x"]), strict=True)
    want = [INTEGER[op](int(a), int(b), bits) % 2**bits for a, b in pairs]
    check.equal(f"Op{op}", got, _shaped(want, type, DTYPES[scalar]), _inputs(type, operands))


def check_relation(device: Device, *, op: str, type: str) -> None:
    """A comparison or a classification, which OpSelect turns into 5 or 2."""
    scalar, width = split(type)
    result = {8: "uchar", 16: "ushort", 32: "uint", 64: "ulong"}[WIDTHS[scalar]]
    vector = f"v{width}{result}" if width > 1 else result
    truth = f"v{width}bool" if width > 1 else "bool"
    floating = op in FLOAT_RELATIONS
    operands = {"x": floats(device, scalar, True) if floating else integers(device, scalar)}
    if not floating or FLOAT_RELATIONS[op] == 2:
        z = floats(device, scalar, True) if floating else integers(device, scalar)
        operands["z"] = np.where(device.rng.random(COUNT) < 0.3, operands["x"], z)
    names = " ".join(f"%{n}" for n in operands)
    one, two = ("%yes", "%no") if width > 1 else (f"%{result}_5", f"%{result}_2")
    body = f"""
{_composite("yes", vector, 5)}
{_composite("no", vector, 2)}
%c = Op{op} %{truth} {names}
%y = OpSelect %{vector} %c {one} {two}"""
    got = _run(device, type, vector, body, operands)
    bits = WIDTHS[scalar]
    want = []
    for a, b in zip(operands["x"], operands.get("z", operands["x"]), strict=True):
        if floating:
            unordered = math.isnan(a) or math.isnan(b)
            name = op.removeprefix("FOrd").removeprefix("FUnord")
            plain = name != op  # FOrd..., FUnord...
            holds = op.startswith("FUnord") if plain and unordered else _ORDER[name](float(a), float(b))
        elif op[0] == "S":
            holds = _ORDER[op[1:]](signed(int(a), bits), signed(int(b), bits))
        else:
            holds = _ORDER[op[1:]](int(a), int(b))
        want.append(5 if holds else 2)
    check.equal(f"Op{op}", got, _shaped(want, vector, DTYPES[result]), _inputs(type, operands))


def check_wide(device: Device, *, op: str, type: str) -> None:
    """An operation whose result is a struct of two words, which are compared one after the other."""
    scalar, _ = split(type)
    bits = WIDTHS[scalar]
    operands = {"x": integers(device, scalar), "z": integers(device, scalar)}
    for member, part in enumerate(("low", "high")):
        body = f"""
%pair = OpTypeStruct %{type} %{type}
%both = Op{op} %pair %x %z
%y = OpCompositeExtract %{type} %both {member}"""
        got = _run(device, type, type, body, operands)
        pairs = zip(operands["x"], operands["z"], strict=True)
        want = [_WIDE[op](int(a), int(b), bits)[member] % 2**bits for a, b in pairs]
        check.equal(f"Op{op}, {part}", got, _shaped(want, type, DTYPES[scalar]), _inputs(type, operands))


def check_float(device: Device, *, op: str, type: str) -> None:
    """An operation on floats (OpenCL C 3.0, 7.4)."""
    scalar, _ = split(type)
    dtype = DTYPES[scalar]
    operands = {"x": floats(device, scalar, False)}
    if FLOAT_OPERATIONS[op] == 2:
        operands["z"] = floats(device, scalar, False)
    if op in ("FRem", "FMod"):  # few bits, and quotients that are not close to integers, so that the result is exact
        quotient = device.rng.integers(0, 6, COUNT) + device.rng.choice([0.25, 0.5, 0.75], COUNT)
        operands["z"] = np.asarray(2.0 ** device.rng.integers(-2, 3, COUNT) * device.rng.choice([-1, 1], COUNT), dtype)
        operands["x"] = np.asarray(operands["z"] * quotient * device.rng.choice([-1, 1], COUNT), dtype)
    names = " ".join(f"%{n}" for n in operands)
    got = _run(device, type, type, f"%y = Op{op} %{type} {names}", operands)
    x = operands["x"].astype(np.longdouble)
    z = operands.get("z", operands["x"]).astype(np.longdouble)
    exact = {
        "FNegate": -x,
        "FAdd": x + z,
        "FSub": x - z,
        "FMul": x * z,
        "FDiv": x / z,
        "FRem": np.fmod(x, z),
        "FMod": x - z * np.floor(x / z),
    }[op]
    want = exact if op == "FDiv" else exact.astype(dtype)
    limit = {"float": 2.5, "double": 0.5, "half": 1.0}[scalar] if op == "FDiv" else 0
    check.ulp(f"Op{op}", got, [_shaped(list(want), type, want.dtype)], limit, _inputs(type, operands))


def rounded(value: Fraction, mode: str) -> int:
    """A fraction, rounded to an integer by a rounding mode."""
    low = math.floor(value)
    if mode == "RTE":
        return round(value)
    up = mode == "RTP" or (mode == "RTZ" and value < 0)
    return low + 1 if up and value != low else low


def to_float(value: Fraction, mode: str, scalar: str) -> float:
    """A value, rounded to a type by a mode. Its magnitude must not overflow or be denormal."""
    if value == 0:
        return 0.0
    digits = np.finfo(DTYPES[scalar]).nmant + 1
    exponent = math.floor(math.log2(abs(value)))
    exponent += (abs(value) >= Fraction(2) ** (exponent + 1)) - (abs(value) < Fraction(2) ** exponent)
    unit = Fraction(2) ** (exponent - digits + 1)
    return float(rounded(value / unit, mode) * unit)


def check_conversion(device: Device, *, op: str, source: str, target: str, mode: str, saturated: bool) -> None:
    """A conversion of scalars. `mode`: "" for the default."""
    decorations = f"OpDecorate %y FPRoundingMode {mode}\n" if mode else ""
    decorations += "OpDecorate %y SaturatedConversion\n" if saturated else ""
    data = _operands(device, op, source, target, mode, saturated=saturated)
    text = kernel_text(target, {"x": source}, f"{decorations}%y = Op{op} %{target} %x")
    got = spirv.compute(device, text, target, [data], COUNT)
    want = np.array([_converted(v, op, source, target, mode) for v in data], DTYPES[target])
    words = [w for w in (op, mode, "sat" * saturated) if w]
    check.equal(f"{' '.join(words)} {source} to {target}", got, want, [data])


def _bounds(op: str, target: str) -> tuple[int, int]:
    """The least and the greatest integer of the result."""
    bits = WIDTHS[target]
    if op.endswith("S"):
        return -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    return 0, (1 << bits) - 1


def _operands(device: Device, op: str, source: str, target: str, mode: str, *, saturated: bool) -> NDArray[Any]:
    """Operands whose conversion is defined."""
    if op.startswith("ConvertFTo"):
        low, high = _bounds(op, target)
        digits = np.finfo(DTYPES[source]).nmant + 1
        largest = float(np.finfo(DTYPES[source]).max)
        # Magnitudes up to the top bit, each power of two equally often, with fractions if the type has them.
        top = min(high.bit_length(), 15 if source == "half" else 64)
        data = device.rng.uniform(1, 2, COUNT) * 2.0 ** device.rng.integers(-3, top, COUNT)
        data = np.floor(data * 4) / 4 * device.rng.choice([-1, 1] if low else [1, 1], COUNT)
        data[:8] = [0.5, 1.5, 2.5, 0.25, 3.75, 1.0, 0.0, 5.5]
        data[8:12] = [-0.5, -1.5, -2.5, -0.75] if low else [0.75] * 4
        if saturated:
            data[20:26] = [np.nan, -1e30, 1e30, low - 1.0, high + 1.0, -7.0]
            data[20:26] = np.clip(data[20:26], -largest, largest)
            return data.astype(DTYPES[source])
        kept = data.astype(DTYPES[source]).astype(np.float64)
        bound = 2.0 ** high.bit_length() * (1 - 2.0 ** -min(digits, high.bit_length() - 1)) - 1
        return np.where((kept <= bound) & (kept >= -bound), kept, 2.0).astype(DTYPES[source])
    if op == "FConvert":
        return floats(device, source, mode == "")
    data = integers(device, source)
    if target == "half":  # keep operands within its range
        bits = WIDTHS[source]
        if bits > 15:
            data = (
                (data & 0x7FFF)
                if op == "ConvertUToF"
                else np.asarray((data & 0xFFFF).astype(np.int64) - 0x8000, dtype=np.int64).astype(data.dtype)
            )
    return data


def _converted(value: Any, op: str, source: str, target: str, mode: str) -> Any:
    bits = WIDTHS[source]
    if op.startswith("ConvertFTo"):
        if math.isnan(value):
            return 0
        low, high = _bounds(op, target)
        whole = rounded(Fraction(float(value)), mode or "RTZ")
        return min(max(whole, low), high) % 2 ** WIDTHS[target]
    if op == "FConvert":
        if not math.isfinite(value) or value == 0:
            return float(value)
        return to_float(Fraction(float(value)), mode or "RTE", target)
    word = signed(int(value), bits) if op in ("ConvertSToF", "SConvert", "SatConvertSToU") else int(value)
    if op.endswith("ToF"):
        return to_float(Fraction(word), mode or "RTE", target)
    if op.startswith("Sat"):
        low, high = _bounds(op, target)
        word = min(max(word, low), high)
    return word % 2 ** WIDTHS[target]
