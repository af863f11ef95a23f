"""What differs on gfx10 (navi10, navi21) from gfx11: opcodes, SDWA, registers."""

import random
import struct
from collections.abc import Sequence

import pytest
from bare_rdna import BareRdna, Grid
from gfx10 import BEGIN, assemble, program
from rdna_meaning import MEANINGS, bits_of, number
from test_rdna_alu import _operands, _same

_NAMES = {"v_clz_i32_u32": "v_ffbh_u32", "v_ctz_i32_b32": "v_ffbl_b32", "v_cls_i32": "v_ffbh_i32"}
_NAMES_9 = {
    "v_add_nc_i32": "v_add_i32", "v_sub_nc_i32": "v_sub_i32", "v_add_nc_i16": "v_add_i16", "v_sub_nc_i16": "v_sub_i16",
    "v_add_nc_u32": "v_add_u32", "v_sub_nc_u32": "v_sub_u32", "v_subrev_nc_u32": "v_subrev_u32", "v_add_nc_u16": "v_add_u16",
    "v_sub_nc_u16": "v_sub_u16",
}  # fmt: skip
_NEWER = ("v_maxmin_", "v_minmax_")  # only on gfx11
_NOT = {"vega10": ("v_dot4_", "v_xnor_", "v_xor3_"), "navi10": ("v_dot4_",), "navi21": ()}
_INPUTS = [f"global_load_dwordx2 v[{10 + 2 * n}:{11 + 2 * n}], v1, s[{2 * n}:{2 * n + 1}]" for n in range(3)]
_LOADED = [BEGIN, *_INPUTS, "s_waitcnt vmcnt(0)", "v_mov_b32 v20, -1", "v_mov_b32 v21, -1"]
_STORED = ["global_store_dwordx2 v1, v[20:21], s[6:7]"]
_ROWS = 64


def _register(kind: str, n: int) -> str:
    return f"v[{n}:{n + 1}]" if kind.endswith("64") else f"v{n}"


def _line(gpu: str, name: str) -> str:
    meaning = MEANINGS[name]
    places = [_register(kind, n) for kind, n in zip(meaning.sources, (10, 12, 14), strict=False)]
    names = _NAMES | (_NAMES_9 if gpu == "vega10" else {})
    return f"{names.get(name, name)} {', '.join([_register(meaning.result, 20), *places])}"


def _compute(gpu: BareRdna, code: bytes, rows: Sequence[tuple[int, ...]]) -> list[int]:
    """What v[20:21] holds, for each row of operands in v10, v12 and v14."""
    inputs = [struct.pack(f"<{len(rows)}Q", *(row[n] if n < len(row) else 0 for row in rows)) for n in range(3)]
    out = gpu.launch(code, [*inputs, 8 * len(rows)], Grid((len(rows), 1, 1)))
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    return list(struct.unpack(f"<{len(rows)}Q", out.buffers[3]))


def _names(gpu: str) -> list[str]:
    return [n for n in MEANINGS if not n.startswith(_NEWER + _NOT[gpu])]


@pytest.mark.root
@pytest.mark.parametrize("gpu", ["vega10", "navi10", "navi21"])
def test_instructions_compute_what_they_mean(request: pytest.FixtureRequest, gpu: str) -> None:
    """In the form that the assembler chooses, the short one if there is one."""
    bare: BareRdna = request.getfixturevalue(gpu)
    names = _names(gpu)
    programs = ["\n".join([*_LOADED, _line(gpu, name), *_STORED, "s_endpgm"]) for name in names]
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


def test_registers_beyond_128_are_not_halves(navi21: BareRdna) -> None:
    code = ["v_mov_b32 v200, v10", "v_mov_b32 v201, v12", "v_add_f16 v202, v200, v201", "v_mov_b32 v20, v202"]
    inputs = [struct.pack("<Q", 0x3E00), struct.pack("<Q", 0x4000), bytes(8), bytes(8)]
    out = navi21.launch(program("navi21", *_LOADED, *code, *_STORED), inputs, Grid((1, 1, 1), vectors=208))
    assert out.done, out.marks
    assert out.words(3)[0] & 0xFFFF == 0x4300


def test_half_waves_share_registers(navi21: BareRdna) -> None:
    """Those after the wave's own; if both halves write, the value of the upper half stays."""
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
    """A signed operand is sign-extended, another one is not."""
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
