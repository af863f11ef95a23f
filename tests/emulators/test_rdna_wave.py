"""A wave of the emulated RDNA: scalars, branches, masks, exchanges between lanes, barriers."""

import operator
import random
import struct
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from bare_rdna import BareRdna, Grid, Line, asm, assemble, s, v, wait
from test_rdna_alu import _COMPARED

_M0, _VCC, _EXEC, _NULL = asm.M0, asm.VCC_LO, asm.EXEC_LO, asm.NULL


def _store(value: Any = v[20], buffer: int = 0) -> list[Line]:
    """A word of each work-item, at its number."""
    return [
        asm.v_lshlrev_b32_e32(v[60], 2, v[0]),
        asm.global_store_b32(addr=v[60], data=value, saddr=s[2 * buffer : 2 * buffer + 1]),
    ]


def _words(gpu: BareRdna, code: Sequence[Line], count: int = 32, **grid: Any) -> list[int]:
    out = gpu.launch([*code, *_store()], [4 * count], Grid((count, 1, 1), **grid))
    assert out.done, out.marks
    assert not out.marks, out.marks
    assert not out.hazards, out.hazards
    return out.words(0)


def _scalar(gpu: BareRdna, code: Sequence[Line], result: Any = s[20]) -> int:
    return _words(gpu, [*code, asm.v_mov_b32_e32(v[20], result)])[0]


@pytest.mark.parametrize("kind", ["i32", "u32"])
def test_a_register_is_compared_with_a_small_constant(rdna: BareRdna, kind: str) -> None:
    rows = [(a, b) for a in (0, 1, 0x8000, 0xFFFF8000, 0xFFFFFFFF) for b in (0, 1, 0x7FFF, 0x8000, 0xFFFF)]
    for name, condition in (_COMPARED | {"lg": operator.ne}).items():
        compare, code = getattr(asm, f"s_cmpk_{name}_{kind}"), [asm.v_mov_b32_e32(v[20], 0)]
        for n, (a, b) in enumerate(rows):
            code += [asm.s_mov_b32(s[20], a), compare(sdst=s[20], simm16=b), asm.s_cselect_b32(s[21], 1, 0)]
            code.append(asm.v_writelane_b32(v[20], s[21], n))
        signed = kind == "i32"
        want = [condition(a - (a >> 31 << 32 & -signed), b - (b >> 15 << 16 & -signed)) for a, b in rows]
        assert _words(rdna, code)[: len(rows)] == want, name


_SCALARS: dict[str, Callable[[int, int], tuple[int, int | None]]] = {  # the result, and SCC if it is set
    "s_add_u32": lambda a, b: (a + b, a + b > 0xFFFFFFFF),
    "s_sub_u32": lambda a, b: (a - b, b > a),
    "s_and_b32": lambda a, b: (a & b, (a & b) != 0),
    "s_or_b32": lambda a, b: (a | b, (a | b) != 0),
    "s_xor_b32": lambda a, b: (a ^ b, a != b),
    "s_and_not1_b32": lambda a, b: (a & ~b, (a & ~b) != 0),
    "s_lshl_b32": lambda a, b: (a << (b & 31), (a << (b & 31)) & 0xFFFFFFFF != 0),
    "s_lshr_b32": lambda a, b: (a >> (b & 31), a >> (b & 31) != 0),
    "s_mul_i32": lambda a, b: (a * b, None),
    "s_mul_hi_u32": lambda a, b: (a * b >> 32, None),
    "s_min_u32": lambda a, b: (min(a, b), a < b),
    "s_max_u32": lambda a, b: (max(a, b), a >= b),
    "s_bfm_b32": lambda a, b: ((1 << (a & 31)) - 1 << (b & 31), None),
    "s_pack_ll_b32_b16": lambda a, b: (a & 0xFFFF | (b & 0xFFFF) << 16, None),
    "s_pack_hh_b32_b16": lambda a, b: (a >> 16 | b >> 16 << 16, None),
}


