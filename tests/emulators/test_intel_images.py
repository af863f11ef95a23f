"""Images: where a texel lies in tiles."""

import random
import struct

import pytest
from bare_intel import BareIntel, Launch
from intel_assembler import DATA1, message, r, send

_2D, _TILED, _WRITE, _LOW = 1 << 29, 3 << 12, 13, 0x10
_FORMATS = {1: 0x143, 2: 0x10D, 4: 0xD7, 8: 0x87, 16: 0x002}  # unsigned integers: bytes of a texel, and its number
# Where bits of a column's byte and of a row are in a texel's place, the highest first (Skylake manual, volume 5).
_STANDARD = {1: "xyxyyyyyxxxx", 2: "xyxyxyyyxxxx", 4: "xyxyxyyyxxxx", 8: "xyxyxxyyxxxx", 16: "xyxyxxyyxxxx"}
_PLAIN = "xxxyyyyyxxxx"


def _place(pattern: str, column: int, row: int, pitch: int) -> int:
    """The byte of a column's byte in a row, in tiles of this pattern."""
    left, place = {"x": column, "y": row}, 0
    for bit, name in enumerate(reversed(pattern)):
        place |= (left[name] & 1) << bit
        left[name] >>= 1
    return place + ((left["y"] * pitch >> pattern.count("x")) + left["x"] << len(pattern))


@pytest.mark.parametrize("size", [*_FORMATS])
@pytest.mark.parametrize("tiles", ["y", "yf", "ys"])
def test_a_texel_lies_where_its_tiles_have_it(intel: BareIntel, size: int, tiles: str) -> None:
    pattern = _PLAIN if tiles == "y" else "xyxy" * (tiles == "ys") + _STANDARD[size]
    pitch, rows = 2 << pattern.count("x"), 2 << pattern.count("y")  # two tiles by two
    width, channels = pitch // size, max(1, size // 4)
    draw = random.Random(size)
    places = [(draw.randrange(width), draw.randrange(rows)) for _ in range(8)]
    texels = [[draw.randrange(1 << 8 * min(size, 4)) for _ in range(8)] for _ in range(channels)]
    x, y = zip(*places, strict=True)
    own = struct.pack(f"<{16 + 8 * channels}I", *x, *y, *(t for channel in texels for t in channel))
    mode = {"y": 0, "yf": 1, "ys": 2}[tiles]
    state = (
        _2D | _FORMATS[size] << 18 | _TILED, rows // 4, width - 1 | rows - 1 << 16, pitch - 1, 0, mode << 18, 0,
        4 << 25 | 5 << 22 | 6 << 19 | 7 << 16,
    )  # fmt: skip
    write = send(DATA1, message(2 + channels, 0, _WRITE, _LOW | 0xF << channels & 0xF, 0), payload=r(3), n=8)
    out = intel.launch([write], [pitch * rows], Launch(lanes=8, surfaces=((0, 0, *state),)), own=[own])
    assert out.done, out.marks
    want = bytearray(pitch * rows)
    for lane, (column, row) in enumerate(places):
        at = _place(pattern, column * size, row, pitch)
        want[at : at + size] = b"".join(t[lane].to_bytes(min(size, 4), "little") for t in texels)
    assert out.buffers[0] == want
