"""Packets of an Adreno's command processor that no launch of these tests needs."""

from __future__ import annotations

import struct

import pytest
from bare_gpu import BareGpu, packet

CP_MEM_WRITE, CP_COND_EXEC = 0x3D, 0x44
CP_BV_BR_COUNT_OPS, CP_REG_TEST = 0x1B, 0x39


def write(address: int, value: int) -> list[int]:
    return packet(CP_MEM_WRITE, address & 0xFFFFFFFF, address >> 32, value)


@pytest.mark.parametrize(
    ("first", "second", "reference", "holds"),
    [(1, 4, 5, True), (0, 4, 5, False), (7, 5, 5, False), (7, 0xFFFFFFFF, 0, True), (7, 0, 0xFFFFFFFF, False)],
)
def test_words_behind_a_condition_are_left_out_where_it_does_not_hold(
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
