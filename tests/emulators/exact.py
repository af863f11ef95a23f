"""Floats of 16 and 32 bits by exact arithmetic: Fractions, rounded once.

A float is a Python float, which holds each of them; a result before it is rounded is a Fraction, or a float if no
Fraction can hold it: a NaN, an infinity, a zero with its sign.
"""

import math
import struct
from fractions import Fraction

Real = Fraction | float
NAN = math.nan
_FORMATS = {16: (11, -14, 15), 32: (24, -126, 127), 64: (53, -1022, 1023)}  # digits, exponents of the normal numbers


def to_float(bits: int, width: int) -> float:
    code = {16: ("<H", "<e"), 32: ("<I", "<f")}[width]
    value: float = struct.unpack(code[1], struct.pack(code[0], bits & (1 << width) - 1))[0]
    return value


def _integer(x: Fraction, mode: str, negative: bool) -> int:
    """A number of 0 or more rounded to an integer, as a number with the given sign would be."""
    whole = x.numerator // x.denominator
    rest = x - whole
    if mode == "even":
        return whole + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1))
    away = {"zero": False, "up": not negative, "down": negative}[mode]
    return whole + (away and rest > 0)


def integer(x: Fraction, mode: str) -> int:
    """Rounded to an integer: even, zero, up, down."""
    return -_integer(-x, mode, True) if x < 0 else _integer(x, mode, False)


def to_bits(value: Real, width: int, mode: str = "even") -> int:
    """The nearest float in a direction; a NaN is the positive quiet one."""
    digits, least, most = _FORMATS[width]
    sign, infinite = 1 << width - 1, (2 * most + 1) << digits - 1
    if isinstance(value, float):
        if math.isnan(value):
            return infinite | 1 << digits - 2
        if math.isinf(value) or value == 0:
            return sign * (math.copysign(1, value) < 0) | infinite * math.isinf(value)
        value = Fraction(value)
    if value == 0:
        return 0
    negative, size = value < 0, abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    unit = max(exponent, least) - digits + 1
    count = _integer(size / Fraction(2) ** unit, mode, negative)
    if count >= 1 << digits:
        count, unit = count >> 1, unit + 1
    if unit + digits - 1 > most:
        stays = mode == "zero" or mode == ("down" if not negative else "up")
        return sign * negative | (infinite - 1 if stays else infinite)
    biased = 0 if count < 1 << digits - 1 else unit + digits - 1 + most
    return sign * negative | biased << digits - 1 | count & (1 << digits - 1) - 1


def rounded(value: Real, width: int) -> float:
    return to_float(to_bits(value, width), width)


def is_nan(bits: int, width: int) -> bool:
    return math.isnan(to_float(bits, width))


def plus(a: float, b: float) -> Real:
    if not (math.isfinite(a) and math.isfinite(b)) or a == b == 0:
        return a + b
    return Fraction(a) + Fraction(b)


def times(a: float, b: float) -> Real:
    if not (math.isfinite(a) and math.isfinite(b)) or 0 in (a, b):
        return a * b
    return Fraction(a) * Fraction(b)
