"""Threads that diverge: if, else, loops with break and continue, nested; and the barriers of a group."""

from collections.abc import Sequence

from bare_gpu import grown_kib
from bare_intel import NUMBERS, BareIntel, Launch, store
from intel_assembler import SIGNAL, WAIT, Jump, alu, imm, one, r

NUMBER, RESULT = 3, 10
ONE = Launch()


def _set(value: int) -> int:
    return alu("mov", r(RESULT), imm(value))


def _add(value: int) -> int:
    return alu("add", r(RESULT), r(RESULT), imm(value))


def _compare(condition: str, register: int, value: int) -> int:
    return alu("cmp", r(50), r(register), imm(value), condition=condition)


def _run(intel: BareIntel, body: Sequence[int | Jump | str], shape: Launch = ONE) -> list[int]:
    out = intel.launch([*NUMBERS, _set(0), *body, *store(r(RESULT), 0, NUMBER)], [64 * shape.threads], shape)
    assert out.done, out.marks
    assert not out.marks
    return out.words(0)


def test_if_and_else_take_their_channels(intel: BareIntel) -> None:
    found = _run(
        intel,
        [
            _compare("l", NUMBER, 5),
            Jump("if", "else", "end", predicate=1),
            _add(1),
            Jump("else", "end", "end"),
            "else",
            _add(2),
            "end",
            Jump("endif", "after"),
            "after",
            _add(16),
        ],
    )
    assert found == [17] * 5 + [18] * 11


def test_an_if_that_none_takes_is_passed(intel: BareIntel) -> None:
    jump = Jump("if", "end", "end", predicate=1)
    body: list[int | Jump | str] = [
        _compare("g", NUMBER, 99),
        jump,
        _add(1),
        "end",
        Jump("endif", "after"),
        "after",
        _add(2),
    ]
    assert _run(intel, body) == [2] * 16


def _loop(*inside: int | Jump | str) -> list[int | Jump | str]:
    """A loop until its count, r20, is the lane's number."""
    return [
        alu("mov", r(20), imm(0)),
        "loop",
        *inside,
        alu("add", r(20), r(20), imm(1)),
        alu("cmp", r(50), r(20), r(NUMBER), condition="l"),
        "while",
        Jump("while", "loop", "loop", predicate=1),
        "out",
        _add(1000),
    ]


def test_lanes_leave_a_loop_one_by_one(intel: BareIntel) -> None:
    assert _run(intel, _loop(_add(1))) == [1000 + max(1, n) for n in range(16)]


def test_a_break_leaves_the_loop_and_waits_after_it(intel: BareIntel) -> None:
    found = _run(intel, _loop(_compare("z", 20, 4), Jump("break", "while", "while", predicate=1), _add(1)))
    assert found == [1000 + min(max(1, n), 4) for n in range(16)]


def test_a_continue_leaves_out_the_rest_of_a_turn(intel: BareIntel) -> None:
    inside: list[int | Jump | str] = [
        alu("add", r(20), r(20), imm(1)),
        alu("cmp", r(50), r(20), r(NUMBER), condition="l"),
        alu("and", r(51), r(20), imm(1), condition="nz", flag=(1, 0)),
        Jump("cont", "while", "while", predicate=1, flag=(1, 0)),
        _add(1),
    ]
    body: list[int | Jump | str] = [
        alu("mov", r(20), imm(0)), "loop", *inside, "while", Jump("while", "loop", "loop", predicate=1), _add(1000),
    ]  # fmt: skip
    assert _run(intel, body) == [1000 + sum(turn % 2 == 0 for turn in range(1, max(1, n) + 1)) for n in range(16)]


def test_a_loop_of_many_turns_does_not_let_other_lanes_go_ahead(intel: BareIntel) -> None:
    """The lane that breaks at once reads the count of all turns; then come more joins than a path that went ahead skips."""
    joins = [item for n in range(65) for item in (Jump("endif", f"join {n}"), f"join {n}")]
    body: list[int | Jump | str] = [
        alu("mov", r(20), imm(0)),
        alu("mov", r(30), imm(0), n=1, mask=False),
        "loop",
        alu("add", r(20), r(20), imm(1)),
        alu("add", r(30), one(r(30)), imm(1), n=1, mask=False),
        _compare("l", NUMBER, 1),
        Jump("break", "while", "while", predicate=1),
        _compare("l", 20, 5_000),
        "while",
        Jump("while", "loop", "loop", predicate=1),
        alu("mov", r(RESULT), one(r(30))),
        *joins,
    ]
    assert _run(intel, body) == [5_000] * 16


