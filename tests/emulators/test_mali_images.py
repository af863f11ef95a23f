"""Images of the emulated Mali: textures by TEXC and TEXS_2D, images among the attributes, in rows and in tiles.

One file: each instruction on one small image.
"""

import struct
from collections.abc import Sequence

import pytest
from bare_gpu import PAGE, Outcome
from bare_mali import BareMali, Shape, pair
from bifrost_assembler import assemble, words

RGBA8UI, R32F, RGBA8, R16F, RG8 = 155 << 12, 167 << 12 | 16, 187 << 12, 199 << 12 | 16, 171 << 12 | 16
RGBA8I, R8 = 219 << 12, 163 << 12 | 16
PLAIN = 0 | 1 << 3 | 2 << 6 | 3 << 9
FLOATS, INTEGERS = 4, 14  # types of TEXC's result
FETCH, SAMPLE = 6 << 12 | 1 << 20, 7 << 12 | 6 << 20
REPEAT, EDGE, BORDER, MIRROR = 8, 9, 11, 12
# From an item's number n: x in r0, y in r1, the address of its 16 bytes in r20 and r21.
PLACES = """
    *LSHIFT_AND.i32 r0 = r60 #3 #0
    *RSHIFT_OR.i32 r1 = r60 0 #2
    *LSHIFT_OR.i32 r20 = r60 0 #4
    *MOV.i32 r22 = u2
    +IADD.s32 r20 = r20 r22
    *MOV.i32 r21 = u3
    *MOV.i32 r10 = #0
"""
KEEP = "+STORE.i128 @r10 = r20 r21\n"
KEEP_AFTER = "\n" + KEEP


