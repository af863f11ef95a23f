"""Images of the emulated Valhall: textures and samplers by TEX, images by LD_TEX, LEA_TEX, ST_CVT, in rows and in tiles."""

import struct

import pytest
from bare_gpu import PAGE, Outcome
from bare_mali import pair
from bare_valhall import BareValhall, Shape
from bifrost_assembler import words
from test_mali_images import BORDER, EDGE, PLAIN, R32F, REPEAT, RGBA8UI, sampler, tile_offset
from valhall_assembler import assemble

_PLACES = """
    LSHIFT_AND.i32 r8 = r60 #0x03020100 #0 lanes2=b00
    IADD_IMM.i32 r9 = #0 #3
    LSHIFT_AND.i32 r8 = r60 r9 #0 lanes2=b00
    RSHIFT_OR.i32 r9 = r60 #0 #0x03020100 lanes2=b22
    LSHIFT_OR.i32 r10 = r60 #0 #0x07060504 lanes2=b00
    IADD.u64 r2 = u0 r10 lanes1=w0
"""
_KEEP = "STORE.i128 @r4 = r2 .wait0\n"
_PIXELS = [[16 * y + x + 64 * c for c in range(3)] + [255] for y in range(4) for x in range(4)]
_TEXELS = bytes(v for pixel in _PIXELS for v in pixel)
_FLOATS = struct.pack("<16f", *range(16))


