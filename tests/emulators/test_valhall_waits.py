"""The check of a Valhall shader's finished code: each rule by itself. test_mali_waits.py has compiled kernels."""

import pytest
from bare_valhall import BareValhall, Shape

_FILL = "MOV.i32 r4 = u0\nMOV.i32 r5 = u1\nIADD_IMM.i32 r10 = #0 #1\nIADD_IMM.i32 r11 = #0 #1\n"
# Wrong code, the same code corrected, and the finding.
RULES = {
    "a loaded register is read": (
        "LOAD.i32 @r20 = r4\nMOV.i32 r21 = r20",
        "LOAD.i32 @r20 = r4 .wait0\nMOV.i32 r21 = r20",
        "wait for slot 0 missing before MOV.i32 r21, r20 (instruction 5): r20 is read before",
    ),
    "another slot is waited for": (
        "LOAD.i32 @r20 = r4 slot=2 .wait0\nMOV.i32 r21 = r20",
        "LOAD.i32 @r20 = r4 slot=2 .wait2\nMOV.i32 r21 = r20",
        "wait for slot 2 missing",
    ),
    "the second register of a load is written": (
        "LOAD.i64 @r20 = r4\nMOV.i32 r21 = r10",
        "LOAD.i64 @r20 = r4\nMOV.i32 r22 = r10",
        "r21 is written before",
    ),
    "a store before a load's wait": (
        "LOAD.i32 @r20 = r4\nSTORE.i32 @r10 = r4 slot=1",
        "LOAD.i32 @r20 = r4 .wait0\nSTORE.i32 @r10 = r4 slot=1",
        "a message to memory is still under way",
    ),
    "a barrier before a store's wait": (
        "STORE.i32 @r10 = r4\nBARRIER .wait",
        "STORE.i32 @r10 = r4 .wait0\nBARRIER .wait",
        "before BARRIER",
    ),
    "a message after a barrier": (
        "BARRIER\nLOAD.i32 @r20 = r4",
        "BARRIER .wait\nLOAD.i32 @r20 = r4",
        "wait for slot 7 missing before LOAD",
    ),
    "a register is given up that a store reads": (
        "STORE.i32 @r10 = r4\nMOV.i32 r21 = ^r10",
        "STORE.i32 @r10 = r4 .wait0\nMOV.i32 r21 = ^r10",
        "r10 is given up before the message has read it",
    ),
    "a register is given up that was not written since": (
        "STORE.i32 @r10 = r4\nMOV.i32 r21 = ^r10",
        "STORE.i32 @r10 = r4\nMOV.i32 r10 = r11\nMOV.i32 r21 = ^r10",
        "r10 is given up before the message has read it",
    ),
    "one arm of a branch": (
        "LOAD.i32 @r20 = r4\nBRANCHZ = r10 out .reconverge\nNOP .wait0\nNOP .reconverge\nout:\nMOV.i32 r21 = r20",
        "LOAD.i32 @r20 = r4\nBRANCHZ = r10 out .reconverge\nNOP .reconverge\nout:\nNOP .wait0\nMOV.i32 r21 = r20",
        "r20 is read before",
    ),
    "lanes part": (
        "BRANCHZ = r10 out\nNOP .reconverge\nout:\nNOP",
        "BRANCHZ = r10 out .reconverge\nNOP .reconverge\nout:\nNOP",
        "lanes part after BRANCHZ.ne",
    ),
    "lanes join": (
        "BRANCHZ = r10 out .reconverge\nNOP\nout:\nNOP",
        "BRANCHZ = r10 out .reconverge\nNOP .reconverge\nout:\nNOP",
        "lanes join after NOP",
    ),
    "one arm of two jumps over the other": (
        "BRANCHZ = r10 else .reconverge\nBRANCHZ = #0 out cmpf=eq\nelse:\nNOP .reconverge\nout:\nNOP",
        "BRANCHZ = r10 else .reconverge\nBRANCHZ = #0 out cmpf=eq .reconverge\nelse:\nNOP .reconverge\nout:\nNOP",
        "lanes join after BRANCHZ.eq",
    ),
    "the way back of a loop": (
        "NOP .reconverge\nloop:\nBRANCHZ = r10 out .reconverge\nBRANCHZ = #0 loop cmpf=eq\nout:\nNOP",
        "NOP .reconverge\nloop:\nBRANCHZ = r10 out .reconverge\nBRANCHZ = #0 loop cmpf=eq .reconverge\nout:\nNOP",
        "lanes join after BRANCHZ.eq",
    ),
    "a barrier at the end": ("BARRIER", "BARRIER .wait", "the barrier before it is not done"),
    "a slot that messages have not": (
        "LOAD.i32 @r20 = r4 slot=7 .wait",
        "LOAD.i32 @r20 = r4 slot=1 .wait",
        "a slot for another kind of message",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_rule(valhall: BareValhall, rule: str) -> None:
    wrong, right, said = RULES[rule]
    out = valhall.launch(_FILL + wrong, [64], shape=Shape((1, 1, 1)))
    assert [h for h in out.hazards if said in h], out.hazards
    out = valhall.launch(_FILL + right, [64], shape=Shape((1, 1, 1)))
    assert not out.hazards


def test_a_jump_out_of_a_loop_need_not_say_that_lanes_join(valhall: BareValhall) -> None:
    """Mesa's `break` in front of another loop does not, because an empty block between them is left out."""
    code = """
        NOP .reconverge
        loop:
        BRANCHZ = r10 on cmpf=ne .reconverge
        BRANCHZ = #0 second cmpf=eq
        on:
        BRANCHZ = #0 loop cmpf=eq .reconverge
        second:
        BRANCHZ = r10 second cmpf=eq .reconverge
    """
    assert not valhall.launch(_FILL + code, [64], shape=Shape((1, 1, 1)), budget=1000).hazards
