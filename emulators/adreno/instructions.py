"""The instructions of a6xx and a7xx shaders that are emulated: encoding, semantics, source.

The encoding of each entry is in Mesa's src/freedreno/isa/ir3-catN.xml, where N is its category. What an entry does is
one C expression, or the name of a function of flow.c, moves.c, memory_access.c or texture.c. Numbers in brackets are
the assumptions of docs/emulation.md.

In an expression a, b and c are the sources in the type that `kind` says: f (float; halves are computed as floats, and
rounded once), u and s (32 bits; of a half source 16 bits, extended), b (bits, unsigned; "neg" means "not"), w (bits;
"neg" is that of a float). WIDTH is 16 or 32. ROUND rounds to the width of the sources. The result has the type
`result`, or the sources' type if that is empty.

One file: it is one table, read beside Mesa's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Bits = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Form:
    """The operands of a group of encodings: member of struct Instruction -> its bits, lowest and highest.

    `signed` names the members whose value has a sign. `finish` is a function of decode.c for what is more than a field.
    """

    fields: Mapping[str, Bits]
    finish: str = ""
    signed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. `fixed`: bits -> their value, besides the three bits of the category at the top."""

    name: str
    category: int
    fixed: Mapping[Bits, int]
    form: Form
    run: str = "alu"
    kind: str = ""
    expression: str = ""
    result: str = ""
    sources: int = 0
    wide: bool = False  # the result has 32 bits, whatever the sources have
    generations: tuple[int, int] = (600, 799)
    flags: tuple[str, ...] = field(default_factory=tuple)


def _sources(expression: str) -> int:
    return len(set(re.findall(r"\b[abc]\b", expression)))


_FLAGS = {"jp": (59, 59), "sy": (60, 60)}
_SS = _FLAGS | {"ss": (44, 44)}

# ---- category 0: control flow

_JUMP = Form(_SS | {"offset": (0, 31), "repeat": (40, 42)}, signed=("offset",))
_BRANCH = Form(
    _SS | {"offset": (0, 31), "inverted": (52, 52), "predicate": (53, 54), "inverted2": (45, 45), "predicate2": (46, 47)},
    signed=("offset",),
)


def _flow(opcode: int, high: int, name: str, run: str = "") -> Instruction:
    return Instruction(name, 0, {(55, 58): opcode, (49, 49): high}, _JUMP, run or name)


def _branch(kind: int, name: str) -> Instruction:
    return Instruction(name, 0, {(55, 58): 1, (49, 49): 0, (37, 39): kind}, _BRANCH, "branch", flags=(name.upper(),))


CAT0 = (
    _flow(0, 0, "nop"),
    _flow(2, 0, "jump"),
    _flow(6, 0, "end"),
    _flow(4, 1, "getlast"),
    _flow(5, 1, "getone"),
    _flow(7, 1, "shps"),
    _flow(8, 1, "shpe"),
    _flow(13, 1, "predt", "predicate"),
    _flow(14, 1, "predf", "predicate"),
    _flow(15, 1, "prede", "predicate"),
    _branch(0, "br"),
    _branch(1, "brao"),
    _branch(2, "braa"),
    _branch(4, "bany"),
    _branch(5, "ball"),
)

# ---- category 1: moves and conversions

_TYPED = _SS | {"dst": (32, 39), "type": (46, 48), "src_type": (50, 52), "round": (55, 56)}
_MOVE = Form(_TYPED | {"repeat": (40, 41), "dst_relative": (49, 49)}, "finish_move")
_MULTI = Form(_TYPED, "finish_multi")

CAT1 = (
    # With bit 31 and a register it is movs (26.2.6, GPUs with a scalar unit): from the lane that bits 23 to 29 name,
    # or with bit 30 from the lane a0.x.
    Instruction("mov", 1, {(57, 58): 0}, _MOVE, "move"),
    Instruction("swz", 1, {(57, 58): 2, (40, 41): 0}, _MULTI, "multi", flags=("SWZ",)),
    Instruction("gat", 1, {(57, 58): 2, (40, 41): 1}, _MULTI, "multi", flags=("GAT",)),
    Instruction("sct", 1, {(57, 58): 2, (40, 41): 2}, _MULTI, "multi", flags=("SCT",)),
    Instruction("movmsk", 1, {(57, 58): 3}, Form(_SS | {"dst": (32, 39), "size": (40, 41)}, "finish_movmsk"), "movmsk"),
)

