"""Gen12.5: the load and store cache, COMPUTE_WALKER's ids, scratch memory by a surface, waits by pipes."""

import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from bare_intel import BareIntel, Compute, Item
from intel_assembler import NOTHING, SIGNAL, WAIT, Operand, alu, arf, imm, r, send, sync
from intel_waits import findings, kernel
from test_intel_regions import compact

from emulators.intel import compaction

SLM, UGM = 14, 15
LOAD, LOAD_MASK, STORE, STORE_MASK, INC, ADD, CMPXCHG, FENCE = 0, 2, 4, 6, 8, 12, 18, 31
FLAT, STATE, TABLE = 0, 2, 3
A32, A64 = 2, 3
D8, D32, D64, D8U32 = 0, 2, 3, 4
NUMBER, OFFSETS, RESULT = 20, 22, 40  # each lane's number, four times it
_BYTES = bytes(range(64))
_WORDS = list(struct.unpack("<16I", _BYTES))
SIXTEEN = Compute()


@pytest.fixture(scope="module")
def alchemist(intel_library: Path) -> BareIntel:
    return BareIntel(intel_library, "dg2")


def lsc(
    operation: int, size: int = D32, count: int = 0, address: int = A64, kind: int = FLAT, *, length: int = 4,
    answer: int = 0, transposed: bool = False,
) -> int:  # fmt: skip
    """A descriptor; `count` is the code of a number of elements, or a mask of four."""
    return operation | address << 7 | size << 9 | count << 12 | transposed << 15 | answer << 20 | length << 25 | kind << 29


def addresses(base: int, first: int, offsets: int = OFFSETS) -> list[int]:
    """Registers from `first` on, 8 bytes per lane: a base plus the lane's offset."""
    return [
        alu(
            "add" if word == 0 else "mov",
            r(first + 2 * h, sub=4 * word, region=(0, 1, 2)),
            *([r(offsets + h)] if word == 0 else []),
            imm(base >> 32 * word & 0xFFFFFFFF),
            n=8,
            first=8 * h,
        )
        for h in (0, 1)
        for word in (0, 1)
    ]


def _prologue() -> list[int]:
    return [alu("mov", r(NUMBER), r(1, "uw")), alu("shl", r(OFFSETS), r(NUMBER), imm(2))]


def _stored(base: int, value: int = RESULT) -> list[int]:
    """Store each lane's dword at its place in a buffer."""
    return [*addresses(base, 70), send(UGM, lsc(STORE), payload=r(70), rest=r(value), extended=2 << 6)]


def _run(
    alchemist: BareIntel, body: Callable[[Sequence[int]], Sequence[Item]], shape: Compute = SIXTEEN, data: bytes = _BYTES
) -> list[int]:
    out = alchemist.compute(lambda at: [*_prologue(), *body(at), *_stored(at[1])], [data, 64], shape)
    assert out.done, out.marks
    assert not out.marks
    return out.words(1)


def _fault(alchemist: BareIntel, body: Sequence[Item], shape: Compute = SIXTEEN) -> str:
    out = alchemist.compute(lambda _: [*_prologue(), *body], [_BYTES, 64], shape)
    assert not out.done
    return out.marks[-1]


def test_each_lane_loads_from_its_own_address(alchemist: BareIntel) -> None:
    assert _run(alchemist, lambda at: [*addresses(at[0], 60), send(UGM, lsc(LOAD, answer=2), r(RESULT), r(60))]) == _WORDS


