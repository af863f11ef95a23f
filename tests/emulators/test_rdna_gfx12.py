"""What differs on gfx12 (gfx1201) from gfx11: groups, encodings of memory, counters, barriers, images."""

import random
import struct

import pytest
from bare_rdna import BareRdna, Grid, Line, assemble
from gfx12 import AT, asm, load, s, store, v, wait

_TTMP = asm.VCC_LO + 2
_DATA = bytes(random.Random(4).randbytes(256))
_LANE = asm.v_lshlrev_b32_e32(v[1], 2, v[0])


# ---- a launch


@pytest.mark.parametrize("ids", [True, False])
def test_a_group_is_in_registers_of_its_own(gfx1201: BareRdna, ids: bool) -> None:
    """ttmp9 is its x, ttmp7 its y and, if the driver asks for it, z; ttmp8 has the wave's number from bit 25 on."""
    code = [asm.s_and_b32(s[20], _TTMP + 7, 0xFFFF), asm.s_lshr_b32(s[21], _TTMP + 7, 16), asm.s_mul_i32(s[20], s[20], 3)]
    code += [
        asm.s_mul_i32(s[21], s[21], 6),
        asm.s_add_co_u32(s[20], s[20], s[21]),
        asm.s_add_co_u32(s[20], s[20], _TTMP + 9),
    ]
    code += [asm.s_lshr_b32(s[21], _TTMP + 8, 25), asm.s_lshl_b32(s[22], s[20], 1), asm.s_add_co_u32(s[22], s[22], s[21])]
    code += [asm.v_lshlrev_b32_e64(v[1], 2, s[22]), asm.v_mov_b32_e32(v[3], s[22]), store(v[3], buffer=0)]
    out = gfx1201.launch(code, [4 * 24], Grid((64, 1, 1), (3, 2, 2), ids=ids))
    assert out.done, out.marks
    assert not out.marks
    assert out.words(0) == (list(range(24)) if ids else [*range(12), *[0] * 12])


