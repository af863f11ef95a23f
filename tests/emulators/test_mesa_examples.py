"""The words of Mesa's own test of its disassembler (src/freedreno/ir3/tests/disasm.c): name and operands, and back."""

import re
import struct
from collections import Counter
from pathlib import Path

import pytest
from assembler import FLOATS, TYPES, assemble
from bare_gpu import BareGpu
from isaspec import examples

from emulators.adreno.generate import pattern
from emulators.adreno.instructions import INSTRUCTIONS, Instruction

_WITH_MESA = pytest.mark.nightly("reads the source of Mesa; what the table has, its own tests run")
_FLAGS = re.compile(r"\((sy|ss|jp|sat|ei|rpt\d|nop\d|neg|abs|absneg|r|last|ul|eq)\)")
_IGNORED = {"last", "ul", "eq"}  # hints
_NAMED = {"e": 2.718281828459045, "pi": 3.141592653589793, "1/pi": 0.3183098861837907, "1/log2(e)": 0.6931471805599453,
          "log2(e)": 1.4426950408889634, "1/log2(10)": 0.3010299956639812, "log2(10)": 3.321928094887362}  # fmt: skip


def _name(text: str) -> str:
    return _FLAGS.sub("", text).strip().split(" ")[0]


def _number(text: str) -> int | None:
    """A literal's bits; of a half 16."""
    half = text.startswith("h(")
    inner = text.removeprefix("h").removeprefix("(").removesuffix(")") if text.startswith(("h(", "(")) else text
    inner = inner.removeprefix("#")
    if re.fullmatch(r"[+-]?\d+|0x[0-9a-f]+", inner):
        return int(inner, 0) & (0xFFFF if half else 0xFFFFFFFF)
    if inner in FLOATS or re.fullmatch(r"-?\d+\.\d+", inner):
        value = _NAMED[inner] if inner in _NAMED else float(inner)
        return int.from_bytes(struct.pack("<e" if half else "<f", value), "little")
    return None


def _canonical(text: str) -> tuple[str, Counter[str], list[str | int]]:
    """Name, flags, operands of categories 0 to 4, of Mesa's text or of this project's."""
    flags = Counter(flag for flag in _FLAGS.findall(text) if flag not in _IGNORED)
    name, _, rest = _FLAGS.sub("", text).strip().partition(" ")
    name = name.replace("cov.", "mov.").replace("dp2acc.", "dp2acc .").replace("dp4acc.", "dp4acc .").split(" ")[0]
    name = {"mova": "mov.s16s16", "mova1": "mov.u16u16"}.get(name, name)
    name = "movmsk" if name.startswith("movmsk") else "getlast" if name.startswith("getlast") else name
    operands: list[str | int] = []
    for part in filter(None, (p.strip() for p in rest.split(","))):
        plain = part.replace("<a0.x>", "<a0.x + 0>")
        number = _number(plain)
        operands.append(plain if number is None else number & 0xFFFF if re.match(r"mov\.[fus]16", name) else number)
    return name, flags, operands


_SHOWN = {i.name: i for i in INSTRUCTIONS if i.category <= 4}


def _table_name(text: str, category: int) -> str:
    """The table's name for an instruction of Mesa's text; "" if the table does not have it."""
    name = _canonical(text)[0]
    for known in sorted({i.name for i in INSTRUCTIONS if i.category == category}, key=len, reverse=True):
        own = known.replace("atomic.l.", "atomic.") if ".l" in text.split(" ")[0][-2:] else known
        if name == own or name.startswith(own + "."):
            if known in ("ldc", "ldc.k"):
                return "ldc.k" if ".k." in name else "ldc"
            return known
    return ""


@_WITH_MESA
def test_each_word_of_mesas_disassembler_test_is_known_by_its_name(mesa: Path, adreno: BareGpu, adreno7: BareGpu) -> None:
    seen: Counter[str] = Counter()
    for example in examples(mesa):
        gpu = {6: adreno, 7: adreno7}[example.generation]
        expected = _table_name(example.text, example.word >> 61)
        found = gpu.text(example.word)
        if expected:
            assert _table_name(found, example.word >> 61) == expected, f"{example.word:#018x} {example.text}: {found}"
            seen[expected] += 1
        else:
            assert _name(found) == "unknown", f"{example.word:#018x} {example.text}: {found}"
    assert len(seen) >= 70
    assert sum(seen.values()) >= 180


@_WITH_MESA
def test_the_operands_of_categories_0_to_4_are_those_of_mesas_text(mesa: Path, adreno: BareGpu, adreno7: BareGpu) -> None:
    compared = 0
    for example in examples(mesa):
        if example.word >> 61 > 4 or not _table_name(example.text, example.word >> 61):
            continue
        found = {6: adreno, 7: adreno7}[example.generation].text(example.word)
        ours, theirs = _canonical(found), _canonical(example.text)
        if ours[0].startswith("dp"):  # in whose text neg says which vector has a sign
            theirs = (theirs[0], ours[1], theirs[2])
        assert ours == theirs, f"{example.word:#018x}: {found}; Mesa: {example.text}"
        compared += 1
    assert compared >= 90


