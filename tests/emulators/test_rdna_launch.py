"""What a launch of the emulated RDNA passes to its waves; which instructions exist."""

import re

import pytest
from bare_rdna import BareRdna, Grid, Line, asm, s, v

from emulators.rdna.by_hand import OWN_CODE, TEXTS
from emulators.rdna.generate import ARCHITECTURES, Generator


def test_groups_know_their_numbers(rdna: BareRdna) -> None:
    code = [
        asm.s_mul_i32(s[20], s[3], 3),
        asm.s_add_u32(s[20], s[20], s[2]),
        asm.s_mul_i32(s[21], s[4], 6),
        asm.s_add_u32(s[20], s[20], s[21]),
    ]
    code += [
        asm.v_mov_b32_e32(v[20], s[20]),
        asm.v_lshlrev_b32_e64(v[60], 2, s[20]),
        asm.global_store_b32(addr=v[60], data=v[20], saddr=s[0:1]),
    ]
    out = rdna.launch(code, [4 * 12], Grid((1, 1, 1), (3, 2, 2), ids=True))
    assert out.done, out.marks
    assert out.words(0) == list(range(12))


def test_a_work_item_has_its_place_in_ten_bits_an_axis(rdna: BareRdna) -> None:
    code = [
        asm.v_mbcnt_lo_u32_b32(v[1], -1, 0),
        asm.v_lshlrev_b32_e32(v[2], 2, v[1]),
        asm.global_store_b32(addr=v[2], data=v[0], saddr=s[0:1]),
    ]
    out = rdna.launch(code, [4 * 24], Grid((4, 3, 2)))
    assert out.done, out.marks
    assert out.words(0) == [n % 4 | n // 4 % 3 << 10 | n // 12 << 20 for n in range(24)]


@pytest.mark.parametrize("wide", [False, True])
def test_a_wave_knows_its_number_in_the_group(rdna: BareRdna, wide: bool) -> None:
    """Mesa reads it in bits 20 to 24, and of wide waves in bits 6 to 11, if waves are counted in their order."""
    code = [
        asm.v_lshlrev_b32_e32(v[2], 2, v[0]),
        asm.v_mov_b32_e32(v[1], s[2]),
        asm.global_store_b32(addr=v[2], data=v[1], saddr=s[0:1]),
    ]
    out = rdna.launch(code, [4 * 192], Grid((192, 1, 1), wide=wide, waves=True))
    assert out.done, out.marks
    lanes = 64 if wide else 32
    waves = [(n == 0) << 31 | n << 20 | n << 6 | 192 // lanes for n in range(192 // lanes)]
    assert out.words(0) == [waves[n // lanes] for n in range(192)]


@pytest.mark.parametrize(("units", "done"), [(128, True), (129, False)])
def test_a_group_has_no_more_local_memory_than_64_kib(rdna: BareRdna, units: int, done: bool) -> None:
    out = rdna.launch([asm.s_nop(0)], [4], Grid((1, 1, 1), local=units))
    assert out.done is done, out.marks
    assert done or out.marks == ["fault: a launch with 66048 bytes of local memory"]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_each_instruction_is_in_one_list(architecture: str) -> None:
    lists = Generator(architecture).lists()
    names = [name for names in lists.values() for name in names]
    assert len(names) == len(set(names))
    assert len(lists["translated"]) > 500
    assert not {
        name
        for name in lists["not emulated"]
        if name.startswith(("V_ADD", "V_MUL", "V_FMA", "V_CVT", "V_CMP", "S_AND", "S_OR"))
        and not re.search("_(FP8|BF8)", name)
    }


def test_no_code_by_hand_is_spare() -> None:
    by_hand = {name for architecture in ARCHITECTURES for name in Generator(architecture).lists()["by hand"]}
    assert not {*OWN_CODE, *(name for name, (text, _) in TEXTS.items() if text)} - by_hand


@pytest.mark.parametrize("inst", [asm.s_trap(simm16=1), asm.s_sethalt(simm16=1)])
def test_what_is_not_emulated_is_unknown(rdna: BareRdna, inst: Line) -> None:
    out = rdna.launch([inst])
    assert not out.done
    assert out.marks[-1].startswith("unknown: ")
