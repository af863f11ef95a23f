"""Index spaces: the sizes, groups and offsets of the launches. Plain Python, for the catalogue too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """One launch. `local` None: left to the implementation. `offset` None: NULL."""

    size: Sizes
    local: Sizes | None
    offset: Sizes | None

    @property
    def name(self) -> str:
        """`12x4.by4x2.at0x7`."""
        parts = [text(self.size), f"by{text(self.local)}" if self.local else "free"]
        return ".".join([*parts, *([f"at{text(self.offset)}"] if self.offset else [])])


def text(sizes: Sizes) -> str:
    """Sizes as they stand in an id."""
    return "x".join(map(str, sizes))


# One dimension, two, three: a single item, groups of one item, one group, odd groups, many groups; each dimension the
# long one in turn. Counts of groups around 3 straddle RUSTICL_MAX_WORK_GROUPS=3, which splits a launch into several.
LOCALS: dict[int, tuple[tuple[Sizes, Sizes], ...]] = {
    1: (
        ((1,), (1,)),
        ((7,), (1,)),
        ((64,), (64,)),
        ((33,), (11,)),
        ((64,), (32,)),
        ((60,), (20,)),
        ((256,), (64,)),
        ((35,), (7,)),
        ((1024,), (64,)),
    ),
    2: (
        ((1, 1), (1, 1)),
        ((9, 1), (3, 1)),
        ((1, 9), (1, 3)),
        ((12, 8), (4, 4)),
        ((15, 14), (5, 2)),
        ((2, 64), (2, 32)),
        ((64, 3), (64, 1)),
        ((6, 35), (1, 7)),
        ((28, 4), (4, 1)),
    ),
    3: (
        ((1, 1, 1), (1, 1, 1)),
        ((12, 4, 8), (4, 2, 2)),
        ((3, 5, 7), (1, 1, 1)),
        ((3, 5, 7), (3, 5, 1)),
        ((2, 2, 21), (1, 2, 3)),
        ((10, 3, 3), (5, 1, 3)),
        ((3, 28, 2), (1, 7, 2)),
        ((4, 4, 4), (4, 4, 4)),
        ((2, 3, 48), (2, 1, 16)),
    ),
}
FREE: tuple[Sizes, ...] = (
    (1,),
    (2,),
    (97,),
    (1009,),
    (360,),
    (1 << 12,),
    (7, 13),
    (101, 3),
    (1, 257),
    (2, 2),
    (64, 64),
    (13, 1, 1),
    (1, 1, 251),
    (3, 5, 7),
    (8, 8, 8),
    (1, 127, 2),
)
OFFSETS: dict[int, tuple[Sizes, ...]] = {
    1: ((1,), (70000,)),
    2: ((5, 0), (0, 9), (3, 65536)),
    3: ((0, 0, 3), (5, 70000, 3), (0, 11, 0), (1, 0, 0)),
}
# Ends beyond 31 and 32 bits, for devices whose size_t has 64.
FAR: tuple[Sizes, ...] = (
    (2**31 - 3,),
    (2**32 - 5,),
    (2**40 + 1,),
    (1, 2**33),
    (2**32, 2**31),
    (0, 2**34 + 3, 9),
    (2**35, 7, 2**32 + 1),
)
SPLIT = (3, 4, 5, 6, 7, 9, 10)


def spaces() -> Iterator[Space]:
    """Every launch of the table, each once."""
    for dimensions, pairs in LOCALS.items():
        for number, (size, local) in enumerate(pairs):
            yield Space(size, local, None)
            yield Space(size, local, OFFSETS[dimensions][number % len(OFFSETS[dimensions])])
    for number, size in enumerate(FREE):
        yield Space(size, None, None)
        yield Space(size, None, OFFSETS[len(size)][number % len(OFFSETS[len(size)])])


def splits() -> Iterator[Space]:
    """One dimension after another with counts of groups that 3 divides and does not, the others odd, with offsets."""
    for dimension in range(3):
        for groups in SPLIT:
            counts = [1, 2, 1] if groups % 2 else [2, 1, 5]
            counts[dimension] = groups
            local = (2, 3, 2)
            size = tuple(c * n for c, n in zip(counts, local, strict=True))
            yield Space(size, local, (7, 0, 2) if groups % 2 else (0, 5, 1))


LINEAR = (
    Space((24,), (8,), (5,)),
    Space((35,), None, None),
    Space((6, 10), (3, 5), (1, 2)),
    Space((1, 17), None, (9, 1)),
    Space((4, 6, 8), (2, 3, 4), None),
    Space((4, 6, 8), (4, 1, 2), (5, 6, 7)),
    Space((3, 5, 2), None, (0, 0, 4)),
)
