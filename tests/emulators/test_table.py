"""No instruction of the table is without a test."""

import re
from pathlib import Path

import pytest
from bare_gpu import BareGpu, Shape
from meaning import MEANINGS

from emulators.adreno.instructions import INSTRUCTIONS

_FOLDER = Path(__file__).parent
# Tests that take their names from the table: each comparison, each atomic, each instruction without effect.
_BY_TABLE = {i.name for i in INSTRUCTIONS if i.run in ("compare", "atomic_local", "atomic_global", "atomic_resource", "nop")}
_NOT_RUN = {"resbase": "not emulated: it ends the submission, as the test below says"}


def test_each_instruction_is_in_a_test() -> None:
    shaders = "".join(
        path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("test_*.py")) if path.name != "test_table.py"
    )
    for name in sorted({i.name for i in INSTRUCTIONS} - MEANINGS.keys() - _BY_TABLE - _NOT_RUN.keys()):
        # At the beginning of a line of a shader, or of a string; after flags.
        assert re.search(rf"""(^\s*|["'(\[{{]|\\n|\)){re.escape(name)}[ .\n"'\\]""", shaders, re.MULTILINE), name


@pytest.mark.parametrize("name", [i.name for i in INSTRUCTIONS if i.run == "nop"])
def test_a_hint_changes_nothing(adreno: BareGpu, adreno7: BareGpu, name: str) -> None:
    generations = next(i.generations for i in INSTRUCTIONS if i.name == name)
    out = (adreno if generations[0] == 600 else adreno7).run(
        f"""
        mov.u32u32 r4.x, c0.x
        mov.u32u32 r4.y, c0.y
        {name}
        stg type=u32 data=r0.w address=r4.x size=1
        end
        """,
        [4],
        shape=Shape((1, 1, 1)),
    )
    assert out.done, out.marks
    assert not out.marks


@pytest.mark.parametrize("code", ["resbase dst=r8.x bindless=1\nend", "bary.f r8.x, 0, r0.x\nend"])
def test_what_is_not_emulated_is_unknown(adreno: BareGpu, code: str) -> None:
    out = adreno.run(code)
    assert not out.done
    assert out.marks[-1].startswith("unknown: ")
