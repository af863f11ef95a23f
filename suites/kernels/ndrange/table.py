"""Index spaces: the sizes, groups and offsets of launches. Plain Python, because the catalogue reads it too."""

from collections.abc import Iterator
from dataclasses import dataclass

Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """One launch. `local`: None to leave it to the implementation; `offset`: None for NULL."""

    size: Sizes
    local: Sizes | None
    offset: Sizes | None

    @property
    def name(self) -> str:
        """Its name in an id, such as `12x4.by4x2.at0x7`."""
        parts = [text(self.size), f"by{text(self.local)}" if self.local else "free"]
        return ".".join([*parts, *([f"at{text(self.offset)}"] if self.offset else [])])


def text(sizes: Sizes) -> str:
    """The form of sizes in an id."""
    return "x".join(map(str, sizes))


# One, two and three dimensions: a single item, groups of one item, one group, odd groups, many groups; each dimension is
# the long one in turn. Some numbers of groups are just below or above RUSTICL_MAX_WORK_GROUPS=3, which splits launches.
LOCALS: tuple[tuple[Sizes, Sizes, Sizes], ...] = (
    ((1,), (1,), (1,)),
    ((7,), (1,), (70000,)),
    ((64,), (64,), (1,)),
    ((33,), (11,), (70000,)),
    ((64,), (32,), (1,)),
    ((60,), (20,), (70000,)),
    ((256,), (64,), (1,)),
    ((35,), (7,), (70000,)),
    ((1024,), (64,), (1,)),
    ((1, 1), (1, 1), (5, 0)),
    ((9, 1), (3, 1), (0, 9)),
    ((1, 9), (1, 3), (3, 65536)),
    ((12, 8), (4, 4), (5, 0)),
    ((15, 14), (5, 2), (0, 9)),
    ((2, 64), (2, 32), (3, 65536)),
    ((64, 3), (64, 1), (5, 0)),
    ((6, 35), (1, 7), (0, 9)),
    ((28, 4), (4, 1), (3, 65536)),
    ((1, 1, 1), (1, 1, 1), (0, 0, 3)),
    ((12, 4, 8), (4, 2, 2), (5, 70000, 3)),
    ((3, 5, 7), (1, 1, 1), (0, 11, 0)),
    ((3, 5, 7), (3, 5, 1), (1, 0, 0)),
    ((2, 2, 21), (1, 2, 3), (0, 0, 3)),
    ((10, 3, 3), (5, 1, 3), (5, 70000, 3)),
    ((3, 28, 2), (1, 7, 2), (0, 11, 0)),
    ((4, 4, 4), (4, 4, 4), (1, 0, 0)),
    ((2, 3, 48), (2, 1, 16), (0, 0, 3)),
)
# Sizes for which the implementation chooses the groups, each with an offset.
FREE: dict[Sizes, Sizes] = {
    (1,): (1,),
    (2,): (70000,),
    (97,): (1,),
    (1009,): (70000,),
    (360,): (1,),
    (1 << 12,): (70000,),
    (7, 13): (5, 0),
    (101, 3): (0, 9),
    (1, 257): (3, 65536),
    (2, 2): (5, 0),
    (64, 64): (0, 9),
    (13, 1, 1): (1, 0, 0),
    (1, 1, 251): (0, 0, 3),
    (3, 5, 7): (5, 70000, 3),
    (8, 8, 8): (0, 11, 0),
    (1, 127, 2): (1, 0, 0),
}
# Offsets with which a range ends beyond 31 or 32 bits, for devices whose size_t has 64; and whether the groups are given.
FAR: dict[Sizes, bool] = {
    (2**31 - 3,): False,
    (2**32 - 5,): True,
    (2**40 + 1,): False,
    (1, 2**33): True,
    (2**32, 2**31): False,
    (0, 2**34 + 3, 9): True,
    (2**35, 7, 2**32 + 1): False,
}
SPLIT = (3, 4, 5, 6, 7, 9, 10)


def spaces() -> Iterator[Space]:
    """Every launch of the tables, each once."""
    for size, local, offset in LOCALS:
        yield Space(size, local, None)
        yield Space(size, local, offset)
    for size, offset in FREE.items():
        yield Space(size, None, None)
        yield Space(size, None, offset)


def splits() -> Iterator[Space]:
    """In each dimension in turn, numbers of groups that 3 divides and others; the other dimensions differ; with offsets."""
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
