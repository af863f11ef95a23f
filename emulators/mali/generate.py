"""Generates C from bifrost.py and valhall.py: the encodings of each unit, and a function for each expression."""

from __future__ import annotations

import re
from collections.abc import Iterator

from emulators.mali import not_emulated
from emulators.mali.bifrost import ADD, FMA
from emulators.mali.table import Field, Instruction, fields
from emulators.mali.valhall import VALHALL

UNITS = {"fma": FMA, "add": ADD, "valhall": VALHALL}
_NOT_EMULATED = {"fma": not_emulated.FMA, "add": not_emulated.ADD, "valhall": not_emulated.VALHALL}

_WIDTHS = dict.fromkeys("fuswxF", 32) | dict.fromkeys("hHUS", 16) | dict.fromkeys("Bb", 8) | dict.fromkeys("dD", 64)
_READ = {
    "f": "as_float({})", "H": "as_float({})", "F": "as_float({})", "h": "half_float({} >> {} & 0xffff)", "u": "(i64){}",
    "s": "(i64)(i32){}", "x": "(i64){}", "w": "(i64){}", "U": "(i64)(u16)({} >> {})", "S": "(i64)(i16)({} >> {})",
    "B": "(i64)(u8)({} >> {})", "b": "(i64)(i8)({} >> {})",
    **dict.fromkeys("dD", "(i64)({0} | (u64){2} << 32)"),
}  # fmt: skip
_LIMITS = {"s": (-(1 << 31), (1 << 31) - 1), "S": (-(1 << 15), (1 << 15) - 1), "b": (-(1 << 7), (1 << 7) - 1)}


def generate() -> str:
    """The text of generated.c."""
    lines = ['#include "alu.h"', ""]
    for unit, instructions in UNITS.items():
        for i in instructions:
            if not i.meaning.startswith("@"):
                lines += _function(f"{unit}_{_identifier(i)}", i)
    values = _Values()
    for unit, instructions in UNITS.items():
        rows: list[tuple[int, int, str]] = []
        for i in instructions:
            lines.append(_opcode(unit, i))
            rows += [
                (-mask.bit_count(), len(rows), _encoding(unit, i, mask, value, text, values))
                for mask, value, text in i.encodings
            ]
        for name, mask, value in _NOT_EMULATED[unit]:
            opcode = f'&(const Opcode){{.name = "{name}", .run = run_unknown}}'
            rows.append((-mask.bit_count(), len(rows), f"   {{0x{mask:x}, 0x{value:x}, {opcode}, {{0}}, 0, {{{{0}}}}}},"))
        lines += values.new_lines()
        lines += [f"const Encoding {unit}_encodings[] = {{", *(row for _, _, row in sorted(rows)), "};"]
        lines.append(f"const u32 {unit}_encoding_count = COUNT({unit}_encodings);")
    lines += ["const char *const option_names[] = {", ", ".join(f'"{o}"' for o in options()), "};"]
    lines += ["const char *const modifier_names[] = {", ", ".join(f'"{m}"' for m in modifiers()), "};", ""]
    return "\n".join(lines)


def header() -> str:
    """The text of generated.h: the names of modifiers and options."""
    picks = [_pick(o) for o in options()]
    return "\n".join([
        "enum Option { " + ", ".join(f"O_{o}" for o in options()) + ", RESERVED_OPTION = 255 };",
        "enum Modifier { " + ", ".join(f"M_{m}" for m in modifiers()) + ", MODIFIERS };",
        "typedef struct { u8 width, at[4]; } Pick;",
        "static const Pick picks[] = { " + ", ".join(picks) + " };", "",
    ])  # fmt: skip


def _fields() -> Iterator[Field]:
    for i in (*FMA, *ADD, *VALHALL):
        for _, _, text in i.encodings:
            yield from fields(text)


def modifiers() -> list[str]:
    """The names of all modifiers."""
    return sorted({name for field in _fields() for name in field.names})


def options() -> list[str]:
    """The options of all modifiers; "none" is the first."""
    words = {word for field in _fields() for choice in (*field.options, *field.swapped) if choice for word in choice}
    return ["none", *sorted(words - {"none"})]


def _pick(option: str) -> str:
    """Which halves or bytes an option such as h10 or b2 takes; width 0 for other options."""
    match = re.fullmatch(r"([whbd])([0-3]{1,4})", option)
    if not match or match[1] == "d":
        return "{0, {0}}"
    digits = (match[2] * 4)[:4]
    width = {"w": 32, "h": 16, "b": 8}[match[1]]
    return f"{{{width}, {{{', '.join(digits)}}}}}"


