"""The types and numbers of an annotation. Standard library only."""

import re
from dataclasses import dataclass

Number = int | float

_BITS = {"char": 8, "short": 16, "int": 32, "long": 64}
_FLOATS = ("half", "float", "double")
_WIDTHS = ("", "2", "3", "4", "8", "16")
_LIMIT = re.compile(r"(U?)(CHAR|SHRT|INT|LONG)_(MIN|MAX)")
_LONG_NAMES = {"SHRT": "short"}


@dataclass(frozen=True, slots=True)
class Shape:
    """A type: `count` elements in a buffer, or one by value (None). An element has `width` components."""

    scalar: str
    width: int
    count: int | None

    @property
    def numbers(self) -> int:
        """How many numbers an annotation has for it."""
        return self.width * (1 if self.count is None else self.count)

    @property
    def size_bytes(self) -> int:
        """The size of its buffer; three components take the room of four."""
        bits = _BITS.get(self.scalar.removeprefix("u")) or {"half": 16, "float": 32, "double": 64}[self.scalar]
        return bits // 8 * (4 if self.width == 3 else self.width) * (self.count or 1)


def shape_of(type_name: str, count: str | None) -> Shape | None:
    """The shape of a type and a count, such as "int4" and "7" for `int4[7]`; None if it is not a type."""
    scalar = type_name.rstrip("0123456789")
    width = type_name[len(scalar) :]
    if scalar.removeprefix("u") not in _BITS and scalar not in _FLOATS:
        return None
    if width not in _WIDTHS or count == "0":
        return None
    return Shape(scalar, int(width or 1), None if count is None else int(count))


def value_of(scalar: str, word: str, loose: bool = False) -> Number:
    """A number: decimal, hexadecimal, inf, nan, or a limit such as INT_MAX. Raises ValueError if the type cannot hold it.

    A `loose` integer is read and converted as in C: octal after a 0, and truncated to its type.
    """
    if scalar in _FLOATS:
        try:
            return float.fromhex(word) if "0x" in word.lower() else float(word)
        except (ValueError, OverflowError):
            raise ValueError(f"{word!r} is not a {scalar}") from None
    bits, unsigned = _BITS[scalar.removeprefix("u")], scalar.startswith("u")
    if limit := _LIMIT.fullmatch(word):
        value = _limit(*limit.groups())
    elif re.fullmatch(r"[+-]?(0[xX][0-9a-fA-F]{1,99}|[0-9]{1,99})", word):
        octal = loose and re.fullmatch(r"[+-]?0[0-7]+", word)
        value = int(word, 16 if "x" in word.lower() else 8 if octal else 10)
    else:
        raise ValueError(f"{word!r} is not a {scalar}")
    if loose:
        value = (value + (0 if unsigned else 1 << bits - 1)) % (1 << bits) - (0 if unsigned else 1 << bits - 1)
    low, high = (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if not low <= value <= high:
        raise ValueError(f"{word} does not fit into {scalar}: {low} to {high}")
    return value


def _limit(unsigned: str, name: str, end: str) -> int:
    bits = _BITS[_LONG_NAMES.get(name, name.lower())]
    if end == "MIN":
        return 0 if unsigned else -(2 ** (bits - 1))
    return 2**bits - 1 if unsigned else 2 ** (bits - 1) - 1
