"""The table of Valhall's encodings: no word is two instructions; and what Mesa's description says about each (nightly)."""

import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

from emulators.mali import not_emulated
from emulators.mali.table import fields
from emulators.mali.valhall import VALHALL

_OPCODE = 0x1FF << 48


def test_no_word_is_two_instructions() -> None:
    chance = random.Random(1)
    rows = [(i.name, *i.encodings[0][:2]) for i in VALHALL]
    for name, mask, value in rows:
        for _ in range(20):
            word = value | chance.getrandbits(64) & ~mask
            assert [n for n, m, v in rows if word & m == v] == [name], hex(word)


def test_fields_lie_in_bits_that_are_not_fixed() -> None:
    for i in VALHALL:
        taken = i.encodings[0][0]
        for field in fields(i.encodings[0][2]):
            for bit, size in field.bits:
                assert not taken & ((1 << size) - 1) << bit, (i.name, field.names)
                taken |= ((1 << size) - 1) << bit


def _numbers(text: str | None) -> int:
    return int(text or "0", 0)


@pytest.mark.root
@pytest.mark.nightly("it needs a source of Mesa")
def test_each_instruction_that_mesa_describes_is_here(mesa: Path) -> None:
    """Its opcode, and its second opcode after the sources if it has one."""
    root = ElementTree.parse(mesa / "src/panfrost/compiler/valhall/ISA.xml").getroot()
    own = {i.name: i.encodings[0][:2] for i in VALHALL}
    left = {name: (mask, value) for name, mask, value in not_emulated.VALHALL}
    assert not own.keys() & left.keys()
    seen = set()
    for parent in root:
        for ins in parent.findall("ins") if parent.tag == "group" else [parent] if parent.tag == "ins" else []:
            name = ins.get("name", "")
            seen.add(name)
            mask, value = own.get(name) or left[name]
            opcode = _numbers(ins.get("opcode") or parent.get("opcode"))
            assert (mask & _OPCODE, value & _OPCODE) == (_OPCODE, opcode << 48), name
            second = ins.get("opcode2") or parent.get("opcode2")
            if second and name in own:
                rest = value & ~_OPCODE & (1 << 47) - 1 & ~(0xC0 << 40)
                assert rest in {_numbers(second) << shift for shift in (16, 24, 27, 37)}, (name, hex(rest))
    assert seen == own.keys() | left.keys()
