"""Instructions of textures, of a small image in rows and of a buffer: which texel, which size.

Formats, tiles and filters are tested by the suites' image cases.
"""

import struct

import pytest
from bare_gpu import BareGpu, Shape, registers

_FORMAT, _SWIZZLE = 0x4A << 22, (0 | 1 << 3 | 2 << 6 | 3 << 9) << 4  # 32_FLOAT, components as they are
_IMAGE, _BUFFER = 1 << 29, 4 << 29
_PITCH = 64
_CLAMP = 1 << 5 | 1 << 8 | 1 << 11
_TEXELS = [[10.0 * y + x + 0.25 for x in range(4)] for y in range(3)]


def _descriptors(address: int) -> bytes:
    """An image of 4x3 texels, a sampler of the nearest texel, and the first row as a buffer."""
    where = [address & 0xFFFFFFFF, address >> 32 | 1 << 17]
    image = [_FORMAT | _SWIZZLE, 4 | 3 << 15, _IMAGE | _PITCH << 7, 0, *where, *[0] * 10]
    buffer = [_FORMAT | _SWIZZLE, 4, _BUFFER, 0, *where, *[0] * 10]
    return struct.pack("<48I", *image, *[_CLAMP, *[0] * 15], *buffer)


def _texels(gpu: BareGpu, instruction: str, half_texel: bool, image: bytes = b"") -> list[tuple[float, ...]]:
    """What twelve items get, each at its texel, from an image of 2,048 bytes with this descriptor."""
    coordinates = """
        mov.u32f32 r9.x, r8.x
        mov.u32f32 r9.y, r8.y
        add.f r9.x, r9.x, (0.5)
        add.f r9.y, r9.y, (0.5)
        mul.f r9.x, r9.x, c2.x
        mul.f r9.y, r9.y, c2.y
    """
    shader = f"""
        mov.u32u32 r5.x, c0.z
        mov.u32u32 r5.y, c0.w
        and.b r8.x, r0.w, 3
        shr.b r8.y, r0.w, 2
        mov.u32u32 r9.x, r8.x
        mov.u32u32 r9.y, r8.y
        {coordinates if half_texel else ""}
        mov.u32u32 r10.x, 0
        (rpt3)mov.u32u32 r20.x, 7
        {instruction}
        shl.b r7.x, r0.w, 2
        stg.a type=u32 data=r20.x address=r5.x index=r7.x size=4
        end
    """
    rows = b"".join(struct.pack("<4f", *row) + bytes(_PITCH - 16) for row in _TEXELS)
    rows = bytes(2048) if image else rows
    starts = BareGpu.addresses([0x400, len(rows), 16 * 12, 192])
    bases = registers(0xA9E8, starts[3] & 0xFFFFFFFF, starts[3] >> 32)
    scales = [struct.unpack("<I", struct.pack("<f", 1 / n))[0] for n in (4, 3)]
    descriptors = _descriptors(starts[1])
    if image:
        descriptors = image[:16] + descriptors[16:24] + image[24:] + descriptors[64:]
    out = gpu.run(shader, [rows, 16 * 12, descriptors], scales, Shape((12, 1, 1)), before=bases)
    assert out.done, out.marks
    assert not out.marks
    return list(struct.iter_unpack("<4f", out.buffers[1]))


_BOUND = "indirect=1 mode=6 descriptor=1"  # texture 0, sampler 1 of the set


@pytest.mark.parametrize(
    ("instruction", "sampled"),
    [
        ("isam type=f32 dst=r20.x mask=15 src=r9.x", False),
        ("isaml type=f32 dst=r20.x mask=15 src=r9.x src2=r10.x", False),
        ("sam type=f32 dst=r20.x mask=15 src=r9.x", True),
        ("saml type=f32 dst=r20.x mask=15 src=r9.x src2=r10.x", True),
        ("samb type=f32 dst=r20.x mask=15 src=r9.x src2=r10.x", True),
    ],
)
def test_each_item_gets_its_texel(adreno: BareGpu, instruction: str, sampled: bool) -> None:
    found = _texels(adreno, f"{instruction} {_BOUND}", sampled)
    assert found == [(_TEXELS[n // 4][n % 4], 0.0, 0.0, 1.0) for n in range(12)]


def test_a_mask_leaves_registers_out(adreno: BareGpu) -> None:
    seven = struct.unpack("<f", struct.pack("<I", 7))[0]
    found = _texels(adreno, f"isam type=f32 dst=r20.x mask=9 src=r9.x {_BOUND}", False)
    assert found == [(_TEXELS[n // 4][n % 4], seven, seven, 1.0) for n in range(12)]


def test_a_tiled_image_keeps_what_is_stored(adreno: BareGpu) -> None:
    """Read back as an image and as a texture; ldib.b once looked for the tiles in memory after a copy of the image."""
    for read in (
        "ldib.b type=f32 dst=r20.x address=r9.x typed=1 dimensions=1 bindless=1",
        f"isam type=f32 dst=r20.x mask=1 src=r9.x {_BOUND}",
    ):
        store = "stib.b type=f32 data=r21.x address=r9.x typed=1 dimensions=1 bindless=1"
        apart = "shl.b r9.x, r9.x, 3\nmul.u24 r9.y, r9.y, 5"  # in tiles of their own
        code = f"{apart}\nmov.u32f32 r21.x, r0.w\n{store}\n{read}"
        found = _texels(
            adreno, code, False, struct.pack("<16I", _FORMAT | _SWIZZLE | 3, 32 | 16 << 15, _IMAGE | 128 << 7, *[0] * 13)
        )
        assert [row[0] for row in found] == [float(n) for n in range(12)]


def test_sizes(adreno: BareGpu) -> None:
    def first(instruction: str) -> tuple[int, ...]:
        found = _texels(adreno, instruction, False)
        assert len(set(found)) == 1
        return struct.unpack("<4I", struct.pack("<4f", *found[0]))

    assert first(f"getsize type=u32 dst=r20.x mask=7 src=r10.x {_BOUND}") == (4, 3, 1, 7)
    assert first("getbuf type=u32 dst=r20.x mask=1 indirect=1 mode=6 descriptor=32") == (4, 7, 7, 7)
    assert first(f"getinfo type=u32 dst=r20.x mask=12 {_BOUND}") == (7, 7, 1, 1)
