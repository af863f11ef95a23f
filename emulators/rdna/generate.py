"""Generates C from AMD's pseudo-code in tinygrad's package: for each architecture tables of opcodes, and functions.

An instruction is in one of three lists: translated from the text, by hand (by_hand.py, memory.py), or not emulated.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from emulators.rdna import gfx9, gfx10
from emulators.rdna.by_hand import FLUSHES_DENORMALS, KEEPS_DENORMALS, OWN_CODE, READS_IN_PART, SATURATING, TEXTS
from emulators.rdna.memory import memory_opcode
from emulators.rdna.numbered import forms
from emulators.rdna.pseudocode import Translation
from emulators.rdna.values import Unsupported

_PACKAGE = "tinygrad.runtime.autogen.amd"
_VECTOR = ("VOP1", "VOP2", "VOPC", "VOP3", "VOP3SD", "VOP3P")
_SCALAR = ("SOP1", "SOP2", "SOPC", "SOPK", "SOPP")
_MEMORY = ("SMEM", "DS", "FLAT", "GLOBAL", "SCRATCH", "MUBUF", "MTBUF", "MIMG", "VSAMPLE")
_NUMBERED = {**gfx9.NUMBERS, **gfx10.NUMBERS}
_LIKE = {**gfx10.LIKE, **gfx9.LIKE}
# The architectures as tinygrad names them, and the forms that have another name there, or do not exist (""). gfx9 and
# gfx10 have their own numbers, and otherwise the semantics of the architecture that is named.
ARCHITECTURES: Mapping[str, Mapping[str, str]] = {
    **{name: {"of": "rdna3", "VSAMPLE": ""} for name in _NUMBERED},
    "rdna3": {"VSAMPLE": ""},
    "rdna4": {
        "FLAT": "VFLAT", "GLOBAL": "VGLOBAL", "SCRATCH": "VSCRATCH", "MUBUF": "VBUFFER", "MTBUF": "", "MIMG": "VIMAGE",
    },
}  # fmt: skip
_SOURCES = (("src0", "vsrc0", "ssrc0"), ("src1", "vsrc1", "ssrc1"), ("src2",))
_READS_RESULT = ("FMAC", "V_MAC_", "DOT2ACC", "DOT2C", "DOT4C")
# The opcodes of pairs (VOPD), by number: the instruction of each. "RDNA3" ISA, 15.3.
_PAIRS = {
    0: "V_FMAC_F32", 1: "V_FMAAK_F32", 2: "V_FMAMK_F32", 3: "V_MUL_F32", 4: "V_ADD_F32", 5: "V_SUB_F32", 6: "V_SUBREV_F32",
    7: "V_MUL_DX9_ZERO_F32", 8: "V_MOV_B32", 9: "V_CNDMASK_B32", 10: "V_MAX_{NUM_}F32", 11: "V_MIN_{NUM_}F32",
    12: "V_DOT2ACC_F32_F16", 16: "V_ADD_NC_U32", 17: "V_LSHLREV_B32", 18: "V_AND_B32",
}  # fmt: skip


@dataclass(slots=True)
class Semantics:
    """The execution of an instruction: C functions, and the flags that they need."""

    run: str
    function: str = ""
    flags: tuple[str, ...] = ()
    how: str = "translated"


class Generator:
    """The opcodes of one architecture. `functions`: those of other architectures, by name; equal ones are shared."""

    def __init__(self, architecture: str = "rdna3", functions: dict[str, str] | None = None) -> None:
        own = ARCHITECTURES[architecture]
        package = f"{_PACKAGE}.{own.get('of', architecture)}"
        enum = importlib.import_module(f"{package}.enum")
        self._texts: Mapping[Any, str] = importlib.import_module(f"{package}.str_pcode").PCODE
        self._operands: Mapping[Any, Any] = importlib.import_module(f"{package}.operands").OPERANDS
        named = {form: own.get(form, form) for form in (*_SCALAR, *_VECTOR, *_MEMORY)}
        self._forms: dict[str, list[Any]] = {form: list(getattr(enum, f"{name}Op")) for form, name in named.items() if name}
        self._of_name = {plain_name(op): text for op, text in self._texts.items()}
        if "of" in own:
            self._renumber(architecture)
        self._known: dict[tuple[str, bool], Semantics] = {}
        self._memory: dict[str, str] = {}
        self._architecture = architecture
        self._functions = {} if functions is None else functions
        self.not_emulated: dict[str, str] = {}

    def _renumber(self, architecture: str) -> None:
        """Opcodes with other numbers: their semantics are found by name, in the same form or in another one."""
        known = {plain_name(op): op for ops in self._forms.values() for op in ops}
        texts, operands = dict(self._texts), dict(self._operands)
        for form, ops in forms(_NUMBERED[architecture]).items():
            same = known | {plain_name(op): op for op in self._forms[form]}
            for op in ops:
                like = same.get(_LIKE.get(op.name, op.name))
                operands[op] = operands.get(like, {})
                texts[op] = texts.get(same.get(op.name), "")
            self._forms[form] = ops
        self._texts, self._operands = texts, operands

    def tables(self) -> Iterator[str]:
        """The lines of the architecture's tables; the last one is the table of the forms."""
        for form in self._forms:
            yield from self._table(form)
        named = {plain_name(op): (form, op.value) for form in ("VOP1", "VOP2") for op in self._forms[form]}
        pairs = {n: named.get(name.format(NUM_="")) or named.get(name.format(NUM_="NUM_")) for n, name in _PAIRS.items()}
        yield f"const Opcodes opcodes_of_{self._architecture} = {{"
        yield from (
            f"   .of[{form}] = {self._name(form)}, .count[{form}] = COUNT({self._name(form)})," for form in self._forms
        )
        yield from (f"   .pairs[{n}] = &{self._name(at[0])}[{at[1]}]," for n, at in pairs.items() if at)
        yield "};"

    def _name(self, form: str) -> str:
        return f"{self._architecture}_{form.lower()}"

    def lists(self) -> dict[str, list[str]]:
        """The names of all instructions by how they are emulated."""
        list(self.tables())
        found: dict[str, list[str]] = {"translated": [], "by hand": [], "not emulated": sorted(self.not_emulated)}
        for (name, _), semantics in sorted(self._known.items()):
            found[semantics.how].append(name)
        for name, how in sorted(self._memory.items()):
            found[how].append(name)
        return found

    def _table(self, form: str) -> Iterator[str]:
        rows = [row for op in self._forms[form] if (row := self._row(form, op))]
        yield f"static const Opcode {self._name(form)}[] = {{"
        yield from rows
        yield "};"

    def _row(self, form: str, op: Any) -> str:
        name = plain_name(op)
        if form in _MEMORY:
            members = memory_opcode(form, name)
            self._memory[name] = "not emulated" if "run_unknown" in members else "by hand"
            return f'   [{op.value}] = {{"{name}", {members}}},'
        semantics = self._semantics(form, op, name)
        if not semantics:
            return f'   [{op.value}] = {{"{name}", .run = run_unknown}},'
        widths = [(32, 0)] if name == "S_CVT_HI_F32_F16" else []  # whose half is the upper one
        widths += [self._operand(op, *names) for names in _SOURCES[len(widths) :]]
        result = self._operand(op, "vdst", "sdst")
        flags = [*semantics.flags, *_flags(form, name)]
        if any(kind[0].name.endswith("_I64") for kind in self._operands.get(op, {}).values()):
            flags.append("SIGNED_LITERAL")
        if self._architecture in gfx9.NUMBERS and result[0] == 16 and name not in gfx9.KEEPS_UPPER_HALF:
            flags.append("ZEROES_UPPER_HALF")
        own = f".lanes = {semantics.function}, " if form in _VECTOR and semantics.function else ""
        own += f".saturated = saturated_{name.lower()}, " if form in _VECTOR and name in SATURATING else ""
        own = f".scalar = {semantics.function}, " if form in _SCALAR and semantics.function else own
        return (
            f'   [{op.value}] = {{"{name}", run_{semantics.run}, {own}.sources = {sum(bool(w) for w, _ in widths)}, '
            f".bits = {{{', '.join(str(min(w, 64)) for w, _ in widths)}}}, .result = {min(result[0], 64)}, "
            f".real = {{{', '.join(str(r) for _, r in widths)}}}, .real_result = {result[1]}, "
            f".flags = {' | '.join(dict.fromkeys(flags)) or 0}}},"
        )

    def _operand(self, op: Any, *names: str) -> tuple[int, int]:
        """The number of bits, and whether it is a float."""
        own = self._operands.get(op, {})
        for name in names:
            if name in own:
                return own[name][1], int(bool(re.search(r"_B?F\d+$", own[name][0].name)))
        return 0, 0

    def _semantics(self, form: str, op: Any, name: str) -> Semantics | None:
        lanes = form in _VECTOR
        if (name, lanes) not in self._known:
            try:
                self._known[name, lanes] = self._make(name, self._text_of(form, op, name), lanes)
            except Unsupported as error:
                self.not_emulated[name] = str(error)
        return self._known.get((name, lanes))

    def _text_of(self, form: str, op: Any, name: str) -> str:
        text = self._texts.get(op) or self._of_name.get(name, "")
        constant = form == "SOPK" and "SIMM16" not in text  # the newer texts call it S0
        return text.replace("S0", "SIMM16") if constant else text

    def _make(self, name: str, source: str, lanes: bool) -> Semantics:
        if name in OWN_CODE:
            return Semantics(OWN_CODE[name], how="by hand")
        function = f"{'lanes' if lanes else 'scalar'}_{name.lower()}"
        if lanes and name in SATURATING:
            self._add(f"saturated_{name.lower()}", _saturating(name))
        if name in TEXTS:
            text, reason = TEXTS[name]
            if not text:
                raise Unsupported(reason)
            if not lanes:
                return Semantics("scalar", self._add(function, _scalar_function(function, text)), how="by hand")
            function = self._add(function, _lane_function(function, text, "bits" if "bit" in text else ""))
            reads = ("READS_CARRY", "carry" in text), ("READS_RESULT", any(part in name for part in _READS_RESULT))
            return Semantics("vector", function, tuple(flag for flag, has in reads if has), "by hand")
        if not source:
            raise Unsupported("no pseudo-code")
        done = Translation(source, lanes)
        if not lanes:
            return Semantics("scalar", self._add(function, _scalar_function(function, done.text)))
        output = "bits" if done.sets_bit or done.sets_carry else ""
        function = self._add(function, _lane_function(function, done.text, output))
        read = done.reads_result or any(part in name for part in _READS_RESULT)
        flags = (read and "READS_RESULT", done.sets_carry and "SETS_CARRY", done.reads_carry and "READS_CARRY")
        return Semantics("vector", function, tuple(flag for flag in flags if flag))

    def _add(self, name: str, text: str) -> str:
        """The name of a function with this body: a new one if a function of this name has another body."""
        own = name
        if self._functions.get(name, text) != text:
            own = f"{name}_{self._architecture}"
            text = text.replace(f" {name}(", f" {own}(", 1)
        self._functions[own] = text
        return own


