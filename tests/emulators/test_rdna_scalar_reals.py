"""Floats of the scalar unit, which gfx11.5 has: by the same exact arithmetic as those of vectors."""

import struct
from collections.abc import Sequence

import pytest
from bare_rdna import BareRdna, Grid, Line, asm, s, v
from rdna_meaning import MEANINGS, bits_of, number
from test_rdna_alu import _COMPARED, _NOT, _ROUNDED, _operands, _same

_LANES = 32
_NAMES = [
    f"s_{name}_f{width}"
    for width in (16, 32)
    for name in ("add", "sub", "mul", "min", "max", "ceil", "floor", "trunc", "rndne", "fmac")
]
_NAMES += ["s_cvt_f32_i32", "s_cvt_f32_u32", "s_cvt_i32_f32", "s_cvt_u32_f32", "s_cvt_f16_f32", "s_cvt_f32_f16"]


def _results(gpu: BareRdna, name: str, rows: Sequence[tuple[int, ...]], mode: int) -> list[int]:
    """What s22 holds for each row of operands; it held the third operand before."""
    code: list[Line] = [asm.v_mov_b32_e32(v[20], 0)]
    for n, row in enumerate(rows):
        code += [asm.s_mov_b32(s[20 + k], bits) for k, bits in enumerate(row)]
        code += [getattr(asm, name)(s[22], s[20], *([s[21]] if len(row) > 1 else [])), asm.v_writelane_b32(v[20], s[22], n)]
    code += [asm.v_lshlrev_b32_e32(v[1], 2, v[0]), asm.global_store_b32(addr=v[1], data=v[20], saddr=s[0:1])]
    out = gpu.launch(code, [4 * _LANES], Grid((_LANES, 1, 1), mode=mode))
    assert out.done, out.marks
    assert not out.marks
    return out.words(0)


@pytest.mark.parametrize("rounding", _ROUNDED)
@pytest.mark.parametrize("name", _NAMES)
def test_a_scalar_computes_what_a_lane_does(strix: BareRdna, name: str, rounding: str) -> None:
    meaning = MEANINGS[name.replace("s_", "v_", 1).replace("fmac", "fma")]
    exact = "cvt_f" not in name and not any(part in name for part in ("add", "sub", "mul", "fmac"))
    rows = _operands(meaning.sources, f"{name} {rounding}")[:_LANES]
    for row, bits in zip(rows, _results(strix, name, rows, 0xF0 | _ROUNDED[rounding] * 5), strict=True):
        real = meaning.compute(*map(number, row, meaning.sources))
        if real == 0 and not exact:  # the sum of two opposite numbers: the mode decides its sign
            continue
        want = bits_of(real, meaning.result, "even" if exact else rounding)
        assert _same(bits, want, meaning.result), (name, [hex(x) for x in row], hex(bits), hex(want))


def test_a_half_comes_from_above(strix: BareRdna) -> None:
    halves = [0x3C00, 0x0001, 0xFBFF, 0x8000]
    rows = [(half << 16 | 0x1234,) for half in halves]
    got = _results(strix, "s_cvt_hi_f32_f16", rows, 0xF0)
    assert got[: len(rows)] == [bits_of(number(half, "f16"), "f32") for half in halves]


@pytest.mark.parametrize(("name", "mode", "kind"), [("s_add_f32", 0xC0, "f32"), ("s_mul_f16", 0x30, "f16")])
def test_denormals_are_zeros_if_the_mode_says_so(strix: BareRdna, name: str, mode: int, kind: str) -> None:
    meaning, width = MEANINGS[name.replace("s_", "v_", 1)], int(kind[1:])
    exponent = {16: 0x7C00, 32: 0x7F800000}[width]

    def flushed(bits: int) -> int:
        return bits if bits & exponent else bits & 1 << width - 1

    rows = [(1, 1), (exponent // 2, 3), (0x3FF, 0x8001), *_operands(meaning.sources, f"flushed {name}")][:_LANES]
    for row, bits in zip(rows, _results(strix, name, rows, mode), strict=True):
        want = flushed(bits_of(meaning.compute(*(number(flushed(x), kind) for x in row)), kind))
        assert _same(bits, want, kind), (name, [hex(x) for x in row], hex(bits), hex(want))


@pytest.mark.parametrize("kind", ["f16", "f32"])
@pytest.mark.parametrize("name", [*_COMPARED, *_NOT])
def test_a_comparison_is_in_scc(strix: BareRdna, name: str, kind: str) -> None:
    rows = _operands((kind, kind), f"{name} {kind}")[:_LANES]
    code: list[Line] = [asm.v_mov_b32_e32(v[20], 0)]
    for n, (a, b) in enumerate(rows):
        code += [asm.s_mov_b32(s[20], a), asm.s_mov_b32(s[21], b), getattr(asm, f"s_cmp_{name}_{kind}")(s[20], s[21])]
        code += [asm.s_cselect_b32(s[22], 1, 0), asm.v_writelane_b32(v[20], s[22], n)]
    code += [asm.v_lshlrev_b32_e32(v[1], 2, v[0]), asm.global_store_b32(addr=v[1], data=v[20], saddr=s[0:1])]
    out = strix.launch(code, [4 * _LANES], Grid((_LANES, 1, 1)))
    assert out.done, out.marks
    for row, bit in zip(rows, out.words(0), strict=True):
        assert bit == int((_COMPARED | _NOT)[name](*(number(x, kind) for x in row))), (name, [hex(x) for x in row])


def test_two_halves_are_cut_off(strix: BareRdna) -> None:
    rows = [
        tuple(struct.unpack("<2I", struct.pack("<2f", *pair))) for pair in ((1.0, -2.0), (1.0009, 65519.0), (-1e9, 1e-9))
    ]
    got = _results(strix, "s_cvt_pk_rtz_f16_f32", rows, 0xF0)
    assert got[:3] == [0xC0003C00, 0x7BFF3C00, 0x0000FBFF]


def test_other_gpus_have_none(rdna: BareRdna) -> None:
    out = rdna.launch([asm.s_mov_b32(s[20], 0), asm.s_add_f32(s[22], s[20], s[20])])
    assert "S_ADD_F32: this GPU's scalar unit has no floats" in out.marks[-1]
