"""What instructions of gfx11 compute, for one lane, by Python's integers and exact arithmetic.

A type is a letter and a width: u32, i16, f64; p32 are two halves. A float is a Python float, an answer before it is
rounded a Fraction, or a float if no Fraction can hold it.

One file: a table, and what its rows call.
"""

import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exact import NAN, Real, integer, plus, times, to_bits, to_float


@dataclass(frozen=True, slots=True)
class Meaning:
    result: str
    sources: tuple[str, ...]
    compute: Callable[..., Any]
    modifiers: bool = False  # neg and abs of the sources, omod and clamp of the result


def number(bits: int, kind: str) -> Any:
    """The value of a register's bits."""
    width = int(kind[1:])
    bits &= (1 << width) - 1
    if kind[0] == "u":
        return bits
    if kind[0] == "i":
        return bits - (bits >> width - 1 << width)
    if width == 64:
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    return to_float(bits, width)


def bits_of(value: Any, kind: str, mode: str = "even") -> int:
    """The bits of an answer, rounded once."""
    width = int(kind[1:])
    if kind[0] != "f":
        return int(value) & (1 << width) - 1
    if width == 64:
        try:
            found = float(value)
        except OverflowError:
            found = math.inf if value > 0 else -math.inf
        return 0x7FF8 << 48 if math.isnan(found) else int(struct.unpack("<Q", struct.pack("<d", found))[0])
    return to_bits(value, width, mode)


def _least(a: float, b: float) -> float:
    if math.isnan(a) or math.isnan(b):
        return b if math.isnan(a) else a
    return min(a, b) if a != b else (a if math.copysign(1, a) < 0 else b)


def _most(a: float, b: float) -> float:
    return -_least(-a, -b)


def _middle(a: float, b: float, c: float) -> float:
    if any(map(math.isnan, (a, b, c))):
        return _least(_least(a, b), c)
    return sorted((a, b, c))[1]


def _fma(a: float, b: float, c: float) -> Real:
    product = times(a, b)
    if isinstance(product, Fraction) and math.isfinite(c):
        found = product + Fraction(c)
        return found if found or product else c + 0.0
    if isinstance(product, float) and product == 0 and math.isfinite(c):
        return product + c
    return (
        (product if isinstance(product, float) else 0.0) + c if not math.isfinite(c) or isinstance(product, float) else NAN
    )


def _whole(mode: str) -> Callable[[float], Real]:
    def function(x: float) -> Real:
        if not math.isfinite(x) or x == 0:
            return x
        return Fraction(found) if (found := integer(Fraction(x), mode)) else math.copysign(0.0, x)

    return function


def _to_integer(low: int, high: int) -> Callable[[float], int]:
    def function(x: float) -> int:
        if math.isnan(x):
            return 0
        return low if x <= low else high if x >= high else int(x)

    return function


def _ldexp(x: float, n: int) -> Real:
    n = max(-5000, min(5000, n))
    return Fraction(x) * Fraction(2) ** n if math.isfinite(x) and x else x


def _fraction(digits: int) -> Callable[[float], Real]:
    """Never 1, although the difference may round to it."""

    def function(x: float) -> Real:
        most = 1 - Fraction(1, 2**digits)
        return min(Fraction(x) - math.floor(Fraction(x)), most) if math.isfinite(x) else NAN

    return function


def _leading(x: int) -> int:
    return 32 - x.bit_length() if x else -1


def _trailing(x: int) -> int:
    return (x & -x).bit_length() - 1


def _field(x: int, at: int, count: int) -> int:
    return x >> (at & 31) & (1 << (count & 31)) - 1


def _signed_field(x: int, at: int, count: int) -> int:
    found, width = _field(x, at, count), count & 31
    return found - (found >> width - 1 << width) if width else 0


def _bytes(a: int, b: int, choose: Callable[[int, int], int]) -> int:
    return sum(choose(a >> n & 255, b >> n & 255) for n in (0, 8, 16, 24))


def _permute(a: int, b: int, selector: int) -> int:
    data, found = a << 32 | b, 0
    for n in (0, 8, 16, 24):
        one = selector >> n & 255
        byte = data >> 8 * one & 255 if one < 8 else 0 if one == 12 else 255
        if 8 <= one < 12:
            byte = 255 * (data >> 16 * (one - 8) + 15 & 1)
        found |= byte << n
    return found


def _saturated(low: int, high: int, function: Callable[..., int]) -> Callable[..., int]:
    return lambda *a: max(low, min(high, function(*a)))


