"""The check of an Adreno's finished code: each rule by itself, then compiled kernels with one flag or nop less."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from assembler import assemble
from bare_gpu import BareGpu
from drops import drops, findings
from hazard_rules import RULES

KERNELS = Path(__file__).parent / "kernels"
_BROKEN = "rsq r2.x, r0.x\nadd.u r2.y, r2.x, r2.x\nend"
_FINDING = (
    "hazard: (ss) missing before add.u r2.y, r2.x, r2.x (instruction 1): r2.x comes from rsq r2.x, r0.x (instruction 0)"
)
_UNKNOWN = 7 << 61 | 15 << 55


def words(text: str, gpu: int = 630) -> list[int]:
    return assemble("\n".join([*text.split(" / "), "end"]), gpu // 100)


@pytest.mark.parametrize("name", RULES)
def test_rule(library: Path, name: str) -> None:
    rule = RULES[name]
    (said,) = findings(library, words(rule.wrong, rule.gpu), rule.gpu)
    assert rule.finding in said
    assert findings(library, words(rule.right, rule.gpu), rule.gpu) == []


_ALIASES = [0xE41501043F000000, 0xE41500A000000000]  # r1.x is 0.5, r40.x is 0
_SAML = 0xA1481F05C2094007  # saml.f32 r1.y, r0.w and r1.x, level r40.x


def test_a_register_in_whose_place_an_alias_has_a_number_is_not_read(library: Path) -> None:
    begin, end = words("mov.s32f32 r0.w, r0.x / (rpt5)nop / add.u r1.x, r0.y, r0.z")[:-1], words("(sy)nop")
    (said,) = findings(library, [*begin, _SAML, *end], 750)
    assert "5 delay slots missing" in said
    assert "r1.x is written by" in said
    assert findings(library, [*begin, *_ALIASES, _SAML, *end], 750) == []
    a_register = (_ALIASES[0] & ~(3 << 51 | 0xFFFFFFFF)) | 4  # r1.x is r1.x itself
    assert len(findings(library, [*begin, a_register, _ALIASES[1], _SAML, *end], 750)) == 1


def test_what_is_not_known_is_said_and_ends_its_path(library: Path) -> None:
    said = findings(library, [_UNKNOWN, *words("rsq r2.x, r0.x / add.u r2.y, r2.x, r0.y")], 630)
    assert said == ["not checked: nothing is checked after 0xe780000000000000 (instruction 0)"]


def test_a_gpu_without_rules_has_no_findings(library: Path) -> None:
    assert findings(library, words("rsq r2.x, r0.x / add.u r2.y, r2.x, r0.y"), 530) == []


def test_rules_may_be_accepted_to_be_broken(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    third, barrier = words(RULES["no late source"].wrong), words(RULES["barrier"].wrong)
    monkeypatch.setenv("EMULATOR_ACCEPT", "third-source")
    assert findings(library, third, 730) == []
    assert len(findings(library, third, 630)) == len(findings(library, barrier, 730)) == 1
    monkeypatch.setenv("EMULATOR_ACCEPT", "barriers,barrier")
    assert findings(library, barrier, 730) == []
    assert len(findings(library, third, 730)) == 1


def test_each_flag_and_nop_of_compiled_kernels_is_missed(library: Path) -> None:
    """Except for kernels with a file that says why: as sid's Mesa compiled them; its comments name case and findings."""
    missed: Counter[str] = Counter()
    for path in sorted(KERNELS.glob("a*.hex")):
        lines = path.read_text(encoding="utf-8").splitlines()
        gpu, code = int(path.name[1:4]), [int(line, 16) for line in lines if line[0] != "#"]
        known = [line.removeprefix("# finding: ") for line in lines if line.startswith("# finding: ")]
        spare = {line.removeprefix("# spare: ").split(": ")[0] for line in lines if line.startswith("# spare: ")}
        assert findings(library, code, gpu) == known, path.name
        for kind, at, less in drops(code):
            noticed = len(findings(library, less, gpu)) > len(known)
            assert noticed != (f"{kind} {at}" in spare), f"{path.name}: {kind} {at}"
            missed[kind] += noticed
    assert missed >= Counter({"sy": 40, "ss": 50, "nop": 8, "rpt": 40, "nopN": 60}), missed


def test_each_who_takes_the_marks_after_a_launch_gets_its_shaders_hazards(adreno: BareGpu) -> None:
    assert [adreno.run(_BROKEN).hazards for _ in range(2)] == [[_FINDING]] * 2
    assert adreno.run("end").hazards == []


@pytest.fixture
def idle(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BareGpu:
    """A GPU that executes nothing, and keeps what is launched in `tmp_path`: a copy of the library, loaded separately."""
    monkeypatch.setenv("EMULATOR_EXECUTE", "0")
    monkeypatch.setenv("EMULATOR_SHADERS", str(tmp_path))
    return BareGpu(Path(shutil.copy(library, tmp_path)))


_STORE = (
    "mov.u32u32 r4.x, c0.x\nmov.u32u32 r4.y, c0.y\nmov.u32u32 r2.x, 7\n(rpt5)nop\n"
    "stg type=u32 data=r2.x address=r4.x size=1\nend"
)


def test_without_execution_a_shader_is_checked_and_nothing_else_happens(adreno: BareGpu, idle: BareGpu) -> None:
    assert adreno.run(_STORE, [4]).words(0) == [7]
    assert idle.run(_STORE, [4]).words(0) == [0]
    outcome = idle.run(_BROKEN)
    assert (outcome.done, outcome.hazards, outcome.marks) == (True, [_FINDING], [])


def test_without_execution_what_cannot_be_checked_is_said(idle: BareGpu) -> None:
    outcome = idle.run([_UNKNOWN, *assemble("end")])
    assert outcome.marks == ["unknown: not checked: nothing is checked after 0xe780000000000000 (instruction 0)"]


def test_the_code_of_launched_shaders_can_be_kept(idle: BareGpu, tmp_path: Path) -> None:
    idle.run(_BROKEN)
    (kept,) = tmp_path.glob("*.bin")
    assert kept.read_bytes() == b"".join(word.to_bytes(8, "little") for word in assemble(_BROKEN))
