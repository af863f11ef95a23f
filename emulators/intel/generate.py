"""Generates C from instructions.py and compaction.py: how each form is decoded, a function for each expression."""

from __future__ import annotations

import re
from collections.abc import Iterator

from emulators.intel import compaction, older
from emulators.intel.instructions import INSTRUCTIONS, INTEGER_MATH, MATH, Form, Instruction

_TYPES = {"integer": "i64", "real": "double"}
_MEMBERS = {"integer": "i", "real": "d"}


def generate() -> str:
    """The text of generated.c."""
    lines = ['#include "alu.h"', ""]
    forms = {id(i.form): i.form for i in INSTRUCTIONS}
    names = {key: f"fields_{n}" for n, key in enumerate(forms)}
    for key, form in forms.items():
        lines += _fields(names[key], form)
    for i in INSTRUCTIONS:
        for kind, expression in (("integer", i.integer), ("real", i.real)):
            if expression:
                lines += _function(f"{kind}_{i.name}", kind, expression)
    for number, (name, expression) in MATH.items():
        lines += _function(f"math_{name}", "integer" if number in INTEGER_MATH else "real", expression)
    lines += ["", "const Opcode opcodes[128] = {", *(_opcode(i, names[id(i.form)]) for i in INSTRUCTIONS), "};"]
    lines += ["const MathFunction math_functions[16] = {"]
    for number, (name, expression) in MATH.items():
        integers = int(number in INTEGER_MATH)
        sources = 2 if re.search(r"\bb\b", expression) else 1
        lines.append(f'   [{number}] = {{"{name}", math_{name}, {sources}, {integers}}},')
    lines += ["};", *compaction.generate(), *older.generate(), "const Expansion expansions[GENERATIONS] = {"]
    generations = (*older.TYPES, *compaction.GENERATIONS)
    lines += [f"   [{name}] = {{two_{name}, source1_{name}, three_{name}}}," for name in generations]
    lines += ["};", ""]
    return "\n".join(lines)


def _fields(name: str, form: Form) -> Iterator[str]:
    yield f"static void {name}(Instruction *i, const u64 *w)"
    yield "{"
    for member, (low, high) in form.fields.items():
        assert low // 64 == high // 64, member
        field = f"BITS(w[{low // 64}], {low % 64}, {high % 64})"
        yield f"   i->{member} = {'(i32)' if member in form.signed else ''}{field};"
    yield f"   {form.finish}(i, w);"
    yield "}"


def _function(name: str, kind: str, expression: str) -> Iterator[str]:
    member = _MEMBERS[kind]
    yield f"static void {name}(Vector *r, const Vector *a_, const Vector *b_, const Vector *c_, u32 n, u32 WIDTH)"
    yield "{"
    yield "   (void)a_, (void)b_, (void)c_, (void)WIDTH;"
    yield "   for (u32 k = 0; k < n; k++) {"
    for source in sorted(set(re.findall(r"\b[abc]\b", expression))):
        yield f"      const {_TYPES[kind]} {source} = {source}_->{member}[k];"
    yield f"      r->{member}[k] = {expression};"
    yield "   }"
    yield "}"


def _opcode(i: Instruction, fields: str) -> str:
    flow = int(i.run == i.name and 32 <= i.opcode <= 42)
    integer, real = (f"{kind}_{i.name}" if text else "NULL" for kind, text in (("integer", i.integer), ("real", i.real)))
    return (
        f'   [{i.opcode}] = {{"{i.name}", {fields}, run_{i.run}, {integer}, {real}, .sources = {i.sources}, '
        f".logic = {int(i.logic)}, .conditional = {int(i.conditional)}, .flow = {flow}, "
        f".since = {i.since}, .until = {i.until}}},"
    )