def tile_offset(x: int, y: int, row: int, size: int) -> int:
    """Mesa's docs/drivers/panfrost.rst: bits of y, and of x ^ y, in turn."""
    number = 0
    for bit in reversed(range(4)):
        number = number << 2 | (y >> bit & 1) << 1 | (x ^ y) >> bit & 1
    return (y // 16) * row + (x // 16 * 256 + number) * size


def request(operation: int, answer: int, *, dimension: int = 2, mask: int = 15, more: int = 0) -> int:
    """TEXC's word, of texture 0 and sampler 0."""
    return operation | 1 << 11 | dimension << 18 | answer << 24 | mask << 28 | more


def sampler(
    wrap: int = EDGE, *, linear: bool = False, normalized: bool = False, border: Sequence[float] = (0,) * 4
) -> bytes:
    word = 1 | wrap << 8 | wrap << 12 | wrap << 16 | normalized << 25 | (not linear) << 27 | (not linear) << 28
    return words([word, 0, 0, 0]) + struct.pack("<4f", *border)


def run(
    mali: BareMali,
    code: str,
    texels: bytes,
    pixels: int,
    *,
    size: tuple[int, int, int] = (4, 3, 1),
    row: int = 64,
    slice_bytes: int = 0,
    tiled: bool = False,
    dimension: int = 2,
    swizzle: int = PLAIN,
    by: bytes = sampler(),
    items: int = 12,
    texel_bytes: int = 4,
) -> Outcome:
    """A shader that has one image as texture 0 and as attribute 0. Buffers: texels, 16 bytes an item, descriptors."""
    shader = assemble(code)
    at, _, tables = BareMali.addresses([len(shader), 0x400, PAGE, len(texels), 16 * items, 0x200])[3:6]
    layers = size[2] if dimension != 3 else 1
    texture = [2 | dimension << 4 | pixels << 10, size[0] - 1 | (size[1] - 1) << 16, swizzle | (2 - tiled) << 12, 0]
    texture += [*pair(tables + 0x40), layers - 1, (size[2] - 1) * (dimension == 3)]
    surfaces = [word for n in range(layers) for word in (*pair(at + n * slice_bytes), row, slice_bytes)]
    attribute = [pixels << 10, 0]
    lowest = (at & 0x00FF_FFFF_FFFF_FFC0) | 5 + tiled
    buffer = [*pair(lowest), texel_bytes, len(texels)]
    buffer += [32 | (size[0] - 1) << 16, size[1] - 1 | (size[2] - 1) << 16, row, slice_bytes]
    data = words([*texture]).ljust(0x20, b"\0") + by + words(surfaces).ljust(0x40, b"\0")
    data += words(attribute).ljust(0x20, b"\0") + words(buffer)
    shape = Shape(
        (items, 1, 1), textures=(tables, 1), samplers=(tables + 0x20, 1), attributes=(tables + 0x80, tables + 0xA0, 1)
    )
    return mali.launch(shader, [texels, 16 * items, data.ljust(0x200, b"\0")], shape=shape)


def answers(outcome: Outcome, form: str = "4I") -> list[tuple[float, ...]]:
    assert outcome.done, outcome.marks
    assert not outcome.marks
    assert not outcome.hazards
    return list(struct.iter_unpack(f"<{form}", outcome.buffers[1]))


ROWS = bytes((31 * n + 7) & 0xFF for n in range(64 * 3))
EXPECTED = [tuple(ROWS[64 * (n // 4) + 4 * (n % 4) + c] for c in range(4)) for n in range(12)]
READS = {
    "TEXC": f"+TEXC @r10 = r0 r1 #{request(FETCH, INTEGERS):#x}",
    "LD_ATTR_TEX": """
        *MKVEC.v2i16 r2 = r0 r1
        +LD_ATTR_TEX @r10 = r2 #0 #0 vecsize=v4 register_format=u32""",
}


def test_a_texture_that_is_not_bound_reads_zeros(mali: BareMali) -> None:
    """The descriptor that panfrost gives a kernel in its place: the format Constant, of components 0000."""
    assert answers(run(mali, PLACES + READS["TEXC"] + KEEP_AFTER, ROWS, 95 << 12 | 231)) == [(0, 0, 0, 0)] * 12


@pytest.mark.parametrize("way", READS)
def test_each_item_reads_its_texel(mali: BareMali, way: str) -> None:
    assert answers(run(mali, PLACES + READS[way] + KEEP_AFTER, ROWS, RGBA8UI)) == EXPECTED


@pytest.mark.parametrize("way", READS)
def test_tiles_have_their_texels_elsewhere(mali: BareMali, way: str) -> None:
    size, row = (20, 20, 1), 2 * 256 * 4
    texels = bytearray(2 * row)
    for y in range(20):
        for x in range(20):
            at = tile_offset(x, y, row, 4)
            texels[at : at + 4] = bytes([x, y, x ^ y, 1])
    apart = "*LSHIFT_OR.i32 r0 = r0 r0 #2\n*LSHIFT_OR.i32 r1 = r1 r1 #3\n"
    code = PLACES + apart + READS[way] + KEEP_AFTER
    found = answers(run(mali, code, bytes(texels), RGBA8UI, size=size, row=row, tiled=True))
    for n, texel in enumerate(found):
        x, y = n % 4 * 4 | n % 4, n // 4 * 8 | n // 4
        assert texel == (x, y, x ^ y, 1)


@pytest.mark.parametrize("tiled", [False, True])
def test_a_store_goes_where_a_load_finds_it(mali: BareMali, tiled: bool) -> None:
    code = """
        *MKVEC.v2i16 r2 = r0 r1
        *DTSEL_IMM = r2 table=attribute_1 ; +LEA_ATTR_TEX @r4 = t #0 #0 register_format=s32
        *MOV.i32 r10 = r60
        +IADD.s32 r11 = r60 #0xfffffff0
        *MOV.i32 r12 = #0xffff8000
        *MOV.i32 r13 = #1000
        +ST_CVT @r10 = r4 r5 r6 vecsize=v4
        +LD_ATTR_TEX @r10 = r2 #0 #0 vecsize=v4 register_format=s32
    """
    found = answers(run(mali, PLACES + code + KEEP, bytes(256 * 4), RGBA8I, tiled=tiled), "4i")
    assert found == [(n, n - 16, -128, 127) for n in range(12)]


def test_nothing_lies_outside_of_an_image(mali: BareMali) -> None:
    """A load gets zeros, a store has no effect: half of the items are one row below."""
    code = """
        +IADD.s32 r1 = r1 #2
        *MKVEC.v2i16 r2 = r0 r1
        *DTSEL_IMM = r2 table=attribute_1 ; +LEA_ATTR_TEX @r4 = t #0 #0 register_format=u32
        *MOV.i32 r13 = #5
        *MOV.i32 r12 = #5
        *MOV.i32 r11 = #5
        *MOV.i32 r10 = #5
        +ST_CVT @r10 = r4 r5 r6 vecsize=v4
        +LD_ATTR_TEX @r10 = r2 #0 #0 vecsize=v4 register_format=u32
    """
    outcome = run(mali, PLACES + code + KEEP, ROWS, RGBA8UI)
    assert answers(outcome) == [(5, 5, 5, 5)] * 4 + [(0, 0, 0, 0)] * 8
    assert outcome.buffers[0] == ROWS[:128] + bytes([5]) * 16 + ROWS[144:]


@pytest.mark.parametrize(("dimension", "items"), [(3, 8), (2, 12)])
def test_layers_and_slices(mali: BareMali, dimension: int, items: int) -> None:
    """A third coordinate is in a register of its own; a layer beyond the image's last one is the last one."""
    texels = bytes(range(192)) * 2
    before = "*MOV.i32 r10 = r1\n*MOV.i32 r11 = #0\n" if dimension == 3 else "*MOV.i32 r11 = r1\n"
    word = request(FETCH, INTEGERS, dimension=dimension, more=(dimension == 2) << 17)
    code = PLACES + before + f"+TEXC @r10 = r0 #1 #{word:#x}\n" + KEEP
    shape = (4, 2, 2)
    found = answers(run(mali, code, texels, RGBA8UI, size=shape, row=16, slice_bytes=64, dimension=dimension, items=items))
    layers = [min(n // 4, 1) for n in range(items)]
    assert found == [tuple(texels[64 * z + 16 + 4 * (n % 4) + c] for c in range(4)) for n, z in enumerate(layers)]


@pytest.mark.parametrize(
    ("pixels", "swizzle", "texel", "wanted"),
    [
        (R32F, PLAIN, struct.pack("<f", 1.5), (1.5, 0, 0, 1)),
        (R16F, PLAIN, struct.pack("<e", -0.25), (-0.25, 0, 0, 1)),
        (RG8, PLAIN, b"\xff\x33", (1, 0.2, 0, 1)),
        (RGBA8 | 4, PLAIN, b"\xff\x33\x00\x66", (0, 0.2, 1, 0.4)),  # blue, green, red, alpha
        (RGBA8 | 24, PLAIN, b"\xff\x33\x00\x66", (0.2, 0, 0.4, 1)),  # the first component is empty
        (R8 - 16 + 226, PLAIN, b"\x33", (0.2, 0.2, 0.2, 0.2)),  # intensity
        (26 << 12 | 229, PLAIN, b"\x33", (0, 0, 0, 0.2)),
        (64 << 12 | 16, PLAIN, b"\x1f\x00", (1, 0, 0, 1)),
        (67 << 12, PLAIN, b"\xff\x03\x00\xc0", (1, 0, 0, 1)),
        (RGBA8, 5 | 4 << 3 | 3 << 6, b"\xff\x33\x00\x66", (1, 0, 0.4, 1)),
        (RGBA8 | 1 << 20, PLAIN, b"\xff\x00\x00\xff", (1, 0, 0, 1)),
    ],
)
def test_formats(mali: BareMali, pixels: int, swizzle: int, texel: bytes, wanted: tuple[float, ...]) -> None:
    code = PLACES + f"+TEXC @r10 = #0 #0 #{request(FETCH, FLOATS):#x}\n" + KEEP
    found = answers(run(mali, code, texel.ljust(256, b"\0"), pixels, swizzle=swizzle, items=1), "4f")
    assert found[0] == pytest.approx(wanted, rel=1e-7)


def _samples(mali: BareMali, at: Sequence[tuple[float, float]], by: bytes, code: str = "") -> list[float]:
    """The first component of a 4x3 image of floats, which are 10 y + x, at these places."""
    texels = b"".join(struct.pack("<4f", *(10 * y + x for x in range(4))).ljust(64, b"\0") for y in range(3))
    read = code or f"+TEXC @r10 = r0 r1 #{request(SAMPLE, FLOATS):#x}\n"
    found = []
    for x, y in at:
        moves = f"*MOV.i32 r0 = #{_bits(x):#x}\n*MOV.i32 r1 = #{_bits(y):#x}\n"
        found += [row[0] for row in answers(run(mali, PLACES + moves + read + KEEP, texels, R32F, by=by, items=1), "4f")]
    return found


def _bits(value: float) -> int:
    bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    return bits


@pytest.mark.parametrize(
    ("by", "at", "wanted"),
    [
        (sampler(), [(0.5, 0.5), (3.9, 2.1), (9, -1)], [0, 23, 3]),
        (sampler(linear=True), [(1, 1), (2.5, 1.5), (0.75, 0.5)], [5.5, 12, 0.25]),
        (sampler(BORDER, border=(7, 7, 7, 7)), [(-0.5, 0.5), (0.5, 0.5)], [7, 0]),
        (sampler(REPEAT, normalized=True), [(1.125, 0.5), (-0.125, 0.5)], [10, 13]),
        # The coordinate is mirrored: just below 2 is what is just above 0, and at 1 what is below 1.
        (sampler(MIRROR, normalized=True), [(1.125, 0.5), (1, 0.5), (-0.25, 0.5), (1.75, 0.5)], [13, 13, 11, 11]),
    ],
)
def test_samplers(mali: BareMali, by: bytes, at: Sequence[tuple[float, float]], wanted: list[float]) -> None:
    assert _samples(mali, at, by) == wanted
    assert _samples(mali, at, by, "+TEXS_2D.f32 @r10 = r0 r1 lod_mode=zero_lod\n") == wanted


def test_two_textures_at_once(mali: BareMali) -> None:
    """Each one's word has two indices, and the registers of the second result."""
    word = 1 << 2 | 30 << 12 | 4 << 18 | 15 << 21 | 4 << 25 | 15 << 28
    assert _samples(mali, [(2.5, 1.5)], sampler(), f"+TEXC @r10 = r0 r1 #{word:#x}\n*MOV.i32 r10 = r30\n") == [12]


def test_a_narrow_answer(mali: BareMali) -> None:
    widen = "*F16_TO_F32 r10 = r10\n*MOV.i32 r12 = r10\n*MOV.i32 r13 = r10\n"
    assert _samples(mali, [(2.5, 1.5)], sampler(), f"+TEXS_2D.f16 @r10 = r0 r1\n{widen}") == [12]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (f"+TEXC @r10 = r0 r1 #{request(FETCH, INTEGERS, more=1 << 4):#x}\n", "texture 1 of 1"),
        (f"+TEXC @r10 = r0 r1 #{request(FETCH, FLOATS):#x}\n", "texels that are integers"),
        (f"+TEXC @r10 = r0 r1 #{request(FETCH, INTEGERS, dimension=1):#x}\n", "a texture of 2 dimensions, asked for 1"),
        ("+LD_ATTR_TEX @r10 = r0 #0 #1 vecsize=v4 register_format=u32\n", "attribute 1 of 1"),
        ("+LEA_ATTR_TEX @r10 = r0 #0 #0 register_format=u32\n", "the second table of attributes"),
    ],
)
def test_what_the_launch_has_not(mali: BareMali, code: str, said: str) -> None:
    outcome = run(mali, PLACES + code, ROWS, RGBA8UI)
    assert not outcome.done
    assert said in outcome.marks[-1]


def test_texels_end_with_their_buffer(mali: BareMali) -> None:
    for way, said in (("TEXC", "in no buffer"), ("LD_ATTR_TEX", "lies beyond its buffer's 128 bytes")):
        outcome = run(mali, PLACES + READS[way], ROWS[:128], RGBA8UI)
        assert not outcome.done
        assert said in outcome.marks[0]