# ---- category 2: one or two sources

_RESULT = _SS | {"dst": (32, 39), "repeat": (40, 41)}
_CAT2 = Form(_RESULT | {"saturate": (42, 42), "halve": (47, 47), "condition": (48, 50)}, "finish_cat2")


def _alu2(opcode: int, name: str, kind: str, expression: str, result: str = "", wide: bool = False) -> Instruction:
    return Instruction(name, 2, {(53, 58): opcode}, _CAT2, "alu", kind, expression, result, _sources(expression), wide)


def _compare(opcode: int, name: str, kind: str) -> Instruction:
    # cmpv returns all bits set, as a comparison of OpenCL's vectors does.
    true = "-(u32)" if name.startswith("cmpv") else "(u32)"
    return Instruction(name, 2, {(53, 58): opcode}, _CAT2, "compare", kind, true, "u", 2, True)


CAT2 = (
    _alu2(0, "add.f", "f", "a + b"),
    _alu2(1, "min.f", "f", "min_float(a, b)"),
    _alu2(2, "max.f", "f", "max_float(a, b)"),
    _alu2(3, "mul.f", "f", "a * b"),
    _alu2(4, "sign.f", "f", "a > 0 ? 1.f : a < 0 ? -1.f : a == a ? a : 0.f"),  # [1]
    _compare(5, "cmps.f", "f"),
    _alu2(6, "absneg.f", "f", "a"),
    _compare(7, "cmpv.f", "f"),
    _alu2(9, "floor.f", "f", "floorf(a)"),
    _alu2(10, "ceil.f", "f", "ceilf(a)"),
    _alu2(11, "rndne.f", "f", "rintf(a)"),
    _alu2(12, "rndaz.f", "f", "roundf(a)"),
    _alu2(13, "trunc.f", "f", "truncf(a)"),
    _alu2(16, "add.u", "u", "a + b"),
    _alu2(17, "add.s", "s", "a + b"),
    _alu2(18, "sub.u", "u", "a - b"),
    _alu2(19, "sub.s", "s", "a - b"),
    _compare(20, "cmps.u", "u"),
    _compare(21, "cmps.s", "s"),
    _alu2(22, "min.u", "u", "a < b ? a : b"),
    _alu2(23, "min.s", "s", "a < b ? a : b"),
    _alu2(24, "max.u", "u", "a > b ? a : b"),
    _alu2(25, "max.s", "s", "a > b ? a : b"),
    _alu2(26, "absneg.s", "s", "a"),
    _alu2(28, "and.b", "b", "a & b"),
    _alu2(29, "or.b", "b", "a | b"),
    _alu2(30, "not.b", "b", "~a"),
    _alu2(31, "xor.b", "b", "a ^ b"),
    _compare(33, "cmpv.u", "u"),
    _compare(34, "cmpv.s", "s"),
    _alu2(48, "mul.u24", "u", "(a & 0xffffff) * (b & 0xffffff)", wide=True),
    _alu2(49, "mul.s24", "s", "(i32)((u32)signed24(a) * (u32)signed24(b))", wide=True),
    _alu2(50, "mull.u", "u", "(a & 0xffff) * (b & 0xffff)", wide=True),
    Instruction("bfrev.b", 2, {(53, 58): 51}, _CAT2, "reverse", "b", sources=1),  # [2]
    _alu2(52, "clz.s", "s", "leading_zeros(a < 0 ? ~a : a, WIDTH)", "s"),
    _alu2(53, "clz.b", "b", "leading_zeros(a, WIDTH)", "s"),
    _alu2(54, "shl.b", "b", "a << (b & (WIDTH - 1))"),
    _alu2(55, "shr.b", "b", "a >> (b & (WIDTH - 1))"),
    # Its result is zero-extended, as for all .b instructions (src/freedreno/ir3/ir3.h, ir3_output_conv_type).
    _alu2(56, "ashr.b", "b", "extend(a, WIDTH) >> (b & (WIDTH - 1))"),
    Instruction("bary.f", 2, {(53, 58): 57, (50, 50): 0}, _CAT2, "interpolate", "f", sources=2),
    _alu2(58, "mgen.b", "b", "((1u << (a & 31)) - 1) << (b & 31)"),
    _alu2(59, "getbit.b", "b", "a >> (b & (WIDTH - 1)) & 1"),
    _alu2(61, "cbits.b", "b", "__builtin_popcount(a)"),
)

