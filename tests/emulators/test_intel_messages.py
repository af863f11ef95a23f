"""The data ports: memory by addresses and by surfaces, bounds, scratch, unwritten memory, races."""

import struct
from collections.abc import Sequence

import pytest
from bare_intel import NUMBERS, BareIntel, Item, Launch, store
from intel_assembler import DATA0, DATA1, SIGNAL, WAIT, alu, imm, message, one, r, send

LOCAL, STATELESS = 254, 253
NUMBER, RESULT, ADDRESSES, OFFSETS = 3, 40, 70, 30
ONE = Launch()
SPILLS = Launch(scratch_code=1)
SLM = Launch(local_code=1)
# r30: four times the lane's number; r70 to r73: the same plus the first buffer's address.
PROLOGUE: list[Item] = [
    *NUMBERS,
    alu("shl", r(OFFSETS), r(NUMBER), imm(2)),
    *(
        alu("add", r(ADDRESSES + 2 * h, region=(0, 1, 2)), r(OFFSETS + h), r(1, region=(0, 1, 0)), n=8, first=8 * h)
        for h in (0, 1)
    ),
    *(
        alu("mov", r(ADDRESSES + 2 * h, sub=4, region=(0, 1, 2)), r(1, sub=4, region=(0, 1, 0)), n=8, first=8 * h)
        for h in (0, 1)
    ),
]
_BYTES = bytes(range(64))
_WORDS = list(struct.unpack("<16I", _BYTES))


def _run(intel: BareIntel, body: Sequence[Item], shape: Launch = ONE) -> list[int]:
    out = intel.launch([*PROLOGUE, *body, *store(r(RESULT), 1, NUMBER)], [_BYTES, 64], shape)
    assert out.done, out.marks
    assert not out.marks
    return out.words(1)


def _fault(intel: BareIntel, body: Sequence[Item], shape: Launch = ONE) -> str:
    out = intel.launch([*PROLOGUE, *body], [_BYTES, 64], shape)
    assert not out.done
    return out.marks[-1]


