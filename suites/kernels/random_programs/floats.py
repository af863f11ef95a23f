"""Floating-point numbers as the random programs compute them: exactly rounded, and tame.

Tame means that no value depends on what the specification leaves open. After each operation, a number near the denormals,
which a device may flush, and -0 become 0; all NaNs have the same bits. In OpenCL C, a function around each operation does
this.
"""

import math
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction

from .language import BITS, wrap

MIN_MAGNITUDE = {"half": 2.0**-13, "float": 2.0**-125, "double": 2.0**-1021}  # twice the smallest normal number
NAN = {"half": 0x7E00, "float": 0x7FC00000, "double": 0x7FF8000000000000}
_FORMATS = {"half": "<e", "float": "<f", "double": "<d"}
_PRECISION = {"half": 11, "float": 24, "double": 53}  # bits
_LARGEST = {"half": 65504.0, "float": (2 - 2.0**-23) * 2.0**127, "double": math.ldexp(2 - 2.0**-52, 1023)}


def bits(value: float, kind: str) -> int:
    """The bits of a value of the type."""
    return NAN[kind] if math.isnan(value) else int.from_bytes(struct.pack(_FORMATS[kind], value), "little")


def real(word: int, kind: str) -> float:
    """The tame number with some bits. Every NaN becomes quiet, because fmin of a signalling one may be anything."""
    size = BITS[kind]
    value = float(struct.unpack(_FORMATS[kind], (word % (1 << size)).to_bytes(size // 8, "little"))[0])
    return math.nan if math.isnan(value) else _flush_small(value, kind)


def apply(op: str, kind: str, operand: str, args: Sequence[float]) -> float:
    """The result of an operation on scalars. `kind`: the type of the result, `operand`: that of the operands."""
    if op == "bits":
        return wrap(bits(args[0], operand), kind)
    if op == "real":
        return real(int(args[0]), kind)
    if op == "cast" and kind not in MIN_MAGNITUDE:
        return _saturated(args[0], kind)
    if op == "cast":
        return _flush_small(args[0] if not math.isfinite(args[0]) else _rounded(Fraction(args[0]), kind), kind)
    return _flush_small(_OPERATIONS[op](kind, *args), kind)


def _flush_small(value: float, kind: str) -> float:
    return 0.0 if abs(value) < MIN_MAGNITUDE[kind] else value


def _rounded(exact: Fraction, kind: str) -> float:
    """The nearest number of the type, of two the even one; below `MIN_MAGNITUDE`, where it becomes 0 later, any near one."""
    if not exact:
        return 0.0
    exponent = abs(exact.numerator).bit_length() - exact.denominator.bit_length() - 1  # or one more
    unit = Fraction(2) ** (exponent + 1 - _PRECISION[kind])
    if abs(exact) >= unit * (1 << _PRECISION[kind]):
        unit *= 2
    nearest = round(exact / unit) * unit
    if abs(nearest) > Fraction(_LARGEST[kind]):
        return math.inf if exact > 0 else -math.inf
    return float(nearest)


def _narrowed(value: float, kind: str) -> float:
    """A double as a number of the type. The sum, difference and product of two such numbers are thus rounded only once."""
    if kind == "double" or not math.isfinite(value):
        return value
    try:
        return float(struct.unpack(_FORMATS[kind], struct.pack(_FORMATS[kind], value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _fma(kind: str, a: float, b: float, c: float) -> float:
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    return _rounded(Fraction(a) * Fraction(b) + Fraction(c), kind)


def _quotient(kind: str, a: float, b: float) -> float:
    if b == 0:  # +0, as all zeros here are
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a)
    return a / b


def _saturated(value: float, kind: str) -> int:
    """Rounded towards zero and saturated; NaN gives 0 (OpenCL C 3.0, 6.4.3.3), which the source makes explicit."""
    size = BITS[kind]
    low, high = (0, (1 << size) - 1) if kind.startswith("u") else (-(1 << size - 1), (1 << size - 1) - 1)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(math.trunc(value), low), high)


def _rounded_whole(function: Callable[[float], int]) -> Callable[..., float]:
    return lambda _, a: float(function(a)) if math.isfinite(a) else a


def _minimum(a: float, b: float) -> float:
    return b if math.isnan(a) else a if math.isnan(b) else min(a, b)


_OPERATIONS: dict[str, Callable[..., float]] = {
    "f+": lambda kind, a, b: _narrowed(a + b, kind),
    "f-": lambda kind, a, b: _narrowed(a - b, kind),
    "f*": lambda kind, a, b: _narrowed(a * b, kind),
    "f/": _quotient,  # only for double: other types may be less exact
    "sqrt": lambda _, a: math.sqrt(a) if a >= 0 else math.nan,  # only for double, as "f/"
    "fma": _fma,
    "fabs": lambda _, a: abs(a),
    "floor": _rounded_whole(math.floor),
    "ceil": _rounded_whole(math.ceil),
    "trunc": _rounded_whole(math.trunc),
    "rint": _rounded_whole(round),
    "fmin": lambda _, a, b: _minimum(a, b),
    "fmax": lambda _, a, b: -_minimum(-a, -b),
}
OPERANDS = {op: 3 if op == "fma" else 2 if op in ("f+", "f-", "f*", "f/", "fmin", "fmax") else 1 for op in _OPERATIONS}
