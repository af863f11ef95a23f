"""What Gen12's instructions compute, by Python's integers and Fractions: the emulator's table shares nothing with it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from exact import NAN, Real, integer, plus, times

INTEGER_TYPES = {"ub": (8, False), "uw": (16, False), "ud": (32, False), "b": (8, True), "w": (16, True), "d": (32, True)}


def span(type: str) -> tuple[int, int]:
    bits, signed = INTEGER_TYPES[type]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def wrap(value: int, type: str) -> int:
    """The integer that a type's bits are."""
    bits, signed = INTEGER_TYPES[type]
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> bits - 1 else value


def clamp(value: int, type: str) -> int:
    low, high = span(type)
    return min(max(value, low), high)


@dataclass(frozen=True, slots=True)
class Integers:
    """An instruction on integers: `compute` gets the sources and their width in bits."""

    sources: int
    compute: Callable[..., int]
    types: tuple[str, ...] = ("ud", "d", "uw", "w", "ub", "b")
    logic: bool = False


def _low(x: int, bits: int) -> int:
    return x & (1 << bits) - 1


def _rotate(x: int, by: int, bits: int) -> int:
    by %= bits
    return _low(x << by, bits) | _low(x, bits) >> bits - by if by else _low(x, bits)


def _leading(x: int) -> int:
    return 32 - x.bit_length()


def _field(width: int, offset: int, x: int, signed: bool) -> int:
    width, offset = width & 31, offset & 31
    if not width:
        return 0
    value = _low(_low(x, 32) >> offset, width)
    top = min(width, 32 - offset)
    return value - (1 << top) if signed and value >> top - 1 & 1 else value


_WORDS = ("ud", "d")
INTEGERS: Mapping[str, Integers] = {
    "add": Integers(2, lambda a, b, _: a + b),
    "mul": Integers(2, lambda a, b, _: a * b),
    "avg": Integers(2, lambda a, b, _: math.floor(Fraction(a + b + 1, 2))),
    "add3": Integers(3, lambda a, b, c, _: a + b + c, ("ud", "d", "uw", "w")),
    "mad": Integers(3, lambda a, b, c, _: a + b * c, ("ud", "d", "uw", "w")),
    "not": Integers(1, lambda a, _: ~a, logic=True),
    "and": Integers(2, lambda a, b, _: a & b, logic=True),
    "or": Integers(2, lambda a, b, _: a | b, logic=True),
    "xor": Integers(2, lambda a, b, _: a ^ b, logic=True),
    "shr": Integers(2, lambda a, b, bits: _low(a, bits) >> _low(b, 5)),
    "shl": Integers(2, lambda a, b, _: a << _low(b, 5)),
    "asr": Integers(2, lambda a, b, _: math.floor(Fraction(a, 1 << _low(b, 5)))),
    "rol": Integers(2, lambda a, b, bits: _rotate(a, b % bits, bits), ("ud", "uw")),
    "ror": Integers(2, lambda a, b, bits: _rotate(a, -b % bits, bits), ("ud", "uw")),
    "bfrev": Integers(1, lambda a, _: int(f"{a:032b}"[::-1], 2), ("ud",)),
    "bfi1": Integers(2, lambda a, b, _: (1 << a % 32) - 1 << b % 32, ("ud",)),
    "bfi2": Integers(3, lambda a, b, c, _: a & b * (a & -a) | ~a & c, _WORDS),
    "bfe": Integers(3, lambda a, b, c, _: _field(a, b, c, False), ("ud",)),
    "lzd": Integers(1, lambda a, _: _leading(a), ("ud",)),
    "fbl": Integers(1, lambda a, _: (a & -a).bit_length() - 1, ("ud",)),
    "cbit": Integers(1, lambda a, bits: _low(a, bits).bit_count(), ("ud", "uw", "ub")),
    "fbh": Integers(1, lambda a, _: _leading(a) if a else -1, ("ud",)),
    "dp4a": Integers(
        3, lambda a, b, c, _: a + sum(wrap(b >> 8 * k, "ub") * wrap(c >> 8 * k, "ub") for k in range(4)), ("ud",)
    ),
}
# On signed types the results of these differ from those on unsigned ones.
SIGNED: Mapping[str, Integers] = {
    "bfe": Integers(3, lambda a, b, c, _: _field(a, b, c, True), ("d",)),
    "fbh": Integers(1, lambda a, _: -1 if a in (0, -1) else _leading(a if a >= 0 else ~a), ("d",)),
    "dp4a": Integers(3, lambda a, b, c, _: a + sum(wrap(b >> 8 * k, "b") * wrap(c >> 8 * k, "b") for k in range(4)), ("d",)),
}


def _to_integer(mode: str) -> Callable[[float], Real]:
    def rounded(a: float) -> Real:
        if not math.isfinite(a):
            return a
        whole = integer(Fraction(a), mode)
        return Fraction(whole) if whole else math.copysign(0.0, a)

    return rounded


def _fraction(a: float) -> Real:
    if not math.isfinite(a):
        return NAN
    rest = Fraction(a) - math.floor(Fraction(a))
    return rest if rest else 0.0


REALS: Mapping[str, tuple[int, Callable[..., Real]]] = {
    "add": (2, plus),
    "mul": (2, times),
    "mad": (3, lambda a, b, c: _sum(times(b, c), a)),
    "frc": (1, _fraction),
    "rndu": (1, _to_integer("up")),
    "rndd": (1, _to_integer("down")),
    "rnde": (1, _to_integer("even")),
    "rndz": (1, _to_integer("zero")),
}


def _sum(product: Real, a: float) -> Real:
    if isinstance(product, float):
        return plus(product, a)
    return product + Fraction(a) if math.isfinite(a) else a
