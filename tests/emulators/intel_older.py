"""Code of Gen12 as Gen9 and Gen11 encode it: each field by its name, where Intel's Skylake and Ice Lake manuals (volume 7)
have it.

So the tests' code for a Tiger Lake runs on these, too. The places are written down here again, by the fields' names,
and not taken from emulators/intel/older.py, which moves bits the other way.
"""

import struct
from collections.abc import Mapping

from emulators.intel.instructions import INSTRUCTIONS, SEND, THREE, Instruction

_BY_OPCODE = {i.opcode: i for i in INSTRUCTIONS}
_SYNC, _NOP = 1, 96
_TYPES = {  # of registers, by Gen12's number
    "gen9": {0: 4, 1: 2, 2: 0, 3: 8, 4: 5, 5: 3, 6: 1, 7: 9, 9: 10, 10: 7, 11: 6},
    "gen11": {0: 4, 1: 2, 2: 0, 4: 5, 5: 3, 6: 1, 9: 8, 10: 9},
}
_IMMEDIATES = {"gen9": _TYPES["gen9"] | {0: 4, 4: 6, 8: 5, 9: 11, 11: 10}, "gen11": _TYPES["gen11"] | {8: 11}}
_ALIGN16_TYPES = {10: 0, 6: 1, 2: 2, 11: 3, 9: 4}
_PLACES: Mapping[str, tuple[int, int]] = {  # lowest bit, and how many
    "size": (21, 3), "nibble": (11, 1), "quarter": (12, 2), "flag_half": (32, 1), "flag": (33, 1), "predicate": (16, 4),
    "inverted": (20, 1), "no_mask": (34, 1), "condition": (24, 4), "accumulates": (28, 1), "saturate": (31, 1), "jip":
    (96, 32), "uip": (64, 32), "dst.horizontal": (61, 2), "dst.sub": (48, 5), "dst.number": (53, 8), "dst.indirect":
    (63, 1),
    "src[0].absolute": (77, 1), "src[0].negate": (78, 1), "src[0].horizontal": (80, 2), "src[0].sub": (64, 5),
    "src[0].number": (69, 8), "src[0].indirect": (79, 1), "src[0].width": (82, 3), "src[0].vertical": (85, 4),
    "src[1].absolute": (109, 1), "src[1].negate": (110, 1), "src[1].horizontal": (112, 2), "src[1].sub": (96, 5),
    "src[1].number": (101, 8), "src[1].indirect": (111, 1), "src[1].width": (114, 3), "src[1].vertical": (117, 4),
}  # fmt: skip
_THREE_PLACES = {
    "src[0].absolute": (37, 1), "src[0].negate": (38, 1), "src[1].absolute": (39, 1), "src[1].negate": (40, 1),
    "src[2].absolute": (41, 1), "src[2].negate": (42, 1), "dst.number": (56, 8), "src[0].number": (76, 8),
    "src[1].number": (97, 8), "src[2].number": (118, 8),
}  # fmt: skip
_COMMON = ("size", "nibble", "quarter", "flag_half", "flag", "predicate", "inverted", "no_mask")
# An indirect operand: where Gen12's distance begins; where its address register, nine bits of the distance, the tenth stand.
_INDIRECT = {"dst": (50, 57, 48, 47), "src[0]": (66, 73, 64, 95), "src[1]": (98, 105, 96, 121)}


def older_code(code: bytes, generation: str) -> bytes:
    """Whole instructions of Gen12 as `gen9` or `gen11` has them."""
    words = struct.iter_unpack("<QQ", code)
    made = [_older(low | high << 64, generation) for low, high in words]
    return b"".join(struct.pack("<QQ", word & (1 << 64) - 1, word >> 64) for word in made)


def _older(word: int, generation: str) -> int:
    own = _BY_OPCODE[word & 127]
    fields = {name: word >> low & (2 << high - low) - 1 for name, (low, high) in own.form.fields.items()}
    if own.opcode == _SYNC:
        assert word >> 92 & 15 == 14, "a wait for a barrier is all that there is of it"
        return 48 | 1 << 34
    made = 126 if own.opcode == _NOP else own.opcode - 96 if own.opcode > _NOP else own.opcode
    made |= _put(fields, [*_COMMON, *({"jip", "uip"} & fields.keys())], _PLACES)
    if own.form is SEND:
        return made | _message(word, fields)
    if own.form is THREE:
        return made | _three(word, fields, generation)
    return made | (_two(own, word, fields, generation) if own.sources else 0)


def _put(fields: Mapping[str, int], names: list[str], places: Mapping[str, tuple[int, int]]) -> int:
    return sum((fields[name] & (1 << places[name][1]) - 1) << places[name][0] for name in names)


