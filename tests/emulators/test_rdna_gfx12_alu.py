"""Instructions of gfx12 that only compute: all those of gfx11 that it has too, and its own."""

import struct
from collections.abc import Sequence

import pytest
from bare_rdna import BareRdna, Grid, Line
from gfx12 import asm, load, s, store, v, wait
from rdna_meaning import MEANINGS, bits_of, number
from test_rdna_alu import _operands, _register, _same

_RENAMED = {
    f"v_{name}_{kind}": f"v_{name}_num_{kind}"
    for name in ("min", "max", "min3", "max3", "med3")
    for kind in ("f16", "f32", "f64")
}
_RENAMED |= {"v_pk_min_f16": "v_pk_min_num_f16", "v_pk_max_f16": "v_pk_max_num_f16"}


def _compute(gpu: BareRdna, lines: list[Line], rows: Sequence[tuple[int, ...]]) -> list[int]:
    """What v[20:21] holds after these lines, for each row of operands in v10, v12 and v14."""
    inputs = [struct.pack(f"<{len(rows)}Q", *(row[n] if n < len(row) else 0 for row in rows)) for n in range(3)]
    code = [asm.v_lshlrev_b32_e32(v[1], 3, v[0]), *(load(v[10 + 2 * n : 11 + 2 * n], 64, n) for n in range(3)), *wait()]
    code += [asm.v_mov_b32_e32(v[20], -1), asm.v_mov_b32_e32(v[21], -1), *lines, store(v[20:21], 64, 3)]
    out = gpu.launch(code, [*inputs, 8 * len(rows)], Grid((len(rows), 1, 1)))
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    return list(struct.unpack(f"<{len(rows)}Q", out.buffers[3]))


@pytest.mark.parametrize("name", MEANINGS)
def test_an_instruction_computes_what_it_means(gfx1201: BareRdna, name: str) -> None:
    meaning, here = MEANINGS[name], _RENAMED.get(name, name)
    function = getattr(asm, f"{here}_e64", None) or getattr(asm, here)
    sources = [_register(kind, n) for kind, n in zip(meaning.sources, (10, 12, 14), strict=False)]
    packed = {"opsel_hi": 3, "opsel_hi2": 1} if name.startswith(("v_pk_", "v_dot")) else {}
    rows = _operands(meaning.sources, f"gfx12 {name}")[:96]
    for row, bits in zip(
        rows, _compute(gfx1201, [function(_register(meaning.result, 20), *sources, **packed)], rows), strict=True
    ):
        want = bits_of(meaning.compute(*map(number, row, meaning.sources)), meaning.result)
        assert _same(bits, want, meaning.result), (name, [hex(x) for x in row], hex(bits), hex(want))


_NUMBERLESS = [f"{name}_{kind}" for name in ("minimum", "maximum") for kind in ("f16", "f32", "f64")]
_NUMBERLESS += [f"{name}3_{kind}" for name in ("minimum", "maximum") for kind in ("f16", "f32")]


@pytest.mark.parametrize("name", _NUMBERLESS)
def test_a_nan_wins(gfx1201: BareRdna, name: str) -> None:
    kind, meaning = name.split("_")[1], MEANINGS[f"v_{name.replace('imum', '')}"]
    rows = _operands(meaning.sources, name)
    sources = [_register(kind, n) for n in (10, 12, 14)[: len(meaning.sources)]]
    code = getattr(asm, f"v_{name}")(_register(kind, 20), *sources)
    for row, bits in zip(rows, _compute(gfx1201, [code], rows), strict=True):
        values = [number(x, kind) for x in row]
        want = bits_of(float("nan") if any(x != x for x in values) else meaning.compute(*values), kind)
        assert _same(bits, want, kind), (name, [hex(x) for x in row], hex(bits), hex(want))


def test_a_vector_instruction_has_a_scalar_result(gfx1201: BareRdna) -> None:
    code = [asm.s_mov_b32(s[20], 0x40800000), asm.v_s_rsq_f32(s[21], s[20]), asm.v_mov_b32_e32(v[20], s[21])]
    assert {bits & 0xFFFFFFFF for bits in _compute(gfx1201, code, [(0,)] * 3)} == {0x3F000000}


@pytest.mark.parametrize(("name", "across"), [("v_permlane16_var_b32", 0), ("v_permlanex16_var_b32", 16)])
def test_each_lane_chooses_another_one(gfx1201: BareRdna, name: str, across: int) -> None:
    rows = [(50 + n, n * 7 & 0xFF) for n in range(32)]
    got = _compute(gfx1201, [getattr(asm, name)(v[20], v[10], v[12])], rows)
    assert [bits & 0xFFFFFFFF for bits in got] == [50 + (n & 16 ^ across | n * 7 & 15) for n in range(32)]


@pytest.mark.parametrize(("first", "second"), [(5, 7), (0xFFFFFFFF, 1), (0x80000000, 0x80000000)])
def test_scalar_sums_carry_on(gfx1201: BareRdna, first: int, second: int) -> None:
    code = [asm.s_mov_b32(s[20], first), asm.s_mov_b32(s[21], second), asm.s_add_co_u32(s[22], s[20], s[21])]
    code += [asm.s_add_co_ci_u32(s[23], 0, 0), asm.s_mul_u64(s[24:25], s[20:21], s[22:23])]
    code += [asm.v_mov_b32_e32(v[20], s[22]), asm.v_mov_b32_e32(v[21], s[23])]
    assert _compute(gfx1201, code, [(0,)]) == [first + second]
    code += [asm.v_mov_b32_e32(v[20], s[24]), asm.v_mov_b32_e32(v[21], s[25])]
    assert _compute(gfx1201, code, [(0,)]) == [(first | second << 32) * (first + second) & (1 << 64) - 1]


def test_a_small_constant_of_the_instruction(gfx1201: BareRdna) -> None:
    code = [
        asm.s_movk_i32(s[20], 0x8001),
        asm.s_mov_b32(s[21], 3),
        asm.s_mulk_i32(s[21], 0xFFFE),
        asm.s_addk_co_i32(s[21], 10),
    ]
    code += [asm.v_mov_b32_e32(v[20], s[20]), asm.v_mov_b32_e32(v[21], s[21])]
    assert _compute(gfx1201, code, [(0,)]) == [0xFFFF8001 | 4 << 32]
