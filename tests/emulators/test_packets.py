"""Packets of an Adreno's command processor that no launch of these tests needs."""

import struct
from pathlib import Path

import pytest
from bare_gpu import BareGpu, Shape, packet, registers

CP_MEM_WRITE, CP_COND_EXEC, CP_COND_REG_EXEC, CP_EVENT_WRITE, CP_SET_MARKER = 0x3D, 0x44, 0x47, 0x46, 0x65
CP_BV_BR_COUNT_OPS, CP_REG_TEST = 0x1B, 0x39


def write(address: int, value: int) -> list[int]:
    return packet(CP_MEM_WRITE, address & 0xFFFFFFFF, address >> 32, value)


@pytest.mark.parametrize(
    ("first", "second", "reference", "holds"),
    [(1, 4, 5, True), (0, 4, 5, False), (7, 5, 5, False), (7, 0xFFFFFFFF, 0, True), (7, 0, 0xFFFFFFFF, False)],
)
def test_words_after_a_condition_are_left_out_if_it_does_not_hold(
    adreno: BareGpu, first: int, second: int, reference: int, holds: bool
) -> None:
    data = struct.pack("<4I", first, second, 0, 0)
    at = adreno.addresses([len(data)])[0]
    taken, after = write(at + 8, 11), write(at + 12, 12)
    places = (at & 0xFFFFFFFF, at >> 32, at + 4 & 0xFFFFFFFF, at + 4 >> 32)
    outcome = adreno.submit([*packet(CP_COND_EXEC, *places, reference, len(taken)), *taken, *after], [data])
    assert (outcome.done, outcome.words(0)[2:]) == (True, [11 * holds, 12])
    assert adreno.submit([*packet(CP_COND_EXEC, *places, reference, 1 << 31), *taken], [data]).words(0)[2] == 11 * holds


@pytest.mark.parametrize("words", [(CP_BV_BR_COUNT_OPS, 1, 0), (CP_REG_TEST, 1 << 31, 0xFF, 0)])
def test_counters_and_predicates_of_drawing_change_nothing(adreno: BareGpu, words: tuple[int, ...]) -> None:
    data = bytes(4)
    at = adreno.addresses([4])[0]
    outcome = adreno.submit([*packet(*words), *write(at, 5)], [data])
    assert (outcome.done, outcome.words(0)) == (True, [5])


def test_what_is_for_another_mode_of_rendering_is_left_out(adreno: BareGpu) -> None:
    """Straight to memory (27), in tiles on the chip (26), what is seen of a tile (25); of the two halves BR (26) counts."""
    at = adreno.addresses([12])[0]
    conditions = [3 << 28 | bit for bit in (1 << 27, 1 << 26, 1 << 25)]
    for marker, want in ((1, [1, 0, 0]), (4, [0, 1, 0]), (2, [0, 0, 1])):
        commands = packet(CP_SET_MARKER, marker)
        for n, condition in enumerate(conditions):
            taken = write(at + 4 * n, 1)
            commands += [*packet(CP_COND_REG_EXEC, condition, len(taken)), *taken]
        assert adreno.submit(commands, [bytes(12)]).words(0) == want
    halves = [
        *packet(CP_COND_REG_EXEC, 5 << 28 | 1 << 25, 4),
        *write(at, 1),
        *packet(CP_COND_REG_EXEC, 5 << 28 | 1 << 26, 4),
        *write(at + 4, 1),
    ]
    assert adreno.submit(halves, [bytes(12)]).words(0) == [0, 1, 0]


@pytest.mark.parametrize(
    ("number", "swap", "colour", "texel"),
    [
        (0x30, 0, [0x04030201], bytes([1, 2, 3, 4])),  # 8_8_8_8_UNORM
        (0x30, 1, [0x04030201], bytes([3, 2, 1, 4])),  # the same in the order WXYZ
        (0x02, 0, [0x04030201], bytes([1])),  # only alpha, which is packed by itself
        (0x62, 0, [0x44443333, 0x66665555], bytes.fromhex("3333444455556666")),  # 16_16_16_16_FLOAT
        (0x0E, 0, [0x0000F81F], bytes.fromhex("1ff8")),  # 5_6_5_UNORM
    ],
)
def test_the_newer_gpus_clear_a_rectangle_by_an_event(
    library: Path, number: int, swap: int, colour: list[int], texel: bytes
) -> None:
    gpu = BareGpu(library, "a750")
    at = gpu.addresses([256])[0]
    commands = [
        *registers(0x88D1, 1 | 1 << 16, 2 | 2 << 16),  # RB_BLIT_SCISSOR_TL, _BR: from (1, 1) to (2, 2)
        *registers(0x88D7, number << 7 | swap << 5, at & 0xFFFFFFFF, at >> 32, 1),  # _DST_INFO, _DST, _DST_PITCH: 64 bytes
        *registers(0x88DF, *colour),
        *registers(0x88E3, 2 | 15 << 4, 0),  # RB_BLIT_INFO: a clear; to memory
    ]
    outcome = gpu.submit([*commands, *packet(CP_EVENT_WRITE, 30)], [bytes(256)])
    rows = [bytes(len(texel)) + 2 * texel if y in (1, 2) else b"" for y in range(4)]
    assert (outcome.done, outcome.buffers[0]) == (True, b"".join(row.ljust(64, b"\0") for row in rows))
    loads = gpu.submit([*commands, *registers(0x88E3, 3), *packet(CP_EVENT_WRITE, 30)], [bytes(256)])
    assert not loads.done
    assert "event CCU_RESOLVE 0x3" in loads.marks[0]


@pytest.mark.parametrize(("bit", "said"), [(31, "MERGEDREGS"), (20, "two sizes of waves")])
def test_a_launch_whose_registers_contradict_its_shader_is_stopped(adreno: BareGpu, bit: int, said: str) -> None:
    assert adreno.run("end", [4]).done
    outcome = adreno.run("end", [4], shape=Shape(wrong_control=1 << bit))
    assert not outcome.done
    assert said in outcome.marks[-1]
