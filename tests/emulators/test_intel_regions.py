"""Operands: regions, indirect ones, immediates, masks and predicates, flags, architecture registers, compacted words."""

import random
import struct
from collections.abc import Sequence

import pytest
from bare_intel import NUMBERS, BareIntel, Item, Launch, store
from intel_assembler import ADDRESS, CONTROL, END_OF_THREAD, FLAG, MASK, Operand, alu, arf, assemble, imm, one, r

from emulators.intel import compaction

NUMBER, RESULT = 3, 40
ONE = Launch()
_WORDS = compaction.GENERATIONS["GEN12"]
_BYTES = random.Random(5).randbytes(512)
_DATA = list(struct.unpack("<128I", _BYTES))  # r10 to r25


def _run(intel: BareIntel, body: Sequence[Item], shape: Launch = ONE) -> list[int]:
    """r10 to r25 are the data; the answer is r40 and r41."""
    moves = [alu("mov", r(30 + 2 * k), r(3 + 2 * k)) for k in range(8)]
    back = [alu("mov", r(10 + 2 * k), r(30 + 2 * k)) for k in range(8)]
    code = [*moves, *NUMBERS, *back, *body, *store(r(RESULT), 0, NUMBER)]
    out = intel.launch(code, [64], shape, [_BYTES])
    assert out.done, out.marks
    assert not out.marks
    return out.words(0)


def _element(byte: int, size: int) -> int:
    return int.from_bytes(_BYTES[byte : byte + size], "little")


