"""Encodings before Gen12: where Gen9's and Gen11's bits stand in a word of Gen12.

As Mesa's brw_eu_inst.h and brw_eu_compact.c have them, which give both places of each field. A piece is (highest bit,
lowest bit, where it begins in Gen12's word); what is more than a move (types, files, immediates) is in older.c.
"""

from __future__ import annotations

from collections.abc import Iterator

from emulators.intel.compaction import Index, Piece, function, words_of

COMMON = (
    (23, 21, 16),
    (11, 11, 19),
    (13, 12, 20),
    (33, 32, 22),
    (19, 16, 24),
    (20, 20, 28),
    (34, 34, 31),
    (27, 24, 92),
    (28, 28, 33),
    (31, 31, 34),
)
DESTINATION = ((62, 61, 48), (52, 48, 51), (60, 53, 56))
DESTINATION_BY_ADDRESS = ((63, 63, 35), (62, 61, 48), (60, 57, 60), (56, 48, 50), (47, 47, 59))
SOURCE0 = ((78, 77, 44), (81, 80, 64), (68, 64, 67), (76, 69, 72), (84, 82, 81), (88, 85, 84))
SOURCE0_BY_ADDRESS = (
    (79, 79, 80),
    (78, 77, 44),
    (81, 80, 64),
    (76, 73, 76),
    (72, 64, 66),
    (95, 95, 75),
    (84, 82, 81),
    (88, 85, 84),
)
SOURCE1 = ((110, 109, 120), (113, 112, 96), (100, 96, 99), (108, 101, 104), (116, 114, 113), (120, 117, 116))
SOURCE1_BY_ADDRESS = (
    (111, 111, 112),
    (110, 109, 120),
    (113, 112, 96),
    (108, 105, 108),
    (104, 96, 98),
    (121, 121, 107),
    (116, 114, 113),
    (120, 117, 116),
)
# Of three sources. Gen11's have regions.
MODIFIERS3 = ((38, 37, 44), (40, 39, 86), (42, 41, 84), (63, 56, 56))
REGISTERS3 = (
    (35, 35, 39), (49, 49, 48), (55, 54, 54), (70, 69, 64), (75, 71, 67), (83, 76, 72), (67, 67, 35), (68, 68, 43),
    (91, 90, 96), (96, 92, 99),
    (104, 97, 104), (88, 88, 83), (89, 89, 91), (112, 111, 112), (117, 113, 115), (125, 118, 120),
)  # fmt: skip
# Gen9's (Align16) have one bit: whether one element is for all channels.
REGISTERS3_ALIGN16 = (
    (55, 54, 54),
    (75, 73, 69),
    (84, 84, 68),
    (83, 76, 72),
    (96, 94, 101),
    (105, 105, 100),
    (104, 97, 104),
    (117, 115, 117),
    (126, 126, 116),
    (125, 118, 120),
)
# Messages of two payloads.
SPLIT = ((51, 44, 104), (36, 36, 98), (61, 61, 49), (82, 80, 40), (77, 77, 48))
MOVES: dict[str, tuple[Piece, ...]] = {
    "common": COMMON, "destination": DESTINATION, "destination_by_address": DESTINATION_BY_ADDRESS, "source0": SOURCE0,
    "source0_by_address": SOURCE0_BY_ADDRESS, "source1": SOURCE1, "source1_by_address": SOURCE1_BY_ADDRESS,
    "modifiers3": MODIFIERS3,
    "registers3": REGISTERS3, "registers3_align16": REGISTERS3_ALIGN16, "split": SPLIT,
}  # fmt: skip

# ---- compacted words, of one and two sources

