"""The numbered assumptions of docs/emulation.md that a shader rests on, by its instructions."""

import ctypes
import re
from pathlib import Path

import pytest
from bare_gpu import BareGpu

ROOT = Path(__file__).parent.parent.parent
_LEFT_OUT = {11, 18}  # as assumptions.c says


def _assumptions(gpu: BareGpu) -> str:
    buffer = ctypes.create_string_buffer(256)
    gpu._library.emulator_assumptions(buffer, len(buffer))
    return buffer.value.decode()


@pytest.mark.parametrize(
    ("code", "numbers"),
    [
        ("add.u r8.x, r9.x, r9.y", ""),
        ("mov.u32u32 r8.x, r9.x", ""),
        ("sign.f r8.x, r9.x", "1"),
        ("mad.f32 r8.x, r9.x, r9.y, r9.z", "4"),
        ("sin r8.x, r9.x", "5"),
        ("add.f hr8.x, hr9.x, hc5.x", "7"),
        ("mov.f32s32 r8.x, r9.x", "8"),
        ("(sat)add.f r8.x, r9.x, r9.y", "20"),
        ("(sat)or.b r8.x, r9.x, r9.y", "22"),
        ("(sat)andg r8.x, r9.x, r9.y, r9.z", "22"),
        ("rsq r8.x, r9.x\n(ss)sign.f r8.x, r8.x\nmadsh.m16 r8.y, r9.x, r9.y, r9.z", "1, 3, 5"),
    ],
)
def test_a_shader_rests_on_what_its_instructions_assume(adreno: BareGpu, code: str, numbers: str) -> None:
    _assumptions(adreno)
    adreno.run(f"{code}\nend")
    assert (_assumptions(adreno), _assumptions(adreno)) == (numbers, "")


def test_each_assumption_but_two_can_be_told() -> None:
    page = (ROOT / "docs/emulation.md").read_text(encoding="utf-8").partition("\n## Assumptions")[2].partition("\n## ")[0]
    source = (ROOT / "emulators/adreno/assumptions.c").read_text(encoding="utf-8")
    told = {int(n) for n in re.findall(r'", (\d+)\}|<< (\d+)\b', source) for n in n if n}
    assert told | _LEFT_OUT == {int(n) for n in re.findall(r"^(\d+)\. ", page, re.MULTILINE)}
