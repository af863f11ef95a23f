"""The check of an Adreno's finished code: each rule alone, then compiled kernels with one flag or nop less."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from adreno_code import Words, drops, findings
from hazard_rules import BAR, END, RULES, add, branch, load, mad, mov, nop, rsq

pytestmark = pytest.mark.root  # clang builds the library
RECORDED = sorted((Path(__file__).parent / "recorded/adreno").glob("*.hex"))


@pytest.mark.parametrize("name", RULES)
def test_rule(name: str) -> None:
    gpu, wrong, finding, right = RULES[name]
    said = findings([*wrong, END], gpu)
    assert len(said) == 1
    assert finding in said[0]
    assert findings([*right, END], gpu) == []


def test_a_finding_names_instruction_register_and_origin() -> None:
    (finding,) = findings([load("ldg", 10, 4), nop(), add(9, 10), END], 630)
    place, _, origin = finding.partition(": ")
    assert place == "(sy) missing before add.u r2.y, r2.z, r0.y (instruction 2)"
    assert origin == "r2.z comes from ldg.u32 r2.z, [r1.x+0], 1 (instruction 0)"


def test_rules_may_be_accepted_to_be_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    third, barrier = [mov(8, 0), nop(1), mad(9, 0, 1, 8, "sel.b32"), END], [BAR, add(8, 0), END]
    assert len(findings(third, 730)) == len(findings(barrier, 730)) == 1
    monkeypatch.setenv("EMULATOR_ACCEPT", "third-source")
    assert findings(third, 730) == []
    assert len(findings(third, 630)) == len(findings(barrier, 730)) == 1
    monkeypatch.setenv("EMULATOR_ACCEPT", "barriers,barrier")
    assert findings(barrier, 730) == []
    assert len(findings(third, 730)) == 1


def test_two_branches_on_one_predicate_leave_no_lane_behind_them() -> None:
    """Only a jump leads to what stands there."""
    code = [branch(4), load("ldg", 8), branch(5, inverted=1), branch(4), add(9, 8), nop(), nop(), add(10, 8, sy=1), END]
    assert findings(code, 630) == []
    code[2] = branch(5)
    assert len(findings(code, 630)) == 1


def test_what_is_not_known_is_said_and_ends_its_path() -> None:
    said = findings([7 << 61 | 15 << 55, load("ldg", 8), add(9, 8), END], 630)
    assert said == ["not checked: nothing is checked behind 0xe780000000000000 (instruction 0)"]


def test_a_gpu_without_rules_has_no_findings() -> None:
    assert findings([rsq(8, 0), add(9, 8), END], 530) == []


def recorded(path: Path) -> tuple[int, Words, list[str]]:
    """A kernel as sid's Mesa compiled it: comments name its case, its findings, and what of it is not needed."""
    lines = path.read_text(encoding="utf-8").splitlines()
    words = [int(line, 16) for line in lines if not line.startswith("#")]
    return int(path.name[1:4]), words, [line[2:] for line in lines if line.startswith("# ")]


def test_each_flag_and_nop_of_compiled_kernels_is_missed() -> None:
    """But for those that the files name: Mesa counted a cycle twice, or has inserted an instruction later."""
    missed: Counter[str] = Counter()
    for path in RECORDED:
        gpu, words, comments = recorded(path)
        known = [c.removeprefix("finding: ") for c in comments if c.startswith("finding: ")]
        spare = {c.removeprefix("spare: ").split(": ")[0] for c in comments if c.startswith("spare: ")}
        assert findings(words, gpu) == known, path.name
        for kind, at, less in drops(words):
            noticed = len(findings(less, gpu)) > len(known)
            assert noticed != (f"{kind} {at}" in spare), f"{path.name}: {kind} {at}"
            missed[kind] += noticed
    assert missed >= Counter({"sy": 40, "ss": 50, "nop": 8, "rpt": 40, "nopN": 60}), missed