# ---- category 3: three sources

_CAT3 = Form(_RESULT | {"saturate": (42, 42)}, "finish_cat3")
_CAT3_ALT = Form(_RESULT | {"saturate": (42, 42)}, "finish_cat3_alt")
_DOT = Form(_RESULT | {"saturate": (42, 42), "mixed": (14, 14), "packed": (30, 30)}, "finish_dot")


def _alu3(opcode: int, name: str, kind: str, expression: str, half: bool = False, wide: bool = False) -> Instruction:
    fixed = {(55, 58): opcode, (13, 13): 0}
    return Instruction(name, 3, fixed, _CAT3, "alu", kind, expression, "", 3, wide, flags=("HALF",) * half)


def _alt(opcode: int, name: str, expression: str) -> Instruction:
    return Instruction(name, 3, {(55, 58): opcode, (13, 13): 1}, _CAT3_ALT, "alu", "b", expression, "", 3)


CAT3 = (
    _alu3(0, "mad.u16", "u", "a * b + c", half=True),
    _alu3(1, "madsh.u16", "u", "((a & 0xffff) * (b & 0xffff) << 16) + c"),
    _alu3(2, "mad.s16", "s", "a * b + c", half=True),
    _alu3(3, "madsh.m16", "u", "((a & 0xffff) * (b >> 16) << 16) + c"),  # [3]
    _alu3(4, "mad.u24", "u", "(a & 0xffffff) * (b & 0xffffff) + c"),
    _alu3(5, "mad.s24", "s", "(i32)((u32)signed24(a) * (u32)signed24(b) + (u32)c)"),
    _alu3(6, "mad.f16", "f", "ROUND(a * b) + c", half=True),  # [4]
    _alu3(7, "mad.f32", "f", "ROUND(a * b) + c"),  # [4]
    # Their neg is that of a float, on GPUs with has_sel_b_fneg in Mesa's table; other GPUs have none.
    _alu3(8, "sel.b16", "w", "b ? a : c", half=True),
    _alu3(9, "sel.b32", "w", "b ? a : c"),
    _alu3(10, "sel.s16", "s", "b >= 0 ? a : c", half=True),
    _alu3(11, "sel.s32", "s", "b >= 0 ? a : c"),
    _alu3(12, "sel.f16", "f", "b >= 0 ? a : c", half=True),
    _alu3(13, "sel.f32", "f", "b >= 0 ? a : c"),
    _alu3(14, "sad.s16", "s", "a + b + c", half=True),
    _alu3(15, "sad.s32", "s", "a + b + c"),
    _alt(8, "shrm", "(b >> (a & (WIDTH - 1))) & c"),
    _alt(9, "shlm", "(b << (a & (WIDTH - 1))) & c"),
    _alt(10, "shrg", "(b >> (a & (WIDTH - 1))) | c"),
    _alt(11, "shlg", "(b << (a & (WIDTH - 1))) | c"),
    _alt(12, "andg", "(b & a) | c"),
    Instruction("dp2acc", 3, {(55, 58): 13, (13, 13): 1, (46, 46): 0}, _DOT, "dot", flags=("PAIR",)),
    Instruction("dp4acc", 3, {(55, 58): 13, (13, 13): 1, (46, 46): 1}, _DOT, "dot"),
)

# ---- category 4: correctly rounded here; the hardware's last bit is not known [5]

_CAT4 = Form(_RESULT | {"saturate": (42, 42)}, "finish_cat4")


def _alu4(opcode: int, name: str, expression: str) -> Instruction:
    return Instruction(name, 4, {(53, 58): opcode}, _CAT4, "alu", "f", expression, "", 1)