@pytest.mark.parametrize("name", _SCALARS)
def test_a_scalar_instruction_computes_and_sets_scc(rdna: BareRdna, name: str) -> None:
    chance = random.Random(name)
    pairs = [(0, 0), (0xFFFFFFFF, 1), (1, 0xFFFFFFFF), (0x80000000, 31)] + [
        (chance.getrandbits(32), chance.getrandbits(32)) for _ in range(12)
    ]
    code: list[Line] = [asm.v_mov_b32_e32(v[20], 0), asm.v_mov_b32_e32(v[21], 0)]
    for n, (a, b) in enumerate(pairs):
        code += [asm.s_mov_b32(s[20], a), asm.s_mov_b32(s[21], b), getattr(asm, name)(s[22], s[20], s[21])]
        code += [asm.s_cselect_b32(s[23], 1, 0), asm.v_writelane_b32(v[20], s[22], n), asm.v_writelane_b32(v[21], s[23], n)]
    out = rdna.launch([*code, *_store(), *_store(v[21], 1)], [128, 128])
    assert out.done, out.marks
    for n, (a, b) in enumerate(pairs):
        result, scc = _SCALARS[name](a, b)
        assert out.words(0)[n] == result & 0xFFFFFFFF, (name, hex(a), hex(b))
        assert scc is None or out.words(1)[n] == int(scc), (name, hex(a), hex(b))


def test_a_carry_goes_from_one_addition_to_the_next(rdna: BareRdna) -> None:
    code = [asm.s_mov_b32(s[20], 0xFFFFFFFF), asm.s_add_u32(s[20], s[20], 2), asm.s_addc_u32(s[21], 5, 6)]
    assert _scalar(rdna, code, s[21]) == 12
    lanes = [
        asm.v_sub_nc_u32_e32(v[1], 31, v[0]),
        asm.v_mov_b32_e32(v[2], 0xFFFFFFF0),
        asm.v_add_co_u32(v[3], _VCC, v[0], v[2]),
    ]
    lanes += [asm.v_mov_b32_e32(v[4], 7), asm.v_add_co_ci_u32_e32(v[20], 0, v[4])]
    assert _words(rdna, lanes) == [7 + (n >= 16) for n in range(32)]
    # With `clamp` the sum stays where it saturates, and the carry says where.
    lanes[2] = asm.v_add_co_u32(v[3], s[20], v[0], v[2], clmp=1)
    lanes[3:] = [asm.v_mov_b32_e32(v[4], 7), asm.v_add_co_ci_u32(v[4], s[21], 0, v[4], s[20], clmp=1)]
    lanes += [asm.v_cndmask_b32_e64(v[20], v[4], 1, s[21])]
    assert _words(rdna, lanes) == [7 + (n >= 16) for n in range(32)]
    high = [asm.v_mov_b32_e32(v[4], 0xFFFFFFFF), asm.v_add_co_ci_u32(v[20], s[21], 0, v[4], s[20], clmp=1)]
    high += [asm.v_cndmask_b32_e64(v[20], v[20], 1, s[21])]
    assert _words(rdna, [*lanes[:3], *high]) == [1 if n >= 16 else 0xFFFFFFFF for n in range(32)]


@pytest.mark.parametrize("wide", [False, True])
def test_lanes_that_are_masked_out_keep_what_they_have(rdna: BareRdna, wide: bool) -> None:
    count, save = (64, asm.s_and_saveexec_b64) if wide else (32, asm.s_and_saveexec_b32)
    pair = s[20:21] if wide else s[20]
    back = asm.s_mov_b64(asm.EXEC, s[20:21]) if wide else asm.s_mov_b32(_EXEC, s[20])
    code = [asm.v_mov_b32_e32(v[20], 9), asm.v_cmp_lt_u32_e32(20, v[0]), save(pair, asm.VCC if wide else _VCC)]
    code += [asm.v_mov_b32_e32(v[20], v[0]), back]
    assert _words(rdna, code, count, wide=wide) == [n if n > 20 else 9 for n in range(count)]


