"""The RDNA's machine code with one wait less."""

from collections.abc import Iterator, Mapping, Sequence

_DEPCTR, _VM_VSRC, _VA_VDST = 0xBF880000, 7 << 2, 15 << 12  # s_waitcnt_depctr, which gfx12 calls s_wait_alu
_NOP, _DELAY, _DEALLOC = 0xBF800000, 0xBF870000, 0xBFB60003  # s_nop, an s_delay_alu without effect, s_sendmsg of gfx11
# What waits, and the bits of each counter in it. s_waitcnt has vmcnt in bits 10 to 15, lgkmcnt in 4 to 9.
_GFX11: Mapping[int, Mapping[str, int]] = {
    0xBF890000: {"vm": 63 << 10, "lgkm": 63 << 4}, _DEPCTR: {"vm_vsrc": _VM_VSRC, "va_vdst": _VA_VDST},
}  # fmt: skip
_GFX12: Mapping[int, Mapping[str, int]] = {
    0xBFC00000: {"load": 63}, 0xBFC20000: {"sample": 63}, 0xBFC60000: {"ds": 63}, 0xBFC70000: {"km": 31},
    0xBFC80000: {"load": 63 << 8, "ds": 63}, 0xBFC90000: {"ds": 63}, _DEPCTR: {"vm_vsrc": _VM_VSRC},
}  # fmt: skip
# vmcnt in bits 0 to 3, 14 and 15, lgkmcnt in 8 to 13.
_GFX10: Mapping[int, Mapping[str, int]] = {0xBF8C0000: {"vm": 0xC00F, "lgkm": 63 << 8}, 0xBFA30000: {"vm_vsrc": _VM_VSRC}}
# Of these, gfx9 has only lgkmcnt, in 8 to 11.
_GFX9: Mapping[int, Mapping[str, int]] = {0xBF8C0000: {"vm": 0xC00F, "lgkm": 15 << 8}}
_OF = {9: _GFX9, 10: _GFX10, 11: _GFX11, 12: _GFX12}


def drops(words: Sequence[int], gfx: int = 11) -> Iterator[tuple[str, int, list[int]]]:
    """The code without its wait for one counter; which, and where."""
    for n, word in enumerate(words):
        for counter, bits in _OF[gfx].get(word & 0xFFFF0000, {}).items():
            waits = not word & bits if counter.startswith("v") and "_" in counter else word & bits != bits
            if waits:
                yield counter, n, [*words[:n], word | bits, *words[n + 1 :]]
        if gfx == 9 and word & 0xFFFF0000 == _NOP and word & 15:
            yield "nop", n, [*words[:n], word - 1, *words[n + 1 :]]
        if gfx == 11 and word == _NOP and words[n + 1 : n + 2] == [_DEALLOC]:
            yield "dealloc", n, [*words[:n], _DELAY, *words[n + 1 :]]
