"""What differs on gfx9 (vega10) from gfx10: opcodes, lanes, registers by an index, memory, waits.

One file: everything that only this architecture has, in tables of lines and answers.
"""

import random
import struct
from collections.abc import Sequence

import pytest
from bare_rdna import BareRdna, Grid
from gfx10 import BEGIN, assemble, program

_DATA = bytes(random.Random(9).randbytes(256))
_ITEM = Grid((1, 1, 1))
_WAVE = Grid((64, 1, 1))


def _words(vega10: BareRdna, lines: Sequence[str], grid: Grid = _ITEM, register: str = "v20") -> list[int]:
    """What a register holds after these lines, for each work-item."""
    code = program("vega10", BEGIN, *lines, "v_lshlrev_b32 v1, 2, v0", f"global_store_dword v1, {register}, s[0:1]")
    out = vega10.launch(code, [4 * grid.size[0]], grid)
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    return out.words(0)


def _refused(vega10: BareRdna, *words: int) -> str:
    out = vega10.launch(struct.pack(f"<{len(words) + 1}I", *words, 0xBF810000), [64], _ITEM)
    assert not out.done
    return str(out.marks[-1])


# ---- opcodes


@pytest.mark.parametrize(("lines", "want"), [
    # 1 + 2^-12, squared: its last bit is lost before 2^-24 is subtracted, or not.
    (["v_mov_b32 v2, 0x3f800800", "v_mov_b32 v20, 0xbf801000", "v_mac_f32 v20, v2, v2"], 0),
    (["v_mov_b32 v2, 0x3f800800", "v_mov_b32 v3, 0xbf801000", "v_fma_f32 v20, v2, v2, v3"], 0x33800000),
    (["v_mov_b32 v2, 0x3f800800", "v_mov_b32 v3, 0xbf801000", "v_mad_mix_f32 v20, v2, v2, v3"], 0),
    (["v_mov_b32 v2, 0x3c013c01", "v_mov_b32 v3, 0xbc02", "v_mad_f16 v20, v2, v2, v3 op_sel:[1,0,0,0]"], 0xDEAD0000),
    (["v_mov_b32 v2, 0x3c013c01", "v_mov_b32 v3, 0xbc02", "v_fma_f16 v20, v2, v2, v3 op_sel:[1,0,0,0]"], 0xDEAD0010),
    (["v_mov_b32 v2, 0x4000", "v_madak_f16 v20, v2, v2, 0x3c00"], 0xDEAD4500),
    (["v_mov_b32 v2, 0x4000", "v_madmk_f16 v20, v2, 0x4200, v2"], 0xDEAD4800),
    (["v_mov_b32 v2, 0x4000", "v_mad_mixhi_f16 v20, v2, v2, v2 op_sel_hi:[1,1,1]"], 0x46007E7E),
])  # fmt: skip
def test_a_product_is_rounded_before_it_is_added_to(vega10: BareRdna, lines: list[str], want: int) -> None:
    assert _words(vega10, ["v_mov_b32 v20, 0xdead7e7e", *lines]) == [want]


@pytest.mark.parametrize(("line", "want"), [
    ("v_add_f16 v20, v2, v2", 0x4400), ("v_add_u16 v20, v2, v3", 0x4002), ("v_subrev_u16 v20, v2, v3", 0xC002),
    ("v_cvt_f16_f32 v20, 1.0", 0x3C00), ("v_lshlrev_b16 v20, 1, v2", 0x8000), ("v_mul_lo_u16 v20, v3, v3", 4),
    ("v_mad_u16 v20, v3, v3, v3", 0xDEAD0006), ("v_mad_legacy_u16 v20, v2, v3, v3", 0x8002),
    ("v_mad_legacy_i16 v20, v3, v3, -16", 0xFFF4), ("v_mad_legacy_u16 v20, v2, v2, v3 clamp", 0xFFFF),
    ("v_mad_legacy_i16 v20, v2, v3, v2 clamp", 0x7FFF), ("v_max3_f16 v20, v2, v3, v3", 0xDEAD4000),
    ("v_add_i16 v20, v2, v3", 0xDEAD4002),    ("v_subrev_u16 v20, v2, v3 clamp", 0),
])  # fmt: skip
def test_a_result_of_16_bits_fills_its_register_or_not(vega10: BareRdna, line: str, want: int) -> None:
    assert _words(vega10, ["v_mov_b32 v20, 0xdead7e7e", "v_mov_b32 v2, 0x4000", "v_mov_b32 v3, 2", line]) == [want]