def test_a_loop_runs_until_no_lane_is_left(rdna: BareRdna) -> None:
    code = [
        asm.v_mov_b32_e32(v[20], 0),
        asm.s_mov_b32(s[20], _EXEC),
        "again:",
        asm.v_cmp_lt_u32_e32(v[20], v[0]),
        asm.s_and_b32(_EXEC, _EXEC, _VCC),
        (asm.s_cbranch_execz, "out"),
        asm.v_add_nc_u32_e32(v[20], 1, v[20]),
        (asm.s_branch, "again"),
        "out:",
        asm.s_mov_b32(_EXEC, s[20]),
        asm.v_lshlrev_b32_e32(v[20], 1, v[20]),
    ]
    assert _words(rdna, code) == [2 * n for n in range(32)]


@pytest.mark.parametrize(
    ("branch", "before", "taken"),
    [
        ("s_cbranch_scc0", asm.s_cmp_eq_u32(1, 2), True),
        ("s_cbranch_scc0", asm.s_cmp_eq_u32(2, 2), False),
        ("s_cbranch_scc1", asm.s_cmp_lg_u32(1, 2), True),
        ("s_cbranch_scc1", asm.s_cmp_gt_i32(-1, 2), False),
        ("s_cbranch_vccz", asm.s_mov_b32(_VCC, 0), True),
        ("s_cbranch_vccz", asm.s_mov_b32(_VCC, 4), False),
        ("s_cbranch_vccnz", asm.s_mov_b32(_VCC, 4), True),
        ("s_cbranch_execnz", asm.s_nop(simm16=0), True),
        ("s_cbranch_execz", asm.s_nop(simm16=0), False),
        ("s_branch", asm.s_nop(simm16=0), True),
    ],
)
def test_a_branch_is_taken_by_its_condition(rdna: BareRdna, branch: str, before: Line, taken: bool) -> None:
    code = [asm.s_mov_b32(s[20], 1), before, (getattr(asm, branch), "over"), asm.s_mov_b32(s[20], 2), "over:"]
    assert _scalar(rdna, code) == (1 if taken else 2)


def test_a_subroutine_comes_back(rdna: BareRdna) -> None:
    body = [
        asm.s_mov_b32(s[20], 3),
        (asm.s_branch, "over"),
        "double:",
        asm.s_lshl_b32(s[20], s[20], 1),
        asm.s_setpc_b64(ssrc0=s[30:31]),
        "over:",
    ]
    distance = len(assemble(["a:", *body[2:]])) + 1
    call = asm.s_call_b64(s[30:31], simm16=-distance & 0xFFFF)
    assert _scalar(rdna, [*body, call, asm.s_add_u32(s[20], s[20], 100)]) == 106


_PERMUTED: dict[
    str, tuple[int, Callable[[int], int | None]]
] = {  # the control, and from which lane; None: the lane keeps its own
    "quad_perm": (0b00_01_10_11, lambda n: n & ~3 | 3 - (n & 3)),
    "row_shl:3": (0x103, lambda n: n + 3 if n % 16 + 3 < 16 else None),
    "row_shr:5": (0x115, lambda n: n - 5 if n % 16 >= 5 else None),
    "row_ror:2": (0x122, lambda n: n & ~15 | (n - 2 & 15)),
    "row_mirror": (0x140, lambda n: n & ~15 | 15 - (n & 15)),
    "row_half_mirror": (0x141, lambda n: n & ~7 | 7 - (n & 7)),
    "row_share:4": (0x154, lambda n: n & ~15 | 4),
    "row_xmask:6": (0x166, lambda n: n ^ 6),
}


@pytest.mark.parametrize("name", _PERMUTED)
def test_a_source_comes_from_another_lane(rdna: BareRdna, name: str) -> None:
    control, other = _PERMUTED[name]
    code = [asm.v_add_nc_u32_e32(v[10], 100, v[0]), asm.v_mov_b32_e32(v[20], -1)]
    code.append(
        asm.VOP1_DPP16(asm.VOP1Op.V_MOV_B32_E32, v[20], asm.DPP16, vsrc0=v[10], dpp=control, row_mask=15, bank_mask=15)
    )
    expected = [0xFFFFFFFF if other(n) is None else 100 + (other(n) or 0) for n in range(32)]
    assert _words(rdna, code) == expected


