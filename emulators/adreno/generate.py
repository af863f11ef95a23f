"""Generates C from instructions.py: the table of encodings, a function for each group of operands and each expression."""

from __future__ import annotations

import re
from collections.abc import Iterator

from emulators.adreno.instructions import INSTRUCTIONS, Form, Instruction
from emulators.adreno.synchronisation import DELAYS, is_late, rule

_TOP = (61, 63)  # the category
_TYPES = {"f": "float", "u": "u32", "s": "i32", "b": "u32", "w": "u32"}
_KINDS = {"": "K_NONE", "f": "K_FLOAT", "u": "K_UNSIGNED", "s": "K_SIGNED", "b": "K_BITS", "w": "K_WORD"}
_CONDITIONS = ("<", "<=", ">", ">=", "==", "!=")
_READ = {
    ("f", 32): "as_float({0}_[i])",
    ("f", 16): "half_float({0}_[i])",
    ("u", 32): "{0}_[i]",
    ("u", 16): "{0}_[i]",
    ("b", 32): "{0}_[i]",
    ("b", 16): "{0}_[i]",
    ("w", 32): "{0}_[i]",
    ("w", 16): "{0}_[i]",
    ("s", 32): "(i32){0}_[i]",
    ("s", 16): "(i16){0}_[i]",
}


def generate() -> str:
    """The text of generated.c."""
    forms = {id(i.form): i.form for i in INSTRUCTIONS}
    names = {key: f"fields_{n}" for n, key in enumerate(forms)}
    lines = ['#include "alu.h"', ""]
    for form in forms.values():
        if form.finish:
            lines.append(f"void {form.finish}(Instruction *i, u64 word);")
    lines = list(dict.fromkeys(lines))
    for key, form in forms.items():
        lines += _fields(names[key], form)
    for instruction in INSTRUCTIONS:
        lines += _functions(instruction)
    lines += ["", "const Encoding encodings[] = {"]
    lines += [_encoding(i, names[id(i.form)]) for i in INSTRUCTIONS]
    lines += ["};", "const u32 encoding_count = COUNT(encodings);", "", "const Delays delays[] = {"]
    for d in DELAYS:
        for first, last in d.gpus:
            cycles = f"{d.alu}, {d.other}, {d.late}, {d.after_second}, {d.after_prede}"
            lines.append(f"   {{{first}, {last}, {cycles}, {int(d.all_late)}, {int(d.scalar)}}},")
    lines += ["};", "const u32 delays_count = COUNT(delays);", ""]
    return "\n".join(lines)


def pattern(instruction: Instruction) -> tuple[int, int]:
    """The mask and the value of an instruction's fixed bits."""
    mask = value = 0
    for (low, high), bits in {_TOP: instruction.category, **instruction.fixed}.items():
        field = (1 << (high - low + 1)) - 1
        assert bits <= field, (instruction.name, low, high)
        mask |= field << low
        value |= bits << low
    return mask, value


def _fields(name: str, form: Form) -> Iterator[str]:
    yield f"static void {name}(Instruction *i, u64 word)"
    yield "{"
    for member, (low, high) in form.fields.items():
        yield f"   i->{member} = {'SBITS' if member in form.signed else 'BITS'}(word, {low}, {high});"
    if form.finish:
        yield f"   {form.finish}(i, word);"
    yield "}"


def _identifier(instruction: Instruction) -> str:
    return re.sub(r"\W", "_", instruction.name)


def _functions(instruction: Instruction) -> Iterator[str]:
    if not instruction.expression:
        return
    for width in (32, 16):
        if instruction.run == "compare":
            for n, operator in enumerate(_CONDITIONS):
                expression = f"{instruction.expression}(a {operator} b)"
                yield from _function(f"{_identifier(instruction)}_{width}_{n}", instruction, expression, width)
        else:
            yield from _function(f"{_identifier(instruction)}_{width}", instruction, instruction.expression, width)


def _function(name: str, instruction: Instruction, expression: str, width: int) -> Iterator[str]:
    kind, result = instruction.kind, instruction.result or instruction.kind
    used = sorted(set(re.findall(r"\b[abc]\b", expression)))
    yield f"#define WIDTH {width}"
    yield f"#define ROUND(x) {'(x)' if width == 32 else 'half_float(half_bits(x))'}"
    yield f"static void {name}(u32 *d, const u32 *a_, const u32 *b_, const u32 *c_, u32 lanes)"
    yield "{"
    yield "   (void)a_, (void)b_, (void)c_;"
    yield "   for (u32 i = 0; i < lanes; i++) {"
    for source in used:
        yield f"      const {_TYPES[kind]} {source} = {_READ[kind, width].format(source)};"
    if result == "f":
        yield f"      d[i] = {'float' if width == 32 else 'half'}_bits({expression});"
    else:
        narrow = "(u16)" if width == 16 and not instruction.wide else "(u32)"
        yield f"      d[i] = {narrow}({expression});"
    yield "   }"
    yield "}"
    yield "#undef WIDTH"
    yield "#undef ROUND"


def _encoding(i: Instruction, fields: str) -> str:
    mask, value = pattern(i)
    own = _identifier(i)
    functions = ""
    if i.run == "compare":
        both = (", ".join(f"{own}_{width}_{n}" for n in range(6)) for width in (32, 16))
        functions = f".condition = {{{', '.join('{' + names + '}' for names in both)}}}, "
    elif i.expression:
        functions = f".alu = {{{own}_32, {own}_16}}, "
    result = _KINDS[i.result or i.kind]
    flag = i.flags[0] if i.flags else "PLAIN"
    return (
        f'   {{0x{mask:016x}, 0x{value:016x}, {fields}, {{"{i.name}", run_{i.run}, {functions}'
        f".category = {i.category}, .sources = {i.sources}, .kind = {_KINDS[i.kind]}, .result = {result}, "
        f".wide = {int(i.wide)}, .flag = {flag}, {_waits(i)}}}, {i.generations[0]}, {i.generations[1]}}},"
    )


def _waits(i: Instruction) -> str:
    own = rule(i.category, i.name)
    return (
        f".result_wait = {own.result}, .source_wait = {own.sources}, .constant_wait = {own.constants}, "
        f".waits = {int(own.waits)}, .barrier = {int(own.barrier)}, .cycle = {int(own.cycle)}, "
        f".late = {int(is_late(i.name))}"
    )
