"""The instructions of Gen12's execution units that are emulated: encoding, semantics.

Encodings: Intel's Tiger Lake reference manual, volume 7 ("EU ISA"), as Mesa's brw_eu_inst.h and brw_eu_defines.h have
them. What an instruction does is one C expression for integers, one for real numbers, or a function of alu.c, flow.c or
send.c. Numbers in brackets are the assumptions of docs/emulation.md.

In an expression a, b and c are the sources after their modifiers: integers as i64, extended by their own types; real
numbers as doubles. WIDTH has the bits of the first source's type, LOW(x) is x in WIDTH bits without a sign. The result
is exact: it is saturated, compared and rounded afterwards, once, to the destination's type. FMA rounds as its type does.

One file: it is one table, read beside the manual's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

Bits = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Form:
    """The operands of a group of encodings: member of struct Instruction -> its bits, lowest and highest.

    `signed` names the members whose value has a sign, `finish` a function of decode.c for what is more than a field.
    """

    fields: Mapping[str, Bits]
    finish: str
    signed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, by the seven lowest bits of its word."""

    opcode: int
    name: str
    form: Form
    run: str = "alu"
    integer: str = ""  # what it computes for integers
    real: str = ""
    logic: bool = False  # a source's "negate" is "not"
    sources: int = 0
    conditional: bool = True  # bits 92 to 95 are a condition
    since: str = "GEN9"
    until: str = "GEN125"


def _sources(expression: str) -> int:
    return len(set(re.findall(r"\b[abc]\b", expression)))


# ---- operands

_COMMON = {
    "swsb": (8, 15), "size": (16, 18), "nibble": (19, 19), "quarter": (20, 21), "flag_half": (22, 22), "flag": (23, 23),
    "predicate": (24, 27), "inverted": (28, 28), "no_mask": (31, 31), "condition": (92, 95),
}  # fmt: skip
_RESULT = {"accumulates": (33, 33), "saturate": (34, 34)}
_DESTINATION = {
    "dst.indirect": (35, 35), "dst.type": (36, 39), "dst.horizontal": (48, 49), "dst.file": (50, 50), "dst.sub": (51, 55),
    "dst.number": (56, 63),
}  # fmt: skip
_SOURCE0 = {
    "src[0].type": (40, 43), "src[0].absolute": (44, 44), "src[0].negate": (45, 45), "src[0].immediate": (46, 46),
    "src[0].horizontal": (64, 65), "src[0].file": (66, 66), "src[0].sub": (67, 71), "src[0].number": (72, 79),
    "src[0].indirect": (80, 80), "src[0].width": (81, 83), "src[0].vertical": (84, 87),
}  # fmt: skip
_SOURCE1 = {
    "src[1].immediate": (47, 47), "src[1].type": (88, 91), "src[1].horizontal": (96, 97), "src[1].file": (98, 98),
    "src[1].sub": (99, 103), "src[1].number": (104, 111), "src[1].indirect": (112, 112), "src[1].width": (113, 115),
    "src[1].vertical": (116, 119), "src[1].absolute": (120, 120), "src[1].negate": (121, 121),
}  # fmt: skip
# Of three sources: one bit says of all whether they are real numbers, and regions are two strides.
_THREE = {
    "real": (39, 39), "dst.type": (36, 38), "dst.horizontal": (48, 48), "dst.file": (50, 50), "dst.sub": (54, 55),
    "dst.number": (56, 63),
    "src[0].type": (40, 42), "src[0].absolute": (44, 44), "src[0].negate": (45, 45), "src[0].immediate": (46, 46),
    "src[0].horizontal": (64, 65), "src[0].file": (66, 66), "src[0].sub": (67, 71), "src[0].number": (72, 79),
    "src[1].type": (88, 90), "src[1].absolute": (86, 86), "src[1].negate": (87, 87), "src[1].horizontal": (96, 97),
    "src[1].file": (98, 98), "src[1].sub": (99, 103), "src[1].number": (104, 111),
    "src[2].type": (80, 82), "src[2].absolute": (84, 84), "src[2].negate": (85, 85), "src[2].immediate": (47, 47),
    "src[2].horizontal": (112, 113), "src[2].file": (114, 114), "src[2].sub": (115, 119), "src[2].number": (120, 127),
}  # fmt: skip
_SEND = {
    "function": (92, 95), "ends": (34, 34), "dst.file": (50, 50), "dst.number": (56, 63), "src[0].file": (66, 66),
    "src[0].number": (72, 79), "src[1].file": (98, 98), "src[1].number": (104, 111), "descriptor_a0": (48, 48),
    "extended_a0": (49, 49), "extended_sub": (40, 42), "bindless_offset": (39, 39),
}  # fmt: skip

TWO = Form({**_COMMON, **_RESULT, **_DESTINATION, **_SOURCE0, **_SOURCE1}, "finish_two")
THREE = Form({**_COMMON, **_RESULT, **_THREE}, "finish_three")
# Three sources, with a table for their bits: eight bits, in the place of a condition and modifiers.
TABLE = Form({name: at for name, at in THREE.fields.items() if name not in ("condition", "src[1].negate", "src[1].absolute",
              "src[2].negate", "src[2].absolute")}, "finish_table")  # fmt: skip
