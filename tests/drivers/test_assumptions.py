"""The programs by which a board settles what the emulators assume, and how its answers are read."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import ROOT, Command

from runner.drivers.assumptions import judge, load_assumptions


@pytest.mark.parametrize(
    ("family", "part", "item"), [("adreno", "Adreno's", r"(\d+)\. "), ("mali", "Mali's", r"- M(\d+)\. ")]
)
def test_each_numbered_assumption_has_a_program_or_says_why_not(
    tmp_path: Path, command: Command, family: str, part: str, item: str
) -> None:
    page = (ROOT / "docs/emulation.md").read_text(encoding="utf-8").partition(f"\n### {part}\n")[2].partition("\n##")[0]
    numbers = [int(number) for number in re.findall(f"^{item}", page, re.MULTILINE)]
    table = load_assumptions()[family]
    assert [row.number for row in table.rows] == numbers == list(range(1, len(numbers) + 1))
    code, output = command("emulate", "--assumptions", "programs")
    assert code == 0, output
    for row in table.rows:
        path = tmp_path / f"programs/{family}_{row.number:02}.py"
        assert path.is_file() == (not row.unsettled), row
        assert row.unsettled in output
        if row.unsettled:
            continue
        compile(path.read_text(), str(path), "exec")
        assert (row.assumed, row.instructions, row.says) > ((), (), "")
        assert all(len(words) == len(row.assumed) and words != row.assumed for words in row.otherwise.values()), row
    code, output = command("emulate", "--assumptions", "programs/adreno_03.py/x")
    assert (code, "give a folder for the programs" in output) == (2, True), output


def _answer(number: int, words: Sequence[int], of: str = "FD630 26.2.6-1", emulated: str = "") -> str:
    return f"assumption adreno {number}{emulated}, of {of}: {' '.join(f'{word:#010x}' for word in words)}\n"


def test_a_boards_answers_confirm_or_refute_and_say_what_it_did_instead(tmp_path: Path, command: Command) -> None:
    rows = {row.number: row for row in load_assumptions()["adreno"].rows}
    good = "some other line\n" + "".join(_answer(n, row.assumed) for n, row in rows.items() if not row.unsettled)
    assert {(agrees, "confirmed" in line) for agrees, line in judge(good)} == {(True, True)}
    for row in rows.values():
        for name, words in row.otherwise.items():
            ((agrees, line),) = judge(_answer(row.number, words))
            assert (agrees, f"REFUTED ({name})" in line) == (False, True), line
    ((agrees, line),) = judge(_answer(3, [*rows[3].assumed[:3], 7]))
    assert (agrees, "word 3 is 0x7, assumed 0xab911831; 1 of 4 differ" in line) == (False, True), line
    ((_, line),) = judge(_answer(3, rows[3].assumed, "FD630 25.0.7-2"))
    assert "not of Mesa 26.2: whether it has madsh.m16 is open" in line
    ((_, line),) = judge(_answer(3, rows[3].assumed, emulated=" emulated"))
    assert "emulated: it says nothing about a board" in line
    ((agrees, line),) = judge("assumption adreno 17, of FD630 26.2.6-1: refused: CL_INVALID_OPERATION\n")
    assert (agrees, "open (refused: CL_INVALID_OPERATION)" in line) == (False, True)
    for number, text in ((0, good), (1, good + _answer(4, rows[4].otherwise["one rounding"])), (2, "nothing\n")):
        (tmp_path / "answers").write_text(text)
        code, output = command("emulate", "--assumptions", "answers")
        assert code == number, output
    (tmp_path / "answers").write_text(_answer(11, [0]))
    assert command("emulate", "--assumptions", "answers")[0] == 2
    code, output = command("emulate", "--gpu", "a630")
    assert (code, "give it behind --" in output) == (2, True), output
