"""The check of a Bifrost shader's finished code: each rule by itself. test_mali_waits.py has compiled kernels."""

import shutil
from pathlib import Path

import pytest
from bare_gpu import PAGE
from bare_mali import BareMali, Shape
from bifrost_assembler import words

_FILL = "*MOV.i32 r10 = #1\n*MOV.i32 r11 = #2\n*MOV.i32 r4 = u0\n*MOV.i32 r5 = u1\n"
_LATE = "+LOAD.i32 @r20 = r4 r5 waits=0\n"
_LOOP = "*MOV.i32 r20 = r10\nloop:\n+IADD.s32 r21 = r20 r10\n"
# Wrong code, the same code corrected, and the finding.
RULES = {
    "a loaded register is read": (
        "+LOAD.i32 @r20 = r4 r5 waits=0\n*MOV.i32 r21 = r20",
        "+LOAD.i32 @r20 = r4 r5\n*MOV.i32 r21 = r20",
        "wait for slot 0 missing before *MOV.i32 r20 (clause 5): r20 is read before the message that writes it is done",
    ),
    "another slot is waited for": (
        "+LOAD.i32 @r20 = r4 r5 slot=2 waits=1\n*MOV.i32 r21 = r20",
        "+LOAD.i32 @r20 = r4 r5 slot=2 waits=4\n*MOV.i32 r21 = r20",
        "wait for slot 2 missing before *MOV.i32 r20",
    ),
    "the second register of a load is written": (
        "+LOAD.i64 @r20 = r4 r5 waits=0\n*MOV.i32 r21 = r10",
        "+LOAD.i64 @r20 = r4 r5 waits=0\n*MOV.i32 r22 = r10",
        "r21 is written before the message that writes it is done",
    ),
    "in one clause": (
        "{\n+LOAD.i32 @r20 = r4 r5\n*MOV.i32 r21 = r20\n}",
        "{\n+LOAD.i32 @r20 = r4 r5\n*MOV.i32 r21 = r10\n}",
        "r20 is read before",
    ),
    "a register is written that a store is to read": (
        "+STORE.i32 @r10 = r4 r5 waits=0\n*MOV.i32 r10 = r11",
        "+STORE.i32 @r10 = r4 r5 waits=0 barrier=1\n*MOV.i32 r10 = r11",
        "staging barrier missing before *MOV.i32 r11 (clause 5): r10 is written before the message of slot 0 has read it",
    ),
    "a store before a load's": (
        "+LOAD.i32 @r20 = r4 r5 waits=0\n+STORE.i32 @r10 = r4 r5",
        "+LOAD.i32 @r20 = r4 r5\n+STORE.i32 @r10 = r4 r5",
        "a message to memory is still under way",
    ),
    "a load before a store's": (
        "+STORE.i32 @r10 = r4 r5 waits=0\n+LOAD.i32 @r20 = r4 r5",
        "+LOAD.i32 @r21 = r4 r5 waits=0\n+LOAD.i32 @r20 = r4 r5",
        "a message to memory is still under way",
    ),
    "a barrier before a store is done": (
        "+STORE.i32 @r10 = r4 r5 waits=0\n+BARRIER",
        "+STORE.i32 @r10 = r4 r5\n+BARRIER",
        "before +BARRIER",
    ),
    "a load after a barrier that is not waited for": (
        "+BARRIER waits=0\n+LOAD.i32 @r20 = r4 r5",
        "+BARRIER\n+LOAD.i32 @r20 = r4 r5",
        "the barrier before it is not done",
    ),
    "a barrier in a slot of loads": ("+BARRIER slot=0 waits=0x81", "+BARRIER", "barriers have slot 7"),
    "a load in the barriers' slot": ("+LOAD.i32 @r20 = r4 r5 slot=7", "+LOAD.i32 @r20 = r4 r5 slot=5", "one of 0 to 5"),
    "the header names another message": (
        "+LOAD.i32 @r20 = r4 r5 message=6",
        "+LOAD.i32 @r20 = r4 r5",
        "the clause's header has to name its message",
    ),
    "two messages": (
        "{\n+LOAD.i32 @r20 = r4 r5\n+LOAD.i32 = r4 r5\n}",
        "+LOAD.i32 @r20 = r4 r5\n+LOAD.i32 @r20 = r4 r5",
        "a second message in the clause",
    ),
    "an atomic's answer": (
        "*ATOM_C_RETURN.i32 = r4 r5 r10 atom_opc=aadd ; +ATOM_CX @r20 = r4 r5 t waits=0\n*MOV.i32 r22 = r21",
        "*ATOM_C.i32 = r4 r5 r10 atom_opc=aadd ; +ATOM_CX @r20 = r4 r5 t waits=0\n*MOV.i32 r22 = r10",
        "r21 is read before",
    ),
    "a texel": (
        "+TEXC @r20 = r4 r5 #0xf4687800 waits=0\n*MOV.i32 r14 = r21",
        "+TEXC @r20 = r4 r5 #0xf4687800\n*MOV.i32 r22 = r21",
        "wait for slot 0 missing before *MOV.i32 r21 (clause 5): r21 is read before",
    ),
    "the second of two textures": (
        "+TEXC @r20 = r4 r5 #0xf9f21004 waits=0\n*MOV.i32 r14 = r33",
        "+TEXC @r20 = r4 r5 #0xf9f21004 waits=0\n*MOV.i32 r14 = r37",
        "r33 is read before",
    ),
    "a texture's coordinate": (
        "+TEXC @r10 = r4 r5 #0x144c7800 waits=0\n*MOV.i32 r11 = r4",
        "+TEXC @r10 = r4 r5 #0x144c7800 waits=0 barrier=1\n*MOV.i32 r11 = r4",
        "r11 is written before the message of slot 0 has read it",
    ),
    "a texel that a store is to convert": (
        "+ST_CVT @r10 = r4 r5 r11 vecsize=v2 waits=0\n*MOV.i32 r11 = r4",
        "+ST_CVT @r10 = r4 r5 r11 vecsize=v2 waits=0 barrier=1\n*MOV.i32 r11 = r4",
        "r11 is written before the message of slot 0 has read it",
    ),
    "an image before a store to it is done": (
        "+ST_CVT @r10 = r4 r5 r11 vecsize=v2 waits=0\n+LD_ATTR_TEX @r20 = r4 r5 #0 register_format=u32",
        "+ST_CVT @r10 = r4 r5 r11 vecsize=v2\n+LD_ATTR_TEX @r20 = r4 r5 #0 register_format=u32",
        "a message to memory is still under way",
    ),
    "where a texel lies": (
        "+LEA_ATTR_TEX @r20 = r4 r5 #0 register_format=u32 waits=0\n*MOV.i32 r10 = r22",
        "+LEA_ATTR_TEX @r20 = r4 r5 #0 register_format=u32\n*MOV.i32 r10 = r22",
        "r22 is read before",
    ),
    "one arm of a branch": (
        f"{_LATE}+BRANCHZ.i32 = r60 out cmpf=eq\n*MOV.i32 r21 = r10 waits=1\nout:\n*MOV.i32 r21 = r20",
        f"{_LATE}+BRANCHZ.i32 = r60 out cmpf=eq waits=1\n*MOV.i32 r21 = r10\nout:\n*MOV.i32 r21 = r20",
        "r20 is read before",
    ),
    "lanes part": (
        "+BRANCHZ.i32 = r60 out cmpf=eq flow=3\n*MOV.i32 r21 = r10\nout:",
        "+BRANCHZ.i32 = r60 out cmpf=eq flow=4\n*MOV.i32 r21 = r10\nout:",
        "lanes part after +BRANCHZ.i32.eq",
    ),
    "a jump over the other arm": (
        "+BRANCHZ.i32 = r60 else cmpf=eq\n+JUMP = out flow=3\nelse:\n*MOV.i32 r21 = r10\nout:",
        "+BRANCHZ.i32 = r60 else cmpf=eq\n+JUMP = out\nelse:\n*MOV.i32 r21 = r10\nout:",
        "lanes join after +JUMP",
    ),
    "the way back of a loop": (
        f"{_LOOP}{_LATE}+BRANCHZ.s32 = r60 loop cmpf=lt",
        f"{_LOOP}{_LATE}+BRANCHZ.s32 = r60 loop cmpf=lt waits=1",
        "r20 is read before",
    ),
}