CAT4 = (
    _alu4(0, "rcp", "(float)(1.0 / (double)a)"),
    _alu4(1, "rsq", "(float)(1.0 / sqrt((double)a))"),
    _alu4(2, "log2", "(float)log2((double)a)"),
    _alu4(3, "exp2", "(float)exp2((double)a)"),
    _alu4(4, "sin", "(float)sin((double)a)"),
    _alu4(5, "cos", "(float)cos((double)a)"),
    _alu4(6, "sqrt", "sqrtf(a)"),
    _alu4(9, "hrsq", "(float)(1.0 / sqrt((double)a))"),
    _alu4(10, "hlog2", "(float)log2((double)a)"),
    _alu4(11, "hexp2", "(float)exp2((double)a)"),
)

# ---- category 5: textures, and exchange between the lanes of a quad

_CAT5 = Form(
    _FLAGS
    | {
        "dst": (32, 39),
        "mask": (40, 43),
        "type": (44, 46),
        "is_3d": (48, 48),
        "is_array": (49, 49),
        "bit50": (50, 50),
        "indirect": (51, 51),
        "has_offset": (52, 52),
        "bit53": (53, 53),
        "bit18": (18, 18),
        "sampler": (21, 24),
        "texture": (25, 31),
        "descriptor": (21, 28),
        "mode": (29, 31),
        "base_low": (47, 47),
        "base_high": (19, 20),
    },
    "finish_cat5",
)


def _texture(opcode: int, name: str, run: str, sources: int = 1) -> Instruction:
    return Instruction(name, 5, {(54, 58): opcode}, _CAT5, run, sources=sources)


CAT5 = (
    _texture(0, "isam", "sample"),
    _texture(1, "isaml", "sample", 2),
    _texture(3, "sam", "sample"),
    _texture(4, "samb", "sample", 2),
    _texture(5, "saml", "sample", 2),
    _texture(10, "getsize", "texture_size"),
    _texture(11, "getbuf", "texture_size", 0),
    _texture(13, "getinfo", "texture_size", 0),
    _texture(28, "tcinv", "nop", 0),
    Instruction("brcst.active", 5, {(54, 58): 31, (53, 53): 0}, _CAT5, "broadcast", sources=1),
    Instruction("quad_shuffle", 5, {(54, 58): 31, (53, 53): 1}, _CAT5, "quad_shuffle", sources=2),
)

# ---- category 6: memory


def _memory(fields: dict[str, Bits], finish: str, *signed: str) -> Form:
    return Form(_FLAGS | {"type": (49, 51)} | fields, finish, signed)


_DST = {"dst": (32, 39)}
_LDG = _DST | {"address": (14, 21), "size": (24, 26)}
_LD = _memory(_DST | {"address": (14, 21), "offset": (1, 13), "size": (24, 31)}, "finish_load", "offset")
_ST = _memory(
    {"address": (41, 48), "data": (1, 8), "size": (24, 31), "offset_low": (32, 39), "offset_high": (9, 13)},
    "finish_store",
    "offset_high",
)
_STG = {"address": (41, 48), "data": (1, 8), "size": (24, 26)}
_CONST = {"dst": (32, 39), "dst_a1": (40, 40)}
_ATOMIC = _memory(
    _DST | {"address": (14, 21), "data": (24, 31), "address_immediate": (22, 22), "data_immediate": (23, 23)},
    "finish_atomic",
)
_RESOURCE = {
    "base": (1, 3),
    "mode": (6, 7),
    "bindless": (8, 8),
    "dimensions": (9, 10),
    "typed": (11, 11),
    "size": (12, 13),
    "descriptor": (41, 48),
}
_OPCODE, _SUB = (54, 58), (14, 19)
_A6, _A7 = (600, 699), (700, 799)


def _atomics(letter: str, run: str, names: Mapping[int, str]) -> Iterator[Instruction]:
    for opcode, name in names.items():
        if letter == "b":
            form = _memory(_DST | _RESOURCE | {"address": (24, 31)}, "finish_resource_atomic")
            fixed = {_SUB: opcode, (20, 22): 6, (52, 53): 3, _OPCODE: 0}
        else:
            form, fixed = _ATOMIC, {_OPCODE: opcode, (0, 0): 1, (52, 52): int(letter == "g"), (53, 53): 0}
        yield Instruction(f"atomic.{letter}.{name}", 6, fixed, form, run, flags=("ATOMIC_" + name.upper(),))


