"""What differs on gfx10 (navi21) from gfx11 in memory and waits: encodings, private memory, images, counters."""

import random
import struct

import pytest
from bare_rdna import BareRdna, Grid
from gfx10 import program

_DATA = bytes(random.Random(10).randbytes(256))
_BUFFER = ["s_mov_b32 s8, s0", "s_mov_b32 s9, s1", "s_mov_b32 s10, 256", f"s_mov_b32 s11, {hex(3 << 28 | 1 << 24)}"]
_AT = ["v_mov_b32 v1, 24", "v_mov_b32 v2, 3"]
_ADDRESS = ["v_add_co_u32 v4, s20, s0, v1", "v_mov_b32 v5, s1", "v_add_co_ci_u32 v5, s20, 0, v5, s20"]


@pytest.mark.parametrize(("lines", "at"), [
    (["global_load_dwordx2 v[20:21], v1, s[0:1] offset:2047"], 24 + 2047 - 2000),
    (["global_load_dwordx2 v[20:21], v1, s[0:1] offset:-16"], 24 - 16),
    ([*_ADDRESS, "global_load_dwordx2 v[20:21], v[4:5], off offset:32"], 24 + 32),
    ([*_ADDRESS, "flat_load_dwordx2 v[20:21], v[4:5]"], 24),
    ([*_BUFFER, "buffer_load_dwordx2 v[20:21], v1, s[8:11], 0 offen offset:16"], 24 + 16),
    ([*_BUFFER, "s_mov_b32 s12, 8", "buffer_load_dwordx2 v[20:21], off, s[8:11], s12 offset:16"], 8 + 16),
    ([*_BUFFER, f"s_or_b32 s9, s9, {hex(8 << 16)}", "s_mov_b32 s10, 32", "s_mov_b32 s11, 0x10000000",
      "buffer_load_dwordx2 v[20:21], v2, s[8:11], 0 idxen"], 24),
    (["s_load_dwordx2 s[20:21], s[0:1], 40", "s_waitcnt lgkmcnt(0)", "v_mov_b32 v20, s20", "v_mov_b32 v21, s21"], 40),
])  # fmt: skip
def test_where_an_access_is(navi21: BareRdna, lines: list[str], at: int) -> None:
    far = "offset:2047" in lines[0]
    data = (bytes(2000) + _DATA) if far else _DATA
    code = [*_AT, *lines, "s_waitcnt vmcnt(0) lgkmcnt(0)", "v_mov_b32 v1, 0", "global_store_dwordx2 v1, v[20:21], s[2:3]"]
    out = navi21.launch(program("navi21", *code), [data, 8], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    assert out.buffers[1] == _DATA[at : at + 8]


_SCRATCH = ["s_add_u32 s20, s0, s4", "s_addc_u32 s21, s1, 0", "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s20"]
_SCRATCH.append("s_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s21")
_SWIZZLED = ["s_add_u32 s8, s0, s4", "s_addc_u32 s9, s1, 0", "s_or_b32 s9, s9, 0x80000000", "s_mov_b32 s10, -1"]
_SWIZZLED.append(f"s_mov_b32 s11, {hex(3 << 28 | 1 << 24 | 1 << 23 | 2 << 21)}")


@pytest.mark.parametrize("kind", ["flat", "buffer", "no address"])
def test_private_memory(navi21: BareRdna, kind: str) -> None:
    """Two waves: each has its own part, which the shader finds by a register after the buffers' addresses."""
    if kind == "buffer":
        code = [*_SWIZZLED, "v_mov_b32 v3, 8", "buffer_store_dword v0, v3, s[8:11], 0 offen offset:4"]
        code += ["s_waitcnt_vscnt null, 0", "buffer_load_dword v4, off, s[8:11], 0 offset:12"]
    elif kind == "flat":
        code = [*_SCRATCH, "v_mov_b32 v3, 8", "scratch_store_dword v3, v0, off offset:4", "s_mov_b32 s22, 12"]
        code += ["scratch_load_dword v4, off, s22"]
    else:
        code = [*_SCRATCH, "scratch_store_dword off, v0, off offset:12", "scratch_load_dword v4, off, off offset:12"]
    code += ["s_waitcnt vmcnt(0)", "v_lshlrev_b32 v1, 2, v0", "global_store_dword v1, v4, s[2:3]"]
    out = navi21.launch(program("navi21", *code), [4096, 4 * 64], Grid((64, 1, 1), scratch=2048))
    assert out.done, out.marks
    assert not out.marks
    assert out.words(1) == list(range(64))
    if kind == "buffer":  # words of the wave's lanes lie beside each other
        private = out.words(0)
        assert private[96:128] == list(range(32))
        assert private[512 + 96 : 512 + 128] == list(range(32, 64))


def test_private_memory_that_no_shader_has_set_up(navi21: BareRdna) -> None:
    out = navi21.launch(program("navi21", "scratch_store_dword off, v0, off"), [4096, 4], Grid((32, 1, 1), scratch=1024))
    assert not out.done
    assert "FLAT_SCRATCH" in out.marks[-1]


@pytest.mark.parametrize(("old", "stored"), [(7, 9), (6, 6)])
def test_what_is_compared_with_comes_first_in_local_memory(navi21: BareRdna, old: int, stored: int) -> None:
    code = ["v_mov_b32 v1, 0", "v_mov_b32 v2, 7", "v_mov_b32 v3, 9", f"v_mov_b32 v4, {old}", "ds_write_b32 v1, v4"]
    code += ["ds_cmpst_rtn_b32 v5, v1, v2, v3", "ds_read_b32 v6, v1", "s_waitcnt lgkmcnt(0)"]
    code.append("global_store_dwordx2 v1, v[5:6], s[0:1]")
    out = navi21.launch(program("navi21", *code), [8], Grid((1, 1, 1), local=1))
    assert out.done, out.marks
    assert out.words(0) == [old, stored]


def _image(layers: int = 1, level: int = 0, levels: int = 1) -> list[str]:
    """Of words, 4 by 2, in rows of 64: the descriptor in s[8:15]."""
    kind = 13 if layers > 1 else 9
    shown = 4 | 5 << 3 | 6 << 6 | 7 << 9 | level << 12 | level << 16
    words = {10: 1 << 14, 11: shown | kind << 28, 12: layers - 1, 13: levels - 1 << 4, 14: 0, 15: 0}
    code = ["s_lshr_b64 s[8:9], s[0:1], 8", f"s_or_b32 s9, s9, {hex(20 << 20 | 3 << 30)}"]
    return [*code, *(f"s_mov_b32 s{n}, {hex(word)}" for n, word in words.items())]


@pytest.mark.parametrize("apart", [False, True])
def test_coordinates_in_any_registers(navi21: BareRdna, apart: bool) -> None:
    places = ("v30", "v7", "v12") if apart else ("v4", "v5", "v6")
    code = [*_image(2), *(f"v_mov_b32 {place}, {n}" for place, n in zip(places, (2, 1, 1), strict=True))]
    named = f"[{', '.join(places)}]" if apart else "v[4:6]"
    code += [f"image_load v20, {named}, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY", "s_waitcnt vmcnt(0)"]
    code += ["v_mov_b32 v1, 0", "global_store_dword v1, v20, s[2:3]"]
    out = navi21.launch(program("navi21", *code), [struct.pack("<1024I", *range(1024)), 4], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    assert out.words(1) == [64 * 2 + 64 + 2]


@pytest.mark.parametrize(("level", "at", "want"), [
    (0, (2, 1), 256 + 128 + 64 + 2), (1, (1, 0), 256 + 64 + 1), (2, (0, 0), 256), (1, (2, 0), None), (1, (1, 1), None),
])  # fmt: skip
def test_a_level(navi21: BareRdna, level: int, at: tuple[int, int], want: int | None) -> None:
    """Each of the two layers begins with its smallest level. Beyond a level's size there are no texels."""
    code = [*_image(2, level, 3), f"v_mov_b32 v4, {at[0]}", f"v_mov_b32 v5, {at[1]}", "v_mov_b32 v6, 1"]
    code += ["image_load v20, v[4:6], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY", "s_waitcnt vmcnt(0)"]
    code += ["v_mov_b32 v1, 0", "global_store_dword v1, v20, s[2:3]"]
    out = navi21.launch(program("navi21", *code), [struct.pack("<1024I", *range(1024)), 4], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert out.words(1) == [want or 0]


# ---- waits


@pytest.mark.parametrize(("line", "hazard"), [
    ("s_waitcnt vmcnt(0)", ""), ("s_waitcnt vmcnt(1)", "vmcnt"), ("s_waitcnt lgkmcnt(0)", "vmcnt"), ("s_nop 0", "vmcnt"),
    ("s_waitcnt vmcnt(16)", "vmcnt"), ("s_waitcnt_vscnt null, 0", "vmcnt"), ("s_waitcnt_vmcnt null, 0", ""),
])  # fmt: skip
def test_a_load_is_waited_for(navi21: BareRdna, line: str, hazard: str) -> None:
    code = ["v_mov_b32 v1, 0", "global_load_dword v5, v1, s[0:1]", line, "v_mov_b32 v6, v5"]
    out = navi21.launch(program("navi21", *code), [64], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert [hazard] == [m.split(": ")[2].split()[0] for m in out.hazards] if hazard else not out.hazards, out.hazards


@pytest.mark.parametrize(("line", "hazard"), [("s_waitcnt lgkmcnt(0)", False), ("s_waitcnt vmcnt(0)", True)])
def test_a_constant_is_waited_for(navi21: BareRdna, line: str, hazard: bool) -> None:
    for load in ("s_load_dword s20, s[0:1], 0", "s_memtime s[20:21]"):
        out = navi21.launch(program("navi21", load, line, "s_add_u32 s22, s20, 1"), [64], Grid((1, 1, 1)))
        assert out.done, out.marks
        assert bool(out.hazards) is hazard, out.hazards