def test_an_inactive_lane_gives_nothing(rdna: BareRdna) -> None:
    """Nor does a lane beyond the row; with bound_ctrl it gives a zero, with fi an inactive lane's value counts."""

    def moved(**more: int) -> list[int]:
        mov = asm.VOP1_DPP16(
            asm.VOP1Op.V_MOV_B32_E32, v[20], asm.DPP16, vsrc0=v[10], dpp=0x101, row_mask=15, bank_mask=15, **more
        )
        code = [
            asm.v_add_nc_u32_e32(v[10], 100, v[0]),
            asm.v_mov_b32_e32(v[20], -1),
            asm.s_mov_b32(_EXEC, 0xFFFFFFFE & ~(1 << 5)),
        ]
        return _words(rdna, [*code, mov, asm.s_mov_b32(_EXEC, -1)])

    gone = [0, 5]
    for more, beyond, inactive in (({}, 0xFFFFFFFF, 0xFFFFFFFF), ({"bc": 1}, 0, 0), ({"fi": 1}, 0xFFFFFFFF, 105)):
        expected = [
            0xFFFFFFFF if n in gone else beyond if n % 16 == 15 else inactive if n == 4 else 101 + n for n in range(32)
        ]
        assert moved(**more) == expected, more


def test_lanes_read_and_write_each_other(rdna: BareRdna) -> None:
    code = [asm.v_mul_u32_u24_e32(v[10], 3, v[0]), asm.v_mov_b32_e32(v[20], 0), asm.v_readlane_b32(s[20], v[10], 7)]
    code += [asm.v_writelane_b32(v[20], s[20], 9), asm.s_mov_b32(_EXEC, 0xFF00), asm.v_readfirstlane_b32_e32(s[21], v[10])]
    code += [asm.s_mov_b32(_EXEC, -1), asm.v_writelane_b32(v[20], s[21], 1)]
    assert _words(rdna, code) == [24 if n == 1 else 21 if n == 9 else 0 for n in range(32)]


@pytest.mark.parametrize(("name", "across"), [("v_permlane16_b32", 0), ("v_permlanex16_b32", 16)])
def test_a_row_is_permuted(rdna: BareRdna, name: str, across: int) -> None:
    order = list(range(16))
    random.Random(name).shuffle(order)
    low, high = (sum(o << 4 * n for n, o in enumerate(order[k : k + 8])) for k in (0, 8))
    code = [asm.v_add_nc_u32_e32(v[10], 100, v[0]), asm.s_mov_b32(s[20], low), asm.s_mov_b32(s[21], high)]
    code.append(getattr(asm, name)(v[20], v[10], s[20], s[21]))
    assert _words(rdna, code) == [100 + ((n & 16) ^ across) + order[n & 15] for n in range(32)]


def test_a_wide_wave_swaps_its_halves(rdna: BareRdna) -> None:
    code = [asm.v_add_nc_u32_e32(v[10], 100, v[0]), asm.v_permlane64_b32_e32(v[20], v[10])]
    assert _words(rdna, code, 64, wide=True) == [100 + (n ^ 32) for n in range(64)]


def test_lanes_are_counted_below_each(rdna: BareRdna) -> None:
    code = [asm.s_mov_b32(s[20], 0x0F0F0F0F), asm.v_mbcnt_lo_u32_b32(v[20], s[20], 5)]
    assert _words(rdna, code) == [5 + (0x0F0F0F0F & (1 << n) - 1).bit_count() for n in range(32)]


