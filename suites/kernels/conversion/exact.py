"""The results of conversions, in Python's integers and rational numbers (OpenCL C 3.0, 6.4)."""

import math
from collections.abc import Callable
from fractions import Fraction

from ..kit.integers import bounds, saturate, wrap

FORMATS = {"half": (11, -14, 15), "float": (24, -126, 127), "double": (53, -1022, 1023)}  # digits, exponents
ROUNDINGS: dict[str, Callable[[Fraction], int]] = {"rte": round, "rtz": math.trunc, "rtp": math.ceil, "rtn": math.floor}

Number = float | int


def greatest(type_name: str) -> Fraction:
    """The greatest finite number of a floating-point type."""
    digits, _, exponent = FORMATS[type_name]
    return (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** exponent


def is_denormal(value: Number, type_name: str) -> bool:
    """Whether the magnitude of a number is between zero and the least normal number of a floating-point type."""
    return type_name in FORMATS and 0 < abs(value) < 2.0 ** FORMATS[type_name][1]


def round_to_float(value: Number | Fraction, type_name: str, mode: str) -> float:
    """`value` in a floating-point type, with denormals; beyond the range as in IEEE 754 for the mode."""
    if value == 0 or (isinstance(value, float) and not math.isfinite(value)):
        return float(value)
    digits, least, _ = FORMATS[type_name]
    exact = Fraction(value)
    exponent = abs(exact.numerator).bit_length() - exact.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > abs(exact)
    unit = Fraction(2) ** (max(exponent, least) - digits + 1)
    rounded = ROUNDINGS[mode](exact / unit) * unit
    if abs(rounded) <= greatest(type_name):
        return math.copysign(float(rounded), exact)
    stays = mode == "rtz" or mode == ("rtn" if exact > 0 else "rtp")
    return math.copysign(float(greatest(type_name)) if stays else math.inf, exact)


def convert(value: Number, target: str, mode: str, *, saturated: bool) -> Number | None:
    """The result of convert_<target>[_sat]_<mode>; None if the specification leaves it open.

    6.4.3.3: to an integer without _sat, an operand beyond the target's range is implementation-defined, but
    between integers C99 6.3.1.3 wraps into an unsigned type. To a floating-point type, the rules of IEEE 754
    also hold for integers and beyond the range: 100000 is 65504 as a half toward zero.
    """
    if target in FORMATS:
        return round_to_float(value, target, mode)
    low, high = bounds(target)
    if not math.isfinite(value):
        return None if not saturated else 0 if math.isnan(value) else high if value > 0 else low
    if saturated:
        return saturate(ROUNDINGS[mode](Fraction(value)), target)
    if isinstance(value, int) and target.startswith("u"):
        return wrap(value, target)
    return ROUNDINGS[mode](Fraction(value)) if low <= value <= high else None


def answers(
    value: Number, source: str, target: str, mode: str, flushed: frozenset[str], *, saturated: bool = False
) -> tuple[Number, Number, Number] | None:
    """The results that are right; None if any result is.

    `flushed` are the floating-point types whose denormals the device need not keep (CL_FP_DENORM is not set): there
    an operand or a result may be flushed to a zero of either sign (7.5.3).
    """
    strict = convert(value, target, mode, saturated=saturated)
    if strict is None:
        return None
    if source in flushed and is_denormal(value, source):
        return strict, 0, -0.0 if target in FORMATS else 0
    if target in flushed and is_denormal(strict, target):
        return strict, 0, -0.0
    return strict, strict, strict


def default_mode(target: str) -> str:
    """The rounding mode of a conversion without a suffix, a cast and an assignment (6.4.3.2)."""
    return "rte" if target in FORMATS else "rtz"