@pytest.mark.parametrize("size", [(8, 8), (16, 8), (12, 9), (7, 5)])
def test_items_come_in_tiles(gfx1201: BareRdna, size: tuple[int, int]) -> None:
    """Tiles of 4 by 8 here; those at the ends of a group are smaller."""
    code = [asm.v_mbcnt_lo_u32_b32(v[1], -1, 0), asm.v_lshlrev_b32_e32(v[1], 2, v[1])]
    code += [asm.s_lshr_b32(s[20], _TTMP + 8, 25 - 7), asm.v_add_nc_u32_e32(v[1], s[20], v[1]), store(v[0], buffer=0)]
    count = size[0] * size[1]
    out = gfx1201.launch(code, [4 * count], Grid((*size, 1), tiles=(2, 3)))
    assert out.done, out.marks
    items = [(x, y) for y in range(size[1]) for x in range(size[0])]
    items.sort(key=lambda item: (item[1] // 8, item[0] // 4, item[1], item[0]))
    assert out.words(0) == [x | y << 10 for x, y in items]


# ---- memory


_FAR = 0x10000  # 24 bits of an instruction are its offset
_PLACE = _FAR + 64
_BUFFER = [
    asm.s_mov_b32(s[8], s[0]),
    asm.s_mov_b32(s[9], s[1]),
    asm.s_mov_b32(s[10], _FAR + 256),
    asm.s_mov_b32(s[11], 3 << 28),
]


def _reads(where: str, offset: int) -> list[Line]:
    """v[20:21] becomes what lies at _PLACE, part of which is in the instruction."""
    at = offset & 0xFFFFFF
    first = [asm.v_mov_b32_e32(v[1], _PLACE - offset), asm.s_mov_b32(s[12], _PLACE - offset)]
    match where:
        case "global":
            return [*first, load(v[20:21], 64, at=at)]
        case "address":
            first += [asm.v_add_co_u32(v[10], asm.VCC_LO, s[0], v[1]), asm.v_mov_b32_e32(v[11], s[1])]
            first.append(asm.v_add_co_ci_u32_e32(v[11], 0, v[11]))
            return [*first, asm.global_load_b64(v[20:21], v[10:11], saddr=asm.NULL, ioffset=at)]
        case "buffer":
            return [
                *first,
                *_BUFFER,
                asm.buffer_load_b64(vdata=v[20:21], vaddr=v[1], rsrc=8, soffset=asm.NULL, offen=1, ioffset=at),
            ]
        case _:
            word = asm.s_load_b64(s[20:21], s[0:1], soffset=s[12], ioffset=at)
            return [*first, word, *wait(), asm.v_mov_b32_e32(v[20], s[20]), asm.v_mov_b32_e32(v[21], s[21])]


@pytest.mark.parametrize(("where", "offset"), [
    *((where, offset) for where in ("global", "address", "scalar") for offset in (0, 16, -16, _FAR)),
    ("buffer", 0), ("buffer", _FAR),
])  # fmt: skip
def test_an_address_and_the_instructions_offset(gfx1201: BareRdna, where: str, offset: int) -> None:
    code = [*_reads(where, offset), *wait(), asm.v_mov_b32_e32(v[1], 0), store(v[20:21], 64)]
    out = gfx1201.launch(code, [bytes(_FAR) + _DATA, 8], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    assert out.buffers[1] == _DATA[64:72]


@pytest.mark.parametrize("where", ["scratch", "ds"])
def test_what_was_stored_is_loaded(gfx1201: BareRdna, where: str) -> None:
    code = [asm.v_mov_b32_e32(v[1], 0), asm.v_mov_b32_e32(v[4], 16), load(v[8:9], 64), *wait()]
    if where == "ds":
        code += [asm.ds_store_b64(addr=v[4], data0=v[8:9], offset0=48), asm.ds_load_b64(v[20:21], v[1], offset0=64)]
    else:
        code.append(asm.scratch_store_b64(vaddr=v[4], vsrc=v[8:9], saddr=asm.NULL, sve=1, ioffset=48))
        code.append(asm.scratch_load_b64(v[20:21], v[1], saddr=asm.NULL, sve=1, ioffset=64))
    out = gfx1201.launch([*code, *wait(), store(v[20:21], 64)], [_DATA, 8], Grid((1, 1, 1), local=1, scratch=64 * 256))
    assert out.done, out.marks
    assert not out.marks
    assert out.buffers[1] == _DATA[:8]


@pytest.mark.parametrize(
    ("kind", "size", "signed"), [("u8", 1, False), ("i8", 1, True), ("u16", 2, False), ("i16", 2, True)]
)
def test_narrow_constants(gfx1201: BareRdna, kind: str, size: int, signed: bool) -> None:
    at = 7 * size
    code = [getattr(asm, f"s_load_{kind}")(s[20], s[0:1], ioffset=at), *wait(), asm.v_mov_b32_e32(v[1], 0)]
    out = gfx1201.launch([*code, asm.v_mov_b32_e32(v[2], s[20]), store(v[2])], [_DATA, 4], Grid((1, 1, 1)))
    assert out.done, out.marks
    want = int.from_bytes(_DATA[at : at + size], "little", signed=signed)
    assert out.words(1) == [want & 0xFFFFFFFF]


@pytest.mark.parametrize(("name", "want"), [
    ("add_u32", 12), ("sub_u32", 2), ("sub_clamp_u32", 2), ("cond_sub_u32", 2), ("min_u32", 5), ("max_u32", 7),
    ("swap_b32", 5),
])  # fmt: skip
@pytest.mark.parametrize("returns", [False, True])
def test_an_atomic_answers_if_its_hint_says_so(gfx1201: BareRdna, name: str, want: int, returns: bool) -> None:
    code = [asm.v_mov_b32_e32(v[1], 0), asm.v_mov_b32_e32(v[3], 5), asm.v_mov_b32_e32(v[4], 99)]
    code.append(getattr(asm, f"global_atomic_{name}")(v[4], AT, vsrc=v[3], saddr=s[0:1], th=int(returns)))
    out = gfx1201.launch([*code, *wait(), store(v[4])], [struct.pack("<I", 7), 4], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert (out.words(0), out.words(1)) == ([want], [7 if returns else 99])


@pytest.mark.parametrize("layers", [1, 3])
def test_a_layer_of_rows_has_the_space_of_wider_ones(gfx1201: BareRdna, layers: int) -> None:
    """Rows of 4 words are 128 bytes apart, layers of two of them 512."""
    words = {
        9: 20 << 17 | 3 << 30,
        10: 1 << 14,
        11: 4 | 5 << 3 | 6 << 6 | 7 << 9 | 13 << 28,
        12: layers - 1,
        13: 0,
        14: 0,
        15: 0,
    }
    code = [asm.s_lshr_b64(s[8:9], s[0:1], 8), *(asm.s_mov_b32(s[n], word) for n, word in words.items() if n != 9)]
    code += [
        asm.s_or_b32(s[9], s[9], words[9]),
        *(asm.v_mov_b32_e32(v[n], x) for n, x in ((2, 1), (3, 1), (4, layers - 1), (1, 0))),
    ]
    code += [asm.image_load(vdata=v[20:23], dmask=1, dim=5, rsrc=8, vaddr0=2, vaddr1=3, vaddr2=4), *wait(), store(v[20])]
    out = gfx1201.launch(code, [struct.pack("<1024I", *range(1024)), 4], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert out.words(1) == [128 * (layers - 1) + 32 + 1]


def test_low_bits_of_a_tiled_image_are_not_an_address(gfx1201: BareRdna) -> None:
    """With mode 2, planes of 4 KiB, whose address has three bits for the rotation of its tiles."""
    words = {9: 20 << 17 | 3 << 30, 10: 0, 11: 4 | 2 << 20 | 9 << 28, 12: 0, 13: 0, 14: 0, 15: 0}
    code = [asm.s_lshr_b64(s[8:9], s[0:1], 8), *(asm.s_mov_b32(s[n], word) for n, word in words.items() if n != 9)]
    code += [asm.s_or_b32(s[8], s[8], 7), asm.s_or_b32(s[9], s[9], words[9])]
    code += [*(asm.v_mov_b32_e32(v[n], x) for n, x in ((2, 1), (3, 0), (1, 0)))]
    code += [asm.image_load(vdata=v[20:23], dmask=1, dim=1, rsrc=8, vaddr0=2, vaddr1=3), *wait(), store(v[20])]
    out = gfx1201.launch(code, [struct.pack("<1024I", *range(1024)), 4], Grid((1, 1, 1)))
    assert out.done, out.marks
    assert out.words(1) == [1]


def test_a_word_of_any_lane(gfx1201: BareRdna) -> None:
    """In a wide wave, too; gfx11 has two halves."""
    code = [
        _LANE,
        asm.v_xor_b32_e32(v[2], 37 * 4, v[1]),
        asm.ds_bpermute_b32(v[3], v[2], v[0]),
        asm.ds_permute_b32(v[4], v[2], v[0]),
    ]
    code += [*wait(), store(v[3], buffer=0), store(v[4])]
    out = gfx1201.launch(code, [256, 256], Grid((64, 1, 1), wide=True))
    assert out.done, out.marks
    assert out.words(0) == out.words(1) == [n ^ 37 for n in range(64)]


# ---- barriers and waits

_SIGNAL, _MEET = asm.s_barrier_signal(ssrc0=-1), asm.s_barrier_wait(simm16=0xFFFF)


def test_waves_meet_where_they_wait(gfx1201: BareRdna) -> None:
    code = [_LANE, asm.v_xor_b32_e32(v[2], 128, v[1]), asm.ds_store_b32(addr=v[1], data0=v[0]), asm.s_wait_dscnt(simm16=0)]
    read = [asm.ds_load_b32(v[20], v[2]), *wait(), store(v[20], buffer=0)]
    out = gfx1201.launch([*code, _SIGNAL, _MEET, *read], [256], Grid((64, 1, 1), local=1))
    assert out.done, out.marks
    assert not out.marks
    assert out.words(0) == [n ^ 32 for n in range(64)]
    assert any(mark.startswith("race: ") for mark in gfx1201.launch([*code, *read], [256], Grid((64, 1, 1), local=1)).marks)


@pytest.mark.parametrize(("code", "mark"), [
    ([_MEET], "without a signal"), ([_SIGNAL, _SIGNAL], "twice without a wait"),
    ([_SIGNAL, _MEET, _MEET], "without a signal"), ([asm.s_barrier_signal(ssrc0=-2)], "a barrier 194"),
    ([_SIGNAL, asm.s_barrier_wait(simm16=1)], "a barrier 1"),
])  # fmt: skip
def test_a_barrier_that_does_not_end(gfx1201: BareRdna, code: list[Line], mark: str) -> None:
    out = gfx1201.launch(code, [4], Grid((64, 1, 1)))
    assert not out.done
    assert mark in out.marks[-1]


_BEGIN = [asm.v_mov_b32_e32(v[1], 0), asm.v_mov_b32_e32(v[6], 0), asm.v_mov_b32_e32(v[2], 3)]
_LOADED, _OTHER, _USE = load(v[5]), load(v[7]), asm.v_mov_b32_e32(v[6], v[5])
_WRITTEN, _READ = asm.ds_store_b32(addr=v[1], data0=v[2]), asm.ds_load_b32(v[5], v[1])
_CONSTANT, _SUM = asm.s_load_b32(s[20], s[0:1]), asm.s_add_co_u32(s[21], s[20], 1)


@pytest.mark.parametrize(("code", "hazard"), [
    ([_LOADED, _USE], "loadcnt"),
    ([_LOADED, asm.s_wait_loadcnt(simm16=0), _USE], ""),
    ([_LOADED, asm.s_wait_dscnt(simm16=0), asm.s_wait_kmcnt(simm16=0), asm.s_wait_samplecnt(simm16=0), _USE], "loadcnt"),
    ([_LOADED, _OTHER, asm.s_wait_loadcnt(simm16=1), _USE], ""),
    ([_LOADED, asm.s_wait_loadcnt(simm16=1), _USE], "loadcnt"),
    ([_LOADED, asm.s_wait_loadcnt_dscnt(simm16=0x003F), _USE], ""),
    ([_LOADED, asm.s_wait_loadcnt_dscnt(simm16=0x3F00), _USE], "loadcnt"),
    ([_WRITTEN, _READ, _USE], "dscnt"),
    ([_WRITTEN, _READ, asm.s_wait_dscnt(simm16=0), _USE], ""),
    ([_WRITTEN, _READ, asm.s_wait_loadcnt_dscnt(simm16=0x3F00), _USE], ""),
    ([_WRITTEN, _READ, asm.s_wait_storecnt_dscnt(simm16=0x3F00), _USE], ""),
    ([_WRITTEN, _READ, asm.s_wait_loadcnt(simm16=0), _USE], "dscnt"),
    ([_CONSTANT, _SUM], "kmcnt"),
    ([_CONSTANT, asm.s_wait_kmcnt(simm16=0), _SUM], ""),
    ([_CONSTANT, asm.s_wait_kmcnt(simm16=1), _SUM], "kmcnt"),
    ([_WRITTEN, _SIGNAL, _MEET], "dscnt"),
    ([_WRITTEN, asm.s_wait_dscnt(simm16=0), _SIGNAL, _MEET], ""),
    ([_WRITTEN, asm.s_wait_alu(simm16=0xFFE3), _SIGNAL, _MEET], ""),
])  # fmt: skip
def test_each_counter_guards_its_own(gfx1201: BareRdna, code: list[Line], hazard: str) -> None:
    out = gfx1201.launch([*_BEGIN, *code], [64], Grid((64, 1, 1), local=1))
    assert out.done, out.marks
    said = [mark for mark in out.hazards if f": {hazard} is not waited for" in mark]
    assert said if hazard else not out.hazards, out.hazards


_SAMPLED = asm.image_sample(vdata=v[5:8], dmask=1, dim=0, rsrc=8, samp=16, vaddr0=1)
_TEXEL = asm.image_load(vdata=v[5:8], dmask=1, dim=0, rsrc=8, vaddr0=1)


@pytest.mark.parametrize(("code", "hazard"), [
    ([_SAMPLED, asm.s_wait_loadcnt(simm16=0), _USE], "samplecnt"),
    ([_SAMPLED, asm.s_wait_samplecnt(simm16=0), _USE], ""),
    ([_TEXEL, asm.s_wait_samplecnt(simm16=0), _USE], "loadcnt"),
    ([_TEXEL, asm.s_wait_loadcnt(simm16=0), _USE], ""),
    ([_SAMPLED, _TEXEL, asm.s_wait_loadcnt(simm16=0), asm.s_wait_samplecnt(simm16=0), _USE], "samplecnt"),  # not in order
])  # fmt: skip
def test_a_sampler_counts_for_itself(gfx1201: BareRdna, code: list[Line], hazard: str) -> None:
    said = gfx1201.hazards(assemble([*code, asm.s_endpgm()]))
    assert [hazard] == [line.split(": ")[1].split()[0] for line in said] if hazard else not said, said