_CONTROL = (
    0x2, 0x4000, 0x4001, 0x4002, 0x4003, 0x4004, 0x4005, 0x4007, 0x4008, 0x4009, 0x400d, 0x6000, 0x6001, 0x6002,
    0x6003, 0x6004, 0x6005,
    0x6007, 0x6009, 0x600d, 0x6010, 0x6100, 0x8000, 0x8002, 0x8004, 0x8100, 0x16000, 0x16010, 0x18000, 0x18100,
    0x28000, 0x28100,
)  # fmt: skip
_TYPES9 = (
    0x40001, 0x40040, 0x40041, 0x400c1, 0x4015d, 0x405dd, 0x40741, 0x40745, 0x4075d, 0x41041, 0x43040, 0x43041,
    0x45145, 0x47144,
    0x47145, 0x5c75d, 0x5d71d, 0x5d75c, 0x5d75d, 0x5f75c, 0x40c, 0x4005d, 0x40145, 0x41040, 0x45144, 0x47104,
    0x49209, 0x5775d,
    0x5f75d, 0x4f34c, 0x49248, 0x4b248,
)  # fmt: skip
_TYPES11 = (
    0x40001, 0x40040, 0x40041, 0x400c1, 0x40165, 0x40be5, 0x40941, 0x40945, 0x40965, 0x41041, 0x43040, 0x43041,
    0x45145, 0x47144,
    0x47145, 0x64965, 0x65925, 0x65964, 0x65965, 0x67964, 0x40c, 0x40065, 0x40145, 0x41040, 0x45144, 0x47104,
    0x49209, 0x6f965,
    0x67965, 0x4f34c, 0x49248, 0x4b248,
)  # fmt: skip
_SUBREGISTERS = (
    0x0, 0x1, 0x8, 0xf, 0x10, 0x80, 0x100, 0x180, 0x200, 0x210, 0x280, 0x1000, 0x1001, 0x1081, 0x1082, 0x1083,
    0x1084, 0x1087, 0x1088,
    0x108e, 0x108f, 0x1180, 0x11e8, 0x2000, 0x2180, 0x3000, 0x3c87, 0x4000, 0x5000, 0x6000, 0x7000, 0x701c,
)  # fmt: skip
_SOURCE = (
    0x0, 0x2, 0x10, 0x12, 0x18, 0x20, 0x28, 0x48, 0x50, 0x70, 0x78, 0x300, 0x302, 0x308, 0x310, 0x312, 0x320, 0x328,
    0x338, 0x340, 0x342,
    0x348, 0x350, 0x360, 0x368, 0x370, 0x371, 0x378, 0x468, 0x469, 0x46a, 0x588,
)  # fmt: skip
_TYPE_PIECES = ((63, 61, 18), (94, 89, 12), (46, 35, 0))
CONTROL = Index("older_control", (8, 12), _CONTROL, ((33, 31, 16), (23, 12, 4), (10, 9, 2), (34, 34, 1), (8, 8, 0)))
SUBREGISTERS = Index("older_subregisters", (18, 22), _SUBREGISTERS, ((100, 96, 10), (68, 64, 5), (52, 48, 0)))
SOURCE0_INDEX = Index("older_source0", (30, 34), _SOURCE, ((88, 77, 0),))
SOURCE1_INDEX = Index("older_source1", (35, 39), _SOURCE, ((120, 109, 0),))
TYPES = {
    "GEN9": Index("types_9", (13, 17), _TYPES9, _TYPE_PIECES),
    "GEN11": Index("types_11", (13, 17), _TYPES11, _TYPE_PIECES),
}
PLAIN: tuple[Piece, ...] = ((6, 0, 0), (30, 30, 7), (28, 28, 23), (27, 24, 24), (60, 53, 40), (76, 69, 48))
# Of three, Align16; Gen11's are never compacted.
CONTROL3 = Index("older_control3", (8, 9), (0x806001, 0x6001, 0x8001, 0x8021), ((34, 32, 21), (28, 8, 0), (36, 35, 24)))
SOURCES3 = Index(
    "older_sources3", (10, 11), (0x7272720f000, 0x7272720f002, 0x7272720f008, 0x7272720f020),
    ((83, 83, 43), (114, 107, 35), (93, 86, 27), (72, 65, 19), (55, 37, 0), (126, 125, 47), (105, 104, 45), (84, 84,
    44)),
)  # fmt: skip
PLAIN3: tuple[Piece, ...] = (
    (6, 0, 0), (30, 30, 30), (31, 31, 31), (62, 56, 12), (64, 64, 28), (85, 85, 32), (106, 106, 33), (82, 76, 43),
    (103, 97, 50),
    (124, 118, 57), (75, 73, 34), (96, 94, 37), (117, 115, 40),
)  # fmt: skip


def generate() -> Iterator[str]:
    """A function for each group of moves, and the functions that expand compacted words."""
    for name, pieces in MOVES.items():
        yield f"void move_{name}(const u64 *from, u64 *to)"
        yield "{"
        for high, low, at in pieces:
            field = f"BITS(from[{low // 64}], {low % 64}, {high % 64})"
            yield f"   put_bits(to, {at + high - low}, {at}, {field});"
        yield "}"
    yield from words_of((CONTROL, SUBREGISTERS, SOURCE0_INDEX, SOURCE1_INDEX, *TYPES.values(), CONTROL3, SOURCES3))
    for generation, types in TYPES.items():
        yield from function(f"two_{generation}", (CONTROL, types, SUBREGISTERS, SOURCE0_INDEX), PLAIN)
        yield from function(f"source1_{generation}", (SOURCE1_INDEX,), ((108, 101, 56),))
        yield from function(f"three_{generation}", (CONTROL3, SOURCES3), PLAIN3)