def test_each_lane_reads_and_writes_its_own_address(intel: BareIntel) -> None:
    read = send(DATA1, message(4, 2, 0x10, 0x11, STATELESS), r(RESULT), r(ADDRESSES))
    assert _run(intel, [read]) == _WORDS
    several = send(DATA1, message(4, 4, 0x11, 0x1A, STATELESS), r(RESULT), r(ADDRESSES))  # x and z
    shifted = [
        alu(
            "and",
            r(ADDRESSES + 2 * h, region=(0, 1, 2)),
            r(ADDRESSES + 2 * h, region=(16, 8, 2)),
            imm(~15),
            n=8,
            first=8 * h,
        )
        for h in (0, 1)
    ]
    found = _run(intel, [*shifted, several, alu("mov", r(RESULT), r(RESULT + 2))])
    assert found == [_WORDS[n // 4 * 4 + 2] for n in range(16)]


@pytest.mark.parametrize("size", [0, 1, 2], ids=["1", "2", "4"])
def test_narrow_values_are_read_without_a_sign(intel: BareIntel, size: int) -> None:
    found = _run(intel, [send(DATA1, message(4, 2, 0x10, size << 2 | 0x10, STATELESS), r(RESULT), r(ADDRESSES))])
    assert found == [int.from_bytes(_BYTES[4 * n :][: 1 << size], "little") for n in range(16)]


def test_an_answer_may_take_the_place_of_the_addresses(intel: BareIntel) -> None:
    body = [
        send(DATA1, message(2, 1, 0x10, 1, STATELESS), r(ADDRESSES + 1), r(ADDRESSES), n=8),
        alu("mov", r(RESULT), imm(0)),
        alu("mov", r(RESULT), r(ADDRESSES + 1), n=8),
    ]
    assert _run(intel, body) == _WORDS[:8] + [0] * 8


def test_lanes_that_do_not_take_part_touch_nothing(intel: BareIntel) -> None:
    body = [
        alu("mov", r(RESULT), imm(7)),
        alu("cmp", r(50), r(NUMBER), imm(3), condition="ge"),
        alu("mov", r(ADDRESSES + 2), imm(0), n=8, mask=False),
        alu("mov", r(ADDRESSES + 3), imm(0), n=8, mask=False),
        alu("cmp", r(50), r(NUMBER), imm(8), condition="l"),
        send(DATA1, message(4, 2, 0x10, 0x11, STATELESS), r(RESULT), r(ADDRESSES), predicate=1),
    ]
    assert _run(intel, body) == _WORDS[:8] + [7] * 8


def test_an_address_in_no_buffer_is_a_fault_with_its_instruction(intel: BareIntel) -> None:
    body = [
        alu("mov", r(ADDRESSES, sub=4, region=(0, 1, 0)), imm(0x33), n=1, mask=False),
        send(DATA1, message(4, 2, 0x10, 0x11, STATELESS), r(RESULT), r(ADDRESSES)),
    ]
    mark = _fault(intel, body)
    assert mark.startswith("fault: send(16|M0) data1 r40 r70")
    assert "is in no buffer of the submission" in mark
    assert "address 0x33" in mark


def test_a_misaligned_dword_is_a_fault(intel: BareIntel) -> None:
    body = [
        alu("add", r(ADDRESSES), one(r(ADDRESSES)), imm(2), n=1, mask=False),
        send(DATA1, message(4, 2, 0x11, 0x1E, STATELESS), r(RESULT), r(ADDRESSES)),
    ]
    assert "is not aligned to 4 bytes" in _fault(intel, body)


def test_a_message_longer_than_its_registers_is_a_fault(intel: BareIntel) -> None:
    assert "ends after the last register" in _fault(
        intel, [send(DATA1, message(4, 2, 0x10, 0x11, STATELESS), r(126), r(127))]
    )
    short = send(DATA1, message(1, 2, 0x10, 0x11, STATELESS), r(RESULT), r(ADDRESSES))
    assert "of a message of 1 registers" in _fault(intel, [short])


# ---- surfaces


def test_a_surface_answers_zeros_beyond_its_size_and_drops_stores(intel: BareIntel) -> None:
    shape = Launch(surfaces=((0, 64), (0, 32)))
    read = send(DATA1, message(2, 2, 0x01, 0x1E, 1), r(RESULT), r(OFFSETS))
    assert _run(intel, [read], shape) == _WORDS[:8] + [0] * 8
    whole = send(DATA1, message(2, 2, 0x01, 0x1E, 0), r(RESULT), r(OFFSETS))
    body = [send(DATA1, message(2, 0, 0x09, 0x1E, 1), payload=r(OFFSETS), rest=r(NUMBER), extended=2 << 6), whole]
    assert _run(intel, body, shape) == list(range(8)) + _WORDS[8:]


@pytest.mark.parametrize(("pool", "large"), [(False, False), (False, True), (True, True)], ids=["ANV", "neither", "iris"])
def test_a_binding_table_lies_at_an_offset_from_the_pool_or_the_surface_base(
    intel: BareIntel, pool: bool, large: bool
) -> None:
    read = send(DATA1, message(2, 2, 0x01, 0x1E, 1), r(RESULT), r(OFFSETS))
    shape = Launch(surfaces=((0, 64), (0, 32)), pool=pool, large_tables=large)
    assert _run(intel, [read], shape) == _WORDS[:8] + [0] * 8


def test_blocks_obey_the_channels_when_they_are_written(intel: BareIntel) -> None:
    shape = Launch(surfaces=((0, 64),))
    header = [alu("mov", r(80), imm(0), n=8, mask=False), alu("mov", r(80, sub=8), imm(1), n=1, mask=False)]
    body = [
        *header,
        alu("cmp", r(50), r(NUMBER), imm(2), condition="ge"),
        send(DATA0, message(1, 0, 8, 2, 0, True), payload=r(80), rest=r(NUMBER), extended=1 << 6, n=8, predicate=1),
        send(DATA1, message(2, 2, 0x01, 0x1E, 0), r(RESULT), r(OFFSETS)),
    ]
    assert _run(intel, body, shape) == [*_WORDS[:6], 2, 3, 4, 5, 6, 7, *_WORDS[12:]]
    body = [
        *header,
        alu("mov", r(RESULT), imm(0)),
        send(DATA0, message(1, 1, 0, 2, 0, True), r(RESULT), r(80), n=8, mask=False),
    ]
    assert _run(intel, body, shape) == _WORDS[4:12] + [0] * 8


# ---- scratch memory


def _spill(write: bool, register: int, offset: int, n: int = 8, predicate: int = 0) -> list[Item]:
    """A register to scratch memory, or back; r80 is the header."""
    return [
        alu("and", r(80, sub=20), r(0, sub=20, region=(0, 1, 0)), imm(~0x3FF), n=1, mask=False),
        alu("mov", r(80, sub=8), imm(offset // 16), n=1, mask=False),
        send(
            DATA0, message(1, 0, 8, 2, 255, True), payload=r(80), rest=r(register), extended=1 << 6, n=n, predicate=predicate
        )
        if write
        else send(DATA0, message(1, 1, 0, 2, 255, True), r(register), r(80), n=n, mask=False),
    ]


_CLEAR_HEADER = alu("mov", r(80), imm(0), n=8, mask=False)


def test_a_register_that_was_spilled_comes_back(intel: BareIntel) -> None:
    shape = Launch(scratch_code=0, threads=3)
    moves = [alu("mov", r(RESULT), imm(0)), *_spill(False, RESULT, 992)]
    out = intel.launch(
        [*NUMBERS, _CLEAR_HEADER, *_spill(True, NUMBER, 992), *moves, *store(r(RESULT), 0, NUMBER)], [192], shape
    )
    assert out.done, out.marks
    assert not out.marks
    assert out.words(0) == [n if n % 16 < 8 else 0 for n in range(48)]


def test_scratch_memory_ends_where_the_next_threads_begins(intel: BareIntel) -> None:
    body = [_CLEAR_HEADER, *_spill(True, NUMBER, 2048)]
    assert "is in no buffer" in _fault(intel, body, Launch(scratch_code=1)) or "of scratch memory" in _fault(
        intel, body, SPILLS
    )
    out = intel.launch([*NUMBERS, *body], [64], Launch(scratch_code=1, threads=2))
    assert "of scratch memory, of which this thread has 0x0 to 0x800" in out.marks[0]


def test_what_comes_back_is_as_undefined_as_it_was(intel: BareIntel) -> None:
    body = [
        _CLEAR_HEADER,
        alu("cmp", r(50), r(NUMBER), imm(4), condition="l"),
        *_spill(True, NUMBER, 64, predicate=1),
        *_spill(False, 90, 64),
    ]
    reads = [alu("mov", r(RESULT), imm(0)), alu("mov", r(RESULT), r(90), n=8, predicate=1)]
    assert _run(intel, [*body, *reads], SPILLS)[:4] == [0, 1, 2, 3]
    out = intel.launch([*PROLOGUE, *body, alu("mov", r(RESULT), r(90), n=8)], [_BYTES, 64], SPILLS)
    assert [mark.partition(": ")[0] for mark in out.marks] == ["undefined"]
    assert out.marks[0].endswith("byte 16 of r90 was never written")


# ---- what was never written


@pytest.mark.parametrize(
    ("body", "mark"),
    [
        ([alu("mov", r(RESULT), r(100))], "byte 0 of r100 was never written"),
        (
            [alu("mov", r(RESULT), imm(1)), alu("sel", r(RESULT), r(3), r(5), predicate=1, flag=(1, 1))],
            "f1.1 was never written",
        ),
        ([send(DATA1, message(2, 2, 0x01, 0x1E, LOCAL), r(RESULT), r(OFFSETS))], "byte 0 of local memory was never written"),
        ([send(DATA1, message(4, 2, 0x10, 0x11, STATELESS), r(RESULT), r(100))], "byte 0 of the message was never written"),
    ],
)
def test_a_read_of_what_nothing_wrote_is_said(intel: BareIntel, body: list[Item], mark: str) -> None:
    out = intel.launch([*PROLOGUE, *body], [_BYTES, 64], SLM)
    assert out.marks[0].startswith("undefined: ")
    assert out.marks[0].endswith(mark)


def test_channels_that_do_not_execute_may_be_undefined(intel: BareIntel) -> None:
    body = [
        alu("cmp", r(50), r(NUMBER), imm(5), condition="l"),
        alu("mov", r(100), imm(3), predicate=1),
        alu("mov", r(RESULT), imm(1)),
        alu("mov", r(RESULT), r(100), predicate=1),
    ]
    assert _run(intel, body) == [3] * 5 + [1] * 11


# ---- local memory, and races


_STORE_LOCAL = send(DATA1, message(2, 0, 0x09, 0x1E, LOCAL), payload=r(OFFSETS), rest=r(NUMBER), extended=2 << 6)
_FENCE = send(DATA0, message(1, 1, 7, 0x20, LOCAL, True), r(95), r(0), n=8, mask=False)


def test_local_memory_has_the_size_of_the_launch(intel: BareIntel) -> None:
    body = [alu("add", r(OFFSETS), r(OFFSETS), imm(1024 - 60)), _STORE_LOCAL]
    assert "byte 1024 is not in the 1024 bytes of local memory" in _fault(intel, body, SLM)


def _two_threads(intel: BareIntel, *between: Item) -> list[str]:
    """The first thread stores words, the second one reads them."""
    stores = send(DATA1, message(2, 0, 0x09, 0x1E, LOCAL), payload=r(OFFSETS), rest=r(NUMBER), extended=2 << 6, predicate=1)
    first, second = (alu("cmp", r(50), r(NUMBER), imm(16), condition=c) for c in ("l", "ge"))
    body: list[Item] = [*NUMBERS, alu("shl", r(OFFSETS), r(NUMBER), imm(2)), first, stores]
    body += [
        *between,
        alu("xor", r(OFFSETS), r(OFFSETS), imm(64)),
        second,
        send(DATA1, message(2, 2, 0x01, 0x1E, LOCAL), r(RESULT), r(OFFSETS), predicate=1),
    ]
    out = intel.launch(body, [64], Launch(local_code=1, threads=2))
    assert out.done
    return [mark for mark in out.marks if mark.startswith("race: ")]


def test_two_threads_that_touch_a_word_without_a_barrier_race(intel: BareIntel) -> None:
    assert "work-items 0 and 16 of group 0 touch byte 0 of local memory" in _two_threads(intel)[0]
    assert not _two_threads(intel, SIGNAL, WAIT)


def test_fences_on_both_sides_order_two_threads(intel: BareIntel) -> None:
    assert not _two_threads(intel, _FENCE)


def test_lanes_of_a_thread_are_in_the_order_of_its_messages(intel: BareIntel) -> None:
    body = [
        _STORE_LOCAL,
        alu("xor", r(OFFSETS), r(OFFSETS), imm(60)),
        send(DATA1, message(2, 2, 0x01, 0x1E, LOCAL), r(RESULT), r(OFFSETS)),
    ]
    assert _run(intel, body, SLM) == list(range(15, -1, -1))
    same = [alu("mov", r(OFFSETS), imm(0)), _STORE_LOCAL]
    out = intel.launch([*PROLOGUE, *same], [_BYTES, 64], SLM)
    assert "work-items 0 and 1 of group 0 touch byte 0" in out.marks[0]
