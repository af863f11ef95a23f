"""Instructions of Gen12 by the emulator's own table of encodings: each field by its name, all others 0."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from emulators.intel.instructions import INSTRUCTIONS, MATH, THREE, Instruction

TYPES = {"ub": 0, "uw": 1, "ud": 2, "uq": 3, "b": 4, "w": 5, "d": 6, "q": 7, "hf": 9, "f": 10, "df": 11}
CONDITIONS = {"": 0, "z": 1, "nz": 2, "g": 3, "ge": 4, "l": 5, "le": 6, "u": 10}
_BY_NAME: Mapping[str, Instruction] = {i.name: i for i in INSTRUCTIONS}
_FUNCTIONS = {name: number for number, (name, _) in MATH.items()}
SAMPLER, GATEWAY, END, DATA0, DATA1 = 2, 3, 7, 10, 12
NULL, ADDRESS, ACCUMULATOR, FLAG, MASK, CONTROL = 0x00, 0x10, 0x20, 0x30, 0x40, 0x80


@dataclass(frozen=True, slots=True)
class Operand:
    """A region <vertical;width,horizontal> of a register, or an immediate's bits."""

    number: int = 0
    type: str = "ud"
    sub: int = 0  # bytes
    region: tuple[int, int, int] = (8, 8, 1)
    file: int = 1  # 0: an architecture register
    negate: bool = False
    absolute: bool = False
    immediate: int | None = None
    address: int | None = None  # an address register: indirect, `sub` is the distance

    def __neg__(self) -> Operand:
        return replace(self, negate=True)

    def __abs__(self) -> Operand:
        return replace(self, absolute=True)


def r(number: int, type: str = "ud", sub: int = 0, region: tuple[int, int, int] = (8, 8, 1)) -> Operand:
    return Operand(number, type, sub, region)


def arf(number: int, type: str = "ud", sub: int = 0, region: tuple[int, int, int] = (8, 8, 1)) -> Operand:
    return Operand(number, type, sub, region, file=0)


def imm(value: int, type: str = "ud") -> Operand:
    return Operand(type=type, immediate=value)


def one(operand: Operand) -> Operand:
    """One element for all channels."""
    return replace(operand, region=(0, 1, 0))


NOTHING = arf(NULL)


def _stride(elements: int) -> int:
    return {0: 0, 1: 1, 2: 2, 4: 3, 8: 4, 16: 5, 32: 6}[elements]


def _word(instruction: Instruction, fields: Mapping[str, int]) -> int:
    word = instruction.opcode
    for name, value in fields.items():
        low, high = instruction.form.fields[name]
        size = high - low + 1
        assert -(1 << size) < value < 1 << size, (instruction.name, name, value)
        word |= (value & (1 << size) - 1) << low
    return word


def _common(n: int, first: int, mask: bool, predicate: int, inverted: bool, flag: tuple[int, int]) -> dict[str, int]:
    return {
        "size": n.bit_length() - 1, "quarter": first // 8, "nibble": first // 4 % 2, "no_mask": not mask,
        "predicate": predicate, "inverted": inverted, "flag": flag[0], "flag_half": flag[1],
    }  # fmt: skip


def _indirect(operand: Operand, low: int) -> int:
    """The ten bits of distance, which begin there, and the four of the address register, of an operand."""
    return (operand.sub & 0x3FF) << low | (operand.address or 0) << low + 10


def _source(n: int, o: Operand, fields: dict[str, int]) -> int:
    """Sets a source's fields; returns further bits."""
    name = f"src[{n}]"
    fields |= {f"{name}.type": TYPES[o.type], f"{name}.negate": o.negate, f"{name}.absolute": o.absolute}
    if o.immediate is not None:
        fields |= {f"{name}.immediate": 1}
        return (o.immediate & 0xFFFFFFFF) << 96
    vertical = 15 if o.region[0] < 0 else _stride(o.region[0])
    fields |= {
        f"{name}.vertical": vertical, f"{name}.width": o.region[1].bit_length() - 1,
        f"{name}.horizontal": _stride(o.region[2]),
    }  # fmt: skip
    if o.address is not None:
        fields |= {f"{name}.indirect": 1}
        return _indirect(o, 66 if n == 0 else 98)
    fields |= {f"{name}.file": o.file, f"{name}.number": o.number, f"{name}.sub": o.sub}
    return 0