def test_components_lie_apart_and_a_mask_leaves_some_out(alchemist: BareIntel) -> None:
    def body(load: int) -> Callable[[Sequence[int]], list[int]]:
        return lambda at: [
            alu("and", r(24), r(OFFSETS), imm(~15)),
            *addresses(at[0], 60, 24),
            send(UGM, load, r(50), r(60)),
            alu("mov", r(RESULT), r(52)),
        ]

    second = [_WORDS[n // 4 * 4 + 1] for n in range(16)]
    third = [_WORDS[n // 4 * 4 + 2] for n in range(16)]
    assert _run(alchemist, body(lsc(LOAD, count=1, answer=4))) == second
    assert _run(alchemist, body(lsc(LOAD_MASK, count=0b101, answer=4))) == third


def test_a_byte_is_a_dword_in_registers_and_may_lie_anywhere(alchemist: BareIntel) -> None:
    load = send(UGM, lsc(LOAD, D8U32, answer=2), r(RESULT), r(60))
    assert _run(alchemist, lambda at: [*addresses(at[0] + 1, 60, NUMBER), load]) == list(range(1, 17))
    whole = send(UGM, lsc(LOAD, answer=2), r(RESULT), r(60))
    expected = [struct.unpack_from("<I", _BYTES, n + 1)[0] for n in range(16)]
    assert _run(alchemist, lambda at: [*addresses(at[0] + 1, 60, NUMBER), whole]) == expected


def test_a_block_has_one_address(alchemist: BareIntel) -> None:
    def body(at: Sequence[int]) -> list[int]:
        halves = [alu("mov", r(60, sub=4 * n), imm(at[0] >> 32 * n & 0xFFFFFFFF), n=1, mask=False) for n in (0, 1)]
        block = lsc(LOAD, count=5, length=1, answer=2, transposed=True)
        return [*halves, send(UGM, block, r(RESULT), r(60), n=1, mask=False)]

    assert _run(alchemist, body) == _WORDS


def test_a_surface_answers_zeros_beyond_its_size_and_drops_stores(alchemist: BareIntel) -> None:
    shape = Compute(surfaces=((0, 40),))
    load = send(UGM, lsc(LOAD, address=A32, kind=TABLE, length=2, answer=2), r(RESULT), r(OFFSETS))
    assert _run(alchemist, lambda _: [load], shape) == _WORDS[:10] + [0] * 6
    store = send(UGM, lsc(STORE, address=A32, kind=TABLE, length=2), payload=r(OFFSETS), rest=r(NUMBER), extended=2 << 6)
    out = alchemist.compute(lambda _: [*_prologue(), store], [_BYTES], shape)
    assert out.words(0) == [*range(10), *_WORDS[10:]]


def test_local_memory_has_the_size_of_the_launch(alchemist: BareIntel) -> None:
    store = send(SLM, lsc(STORE, address=A32, length=2), payload=r(OFFSETS), rest=r(NUMBER), extended=2 << 6)
    load = send(SLM, lsc(LOAD, address=A32, length=2, answer=2), r(RESULT), r(24))
    turned = alu("add", r(24), -r(OFFSETS, "d"), imm(60))
    assert _run(alchemist, lambda _: [store, turned, load], Compute(local_code=1)) == list(range(15, -1, -1))
    assert "not in the 0 bytes" in _fault(alchemist, [store])


def test_atomics_answer_what_was_there(alchemist: BareIntel) -> None:
    def body(operation: int, data: int) -> Callable[[Sequence[int]], list[int]]:
        def made(at: Sequence[int]) -> list[int]:
            values = [alu("mov", r(50), imm(0)), alu("mov", r(52), r(NUMBER))]
            nowhere = alu("mov", r(24), imm(0))
            atomic = send(UGM, lsc(operation, answer=2), r(RESULT), r(60), r(50), extended=data << 6)
            return [*values, nowhere, *addresses(at[0], 60, 24), atomic]

        return made

    zeros = bytes(64)
    assert _run(alchemist, body(INC, 0), data=zeros) == list(range(16))
    assert _run(alchemist, body(CMPXCHG, 4), data=zeros) == [0, 0, *[1] * 14]  # 0 by 0, then by 1: then it is not 0 any more
    misaligned = send(UGM, lsc(INC, answer=2), r(RESULT), r(60))
    out = alchemist.compute(lambda at: [*_prologue(), *addresses(at[0] + 2, 60), misaligned], [_BYTES], SIXTEEN)
    assert "not aligned" in out.marks[-1]


def _spill(kind: int, where: Operand, value: int, answer: int) -> list[int]:
    """By the surface that r0.5 names, in a0.2."""
    named = alu("and", arf(0x10, sub=8), r(0, sub=20, region=(0, 1, 0)), imm(~1023), n=1, mask=False)
    length = alu("or", arf(0x10, sub=8), arf(0x10, sub=8, region=(0, 1, 0)), imm(2 << 6), n=1, mask=False)
    target, rest = (r(value), NOTHING) if answer else (NOTHING, r(value))
    sent = send(UGM, lsc(kind, address=A32, kind=STATE, length=2, answer=answer), target, where, rest)
    return [named, *([] if answer else [length]), sent | 1 << 49 | 2 << 40]


def test_scratch_memory_is_a_threads_own(alchemist: BareIntel) -> None:
    shape = Compute(size=(32, 1, 1), scratch=1024)

    def body(at: Sequence[int]) -> list[Item]:
        lanes = [alu("and", r(24), r(NUMBER), imm(15)), alu("shl", r(26), r(24), imm(2))]
        there = [*_spill(STORE, r(26), NUMBER, 0), *_spill(LOAD, r(26), RESULT, 2)]
        return [*_prologue(), *lanes, *there, *_stored(at[0])]

    out = alchemist.compute(body, [128], shape)
    assert out.done, out.marks
    assert out.words(0) == list(range(32))
    beyond = [alu("mov", r(26), imm(1024)), *_spill(STORE, r(26), NUMBER, 0)]
    assert "of which a thread has 0x400" in _fault(alchemist, beyond, Compute(scratch=1024))


@pytest.mark.parametrize(
    ("order", "emit", "want"),
    [(0, 2, [n // 4 for n in range(16)]), (2, 1, [n // 4 for n in range(16)]), (2, 2, [n % 4 for n in range(16)])],
)
def test_ids_come_in_the_walkers_order(alchemist: BareIntel, order: int, emit: int, want: list[int]) -> None:
    def body(at: Sequence[int]) -> list[Item]:
        lanes = [
            alu("mov", r(5, "uw"), imm(0x76543210, "b"), n=8, mask=False),
            alu("add", r(5, "uw", sub=16), r(5, "uw"), imm(0x80008, "uw"), n=8, mask=False),
        ]
        return [
            *lanes,
            alu("mov", r(NUMBER), r(5, "uw")),
            alu("shl", r(OFFSETS), r(NUMBER), imm(2)),
            alu("mov", r(RESULT), r(1, "uw")),
            *_stored(at[0]),
        ]

    out = alchemist.compute(body, [64], Compute(size=(4, 4, 1), emit=emit, order=order))
    assert out.done, out.marks
    assert out.words(0) == want


def test_threads_meet_at_a_barrier_after_a_fence(alchemist: BareIntel) -> None:
    store = send(SLM, lsc(STORE, address=A32, length=2), payload=r(OFFSETS), rest=r(NUMBER), extended=2 << 6)
    fence = send(SLM, FENCE | A32 << 7 | 1 << 20 | 1 << 25, r(80), r(0), n=1, mask=False)
    load = send(SLM, lsc(LOAD, address=A32, length=2, answer=2), r(RESULT), r(24))
    turned = alu("add", r(24), -r(OFFSETS, "d"), imm(124))

    def body(at: Sequence[int]) -> list[Item]:
        return [*_prologue(), store, fence, SIGNAL, WAIT, turned, load, *_stored(at[0])]

    out = alchemist.compute(body, [128], Compute(size=(32, 1, 1), local_code=1))
    assert out.done, out.marks
    assert out.words(0) == list(range(31, -1, -1))


def test_a_compacted_instruction_does_what_the_whole_one_does(alchemist: BareIntel) -> None:
    row = (1, 1, 0)  # one element per channel, one after the other: the region that Gen12.5's tables have
    whole = alu("add", r(20, "d"), r(10, "d", region=row), r(12, "d", region=row), n=8)
    words = compaction.GENERATIONS["GEN125"]
    compacted = compact(whole, (*words.two, words.source1), (*compaction.PLAIN, (111, 104, 56)))
    assert alchemist.text_of(compacted) == alchemist.text_of(whole) == "add(8|M0) r20.0<1>d r10.0<1;1,0>d r12.0<1;1,0>d"


_FLOAT = alu("add", r(20, "f"), r(10, "f"), r(12, "f"))
_INTEGER = alu("add", r(24), r(20), r(14))
_OVERWRITES = alu("mov", r(10), r(14))
_OWN_PIPE = alu("mov", r(10, "f"), r(14, "f"))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ([_FLOAT, _INTEGER], "F@1 missing"),
        ([_FLOAT, _INTEGER | 0x11 << 8], ""),  # F@1
        ([_FLOAT, _INTEGER | 0x19 << 8], "F@1 missing"),  # I@1
        ([_FLOAT, _INTEGER | 0x09 << 8], ""),  # A@1
        ([_FLOAT, _INTEGER | 0x01 << 8], "F@1 missing"),  # of its own sources: I@1
        ([_FLOAT, sync(0) | 0x11 << 8, _INTEGER], ""),
        ([_FLOAT, alu("mov", r(30), r(32)), _INTEGER | 0x12 << 8], "F@1 missing"),  # those of the other pipe do not count
        ([_FLOAT, _OVERWRITES], "F@1 missing"),  # which another pipe may not have read yet
        ([_FLOAT, _OWN_PIPE], ""),
        ([_FLOAT, alu("mov", r(20), r(14))], "F@1 missing"),  # or written
    ],
)
def test_each_pipe_keeps_only_its_own_order(intel_library: Path, body: list[int], said: str) -> None:
    found = findings(intel_library, kernel(body), "dg2")
    assert len(found) == bool(said), found
    assert not said or said in found[0]


def test_bfn_makes_each_function_of_three_bits(alchemist: BareIntel) -> None:
    """A word as Mesa 26.2 writes it, with another table: the sources hold all values of three bits."""
    word = 0x30052E05DA8A40043E0402200004246B

    def bfn(table: int) -> int:
        return word & ~(0xF << 84 | 0xF << 92) | (table & 0xF) << 84 | (table >> 4) << 92 | 1 << 31

    def compute(table: int) -> list[int]:
        return _run(alchemist, lambda _: [*sources, bfn(table), alu("mov", r(RESULT), r(62))])

    sources = [alu("mov", r(n), imm(value)) for n, value in ((64, 0xAA), (46, 0xCC), (48, 0xF0))]
    for table in (0xD8, 0x80, 0x96, 0x01, 0x1B, 0x7E):
        assert [word & 0xFF for word in compute(table)] == [table] * 16
