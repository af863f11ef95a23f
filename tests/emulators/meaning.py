"""What each instruction of categories 2 to 4 computes, for one lane, by Python's integers and exact arithmetic.

A Meaning gets its sources as its kind says: f: floats; u: unsigned integers of the sources' width; s: signed ones; b: bits;
w: bits whose negation is a float's; and the width. A float's answer is a Real, which is rounded once to the sources' width;
an integer's is cut off there, or to 32 bits if `wide`.
"""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
from exact import NAN, Real, plus, rounded, times


@dataclass(frozen=True, slots=True)
class Meaning:
    kind: str
    sources: int
    compute: Callable[..., Any]
    signed: bool = False  # the answer's sign is extended into a wider register
    wide: bool = False
    widths: tuple[int, ...] = (16, 32)


def _signed(x: int, bits: int) -> int:
    x &= (1 << bits) - 1
    return x - (x >> bits - 1 << bits)


def _number(x: float, y: float, choose: Callable[[float, float], float]) -> float:
    """If one is a NaN, the other, as IEEE 754-2008's minNum."""
    return y if math.isnan(x) else x if math.isnan(y) else choose(x, y)


def _whole(x: float, function: Callable[[Fraction], int]) -> Real:
    """An integer with the sign of x, also if it is zero."""
    if not math.isfinite(x) or x == 0:
        return x
    return Fraction(found) if (found := function(Fraction(x))) else math.copysign(0.0, x)


def _away(x: Fraction) -> int:
    return int(math.copysign(math.floor(abs(x) + Fraction(1, 2)), x))


def _sign(x: float) -> float:
    return 0.0 if math.isnan(x) else math.copysign(1.0, x) if x else x


def _reversed(x: int, bits: int) -> int:
    return int(f"{x:0{bits}b}"[::-1], 2)


def _leading(x: int, bits: int) -> int:
    return bits - x.bit_length() if x else -1


def _mad(a: float, b: float, c: float, width: int) -> Real:
    return plus(rounded(times(a, b), width), c)


# ---- transcendental functions: 300 digits are enough for sin(2^127), and no value is within them of a halfway point


def _real(function: Callable[[Any], Any], x: float) -> Real:
    with mpmath.workdps(300):
        value = function(mpmath.mpf(x))
        _, mantissa, exponent, _ = value._mpf_
        sign = -1 if value < 0 else 1
        return sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent) if value else 0.0


def _reciprocal(x: float, _: int) -> Real:
    if x == 0:
        return math.copysign(math.inf, x)
    return math.copysign(0.0, x) if math.isinf(x) else x if math.isnan(x) else 1 / Fraction(x)


def _reciprocal_root(x: float, _: int) -> Real:
    if x == 0:
        return math.copysign(math.inf, x)
    return NAN if not x > 0 else 0.0 if math.isinf(x) else _real(lambda v: 1 / mpmath.sqrt(v), x)


def _logarithm(x: float, _: int) -> Real:
    if x == 0:
        return -math.inf
    return NAN if not x > 0 else x if math.isinf(x) else _real(lambda v: mpmath.log(v, 2), x)


def _power(x: float, _: int) -> Real:
    if math.isnan(x) or x >= 128:
        return x if math.isnan(x) else math.inf
    return 0.0 if x < -160 else _real(lambda v: mpmath.power(2, v), x)


def _sine(x: float, _: int) -> Real:
    return NAN if not math.isfinite(x) else _real(mpmath.sin, x) if x else x


def _cosine(x: float, _: int) -> Real:
    return NAN if not math.isfinite(x) else _real(mpmath.cos, x)


def _root(x: float, _: int) -> Real:
    return x if x == 0 or math.isnan(x) or x == math.inf else NAN if x < 0 else _real(mpmath.sqrt, x)


def _rounds(choose: Callable[[Fraction], int]) -> Meaning:
    return Meaning("f", 1, lambda a, _: _whole(a, choose))


def _integers(kind: str, compute: Callable[[int, int], int], wide: bool = False) -> Meaning:
    return Meaning(kind, 2, lambda a, b, _: compute(a, b), kind == "s", wide)


def _three(kind: str, widths: tuple[int, ...], compute: Callable[..., Any]) -> Meaning:
    return Meaning(kind, 3, compute, kind == "s", widths=widths)


_H, _F = (16,), (32,)


def _pick(kind: str, width: int, condition: Callable[[Any], bool]) -> Meaning:
    return _three(kind, (width,), lambda a, b, c, _: a if condition(b) else c)


def _masked(compute: Callable[[int, int, int], int]) -> Meaning:
    """shrm, shlm, shrg, shlg: only the width's bits of a shift's distance count."""
    return Meaning("b", 3, lambda a, b, c, width: compute(b, a & width - 1, c) & (1 << width) - 1)


def _low24(x: int) -> int:
    return x & 0xFFFFFF


COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip

