"""Hand-written shaders: lines of text -> words, by the fields of emulators/adreno/instructions.py.

    loop:
        (sat)add.f r1.x, (neg)r2.x, c3.y      ; categories 1 to 4 as Mesa's disassembler writes them
        (rpt1)(even)mov.f32u32 r4.x, (r)r5.x
        cmps.u.lt p0.x, r1.x, 4
        ldg.a type=u32 dst=r6.x address=r2.x index=r0.w size=1   ; all other categories by the names of their fields
        br predicate=0 offset=loop

Category 5 has `src` and `src2` beside them. The operands of categories 1 to 4, which Form.finish decodes in C, are
encoded here after Mesa's src/freedreno/isa/ir3-*.xml.
"""

import re
from dataclasses import dataclass

from emulators.adreno.generate import pattern
from emulators.adreno.instructions import INSTRUCTIONS, Instruction

TYPES = ("f16", "f32", "u16", "u32", "s16", "s32", "u8", "u8_32")
CONDITIONS = ("lt", "le", "gt", "ge", "eq", "ne")
FLOATS = ("0.0", "0.5", "1.0", "2.0", "e", "pi", "1/pi", "1/log2(e)", "log2(e)", "1/log2(10)", "log2(10)", "4.0")
A0, P0 = 244, 248
_ROUNDS = {"": 0, "even": 1, "up": 2, "down": 3}
_FLAG = re.compile(r"\((sy|ss|jp|sat|ei|even|up|down|rpt(\d)|nop(\d))\)")


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand. `value`: a register's number, a distance from a0.x, an immediate, or an index of FLOATS."""

    kind: str  # r, c, r<, c<, integer, float
    value: int
    half: bool = False
    negate: bool = False
    absolute: bool = False
    repeats: bool = False


def register(name: str) -> int:
    """r3.y -> 13, p0.x -> 248, up0.x -> 244; a half register's number is that of its halves: hr3.y -> 13."""
    if name.startswith("up"):  # a predicate of the whole wave
        return A0 + "xyzw".index(name[-1])
    if name[0] in "ap":
        return {"a": A0, "p": P0}[name[0]] + (int(name[1]) if name[0] == "a" else "xyzw".index(name[-1]))
    match = re.fullmatch(r"h?[rc](\d+)\.([xyzw])", name)
    assert match, f"{name} is not a register"
    return int(match[1]) * 4 + "xyzw".index(match[2])


def operand(text: str) -> Operand:
    """One operand of categories 1 to 4."""
    flags: set[str] = set()
    while match := re.match(r"\((neg|abs|absneg|r)\)", text):
        flags.add(match[1])
        text = text[match.end() :]
    own = {"negate": bool(flags & {"neg", "absneg"}), "absolute": bool(flags & {"abs", "absneg"}), "repeats": "r" in flags}
    half = text.startswith("h")
    if match := re.fullmatch(r"h?([rc])<a0\.x \+ (-?\d+)>", text):
        return Operand(match[1] + "<", int(match[2]), half, **own)
    if match := re.fullmatch(r"h?\((.+)\)", text):
        if match[1] in FLOATS:
            return Operand("float", FLOATS.index(match[1]), half, **own)
        return Operand("integer", int(match[1], 0), half, **own)
    if re.fullmatch(r"-?(0x)?[0-9a-f]+", text):
        return Operand("integer", int(text, 0), **own)
    return Operand("c" if text.lstrip("h")[0] == "c" else "r", register(text), half, **own)


def find(name: str, generation: int = 6) -> Instruction:
    """The instruction of that name."""
    return next(i for i in INSTRUCTIONS if i.name == name and i.generations[0] <= generation * 100 <= i.generations[1])


def encode(instruction: Instruction, **fields: int) -> int:
    """The word of an instruction whose fields have these values."""
    _, word = pattern(instruction)
    for name, value in fields.items():
        low, high = instruction.form.fields[name]
        size = high - low + 1
        least = -(1 << size - 1) if name in instruction.form.signed else 0
        assert least <= value < 1 << size, f"{instruction.name}: {name}={value}"
        word |= (value & (1 << size) - 1) << low
    return word


def _multi(source: Operand) -> int:
    """A source of categories 2 and 4."""
    tags = {"r": 0, "c": 2 << 11, "r<": 1 << 11, "c<": 3 << 10, "integer": 4 << 11, "float": 5 << 11 | source.half << 10}
    bits = {"r": 8, "c": 11, "integer": 11}.get(source.kind, 10)
    assert -(1 << bits - 1) <= source.value < 1 << bits
    return tags[source.kind] | source.value & (1 << bits) - 1 | source.negate << 14 | source.absolute << 15


def _third(source: Operand) -> int:
    """A source of category 3, without its flags."""
    assert not source.absolute
    assert source.kind != "float"
    tags = {"r": 0, "c": 1 << 12, "r<": 1 << 11, "c<": 3 << 10, "integer": 1 << 12}
    bits = {"r": 8, "c": 11, "integer": 12}.get(source.kind, 10)
    return tags[source.kind] | source.value & (1 << bits) - 1


def _conversion(full: bool, target: Operand) -> int:
    """Bit 46: the destination has the other width."""
    return int(target.value < P0 and target.half == full) << 46


