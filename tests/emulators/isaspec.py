"""Mesa's description of ir3's instructions, src/freedreno/isa/*.xml, against which the table of encodings is held."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

_SIZE = 64


@dataclass
class Bitset:
    """An instruction: its bits, from the root of its inheritance on."""

    name: str
    generations: tuple[int, int] = (0, 999)
    mask: int = 0
    value: int = 0
    any: int = 0  # bits without a meaning
    fields: dict[tuple[int, int], list[str]] = field(default_factory=dict)


def _span(element: ElementTree.Element) -> tuple[int, int]:
    position = element.get("pos")
    return (int(position), int(position)) if position else (int(element.get("low", "0")), int(element.get("high", "0")))


def _add(bitset: Bitset, element: ElementTree.Element) -> None:
    for child in element:
        if child.tag == "gen":
            low, high = bitset.generations
            bitset.generations = (max(low, int(child.get("min", "0"))), min(high, int(child.get("max", "999"))))
        elif child.tag == "pattern":
            low, _ = _span(child)
            for n, bit in enumerate(reversed((child.text or "").strip())):
                if bit == "x":
                    bitset.any |= 1 << low + n
                else:
                    bitset.mask |= 1 << low + n
                    bitset.value |= int(bit) << low + n
        elif child.tag == "field":
            bitset.fields.setdefault(_span(child), []).append(child.get("name", ""))
        elif child.tag == "override":
            for inner in child.iter("field"):
                bitset.fields.setdefault(_span(inner), []).append(inner.get("name", ""))


def instructions(mesa: Path) -> list[Bitset]:
    """All instructions that a word can be."""
    elements: list[ElementTree.Element] = []
    for path in sorted((mesa / "src/freedreno/isa").glob("ir3-cat*.xml")):
        elements += ElementTree.parse(path).getroot().findall("bitset")
    named: dict[str, list[ElementTree.Element]] = {"#instruction": []}
    for element in elements:
        named.setdefault(element.get("name", ""), []).append(element)

    def chain(element: ElementTree.Element) -> Iterator[ElementTree.Element]:
        for parent in named.get(element.get("extends", ""), []):
            yield from chain(parent)
        yield element

    def is_whole(element: ElementTree.Element) -> bool:
        base = element.get("extends", "")
        return base == "#instruction" or any(is_whole(parent) for parent in named.get(base, []))

    found = []
    for element in elements:
        name = element.get("name", "")
        if name[0] != "#" and is_whole(element):
            bitset = Bitset(name)
            for part in chain(element):
                _add(bitset, part)
            found.append(bitset)
    return found


@dataclass(frozen=True, slots=True)
class Example:
    """A word that Mesa's own test disassembles, and what it is."""

    generation: int
    word: int
    text: str


def examples(mesa: Path) -> list[Example]:
    """Those of a6xx and a7xx of src/freedreno/ir3/tests/disasm.c."""
    source = (mesa / "src/freedreno/ir3/tests/disasm.c").read_text(encoding="utf-8")
    source = re.sub(r"/\*.*?\*/|#if 0.*?#(?:else|endif)|//[^\n]*", "", source, flags=re.DOTALL)
    rows = re.findall(r'INSTR_([67])XX(?:_RAW)?\(\s*(?:0x)?([0-9a-f_]+),\s*"([^"]*)"', source)
    return [Example(int(generation), int(word.replace("_", ""), 16), text) for generation, word, text in rows]
