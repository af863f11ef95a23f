"""What the emulated RDNA reports if a barrier of local memory is missing, or the wait for a register."""

from collections import Counter
from pathlib import Path

import pytest
from bare_rdna import BareRdna, Grid, Line, asm, assemble, s, v, wait
from rdna_drops import drops

KERNELS = Path(__file__).parent / "kernels"


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
_OTHER = asm.global_load_b32(v[7], v[1], saddr=s[0:1])
_USE = asm.v_mov_b32_e32(v[6], v[5])
_LOCAL = [asm.v_mov_b32_e32(v[2], 3), asm.ds_store_b32(addr=v[1], data0=v[2])]
_READ = asm.ds_load_b32(v[5], v[1])
_CONSTANT = asm.s_load_b32(s[20], s[0:1], offset=0, soffset=asm.NULL)
_MESSAGE, _NEXT = (asm.s_sendmsg_rtn_b64(sdst=s[n : n + 1], ssrc0=3) for n in (20, 24))


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
    ([_MESSAGE, asm.s_add_u32(s[22], s[20], 1)], "lgkmcnt"),
    ([_MESSAGE, _count(scalar=0), asm.s_add_u32(s[22], s[20], 1)], ""),
    ([_MESSAGE, _NEXT, _count(scalar=1), asm.s_add_u32(s[22], s[21], 1)], ""),
    ([_MESSAGE, _NEXT, _count(scalar=1), asm.s_add_u32(s[22], s[24], 1)], "lgkmcnt"),
    ([_MESSAGE, asm.s_load_b32(s[24], s[0:1], offset=0, soffset=asm.NULL), _count(scalar=1), asm.s_add_u32(s[22], s[20],
    1)], "lgkmcnt"),
    ([_CONSTANT, asm.v_mov_b32_e32(v[6], s[20])], "lgkmcnt"),
    ([*_LOCAL, asm.s_barrier()], "lgkmcnt"),
    ([*_LOCAL, _count(scalar=0), asm.ds_add_rtn_u32(v[5], v[1], v[2]), asm.s_barrier()], "lgkmcnt"),
    ([*_LOCAL, _count(scalar=0), asm.s_barrier()], ""),
    ([*_LOCAL, asm.s_waitcnt_depctr(simm16=0xFFE3), asm.s_barrier()], ""),
])  # fmt: skip
def test_what_is_not_waited_for_is_a_hazard(rdna: BareRdna, code: list[Line], hazard: str) -> None:
    out = rdna.launch([*_BEGIN, *code], [64], Grid((64, 1, 1), local=1))
    assert out.done, out.marks
    assert [bool(hazard)] == [any(f"{hazard} is not waited for" in mark for mark in out.hazards)] or (
        not hazard and not out.hazards
    ), out.hazards


_END = asm.s_endpgm()
_KEPT, _WRITTEN = asm.s_mov_b32(s[30], asm.EXEC_LO), asm.v_mov_b32_e32(v[5], 1)


def _if(one: list[Line], other: list[Line]) -> list[Line]:
    rest = asm.s_and_not1_b32(asm.EXEC_LO, s[30], asm.EXEC_LO)
    return [(asm.s_cbranch_execz, "else"), *one, "else:", rest, (asm.s_cbranch_execz, "end"), *other, "end:"]


