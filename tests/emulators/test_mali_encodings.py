"""The table of Bifrost's encodings: no word is two instructions; and what Mesa's description says about each (nightly)."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from emulators.mali import not_emulated
from emulators.mali.bifrost import ADD, FMA
from emulators.mali.table import Instruction, fields

_UNITS = {"fma": (FMA, not_emulated.FMA, 23), "add": (ADD, not_emulated.ADD, 20)}


def _encodings(unit: str) -> list[tuple[Instruction, int, int, str]]:
    return [(i, mask, value, text) for i in _UNITS[unit][0] for mask, value, text in i.encodings]


def _is(i: Instruction, mask: int, value: int, text: str, word: int) -> bool:
    if word & mask != value:
        return False
    ports = [word >> shift & 7 for shift in i.sources]
    for field in fields(text):
        index = at = 0
        for bit, size in field.bits:
            index |= (word >> bit & (1 << size) - 1) << at
            at += size
        options = field.swapped if field.swapped and len(ports) > 1 and ports[0] > ports[1] else field.options
        if options[index] is None:
            return False
    return True


@pytest.mark.parametrize("unit", _UNITS)
def test_no_word_is_two_instructions(unit: str) -> None:
    """If two encodings fit, one fixes more bits."""
    every, chance = _encodings(unit), random.Random(unit)
    for i, mask, value, text in every:
        for _ in range(20):
            word = value | chance.getrandbits(_UNITS[unit][2]) & ~mask
            if not _is(i, mask, value, text, word):
                continue
            fits = [(m.bit_count(), j.name) for j, m, v, t in every if _is(j, m, v, t, word)]
            most = max(fits)[0]
            assert len({name for bits, name in fits if bits == most}) == 1, (hex(word), fits)


@pytest.mark.parametrize("unit", _UNITS)
def test_fields_lie_in_bits_that_are_not_fixed(unit: str) -> None:
    for i, mask, _, text in _encodings(unit):
        for field in fields(text):
            for bit, size in field.bits:
                assert not mask & ((1 << size) - 1) << bit, (i.name, field.names)


def _described(mesa: Path) -> Iterator[tuple[str, str, ElementTree.Element, ElementTree.Element]]:
    """Unit, name, the instruction and one of its encodings."""
    root = ElementTree.parse(mesa / "src/panfrost/compiler/bifrost/ISA.xml").getroot()
    for ins in root.findall("ins"):
        if not ins.get("pseudo"):
            for encoding in ins.findall("encoding") or [ins]:
                yield ins.get("unit", ""), ins.get("name", ""), ins, encoding


@pytest.mark.root
@pytest.mark.nightly("it needs a source of Mesa")
def test_each_instruction_that_mesa_describes_is_here(mesa: Path) -> None:
    own = {(unit, i.name, m & v, v) for unit in _UNITS for i, m, v, _ in _encodings(unit)}
    left = {(unit, name, mask, value) for unit in _UNITS for name, mask, value in _UNITS[unit][1]}
    for unit, name, _, encoding in _described(mesa):
        mask, value = int(encoding.get("mask", "0"), 0), int(encoding.get("exact", "0"), 0)
        if (unit, name, mask, value) in left:
            continue
        # A row may fix more: bits that are reserved, or that tell the signed form from the unsigned one.
        assert any(o[:2] == (unit, name) and o[3] & mask == value for o in own), (unit, name, hex(value))


@pytest.mark.root
@pytest.mark.nightly("it needs a source of Mesa")
def test_each_field_lies_where_mesa_says(mesa: Path) -> None:
    table = {(unit, i.name): i for unit in _UNITS for i in _UNITS[unit][0]}
    checked = 0
    for unit, name, ins, encoding in _described(mesa):
        instruction = table.get((unit, name))
        if instruction is None:
            continue
        mask, value = int(encoding.get("mask", "0"), 0), int(encoding.get("exact", "0"), 0)
        rows = [text for m, v, text in instruction.encodings if v & mask == value and m & mask == mask]
        shifts = tuple(int(s.get("start") or 0) for s in ins.findall("src") if not s.get("pseudo"))
        assert instruction.sources == shifts, name
        copies = {c.get("name"): c.get("start") for c in encoding.findall("copy")}
        for modifier in ins.findall("mod"):
            start = copies.get(modifier.get("name"), modifier.get("start"))
            if start is None or modifier.get("pseudo") or (encoding.tag == "encoding" and not rows):
                continue
            options = [option for option in modifier if option.tag in ("opt", "reserved")]
            words = [(o.text or "none") if o.tag == "opt" else None for o in options] or ["none", modifier.get("opt")]
            for text in rows:
                found = next(f for f in fields(text) if modifier.get("name") in f.names)
                assert found.bits == ((int(start), int(modifier.get("size", "0"))),), (name, modifier.get("name"))
                own = [option and option[0] for option in found.options]  # None: reserved, or not emulated
                same = all(o in (None, w) for o, w in itertools.zip_longest(own, words))
                assert (same and any(own)) or len(found.names) > 1, (name, own, words)
                checked += 1
    assert checked > 300
