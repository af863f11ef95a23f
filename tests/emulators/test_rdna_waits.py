"""What the emulated RDNA says of local memory without a barrier, and of registers that were not waited for."""

from __future__ import annotations

import pytest
from bare_rdna import BareRdna, Grid, Line, asm, s, v, wait


def _race(*between: Line) -> list[Line]:
    """Each work-item writes its word, and reads the one of a work-item in the other wave."""
    code = [
        asm.v_lshlrev_b32_e32(v[1], 2, v[0]),
        asm.v_xor_b32_e32(v[2], 128, v[1]),
        asm.ds_store_b32(addr=v[1], data0=v[0]),
    ]
    return [*code, *between, asm.ds_load_b32(v[20], v[2]), wait()]


def test_a_missing_barrier_is_a_race(rdna: BareRdna) -> None:
    out = rdna.launch(_race(wait()), [4], Grid((64, 1, 1), local=1))
    assert [mark for mark in out.marks if mark.startswith("race: ")]
    out = rdna.launch(_race(wait(), asm.s_barrier()), [4], Grid((64, 1, 1), local=1))
    assert out.done
    assert not out.marks


# ---- what must be waited for

_LOAD = asm.global_load_b32(v[5], v[1], saddr=s[0:1])
_BEGIN = [asm.v_mov_b32_e32(v[1], 0), asm.v_mov_b32_e32(v[6], 0)]
_USE = asm.v_mov_b32_e32(v[6], v[5])
_LOCAL = [asm.v_mov_b32_e32(v[2], 3), asm.ds_store_b32(addr=v[1], data0=v[2])]
_READ = asm.ds_load_b32(v[5], v[1])
_CONSTANT = asm.s_load_b32(s[20], s[0:1], offset=0, soffset=asm.NULL)


def _count(vector: int = 63, scalar: int = 63) -> Line:
    return asm.s_waitcnt(simm16=vector << 10 | scalar << 4 | 7)


@pytest.mark.parametrize(("code", "hazard"), [
    ([_LOAD, _USE], "vmcnt"),
    ([_LOAD, _count(0), _USE], ""),
    ([_LOAD, _count(scalar=0), _USE], "vmcnt"),
    ([_LOAD, asm.global_load_b32(v[7], v[1], saddr=s[0:1]), _count(1), _USE], ""),
    ([_LOAD, asm.global_load_b32(v[7], v[1], saddr=s[0:1]), _count(1), asm.v_mov_b32_e32(v[6], v[7])], "vmcnt"),
    ([_LOAD, asm.v_mov_b32_e32(v[5], 1)], "vmcnt"),  # the load comes later, and overwrites it
    ([_LOAD, asm.s_waitcnt_vmcnt(sdst=asm.NULL, simm16=0), _USE], ""),
    ([*_LOCAL, _READ, _USE], "lgkmcnt"),
    ([*_LOCAL, _READ, _count(scalar=0), _USE], ""),
    ([*_LOCAL, _READ, asm.ds_load_b32(v[8], v[1]), _count(scalar=1), _USE], ""),
    ([_CONSTANT, asm.s_add_u32(s[21], s[20], 1)], "lgkmcnt"),
    ([_CONSTANT, _count(scalar=0), asm.s_add_u32(s[21], s[20], 1)], ""),
    ([_CONSTANT, asm.s_load_b32(s[22], s[0:1], offset=0, soffset=asm.NULL), _count(scalar=1), asm.s_add_u32(s[21], s[20],
    1)], "lgkmcnt"),
    ([*_LOCAL, _READ, asm.ds_load_b32(v[8], v[1]), _CONSTANT, _count(scalar=1), _USE], ""),
    ([*_LOCAL, _READ, asm.ds_load_b32(v[8], v[1]), _CONSTANT, _count(scalar=2), _USE], "lgkmcnt"),
    ([*_LOCAL, _READ, _CONSTANT, _count(scalar=1), _USE], "lgkmcnt"),
    ([asm.s_sendmsg_rtn_b64(sdst=s[20:21], ssrc0=3), asm.s_add_u32(s[22], s[20], 1)], "lgkmcnt"),
    ([asm.s_sendmsg_rtn_b64(sdst=s[20:21], ssrc0=3), _count(scalar=0), asm.s_add_u32(s[22], s[20], 1)], ""),
    ([_CONSTANT, asm.v_mov_b32_e32(v[6], s[20])], "lgkmcnt"),
    ([*_LOCAL, asm.s_barrier()], "lgkmcnt"),
    ([*_LOCAL, _count(scalar=0), asm.s_barrier()], ""),
    ([*_LOCAL, asm.s_waitcnt_depctr(simm16=0xFFE3), asm.s_barrier()], ""),
])  # fmt: skip
def test_what_is_not_waited_for_is_a_hazard(rdna: BareRdna, code: list[Line], hazard: str) -> None:
    out = rdna.launch([*_BEGIN, *code], [64], Grid((64, 1, 1), local=1))
    assert out.done, out.marks
    assert [bool(hazard)] == [any(f"{hazard} is not waited for" in mark for mark in out.hazards)] or (
        not hazard and not out.hazards
    ), out.hazards