def _halves(function: Callable[..., Any], kind: str) -> Callable[..., int]:
    """Each half of a packed instruction by itself."""

    def both(*sources: int) -> int:
        low, high = (bits_of(function(*(number(x >> n, kind) for x in sources)), kind) for n in (0, 16))
        return low | high << 16

    return both


_U1, _U2, _U3 = ("u32",), ("u32",) * 2, ("u32",) * 3
_I2, _I3 = ("i32",) * 2, ("i32",) * 3


def _integers(names: Mapping[str, Callable[..., int]], sources: tuple[str, ...], result: str = "u32") -> dict[str, Meaning]:
    return {name: Meaning(result, sources, function) for name, function in names.items()}


def _floats(
    pattern: str, count: int, function: Callable[..., Any], widths: tuple[int, ...] = (16, 32, 64)
) -> dict[str, Meaning]:
    return {pattern.format(f"f{w}"): Meaning(f"f{w}", (f"f{w}",) * count, function, modifiers=True) for w in widths}


MEANINGS: Mapping[str, Meaning] = {
    **_integers(
        {
            "v_add_nc_u32": lambda a, b: a + b,
            "v_sub_nc_u32": lambda a, b: a - b,
            "v_subrev_nc_u32": lambda a, b: b - a,
            "v_mul_lo_u32": lambda a, b: a * b,
            "v_mul_hi_u32": lambda a, b: a * b >> 32,
            "v_mul_u32_u24": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF),
            "v_mul_hi_u32_u24": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF) >> 32,
            "v_min_u32": min,
            "v_max_u32": max,
            "v_and_b32": lambda a, b: a & b,
            "v_or_b32": lambda a, b: a | b,
            "v_xor_b32": lambda a, b: a ^ b,
            "v_xnor_b32": lambda a, b: ~(a ^ b),
            "v_lshlrev_b32": lambda a, b: b << (a & 31),
            "v_lshrrev_b32": lambda a, b: b >> (a & 31),
            "v_bfm_b32": lambda a, b: (1 << (a & 31)) - 1 << (b & 31),
            "v_bcnt_u32_b32": lambda a, b: a.bit_count() + b,
            "v_pack_b32_f16": lambda a, b: a & 0xFFFF | (b & 0xFFFF) << 16,
            "v_cvt_pk_u16_u32": lambda a, b: min(a, 0xFFFF) | min(b, 0xFFFF) << 16,
        },
        _U2,
    ),
    **_integers(
        {
            "v_min_i32": min,
            "v_max_i32": max,
            "v_mul_hi_i32": lambda a, b: a * b >> 32,
            "v_add_nc_i32": lambda a, b: a + b,
            "v_sub_nc_i32": lambda a, b: a - b,
            "v_ashrrev_i32": lambda a, b: b >> (a & 31),
            "v_cvt_pk_i16_i32": lambda a, b: (
                max(-32768, min(32767, a)) & 0xFFFF | (max(-32768, min(32767, b)) & 0xFFFF) << 16
            ),
        },
        _I2,
    ),
    **_integers(
        {
            "v_add3_u32": lambda a, b, c: a + b + c,
            "v_lshl_add_u32": lambda a, b, c: (a << (b & 31)) + c,
            "v_add_lshl_u32": lambda a, b, c: a + b << (c & 31),
            "v_lshl_or_b32": lambda a, b, c: a << (b & 31) | c,
            "v_and_or_b32": lambda a, b, c: a & b | c,
            "v_or3_b32": lambda a, b, c: a | b | c,
            "v_xor3_b32": lambda a, b, c: a ^ b ^ c,
            "v_xad_u32": lambda a, b, c: (a ^ b) + c,
            "v_bfi_b32": lambda a, b, c: a & b | ~a & c,
            "v_bfe_u32": _field,
            "v_mad_u32_u24": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c,
            "v_mad_u32_u16": lambda a, b, c: (a & 0xFFFF) * (b & 0xFFFF) + c,
            "v_alignbit_b32": lambda a, b, c: (a << 32 | b) >> (c & 31),
            "v_alignbyte_b32": lambda a, b, c: (a << 32 | b) >> 8 * (c & 3),
            "v_perm_b32": _permute,
            "v_min3_u32": min,
            "v_max3_u32": max,
            "v_med3_u32": lambda *a: sorted(a)[1],
            "v_maxmin_u32": lambda a, b, c: min(max(a, b), c),
            "v_minmax_u32": lambda a, b, c: max(min(a, b), c),
            "v_sad_u8": lambda a, b, c: _bytes(a, b, lambda x, y: abs(x - y)) + c,
            "v_sad_hi_u8": lambda a, b, c: (_bytes(a, b, lambda x, y: abs(x - y)) << 16) + c,
            "v_msad_u8": lambda a, b, c: _bytes(a, b, lambda x, y: abs(x - y) if y else 0) + c,
            "v_sad_u16": lambda a, b, c: abs((a & 0xFFFF) - (b & 0xFFFF)) + abs((a >> 16) - (b >> 16)) + c,
            "v_sad_u32": lambda a, b, c: abs(a - b) + c,
            "v_lerp_u8": lambda a, b, c: sum(
                (((a >> n & 255) + (b >> n & 255) + (c >> n & 1)) >> 1) << n for n in (0, 8, 16, 24)
            ),
            "v_dot4_u32_u8": lambda a, b, c: _bytes(a, b, lambda x, y: x * y) + c,
        },
        _U3,
    ),
    **_integers(
        {
            "v_bfe_i32": _signed_field,
            "v_mad_i32_i24": lambda a, b, c: number(a, "i24") * number(b, "i24") + c,
            "v_mad_i32_i16": lambda a, b, c: number(a, "i16") * number(b, "i16") + c,
            "v_min3_i32": min,
            "v_max3_i32": max,
            "v_med3_i32": lambda *a: sorted(a)[1],
            "v_maxmin_i32": lambda a, b, c: min(max(a, b), c),
            "v_minmax_i32": lambda a, b, c: max(min(a, b), c),
        },
        _I3,
    ),
    **_integers(
        {
            "v_not_b32": lambda a: ~a,
            "v_bfrev_b32": lambda a: int(f"{a:032b}"[::-1], 2),
            "v_clz_i32_u32": _leading,
            "v_ctz_i32_b32": _trailing,
            "v_mov_b32": lambda a: a,
        },
        _U1,
    ),
    **_integers({"v_cls_i32": lambda a: 31 - (a ^ a >> 31).bit_length() + 1 if a not in (0, -1) else -1}, ("i32",)),
    **_integers(
        {
            "v_add_nc_u16": lambda a, b: a + b,
            "v_sub_nc_u16": lambda a, b: a - b,
            "v_mul_lo_u16": lambda a, b: a * b,
            "v_min_u16": min,
            "v_max_u16": max,
            "v_lshlrev_b16": lambda a, b: b << (a & 15),
            "v_lshrrev_b16": lambda a, b: b >> (a & 15),
        },
        ("u16",) * 2,
        "u16",
    ),
    **_integers({"v_min_i16": min, "v_max_i16": max, "v_ashrrev_i16": lambda a, b: b >> (a & 15)}, ("i16",) * 2, "u16"),
    **_integers(
        {"v_mad_u16": lambda a, b, c: a * b + c, "v_min3_u16": min, "v_med3_u16": lambda *a: sorted(a)[1]},
        ("u16",) * 3,
        "u16",
    ),
    **_integers({"v_mad_i16": lambda a, b, c: a * b + c, "v_max3_i16": max}, ("i16",) * 3, "u16"),
    "v_lshlrev_b64": Meaning("u64", ("u32", "u64"), lambda a, b: b << (a & 63)),
    "v_lshrrev_b64": Meaning("u64", ("u32", "u64"), lambda a, b: b >> (a & 63)),
    "v_ashrrev_i64": Meaning("u64", ("u32", "i64"), lambda a, b: b >> (a & 63)),
    **{
        f"v_pk_{name}16": Meaning("p32" if name[-1] == "f" else "u32", ("u32",) * count, _halves(function, f"{name[-1]}16"))
        for name, count, function in (
            ("add_u", 2, lambda a, b: a + b),
            ("sub_u", 2, lambda a, b: a - b),
            ("add_i", 2, lambda a, b: a + b),
            ("min_u", 2, min),
            ("max_u", 2, max),
            ("min_i", 2, min),
            ("max_i", 2, max),
            ("mad_u", 3, lambda a, b, c: a * b + c),
            ("mad_i", 3, lambda a, b, c: a * b + c),
            ("add_f", 2, plus),
            ("mul_f", 2, times),
            ("fma_f", 3, _fma),
            ("min_f", 2, _least),
            ("max_f", 2, _most),
        )
    },
    "v_pk_mul_lo_u16": Meaning("u32", _U2, _halves(lambda a, b: a * b, "u16")),
    "v_pk_lshlrev_b16": Meaning("u32", _U2, _halves(lambda a, b: b << (a & 15), "u16")),
    "v_pk_lshrrev_b16": Meaning("u32", _U2, _halves(lambda a, b: b >> (a & 15), "u16")),
    "v_pk_ashrrev_i16": Meaning("u32", _U2, _halves(lambda a, b: b >> (a & 15), "i16")),
    **_floats("v_add_{}", 2, plus),
    **_floats("v_mul_{}", 2, times),
    **_floats("v_sub_{}", 2, lambda a, b: plus(a, -b), (16, 32)),
    **_floats("v_subrev_{}", 2, lambda a, b: plus(b, -a), (16, 32)),
    **_floats("v_fma_{}", 3, _fma),
    **_floats("v_min_{}", 2, _least),
    **_floats("v_max_{}", 2, _most),
    **_floats("v_min3_{}", 3, lambda a, b, c: _least(_least(a, b), c), (16, 32)),
    **_floats("v_max3_{}", 3, lambda a, b, c: _most(_most(a, b), c), (16, 32)),
    **_floats("v_med3_{}", 3, _middle, (16, 32)),
    **_floats("v_trunc_{}", 1, _whole("zero")),
    **_floats("v_floor_{}", 1, _whole("down")),
    **_floats("v_ceil_{}", 1, _whole("up")),
    **_floats("v_rndne_{}", 1, _whole("even")),
    **{f"v_fract_f{w}": Meaning(f"f{w}", (f"f{w}",), _fraction(d)) for w, d in ((16, 11), (32, 24), (64, 53))},
    "v_ldexp_f32": Meaning("f32", ("f32", "i32"), _ldexp),
    "v_ldexp_f16": Meaning("f16", ("f16", "i16"), _ldexp),
    "v_ldexp_f64": Meaning("f64", ("f64", "i32"), _ldexp),
    "v_cvt_f32_i32": Meaning("f32", ("i32",), Fraction),
    "v_cvt_f32_u32": Meaning("f32", ("u32",), Fraction),
    "v_cvt_f64_i32": Meaning("f64", ("i32",), Fraction),
    "v_cvt_f64_u32": Meaning("f64", ("u32",), Fraction),
    "v_cvt_f16_u16": Meaning("f16", ("u16",), Fraction),
    "v_cvt_f16_i16": Meaning("f16", ("i16",), Fraction),
    "v_cvt_f16_f32": Meaning("f16", ("f32",), lambda x: x),
    "v_cvt_f32_f16": Meaning("f32", ("f16",), lambda x: x),
    "v_cvt_f64_f32": Meaning("f64", ("f32",), lambda x: x),
    "v_cvt_f32_f64": Meaning("f32", ("f64",), lambda x: x),
    "v_cvt_i32_f32": Meaning("i32", ("f32",), _to_integer(-(1 << 31), (1 << 31) - 1)),
    "v_cvt_u32_f32": Meaning("u32", ("f32",), _to_integer(0, (1 << 32) - 1)),
    "v_cvt_i32_f64": Meaning("i32", ("f64",), _to_integer(-(1 << 31), (1 << 31) - 1)),
    "v_cvt_u32_f64": Meaning("u32", ("f64",), _to_integer(0, (1 << 32) - 1)),
    "v_cvt_i16_f16": Meaning("i16", ("f16",), _to_integer(-(1 << 15), (1 << 15) - 1)),
    "v_cvt_u16_f16": Meaning("u16", ("f16",), _to_integer(0, (1 << 16) - 1)),
    "v_cvt_f32_ubyte0": Meaning("f32", _U1, lambda a: Fraction(a & 255)),
    "v_cvt_f32_ubyte3": Meaning("f32", _U1, lambda a: Fraction(a >> 24)),
}