_ATOMICS = {
    16: "add",
    17: "sub",
    18: "xchg",
    19: "inc",
    20: "dec",
    21: "cmpxchg",
    22: "min",
    23: "max",
    24: "and",
    25: "or",
    26: "xor",
}

CAT6 = (
    Instruction(
        "ldg",
        6,
        {_OPCODE: 0, (52, 53): 0, (22, 22): 0, (0, 0): 1},
        _memory(_LDG | {"offset": (1, 13)}, "finish_load", "offset"),
        "load_global",
    ),
    Instruction(
        "ldg.a",
        6,
        {_OPCODE: 0, (52, 53): 0, (22, 22): 1, (0, 0): 1},
        _memory(_LDG | {"index": (1, 8), "offset": (9, 10), "shift": (12, 13)}, "finish_load"),
        "load_global",
        generations=_A6,
        flags=("INDEXED",),
    ),  # [6]
    Instruction(
        "ldg.a",
        6,
        {_OPCODE: 0, (52, 53): 0, (22, 22): 1, (0, 0): 1},
        _memory(_LDG | {"index": (1, 8), "offset": (41, 48), "address_const": (13, 13)}, "finish_load"),
        "load_global",
        generations=_A7,
        flags=("SUM",),
    ),
    Instruction(
        "ldg.k",
        6,
        {_OPCODE: 0, (52, 53): 1, (22, 22): 0, (0, 0): 1},
        _memory(_CONST | {"address": (14, 21), "offset": (1, 13), "size": (23, 26)}, "", "offset"),
        "load_constants",
    ),
    Instruction(
        "stg",
        6,
        {_OPCODE: 3, (52, 53): 0},
        _memory(_STG | {"offset_low": (32, 39), "offset_high": (9, 13)}, "finish_store", "offset_high"),
        "store_global",
    ),
    Instruction(
        "stg.a",
        6,
        {_OPCODE: 3, (52, 53): 1},
        _memory(_STG | {"index": (32, 39), "offset": (9, 10), "shift": (12, 13)}, "finish_store"),
        "store_global",
        generations=_A6,
        flags=("INDEXED",),
    ),  # [6]
    Instruction(
        "stg.a",
        6,
        {_OPCODE: 3, (52, 53): 1},
        _memory(_STG | {"index": (32, 39), "offset": (14, 21), "address_const": (13, 13)}, "finish_store"),
        "store_global",
        generations=_A7,
        flags=("SUM",),
    ),
    # Bits 52 and 53 only tell these from ldib.b and stib.b, whose offset is in the place of the opcode.
    Instruction("ldl", 6, {_OPCODE: 1, (52, 53): 0}, _LD, "load_local"),
    Instruction("ldlw", 6, {_OPCODE: 10, (52, 53): 0}, _LD, "load_local"),
    Instruction("ldp", 6, {_OPCODE: 2, (52, 53): 0}, _LD, "load_private"),
    Instruction("stl", 6, {_OPCODE: 4, (52, 53): 0}, _ST, "store_local"),
    Instruction("stlw", 6, {_OPCODE: 11, (52, 53): 0}, _ST, "store_local"),
    Instruction("stp", 6, {_OPCODE: 5, (52, 53): 0}, _ST, "store_private"),
    Instruction(
        "stc",
        6,
        {_OPCODE: 28, (52, 53): 0},
        _memory(_CONST | {"data": (1, 8), "size": (24, 26)}, "finish_store_const"),
        "store_constant",
    ),
    Instruction(
        "shfl",
        6,
        {_OPCODE: 27, (52, 53): 2, (0, 0): 0, (9, 22): 0},
        _memory(_DST | {"data": (1, 8), "index": (24, 31), "data_immediate": (23, 23), "mode": (45, 47)}, "finish_shuffle"),
        "shuffle",
    ),
    Instruction(
        "ldc",
        6,
        {_OPCODE: 0, _SUB: 30, (22, 22): 1, (52, 53): 2},
        _memory(_DST | _RESOURCE | {"address": (24, 31), "address_immediate": (23, 23)}, "finish_ldc"),
        "load_ubo",
    ),
    Instruction(
        "ldc.k",
        6,
        {_OPCODE: 0, _SUB: 30, (22, 22): 1, (52, 53): 3},
        _memory(_RESOURCE | {"address": (24, 31), "address_immediate": (23, 23), "size": (32, 39)}, "finish_ldc_k"),
        "load_ubo_constants",
    ),
    Instruction("getspid", 6, {_OPCODE: 0, _SUB: 36, (53, 53): 1}, _memory(_DST, "finish_load"), "get_wave"),
    Instruction("getwid", 6, {_OPCODE: 0, _SUB: 37, (53, 53): 1}, _memory(_DST, "finish_load"), "get_wave"),
    Instruction("getfiberid", 6, {_OPCODE: 0, _SUB: 38, (53, 53): 1}, _memory(_DST, "finish_load"), "get_fiber"),
    Instruction(
        "resinfo.b", 6, {_OPCODE: 0, _SUB: 15, (53, 53): 1}, _memory(_DST | _RESOURCE, "finish_resource"), "resource_info"
    ),
    Instruction(
        "resbase", 6, {_OPCODE: 0, _SUB: 12, (53, 53): 1}, _memory(_DST | _RESOURCE, "finish_resource"), "resource_base"
    ),
    Instruction(
        "ldib.b",
        6,
        {_SUB: 6, (20, 22): 6, (52, 53): 2},
        _memory(
            _DST | _RESOURCE | {"address": (24, 31), "has_offset": (23, 23), "offset_high": (4, 5), "offset_low": (54, 58)},
            "finish_resource_load",
        ),
        "load_resource",
    ),
    Instruction(
        "stib.b",
        6,
        {_SUB: 29, (20, 22): 6, (52, 53): 2, (0, 0): 0},
        _memory(
            _RESOURCE
            | {"address": (24, 31), "data": (32, 39), "has_offset": (23, 23), "offset_high": (4, 5), "offset_low": (54, 58)},
            "finish_resource_store",
        ),
        "store_resource",
    ),
    *_atomics("l", "atomic_local", _ATOMICS),
    *_atomics("g", "atomic_global", _ATOMICS),
    *_atomics("b", "atomic_resource", {n: name for n, name in _ATOMICS.items() if name not in ("inc", "dec")}),
)

