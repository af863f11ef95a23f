"""Memory of the emulated RDNA: every width, bounds, reads of unwritten memory, atomics."""

import random
import struct
from collections.abc import Callable

import pytest
from bare_rdna import BareRdna, Grid, Line, asm, s, v, wait

_DATA = bytes(random.Random(1).randbytes(1024))
# The bytes, and the value of a register after their load if it held 0x55667788.
_LOADS: dict[str, tuple[int, Callable[[int], int]]] = {
    "u8": (1, lambda x: x), "i8": (1, lambda x: x - (x >> 7 << 8)), "u16": (2, lambda x: x),
    "i16": (2, lambda x: x - (x >> 15 << 16)),
    "b32": (4, lambda x: x), "b64": (8, lambda x: x), "b96": (12, lambda x: x), "b128": (16, lambda x: x),
    "d16_u8": (1, lambda x: 0x55660000 | x), "d16_i8": (1, lambda x: 0x55660000 | x - (x >> 7 << 8) & 0xFFFF),
    "d16_b16": (2, lambda x: 0x55660000 | x), "d16_hi_u8": (1, lambda x: 0x7788 | x << 16),
    "d16_hi_b16": (2, lambda x: 0x7788 | x << 16),
}  # fmt: skip
_STORES = {
    "b8": (1, 0),
    "b16": (2, 0),
    "b32": (4, 0),
    "b64": (8, 0),
    "b96": (12, 0),
    "b128": (16, 0),
    "d16_hi_b8": (1, 2),
    "d16_hi_b16": (2, 2),
}
_WIDE = {4: v[20], 8: v[20:21], 12: v[20:22], 16: v[20:23]}


def _fill(first: int = 20) -> list[Line]:
    return [asm.v_mov_b32_e32(v[first + n], 0x55667788) for n in range(4)]


def _out(buffer: int = 1) -> list[Line]:
    return [
        asm.v_lshlrev_b32_e32(v[60], 4, v[0]),
        asm.global_store_b128(addr=v[60], data=v[20:23], saddr=s[2 * buffer : 2 * buffer + 1]),
    ]


@pytest.mark.parametrize("kind", _LOADS)
@pytest.mark.parametrize("where", ["global", "scratch", "buffer", "ds"])
def test_a_load_takes_its_bytes(rdna: BareRdna, where: str, kind: str) -> None:
    size, result = _LOADS[kind]
    register, at = _WIDE.get(size, v[20]), 20 - 20 % size
    first: list[Line] = [*_fill(), asm.v_mov_b32_e32(v[1], at)]
    local = [asm.v_mov_b32_e32(v[2], 0)]
    grid = Grid((4, 1, 1))
    match where:
        case "global":
            load = getattr(asm, f"global_load_{kind}")(register, v[1], saddr=s[0:1])
        case "buffer":
            first += [
                asm.s_mov_b32(s[8], s[0]),
                asm.s_and_b32(s[9], s[1], 0xFFFF),
                asm.s_mov_b32(s[10], 1024),
                asm.s_mov_b32(s[11], 3 << 28),
            ]
            load = getattr(asm, f"buffer_load_{kind}")(vdata=register, vaddr=v[1], srsrc=s[8:11], soffset=asm.NULL, offen=1)
        case "scratch":
            for n in range(4):
                local += [asm.global_load_b32(v[30], v[2], saddr=s[0:1], offset=at + 4 * n), wait()]
                local.append(asm.scratch_store_b32(addr=v[1], data=v[30], saddr=asm.NULL, sve=1, offset=4 * n))
            load = getattr(asm, f"scratch_load_{kind}")(register, v[1], saddr=asm.NULL, sve=1)
            grid = Grid((4, 1, 1), scratch=64 * 32)
        case _:
            name = {"u16": "ds_load_u16", "i16": "ds_load_i16"}.get(kind, f"ds_load_{kind}")
            if kind.startswith("d16_hi"):
                name = f"ds_load_{kind[7:].replace('b16', 'u16')}_d16_hi"
            elif kind.startswith("d16"):
                name = f"ds_load_{kind[4:].replace('b16', 'u16')}_d16"
            for n in range(4):
                local += [asm.global_load_b32(v[30], v[2], saddr=s[0:1], offset=at + 4 * n), wait()]
                local.append(asm.ds_store_b32(addr=v[1], data0=v[30], offset0=4 * n))
            load = getattr(asm, name)(register, v[1])
            grid = Grid((1, 1, 1), local=1)
    out = rdna.launch([*first, *local, load, wait(), *_out()], [_DATA, 64], grid)
    assert out.done, out.marks
    assert not out.marks, out.marks
    value = result(int.from_bytes(_DATA[at : at + size], "little"))
    assert out.buffers[1][: max(size, 4)] == (value & (1 << 8 * max(size, 4)) - 1).to_bytes(max(size, 4), "little")


