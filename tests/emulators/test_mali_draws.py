"""Draws of the emulated Mali: a rectangle of one colour or of a texture, in tiles, as panfrost fills and copies images.

One file: the parts of a draw, and each mistake that one can have.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from bare_gpu import PAGE, Outcome
from bare_mali import BareMali, pair
from bifrost_assembler import assemble, words

# The vertex's position and colour, as they are, and the fragment's colour, to the render target.
POSITION = """
    +LD_ATTR_IMM @r0 = r61 r62 attribute=n0 vecsize=v4 register_format=f32
    +ST_CVT @r0 = r58 r59 #0x0105e000 vecsize=v4
"""
VARYING = """
    +LD_ATTR_IMM @r0 = r61 r62 attribute=n1 vecsize=v4 register_format=auto
    +LEA_ATTR_IMM @r4 = r61 r62 attribute=n0 register_format=auto
    +ST_CVT @r0 = r4 r5 r6 vecsize=v4
"""
FLAT = "+LD_VAR_FLAT_IMM @r0 varying=n0 vecsize=v4 register_format=u32 function=none\n"
SMOOTH = "+LD_VAR_IMM @r0 = #0 varying=n0 vecsize=v4 register_format=f32 sample=center\n"
COLOUR = "*MOV.i32 r48 = #1\n+ATEST @r60 = r60 r48 widen1=none\n+BLEND @r0 = r60 {} {}\n"
RGBA8UI, RGBA32F = 155 << 12, 191 << 12
_RAW32, _U32, _F32, OPAQUE = 3, 3, 1, 1
_VERTEX_BITS, _FRAGMENT_BITS = 1 << 10 | 1 << 11 | 1 << 13 | 1 << 14, 1 << 7 | 1 << 11


@dataclass(frozen=True, slots=True)
class Drawn:
    """A rectangle, its colours at four corners (upper left, lower left, lower right, upper right), and the target."""

    corners: tuple[float, float, float, float] = (3, 2, 7, 5)  # left, top, right, bottom
    colours: Sequence[Sequence[int]] = ((1, 2, 3, 4),) * 4
    fragment: str = FLAT
    size: tuple[int, int] = (20, 18)
    tiled: bool = False
    mode: int = 0  # of the frame's own shader
    blend: int = OPAQUE
    vertices: int = 4
    scissor: tuple[int, int] = (0xFFFF, 0xFFFF)
    taken: bool = True  # the fragment job is of the same tiler
    clear: int = 0x99999999
    varying: int = 157  # its format


def _state(code: int, other: int, bits: int, *, attributes: int = 0, varyings: int = 0, messages: int = 0) -> list[int]:
    state = [*pair(code), 0, attributes | varyings << 16, *[0] * 12]
    state[12], state[13], state[15] = bits, bits, messages
    state[14] = other & 0xFFFFFFFF
    state[15] = messages if not other else other >> 32
    return state


def draw(mali: BareMali, d: Drawn = Drawn()) -> tuple[Outcome, list[list[bytes]]]:
    """Run the chain of a vertex job and of a fragment job; the target's texels, row by row."""
    left, top, right, bottom = d.corners
    blend = (f"#{d.blend}", f"#{RGBA8UI | _U32 << 24:#x}")
    codes = [assemble(POSITION), assemble(VARYING), assemble(d.fragment + COLOUR.format(*blend))]
    row = (d.size[0] + 15) // 16 * 16 * 4 * (16 if d.tiled else 1)
    target = bytes(range(256)) * ((row * (2 if d.tiled else 32) + 255) // 256)
    shader, tables, memory, image = BareMali.addresses([0x3000, 0x2000, PAGE, len(target)])[:4]
    places = [(left, top), (left, bottom), (right, bottom), (right, top)]
    vertices = b"".join(
        struct.pack("<4f", x, y, 0, 1) + struct.pack("<4I", *c) for (x, y), c in zip(places, d.colours, strict=True)
    )
    # In `memory`: vertices, positions, varyings. In `tables`: jobs at 0 and 0x200, states, attributes, the frame.
    at = {
        name: tables + 0x400 + 0x100 * n for n, name in enumerate(("vs", "fs", "attribute", "varying", "viewport", "frame"))
    }
    code = [shader + 0x1000 * n for n in range(3)]
    data = bytearray(0x2000)

    def put(where: int, values: Sequence[int]) -> None:
        data[where - tables : where - tables + 4 * len(values)] = words(values)

    vertex_draw, fragment_draw = [0] * 32, [0] * 32
    vertex_draw[14:16] = pair(at["vs"])
    vertex_draw[16:20] = [*pair(at["attribute"] + 0x40), *pair(at["attribute"])]
    vertex_draw[20:24] = fragment_draw[20:24] = [*pair(at["varying"] + 0x40), *pair(at["varying"])]
    fragment_draw[4:6], fragment_draw[14:16] = pair(memory + 0x100), pair(at["fs"])
    fragment_draw[24:26] = pair(at["viewport"])
    tiler = 0x1234_5000
    head = [0, 0, 0, 0, 1 | 10 << 1, 0, *pair(tables + 0x200), d.vertices - 1, 32 << 22]
    head += [12 | 1 << 18, 0, 0, d.vertices - 1, 0, 0, 0, 0, *pair(tiler)]
    put(tables, [*head, *[0] * (32 - len(head)), *fragment_draw, *vertex_draw])
    put(tables + 0x200, [0, 0, 0, 0, 1 | 9 << 1, 0, 0, 0, 0, 0, *pair(at["frame"] | 1), 0, 0, 0, 0])
    put(at["vs"], _state(code[0], code[1], _VERTEX_BITS, attributes=2, varyings=1))
    put(at["fs"], _state(code[2], 0, _FRAGMENT_BITS, varyings=1))
    put(at["attribute"], [RGBA32F << 10 | 0, 0, 157 << 22, 16])
    put(at["attribute"] + 0x40, [*pair(memory | 1), 32, len(vertices)])
    put(at["varying"], [d.varying << 22, 0])
    put(at["varying"] + 0x40, [*pair((memory + 0x200) | 1), 16, 64])
    put(at["viewport"], [0, 0, 0, 0, 0, 0, 0, d.scissor[0] | d.scissor[1] << 16])
    frame = [0] * 48
    frame[0], frame[8], frame[14:16] = d.mode, d.size[0] - 1 | (d.size[1] - 1) << 16, pair(tiler if d.taken else 0x40)
    frame[32:34] = [0, 1 | _RAW32 << 3 | (1 if d.tiled else 2) << 8]
    frame[40:43], frame[44] = [*pair(image), row], d.clear
    put(at["frame"], frame)
    shaders = b"".join(c.ljust(0x1000, b"\0") for c in codes)
    own = vertices.ljust(0x400, b"\0").ljust(PAGE, b"\0")
    outcome = mali.execute([shaders, bytes(data), own, target], tables)
    after = outcome.buffers[3] if len(outcome.buffers) > 3 else b""
    return outcome, [[_texel(after, x, y, row, d.tiled) for x in range(d.size[0])] for y in range(d.size[1])]


def _texel(data: bytes, x: int, y: int, row: int, tiled: bool) -> bytes:
    number = sum(((x ^ y) >> b & 1) << 2 * b | (y >> b & 1) << (2 * b + 1) for b in range(4))
    at = (y >> 4) * row + ((x >> 4) * 256 + number) * 4 if tiled else y * row + 4 * x
    return data[at : at + 4]


def _before(d: Drawn) -> list[list[bytes]]:
    row = (d.size[0] + 15) // 16 * 16 * 4 * (16 if d.tiled else 1)
    target = bytes(range(256)) * ((row * (2 if d.tiled else 32) + 255) // 256)
    return [[_texel(target, x, y, row, d.tiled) for x in range(d.size[0])] for y in range(d.size[1])]


@pytest.mark.parametrize("tiled", [False, True])
def test_a_rectangle_of_one_colour(mali: BareMali, tiled: bool) -> None:
    """The rest of the tile that it touches has the clear colour, the other tiles keep theirs."""
    d = Drawn(tiled=tiled)
    outcome, texels = draw(mali, d)
    assert outcome.done, outcome.marks
    assert not outcome.marks
    assert not outcome.hazards
    before = _before(d)
    for y, line in enumerate(texels):
        for x, texel in enumerate(line):
            inside, same_tile = 3 <= x < 7 and 2 <= y < 5, x < 16 and y < 16
            assert texel == (bytes([1, 2, 3, 4]) if inside else b"\x99" * 4 if same_tile else before[y][x]), (x, y)


@pytest.mark.parametrize(
    ("corners", "scissor", "covered"),
    [
        ((3.5, 2, 6.5, 5), (0xFFFF, 0xFFFF), (3, 2, 6, 5)),  # a texel's middle decides; it belongs to what begins there
        ((3.6, 2.4, 6.4, 5), (0xFFFF, 0xFFFF), (4, 2, 6, 5)),
        ((14, 15, 40, 50), (0xFFFF, 0xFFFF), (14, 15, 20, 18)),  # the frame ends there
        ((3, 2, 15, 15), (8, 9), (3, 2, 9, 10)),
    ],
)
def test_which_texels_a_rectangle_covers(
    mali: BareMali, corners: tuple[float, float, float, float], scissor: tuple[int, int], covered: tuple[int, int, int, int]
) -> None:
    outcome, texels = draw(mali, Drawn(corners=corners, scissor=scissor))
    assert outcome.done, outcome.marks
    found = [(x, y) for y, line in enumerate(texels) for x, texel in enumerate(line) if texel == bytes([1, 2, 3, 4])]
    left, top, right, bottom = covered
    assert found == [(x, y) for y in range(top, bottom) for x in range(left, right)]


def _bits(*values: float) -> tuple[int, ...]:
    return struct.unpack("<4I", struct.pack("<4f", *values))


def test_a_smooth_varying_lies_between_its_corners(mali: BareMali) -> None:
    """The coordinates at the fragment's middle, interpolated from those of the corners."""
    colours = [_bits(x, y, x + y, 1) for x, y in ((3, 2), (3, 5), (7, 5), (7, 2))]
    to_integers = "".join(f"*FADD.f32 r{n} = r{n} #0x3f000000\n+F32_TO_U32 r{n} = r{n} round=rtz\n" for n in range(4))
    d = Drawn(colours=colours, fragment=SMOOTH + to_integers)
    outcome, texels = draw(mali, d)
    assert outcome.done, outcome.marks
    for y in range(2, 5):
        for x in range(3, 7):
            assert texels[y][x] == bytes([x + 1, y + 1, x + y + 1, 1])  # x + 0.5 and half more, cut off


def test_a_varying_without_memory_is_not_stored_and_reads_as_zeros(mali: BareMali) -> None:
    """With the format Constant, as panfrost 26.2 describes a varying that its fragment shader does not read."""
    outcome, texels = draw(mali, Drawn(varying=95))
    assert outcome.done, outcome.marks
    assert not outcome.marks
    assert texels[3][4] == bytes(4)


def test_a_draw_of_another_tiler_is_not_the_frame_s(mali: BareMali) -> None:
    d = Drawn(taken=False)
    outcome, texels = draw(mali, d)
    assert outcome.done, outcome.marks
    assert texels == _before(d)
    draw(mali, Drawn())  # which the next frame takes, with the one that was left


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (Drawn(vertices=3), "a draw of the mode 12"),
        (Drawn(corners=(3, 2, 3, 5)), "a draw of an empty rectangle"),
        (Drawn(blend=2), "the descriptor 0x00000002"),
        (Drawn(mode=5), "a frame with the words"),
        (
            Drawn(colours=((1, 2, 3, 4), (1, 2, 3, 5), (1, 2, 3, 4), (1, 2, 3, 4))),
            "a flat varying that the vertices do not agree on",
        ),
    ],
)
def test_another_draw_is_not_emulated(mali: BareMali, changed: Drawn, said: str) -> None:
    outcome, _ = draw(mali, changed)
    assert not outcome.done
    assert outcome.marks[-1].startswith("unknown: ")
    assert said in outcome.marks[-1]


def test_nothing_is_blended(mali: BareMali) -> None:
    d = Drawn(blend=3)
    outcome, texels = draw(mali, d)
    assert outcome.done, outcome.marks
    assert texels[3][4] == b"\x99" * 4