# ---- category 7: barriers and caches

_CAT7 = Form(_SS)


def _barrier(opcode: int, name: str, run: str = "nop") -> Instruction:
    return Instruction(name, 7, {(55, 58): opcode}, _CAT7, run)


def _cache(opcode: int, name: str, fixed: Mapping[Bits, int], generations: tuple[int, int] = (600, 799)) -> Instruction:
    return Instruction(name, 7, {(55, 58): opcode, **fixed}, _CAT7, "nop", generations=generations)


_ALIASED = {"targets[0]": (32, 39), "size": (40, 43), "base_low": (47, 47), "base_high": (49, 49)}
_ALIAS = Form(_SS | _ALIASED | {"bit50": (50, 50), "bit53": (48, 48)}, "finish_alias")

CAT7 = (
    # A register, constant or number that replaces a register of the next texture instruction, or a render target's
    # component.
    Instruction("alias", 7, {(55, 58): 8}, _ALIAS, "nop", sources=1, generations=_A7),
    _barrier(0, "bar", "barrier"),
    _barrier(1, "fence", "fence"),
    _barrier(2, "sleep"),
    _barrier(3, "icinv"),
    _cache(4, "dccln", {(52, 52): 0}),
    _cache(5, "dcinv", {(52, 52): 0}),
    _cache(6, "dcflu", {(52, 52): 0}),
    _cache(5, "ccinv", {(49, 49): 1, (51, 54): 10}, _A7),
    _cache(7, "lock", {(45, 54): 0x210}, _A7),
    _cache(7, "unlock", {(45, 54): 0x250}, _A7),
)

INSTRUCTIONS = (*CAT0, *CAT1, *CAT2, *CAT3, *CAT4, *CAT5, *CAT6, *CAT7)
