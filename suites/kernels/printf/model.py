"""printf's conversions in Python (C99, 7.19.6.1, with OpenCL C 3.0, 6.15.14.2), and rows made with them.

Plain Python, because the catalogue reads it too. A value is an int, or a float that its type holds exactly.
"""

import itertools
import math
from collections.abc import Iterator

BITS = {"hh": 8, "h": 16, "": 32, "hl": 32, "l": 64, "z": 64, "t": 64}  # z and t with addresses of 64 bits
SIGNED = {8: "char", 16: "short", 32: "int", 64: "long"}
INTEGER_FLAGS = {"d": "-+ 0", "i": "-+ 0", "u": "-0", "o": "-#0", "x": "-#0", "X": "-#0"}
FLOAT_FLAGS = "-+ #0"
FLOATS = (0.0, 1.5, -2.5, 1e10, -0.0, 123456.7890625, 0.000091552734375, 0.5, -math.inf, 99.999755859375, 8.0, 3.25e-12)
_HALVES = (0.5, -2.5, 1000.0, 0.0, 0.09375, 8.0, -1.25)  # a half holds each exactly
_SHAPES = ((0, None), (12, None), (12, 5), (0, 0), (3, 2), (9, 9))  # width (0: without one), precision


def integer(value: int, conversion: str, flags: str, width: int, precision: int | None, bits: int) -> str:
    """The text of an integer, which is first converted to the type of `bits` bits."""
    word = value % 2**bits
    if conversion in "di":
        number = word - 2**bits if word >> (bits - 1) else word
        sign = "-" if number < 0 else "+" if "+" in flags else " " if " " in flags else ""
        digits = str(abs(number))
    else:
        sign = "0x" if "#" in flags and conversion in "xX" and word else ""
        digits = format(word, {"u": "d", "o": "o", "x": "x", "X": "x"}[conversion])
    if precision is not None:
        digits = "" if precision == 0 and word == 0 else digits.rjust(precision, "0")
    if "#" in flags and conversion == "o" and not digits.startswith("0"):
        digits = "0" + digits
    if "0" in flags and "-" not in flags and precision is None:
        digits = digits.rjust(width - len(sign), "0")
    text = sign + digits
    text = text.ljust(width) if "-" in flags else text.rjust(width)
    return text.upper() if conversion == "X" else text


def floating(value: float, conversion: str, flags: str, width: int, precision: int | None) -> str:
    """The text of a float by f, F, e, E, g or G. Python's % prints it as C's, except for infinities."""
    if math.isinf(value):
        flags = flags.replace("0", "")
    form = f"%{flags}{width or ''}{'' if precision is None else f'.{precision}'}{conversion}"
    return form % value


def form_of(flags: str, width: int, precision: int | None, modifier: str, conversion: str) -> str:
    """A conversion as a part of a format."""
    return f"%{flags}{width or ''}{'' if precision is None else f'.{precision}'}{modifier}{conversion}"


def _flag_sets(flags: str) -> list[str]:
    return ["".join(c) for n in range(len(flags) + 1) for c in itertools.combinations(flags, n)]


def integer_values(bits: int) -> tuple[int, ...]:
    """Numbers of a type: its ends, 0, and some between."""
    return (-42, 0, 2 ** (bits - 1) - 1, 1, -(2 ** (bits - 1)), 100, -1)


def integer_rows(conversion: str, modifier: str) -> Iterator[tuple[str, int, str]]:
    """Format, index of the value, and text: all sets of flags, with widths, precisions and values in turn."""
    bits = BITS[modifier]
    values = integer_values(bits)
    turn, shapes = itertools.cycle(range(len(values))), itertools.cycle(_SHAPES[:5])
    for flags in _flag_sets(INTEGER_FLAGS[conversion]):
        for width, precision in (next(shapes), next(shapes)):
            k = next(turn)
            text = integer(values[k], conversion, flags, width, precision, bits)
            yield form_of(flags, width, precision, modifier, conversion), k, text
    for k, value in enumerate(values):
        yield form_of("", 0, None, modifier, conversion), k, integer(value, conversion, "", 0, None, bits)


def float_rows(conversion: str) -> Iterator[tuple[str, int, str]]:
    """As `integer_rows`, with values from FLOATS."""
    turn = itertools.cycle(range(len(FLOATS)))
    shapes = itertools.cycle(_SHAPES)
    for flags in _flag_sets(FLOAT_FLAGS):
        k, (width, precision) = next(turn), next(shapes)
        yield (form_of(flags, width, precision, "", conversion), k, floating(FLOATS[k], conversion, flags, width, precision))
    for width, precision in _SHAPES:
        k = next(turn)
        yield (form_of("", width, precision, "", conversion), k, floating(FLOATS[k], conversion, "", width, precision))
    for k, value in enumerate(FLOATS):
        yield form_of("", 0, None, "", conversion), k, floating(value, conversion, "", 0, None)


def vector_rows(conversions: str, modifier: str, count: int) -> Iterator[tuple[str, int, str]]:
    """Format, index of the first of `count` values, and text: the components, separated by commas."""
    whole = conversions[0] in INTEGER_FLAGS
    bits = BITS[modifier]
    values = vector_values(modifier, count, whole)
    shapes = itertools.cycle(_SHAPES[:3] if whole else (_SHAPES[0], *_SHAPES[4:]))
    for conversion in conversions:
        flags = ("", *INTEGER_FLAGS[conversion]) if whole else ("", "-", "+0", " #")
        for n, flag in enumerate(flags[:2] if count > 4 else flags):  # long vectors are expensive to compile
            width, precision = next(shapes)
            start = n % 2 * count
            parts = values[start : start + count]
            texts = [
                integer(int(v), conversion, flag, width, precision, bits)
                if whole
                else floating(v, conversion, flag, width, precision)
                for v in parts
            ]
            yield form_of(flag, width, precision, f"v{count}{modifier}", conversion), start, ",".join(texts)


def vector_values(modifier: str, count: int, whole: bool) -> list[float]:
    """Values for two vectors."""
    pool: tuple[float, ...] = integer_values(BITS[modifier]) if whole else _HALVES
    return [pool[k % len(pool)] for k in range(2 * count)]