@pytest.mark.parametrize(
    ("line", "mask"), [("v_cmpx_gt_u32 vcc, 5, v0", "vcc"), ("v_cmpx_gt_u32 s[20:21], 5, v0", "s[20:21]")]
)
def test_a_comparison_that_sets_exec_has_a_result_too(vega10: BareRdna, line: str, mask: str) -> None:
    low = mask.replace("vcc", "vcc_lo").replace("s[20:21]", "s20")
    lines = ["v_mov_b32 v20, 0", line, "s_nop 4", f"v_mov_b32 v20, {low}", "s_mov_b64 exec, -1"]
    assert _words(vega10, lines, _WAVE) == [31 if n < 5 else 0 for n in range(64)]


def test_carries_of_short_words_are_in_vcc(vega10: BareRdna) -> None:
    lines = ["v_mov_b32 v2, -1", "v_add_co_u32 v3, vcc, v0, v2", "v_mov_b32 v20, 0", "v_addc_co_u32 v20, vcc, v20, v20, vcc"]
    assert _words(vega10, lines, _WAVE) == [int(n > 0) for n in range(64)]


@pytest.mark.parametrize("words", [
    (0xD1CB0014, 0x041A00FF), (0xD1CB0014, 0x041A00FA), (0xD1CB0014, 0x041A00F9),  # v_fma_f32: short words have these
    (0x7E28027D,), (0xBEFD0002,),  # gfx10's null as a register: v_mov_b32 v20, null; s_mov_b32 null, s2
    (0xD1EA0014, 0x041A0302),  # v_mad_legacy_f16
    (0xD8D90000, 0x14000001),  # ds of the global share
    (0xC0420500, 0x00000000),  # s_store_dword
    (0x7E2802E9, 0x00000001),  # DPP8
])  # fmt: skip
def test_what_is_not_known_ends_the_launch(vega10: BareRdna, words: tuple[int, ...]) -> None:
    assert _refused(vega10, *words).startswith("unknown")


# ---- lanes


