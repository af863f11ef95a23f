"""How an entry of valhall.py is read: which bits of its 64 each word of it takes.

The lowest bytes are the sources'; an opcode has the bits 48 to 56, a second opcode is after the sources, or where a
word says; the page of the uniforms has 57 and 58, the waits 59 to 62. All other bits are 0. Mesa's
src/panfrost/compiler/valhall/valhall.py has the places.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from emulators.mali.table import Instruction, fields

HIGH, IMMEDIATE, SHIFT = 0x40, 0x80, 0x81  # sources: the high word of the one at that bit; 32 bits from 8 on; 3 from 20 on
_PLACES = {"imm": IMMEDIATE, "shift": SHIFT}
_ALWAYS = 0b111111 << 57
_NO_REGISTERS = 0xC0 << 40
_REGISTERS = 0xFF << 40
_SWIZZLES = {32: "none|h0|h1", 16: "h00|h10|h01|h11"}
_WIDE = {
    8: "b0123|b3210|b0101|b2323|b0000|b1111|b2222|b3333|b2301|b1032|b0011|b2233",
    16: "h00|h10|h01|h11|b00|b20|b02|b22|b11|b31|b13|b33|b01|b23",
    32: "none|-|h0|h1|b0|b1|b2|b3",
    64: "none|-|h0|h1|b0|b1|b2|b3|w0",
}
_HALFSWIZZLE = "b00|b10|b20|b30|b01|b11|b21|b31|b02|b12|b22|b32|b03|b13|b23|b33"
_SHIFT_LANES = "-|-|-|-|b00|b11|b22|b33"
_ATOMICS = "- - aadd - - - - - asmin asmax aumin aumax aand aor axor axchg".replace(" ", "|")
_FORMATS = "auto|-|f32|f16|s32|s16|u32|u16"
# A word, its fields, and the bits that the emulator reads itself.
_WORDS: Mapping[str, tuple[str, int]] = {
    "clamp": ("clamp@32", 0), "round": ("round@30", 0), "cmpf": ("cmpf@32", 0), "truth": ("truth@30:2=i1|f1|m1|-", 0),
    "saturate": ("saturate@30", 0), "rhadd": ("round@30:1=rtn|rtp", 0), "not_result": ("not_result@30", 0),
    "not": ("not1@35", 0), "arithmetic": ("arithmetic@34:1=none|arithmetic", 0), "mux": ("mux@32", 0),
    "float0": ("neg0@38 abs0@39", 0), "float1": ("neg1@36 abs1@37", 0), "float2": ("neg2@34 abs2@35", 0),
    "log": ("sqrt@24 log@25", 0), "half0": ("swz0@28:2", 0), "lane0": ("lane0@28:1", 0),
    "byte0": ("lane0@28:2=b0|b1|b2|b3", 0), "bytes": ("lane0@38:2=b0|b1|b2|b3 lane1@36:2=b0|b1|b2|b3", 0),
    "halfswizzle": (f"swz0@36:4={_HALFSWIZZLE}", 0), "lanes1": (f"lanes1@26:4={_SHIFT_LANES}", 0),
    "lanes2": (f"lanes2@26:4={_SHIFT_LANES}", 0),
    "subgroup": ("subgroup@36:4=subgroup2|subgroup4|subgroup8|subgroup16", 0), "lane_op": ("lane_op@32:2", 0),
    "inactive": ("inactive_result@22:4", 0), "flush": ("nan_mode@8:2=none|flush_nan|quiet_nan ftz@10:1=none|ftz"
                                                       " flush_inf@11:1=none|flush_inf", 0),
    "zero": ("cmpf@36:1=ne|eq swz0@37:3=none|h0|h1", 0xFFFFFFF << 8),
    "slot": ("", 7 << 30), "count": ("", 7 << 33), "written": ("", 7 << 36 | 0x3F << 16), "access": ("", 3 << 24),
    "offset16": ("", 0xFFFF << 8), "offset8": ("", 0xFF << 8), "memory_access": ("", 7 << 37), "table": ("", 0xFF << 16),
    "size": ("vecsize@28", 0), "format": (f"register_format@24:3={_FORMATS}", 0),
    "atomic": (f"atom_opc@22:4={_ATOMICS}", 0), "compare": ("compare@26:1=none|compare", 0),
    "atomic1": ("atom_opc@22:4=ainc|adec|aumax1|asmax1|aor1", 0),
    "texture": ("array@10:1=none|array texel_offset@11:1=none|texel_offset dimension@28:2=d1|d2|d3|cube"
                " register_type@26:2=auto|f|u|s wide@8:1=none|wide", 1 << 39 | 1 << 46 | 0xF << 22),
    "level": ("shadow@12:1=none|shadow va_lod@13:3=zero_lod|computed_lod|-|-|explicit|computed_bias|grdesc|-", 0),
    "constants": ("seg=ubo", 0),
    "buffer": ("", 0xFFF << 8), "number": ("", 0xFF << 16), "source": ("source_format@24:4=flat32|flat16|f32|f16", 0),
    "sample": ("update@36:2=store|retrieve|-|clobber sample@38:2=center|centroid|sample|explicit", 0),
}  # fmt: skip
_LANES = {
    8: "b0|b1|b2|b3|h0|h1|w0|d0", 16: "h0|h1|w0|d0", 24: "none", 32: "none|d0", 48: "-|-|-|-|none", 64: "-|-|-|-|-|-|-|none",
    96: "-|-|-|-|-|-|none", 128: "-|-|-|-|-|-|-|none",
}  # fmt: skip
_BITS = dict.fromkeys("fFuswx", 32) | dict.fromkeys("hHUS", 16) | dict.fromkeys("Bb", 8) | dict.fromkeys("dD", 64)


def row(
    name: str, opcode: int, second: int, kinds: str, meaning: str, words: str = "", sources: str = "", staging: str = ""
) -> Instruction:
    """One instruction. `sources`: the bits at which they stand, if they do not follow each other."""
    places = sources.split() or [str(8 * n) for n in range(len(kinds.partition(":")[0]))]
    texts: list[str] = []
    free = _ALWAYS | (_REGISTERS if staging or kinds[-1] != ":" else 0)
    shift = max(8 * sum(place.isdigit() for place in places), 16)
    for word in words.split():
        if match := re.fullmatch(r"(swizzle|wide)(\d)", word):
            texts.append(_picks(match[1], int(match[2]), kinds[int(match[2])]))
        elif match := re.fullmatch(r"lanes_of_(\d+)", word):
            texts.append(f"lane_dest@36:3={_LANES[int(match[1])]} extend@39:1=sext|zext")
        elif re.fullmatch(r"at\d+", word):
            shift = int(word[2:])
        else:
            text, bits = _WORDS[word]
            texts.append(text)
            free |= bits
    numbers = [_PLACES.get(place) or int(place.rstrip("h")) + HIGH * place.endswith("h") for place in places]
    for number in numbers:
        free |= {IMMEDIATE: 0xFFFFFFFF << 8, SHIFT: 7 << 20}.get(number) or 0xFF << (number & 63)
    text = " ".join(texts)
    for bit, size in (place for field in fields(text) for place in field.bits):
        free |= ((1 << size) - 1) << bit
    value = opcode << 48 | second << shift | (0 if staging or kinds[-1] != ":" else _NO_REGISTERS)
    mask = ~free & (1 << 64) - 1
    assert value & free == 0, f"{name}: its opcode lies in a field"
    return Instruction(name, " ".join(map(str, numbers)), kinds, meaning, (mask, value, text), staging=staging)


def _picks(how: str, n: int, kind: str) -> str:
    bits = _BITS[kind]
    if how == "swizzle":
        return f"swz{n}@{28 - 2 * n}:2={_SWIZZLES[bits]}"
    return f"lanes{n}@{26 if n == 1 else 36}:4={_WIDE[bits]}"