# With `clamp` an integer saturates.
_SIGNED, _UNSIGNED = (-(1 << 31), (1 << 31) - 1), (0, (1 << 32) - 1)
SATURATING: Mapping[str, Callable[..., int]] = {
    "v_add_nc_u32": _saturated(*_UNSIGNED, lambda a, b: a + b),
    "v_sub_nc_u32": _saturated(*_UNSIGNED, lambda a, b: a - b),
    "v_subrev_nc_u32": _saturated(*_UNSIGNED, lambda a, b: b - a),
    "v_add_nc_i32": _saturated(*_SIGNED, lambda a, b: a + b),
    "v_sub_nc_i32": _saturated(*_SIGNED, lambda a, b: a - b),
    "v_add_nc_u16": _saturated(0, 0xFFFF, lambda a, b: a + b),
    "v_sub_nc_u16": _saturated(0, 0xFFFF, lambda a, b: a - b),
    "v_mad_u32_u24": _saturated(*_UNSIGNED, lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c),
    "v_mad_i32_i24": _saturated(*_SIGNED, lambda a, b, c: number(a, "i24") * number(b, "i24") + c),
    "v_mad_u16": _saturated(0, 0xFFFF, lambda a, b, c: a * b + c),
    "v_mad_i16": _saturated(-0x8000, 0x7FFF, lambda a, b, c: a * b + c),
}