def plain_name(op: Any) -> str:
    """The name without the form that some names end with."""
    return re.sub("_(E32|E64)$", "", str(op.name))


def inputs() -> str:
    """What the text depends on besides this folder."""
    try:
        return importlib.metadata.version("tinygrad")
    except importlib.metadata.PackageNotFoundError:
        return ""


def generate() -> str:
    """The text of generated.c."""
    functions: dict[str, str] = {}
    tables = [line for name in ARCHITECTURES for line in Generator(name, functions).tables()]
    return "\n".join(['#include "primitives.h"', "", *functions.values(), "", *tables, ""])


def _flags(form: str, name: str) -> Iterator[str]:
    if form in _SCALAR and re.search(r"_F(16|32)", name):
        yield "SCALAR_REAL"
    if form == "VOP3SD":
        yield "SETS_CARRY"
    if name.startswith("V_S_"):
        yield "SCALAR_RESULT"
    if name.startswith("V_CMPX_"):
        yield "COMPARES_EXEC"
    elif name.startswith("V_CMP_"):
        yield "COMPARES"
    if form == "VOP3P":
        yield "PRODUCTS" if name.startswith("V_DOT") else "PACKED"
    if name.startswith("V_PK_") and name.endswith("_F16"):
        yield "PACKED_FLOAT"
    if name.startswith("V_CNDMASK") or "_CO_CI_" in name:
        yield "CARRY_IN_SOURCE"
    if name.startswith(KEEPS_DENORMALS):
        yield "KEEPS_DENORMALS"
    if name in FLUSHES_DENORMALS:
        yield "FLUSHES_DENORMALS"
    if name in READS_IN_PART:
        yield READS_IN_PART[name]


