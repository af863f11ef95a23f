"""Compacted instructions of Gen12 and Gen12.5: 8 bytes, in which four or five numbers stand for groups of bits.

The numbers are facts of the hardware, which Intel's Tiger Lake reference manual lists under "EU Compact
Instructions". They were taken from the values that Mesa's brw_eu_compact.c compacts, and not compared with the
manual. An index is (its bits in the compacted word, the group that it chooses from, where the pieces of a chosen word
go). A piece is (highest bit, lowest bit, where it begins in the word), as the manual counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Piece = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Index:
    """A number in the compacted word that stands for some of the whole one's bits."""

    name: str
    bits: tuple[int, int]  # lowest and highest, in the compacted word
    words: tuple[int, ...]
    pieces: tuple[Piece, ...]


_CONTROL = (
    0x4, 0x3, 0x2000, 0x2004, 0x2003, 0x80004, 0x24, 0xa0004, 0x0, 0x10004, 0x13, 0x60004, 0x20004, 0x22004, 0x40004,
    0x104, 0xa0003, 0x184, 0x2001, 0x144, 0x1c4, 0x82004, 0x23, 0x33, 0xa2004, 0x80003, 0x22000, 0x10003, 0xa0084,
    0x20003, 0x8003, 0x2024,
)  # fmt: skip
_TYPES = (
    0xd6954, 0x6954, 0x2b54, 0x56d54, 0xd4954, 0xd2954, 0x54d54, 0x800, 0xd0954, 0x2eccc, 0xb68cc, 0x52d54, 0x96844,
    0x50d54, 0x36ccc, 0x16c44, 0x7154, 0x2cccc, 0x822, 0x2844, 0x26c2a, 0xec22, 0x97044, 0x694c, 0x8c8cc, 0x6854,
    0x2ec4c, 0x2822, 0x6834, 0x6814, 0x68d4, 0x2954,
)  # fmt: skip
_SUBREGISTERS = (
    0x0, 0x4000, 0x1000, 0x3000, 0x80, 0x2000, 0x5000, 0x8, 0x100, 0x6000, 0x7000, 0x200, 0x4, 0x300, 0x280, 0x180,
    0x380, 0x1c, 0x10, 0xc, 0x18, 0x14, 0x2, 0x140, 0x40, 0x84, 0x5c, 0x42, 0x18c, 0x20, 0x60, 0x6300,
)  # fmt: skip
_SOURCE0 = (
    0x464, 0x0, 0x466, 0x465, 0x2, 0x200, 0x240, 0x340, 0x224, 0x300, 0x226, 0x344, 0x467, 0x100, 0x1, 0xf10,
)  # fmt: skip
_SOURCE1 = (
    0x119, 0x0, 0x919, 0x800, 0x519, 0x8d0, 0x80, 0x89, 0x889, 0xd0, 0xd1, 0xc0, 0xd19, 0x400, 0xc00, 0x8d1,
)  # fmt: skip
_CONTROL3 = (
    0x4a540004, 0x4a540003, 0x48540003, 0x4a542003, 0x48542003, 0x48540013, 0x4a540013, 0x48542013, 0x4a542013,
    0x4a542004, 0x48540004, 0x4a550004, 0x4a540024, 0x48542004, 0x4a542000, 0x4a550003, 0x48542033, 0x48542023,
    0x4a542033, 0x4a542023, 0x48540023, 0x48540033, 0x4a540023, 0x4a540033, 0x48550004, 0x4a552004, 0x4a542024,
    0x4a442000, 0x48540024, 0x4a550024, 0x4a542002, 0x48550003,
)  # fmt: skip
_SOURCES3 = (
    0x12c300, 0x12c242, 0x16c343, 0x12c343, 0x160143, 0x16c34b, 0x14c343, 0x10c300, 0x16c300, 0x16cb43, 0x16e343,
    0x160100, 0x10c343, 0x12e300, 0x12e343, 0x12c34b, 0x120143, 0x12c308, 0x120100, 0x16e300, 0x12cb00, 0x14c300,
    0x12cb43, 0x16cb4b, 0x14c34b, 0x16e34b, 0x162143, 0x160943, 0x16c308, 0x16cb00, 0x120943, 0x14cb43,
)  # fmt: skip
_SUBREGISTERS3 = (
    0x0, 0x20000, 0x180, 0xa0000, 0x80380, 0x60000, 0x40000, 0x2000, 0x1000, 0xc0000, 0x80000, 0xe0000, 0x6000, 0x80,
    0x4000, 0x3000, 0x5000, 0x7000, 0x100, 0x200, 0x300, 0x280, 0x380, 0xc0380, 0x20100, 0x20180, 0x40180, 0x80300,
    0x80280, 0x60080, 0xa0380, 0x40080,
)  # fmt: skip