@pytest.mark.parametrize(("code", "hazard"), [
    # One arm waits; the other has not waited when they meet.
    ([_LOAD, (asm.s_cbranch_scc0, "after"), _count(0), "after:", _USE], "vmcnt"),
    ([_LOAD, (asm.s_cbranch_scc0, "after"), _count(0), _END, "after:", _count(0), _USE], ""),
    ([_LOAD, (asm.s_branch, "after"), _USE, "after:", _count(0), _USE], ""),  # never reached
    ([_LOAD, _count(0), _END, _USE], ""),
    ([_LOAD, (asm.s_cbranch_scc0, "after"), _USE, "after:", _count(0)], "vmcnt"),
    # The next round reads what this one loads.
    (["again:", _USE, _LOAD, (asm.s_cbranch_scc0, "again")], "vmcnt"),
    (["again:", _USE, _LOAD, _count(0), (asm.s_cbranch_scc0, "again")], ""),
    # One arm has one more request under way than the other: the older requests of both count.
    ([_LOAD, (asm.s_cbranch_scc0, "after"), _OTHER, "after:", _count(1), _USE], "vmcnt"),
    # No wave skips both arms of an if; each has to wait for itself.
    ([_LOAD, *_if([_count(0)], [_count(0)]), _USE], ""),
    ([_LOAD, *_if([_count(0)], []), _USE], "vmcnt"),
    ([_LOAD, *_if([], [_count(0)]), _USE], "vmcnt"),
    ([_LOAD, *_if([_count(0)], [_USE])], "vmcnt"),
    # What one arm loads goes to its lanes only, not to the other arm's; after both, all lanes are active again.
    ([_KEPT, *_if([_LOAD], [_WRITTEN])], ""),
    ([_KEPT, *_if([_LOAD], [_WRITTEN]), asm.s_mov_b32(asm.EXEC_LO, s[30]), _USE], "vmcnt"),
    ([_KEPT, *_if([_LOAD], [_WRITTEN]), asm.s_mov_b32(asm.EXEC_LO, s[30]), _count(0), _USE], ""),
    ([_KEPT, *_if([_LOAD], [_LOAD, _USE])], "vmcnt"),
    ([_KEPT, *_if([_LOAD, asm.s_mov_b32(s[30], s[0])], [_WRITTEN])], "vmcnt"),
    ([_LOAD, _KEPT, *_if([], [_WRITTEN])], "vmcnt"),
    ([asm.s_setpc_b64(s[0:1])], "not checked: nothing is checked after S_SETPC_B64"),
])  # fmt: skip
def test_every_path_is_checked(rdna: BareRdna, code: list[Line], hazard: str) -> None:
    said = rdna.hazards(assemble([*code, _END]))
    assert [bool(hazard)] == [any(hazard in line for line in said)] or (not hazard and not said), said


def test_a_path_that_nobody_takes_is_checked_at_the_launch(rdna: BareRdna) -> None:
    code = [*_BEGIN, _LOAD, asm.s_cmp_eq_u32(s[0], s[0]), (asm.s_cbranch_scc1, "after"), _USE, "after:"]
    for _ in range(2):  # everyone who takes the marks gets them
        assert [mark for mark in rdna.launch(code, [64]).hazards if "vmcnt" in mark]
    other = [*_BEGIN, _LOAD, _count(0), _USE, *[asm.s_nop(simm16=0)] * 8]
    assert not rdna.launch(other, [64]).hazards  # at the same address, and as long


@pytest.mark.root
@pytest.mark.parametrize(("gpu", "name", "least"), [
    ("rdna", "navi31", {"vm": 12, "lgkm": 30, "vm_vsrc": 8, "va_vdst": 1, "dealloc": 5}),
    ("vega10", "vega10", {"lgkm": 15, "vm": 10, "nop": 7}),
    ("navi21", "vangogh", {"lgkm": 10, "vm_vsrc": 3, "vm": 3}),
    ("gfx1201", "gfx1201", {"load": 6, "km": 4, "ds": 8, "vm_vsrc": 11, "sample": 1}),
])  # fmt: skip
def test_each_wait_of_compiled_kernels_is_missed(
    request: pytest.FixtureRequest, gpu: str, name: str, least: dict[str, int]
) -> None:
    """Except those that a file lists as spare, or of a kind that is not checked: as Mesa waits."""
    bare: BareRdna = request.getfixturevalue(gpu)
    missed: Counter[str] = Counter()
    for path in sorted(KERNELS.glob(f"{name}-*.hex")):
        lines = path.read_text(encoding="utf-8").splitlines()
        code = [int(line, 16) for line in lines if line[0] != "#"]
        (lanes,) = (int(line.removeprefix("# lanes: ")) for line in lines if line.startswith("# lanes: "))
        spare = {line.removeprefix("# spare: ") for line in lines if line.startswith("# spare: ")}
        assert bare.hazards(code, lanes) == [], path.name
        for kind, at, less in drops(code, {"gfx1201": 12, "vangogh": 10, "vega10": 9}.get(name, 11)):
            noticed = bool(bare.hazards(less, lanes))
            assert noticed != (f"{kind} {at}" in spare), f"{path.name}: {kind} {at}"
            missed[kind] += noticed
    assert missed >= Counter(least), missed