def _lane_function(function: str, text: str, output: str) -> str:
    used = [f"u64 {v} = o->{v.lower()}[lane]; " for v in ("S0", "S1", "S2") if re.search(rf"\b{v}\b", text)]
    result = bool(re.search(r"\bD0\b", text))
    head = "".join(used) + ("u64 D0 = o->d[lane]; " if result else "")
    head += "u64 carry = o->carry >> lane & 1; " if re.search(r"\bcarry\b", text) else ""
    head += "u64 SIMM32 = o->literal; " if "SIMM32" in text else ""
    head += "u64 M0_ = o->m0; " if re.search(r"\bM0\b", text) else ""
    head += "bool ieee = o->ieee; " if re.search(r"\bieee\b", text) else ""
    head += "u64 bit = 0; " if output else ""
    tail = ("o->d[lane] = D0; " if result else "") + ("out |= (bit & 1) << lane; " if output else "")
    before, after = ("u64 out = 0; ", "o->bits = out; ") if output else ("", "")
    loop = f"for (u32 lane = 0; lane < o->lanes; lane++) {{ {head}{text} {tail}}}"
    return f"static void {function}(Operands *o) {{ {before}{loop} {after}}}"


def _scalar_function(function: str, text: str) -> str:
    names = {
        "S0": "s0", "S1": "s1", "D0": "d", "EXEC": "exec", "SIMM32": "literal", "SIMM16": "constant",
        "M0": "m0", "SCC": "scc",
    }  # fmt: skip
    head = "".join(f"u64 {n} = (u64)o->{m}; " for n, m in names.items() if re.search(rf"\b{n}\b", text))
    head += "bool ieee = o->ieee; " if re.search(r"\bieee\b", text) else ""
    tail = "".join(
        f"o->{names[n]} = {'(u32)' if n == 'SCC' else ''}{n}; "
        for n in ("D0", "EXEC", "SCC")
        if re.search(rf"\b{n}\b", text)
    )
    return f"static void {function}(Scalars *o) {{ {head}{text} {tail}}}"


def _saturating(name: str) -> str:
    """The same instruction with `clamp`; a packed one clamps each half."""
    kind, exact = SATURATING[name]
    top, bottom = {
        "u32": ("UINT32_MAX", "0"),
        "i32": ("INT32_MAX", "INT32_MIN"),
        "u16": ("UINT16_MAX", "0"),
        "i16": ("INT16_MAX", "INT16_MIN"),
    }[kind]
    one = f"i64 e = {exact}, r = e > {top} ? {top} : e < {bottom} ? {bottom} : e; "
    if "_PK_" in name:
        step = "n++, S0 >>= 16, S1 >>= 16, S2 >>= 16"
        loop = f"u64 D = 0; for (u32 n = 0; n < 2; {step}) {{ {one}D |= (u64)(u16)r << 16 * n; }} D0 = D;"
        return _lane_function(f"saturated_{name.lower()}", f"(void)S2; {loop}", "")
    carries = "_CO_" in name  # set if the sum is out of bounds
    bit = f"bit = e > {top} || e < {bottom}; " if carries else ""
    return _lane_function(f"saturated_{name.lower()}", f"{one}{bit}D0 = (u{kind[1:]})r;", "bits" if carries else "")