BRANCH = Form({**_COMMON, "uip": (64, 95), "jip": (96, 127)}, "finish_branch", ("uip", "jip"))
SEND = Form({**_COMMON, **_SEND}, "finish_send")
SYNC = Form({**_COMMON, "src[0].immediate": (46, 46), "wanted": (96, 127)}, "finish_sync")

# ---- semantics


def _one(opcode: int, name: str, integer: str = "", real: str = "", run: str = "alu", logic: bool = False) -> Instruction:
    return Instruction(opcode, name, TWO, run, integer, real, logic, 1)


def _two(opcode: int, name: str, integer: str = "", real: str = "", run: str = "alu", logic: bool = False) -> Instruction:
    return Instruction(opcode, name, TWO, run, integer, real, logic, 2)


def _three(opcode: int, name: str, integer: str = "", real: str = "", run: str = "alu") -> Instruction:
    return Instruction(opcode, name, THREE, run, integer, real, False, 3)


def _flow(opcode: int, name: str) -> Instruction:
    return Instruction(opcode, name, BRANCH, name, conditional=False)


INSTRUCTIONS = (
    Instruction(1, "sync", SYNC, "sync", conditional=False),
    Instruction(96, "nop", SYNC, "nop", conditional=False),
    _flow(32, "jmpi"),
    _flow(34, "if"),
    _flow(36, "else"),
    _flow(37, "endif"),
    _flow(39, "while"),
    _flow(40, "break"),
    _flow(41, "cont"),
    _flow(42, "halt"),
    Instruction(49, "send", SEND, "send", conditional=False),
    Instruction(50, "sendc", SEND, "send", conditional=False),
    Instruction(56, "math", TWO, "math", sources=2, conditional=False),
    # moves and comparisons
    _one(97, "mov", "a", "a", "move"),
    _two(98, "sel", run="select"),
    _two(112, "cmp", run="compare"),
    _two(113, "cmpn", run="compare"),
    _three(114, "csel", run="select_by"),
    # bits
    _one(100, "not", "~a", logic=True),
    _two(101, "and", "a & b", logic=True),
    _two(102, "or", "a | b", logic=True),
    _two(103, "xor", "a ^ b", logic=True),
    _two(104, "shr", "(i64)(LOW(a) >> (b & SHIFT))"),
    _two(105, "shl", "(i64)((u64)a << (b & SHIFT))"),
    _two(108, "asr", "a >> (b & SHIFT)"),
    _two(110, "ror", "rotate(LOW(a), -b & (WIDTH - 1), WIDTH)"),
    _two(111, "rol", "rotate(LOW(a), b & (WIDTH - 1), WIDTH)"),
    _one(119, "bfrev", "__builtin_bitreverse32((u32)a)"),
    _three(120, "bfe", run="bfe"),
    _two(121, "bfi1", "(u32)((1u << (a & 31)) - 1) << (b & 31)"),
    # b begins at the field's lowest bit: brw has it for nir_op_bfi (brw_fs_nir.cpp), which says so.
    Instruction(107, "bfn", TABLE, "bfn", sources=3, conditional=False, since="GEN125"),
    _three(122, "bfi2", "(a & (i64)((u64)b * (u64)(a & -a))) | (~a & c)"),
    _one(74, "lzd", "(u32)a ? __builtin_clz((u32)a) : 32"),
    _one(75, "fbh", run="fbh"),
    _one(76, "fbl", "(u32)a ? __builtin_ctz((u32)a) : -1"),
    _one(77, "cbit", "__builtin_popcountll(LOW(a))"),
    # sums and products
    _two(64, "add", "a + b", "a + b"),
    _two(65, "mul", "(i64)((u64)a * (u64)b)", "a * b"),
    _two(66, "avg", "(a + b + 1) >> 1"),
    _one(67, "frc", real="fraction(a, WIDTH)"),
    _one(68, "rndu", real="ceil(a)"),
    _one(69, "rndd", real="floor(a)"),
    _one(70, "rnde", real="__builtin_roundeven(a)"),
    _one(71, "rndz", real="trunc(a)"),
    _three(82, "add3", "a + b + c"),
    _three(91, "mad", "a + (i64)((u64)b * (u64)c)", "FMA(b, c, a)"),
    # Rounded once [I10].
    Instruction(92, "lrp", THREE, real="a * b + (1 - a) * c", sources=3, until="GEN9"),
    _three(88, "dp4a", run="dp4a"),
    # instructions that use the accumulator
    _two(73, "mach", run="mach"),
    _two(78, "addc", run="carry"),
    _two(79, "subb", run="carry"),
)

# The functions of `math`, by their numbers. They are correctly rounded; the hardware's are not [I1].
MATH = {
    1: ("inv", "1 / a"), 2: ("log", "log2(a)"), 3: ("exp", "exp2(a)"), 4: ("sqt", "sqrt(a)"), 5: ("rsqt", "1 / sqrt(a)"),
    6: ("sin", "sin(a)"), 7: ("cos", "cos(a)"), 9: ("fdiv", "a / b"), 10: ("pow", "pow(fabs(a), b)"),
    12: ("intdiv", "b ? a / b : -1"), 13: ("intmod", "b ? a % b : a"),
}  # fmt: skip
INTEGER_MATH = (12, 13)