def test_halt_goes_to_the_end(intel: BareIntel) -> None:
    body: list[int | Jump | str] = [
        _compare("ge", NUMBER, 3), Jump("halt", "end", "end", predicate=1), _add(5), "end",
        Jump("halt", "last", "last"), "last", _add(1),
    ]  # fmt: skip
    assert _run(intel, body) == [6] * 3 + [1] * 13


def test_jmpi_takes_the_whole_thread(intel: BareIntel) -> None:
    assert _run(intel, [Jump("jmpi", "on", n=1, mask=False), _add(5), "on", _add(1)]) == [1] * 16


def test_a_jip_that_passes_waiting_channels_is_a_fault(intel: BareIntel) -> None:
    body: list[int | Jump | str] = [
        *NUMBERS,
        _compare("l", NUMBER, 5),
        Jump("if", "else", "end", predicate=1),
        Jump("halt", "last", "last"),
        _add(5),
        "else",
        "end",
        Jump("endif", "last"),
        alu("mov", r(9), imm(1)),
        "last",
    ]
    out = intel.launch(body, [64])
    assert not out.done
    assert "where some wait, is before" in out.marks[0]


def test_a_jump_into_the_middle_of_an_instruction_is_a_fault(intel: BareIntel) -> None:
    from intel_assembler import END_OF_THREAD, assemble

    code = bytearray(assemble([Jump("endif", "on"), "on", END_OF_THREAD]))
    code[12:16] = (8).to_bytes(4, "little")
    out = intel.launch(bytes(code))
    assert "where no instruction begins" in out.marks[0]


def test_a_barrier_holds_threads_until_all_have_come(intel: BareIntel) -> None:
    """Each thread reads what the next one stored before the barrier."""
    from bare_intel import Item
    from intel_assembler import DATA1, message, send

    threads = 3
    body: list[Item] = [
        *NUMBERS,
        alu("shl", r(20), r(3), imm(2)),
        alu("mul", r(22, "d"), r(3, "d"), imm(3, "d")),
        send(DATA1, message(2, 0, 0x09, 0x1E, 254), payload=r(20), rest=r(22), extended=2 << 6),
        SIGNAL,
        WAIT,
        alu("add", r(24), r(3), imm(16)),
        alu("cmp", r(50), r(24), imm(16 * threads), condition="ge"),
        alu("add", r(24, "d"), r(24, "d"), imm(-16 * threads, "d"), predicate=1),
        alu("shl", r(24), r(24), imm(2)),
        send(DATA1, message(2, 2, 0x01, 0x1E, 254), target=r(RESULT), payload=r(24)),
    ]
    out = intel.launch([*body, *store(r(RESULT), 0, NUMBER)], [64 * threads], Launch(threads=threads, local_code=1))
    assert out.done, out.marks
    assert out.words(0) == [3 * ((n + 16) % (16 * threads)) for n in range(16 * threads)]
    without = [item for item in body if item not in (SIGNAL, WAIT)]
    raced = intel.launch([*without, *store(r(RESULT), 0, NUMBER)], [64 * threads], Launch(threads=threads, local_code=1))
    assert any(mark.startswith(("undefined:", "race:")) for mark in raced.marks)


def test_a_wait_without_a_signal_is_a_fault(intel: BareIntel) -> None:
    assert "has not signalled" in intel.launch([WAIT]).marks[0]


def test_the_last_thread_has_the_lanes_that_the_walker_says(intel: BareIntel) -> None:
    out = intel.launch([*NUMBERS, _set(1), *store(r(RESULT), 0, NUMBER)], [128], Launch(threads=2, last=0x1F))
    assert out.words(0) == [1] * 21 + [0] * 11


def test_constants_for_which_no_room_was_made_are_a_fault(intel: BareIntel) -> None:
    assert intel.launch([], shape=Launch(threads=3)).done
    marks = intel.launch([], shape=Launch(threads=3, lacking=1)).marks
    assert "end in register 4 of 3 that MEDIA_VFE_STATE gives them" in marks[0]


def test_kernels_of_earlier_launches_are_forgotten(intel: BareIntel) -> None:
    """Of 160,000 instructions, decoded in half a KiB each, a fifth is kept: 15 MB, and what the test takes itself."""
    assert grown_kib(intel.launch([_set(number), *[_set(0)] * 3999]) for number in range(40)) < 40 << 10
