"""The words of Mesa's own test of Valhall's assembler (assembler-cases.txt): names, registers, constants and waits."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from bare_valhall import BareValhall

from emulators.mali.not_emulated import VALHALL as OTHERS
from emulators.mali.valhall import VALHALL

_FLOWS = {"wait": 0xC7, "wait0126": 0x47} | {
    f"wait{''.join(map(str, slots))}": sum(1 << slot for slot in slots)
    for slots in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
}
_NAMES = sorted({i.name for i in VALHALL}, key=len, reverse=True)


def _name(head: str) -> str:
    return next((name for name in _NAMES if f"{head}.".startswith(f"{name}.")), "")


def _operands(text: str) -> list[str]:
    """Registers (^: last use), uniforms, constants; a message's registers by the first and their number."""
    found: list[str] = []
    for part in filter(None, re.split(r", | to (?=@)", text)):
        if match := re.match(r"@r(\d+)((?::r\d+)*)(?::(\d+))?", part):
            found.append(f"@{match[1]}:{match[3] or 1 + match[2].count(':')}")
        elif match := re.match(r"~?(\^?[ru]\d+)", part):
            found.append(match[1])
        elif match := re.match(r"#?(0x[0-9a-fA-F]+)|shift:(0x\d)", part):
            found.append(hex(int(match[1] or match[2], 16)))
    return sorted(found, key=lambda operand: operand if operand.startswith("@") else "A")


def _flow(head: str) -> tuple[int, str]:
    """The slots that are waited for, and how the lanes go on."""
    waits = next((_FLOWS[word] for word in head.split(".") if word in _FLOWS), 0)
    return waits, next((word for word in ("reconverge", "discard", "end") if f".{word}" in head), "")


@pytest.mark.nightly("reads the source of Mesa; what the table has, its own tests run")
def test_the_words_of_mesas_assembler_test(
    mesa: Path, mali_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv("EMULATOR_EXECUTE", "0")
    monkeypatch.setenv("EMULATOR_TRACE", str(trace))
    gpu = BareValhall(Path(shutil.copy(mali_library, tmp_path)))
    seen: Counter[str] = Counter()
    for line in (mesa / "src/panfrost/compiler/valhall/test/assembler-cases.txt").read_text(encoding="utf-8").splitlines():
        match = re.match(r"((?:[0-9a-f]{2} ){8}) +(\S+) ?(.*)", line)
        if not match:
            continue
        trace.write_text("", encoding="utf-8")
        out = gpu.launch(bytes.fromhex(match[1]) + bytes(64))
        listed = [own.split(maxsplit=1)[1] for own in trace.read_text(encoding="utf-8").splitlines() if own.startswith("  ")]
        name, known = match[2].partition(".")[0], _name(match[2])
        if not known:
            assert not listed or listed[0].startswith(tuple(other for other, *_ in OTHERS)), line
            continue
        assert listed, f"{line}: {out.marks}"
        head, _, rest = listed[0].partition(" ")
        assert _name(head) == known, line
        waits = re.search(r"\.wait([0-9a-f]+)", head)
        assert (int(waits[1], 16) if waits else 0, _flow(re.sub(r"\.wait[0-9a-f]+", "", head))[1]) == _flow(match[2]), line
        ours, theirs = _operands(rest), _operands(match[3])
        if "SHIFT" in known:  # the amount is the table's last source, and Mesa's second
            theirs[2:] = reversed(theirs[2:])
        left = iter(ours)
        assert all(operand in left for operand in theirs), f"{line}: {listed[0]}"  # in this order
        seen[name] += 1
    assert len(seen) >= 50, seen
    assert sum(seen.values()) >= 180
