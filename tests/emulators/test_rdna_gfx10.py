"""What gfx10 (navi10, navi21) has otherwise than gfx11: opcodes, SDWA, encodings of memory, counters, private memory."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence

import pytest
from bare_rdna import BareRdna, Grid
from gfx10 import BEGIN, assemble, program
from rdna_meaning import MEANINGS, bits_of, number
from test_rdna_alu import _operands, _same

_NAMES = {"v_clz_i32_u32": "v_ffbh_u32", "v_ctz_i32_b32": "v_ffbl_b32", "v_cls_i32": "v_ffbh_i32"}
_NEWER = ("v_maxmin_", "v_minmax_")  # gfx11's alone
_NOT_NAVI10 = ("v_dot4_",)
_INPUTS = [f"global_load_dwordx2 v[{10 + 2 * n}:{11 + 2 * n}], v1, s[{2 * n}:{2 * n + 1}]" for n in range(3)]
_LOADED = [BEGIN, *_INPUTS, "s_waitcnt vmcnt(0)", "v_mov_b32 v20, -1", "v_mov_b32 v21, -1"]
_STORED = ["global_store_dwordx2 v1, v[20:21], s[6:7]"]
_ROWS = 64


def _register(kind: str, n: int) -> str:
    return f"v[{n}:{n + 1}]" if kind.endswith("64") else f"v{n}"


def _line(name: str) -> str:
    meaning = MEANINGS[name]
    places = [_register(kind, n) for kind, n in zip(meaning.sources, (10, 12, 14), strict=False)]
    return f"{_NAMES.get(name, name)} {', '.join([_register(meaning.result, 20), *places])}"


def _compute(gpu: BareRdna, code: bytes, rows: Sequence[tuple[int, ...]]) -> list[int]:
    """What v[20:21] holds, of each row of operands in v10, v12 and v14."""
    inputs = [struct.pack(f"<{len(rows)}Q", *(row[n] if n < len(row) else 0 for row in rows)) for n in range(3)]
    out = gpu.launch(code, [*inputs, 8 * len(rows)], Grid((len(rows), 1, 1)))
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    return list(struct.unpack(f"<{len(rows)}Q", out.buffers[3]))


def _names(gpu: str) -> list[str]:
    return [n for n in MEANINGS if not n.startswith(_NEWER + (_NOT_NAVI10 if gpu == "navi10" else ()))]


@pytest.mark.parametrize("gpu", ["navi10", "navi21"])
def test_instructions_compute_what_they_mean(request: pytest.FixtureRequest, gpu: str) -> None:
    """In the form that the assembler takes by itself, the short one if there is one."""
    bare: BareRdna = request.getfixturevalue(gpu)
    names = _names(gpu)
    programs = ["\n".join([*_LOADED, _line(name), *_STORED, "s_endpgm"]) for name in names]
    for name, code in zip(names, assemble(gpu, *programs), strict=True):
        meaning = MEANINGS[name]
        rows = _operands(meaning.sources, f"gfx10 {name}")[:_ROWS]
        for row, bits in zip(rows, _compute(bare, code, rows), strict=True):
            want = bits_of(meaning.compute(*map(number, row, meaning.sources)), meaning.result)
            assert _same(bits, want, meaning.result), (name, [hex(x) for x in row], hex(bits), hex(want))


def _floats(rows: Sequence[tuple[int, ...]]) -> list[tuple[float, ...]]:
    return [tuple(struct.unpack("<f", struct.pack("<I", x))[0] for x in row) for row in rows]


def _rounded(x: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", x))[0])


@pytest.mark.parametrize(("line", "order"), [
    ("v_mad_f32 v20, v10, v12, v14", (0, 1, 2)), ("v_madak_f32 v20, v10, v12, 0x40400000", (0, 1, 3)),
    ("v_madmk_f32 v20, v10, 0x40400000, v14", (0, 3, 2)), ("v_mov_b32 v20, v14\nv_mac_f32 v20, v10, v12", (0, 1, 2)),
])  # fmt: skip
def test_navi10_rounds_a_product_before_it_adds(navi10: BareRdna, line: str, order: tuple[int, ...]) -> None:
    chance = random.Random(line)
    rows = [tuple(chance.getrandbits(23) | chance.choice((126, 127, 128)) << 23 for _ in range(3)) for _ in range(_ROWS)]
    got = _compute(navi10, program("navi10", *_LOADED, line, *_STORED), rows)
    for values, bits in zip(_floats(rows), got, strict=True):
        a, b, c = ((*values, 3.0)[n] for n in order)
        assert struct.pack("<f", _rounded(_rounded(a * b) + c)) == struct.pack("<I", bits & 0xFFFFFFFF)


# ---- SDWA

_A, _B, _OLD = 0x8142F3A5, 0x7FC0917E, 0xFFFFFFFF


def _part(word: int, part: str, *, signed: bool = False) -> int:
    kind, _, n = part.partition("_")
    width = {"BYTE": 8, "WORD": 16, "DWORD": 32}[kind]
    bits = word >> width * int(n or 0) & (1 << width) - 1
    return bits - (bits >> width - 1 << width) if signed else bits


@pytest.mark.parametrize("first", ["BYTE_0", "BYTE_3", "WORD_1", "DWORD"])
@pytest.mark.parametrize("second", ["BYTE_1", "BYTE_2", "WORD_0"])
@pytest.mark.parametrize("signed", [False, True])
def test_parts_of_sources(navi21: BareRdna, first: str, second: str, signed: bool) -> None:
    one, two = ("sext(v10)", "sext(v12)") if signed else ("v10", "v12")
    line = f"v_add_nc_u32_sdwa v20, {one}, {two} dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:{first} src1_sel:{second}"
    (got,) = _compute(navi21, program("navi21", *_LOADED, line, *_STORED), [(_A, _B)])
    assert got & 0xFFFFFFFF == (_part(_A, first, signed=signed) + _part(_B, second, signed=signed)) & 0xFFFFFFFF


@pytest.mark.parametrize(("to", "rest", "want"), [
    ("BYTE_0", "PAD", 0xE3), ("BYTE_2", "PAD", 0xE30000), ("WORD_1", "PAD", 0x84E30000), ("DWORD", "PAD", 0x184E3),
    ("BYTE_1", "SEXT", 0xFFFFE300), ("WORD_0", "SEXT", 0xFFFF84E3), ("BYTE_3", "PRESERVE", 0xE3FFFFFF),
    ("WORD_0", "PRESERVE", 0xFFFF84E3), ("WORD_1", "PRESERVE", 0x84E3FFFF),
])  # fmt: skip
def test_a_part_of_the_result(navi21: BareRdna, to: str, rest: str, want: int) -> None:
    line = f"v_add_nc_u32_sdwa v20, v10, v12 dst_sel:{to} dst_unused:UNUSED_{rest} src0_sel:WORD_0 src1_sel:WORD_0"
    (got,) = _compute(navi21, program("navi21", *_LOADED, line, *_STORED), [(0xF3A5, 0x913E)])
    assert got & 0xFFFFFFFF == want


@pytest.mark.parametrize(("line", "want"), [
    # Halves: 1.5 in the upper half of v10, -2 in the lower one of v12.
    ("v_add_f16_sdwa v20, v10, v12 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0", 0xB800FFFF),
    ("v_mul_f16_sdwa v20, -v10, |v12| dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0",
     0xFFFFC200),
    ("v_cmp_lt_f16_sdwa s20, v12, v10 src0_sel:WORD_0 src1_sel:WORD_1\nv_mov_b32 v20, s20", 1),
    ("v_cmp_gt_u32_sdwa vcc_lo, v10, v12 src0_sel:BYTE_3 src1_sel:BYTE_1\nv_mov_b32 v20, vcc_lo", 0),
    ("s_mov_b32 s20, 0x12345678\nv_or_b32_sdwa v20, s20, v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 "
     "src1_sel:DWORD", 0xC056),
    ("v_cvt_f32_u32_sdwa v20, v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1", 0x43400000),
    ("v_mov_b32_sdwa v20, sext(v12) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0", 0xFFFFC000),
])  # fmt: skip
def test_parts_of_other_instructions(navi21: BareRdna, line: str, want: int) -> None:
    (got,) = _compute(navi21, program("navi21", *_LOADED, *line.splitlines(), *_STORED), [(0x3E000000, 0xC000)])
    assert got & 0xFFFFFFFF == want


# ---- registers


def test_null_and_m0_have_other_numbers(navi21: BareRdna) -> None:
    code = ["s_mov_b32 m0, 2", "v_movrels_b32 v20, v10", "s_mov_b32 null, 7", "v_mov_b32 v21, m0"]
    (got,) = _compute(navi21, program("navi21", *_LOADED, *code, *_STORED), [(11, 22, 33)])
    assert (got & 0xFFFFFFFF, got >> 32) == (22, 2)


def test_registers_beyond_128_are_no_halves(navi21: BareRdna) -> None:
    code = ["v_mov_b32 v200, v10", "v_mov_b32 v201, v12", "v_add_f16 v202, v200, v201", "v_mov_b32 v20, v202"]
    inputs = [struct.pack("<Q", 0x3E00), struct.pack("<Q", 0x4000), bytes(8), bytes(8)]
    out = navi21.launch(program("navi21", *_LOADED, *code, *_STORED), inputs, Grid((1, 1, 1), vectors=208))
    assert out.done, out.marks
    assert out.words(3)[0] & 0xFFFF == 0x4300


def test_half_waves_share_registers(navi21: BareRdna) -> None:
    """Those behind the wave's own; of a write by both halves the upper one's stays."""
    code = ["v_mov_b32 v2, 1", "v_mov_b32 v16, v0", "s_mov_b64 exec, 0xffffffff", "v_mov_b32 v17, v0", "s_mov_b64 exec, -1"]
    code += ["v_mov_b32 v4, v16", "v_mov_b32 v5, v17", "v_lshlrev_b32 v1, 3, v0", "global_store_dwordx2 v1, v[4:5], s[0:1]"]
    for shared in (1, 0):
        out = navi21.launch(program("navi21", *code), [8 * 64], Grid((64, 1, 1), wide=True, vectors=16, shared=shared))
        assert out.done is bool(shared), out.marks
        if shared:
            assert out.words(0) == [word for n in range(64) for word in (n % 32 + 32, n % 32)]


@pytest.mark.parametrize("axes", [0, 1, 2])
def test_each_number_of_an_item_is_in_a_register(navi21: BareRdna, axes: int) -> None:
    size = (4, 3 if axes else 1, 2 if axes > 1 else 1)
    weights = (1, 4, 12)
    code = ["v_mov_b32 v4, 0", *(f"v_mad_u32_u24 v4, v{n}, {weights[n]}, v4" for n in range(axes + 1))]
    code += ["v_lshlrev_b32 v5, 2, v4", "global_store_dword v5, v4, s[0:1]"]
    count = (4, 12, 24)[axes]
    out = navi21.launch(program("navi21", *code), [4 * count], Grid(size, axes=axes))
    assert out.done, out.marks
    assert not out.marks
    assert out.words(0) == list(range(count))


def test_literals_of_64_bits(navi21: BareRdna) -> None:
    """A signed operand's sign is extended, another one's is not."""
    signed, unsigned = "v_ashrrev_i64 v[20:21], 0, -256", "v_lshrrev_b64 v[20:21], 0, 0xffffff00"
    for line, want in ((signed, 0xFFFFFFFFFFFFFF00), (unsigned, 0xFFFFFF00)):
        assert _compute(navi21, program("navi21", *_LOADED, line, *_STORED), [(0,)]) == [want]


def test_the_clock_goes_on(navi10: BareRdna) -> None:
    code = [f"{name} s[{n}:{n + 1}]" for n, name in ((20, "s_memtime"), (22, "s_memrealtime"))]
    code += ["s_waitcnt lgkmcnt(0)", *["s_nop 0"] * 8, "s_memtime s[24:25]", "s_waitcnt lgkmcnt(0)"]
    code += ["s_sub_u32 s24, s24, s20", "v_mov_b32 v20, s24", "v_mov_b32 v21, s22"]
    (got,) = _compute(navi10, program("navi10", *_LOADED, *code, *_STORED), [(0,)])
    assert 8 <= got & 0xFFFFFFFF < 1000
    assert got >> 32


# ---- memory

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
    """Of two waves: each has its part, where the shader finds it by a register behind the addresses of the buffers."""
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


def _image(layers: int = 1) -> list[str]:
    """Of words, in rows of 64: the descriptor in s[8:15]."""
    kind = 13 if layers > 1 else 9
    words = {10: 1 << 14, 11: 4 | 5 << 3 | 6 << 6 | 7 << 9 | kind << 28, 12: layers - 1, 13: 0, 14: 0, 15: 0}
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