# Mesa's texts of category 6, by the table's fields.
_TEXTS = {
    "ldg": "{name}.{type} {dst}, g[{address}{offset}], {size}",
    "ldg.k": "{name}.{type} c[{const}], g[{address}{offset}], {size}",
    "ldl": "{name}.{type} {dst}, l[{address}{offset}], {size}",
    "ldlw": "{name}.{type} {dst}, l[{address}{offset}], {size}",
    "ldp": "{name}.{type} {dst}, p[{address}{offset}], {size}",
    "stg": "{name}.{type} g[{address}{offset}], {data}, {size}",
    "stl": "{name}.{type} l[{address}{offset}], {data}, {size}",
    "stlw": "{name}.{type} l[{address}{offset}], {data}, {size}",
    "stp": "{name}.{type} p[{address}{offset}], {data}, {size}",
    "stc": "{name}.{type} c[{const}], {data}, {size}",
    "getspid": "{name}.{type} {dst}",
    "getwid": "{name}.{type} {dst}",
    "getfiberid": "{name}.{type} {dst}",
    "shfl": "{name}.{shuffle}.{type} {dst}, {data}, {by}",
    "ldg.a6": "{name}.{type} {dst}, g[{address}{indexed}], {size}",
    "stg.a6": "{name}.{type} g[{address}{indexed}], {data}, {size}",
    "ldg.a7": "{name}.{type} {dst}, g[{address}+{index}{plus}], {size}",
    "stg.a7": "{name}.{type} g[{address}+{index}{plus}], {data}, {size}",
}
_SHUFFLES = {1: "xor", 2: "up", 3: "down", 6: "rup", 7: "rdown"}


def _fields(i: Instruction, word: int) -> dict[str, int]:
    found = {}
    for name, (low, high) in i.form.fields.items():
        value = word >> low & (1 << high - low + 1) - 1
        found[name] = value - (value >> high - low << high - low + 1) if name in i.form.signed else value
    return found


def _register(number: int, half: bool = False, letter: str = "r") -> str:
    return f"{'h' * half}{letter}{number >> 2}.{'xyzw'[number & 3]}"


def _text(i: Instruction, word: int, generation: int) -> str:
    f = _fields(i, word)
    half = TYPES[f["type"]] in ("f16", "u16", "s16", "u8")
    offset = f.get("offset", f.get("offset_high", 0) * 256 + f.get("offset_low", 0))
    shift = f.get("shift", 0)
    own = {
        "name": i.name,
        "type": TYPES[f["type"]],
        "dst": _register(f.get("dst", 0), half),
        "data": _register(f.get("data", 0), half),
        "address": _register(f.get("address", 0), letter="c" if f.get("address_const") else "r"),
        "index": _register(f.get("index", 0)),
        "size": f.get("size", 0),
        "offset": f"{offset:+}" if offset else "",
        "plus": f"+{offset}" if offset else "",
        "const": ("a1.x" + (f"+{f['dst']}" if f["dst"] else "") if f.get("dst_a1") else f.get("dst", 0)),
        "shuffle": _SHUFFLES.get(f.get("mode", 0), ""),
        "by": f["index"] if f.get("data_immediate") else _register(f.get("index", 0)),
    }
    index, plus = own["index"], f"+{offset}" if offset else ""
    own["indexed"] = f"+{index}<<{shift + 2}{plus}<<2" if shift else f"+({index}{plus})<<2"
    return _TEXTS[i.name + str(generation) * i.name.endswith(".a")].format(**own)


@_WITH_MESA
def test_the_operands_of_loads_and_stores_are_those_of_mesas_text(mesa: Path) -> None:
    seen: Counter[str] = Counter()
    for example in examples(mesa):
        for i in INSTRUCTIONS:
            mask, value = pattern(i)
            if example.word & mask != value or not i.generations[0] <= example.generation * 100 <= i.generations[1]:
                continue
            if i.name in _TEXTS or (i.category == 6 and i.name.endswith(".a")):
                assert _text(i, example.word, example.generation) == _FLAGS.sub("", example.text)
                seen[i.name] += 1
    assert len(seen) >= 15, seen


@_WITH_MESA
def test_the_assembler_writes_mesas_words(mesa: Path) -> None:
    """For the part of Mesa's text that it can read: categories 2 to 4."""
    written = 0
    for example in examples(mesa):
        name = _table_name(example.text, example.word >> 61)
        hints = re.search(r"\((last|ul|eq)\)", example.text)
        if (
            example.word >> 61 not in (2, 3, 4)
            or not name
            or name.startswith(("dp", "bary"))
            or hints
            or "<" in example.text
        ):
            continue
        text = re.sub(r"\(nop(\d)\) ", r"(nop\1)", example.text)
        (word,) = assemble(text)
        assert word == example.word, f"{text}: {word:#018x}, Mesa {example.word:#018x}"
        written += 1
    assert written >= 50