def alu(
    name: str,
    target: Operand,
    *sources: Operand,
    n: int = 16,
    first: int = 0,
    mask: bool = True,
    predicate: int = 0,
    inverted: bool = False,
    flag: tuple[int, int] = (0, 0),
    condition: str = "",
    saturate: bool = False,
    accumulates: bool = False,
) -> int:
    """An instruction that computes; name may be math.FUNCTION. The target's horizontal stride is its region's."""
    name, _, function = name.partition(".")
    instruction = _BY_NAME[name]
    fields = _common(n, first, mask, predicate, inverted, flag)
    fields |= {"condition": CONDITIONS[condition], "saturate": saturate, "accumulates": accumulates}
    fields |= {"dst.file": target.file, "dst.number": target.number, "dst.type": TYPES[target.type]}
    more = 0
    if instruction.form is THREE:
        fields |= {"real": TYPES[target.type] >> 3, "dst.type": TYPES[target.type] & 7, "dst.sub": target.sub // 8}
        fields |= {"dst.horizontal": target.region[2] - 1}
        for k, o in enumerate(sources):
            fields |= {f"src[{k}].type": TYPES[o.type] & 7, f"src[{k}].negate": o.negate, f"src[{k}].absolute": o.absolute}
            if o.immediate is not None:
                fields |= {f"src[{k}].immediate": 1}
                more |= (o.immediate & 0xFFFF) << {0: 64, 2: 112}[k]
                continue
            fields |= {f"src[{k}].file": o.file, f"src[{k}].number": o.number, f"src[{k}].sub": o.sub}
            fields |= {f"src[{k}].horizontal": _stride(o.region[2])}
        return _word(instruction, fields) | more
    fields |= {"dst.horizontal": _stride(target.region[2]), "dst.sub": target.sub}
    if target.address is not None:
        del fields["dst.file"], fields["dst.number"], fields["dst.sub"]
        fields |= {"dst.indirect": 1}
        more |= _indirect(target, 50)
    if function:
        fields |= {"condition": _FUNCTIONS[function]}
    for k, o in enumerate(sources):
        more |= _source(k, o, fields)
    return _word(instruction, fields) | more


@dataclass(frozen=True, slots=True)
class Jump:
    """A branch to labels, which are texts among the instructions."""

    name: str
    jip: str
    uip: str = ""
    n: int = 16
    predicate: int = 0
    inverted: bool = False
    flag: tuple[int, int] = (0, 0)
    mask: bool = True


def send(
    function: int,
    descriptor: int,
    target: Operand = NOTHING,
    payload: Operand = NOTHING,
    rest: Operand = NOTHING,
    extended: int = 0,
    n: int = 16,
    first: int = 0,
    mask: bool = True,
    ends: bool = False,
    predicate: int = 0,
) -> int:
    fields = _common(n, first, mask, predicate, False, (0, 0))
    fields |= {"function": function, "ends": ends, "dst.file": target.file, "dst.number": target.number}
    fields |= {
        "src[0].file": payload.file,
        "src[0].number": payload.number,
        "src[1].file": rest.file,
        "src[1].number": rest.number,
    }
    d, e = descriptor, extended
    more = (d >> 30 & 3) << 122 | (d >> 25 & 31) << 67 | (d >> 20 & 31) << 51 | (d >> 11 & 0x1FF) << 113 | (d & 0x7FF) << 81
    more |= (
        (e >> 28 & 15) << 124 | (e >> 26 & 3) << 96 | (e >> 24 & 3) << 64 | (e >> 11 & 0x1FFF) << 35 | (e >> 6 & 31) << 99
    )
    return _word(_BY_NAME["send"], fields) | more


def message(length: int, response: int, type: int, control: int, surface: int, header: bool = False) -> int:
    """A data port's descriptor; lengths in registers."""
    return length << 25 | response << 20 | header << 19 | type << 14 | control << 8 | surface


def sync(kind: int) -> int:
    return _BY_NAME["sync"].opcode | kind << 92 | 1 << 31


SIGNAL = send(GATEWAY, 1 << 25 | 4, payload=r(0), n=8, mask=False)
WAIT = sync(14)
END_OF_THREAD = send(END, 1 << 25, payload=r(126), n=8, mask=False, ends=True)


def assemble(items: Sequence[int | Jump | str]) -> bytes:
    """Instructions, and labels before them; all uncompacted."""
    places: dict[str, int] = {}
    count = 0
    for item in items:
        if isinstance(item, str):
            places[item] = 16 * count
        else:
            count += 1
    words: list[int] = []
    for item in items:
        at = 16 * len(words)
        if isinstance(item, Jump):
            own = _BY_NAME[item.name]
            fields = _common(item.n, 0, item.mask, item.predicate, item.inverted, item.flag)
            fields["jip"] = places[item.jip] - at - (16 if item.name == "jmpi" else 0)
            fields["uip"] = places[item.uip or item.jip] - at
            words.append(_word(own, fields))
        elif isinstance(item, int):
            words.append(item)
    return b"".join(struct.pack("<QQ", word & (1 << 64) - 1, word >> 64) for word in words)