# Gen12.5 has other words for some groups.
_SOURCE0_125 = (
    0x100, 0x0, 0x102, 0x101, 0x2, 0x200, 0x240, 0x340, 0x300, 0x103, 0x1, 0xf10, 0x460, 0x140, 0x448, 0x202,
)  # fmt: skip
_SOURCE1_125 = (
    0x40, 0x0, 0x840, 0x800, 0x440, 0x8d0, 0x80, 0xd0, 0xc0, 0xc40, 0x400, 0xc00, 0x118, 0x880, 0x809, 0x844,
)  # fmt: skip
_CONTROL3_125 = (
    0x94540004, 0x94540003, 0x90540003, 0x94542003, 0x90542003, 0x90540013, 0x94540013, 0x90542013, 0x94542013,
    0x94542004, 0x90540004, 0x94550004, 0x94540024, 0x90542004, 0x94542000, 0x94550003, 0x90542023, 0x90542033,
    0x94542023, 0x94542033, 0x90540033, 0x90540023, 0x27cc0003, 0x7cc4003, 0x127cc4003, 0x107cc4003, 0x127cc0003,
    0x7cc0003, 0x27cc4003, 0x107cc0003, 0x16f544003, 0x16f540003,
)  # fmt: skip
_SOURCES3_125 = (
    0x120300, 0x120201, 0x160301, 0x120301, 0x160101, 0x160309, 0x140301, 0x160300, 0x100300, 0x160b01, 0x162301,
    0x160100, 0x100301, 0x122300, 0x122301, 0x120309, 0x120101, 0x120308, 0x120100, 0x162300, 0x120b00, 0x140300,
    0x120b01, 0x160b09, 0x122100, 0x120900, 0x122900, 0x121100, 0x121900, 0x120500, 0x121500, 0x122500,
)  # fmt: skip

# Instructions with one and two sources.
CONTROL = Index(
    "control", (24, 28), _CONTROL,
    ((95, 92, 17), (34, 34, 16), (33, 33, 15), (32, 32, 14), (31, 31, 13), (28, 28, 12), (27, 24, 8), (23, 22, 6),
     (21, 19, 3), (18, 16, 0)),
)  # fmt: skip
TYPES = Index(
    "types", (30, 34), _TYPES,
    ((98, 98, 19), (91, 88, 15), (66, 66, 14), (50, 50, 13), (49, 48, 11), (47, 47, 10), (46, 46, 9), (43, 40, 5),
     (39, 36, 1), (35, 35, 0)),
)  # fmt: skip
SUBREGISTERS = Index("subregisters", (35, 39), _SUBREGISTERS, ((103, 99, 10), (71, 67, 5), (55, 51, 0)))
SOURCE0 = Index(
    "source0", (48, 51), _SOURCE0, ((87, 87, 11), (86, 84, 8), (83, 81, 5), (80, 80, 4), (65, 64, 2), (45, 44, 0))
)
SOURCE1 = Index("source1", (52, 55), _SOURCE1, ((121, 120, 10), (119, 116, 6), (115, 113, 3), (112, 112, 2), (97, 96, 0)))

