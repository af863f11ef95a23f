"""Draws of the emulated Adreno: one rectangle, with vertex and fragment shaders made here."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from assembler import assemble
from bare_gpu import BareGpu, Outcome, packet, registers

CP_LOAD_STATE6_GEOM, CP_LOAD_STATE6_FRAG, CP_SET_MARKER, CP_DRAW_INDX_OFFSET = 0x32, 0x34, 0x65, 0x38
FAN, RECTANGLES, BY_NUMBER, STRAIGHT = 5, 8, 2 << 6, 1
RGBA32UI, WIDTH, HEIGHT, LAYERS = 0x83, 8, 4, 2
_ROW, _NUMBER = 16 * WIDTH, 1  # bytes; r0.y has a vertex's number
# By turnip's way to clear: corner and layer of a rectangle in c0, its other corner in c1, which the vertex' number chooses.
CHOSEN = """
    mov.u32u32 r2.w, c0.w
    sel.b32 r0.x, c1.x, r0.y, c0.x
    sel.b32 r0.y, c1.y, r0.y, c0.y
    end
"""
COLOUR = "(rpt3)mov.u32u32 r1.x, (r)c0.x\nend"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw. `attributes`: a position and four numbers of each vertex, in r0 and r1; without, CHOSEN by `corners`."""

    attributes: Sequence[Sequence[float]] = ()
    corners: tuple[float, float, float, float] = (1, 1, 4, 3)
    layer: int = 0
    fragment: str = COLOUR
    kind: int = RECTANGLES
    count: int = 2
    format: int = RGBA32UI
    viewport: tuple[float, float, float, float] = (5, 2, 5, 2)  # x, its scale, y, its scale


def draw(gpu: BareGpu, d: Drawn) -> tuple[Outcome, list[list[tuple[int, ...]]]]:
    """The texels of both layers."""
    codes = [assemble("end" if d.attributes else CHOSEN, 6), assemble(d.fragment, 6)]
    contents = [struct.pack("<16Q", *code, *[0] * (16 - len(code))) for code in codes]
    contents.append(b"".join(struct.pack("<8f", *vertex) for vertex in d.attributes))
    contents.append(bytes(_ROW * HEIGHT * LAYERS))
    vertex, fragment, attributes, target = gpu.addresses([len(c) for c in contents])[:4]

    def at(first: int, address: int) -> list[int]:
        return registers(first, address & 0xFFFFFFFF, address >> 32)

    left, top, right, bottom, *viewport = struct.unpack("<8I", struct.pack("<8f", *d.corners, *d.viewport))
    commands = [
        *registers(0x8000, 0 if d.attributes else 1 << 8),  # GRAS_CL_CNTL: the positions are texels
        *registers(0x8010, *viewport),
        *(word for scissor in (0x80B0, 0x80D0, 0x80F0) for word in registers(scissor, 0, WIDTH - 1 | HEIGHT - 1 << 16)),
        *registers(0x8820, 15 << 7, 0, d.format, _ROW >> 6, _ROW * HEIGHT >> 6),  # RB_MRT
        *at(0x8825, target),
        *registers(0x9104, 0xFF if d.attributes else 0),  # VPC_VS_LAYER_CNTL
        *registers(0x9301, (4 if d.attributes else 1) << 8),  # VPC_VS_PACK: where the position is
        *registers(0xA000, (2 if d.attributes else 0) << 8, 0xFC if d.attributes else _NUMBER),  # VFD_CONTROL_0 and 1
        *at(0xA010, attributes),
        *registers(0xA012, len(contents[2]), 32),
        *registers(0xA090, 0x82 << 20, 1, 0x82 << 20 | 16 << 5, 1),  # VFD_DECODE
        *registers(0xA0D0, 15, 15 | 4 << 4),  # VFD_DEST
        *registers(0xA800, 8 << 7),
        *registers(0xA802, 2),  # how many outputs
        *registers(0xA803, 0x0F000F04 if d.attributes else 0x0300010B),  # r1 and r0; r2.w, and r0.x and y
        *registers(0xA813, 0x0400 if d.attributes else 0x0100),
        *at(0xA81C, vertex),
        *registers(0xA824, 1),
        *registers(0xA980, 8 << 7),
        *at(0xA983, fragment),
        *registers(0xA98E, 4),  # the colour is in r1
        *registers(0xA9A7, 0),
        *registers(0xAB05, 1),
        *packet(CP_LOAD_STATE6_GEOM, 1 << 14 | 8 << 18 | 2 << 22, 0, 0, left, top, 0, d.layer, right, bottom, 0, 0),
        *packet(CP_LOAD_STATE6_FRAG, 1 << 14 | 12 << 18 | 1 << 22, 0, 0, 1, 2, 3, 4),
        *packet(CP_SET_MARKER, STRAIGHT),
        *packet(CP_DRAW_INDX_OFFSET, d.kind | BY_NUMBER, 1, d.count),
    ]
    outcome = gpu.submit(commands, contents)
    texels = [tuple(outcome.words(3)[4 * n : 4 * n + 4]) for n in range(WIDTH * HEIGHT * LAYERS)]
    return outcome, [texels[: WIDTH * HEIGHT], texels[WIDTH * HEIGHT :]]