def run(
    gpu: BareValhall,
    code: str,
    texels: bytes,
    pixels: int,
    *,
    tiled: bool = False,
    layers: int = 1,
    sampled: bytes = bytes(32),
    clump: int = 0,
    width: int = 4,
) -> Outcome:
    """16 work-items with an image of width by 4 and layers as resource 0, and a sampler as resource 1."""
    size = len(texels) // (width * 4 * layers)
    row = width * size
    if tiled:
        texels, rows = b"", texels
        for layer in range(layers):
            tile = bytearray(256 * size)
            for n in range(4 * width):
                at = tile_offset(n % width, n // width, 256 * size, size)
                tile[at : at + size] = rows[(layer * 4 * width + n) * size :][:size]
            texels += bytes(tile)
        row = 256 * size
    binary = assemble(_PLACES + code)
    starts = BareValhall.addresses([len(binary), 0x600, PAGE, 256, 32 * layers, len(texels)])
    each = len(texels) // layers
    planes = words(
        [
            word
            for n in range(layers)
            for word in (
                10 | 1 << 4 | (1 if tiled else 2) << 8 | clump << 24,
                each,
                *pair(starts[5] + n * each),
                row,
                0,
                0,
                0,
            )
        ]
    )
    texture = (2 | 2 << 4 | pixels << 10, width - 1 | 3 << 16, PLAIN, 0, *pair(starts[4]), layers - 1, 0)
    shape = Shape((16, 1, 1), resources=(texture, struct.unpack("<8I", sampled)))
    return gpu.launch(binary, [256, planes, texels], shape=shape)


def found(out: Outcome) -> list[list[int]]:
    assert out.done, out.marks
    assert not out.marks + out.hazards
    every = out.words(0)
    return [every[4 * n : 4 * n + 4] for n in range(16)]


_XY = "MKVEC.v2i16 r12 = r8 r9 swz0=h00 swz1=h00\n"
READS = {
    "TEX_FETCH": "TEX_FETCH @r8:r4 = #0 dimension=d2 mask=15 width=1 count=2 written=3 .wait0\n",
    "LD_TEX_IMM": f"{_XY}LD_TEX_IMM @r4 = r12 #0 vecsize=v4 register_format=u32 count=4 .wait0\n",
    "LD_TEX": f"{_XY}LD_TEX @r4 = r12 #0 #0 vecsize=v4 register_format=u32 count=4 .wait0\n",
}


@pytest.mark.parametrize("tiled", [False, True])
@pytest.mark.parametrize("name", READS)
def test_texels(valhall: BareValhall, name: str, tiled: bool) -> None:
    assert found(run(valhall, READS[name] + _KEEP, _TEXELS, RGBA8UI, tiled=tiled)) == _PIXELS


def test_components_that_are_asked_for_lie_one_after_another(valhall: BareValhall) -> None:
    code = "MOV.i32 r6 = #0\nMOV.i32 r7 = #0\nTEX_FETCH @r8:r4 = #0 dimension=d2 mask=9 width=1 count=2 written=1 .wait0\n"
    assert found(run(valhall, code + _KEEP, _TEXELS, RGBA8UI)) == [[p[0], p[3], 0, 0] for p in _PIXELS]
    code = "MOV.i32 r6 = #0\nMOV.i32 r7 = #0\nTEX_FETCH @r8:r4 = #0 dimension=d2 mask=15 width=0 count=2 written=1 .wait0\n"
    assert found(run(valhall, code + _KEEP, _TEXELS, RGBA8UI)) == [
        [p[0] | p[1] << 16, p[2] | p[3] << 16, 0, 0] for p in _PIXELS
    ]


def test_layers(valhall: BareValhall) -> None:
    """Layer 1 by TEX_FETCH's register, and by the upper half of LD_TEX's z."""
    texels = bytes(64) + _TEXELS
    fetch = (
        "IADD_IMM.i32 r10 = #0 #1\nTEX_FETCH @r8:r4 = #0 dimension=d2 array=array mask=15 width=1 count=3 written=3 .wait0\n"
    )
    load = READS["LD_TEX_IMM"].replace("r12 #0 v", "r12 r13 v")
    assert found(run(valhall, fetch + _KEEP, texels, RGBA8UI, layers=2)) == _PIXELS
    assert found(run(valhall, f"IADD_IMM.i32 r13 = #0 #0x10000\n{load}{_KEEP}", texels, RGBA8UI, layers=2)) == _PIXELS


STORES = """
    MKVEC.v2i16 r12 = r8 r9 swz0=h00 swz1=h00
    LEA_TEX_IMM @r16 = r12 #0 count=3 .wait0
    MOV.i32 r4 = r60
    IADD_IMM.i32 r5 = r60 #1
    IADD_IMM.i32 r6 = r60 #2
    IADD_IMM.i32 r7 = r60 #3
    ST_CVT @r4 = r16 r18 vecsize=v4 register_format=u32 count=4 .wait0
"""


@pytest.mark.parametrize("tiled", [False, True])
def test_stores(valhall: BareValhall, tiled: bool) -> None:
    """Each item stores its number, and 1 to 3 more, where LEA_TEX says."""
    out = run(valhall, STORES, _TEXELS, RGBA8UI, tiled=tiled)
    assert out.done, out.marks
    row = 1024 if tiled else 16
    for n in range(16):
        at = tile_offset(n % 4, n // 4, row, 4) if tiled else 4 * n
        assert out.buffers[2][at : at + 4] == bytes(range(n, n + 4))


def test_what_lies_outside_has_no_address(valhall: BareValhall) -> None:
    code = """
        MOV.i32 r12 = #0x07060504
        LEA_TEX_IMM @r4 = r12 #0 count=3 .wait0
        MOV.i32 r7 = #0
    """
    assert [p[:2] for p in found(run(valhall, code + _KEEP, _TEXELS, RGBA8UI))] == [[0, 0]] * 16


@pytest.mark.parametrize(
    ("linear", "wrap", "at", "wanted"),
    [
        (False, EDGE, "0x3fc00000", 1.0), (True, EDGE, "0x3f800000", 0.5), (False, REPEAT, "0x40b00000", 1.0),
        (False, EDGE, "0xc0000000", 0.0), (False, BORDER, "0xc0000000", 9.0),
    ],
)  # fmt: skip
def test_samplers(valhall: BareValhall, linear: bool, wrap: int, at: str, wanted: float) -> None:
    """Row 0 of the numbers 0 to 15, at 1.5, between two texels, at 5.5, and to the left of the image."""
    normalized = wrap == REPEAT
    place = "0x3eb00000" if normalized else at  # 5.5 / 4 less 1 is 0.34375
    code = f"""
        IADD_IMM.i32 r8 = #0 #{place}
        MOV.i32 r9 = #0
        IADD_IMM.i32 r12 = #0 #1
        MOV.i32 r13 = #0
        TEX_SINGLE @r8:r4 = r12 dimension=d2 wide=wide mask=1 width=1 va_lod=zero_lod count=2 written=0 .wait0
        MOV.i32 r5 = #0
        MOV.i32 r6 = #0
        MOV.i32 r7 = #0
    """
    out = run(
        valhall,
        code + _KEEP,
        _FLOATS,
        R32F,
        sampled=sampler(wrap, linear=linear, normalized=normalized, border=(9, 9, 9, 9)),
    )
    assert {struct.unpack("<f", struct.pack("<I", p[0]))[0] for p in found(out)} == {wanted}


def test_a_texel_of_one_byte_of_alpha(valhall: BareValhall) -> None:
    """The pixel format has four bytes; the plane says one."""
    A8, ALPHA = 26, 187 << 12 | 229
    code = "TEX_FETCH @r8:r4 = #0 dimension=d2 mask=15 width=1 count=2 written=3 .wait0\n" + _KEEP
    out = found(run(valhall, code, bytes(range(16)), ALPHA, clump=A8))
    alphas = [struct.unpack("<f", struct.pack("<I", p[3]))[0] for p in out]
    assert alphas == pytest.approx([n / 255 for n in range(16)])
    assert all(p[:3] == [0, 0, 0] for p in out)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("LD_TEX_IMM @r4 = r8 #0 index=2 vecsize=v4 register_format=u32 count=4", "fault: "),
        ("LD_TEX_IMM @r4 = r8 #0 table=1 vecsize=v4 register_format=u32 count=4", "fault: "),
        ("LD_TEX_IMM @r4 = r8 #0 index=1 vecsize=v4 register_format=u32 count=4", "is a descriptor of type 1"),
        ("TEX_FETCH @r8:r4 = #0 dimension=d3 mask=15 width=1 count=3 written=3", "a texture of 2 dimensions, asked for 3"),
        ("TEX_FETCH @r8:r4 = #0 dimension=d2 mask=15 width=1 count=1 written=3", "1 registers for 2"),
        ("TEX_SINGLE @r8:r4 = #0 dimension=d2 va_lod=computed_lod mask=1 width=1 count=2 written=0", "unknown: "),
    ],
)
def test_what_cannot_be_asked(valhall: BareValhall, code: str, said: str) -> None:
    out = run(valhall, code, _TEXELS, RGBA8UI, sampled=sampler())
    assert not out.done
    assert said in out.marks[-1], out.marks
