"""Integer types and their arithmetic in Python's ints. Plain Python, because the catalogue reads it too."""

from dataclasses import dataclass

BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
TYPES = tuple(BITS)
UNSIGNED = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong"}
SIGNED = {unsigned: signed for signed, unsigned in UNSIGNED.items()}
WIDER = {"char": "short", "uchar": "ushort", "short": "int", "ushort": "uint", "int": "long", "uint": "ulong"}


@dataclass(frozen=True, slots=True)
class IntegerType:
    """A scalar (width 1) or a vector of `width` components."""

    scalar: str
    width: int = 1

    def __str__(self) -> str:
        return self.of(self.scalar)

    def of(self, scalar: str) -> str:
        """The type of this width with other components."""
        return scalar if self.width == 1 else f"{scalar}{self.width}"

    @property
    def bits(self) -> int:
        """The number of bits of a component."""
        return BITS[self.scalar]

    @property
    def signed(self) -> bool:
        return self.scalar in UNSIGNED

    @property
    def promoted(self) -> str:
        """The type that operators compute in: int for small scalars (C99 6.3.1.1); vectors are not promoted."""
        return "int" if self.width == 1 and self.bits < 32 else self.scalar


def bounds(type_name: str) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    return bounds_of(BITS[type_name], type_name in UNSIGNED)


def bounds_of(bits: int, signed: bool) -> tuple[int, int]:
    """The least and the greatest integer of `bits` bits."""
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def fits_bits(value: int, bits: int, signed: bool) -> bool:
    """Whether an integer of `bits` bits holds the value."""
    low, high = bounds_of(bits, signed)
    return low <= value <= high


def wrap(value: int, type_name: str) -> int:
    """`value` modulo 2 to the power of the type's bits."""
    low, _ = bounds(type_name)
    return (value - low) % 2 ** BITS[type_name] + low


def saturate(value: int, type_name: str) -> int:
    """`value`, or the nearer end of the type's range if it is outside."""
    low, high = bounds(type_name)
    return min(max(value, low), high)


def edges(type_name: str, count: int = 24) -> list[int]:
    """Operands at which carries, signs and widths change; the first ones matter most."""
    return edges_of(BITS[type_name], type_name in UNSIGNED, count)


def edges_of(bits: int, signed: bool, count: int) -> list[int]:
    """The edges of an integer of `bits` bits."""
    low, high = bounds_of(bits, signed)
    ones = 2**bits - 1
    values = [0, 1, high, low, -1, high - 1, low + 1, 2, bits - 1, bits, bits + 1, ones // 3, 3, 7]
    values += [2 ** (bits // 2) - 1, 2 ** (bits // 2), 2 ** (bits // 2) + 1, ones // 3 * 2, 2 ** (bits - 2)]
    values += [5, 100, -2, -7, ones // 15, 2 * bits + 3]
    return list(dict.fromkeys((v - low) % 2**bits + low for v in values))[:count]


def quotient(a: int, b: int) -> int:
    """a / b, rounded towards zero (C99 6.5.5)."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