class _Values:
    """The lists of options that the values of fields choose, each list once."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._written = 0

    def name(self, chosen: tuple[str | None, ...]) -> str:
        text = ", ".join("RESERVED_OPTION" if word is None else f"O_{word}" for word in chosen)
        return self._names.setdefault(text, f"values_{len(self._names)}")

    def new_lines(self) -> list[str]:
        fresh = list(self._names.items())[self._written :]
        self._written = len(self._names)
        return [f"static const u8 {name}[] = {{{text}}};" for text, name in fresh]


def _identifier(i: Instruction) -> str:
    return re.sub(r"\W", "_", i.name)


def _function(name: str, i: Instruction) -> Iterator[str]:
    result = i.result
    width, elements = _WIDTHS[result], {"h": 2, "U": 2, "S": 2, "B": 4, "b": 4}.get(result, 1)
    low, high = _LIMITS.get(result, (0, (1 << width) - 1))
    yield f"#define WIDTH {width}"
    yield f"#define SATURATE(x) saturated(i, x, {low}ll, {high}ll)"
    yield f"static void {name}(const Instruction *i, u32 *d, const u32 *const *v)"
    yield "{"
    yield "   (void)i, (void)v;"
    yield "   for (u32 lane = 0; lane < LANES; lane++) {"
    yield "      u32 r = 0;"
    for k in range(elements):
        yield "      {"
        for n, kind in enumerate(i.kinds):
            letter = "abce"[n]
            if re.search(rf"\b{letter}\b", i.meaning):
                kind_type = "float" if kind in "fhHF" else "i64"
                read = _READ[kind].format(f"v[{n}][lane]", k * _WIDTHS[kind], f"v[{n + 4}][lane]")
                yield f"         const {kind_type} {letter} = {read};"
        match result:
            case "f":
                yield f"         r = float_bits({i.meaning});"
            case "d":
                yield f"         const u64 wide = (u64)({i.meaning});"
                yield "         r = (u32)wide, d[LANES + lane] = wide >> 32;"
            case "h" | "H":
                yield f"         r |= half_bits({i.meaning}) << {16 * k};"
            case _ if elements == 1:
                yield f"         r = (u32)({i.meaning});"
            case _:
                yield f"         r |= ((u32)({i.meaning}) & {hex((1 << width) - 1)}) << {width * k};"
        yield "      }"
    yield "      d[lane] = r;"
    yield "   }"
    yield "}"
    yield "#undef WIDTH"
    yield "#undef SATURATE"


def _opcode(unit: str, i: Instruction) -> str:
    own = _identifier(i)
    run, alu = (f"run_{i.meaning[1:]}", "NULL") if i.meaning.startswith("@") else ("run_alu", f"{unit}_{own}")
    kinds = ", ".join(f"{ord(kind)}" for kind in i.kinds.ljust(4))
    staging = re.fullmatch(r"(r?)(w?)(\d?)", i.staging)
    assert staging, i.name
    count = int(staging[3] or 0)
    reads, writes = (count if direction else 0 for direction in staging.groups()[:2])
    registers = f"{reads}, {writes}, {bool(staging[1]) + 2 * bool(staging[2])}"
    members = f'"{i.name}", {run}, {alu}, {len(i.sources)}, {{{kinds}}}, {ord(i.result or " ")}, {registers}'
    return f"static const Opcode {unit}_op_{own} = {{{members}}};"


def _encoding(unit: str, i: Instruction, mask: int, value: int, text: str, values: _Values) -> str:
    cells = []
    for field in fields(text):
        for n, name in enumerate(field.names):
            plain = values.name(tuple(choice[n] if choice else None for choice in field.options))
            swapped = (
                values.name(tuple(choice[n] if choice else None for choice in field.swapped)) if field.swapped else plain
            )
            at = ", ".join(f"{number}" for place in (*field.bits, (0, 0), (0, 0))[:2] for number in place)
            cells.append(f"{{M_{name}, {{{at}}}, {{{plain}, {swapped}}}}}")
    sources = ", ".join(map(str, i.sources)) or "0"
    opcode = f"&{unit}_op_{_identifier(i)}"
    return f"   {{0x{mask:x}, 0x{value:x}, {opcode}, {{{sources}}}, {len(cells)}, {{{', '.join(cells) or '{0}'}}}}},"