@pytest.mark.parametrize(("control", "source"), [
    ("wave_shl:1", lambda n: n + 1 if n < 63 else None), ("wave_rol:1", lambda n: (n + 1) % 64),
    ("wave_shr:1", lambda n: n - 1 if n else None), ("wave_ror:1", lambda n: (n - 1) % 64),
    ("row_bcast:15", lambda n: n // 16 * 16 - 1 if n > 15 else None), ("row_bcast:31", lambda n: 31 if n > 31 else None),
    ("row_shr:3", lambda n: n - 3 if n % 16 > 2 else None), ("row_mirror", lambda n: n ^ 15),
    ("row_half_mirror", lambda n: n ^ 7),    ("quad_perm:[3,2,1,0]", lambda n: n ^ 3),
])  # fmt: skip
def test_lanes_read_others(vega10: BareRdna, control: str, source: object) -> None:
    assert callable(source)
    lines = ["v_mov_b32 v20, 99", "s_nop 1", f"v_mov_b32_dpp v20, v0 {control} row_mask:0xf bank_mask:0xf"]
    want = [source(n) for n in range(64)]
    assert _words(vega10, lines, _WAVE) == [99 if n is None else n for n in want]


def test_local_memory_s_lanes_are_those_of_the_whole_wave(vega10: BareRdna) -> None:
    lines = ["v_sub_u32 v2, 63, v0", "v_lshlrev_b32 v2, 2, v2", "ds_bpermute_b32 v20, v2, v0", "s_waitcnt lgkmcnt(0)"]
    assert _words(vega10, lines, _WAVE) == list(range(63, -1, -1))
    assert _words(vega10, [line.replace("ds_b", "ds_") for line in lines], _WAVE) == list(range(63, -1, -1))


@pytest.mark.parametrize(("line", "want"), [
    ("v_add_u32_sdwa v20, v2, v3 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:WORD_0", 0xDEAD947E),
    ("v_mov_b32_sdwa v20, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3", 0xFFFFFF92),
    ("v_cmp_lt_u32_sdwa s[20:21], v3, v2 src0_sel:WORD_0 src1_sel:BYTE_0\nv_mov_b32 v20, s20", 1),
])  # fmt: skip
def test_parts_of_operands(vega10: BareRdna, line: str, want: int) -> None:
    lines = ["v_mov_b32 v20, 0xdead7e7e", "v_mov_b32 v2, 0x92345678", "v_mov_b32 v3, 2", *line.splitlines()]
    assert _words(vega10, lines) == [want]


# ---- registers by an index

_ROW = [f"v_mov_b32 v{10 + n}, {n + 40}" for n in range(4)]


@pytest.mark.parametrize(("mode", "line", "want"), [
    ("gpr_idx(SRC0)", "v_mov_b32 v20, v10", 42), ("gpr_idx(DST)", "v_mov_b32 v18, v10", 40),
    ("gpr_idx(SRC1)", "v_sub_u32 v20, v10, v10", -2), ("gpr_idx(SRC0,DST)", "v_mov_b32 v18, v10", 42),
    ("gpr_idx(SRC1)", "v_mov_b32 v20, v10", 40), ("gpr_idx(SRC2)", "v_add3_u32 v20, 0, 0, v10", 42),
])  # fmt: skip
def test_an_index_is_added_to_the_numbers_of_registers(vega10: BareRdna, mode: str, line: str, want: int) -> None:
    """And no register after its end; the index or the places it applies to may change in between."""
    lines = ["v_mov_b32 v20, 7", *_ROW, "s_mov_b32 s20, 2", f"s_set_gpr_idx_on s20, {mode}", line, "s_set_gpr_idx_off"]
    assert _words(vega10, lines) == [want & 0xFFFFFFFF]
    if mode == "gpr_idx(SRC0)":
        assert _words(vega10, [*lines, "v_mov_b32 v3, v10"], register="v3") == [40]
        again = ["s_mov_b32 s20, 3", "s_set_gpr_idx_idx s20", line]
        assert _words(vega10, [*lines[:-1], *again, "s_set_gpr_idx_off"]) == [43]
        assert _words(vega10, [*lines[:-1], "s_set_gpr_idx_mode gpr_idx(SRC1)", line, "s_set_gpr_idx_off"]) == [40]


@pytest.mark.parametrize(("line", "mark"), [("v_readfirstlane_b32 s4, v10", "unknown"), ("v_mov_b32 v20, v255", "fault")])
def test_an_index_that_goes_astray(vega10: BareRdna, line: str, mark: str) -> None:
    code = program("vega10", *_ROW, "s_mov_b32 s20, 2", "s_set_gpr_idx_on s20, gpr_idx(SRC0)", line)
    out = vega10.launch(code, [4], _ITEM)
    assert not out.done
    assert out.marks[-1].startswith(mark)


# ---- memory

_BUFFER = ["s_mov_b32 s8, s0", "s_mov_b32 s9, s1", "s_mov_b32 s10, 256", "s_mov_b32 s11, 0x27fac"]
_AT = ["v_mov_b32 v1, 24", "v_mov_b32 v2, 3"]
_ADDRESS = ["v_mov_b32 v4, s0", "v_mov_b32 v5, s1", "v_add_co_u32 v4, vcc, v4, v1", "v_addc_co_u32 v5, vcc, 0, v5, vcc"]
_OF_STRUCTURES = [*_BUFFER, f"s_or_b32 s9, s9, {hex(8 << 16)}", "s_mov_b32 s10, 4"]
_CONSTANTS = ["s_waitcnt lgkmcnt(0)", "v_mov_b32 v20, s20", "v_mov_b32 v21, s21"]


@pytest.mark.parametrize(("lines", "at"), [
    (["global_load_dwordx2 v[20:21], v1, s[0:1] offset:4095"], 24 + 4095 - 4000),
    (["global_load_dwordx2 v[20:21], v1, s[0:1] offset:-16"], 24 - 16),
    ([*_ADDRESS, "global_load_dwordx2 v[20:21], v[4:5], off offset:32"], 24 + 32),
    ([*_ADDRESS, "flat_load_dwordx2 v[20:21], v[4:5] offset:32"], 24 + 32),
    ([*_BUFFER, "buffer_load_dwordx2 v[20:21], v1, s[8:11], 0 offen offset:16"], 24 + 16),
    ([*_BUFFER, "s_mov_b32 s12, 8", "buffer_load_dwordx2 v[20:21], off, s[8:11], s12 offset:16"], 8 + 16),
    ([*_BUFFER, "buffer_load_dwordx2 v[20:21], off, s[8:11], 0 offset:256"], None),
    ([*_BUFFER, "s_mov_b32 s12, 8", "buffer_load_dwordx2 v[20:21], off, s[8:11], s12 offset:248"], None),
    ([*_OF_STRUCTURES, "buffer_load_dwordx2 v[20:21], v2, s[8:11], 0 idxen"], 24),
    ([*_OF_STRUCTURES, "v_mov_b32 v2, 4", "buffer_load_dwordx2 v[20:21], v2, s[8:11], 0 idxen"], None),
    ([*_OF_STRUCTURES, "buffer_load_dwordx2 v[20:21], v1, s[8:11], 0 offen"], None),  # four bytes, not four structures
    (["s_load_dwordx2 s[20:21], s[0:1], 40", *_CONSTANTS], 40),
    (["s_mov_b32 s22, 40", "s_load_dwordx2 s[20:21], s[0:1], s22", *_CONSTANTS], 40),
    (["s_mov_b32 s22, 40", "s_load_dwordx2 s[20:21], s[0:1], s22 offset:0x10", *_CONSTANTS], 56),
    ([*_BUFFER, "s_buffer_load_dwordx2 s[20:21], s[8:11], 40", *_CONSTANTS], 40),
    ([*_OF_STRUCTURES, "s_buffer_load_dwordx2 s[20:21], s[8:11], 32", *_CONSTANTS], None),
])  # fmt: skip
def test_where_an_access_is(vega10: BareRdna, lines: list[str], at: int | None) -> None:
    """What is outside of a buffer is 0."""
    far = "offset:4095" in lines[0]
    data = (bytes(4000) + _DATA) if far else _DATA
    code = [*_AT, *lines, "s_waitcnt vmcnt(0) lgkmcnt(0)", "v_mov_b32 v1, 0", "global_store_dwordx2 v1, v[20:21], s[2:3]"]
    out = vega10.launch(program("vega10", *code), [data, 8], _ITEM)
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    assert out.buffers[1] == (bytes(8) if at is None else _DATA[at : at + 8])


@pytest.mark.parametrize(("data", "numbers", "texel", "want"), [
    (10, 0, 0x80FF0033, [0x33 / 255, 0, 1, 0x80 / 255]), (4, 7, 0x40490FDB, [struct.unpack("<f", b"\xdb\x0fI@")[0]]),
    (5, 1, 0x80017FFF, [1, -1]), (9, 0, 0xC00003FF, [1, 0, 0, 1]),
])  # fmt: skip
def test_formats_are_bits_and_numbers(vega10: BareRdna, data: int, numbers: int, texel: int, want: list[float]) -> None:
    select = 4 | 5 << 3 | 6 << 6 | 7 << 9
    lines = [*_BUFFER, f"s_mov_b32 s11, {hex(select | numbers << 12 | data << 15)}", "v_mov_b32 v1, 0"]
    lines += [
        "buffer_load_format_xyzw v[20:23], v1, s[8:11], 0 idxen",
        f"s_or_b32 s9, s9, {hex(4 << 16)}",
        "s_waitcnt vmcnt(0)",
    ]
    code = program("vega10", *lines, "global_store_dwordx4 v1, v[20:23], s[2:3]")
    out = vega10.launch(code, [struct.pack("<I", texel), 16], _ITEM)
    assert out.done, out.marks
    assert list(struct.unpack("<4f", out.buffers[1]))[: len(want)] == pytest.approx(want)


@pytest.mark.parametrize(("data", "numbers"), [(8, 2), (4, 0), (15, 0), (6, 0)])
def test_an_unknown_format_is_a_fault(vega10: BareRdna, data: int, numbers: int) -> None:
    lines = [*_BUFFER, f"s_mov_b32 s11, {hex(numbers << 12 | data << 15)}", "buffer_load_format_x v20, off, s[8:11], 0"]
    out = vega10.launch(program("vega10", *lines), [64], _ITEM)
    assert not out.done
    assert out.marks[-1].startswith("unknown")
    assert out.marks[-1].endswith(f"the format {0x8000 | data << 4 | numbers}")


_FLAT = ["s_add_u32 flat_scratch_lo, s0, s4", "s_addc_u32 flat_scratch_hi, s1, 0"]
_SWIZZLED = ["s_add_u32 s8, s0, s4", "s_addc_u32 s9, s1, 0", "s_or_b32 s9, s9, 0x80000000", "s_mov_b32 s10, -1"]
_SWIZZLED.append(f"s_mov_b32 s11, {hex(1 << 23 | 3 << 21)}")


@pytest.mark.parametrize("kind", ["flat", "buffer"])
def test_private_memory(vega10: BareRdna, kind: str) -> None:
    """Two waves: each has its own part, which the shader finds by a register after the buffers' addresses."""
    if kind == "buffer":
        code = [*_SWIZZLED, "v_mov_b32 v3, 8", "buffer_store_dword v0, v3, s[8:11], 0 offen offset:4"]
        code += ["s_waitcnt vmcnt(0)", "buffer_load_dword v4, off, s[8:11], 0 offset:12"]
    else:
        code = [*_FLAT, "v_mov_b32 v3, 8", "scratch_store_dword v3, v0, off offset:4", "s_mov_b32 s22, 12"]
        code += ["scratch_load_dword v4, off, s22"]
    code += ["s_waitcnt vmcnt(0)", "v_lshlrev_b32 v1, 2, v0", "global_store_dword v1, v4, s[2:3]"]
    out = vega10.launch(program("vega10", *code), [8192, 4 * 128], Grid((128, 1, 1), scratch=4096))
    assert out.done, out.marks
    assert not out.marks
    assert out.words(1) == list(range(128))
    if kind == "buffer":  # words of the wave's lanes lie beside each other
        assert out.words(0)[192:256] == list(range(64))
        assert out.words(0)[1024 + 192 : 1024 + 256] == list(range(64, 128))


def test_private_memory_that_no_shader_has_set_up(vega10: BareRdna) -> None:
    code = program("vega10", "s_mov_b64 flat_scratch, 0", "v_mov_b32 v1, 0", "scratch_store_dword v1, v0, off")
    out = vega10.launch(code, [4096, 4], Grid((64, 1, 1), scratch=1024))
    assert not out.done
    assert "FLAT_SCRATCH" in out.marks[-1]


@pytest.mark.parametrize(("old", "stored"), [(7, 9), (6, 6)])
def test_what_is_compared_with_comes_first_in_local_memory(vega10: BareRdna, old: int, stored: int) -> None:
    code = ["v_mov_b32 v1, 0", "v_mov_b32 v2, 7", "v_mov_b32 v3, 9", f"v_mov_b32 v4, {old}", "ds_write_b32 v1, v4"]
    code += ["ds_cmpst_rtn_b32 v5, v1, v2, v3", "ds_read_b32 v6, v1", "s_waitcnt lgkmcnt(0)"]
    code.append("global_store_dwordx2 v1, v[5:6], s[0:1]")
    out = vega10.launch(program("vega10", *code), [8], Grid((1, 1, 1), local=1))
    assert out.done, out.marks
    assert out.words(0) == [old, stored]


def _image(kind: int, depth: int, pitch: int = 16, base: int = 0) -> list[str]:
    """Of words, 8 by 4, in rows of 16: the descriptor in s[8:15]."""
    words = {
        10: 7 | 3 << 14,
        11: 4 | 5 << 3 | 6 << 6 | 7 << 9 | kind << 28,
        12: depth - 1 | (pitch - 1) << 13,
        13: base,
        14: 0,
    }
    code = ["s_lshr_b64 s[8:9], s[0:1], 8", f"s_or_b32 s9, s9, {hex(4 << 20 | 4 << 26)}", "s_mov_b32 s15, 0"]
    return [*code, *(f"s_mov_b32 s{n}, {hex(word)}" for n, word in words.items())]


@pytest.mark.parametrize(("image", "layers", "want"), [
    (_image(9, 1), "", 16 + 2), (_image(13, 3), "da", 2 * 64 + 16 + 2), (_image(13, 4, base=1), "da", 3 * 64 + 16 + 2),
    (_image(10, 4), "", 2 * 64 + 16 + 2), (_image(13, 3), "", 16 + 2), (_image(9, 1, pitch=32), "", 32 + 2),
])  # fmt: skip
def test_the_descriptor_says_how_many_coordinates_there_are(
    vega10: BareRdna, image: list[str], layers: str, want: int
) -> None:
    code = [*image, "v_mov_b32 v4, 2", "v_mov_b32 v5, 1", "v_mov_b32 v6, 2"]
    code += [f"image_load v20, v[4:6], s[8:15] dmask:0x1 unorm {layers}", "s_waitcnt vmcnt(0)"]
    code += ["v_mov_b32 v1, 0", "global_store_dword v1, v20, s[2:3]"]
    out = vega10.launch(program("vega10", *code), [struct.pack("<1024I", *range(1024)), 4], _ITEM)
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    assert out.words(1) == [want]


# ---- waits

_LOAD = ["v_mov_b32 v1, 0", "global_load_dword v5, v1, s[0:1]"]


@pytest.mark.parametrize(("lines", "hazard"), [
    (["s_waitcnt vmcnt(0)"], ""), (["s_waitcnt vmcnt(1)"], "vmcnt"), (["s_waitcnt lgkmcnt(0)"], "vmcnt"),
    (["s_nop 0"], "vmcnt"), (["s_waitcnt vmcnt(16)"], "vmcnt"),
    (["global_store_dword v1, v1, s[0:1]", "s_waitcnt vmcnt(1)"], ""),
    (["global_store_dword v1, v1, s[0:1]", "s_waitcnt vmcnt(2)"], "vmcnt"),
    (["buffer_wbinvl1", "s_waitcnt vmcnt(1)"], "vmcnt"),
])  # fmt: skip
def test_loads_and_stores_are_counted_together(vega10: BareRdna, lines: list[str], hazard: str) -> None:
    out = vega10.launch(program("vega10", *_LOAD, *lines, "v_mov_b32 v6, v5"), [64], _ITEM)
    assert out.done, out.marks
    assert [hazard] == [m.split(": ")[2].split()[0] for m in out.hazards] if hazard else not out.hazards, out.hazards


@pytest.mark.parametrize(
    ("reads", "open_", "hazard"), [(1, 0, False), (1, 1, True), (3, 2, False), (3, 3, True), (18, 15, False)]
)
def test_local_memory_answers_in_order(vega10: BareRdna, reads: int, open_: int, hazard: bool) -> None:
    """A use of the first read's result. A wait for 15 does nothing if fewer are pending; the 16th read waits by itself."""
    code = ["v_mov_b32 v1, 0", "ds_write_b32 v1, v1", *(f"ds_read_b32 v{10 + n}, v1" for n in range(reads))]
    code += [f"s_waitcnt lgkmcnt({open_})", "v_mov_b32 v2, v10"]
    out = vega10.launch(program("vega10", *code), [64], Grid((1, 1, 1), local=1))
    assert out.done, out.marks
    assert bool(out.hazards) is hazard, out.hazards


@pytest.mark.parametrize(("line", "hazard"), [("s_waitcnt lgkmcnt(0)", False), ("s_waitcnt vmcnt(0)", True)])
def test_constants_are_waited_for(vega10: BareRdna, line: str, hazard: bool) -> None:
    loads = ("s_load_dword s20, s[0:1], 0", "s_memtime s[20:21]", "s_memrealtime s[20:21]")
    for code in assemble("vega10", *("\n".join([load, line, "s_add_u32 s22, s20, 1", "s_endpgm"]) for load in loads)):
        out = vega10.launch(code, [64], _ITEM)
        assert out.done, out.marks
        assert bool(out.hazards) is hazard, out.hazards