def test_a_register_that_another_one_names(rdna: BareRdna) -> None:
    code = [asm.s_mov_b32(_M0, 2), asm.v_add_nc_u32_e32(v[12], 50, v[0]), asm.v_movrels_b32_e32(v[22], v[10])]
    code += [asm.v_mov_b32_e32(v[20], 0), asm.s_mov_b32(_M0, 1), asm.v_movreld_b32_e32(v[19], v[22])]
    assert _words(rdna, code) == [50 + n for n in range(32)]
    scalars = [asm.s_mov_b32(s[23], 77), asm.s_mov_b32(_M0, 3), asm.s_movrels_b32(s[24], s[20]), asm.s_mov_b32(_M0, 1)]
    assert _scalar(rdna, [*scalars, asm.s_movreld_b32(s[19], s[24])]) == 77


def test_two_instructions_at_once_read_before_they_write(rdna: BareRdna) -> None:
    code = [asm.v_add_nc_u32_e32(v[20], 10, v[0]), asm.v_add_nc_u32_e32(v[21], 20, v[0])]
    pair = asm.VOPD(
        asm.VOPDOp.V_DUAL_MOV_B32,
        asm.VOPDOp.V_DUAL_MOV_B32,
        vdstx=v[20],
        vdsty=v[21],
        srcx0=v[21],
        srcy0=v[20],
        vsrcx1=v[0],
        vsrcy1=v[0],
    )
    out = rdna.launch([*code, pair, *_store(), *_store(v[21], 1)], [128, 128])
    assert out.done, out.marks
    assert (out.words(0), out.words(1)) == ([20 + n for n in range(32)], [10 + n for n in range(32)])


@pytest.mark.parametrize(("signs", "expected"), [(0, 255 * 255 * 4 + 7), (1, -255 * 4 + 7), (3, 4 + 7)])
def test_products_are_signed_as_neg_says(rdna: BareRdna, signs: int, expected: int) -> None:
    code = [asm.v_mov_b32_e32(v[10], -1), asm.v_mov_b32_e32(v[11], 7)]
    code.append(asm.v_dot4_i32_iu8(v[20], v[10], v[10], v[11], neg=signs, opsel_hi=3, opsel_hi2=1))
    assert _words(rdna, code)[0] == expected & 0xFFFFFFFF


@pytest.mark.parametrize(("halves", "expected"), [(0, 2.0 * 3.0 + 0.5), (1, 1.5 * 3.0 + 0.5), (5, 1.5 * 3.0 - 4.0)])
def test_a_source_is_a_float_or_a_half(rdna: BareRdna, halves: int, expected: float) -> None:
    code = [
        asm.v_mov_b32_e32(v[10], 0x40000000 | 0x3E00),
        asm.v_mov_b32_e32(v[11], 0x40400000),
        asm.v_mov_b32_e32(v[12], 0x3F00C400),
    ]
    plain = 0x40000000 if not halves & 1 else 0x40003E00
    third = 0x3F000000 if not halves & 4 else 0x3F00C400
    code += [asm.v_mov_b32_e32(v[10], plain), asm.v_mov_b32_e32(v[12], third)]
    code.append(asm.v_fma_mix_f32(v[20], v[10], v[11], v[12], opsel_hi=halves & 3, opsel_hi2=halves >> 2))
    assert _words(rdna, code)[0] == struct.unpack("<I", struct.pack("<f", expected))[0]


@pytest.mark.parametrize("wide", [False, True])
def test_a_barrier_waits_for_all_waves(rdna: BareRdna, wide: bool) -> None:
    """Each work-item reads what one of the last wave has written."""
    count = 256
    code = [
        asm.v_lshlrev_b32_e32(v[1], 2, v[0]),
        asm.v_sub_nc_u32_e32(v[2], 4 * (count - 1), v[1]),
        asm.v_mul_u32_u24_e32(v[3], 7, v[0]),
    ]
    code += [asm.ds_store_b32(addr=v[1], data0=v[3]), wait(), asm.s_barrier(), asm.ds_load_b32(v[20], v[2]), wait()]
    assert _words(rdna, code, count, wide=wide, local=2) == [7 * (count - 1 - n) for n in range(count)]
