"""The check of a Valhall shader's finished code: each rule alone, then compiled kernels with one wait less."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from bare_valhall import BareValhall, Shape
from valhall_drops import drops

_FILL = "MOV.i32 r4 = u0\nMOV.i32 r5 = u1\nIADD_IMM.i32 r10 = #0 #1\nIADD_IMM.i32 r11 = #0 #1\n"
# Wrong code, the same as it is right, and what is said.
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
    "a message behind a barrier": (
        "BARRIER\nLOAD.i32 @r20 = r4",
        "BARRIER .wait\nLOAD.i32 @r20 = r4",
        "wait for slot 7 missing before LOAD",
    ),
    "a register is given up that a store reads": (
        "STORE.i32 @r10 = r4\nMOV.i32 r21 = ^r10",
        "STORE.i32 @r10 = r4 .wait0\nMOV.i32 r21 = ^r10",
        "r10 is given up before the message has read it",
    ),
    "one arm of a branch": (
        "LOAD.i32 @r20 = r4\nBRANCHZ = r10 out .reconverge\nNOP .wait0\nout:\nMOV.i32 r21 = r20",
        "LOAD.i32 @r20 = r4\nBRANCHZ = r10 out .reconverge\nNOP\nout:\nNOP .wait0\nMOV.i32 r21 = r20",
        "r20 is read before",
    ),
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


def test_each_wait_of_compiled_kernels_is_missed(
    mali_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for those of which a file says why: as Mesa 25.0.7 compiled a kernel, its comments name the case."""
    monkeypatch.setenv("EMULATOR_EXECUTE", "0")
    idle = BareValhall(Path(shutil.copy(mali_library, tmp_path)))
    noticed = 0
    for path in sorted((Path(__file__).parent / "kernels").glob("g57-*.hex")):
        lines = path.read_text(encoding="utf-8").splitlines()
        code = bytes.fromhex("".join(line for line in lines if not line.startswith("#")))
        spare = {line.removeprefix("# spare: ").split(": ")[0] for line in lines if line.startswith("# spare: ")}
        assert idle.launch(code + bytes(128)).hazards == [], path.name
        silent = {dropped for dropped, less in drops(code) if not idle.launch(less + bytes(128)).hazards}
        assert silent == spare, path.name
        noticed += len(list(drops(code))) - len(silent)
    assert noticed > 30
