"""Instructions of gfx9 and gfx11 that must keep a distance: too near is reported, the least distance is not."""

from typing import Any

import pytest
from bare_rdna import BareRdna, Line, asm, assemble, s, v
from gfx10 import END
from gfx10 import assemble as assemble_old

# What writes, what uses it, and how many wait states must lie between them: "Vega" ISA, 4.5.
_WRITES_SCALAR, _WRITES_VCC = "v_readfirstlane_b32 s4, v0", "v_cmp_eq_u32 vcc, v0, v1"
_WRITES_EXEC = "v_cmpx_eq_u32 vcc, v0, v1"
_NEAR = [
    (_WRITES_SCALAR, "buffer_load_dword v2, v0, s[8:11], s4 offen", 5),
    ("v_readfirstlane_b32 s9, v0", "buffer_load_dword v2, v0, s[8:11], 0 offen", 5),
    ("v_cmp_eq_u32 s[4:5], v0, v1", "global_load_dword v2, v0, s[4:5]", 5),
    (_WRITES_SCALAR, "v_readlane_b32 s6, v0, s4", 4),
    (_WRITES_SCALAR, "v_writelane_b32 v2, 1, s4", 4),
    (_WRITES_VCC, "v_div_fmas_f32 v2, v3, v4, v5", 4),
    ("v_div_scale_f64 v[2:3], vcc, v[4:5], v[4:5], v[6:7]", "v_div_fmas_f64 v[2:3], v[4:5], v[6:7], v[8:9]", 4),
    (_WRITES_EXEC, "v_mov_b32_dpp v2, v3 row_shr:1", 5),
    ("v_mov_b32 v3, 1", "v_mov_b32_dpp v2, v3 row_shr:1", 2),
    (_WRITES_VCC, "v_add_f32 v2, src_vccz, v3", 5),
    (_WRITES_EXEC, "v_add_f32 v2, src_execz, v3", 5),
    ("global_store_dwordx4 v[0:1], v[4:7], off", "v_mov_b32 v6, 0", 1),
    ("buffer_store_dwordx3 v[4:6], v0, s[8:11], 0 offen", "v_mov_b32 v6, 0", 1),
    ("s_mov_b32 m0, s4", "s_sendmsg sendmsg(MSG_INTERRUPT)", 1),
    ("s_mov_b32 m0, s4", "s_movrels_b32 s6, s8", 1),
    ("s_mov_b32 m0, s4", "v_interp_p1_f32 v2, v0, attr0.x", 1),
    ("s_setreg_b32 hwreg(HW_REG_MODE), s4", "s_getreg_b32 s5, hwreg(HW_REG_MODE)", 2),
    ("s_setreg_b32 hwreg(HW_REG_MODE), s4", "s_setreg_b32 hwreg(HW_REG_MODE), s5", 2),
]


_FAR = [
    (_WRITES_SCALAR, "s_mov_b32 s6, s4"),
    # Another one has written it since.
    ("v_readfirstlane_b32 s4, v0\ns_mov_b32 s4, 0", "buffer_load_dword v2, v0, s[8:11], s4 offen"),
    ("s_mov_b32 s4, 0", "v_readlane_b32 s6, v0, s4"),
    ("s_mov_b64 exec, -1", "v_mov_b32_dpp v2, v3 row_shr:1"),
    ("buffer_store_dwordx4 v[4:7], v0, s[8:11], s4 offen", "v_mov_b32 v6, 0"),  # an offset in a register is enough
    ("global_store_dwordx2 v[0:1], v[4:5], off", "v_mov_b32 v4, 0"),
    ("s_setreg_b32 hwreg(HW_REG_MODE), s4", "s_getreg_b32 s5, hwreg(HW_REG_HW_ID)"),
]


def _program(writes: str, states: int, uses: str) -> str:
    return "\n".join([writes, *([f"s_nop {states - 1}"] if states else []), uses, END])


# Three wait states on the longer way, one on the shorter one.
_JUMP = _program("s_cbranch_scc1 l\nv_mov_b32 v3, 1\ns_cbranch_scc0 l\ns_nop 1\nl:", 0, "v_mov_b32_dpp v2, v3 row_shr:1")
_ALL = [_program(writes, n, uses) for writes, uses, states in _NEAR for n in (states, states - 1)]
_ALL += [_JUMP, *(_program(writes, 0, uses) for writes, uses in _FAR)]


def _said(vega10: BareRdna, program: str) -> list[str]:
    """Assembles all programs at once."""
    code = assemble_old("vega10", *_ALL)[_ALL.index(program)]
    words = [int.from_bytes(code[n : n + 4], "little") for n in range(0, len(code), 4)]
    return [line for line in vega10.hazards(words) if "wait states instead of" in line]


@pytest.mark.root
@pytest.mark.parametrize(("writes", "uses", "states"), _NEAR)
def test_wait_states_of_gfx9(vega10: BareRdna, writes: str, uses: str, states: int) -> None:
    assert not _said(vega10, _program(writes, states, uses))
    lines = _said(vega10, _program(writes, states - 1, uses))
    assert lines
    assert all(f": {states - 1} wait states instead of {states}: " in line for line in lines)


@pytest.mark.root
@pytest.mark.parametrize(("writes", "uses"), _FAR)
def test_other_instructions_of_gfx9_may_be_near(vega10: BareRdna, writes: str, uses: str) -> None:
    assert not _said(vega10, _program(writes, 0, uses))