def findings(mali: BareMali, code: str) -> list[str]:
    return mali.launch(f"{_FILL}{code}\nend", [64], shape=Shape((1, 1, 1))).hazards


def test_what_falls_through_to_where_lanes_join_need_not_say_so(mali: BareMali) -> None:
    """Mesa decides this by block, and a block in between may be empty, as in printf's kernels."""
    assert findings(mali, "+BRANCHZ.i32 = r60 out cmpf=eq\n*MOV.i32 r21 = r10 flow=6\nout:") == []


@pytest.mark.parametrize("name", RULES)
def test_rule(mali: BareMali, name: str) -> None:
    wrong, right, said = RULES[name]
    found = findings(mali, wrong)
    assert len(found) == (2 if name == "two messages" else 1), found  # the second writes the registers of the first
    assert said in found[0]
    assert found[0].startswith("hazard: ")
    assert findings(mali, right) == []


def _other_job(mali: BareMali) -> bool:
    """Runs a chain of one job that draws; returns whether it succeeded."""
    return mali.execute([words([0, 0, 0, 0, 1 | 10 << 1, *[0] * 59])], BareMali.base + PAGE).done


def test_without_execution_shaders_are_checked_and_nothing_else_happens(
    mali: BareMali, mali_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = "*MOV.i32 r10 = #7\n+STORE.i32 @r10 = u0 u1"
    assert mali.launch(store, [32]).words(0)[0] == 7
    assert not _other_job(mali)
    monkeypatch.setenv("EMULATOR_EXECUTE", "0")
    monkeypatch.setenv("EMULATOR_SHADERS", str(tmp_path))
    idle = BareMali(Path(shutil.copy(mali_library, tmp_path)))  # a copy of the library, loaded separately
    assert idle.launch(store, [32]).words(0)[0] == 0
    assert _other_job(idle)
    wrong, _, said = RULES["a loaded register is read"]
    assert said in findings(idle, wrong)[0]
    assert len(list(tmp_path.glob("*.bin"))) == 2