def rectangle(left: int, top: int, right: int, bottom: int) -> list[tuple[int, ...]]:
    return [
        (1, 2, 3, 4) if left <= x < right and top <= y < bottom else (0,) * 4 for y in range(HEIGHT) for x in range(WIDTH)
    ]


@pytest.mark.parametrize("layer", [0, 1])
def test_a_vertex_shader_computes_positions_and_a_layer(adreno: BareGpu, layer: int) -> None:
    outcome, layers = draw(adreno, Drawn(layer=layer))
    assert (outcome.done, outcome.marks) == (True, [])
    assert layers[layer] == rectangle(1, 1, 4, 3)
    assert layers[1 - layer] == [(0,) * 4] * WIDTH * HEIGHT


def test_positions_that_are_passed_on_go_through_the_viewport(adreno: BareGpu) -> None:
    corners = [(-1.0, -1.0, 0.0, 1.0, *[0.0] * 4), (1.0, 1.0, 0.0, 1.0, *[0.0] * 4)]
    for n, viewport in enumerate(((3.0, 1.0, 2.0, 2.0), (3.0, -1.0, 2.0, -1.0))):
        fan = [corners[0], (1.0, -1.0, *corners[0][2:]), corners[1], (-1.0, 1.0, *corners[0][2:])]
        outcome, layers = draw(adreno, Drawn(fan, kind=FAN, count=4, viewport=viewport))
        assert (outcome.done, outcome.marks) == (True, [])
        assert layers[0] == rectangle(2, 0 if n == 0 else 1, 4, 4 if n == 0 else 3)


def test_numbers_of_the_vertices_are_interpolated_at_the_middle_of_a_texel(adreno: BareGpu) -> None:
    """The first number grows to the right, the second one downwards, the third is the same everywhere."""
    place = [(0, 0), (4, 0), (4, 2), (0, 2)]
    vertices = [(float(x), float(y), 0.0, 1.0, 2.0 * x, 10.0 + y, 7.0, 1.0) for x, y in place]
    code = "(rpt3)bary.f r1.x, (r)0, r0.x\n(rpt3)mov.f32u32 r1.x, (r)r1.x\nend"
    outcome, layers = draw(adreno, Drawn(vertices, kind=FAN, count=4, fragment=code, viewport=(0, 1, 0, 1)))
    assert (outcome.done, outcome.marks) == (True, [])
    want = [(2 * x + 1, 10 + y, 7, 1) if x < 4 and y < 2 else (0,) * 4 for y in range(HEIGHT) for x in range(WIDTH)]
    assert layers[0] == want


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (Drawn(layer=2), "fault: a draw's target: "),
        (Drawn(corners=(1, 1, 1, 3)), "unknown: a draw of a rectangle that is empty or flipped"),
        (Drawn(count=3), "unknown: a draw of kind 8 of 3 vertices"),
        (Drawn(kind=4), "unknown: a draw of kind 4 of 2 vertices"),
        (Drawn([(0.0,) * 8] * 2), "unknown: a draw of a rectangle whose two vertices have numbers"),
        (Drawn([(0.0,) * 8] * 3, kind=FAN, count=4), "fault: a draw: vertex 3 is beyond the end of its buffer"),
    ],
)
def test_a_draw_that_is_wrong_or_not_emulated_is_said(adreno: BareGpu, changed: Drawn, said: str) -> None:
    outcome, layers = draw(adreno, changed)
    assert not outcome.done
    assert any(mark.startswith(said) for mark in outcome.marks), outcome.marks
    assert not any(any(texel) for layer in layers for texel in layer)
