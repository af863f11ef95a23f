"""Hand-written Valhall shaders: lines of text -> instructions of 64 bits, by the table of emulators/mali/valhall.py.

    FADD.f32 r2 = r0 ^r1 neg1=neg .wait0        ; ^: its last use; after a dot the waits, or the flow
    LOAD.i32 @r4 = r0 slot=1 offset=8 .wait1    ; a message, its staging registers; ATOM_RETURN and TEX have two: @r4:r8
    IADD_IMM.i32 r2 = r0 #123                   ; a constant of its own; else one of the 32 fixed ones, or u3, or s49.0
    loop:
    BRANCHZ = r0 loop cmpf=eq .reconverge

Modifiers are those of the table.
"""

import re
import struct
from dataclasses import dataclass, field

from bifrost_assembler import choices

from emulators.mali.table import Instruction, fields
from emulators.mali.valhall import VALHALL
from emulators.mali.words import HIGH, IMMEDIATE, SHIFT

TABLE = {i.name: i for i in VALHALL}
CONSTANTS = (
    0, 0xFFFFFFFF, 0x7FFFFFFF, 0xFAFCFDFE, 0x01000000, 0x80002000, 0x70605030, 0xC0B0A090, 0x03020100, 0x07060504,
    0x0B0A0908, 0x0F0E0D0C, 0x13121110, 0x17161514, 0x1B1A1918, 0x1F1E1D1C, 0x3F800000,
)  # fmt: skip
FLOWS = {"": 0, "wait0": 1, "wait1": 2, "wait01": 3, "wait2": 4, "wait02": 5, "wait12": 6, "wait012": 7, "wait0126": 8,
         "wait": 9, "reconverge": 10, "discard": 13, "end": 15}  # fmt: skip
_HALVES = {"": 3, "h0": 1, "h1": 2}


@dataclass
class Line:
    """An instruction as it is written."""

    name: str
    target: str = ""
    staging: str = ""
    sources: list[str] = field(default_factory=list)
    modifiers: dict[str, str] = field(default_factory=dict)
    flow: str = ""


def parse(text: str) -> Line:
    left, _, right = text.partition(" = ")
    head = left.split()
    line = Line(head[0])
    for n, word in enumerate(head[1:] + right.split()):
        if word.startswith("."):
            line.flow = word[1:]
        elif word.startswith("@"):
            line.staging = word[1:]
        elif "=" in word:
            name, _, value = word.partition("=")
            line.modifiers[name] = value
        elif n < len(head) - 1:
            line.target = word
        else:
            line.sources.append(word)
    return line


def encode_fields(instruction: Instruction, modifiers: dict[str, str]) -> tuple[int, dict[str, str]]:
    """The bits of the fields, and all modifiers."""
    ((_, _, text),) = instruction.encodings
    word, chosen = 0, dict[str, str]()
    own = list(fields(text))
    assert set(modifiers) <= {name for f in own for name in f.names}, (instruction.name, modifiers)
    for f in own:
        index = choices(f, modifiers, swapped=False)
        assert index is not None, (instruction.name, f.names, modifiers)
        option = f.options[index]
        assert option
        chosen |= dict(zip(f.names, option, strict=True))
        for bit, size in f.bits:
            word |= (index & (1 << size) - 1) << bit
            index >>= size
    return word, chosen


def _source(text: str) -> tuple[int, int]:
    """A source's byte, and the page that it is in."""
    if match := re.fullmatch(r"(\^?)r(\d+)", text):
        return int(match[2]) | (0x40 if match[1] else 0), 0
    if match := re.fullmatch(r"u(\d+)", text):
        return 0x80 | int(match[1]) & 63, int(match[1]) >> 6
    if match := re.fullmatch(r"s(\d+)\.([01])", text):  # a special value: its page times 16 and its number, its word
        return 0xE0 | (int(match[1]) & 15) << 1 | int(match[2]), int(match[1]) >> 4
    return 0xC0 | CONSTANTS.index(int(text.removeprefix("#"), 0) & 0xFFFFFFFF), 0


_NUMBERS = {
    "slot": (30, 3), "count": (33, 3), "written": (36, 3), "table": (16, 4), "index": (20, 4),
    "mask": (22, 4), "width": (46, 1),
}  # fmt: skip


def encode(line: Line, here: int, labels: dict[str, int]) -> int:
    instruction = TABLE[line.name]
    ((_, value, _),) = instruction.encodings
    modifiers = dict(line.modifiers)
    given = {name: int(modifiers.pop(name), 0) for name in (*_NUMBERS, "offset") if name in modifiers}
    word, _ = encode_fields(instruction, modifiers)
    word |= value | FLOWS[line.flow] << 59
    sources = list(line.sources)
    if line.name == "BRANCHZ":
        word |= (labels[sources.pop()] - here - 1 & 0x7FFFFFF) << 8
    for place in instruction.sources:
        if place & HIGH and place not in (IMMEDIATE, SHIFT):
            continue
        text = sources.pop(0)
        if place in (IMMEDIATE, SHIFT):
            size, at = (32, 8) if place == IMMEDIATE else (3, 20)
            word |= (int(text.removeprefix("#"), 0) & (1 << size) - 1) << at
            continue
        byte, page = _source(text)
        word |= byte << place | page << 57
    assert not sources, line
    if line.target:
        register, _, half = line.target[1:].partition(".")
        word |= int(register) << 40 | _HALVES[half] << 46
    if instruction.staging:
        first, _, second = line.staging.replace("r", "").partition(":")
        word |= int(first) << 40
        counts = re.search(r"\d", instruction.staging)
        given.setdefault("count", int(counts[0]) if counts else 0)
        if second:
            word |= int(second) << 16
    elif instruction.result == "" and line.name != "BRANCHZ":
        given.setdefault("slot", 7 if line.name == "BARRIER" else 0)
    for name, number in given.items():
        bit, size = _NUMBERS.get(name, (8, 16))
        word |= (number & (1 << size) - 1) << bit
    return word


def assemble(text: str) -> bytes:
    """The code, and the zeros after it. The last instruction ends the shader."""
    lines: list[Line] = []
    labels: dict[str, int] = {}
    for raw in text.splitlines():
        content = raw.partition(";")[0].strip()
        if content.endswith(":"):
            labels[content[:-1]] = len(lines)
        elif content:
            lines.append(parse(content))
    lines.append(Line("NOP", flow="end"))
    code = [encode(line, n, labels) for n, line in enumerate(lines)]
    return struct.pack(f"<{len(code) + 4}Q", *code, 0, 0, 0, 0)