def _two(target: Operand, *sources: Operand) -> int:
    """Categories 2 and 4."""
    full = not any(s.half for s in sources)
    word = full << 52 | _conversion(full, target) | sources[0].repeats << 43
    for n, source in enumerate(sources):
        word |= _multi(source) << 16 * n
    return word | (len(sources) > 1 and sources[1].repeats) << 51


def _three(i: Instruction, target: Operand, a: Operand, b: Operand, c: Operand) -> int:
    assert b.kind == "r"
    word = _third(a) | _third(c) << 16 | b.value << 47 | a.repeats << 43 | b.repeats << 15 | c.repeats << 29
    if "mixed" in i.form.fields:
        return word | c.negate << 31
    word |= a.negate << 14 | b.negate << 30 | c.negate << 31
    full = not b.half
    alternative = dict(i.fixed).get((13, 13))
    if not alternative:
        assert full == (i.flags != ("HALF",)), f"{i.name}: the width of its sources"
    return word | _conversion(full, target) | (full << 42 if alternative else 0)


def _move(i: Instruction, operands: list[Operand], source_type: str, target_type: str) -> int:
    word = TYPES.index(source_type) << 50 | TYPES.index(target_type) << 46
    values = [o.value for o in operands]
    if i.name == "mov":
        source, relative = operands[1], operands[0].kind == "r<"
        tags = {"r": 0, "c": 1 << 53, "r<": 1 << 11, "c<": 3 << 10, "integer": 2 << 53}
        value = source.value & {"integer": 0xFFFFFFFF}.get(source.kind, 0x3FF if "<" in source.kind else 0x7FF)
        if operands[2:]:  # movs: a lane, by its number or by a0.x
            word |= 1 << 31 | (values[2] << 23 if operands[2].kind == "integer" else 1 << 30)
        return word | relative << 49 | tags[source.kind] | value | source.repeats << 43
    # swz: two targets, two sources; gat: a target, four sources; sct: four targets, a source
    order = {"swz": (2, 3, 1), "gat": (1, 2, 3, 4), "sct": (4, 1, 2, 3)}[i.name]
    for n, which in enumerate(order):
        word |= values[which] << 8 * n
    return word


def _field(name: str, text: str, here: int, labels: dict[str, int]) -> int:
    if name in ("type", "src_type"):
        return TYPES.index(text)
    if text in labels:
        return labels[text] - here
    return register(text) if re.fullmatch(r"h?[rc]\d+\.[xyzw]|[ap]\d\.[xyzw]", text) else int(text, 0)


def _line(text: str, here: int, labels: dict[str, int], generation: int) -> int:
    word, rounding = 0, 0
    while match := _FLAG.match(text):
        text = text[match.end() :]
        if match[2]:
            word |= int(match[2]) << 40
        elif match[3]:
            word |= (int(match[3]) & 1) << 43 | (int(match[3]) >> 1) << (15 if text.startswith(_CATEGORY_3) else 51)
        elif match[1] in _ROUNDS:
            rounding = _ROUNDS[match[1]]
        else:
            word |= 1 << {"sy": 60, "ss": 44, "jp": 59, "sat": 42, "ei": 47}[match[1]]
    mnemonic, _, rest = text.partition(" ")
    if match := re.fullmatch(r"(mov|swz|gat|sct)\.(u8_32|[fus]\d+)(u8_32|[fus]\d+)", mnemonic):
        i = find(match[1], generation)
        operands = [operand(part.strip()) for part in rest.split(",")]
        target = operands[0].value
        return word | encode(i, dst=target, round=rounding) | _move(i, operands, match[2], match[3])
    name, condition = mnemonic, 0
    if mnemonic.startswith("cmp"):
        name, condition = mnemonic[:-3], CONDITIONS.index(mnemonic[-2:])
    i = find(name, generation)
    if i.category not in (2, 3, 4):
        pairs = [part.split("=") for part in rest.split()]
        for name, text in [pair for pair in pairs if i.category == 5 and pair[0] in ("src", "src2")]:
            pairs.remove([name, text])
            word |= register(text) << (1 if name == "src" else 9) | (text[0] != "h")
        return word | encode(i, **{k: _field(k, v, here, labels) for k, v in pairs})
    positional = [part for part in rest.split() if "=" not in part]
    named = {k: int(v) for k, v in (part.split("=") for part in rest.split() if "=" in part)}
    operands = [operand(part.strip()) for part in " ".join(positional).split(",")]
    if condition:
        named["condition"] = condition
    word |= encode(i, dst=operands[0].value, **named)
    return word | (_three(i, operands[0], *operands[1:4]) if i.category == 3 else _two(operands[0], *operands[1:]))


_CATEGORY_3 = tuple(i.name for i in INSTRUCTIONS if i.category == 3)


def assemble(text: str, generation: int = 6) -> list[int]:
    """The words of a shader."""
    lines: list[str] = []
    labels: dict[str, int] = {}
    for raw in text.splitlines():
        line = raw.partition(";")[0].strip()
        if line.endswith(":"):
            labels[line[:-1]] = len(lines)
        elif line:
            lines.append(line)
    return [_line(line, n, labels, generation) for n, line in enumerate(lines)]