@pytest.mark.root
def test_of_two_ways_the_shorter_one_counts(vega10: BareRdna) -> None:
    lines = _said(vega10, _JUMP)
    assert [": 1 wait states instead of 2: " in line for line in lines] == [True]


# ---- gfx11

_RCP, _USE, _OTHER = asm.v_rcp_f32_e32(v[5], v[6]), asm.v_mov_b32_e32(v[6], v[5]), asm.v_mov_b32_e32(v[8], v[6])
_WAIT = asm.s_waitcnt_depctr(simm16=0x0FFF)


@pytest.mark.parametrize(("code", "hazard"), [
    ([_RCP, _USE], True),
    ([_RCP, *[_OTHER] * 5, _USE], True),
    ([_RCP, *[_OTHER] * 6, _USE], False),
    ([_RCP, asm.s_nop(simm16=7), _USE], True),
    ([_RCP, asm.v_exp_f32_e32(v[8], v[6]), _USE], True),
    ([_RCP, asm.v_exp_f32_e32(v[8], v[6]), asm.v_sqrt_f32_e32(v[9], v[6]), _USE], False),
    ([_RCP, _WAIT, _USE], False),
    ([_RCP, asm.s_waitcnt_depctr(simm16=0xFFE3), _USE], True),
    ([_RCP, asm.global_store_b32(addr=v[1], data=v[8], saddr=s[0:1]), _USE], False),
    ([_RCP, asm.v_mov_b32_e32(v[5], 1), _USE], False),
    ([_RCP, (asm.s_cbranch_scc0, "after"), *[_OTHER] * 6, "after:", _USE], True),
    ([_RCP, (asm.s_cbranch_scc0, "after"), *[_OTHER] * 6, "after:", _WAIT, _USE], False),
])  # fmt: skip
def test_a_transcendental_result_is_waited_for(rdna: BareRdna, code: list[Line], hazard: bool) -> None:
    said = rdna.hazards(assemble([*code, asm.s_endpgm()]))
    assert len(said) == hazard, said
    assert all("va_vdst is not waited for, and v5 " in line for line in said)


def _by_flag(value: int, branch: Any) -> list[Line]:
    """LLVM's way to one of two blocks. On the other way to the jump the flag has the other value."""
    other = [(asm.s_cbranch_scc0, "first"), asm.s_mov_b64(s[30:31], -1 - value), (asm.s_branch, "join"), "first:", _RCP]
    look = [asm.s_delay_alu(simm16=9), asm.s_and_not1_b64(asm.VCC, asm.EXEC, s[30:31]), asm.s_waitcnt_depctr(simm16=0xFFFE)]
    ways = [(branch, "out"), _OTHER, _USE, (asm.s_branch, "end"), "out:", _WAIT, _USE, "end:"]
    return [*other, asm.s_mov_b64(s[30:31], value), "join:", *look, *ways]


@pytest.mark.parametrize(("code", "hazard"), [
    (_by_flag(0, asm.s_cbranch_vccnz), False),
    (_by_flag(-1, asm.s_cbranch_vccz), False),
    (_by_flag(0, asm.s_cbranch_vccz), True),
    (_by_flag(-1, asm.s_cbranch_vccnz), True),
    (_by_flag(0, asm.s_cbranch_scc0), True),
])  # fmt: skip
def test_a_path_that_has_just_set_a_flag_goes_one_way(rdna: BareRdna, code: list[Line], hazard: bool) -> None:
    assert len(rdna.hazards(assemble([*code, asm.s_endpgm()]))) == hazard


# v5.l or v5.h is written; another instruction reads one of them, or both. In the short forms 133 is v5.h; a VOP3 has opsel.
_LOW, _HIGH = asm.v_rcp_f16_e32(v[5], v[6]), asm.v_rcp_f16_e32(v[133], v[6])


@pytest.mark.parametrize(("code", "hazard"), [
    ([_LOW, asm.v_cvt_f16_i16_e32(v[133], v[133])], False),
    ([_LOW, asm.v_cvt_f16_i16_e32(v[6], v[5])], True),
    ([_HIGH, asm.v_cvt_f16_i16_e32(v[6], v[133])], True),
    ([_HIGH, asm.v_add_nc_u16(v[6], v[5], v[6])], False),
    ([_HIGH, asm.v_add_nc_u16(v[6], v[5], v[6], opsel=1)], True),
    ([_LOW, asm.v_cvt_f16_i16_e32(v[133], v[133]), asm.v_cvt_f16_i16_e32(v[5], v[5])], True),
    ([_HIGH, _USE], True),
    ([_LOW, asm.v_pk_add_u16(v[6], v[5], v[6])], True),
])  # fmt: skip
def test_halves_of_a_register_are_waited_for_separately(rdna: BareRdna, code: list[Line], hazard: bool) -> None:
    assert len(rdna.hazards(assemble([*code, asm.s_endpgm()]))) == hazard


def test_registers_are_released_after_a_nop(rdna: BareRdna) -> None:
    give = asm.s_sendmsg(simm16=3)
    assert not rdna.hazards(assemble([asm.s_nop(simm16=0), give, asm.s_endpgm()]))
    assert len(rdna.hazards(assemble([give, asm.s_endpgm()]))) == 1
