"""The check of Gen9's and Gen11's dependency control: each rule by itself, then compiled kernels with one bit less."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from bare_intel import OLDER, BareIntel
from intel_assembler import ADDRESS, CONTROL, DATA1, END_OF_THREAD, Jump, alu, arf, assemble, imm, message, one, r, send
from intel_older import older_code
from intel_waits import findings, older_drops

_KERNELS = Path(__file__).parent / "kernels"
_CLEAR, _CHECK, _SWITCH = 1 << 9, 1 << 10, 2 << 14
_BOTH = _CLEAR | _CHECK
Item = int | Jump | str


class Rule(NamedTuple):
    """The same instructions have one finding with the bits `wrong`, by their numbers, and none with `right`."""

    items: Sequence[Item]
    wrong: Mapping[int, int]
    finding: str
    right: Mapping[int, int]


def _part(n: int, predicate: int = 0) -> int:
    """A dword of r10."""
    return alu("mov", one(r(10, sub=4 * n)), imm(n), n=1, mask=False, predicate=predicate)


_ALL = alu("mov", r(10), imm(0), n=8, mask=False)
_USE = alu("mov", r(11), r(10), n=8)
_OTHER = alu("mov", r(12), imm(1), n=8)
_STORE = send(DATA1, message(1, 0, 0x19, 0xE, 0), payload=r(20), rest=r(10), extended=1 << 6, n=8)
_A0 = alu("mov", arf(ADDRESS, "uw"), imm(32, "uw"), n=8, mask=False)
_TO_CONTROL = alu("or", one(arf(CONTROL)), one(arf(CONTROL)), imm(0x400), n=1, mask=False)
_FROM_CONTROL = alu("mov", one(r(12)), one(arf(CONTROL)), n=1, mask=False)
_IF: list[Item] = [Jump("if", "end", "end", n=8, predicate=1), _OTHER, "end", Jump("endif", "after", n=8), "after"]
_PAIR, _CHAIN = {0: _CLEAR, 1: _CHECK}, {0: _CLEAR, 1: _BOTH, 2: _CHECK}

_PARTS: list[Item] = [_ALL, _part(3), _part(5), _USE]

RULES = {
    "no end": Rule([_ALL, _USE], {0: _CLEAR}, "an end of NoDDClr missing before mov(8|M0) r11.0", {}),
    "no check": Rule([_ALL, _part(1), _USE], {0: _CLEAR}, "NoDDChk missing before (W) mov(1|M0) r10.1", _PAIR),
    "no check in the middle": Rule(_PARTS, {0: _CLEAR, 1: _CLEAR, 2: _CHECK}, "NoDDChk missing", _CHAIN),
    "cleared in the middle": Rule(_PARTS, {0: _CLEAR, 1: _CHECK, 2: _CHECK},
                                  "NoDDClr missing before (W) mov(1|M0) r10.5", _CHAIN),
    "no begin": Rule([_ALL, _part(1), _USE], {1: _CHECK}, "NoDDClr missing before (W) mov(1|M0) r10.1", _PAIR),
    "of another register": Rule([_OTHER, _part(1), _USE], {1: _CHECK}, "no instruction before left it guarded", {}),
    "a use between": Rule([_ALL, _USE, _part(1)], {0: _CLEAR, 2: _CHECK}, "r10 is left guarded by (W) mov(8|M0) r10.0", {}),
    "what else is between": Rule([_ALL, _OTHER, _part(1)], {0: _CLEAR, 1: _CHECK, 2: _CHECK}, "NoDDClr missing before mov(8",
                                 {0: _CLEAR, 2: _CHECK}),
    "an end that may not be": Rule([_ALL, _part(1, predicate=1), _USE], _PAIR,
                                   "an end of NoDDClr without a predicate missing", {}),
    "at a block's end": Rule([_ALL, *_IF, _part(1)], {0: _CLEAR}, "an end of NoDDClr missing before (+f0.0) if", {}),
    "a payload": Rule([_ALL, _STORE], {0: _CLEAR}, "an end of NoDDClr missing before send", {}),
    "an address": Rule([_A0, _A0, alu("mov", r(11), r(3), n=8)], {1: _CHECK}, "NoDDClr missing", _PAIR),
    "control is written": Rule([_TO_CONTROL], {}, "a switch missing before (W) or(1|M0) cr0.0", {0: _SWITCH}),
    "control is read": Rule([_FROM_CONTROL], {}, "a switch missing before (W) mov(1|M0) r12.0", {0: _SWITCH}),
}  # fmt: skip


def _code(items: Sequence[Item], bits: Mapping[int, int], gpu: str, end: int = END_OF_THREAD) -> bytes:
    whole = assemble([*items, end])
    code = bytearray(older_code(whole, OLDER[gpu]) if gpu in OLDER else whole)
    for number, more in bits.items():
        word = int.from_bytes(code[16 * number : 16 * number + 16], "little") | more
        code[16 * number : 16 * number + 16] = word.to_bytes(16, "little")
    return bytes(code)


@pytest.mark.parametrize("gpu", OLDER)
@pytest.mark.parametrize("name", RULES)
def test_rule(intel_library: Path, name: str, gpu: str) -> None:
    rule = RULES[name]
    said = findings(intel_library, _code(rule.items, rule.wrong, gpu), gpu)
    assert rule.finding in said[0]
    assert len(said) == 1 or name == "a use between"  # whose end no longer has a beginning
    assert findings(intel_library, _code(rule.items, rule.right, gpu), gpu) == []


@pytest.mark.parametrize("gpu", [*OLDER, "tgl", "dg2"])
def test_the_last_message_reads_registers_from_112_on(intel_library: Path, gpu: str) -> None:
    """A payload in lower registers may be overwritten in flight: they are given away as the message is sent."""
    low = END_OF_THREAD & ~(0xFF << 72) | 111 << 72
    assert "a payload from r112 on missing before (W) send" in findings(intel_library, _code([], {}, gpu, low), gpu)[0]
    assert findings(intel_library, _code([], {}, gpu), gpu) == []


@pytest.mark.parametrize("gpu", OLDER)
@pytest.mark.parametrize(
    ("name", "least"),
    [("private_array_by_index", {"NoDDClr": 18, "NoDDChk": 18, "switch": 2}), ("two_roundings", {"switch": 5})],
)
def test_each_bit_of_a_compiled_kernel_is_missed(intel_library: Path, gpu: str, name: str, least: dict[str, int]) -> None:
    lines = (_KERNELS / gpu / f"{name}.hex").read_text(encoding="utf-8").splitlines()
    code = b"".join(int(line, 16).to_bytes(8, "little") for line in lines if line[0] != "#")
    assert findings(intel_library, code, gpu) == []
    missed: Counter[str] = Counter()
    for kind, at, less in older_drops(code):
        assert findings(intel_library, less, gpu), f"{kind} at {at:#x}"
        missed[kind] += 1
    assert missed == Counter(least)


def test_a_launch_has_them_as_hazards(intel_library: Path) -> None:
    skylake = BareIntel(intel_library, "skl")
    assert any("a switch missing" in hazard for hazard in skylake.launch([_TO_CONTROL]).hazards)