MEANINGS: Mapping[str, Meaning] = {
    "add.f": Meaning("f", 2, lambda a, b, _: plus(a, b)),
    "min.f": Meaning("f", 2, lambda a, b, _: _number(a, b, min)),
    "max.f": Meaning("f", 2, lambda a, b, _: _number(a, b, max)),
    "mul.f": Meaning("f", 2, lambda a, b, _: times(a, b)),
    "sign.f": Meaning("f", 1, lambda a, _: _sign(a)),
    "absneg.f": Meaning("f", 1, lambda a, _: a),
    "floor.f": _rounds(math.floor),
    "ceil.f": _rounds(math.ceil),
    "rndne.f": _rounds(round),
    "rndaz.f": _rounds(_away),
    "trunc.f": _rounds(math.trunc),
    "add.u": _integers("u", operator.add),
    "add.s": _integers("s", operator.add),
    "sub.u": _integers("u", operator.sub),
    "sub.s": _integers("s", operator.sub),
    "min.u": _integers("u", min),
    "min.s": _integers("s", min),
    "max.u": _integers("u", max),
    "max.s": _integers("s", max),
    "absneg.s": Meaning("s", 1, lambda a, _: a, signed=True),
    "and.b": _integers("b", operator.and_),
    "or.b": _integers("b", operator.or_),
    "not.b": Meaning("b", 1, lambda a, _: ~a),
    "xor.b": _integers("b", operator.xor),
    "mul.u24": _integers("u", lambda a, b: _low24(a) * _low24(b), wide=True),
    "mul.s24": _integers("s", lambda a, b: _signed(a, 24) * _signed(b, 24), wide=True),
    "mull.u": _integers("u", lambda a, b: (a & 0xFFFF) * (b & 0xFFFF), wide=True),
    "clz.s": Meaning("s", 1, lambda a, w: _leading(~a if a < 0 else a, w), signed=True),
    "clz.b": Meaning("b", 1, _leading, signed=True),
    "shl.b": Meaning("b", 2, lambda a, b, w: a << (b & w - 1)),
    "shr.b": Meaning("b", 2, lambda a, b, w: a >> (b & w - 1)),
    "ashr.b": Meaning("b", 2, lambda a, b, w: _signed(a, w) >> (b & w - 1)),
    "mgen.b": _integers("b", lambda a, b: (1 << (a & 31)) - 1 << (b & 31)),
    "getbit.b": Meaning("b", 2, lambda a, b, w: a >> (b & w - 1) & 1),
    "cbits.b": Meaning("b", 1, lambda a, _: a.bit_count()),
    "mad.u16": _three("u", _H, lambda a, b, c, _: a * b + c),
    "madsh.u16": _three("u", _F, lambda a, b, c, _: ((a & 0xFFFF) * (b & 0xFFFF) << 16) + c),
    "mad.s16": _three("s", _H, lambda a, b, c, _: a * b + c),
    "madsh.m16": _three("u", _F, lambda a, b, c, _: ((a & 0xFFFF) * (b >> 16) << 16) + c),
    "mad.u24": _three("u", _F, lambda a, b, c, _: _low24(a) * _low24(b) + c),
    "mad.s24": _three("s", _F, lambda a, b, c, _: _signed(a, 24) * _signed(b, 24) + c),
    "mad.f16": _three("f", _H, _mad),
    "mad.f32": _three("f", _F, _mad),
    "sel.b16": _pick("w", 16, lambda b: b != 0),
    "sel.b32": _pick("w", 32, lambda b: b != 0),
    "sel.s16": _pick("s", 16, lambda b: b >= 0),
    "sel.s32": _pick("s", 32, lambda b: b >= 0),
    "sel.f16": _pick("f", 16, lambda b: b >= 0),
    "sel.f32": _pick("f", 32, lambda b: b >= 0),
    "sad.s16": _three("s", _H, lambda a, b, c, _: a + b + c),
    "sad.s32": _three("s", _F, lambda a, b, c, _: a + b + c),
    "shrm": _masked(lambda x, n, c: x >> n & c),
    "shlm": _masked(lambda x, n, c: x << n & c),
    "shrg": _masked(lambda x, n, c: x >> n | c),
    "shlg": _masked(lambda x, n, c: x << n | c),
    "andg": Meaning("b", 3, lambda a, b, c, _: b & a | c),
    "rcp": Meaning("f", 1, _reciprocal),
    "rsq": Meaning("f", 1, _reciprocal_root),
    "hrsq": Meaning("f", 1, _reciprocal_root),
    "log2": Meaning("f", 1, _logarithm),
    "hlog2": Meaning("f", 1, _logarithm),
    "exp2": Meaning("f", 1, _power),
    "hexp2": Meaning("f", 1, _power),
    "sin": Meaning("f", 1, _sine),
    "cos": Meaning("f", 1, _cosine),
    "sqrt": Meaning("f", 1, _root),
}
"""bfrev.b, whose width is its destination's, the comparisons and the dot products have tests of their own."""


def reverse(x: int, source_bits: int, target_bits: int) -> int:
    """bfrev.b: as many bits as the destination has (assumption 2 of docs/emulation.md)."""
    return _reversed(x & (1 << min(source_bits, target_bits)) - 1, 32) >> 32 - target_bits