# Instructions with three sources.
CONTROL3 = Index(
    "control3", (24, 28), _CONTROL3,
    ((95, 92, 32), (90, 88, 29), (82, 80, 26), (50, 50, 25), (48, 48, 24), (42, 40, 21), (39, 39, 20), (38, 36, 17),
     (34, 34, 16), (33, 33, 15), (32, 32, 14), (31, 31, 13), (28, 28, 12), (27, 24, 8), (23, 23, 7), (22, 22, 6),
     (21, 19, 3), (18, 16, 0)),
)  # fmt: skip
SOURCES3 = Index(
    "sources3", (30, 34), _SOURCES3,
    ((114, 114, 20), (113, 112, 18), (98, 98, 17), (97, 96, 15), (91, 91, 14), (87, 86, 12), (85, 84, 10), (83, 83, 9),
     (66, 66, 8), (65, 64, 6), (47, 47, 5), (46, 46, 4), (45, 44, 2), (43, 43, 1), (35, 35, 0)),
)  # fmt: skip
SUBREGISTERS3 = Index("subregisters3", (35, 39), _SUBREGISTERS3, ((119, 115, 15), (103, 99, 10), (71, 67, 5), (55, 51, 0)))

# Gen12.5: in instructions with two sources the destination's stride has two bits here.
CONTROL3_125 = Index(
    "control3_125", (24, 28), _CONTROL3_125,
    ((95, 92, 33), (90, 88, 30), (82, 80, 27), (50, 50, 26), (49, 48, 24), *CONTROL3.pieces[5:]),
)  # fmt: skip
SOURCE0_125 = Index("source0_125", SOURCE0.bits, _SOURCE0_125, SOURCE0.pieces)
SOURCE1_125 = Index("source1_125", SOURCE1.bits, _SOURCE1_125, SOURCE1.pieces)
SOURCES3_125 = Index("sources3_125", SOURCES3.bits, _SOURCES3_125, SOURCES3.pieces)

# What the compacted word has unchanged: (highest bit, lowest bit, where it begins there).
PLAIN: tuple[Piece, ...] = ((6, 0, 0), (30, 30, 7), (15, 8, 8), (63, 56, 16), (79, 72, 40))
PLAIN3: tuple[Piece, ...] = (*PLAIN, (111, 104, 56), (127, 120, 48))


@dataclass(frozen=True, slots=True)
class Generation:
    """The tables that expand compacted words: one or two sources, the second source, three sources."""

    two: tuple[Index, ...]
    source1: Index
    three: tuple[Index, ...]


GENERATIONS = {
    "GEN12": Generation((CONTROL, TYPES, SUBREGISTERS, SOURCE0), SOURCE1, (CONTROL3, SOURCES3, SUBREGISTERS3)),
    "GEN125": Generation(
        (CONTROL, TYPES, SUBREGISTERS, SOURCE0_125), SOURCE1_125, (CONTROL3_125, SOURCES3_125, SUBREGISTERS3)
    ),
}


def generate() -> Iterator[str]:
    """The functions that expand a compacted word, and which of them a generation has."""
    indices = {i.name: i for g in GENERATIONS.values() for i in (*g.two, g.source1, *g.three)}
    yield from words_of(indices.values())
    for name, g in GENERATIONS.items():
        yield from function(f"two_{name}", g.two, PLAIN)
        yield from function(f"source1_{name}", (g.source1,), ((111, 104, 56),))
        yield from function(f"three_{name}", g.three, PLAIN3)


def words_of(indices: Iterable[Index]) -> Iterator[str]:
    """The words that the numbers stand for."""
    for index in indices:
        yield f"static const u64 words_of_{index.name}[] = {{{', '.join(f'{word:#x}ull' for word in index.words)}}};"


def function(name: str, indices: tuple[Index, ...], plain: tuple[Piece, ...]) -> Iterator[str]:
    """The function that expands a word: bits that are copied, and bits that numbers stand for."""
    yield f"static void {name}(u64 c, u64 *w)"
    yield "{"
    yield from (f"   put_bits(w, {high}, {low}, c >> {at});" for high, low, at in plain)
    for index in indices:
        low, high = index.bits
        yield f"   const u64 {index.name} = words_of_{index.name}[BITS(c, {low}, {high})];"
        yield from (f"   put_bits(w, {a}, {b}, {index.name} >> {at});" for a, b, at in index.pieces)
    yield "}"
