"""The records of the suite, which are generated. Plain Python, because the catalogue reads it too."""

import random
from collections.abc import Iterator
from functools import cache
from typing import TypeVar

from .model import Array, Leaf, Member, Plain, Record, Type, leaves

KINDS = {"plain": 14, "vectors": 10, "nested": 10, "packed": 10, "aligned": 10, "unions": 6, "packed_inside": 6}
"""How many there are of each kind."""

_SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "float")
_WIDE = ("long", "ulong", "double", "half")
_OF_ONE_SIZE = (("int", "uint", "float"), ("short", "ushort"), ("long", "ulong"), ("char", "uchar"))
_MAX_ALIGNMENT = 64
"""The greatest alignment that an attribute asks for: that no copy is long for."""
_WIDTHS = (2, 3, 4, 8, 16)


_T = TypeVar("_T")


class _StableRandom:
    """The same numbers on every version of Python, which keeps only `random()` the same."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def below(self, end: int) -> int:
        return int(self._random.random() * end)

    def of(self, things: tuple[_T, ...]) -> _T:
        return things[self.below(len(things))]


@cache
def record(kind: str, number: int) -> Record:
    """One of the records, named S."""
    return _record("S", kind, _StableRandom(f"{kind}.{number}"), number)


def scalars_of(kind: str, number: int) -> list[str]:
    """The scalar types in a record."""
    return list(dict.fromkeys(leaf.type.scalar for leaf in _all_leaves(record(kind, number))))


def _all_leaves(t: Type) -> Iterator[Leaf]:
    """As `leaves`, with every member of a union."""
    yield from leaves(t)
    for member in t.members if isinstance(t, Record) else ():
        yield from _all_leaves(member.type.element if isinstance(member.type, Array) else member.type)


def _record(name: str, kind: str, rng: _StableRandom, number: int) -> Record:
    scalars = _SCALARS + (_WIDE if number % 3 == 0 else _WIDE[:2] if number % 3 == 1 else ())
    if kind == "packed_inside" or (name != "S" and kind == "packed"):  # vectors are unaligned, but their components aligned
        scalars = _OF_ONE_SIZE[number % len(_OF_ONE_SIZE)]
    count = 3 + (0 if kind == "packed_inside" else rng.below(4))
    members = []
    for n in range(count):
        t: Type = Plain(rng.of(scalars))
        if kind == "nested" and n % 2:
            inner = _record(f"{name}{n}", "vectors" if rng.below(2) else "plain", rng, number)
            t = Record(inner.name, inner.members[:2])
        elif kind == "packed_inside" and n % 2:
            inner = _record(f"{name}{n}", "packed", rng, number)
            t = Record(inner.name, inner.members[-3:], packed=True)
        elif kind == "unions" and n % 2:
            one, other = Plain(rng.of(scalars), rng.of(_WIDTHS[:3])), Plain(rng.of(scalars))
            t = Record(f"{name}{n}", (Member("u", one), Member("v", Array(other, 1 + rng.below(5)))), union=True)
        elif kind not in ("plain", "packed_inside") and rng.below(2):
            t = Plain(rng.of(scalars), rng.of(_WIDTHS if name == "S" and kind in ("vectors", "packed") else _WIDTHS[:3]))
        if rng.below(4) == 0 and kind != "unions":
            t = Array(t, 2 + rng.below(2))
        aligned = 0
        if kind == "aligned" and (n == 1 or rng.below(2)):  # the attribute can only raise an alignment
            aligned = min(t.alignment * 2 ** (1 + rng.below(3)), _MAX_ALIGNMENT // 2)
        members.append(Member(f"m{n}", t, aligned))
    s = Record(name, tuple(members), packed=kind == "packed")
    if kind == "aligned" and number % 2:
        s = Record(name, s.members, aligned=min(s.alignment * 2, _MAX_ALIGNMENT))
    return s