@pytest.mark.parametrize("kind", _STORES)
def test_a_store_writes_its_bytes_and_no_others(rdna: BareRdna, kind: str) -> None:
    size, skipped = _STORES[kind]
    code = [asm.v_mov_b32_e32(v[20 + n], 0x04030201 + 0x04040404 * n) for n in range(4)]
    code += [
        asm.v_mov_b32_e32(v[1], 16),
        getattr(asm, f"global_store_{kind}")(addr=v[1], data=_WIDE.get(size, v[20]), saddr=s[0:1]),
    ]
    out = rdna.launch(code, [b"\xee" * 64], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert out.buffers[0] == b"\xee" * 16 + bytes(range(1 + skipped, 1 + skipped + size)) + b"\xee" * (48 - size)


@pytest.mark.parametrize("words", [1, 2, 4, 8, 16])
def test_constants_come_into_scalar_registers(rdna: BareRdna, words: int) -> None:
    load = getattr(asm, f"s_load_b{32 * words}")
    target = s[16 : 16 + words - 1] if words > 1 else s[16]
    code: list[Line] = [load(target, s[0:1], offset=64, soffset=asm.NULL), wait(), asm.v_mov_b32_e32(v[1], 0)]
    for n in range(words):
        code += [asm.v_mov_b32_e32(v[2], s[16 + n]), asm.global_store_b32(addr=v[1], data=v[2], saddr=s[2:3], offset=4 * n)]
    out = rdna.launch(code, [_DATA, 64], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert out.buffers[1][: 4 * words] == _DATA[64 : 64 + 4 * words]


def test_a_buffers_words_beyond_its_end_are_zeros_and_are_not_written(rdna: BareRdna) -> None:
    code = [
        *_fill(),
        asm.s_mov_b32(s[8], s[0]),
        asm.s_and_b32(s[9], s[1], 0xFFFF),
        asm.s_mov_b32(s[10], 24),
        asm.s_mov_b32(s[11], 3 << 28),
    ]
    code += [
        asm.v_mov_b32_e32(v[1], 16),
        asm.buffer_load_b128(vdata=v[20:23], vaddr=v[1], srsrc=s[8:11], soffset=asm.NULL, offen=1),
        wait(),
    ]
    code += [
        *_out(),
        *_fill(30),
        asm.buffer_store_b128(vdata=v[30:33], vaddr=v[1], srsrc=s[8:11], soffset=asm.NULL, offen=1),
    ]
    out = rdna.launch(code, [_DATA[:64], 64], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert out.buffers[1][:16] == _DATA[16:24] + bytes(8)
    assert out.buffers[0] == _DATA[:16] + b"\x88\x77\x66\x55" * 2 + _DATA[24:64]


@pytest.mark.parametrize("offset", [-4, 61, 64, 4000])
def test_an_access_outside_of_the_buffers_is_a_fault(rdna: BareRdna, offset: int) -> None:
    code = [
        asm.v_mov_b32_e32(v[1], 0),
        asm.v_mov_b32_e32(v[2], 0),
        asm.global_load_b32(v[2], v[1], saddr=s[0:1], offset=offset & 0x1FFF),
    ]
    out = rdna.launch(code, [64], Grid((1, 1, 1)))
    assert not out.done
    assert "is in no buffer of the submission" in out.marks[-1]


@pytest.mark.parametrize(("code", "text"), [
    ([asm.v_mov_b32_e32(v[1], 512), asm.ds_load_b32(v[2], v[1])], "byte 512 is not in the 512 bytes of local memory"),
    ([asm.v_mov_b32_e32(v[1], 8), asm.scratch_load_b32(v[2], v[1], saddr=asm.NULL, sve=1)],
    "byte 8 is not in the 8 bytes of private memory"),
    ([asm.v_mov_b32_e32(v[64], 0)], "there is no vector register 64"),
])  # fmt: skip
def test_what_a_launch_has_not_is_a_fault(rdna: BareRdna, code: list[Line], text: str) -> None:
    out = rdna.launch(code, [64], Grid((1, 1, 1), local=1, scratch=256))
    assert not out.done
    assert text in out.marks[-1]


@pytest.mark.parametrize(("code", "text"), [
    ([asm.v_mov_b32_e32(v[3], v[9])], "v9 was never written"),
    ([asm.s_mov_b32(s[3], s[90])], "s90 was never written"),
    ([asm.v_mov_b32_e32(v[1], 8), asm.ds_load_b32(v[2], v[1])], "byte 8 of local memory was never written"),
    ([asm.v_mov_b32_e32(v[1], 4), asm.scratch_load_b32(v[2], v[1], saddr=asm.NULL, sve=1)],
    "byte 4 of private memory was never written"),
])  # fmt: skip
def test_what_was_never_written_is_said(rdna: BareRdna, code: list[Line], text: str) -> None:
    out = rdna.launch(code, [64], Grid((1, 1, 1), local=1, scratch=256))
    assert out.done
    assert out.marks
    assert text in out.marks[0]


@pytest.mark.parametrize(("code", "said"), [
    (asm.v_cvt_f32_ubyte0_e32(v[3], v[20]), ""),
    (asm.v_cvt_f32_ubyte1_e32(v[3], v[20]), ""),
    (asm.v_cvt_f32_ubyte2_e32(v[3], v[20]), "v20"),
    (asm.v_cvt_f32_ubyte3_e32(v[3], v[20]), "v20"),
    (asm.v_perm_b32(v[3], v[1], v[20], 0x07060500), ""),
    (asm.v_perm_b32(v[3], v[1], v[20], 0x0706020C), "v20"),
    (asm.v_perm_b32(v[3], v[20], v[1], 0x03020D0A), ""),
    (asm.v_perm_b32(v[3], v[20], v[1], 0x0302000B), "v20"),
])  # fmt: skip
def test_of_a_register_half_written_only_the_other_half_is_missing(rdna: BareRdna, code: Line, said: str) -> None:
    """Bytes: a conversion names one, and a permutation those of its selector."""
    load = asm.global_load_d16_u8(vdst=v[20], addr=v[1], saddr=s[0:1])
    out = rdna.launch([asm.v_mov_b32_e32(v[1], 0), load, wait(), code], [_DATA], Grid((1, 1, 1)))
    assert out.done
    assert [f"{said} was never written" in mark for mark in out.marks[:1]] == [True] * bool(said), out.marks


def _signed(x: int) -> int:
    return x - (x >> 31 << 32)


_ATOMICS: dict[str, Callable[[int, int], int]] = {
    "add_u32": lambda old, x: old + x, "sub_u32": lambda old, x: old - x, "and_b32": lambda old, x: old & x,
    "or_b32": lambda old, x: old | x,
    "xor_b32": lambda old, x: old ^ x, "min_u32": min, "max_u32": max, "min_i32": lambda old, x: min(old, x, key=_signed),
    "max_i32": lambda old, x: max(old, x, key=_signed), "inc_u32": lambda old, x: 0 if old >= x else old + 1,
    "dec_u32": lambda old, x: x if not old or old > x else old - 1, "swap_b32": lambda _, x: x,
}  # fmt: skip


@pytest.mark.parametrize("where", ["global", "ds"])
@pytest.mark.parametrize("name", _ATOMICS)
def test_atomics_come_one_after_the_other(rdna: BareRdna, name: str, where: str) -> None:
    chance = random.Random(name)
    values, cell = (
        [chance.choice((0, 1, 5, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, chance.getrandbits(32))) for _ in range(32)],
        0x12345,
    )
    code = [asm.v_lshlrev_b32_e32(v[1], 2, v[0]), asm.v_mov_b32_e32(v[2], 0), asm.global_load_b32(v[3], v[1], saddr=s[2:3])]
    code.append(asm.global_load_b32(v[5], v[2], saddr=s[0:1]))
    code.append(wait())
    if where == "ds":
        operation = getattr(asm, f"ds_{name.replace('swap', 'storexchg').replace('_', '_rtn_')}")(v[4], v[2], v[3])
        first = [asm.s_mov_b32(asm.EXEC_LO, 1), asm.ds_store_b32(addr=v[2], data0=v[5]), asm.s_mov_b32(asm.EXEC_LO, -1)]
        last = [
            asm.ds_load_b32(v[6], v[2]),
            wait(),
            asm.s_mov_b32(asm.EXEC_LO, 1),
            asm.global_store_b32(addr=v[2], data=v[6], saddr=s[0:1]),
        ]
    else:
        operation = getattr(asm, f"global_atomic_{name}")(v[4], v[2], v[3], saddr=s[0:1], glc=1)
        first, last = [], []
    code += [*first, operation, wait(), asm.global_store_b32(addr=v[1], data=v[4], saddr=s[4:5]), *last]
    out = rdna.launch(code, [struct.pack("<I", cell), struct.pack("<32I", *values), 128], Grid(local=1))
    assert out.done, out.marks
    olds = []
    for value in values:
        olds.append(cell)
        cell = _ATOMICS[name](cell, value) & 0xFFFFFFFF
    assert (out.words(2), out.words(0)) == (olds, [cell])


def test_a_comparison_takes_the_new_value_first(rdna: BareRdna) -> None:
    code = [asm.v_mov_b32_e32(v[1], 0), asm.v_mov_b32_e32(v[2], 9), asm.v_mov_b32_e32(v[3], 5)]
    code.append(asm.global_atomic_cmpswap_b32(v[4], v[1], v[2:3], saddr=s[0:1]))
    assert rdna.launch(code, [struct.pack("<I", 5)], Grid((1, 1, 1))).words(0) == [9]
    assert rdna.launch(code, [struct.pack("<I", 9)], Grid((1, 1, 1))).words(0) == [9]
    assert rdna.launch(code, [struct.pack("<I", 6)], Grid((1, 1, 1))).words(0) == [6]


def test_two_addresses_are_read_at_once(rdna: BareRdna) -> None:
    code: list[Line] = [asm.v_mov_b32_e32(v[1], 0), asm.v_mov_b32_e32(v[5], 11), asm.v_mov_b32_e32(v[6], 22)]
    code += [
        asm.ds_store_2addr_b32(addr=v[1], data0=v[5], data1=v[6], offset0=3, offset1=1),
        asm.ds_load_2addr_b32(v[20:21], v[1], offset0=1, offset1=3),
    ]
    code += [*_fill(22)[:2], wait(), *_out(0)]
    out = rdna.launch(code, [16], Grid((1, 1, 1), local=1))
    assert out.done, out.marks
    assert out.words(0)[:2] == [22, 11]


def test_a_lanes_number_is_an_address(rdna: BareRdna) -> None:
    code: list[Line] = [asm.v_add_nc_u32_e32(v[5], 70, v[0]), asm.s_mov_b32(asm.M0, 0xA0010), *_fill()]
    code += [asm.ds_store_addtid_b32(data0=v[5], offset0=8), asm.v_lshlrev_b32_e32(v[1], 2, v[0]), wait()]
    code += [asm.ds_load_b32(v[20], v[1], offset0=24), asm.ds_load_addtid_b32(v[21], offset0=8), wait(), *_out(0)]
    out = rdna.launch(code, [512], Grid(local=1))
    assert out.done, out.marks
    assert out.words(0)[::4] == out.words(0)[1::4] == [70 + n for n in range(32)]


@pytest.mark.parametrize(
    ("offset", "other"),
    [(0x8000 | 0b00_01_10_11, lambda n: n & ~3 | 3 - (n & 3)), (0x041F, lambda n: n ^ 1), (0x0010, lambda n: n & 16)],
)
def test_a_word_of_another_lane_by_pattern(rdna: BareRdna, offset: int, other: Callable[[int], int]) -> None:
    code = [
        asm.v_add_nc_u32_e32(v[1], 50, v[0]),
        *_fill(),
        asm.ds_swizzle_b32(v[20], v[1], offset0=offset & 255, offset1=offset >> 8),
        wait(),
        *_out(0),
    ]
    out = rdna.launch(code, [512])
    assert out.done, out.marks
    assert out.words(0)[::4] == [50 + other(n) for n in range(32)]


def test_a_word_of_another_lane_by_number(rdna: BareRdna) -> None:
    code = [
        asm.v_add_nc_u32_e32(v[1], 50, v[0]),
        asm.v_xor_b32_e32(v[2], 13, v[0]),
        asm.v_lshlrev_b32_e32(v[2], 2, v[2]),
        *_fill(),
    ]
    code += [asm.ds_bpermute_b32(v[20], v[2], v[1]), asm.ds_permute_b32(v[21], v[2], v[1]), wait(), *_out(0)]
    out = rdna.launch(code, [512])
    assert out.done, out.marks
    assert out.words(0)[::4] == out.words(0)[1::4] == [50 + (n ^ 13) for n in range(32)]