@pytest.mark.parametrize(
    "region",
    [
        (8, 8, 1),
        (0, 1, 0),
        (16, 8, 2),
        (4, 4, 1),
        (4, 2, 1),
        (2, 2, 0),
        (1, 4, 1),
        (1, 8, 0),
        (8, 4, 2),
        (32, 8, 4),
        (0, 4, 1),
    ],
)
@pytest.mark.parametrize("type", ["ud", "uw", "ub"])
def test_a_region_names_rows_and_columns(intel: BareIntel, region: tuple[int, int, int], type: str) -> None:
    vertical, width, horizontal = region
    size = {"ud": 4, "uw": 2, "ub": 1}[type]
    found = _run(intel, [alu("mov", r(RESULT), r(11, type, 2 * size, region))])
    places = [32 + 2 * size + size * (n // width * vertical + n % width * horizontal) for n in range(16)]
    assert found == [_element(place, size) for place in places]


def test_a_result_has_a_stride_and_leaves_alone_what_is_between(intel: BareIntel) -> None:
    body = [alu("mov", r(RESULT), imm(0xABCDEF01)), alu("mov", r(RESULT, "uw", 2, (0, 1, 2)), r(NUMBER, "ud"), n=16)]
    assert _run(intel, body) == [n << 16 | 0xEF01 for n in range(16)]


def test_registers_are_bytes_that_overlap(intel: BareIntel) -> None:
    body = [
        alu("mov", r(RESULT, "ud"), r(10)),
        alu("mov", r(RESULT, "uw", 0), imm(0x11111111, "uw"), n=8, mask=False),
        alu("mov", r(RESULT, "ub", 17), imm(0x22, "uw"), n=1, mask=False),
    ]
    words = [0x11111111] * 4 + [_DATA[4] & 0xFFFF00FF | 0x2200, *_DATA[5:16]]
    assert _run(intel, body) == words


def test_an_address_register_moves_a_region(intel: BareIntel) -> None:
    start = alu("mov", arf(ADDRESS, "uw", 4), imm(11 * 32), n=1, mask=False)
    source = Operand(type="ud", sub=8, region=(8, 8, 1), address=2)
    assert _run(intel, [start, alu("mov", r(RESULT), source, n=16)]) == _DATA[10:26]


def test_each_row_may_have_an_address_of_its_own(intel: BareIntel) -> None:
    """As the compiler does a shuffle: eight addresses, one of each lane."""
    body = []
    for half in (0, 1):
        body += [
            alu("xor", r(90), r(NUMBER + half), imm(5), n=8, first=8 * half),
            alu("shl", r(90), r(90), imm(2), n=8, first=8 * half),
            alu("add", arf(ADDRESS, "uw"), r(90, "uw", 0, (16, 8, 2)), imm(10 * 32, "uw"), n=8, first=8 * half),
            alu("mov", r(RESULT + half), Operand(type="ud", region=(-1, 1, 0), address=0), n=8, first=8 * half),
        ]
    assert _run(intel, body) == [_DATA[n ^ 5] for n in range(16)]


def test_an_address_may_be_where_a_result_goes(intel: BareIntel) -> None:
    start = alu("mov", arf(ADDRESS, "uw"), imm(RESULT * 32), n=1, mask=False)
    target = Operand(type="ud", sub=4, region=(0, 1, 1), address=0)
    body = [alu("mov", r(RESULT), imm(0)), start, alu("mov", target, r(10), n=8, mask=False)]
    assert _run(intel, body) == [0, *_DATA[:8], *[0] * 7]


def test_an_address_beyond_the_registers_is_a_fault(intel: BareIntel) -> None:
    start = alu("mov", arf(ADDRESS, "uw"), imm(4090), n=1, mask=False)
    out = intel.launch([start, alu("mov", r(RESULT), Operand(type="ud", region=(8, 8, 1), address=0), n=8)])
    assert "byte 4094 of the registers" in out.marks[-1]
    assert "ends after the last register" in intel.launch([alu("mov", r(RESULT), r(127))]).marks[0]
    assert "after the last register" in intel.launch([alu("mov", r(127), imm(1))]).marks[0]


def test_immediates_of_many_numbers(intel: BareIntel) -> None:
    signed = [8 - 16, 7, 6, 5, 4, 3, 2, 0xF - 16] * 2
    found = _run(intel, [alu("mov", r(RESULT, "d"), imm(0xF2345678, "b"))])
    assert found == [x & 0xFFFFFFFF for x in signed]
    assert _run(intel, [alu("mov", r(RESULT), imm(0xF2345678, "ub"))]) == [8, 7, 6, 5, 4, 3, 2, 15] * 2
    assert _run(intel, [alu("mov", r(RESULT), imm(0x12345678, "ud"))]) == [0x12345678] * 16


def test_channels_by_mask_predicate_and_group(intel: BareIntel) -> None:
    clear = alu("mov", r(RESULT), imm(0))
    odd = alu("and", r(50), r(NUMBER), imm(1), condition="nz")
    assert _run(intel, [clear, odd, alu("mov", r(RESULT), imm(1), predicate=1)]) == [0, 1] * 8
    assert _run(intel, [clear, odd, alu("mov", r(RESULT), imm(1), predicate=1, inverted=True)]) == [1, 0] * 8
    upper = alu("mov", r(RESULT + 1), imm(1), n=8, first=8, predicate=1)
    assert _run(intel, [clear, odd, upper]) == [0] * 8 + [0, 1] * 4
    assert _run(intel, [clear, odd, alu("mov", r(RESULT), imm(1), n=4, first=4, predicate=1)]) == [0, 1, 0, 1, *[0] * 12]
    both = [alu("mov", r(RESULT), imm(0), mask=False), alu("mov", r(RESULT + 1), imm(1), n=8, first=8)]
    assert _run(intel, both, Launch(last=0x0FFF)) == [0] * 8 + [1] * 4 + [0] * 4


@pytest.mark.parametrize(
    ("predicate", "want"), [(4, 0b11), (5, 0), (6, 0xF), (7, 0), (8, 0xFF), (9, 0), (10, 0xFFFF), (11, 0), (2, 0b10), (3, 0)]
)
def test_predicates_of_groups(intel: BareIntel, predicate: int, want: int) -> None:
    one_lane = alu("cmp", r(50), r(NUMBER), imm(1), condition="z")
    other = alu("mov", arf(FLAG + 1), imm(0), n=1, mask=False)
    body = [alu("mov", r(RESULT), imm(0)), one_lane, other, alu("mov", r(RESULT), imm(1), predicate=predicate)]
    assert sum(x << n for n, x in enumerate(_run(intel, body))) == want


def test_flags_are_registers_too(intel: BareIntel) -> None:
    body = [
        alu("mov", arf(FLAG), imm(0x0000F0F0), n=1, mask=False),
        alu("mov", r(RESULT), imm(0)),
        alu("mov", r(RESULT), one(arf(FLAG, "uw")), predicate=1),
    ]
    assert _run(intel, body) == ([0] * 4 + [0xF0F0] * 4) * 2


def test_the_mask_can_be_read(intel: BareIntel) -> None:
    assert _run(intel, [alu("mov", r(RESULT), one(arf(MASK)))], Launch(last=0x0FFF))[:12] == [0x0FFF] * 12


def test_the_rounding_mode_is_a_register(intel: BareIntel) -> None:
    up = alu("or", arf(CONTROL), one(arf(CONTROL)), imm(0x10), n=1, mask=False)
    third = [alu("mov", r(44, "f"), imm(0x3F800001, "f")), alu("mov", r(46, "hf", region=(0, 1, 2)), r(44, "f"))]
    read = alu("mov", r(RESULT), r(46, "uw", 0, (16, 8, 2)))
    assert _run(intel, [*third, read]) == [0x3C00] * 16
    assert _run(intel, [up, *third, read]) == [0x3C01] * 16


# ---- compacted words


def _gather(word: int, pieces: tuple[compaction.Piece, ...]) -> int:
    return sum((word >> low & (1 << high - low + 1) - 1) << at for high, low, at in pieces)


def compact(word: int, indices: Sequence[compaction.Index], plain: Sequence[compaction.Piece]) -> int:
    """The eight bytes that stand for an instruction of two sources; its bits have to be in the tables."""
    compacted, known = 1 << 29, 0
    for high, low, at in plain:
        compacted |= (word >> low & (1 << high - low + 1) - 1) << at
    for index in indices:
        compacted |= index.words.index(_gather(word, index.pieces)) << index.bits[0]
    for high, low, _ in (*plain, *(piece for index in indices for piece in index.pieces)):
        known |= ((1 << high - low + 1) - 1) << low
    assert not word & ~known
    return compacted


def test_a_compacted_instruction_does_what_the_whole_one_does(intel: BareIntel) -> None:
    whole = alu("add", r(20, "d"), r(10, "d"), r(12, "d"), n=8)
    compacted = compact(whole, (*_WORDS.two, _WORDS.source1), (*compaction.PLAIN, (111, 104, 56)))
    text = intel.text_of(whole)
    assert text.startswith("add(8|M0) r20.0<1>d r10.0<8;8,1>d r12.0<8;8,1>d")
    assert intel.text_of(compacted) == text
    code = struct.pack("<Q", compacted) + assemble([END_OF_THREAD])
    assert intel.launch(code).marks[0].startswith("undefined: add(8|M0) r20.0<1>d")


def test_a_compacted_immediate_is_extended(intel: BareIntel) -> None:
    whole = alu("add", r(20, "d"), r(10, "d"), imm(0, "d"), n=8)
    compacted = 1 << 29
    for high, low, at in compaction.PLAIN:
        compacted |= (whole >> low & (1 << high - low + 1) - 1) << at
    for index in _WORDS.two:
        compacted |= index.words.index(_gather(whole, index.pieces)) << index.bits[0]
    assert intel.text_of(compacted | 0xFFE << 52).partition(" {")[0].endswith("r10.0<8;8,1>d 0xfffffffe:d")