def _operand(word: int, fields: Mapping[str, int], name: str) -> int:
    region = ["horizontal", "indirect"] + ([] if name == "dst" else ["width", "vertical", "negate", "absolute"])
    if not fields[f"{name}.indirect"]:
        return _put(fields, [f"{name}.{f}" for f in (*region, "number", "sub")], _PLACES)
    low, register, nine, tenth = _INDIRECT[name]
    distance = word >> low & 0x3FF
    where = (word >> low + 10 & 15) << register | (distance & 0x1FF) << nine | distance >> 9 << tenth
    return where | _put(fields, [f"{name}.{f}" for f in region], _PLACES)


def _two(own: Instruction, word: int, fields: Mapping[str, int], generation: str) -> int:
    types, immediates = _TYPES[generation], _IMMEDIATES[generation]
    made = _put(fields, ["condition", "accumulates", "saturate"], _PLACES) | _operand(word, fields, "dst")
    made |= (fields["dst.file"] or fields["dst.indirect"]) << 35 | types[fields["dst.type"]] << 37
    for name, file, type_ in (("src[0]", 41, 43), ("src[1]", 89, 91))[: 2 if own.sources == 2 else 1]:
        if fields[f"{name}.immediate"]:
            value = word >> 64
            wide = fields[f"{name}.type"] in (3, 7, 11)
            made |= 3 << file | immediates[fields[f"{name}.type"]] << type_
            return (
                made & (1 << 64) - 1 | (value >> 32 | (value & 0xFFFFFFFF) << 32) << 64 if wide else made | value >> 32 << 96
            )
        made |= (fields[f"{name}.file"] or fields[f"{name}.indirect"]) << file | types[fields[f"{name}.type"]] << type_
        made |= _operand(word, fields, name)
    return made


def _three(word: int, fields: Mapping[str, int], generation: str) -> int:
    made = _put(fields, ["condition", "accumulates", "saturate"], _PLACES)
    kind = fields["real"] << 3
    if generation == "gen9":
        made |= _put(fields, list(_THREE_PLACES), _THREE_PLACES) | 15 << 49 | fields["dst.sub"] >> 1 << 54
        made |= _ALIGN16_TYPES[fields["src[0].type"] | kind] << 43 | _ALIGN16_TYPES[fields["dst.type"] | kind] << 46
        for n, base in enumerate((64, 85, 106)):
            stride, sub = fields[f"src[{n}].horizontal"], fields[f"src[{n}].sub"]
            made |= (not stride) << base | 0xE4 << base + 1 | sub >> 2 << base + 9 | (sub >> 1 & 1) << base + 20
        return made
    places = _THREE_PLACES | {"dst.horizontal": (49, 1), "dst.sub": (54, 2)}
    numbers = {0: 4, 1: 2, 2: 0, 4: 5, 5: 3, 6: 1, 9: 0, 10: 1}
    made |= fields["real"] << 35 | (not fields["dst.file"]) << 36 | numbers[fields["dst.type"] | kind] << 46
    for n, (base, file, sub) in enumerate(((64, 43, 71), (85, 44, 92), (106, 45, 113))):
        made |= numbers[fields[f"src[{n}].type"] | kind] << base
        if n != 1 and fields[f"src[{n}].immediate"]:
            places = {k: v for k, v in places.items() if not k.startswith(f"src[{n}]")}
            made |= 1 << file | (word >> (64, 0, 112)[n] & 0xFFFF) << (67, 0, 109)[n]
            continue
        made |= (not fields[f"src[{n}].file"]) << file | fields[f"src[{n}].horizontal"] << sub - 2
        made |= fields[f"src[{n}].sub"] << sub
    return made | _put(fields, list(places), places)


def _message(word: int, fields: Mapping[str, int]) -> int:
    """Always with two payloads (`sends`): a second one of no registers gives the same."""
    descriptor = word >> 122 & 3, word >> 67 & 31, word >> 51 & 31, word >> 113 & 0x1FF, word >> 81 & 0x7FF
    d = sum(part << low for part, low in zip(descriptor, (30, 25, 20, 11, 0), strict=True))
    more = (
        (word >> 99 & 31) << 6
        | (word >> 35 & 0x1FFF) << 11
        | (word >> 64 & 3) << 24
        | (word >> 96 & 3) << 26
        | (word >> 124 & 15) << 28
    )
    made = 2 | fields["function"] << 24 | fields["dst.file"] << 35 | fields["dst.number"] << 53  # 49 becomes 51
    made |= (
        fields["src[0].number"] << 69
        | fields["src[0].file"] << 41
        | fields["src[1].number"] << 44
        | fields["src[1].file"] << 36
    )
    made |= fields["descriptor_a0"] << 77 | fields["extended_a0"] << 61 | fields["extended_sub"] << 80
    if not fields["descriptor_a0"]:
        made |= (d & 0x7FFFFFFF) << 96
    if not fields["extended_a0"]:
        made |= more >> 16 << 80 | (more >> 6 & 15) << 64
    return made | fields["ends"] << 127
