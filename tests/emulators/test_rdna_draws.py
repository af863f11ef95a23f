"""Draws of the emulated RDNA: rectangles of three vertices, by which RADV, and on gfx9 radeonsi, fill and copy images.

Register and packet numbers: Mesa's src/amd/registers/gfx9.json, gfx103.json and gfx11.json, common/sid.h.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from bare_gpu import Outcome
from bare_rdna import BareRdna, Grid, packet, registers
from gfx10 import program

_CONTEXT, _USER, _INSTANCES, _DRAW, _CLEAR = 0x69, 0x79, 0x2F, 0x2D, 0x12
_RECTANGLES, _TRIANGLES, _FAN = 0x11, 4, 5
# Corners: upper left, lower left, upper right.
_CORNERS_10 = [
    "s_mov_b32 exec_lo, 7", "v_cmp_eq_u32 vcc_lo, 2, v5",
    "v_cndmask_b32 v1, -1.0, 1.0, vcc_lo", "v_cmp_eq_u32 vcc_lo, 1, v5",
    "v_cndmask_b32 v2, -1.0, 1.0, vcc_lo", "v_mov_b32 v3, 0", "v_mov_b32 v4, 1.0", "exp prim v0, off, off, off done",
    "exp pos0 v1, v2, v3, v4 done",
]  # fmt: skip
# gfx9 has no primitives to export, and the vertex' number in v0.
_CORNERS_9 = ["v_mov_b32 v5, v0", *(line.replace("vcc_lo", "vcc") for line in _CORNERS_10[1:-2]), _CORNERS_10[-1]]
_CORNERS = {"vega10": _CORNERS_9, "navi21": _CORNERS_10, "navi31": _CORNERS_10}
# The corners' places in texels as numbers: of the second attribute; on gfx11 by a store to the ring of numbers.
_NUMBERS = ["v_fma_f32 v1, v1, 4.0, 4.0", "v_fma_f32 v2, v2, 2.0, 2.0"]
_LEAVE_10 = "exp param1 v1, v2, off, off"
_LEAVE_11 = "buffer_store_b64 v[1:2], v5, s[8:11], 0 idxen offset:16"
_LEAVE = {"vega10": _LEAVE_10, "navi21": _LEAVE_10, "navi31": _LEAVE_11}
_READ_10 = [
    "v_interp_p1_f32 v2, v0, attr0.x", "v_interp_p2_f32 v2, v1, attr0.x", "v_interp_p1_f32 v3, v0, attr0.y",
    "v_interp_p2_f32 v3, v1, attr0.y", "v_interp_mov_f32 v4, p0, attr0.x",
]  # fmt: skip
_READ = {
    "vega10": _READ_10, "navi21": _READ_10,
    "navi31": [
        "s_mov_b32 s20, exec_lo", "s_wqm_b32 exec_lo, exec_lo", "lds_param_load v6, attr0.x", "lds_param_load v7, attr0.y",
        "v_interp_p10_f32 v2, v6, v0, v6 wait_exp:0", "v_interp_p2_f32 v2, v6, v1, v2",
        "v_interp_p10_f32 v3, v7, v0, v7", "v_interp_p2_f32 v3, v7, v1, v3", "s_mov_b32 exec_lo, s20",
    ],
}  # fmt: skip
_COLOR_10, _WHOLE_10 = "exp mrt0 v2, v2, v3, v3 done compr vm", "exp mrt0 v2, v3, off, off done vm"
_COLOR_11 = "exp mrt0 v2, v3, off, off done"
_COLOR = {"vega10": _COLOR_10, "navi21": _COLOR_10, "navi31": _COLOR_11}
_WHOLE = {"vega10": _WHOLE_10, "navi21": _WHOLE_10, "navi31": _COLOR_11}


@dataclass(frozen=True, slots=True)
class Target:
    """What a draw goes to, and how."""

    color: int = 11  # 32_32
    numbers: int = 7  # FLOAT
    swap: int = 0
    exported: int = 2  # two words
    bytes: int = 8
    size: tuple[int, int] = (8, 4)
    layers: int = 1
    view: int = 0
    instances: int = 1
    scissor: tuple[int, int, int, int] = (0, 0, 0x4000, 0x4000)
    context: tuple[tuple[int, int], ...] = ()
    kind: int = _RECTANGLES
    vertices: int = 3
    metadata: int = 0  # gfx9: of how texels are compressed


def _draw(gpu: BareRdna, vertices: Sequence[str], fragments: Sequence[str], target: Target = Target()) -> Outcome:
    """The target is the first buffer, the ring of numbers the second one."""
    code = [program(gpu.gpu, *lines) for lines in (vertices, fragments)]
    width, height = target.size
    data = [bytes(target.bytes * width * height * target.layers), bytes(1 << 16)]
    at = gpu.addresses([len(b) for b in (*code, *data)])
    new, old = gpu.gpu == "navi31", gpu.gpu == "vega10"
    granule = 4 if old else 8
    ring = (at[3] + 0xFFFF) & ~0xFFFF if new else 0
    data[1] = bytes([target.metadata]) + bytes(1 << 17)
    left, top, right, bottom = target.scissor
    context = {
        0x206: 0x43F, 0x2D5: 1 << 22, 0x1B6: 1 << 15, 0x1B3: 2, 0x1B4: 2, 0x191: 1, 0x1C5: target.exported, 0x8E: 15,
        0x202: 0x10, 0x1B1: 1 << 1, 0x3B8: 1 << 14, 0x1E0: 0, 0x200: 0,
        0x10F: _bits(width / 2), 0x110: _bits(width / 2), 0x111: _bits(height / 2), 0x112: _bits(height / 2),
        0x94: left | top << 16, 0x95: right | bottom << 16,
        0x318: at[2] >> 8 & 0xFFFFFFFF, 0x319 if old else 0x390: at[2] >> 40,
        0x31B: target.view, 0x31C: target.color << (0 if new else 2) | target.numbers << 8 | target.swap << 11,
        0x31A if old else 0x3B0: height - 1 | (width - 1) << 14, 0x31D: 1 << 18,
        0x325: at[3] >> 8 & 0xFFFFFFFF, 0x326: at[3] >> 40, **dict(target.context),
    }  # fmt: skip
    # A descriptor of the ring: elements of 16 bytes of 32 vertices side by side, two of each.
    user = [ring & 0xFFFFFFFF, ring >> 32 | 32 << 16 | 3 << 30, 32, 2 << 21 | 0xFAC]
    commands = [
        *packet(_CLEAR, 0),
        *(word for number, value in context.items() for word in packet(_CONTEXT, number, value)),
        *packet(_USER, 0x242, target.kind),
        *packet(_USER, 0x446, ring >> 16),
        *registers(0x48 if old else 0xC8, at[0] >> 8 & 0xFFFFFFFF, at[0] >> 40),
        *registers(0x4A if old else 0x8A, 63 // granule | 0xF0 << 12, len(user) << 1, *user),
        *registers(0x08, at[1] >> 8 & 0xFFFFFFFF, at[1] >> 40, 63 // granule | 0xF0 << 12, 0),
        *packet(_INSTANCES, target.instances),
        *packet(_DRAW, target.vertices, 2),
    ]
    out = gpu.submit(commands, [*code, *data])
    return Outcome(out.done, out.marks, out.buffers[2:], out.hazards)


def _bits(value: float) -> int:
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return int(bits)


def _drawn(gpu: BareRdna, vertices: Sequence[str], fragments: Sequence[str], target: Target = Target()) -> Outcome:
    out = _draw(gpu, vertices, fragments, target)
    assert out.done, out.marks
    assert not out.marks
    return out


@pytest.fixture(params=["vega10", "navi21", "navi31"])
def gpu(request: pytest.FixtureRequest) -> BareRdna:
    found: BareRdna = request.getfixturevalue({"navi31": "rdna"}.get(request.param, request.param))
    return found


@pytest.mark.root
@pytest.mark.parametrize("scissor", [(0, 0, 0x4000, 0x4000), (1, 1, 4, 3)])
def test_fragments_have_the_numbers_of_their_places(gpu: BareRdna, scissor: tuple[int, int, int, int]) -> None:
    vertices = [*_CORNERS[gpu.gpu], *_NUMBERS, _LEAVE[gpu.gpu]]
    out = _drawn(gpu, vertices, [*_READ[gpu.gpu], _WHOLE[gpu.gpu]], Target(scissor=scissor))
    left, top, right, bottom = scissor
    inside = [[left <= x < right and top <= y < bottom for x in range(8)] for y in range(4)]
    want = [n for y in range(4) for x in range(8) for n in ((x + 0.5, y + 0.5) if inside[y][x] else (0, 0))]
    assert list(struct.unpack("<64f", out.buffers[0])) == want


def _fan(name: str, *change: str) -> list[str]:
    """Four vertices around a square."""
    old = name == "vega10"
    vcc = "vcc" if old else "vcc_lo"
    begin = ["v_mov_b32 v5, v0", "v_add_u32 v6, 1, v5"] if old else ["s_mov_b32 exec_lo, 15", "v_add_nc_u32 v6, 1, v5"]
    code = [
        *begin, "v_and_b32 v6, 2, v6", f"v_cmp_ne_u32 {vcc}, 0, v6", f"v_cndmask_b32 v1, -1.0, 1.0, {vcc}",
        f"v_cmp_lt_u32 {vcc}, 1, v5", f"v_cndmask_b32 v2, -1.0, 1.0, {vcc}", *change,
    ]  # fmt: skip
    return [*code, *_CORNERS[name][5:]]


@pytest.mark.root
def test_a_fan_of_four_is_a_rectangle(gpu: BareRdna) -> None:
    target, places = Target(kind=_FAN, vertices=4), [(x + 0.5, y + 0.5) for y in range(4) for x in range(8)]
    fragments = [*_READ[gpu.gpu], _WHOLE[gpu.gpu]]
    out = _drawn(gpu, [*_fan(gpu.gpu), *_NUMBERS, _LEAVE[gpu.gpu]], fragments, target)
    assert list(struct.unpack("<64f", out.buffers[0])) == [n for place in places for n in place]
    # Its second vertex is somewhere else, or has another number than the plane has there.
    vcc = "vcc" if gpu.gpu == "vega10" else "vcc_lo"
    moved = [f"v_cmp_eq_u32 {vcc}, 1, v5", f"v_cndmask_b32 v1, v1, 0.5, {vcc}"]
    for vertices in ([*_fan(gpu.gpu, *moved), *_NUMBERS], [*_fan(gpu.gpu), *_NUMBERS, *moved]):
        out = _draw(gpu, [*vertices, _LEAVE[gpu.gpu]], fragments, target)
        assert not out.done
        assert out.marks[0].startswith(
            "unknown: a draw of a fan that is not a rectangle, or whose parameters are not a plane"
        )


_HALVES = ("v_mov_b32 v2, 0x38003c00", "v_mov_b32 v3, 0x00003400")  # 1, 1/2, 1/4, 0
_WORDS = ("v_mov_b32 v2, 0x8005fffe", "v_mov_b32 v3, 0x00070100")


@pytest.mark.root
@pytest.mark.parametrize(("color", "numbers", "swap", "exported", "values", "want"), [
    (10, 0, 0, 4, _HALVES, b"\xff\x80\x40\x00"),
    (10, 0, 1, 4, _HALVES, b"\x40\x80\xff\x00"),  # BGRA
    (12, 7, 0, 4, _HALVES, struct.pack("<2I", 0x38003C00, 0x00003400)),
    (12, 4, 0, 7, _WORDS, struct.pack("<2I", 0x8005FFFE, 0x00070100)),
    (10, 4, 0, 7, _WORDS, b"\xff\xff\xff\x07"),
    (10, 5, 0, 8, _WORDS, b"\xfe\x80\x7f\x07"),
    (1, 0, 3, 4, ("v_mov_b32 v2, 0", "v_mov_b32 v3, 0x3c000000"), b"\xff"),  # only alpha
    (3, 0, 2, 4, _HALVES, b"\x80\xff"),
    (12, 0, 0, 5, _WORDS, struct.pack("<2I", 0x8005FFFE, 0x00070100)),
    (12, 1, 0, 6, _WORDS, struct.pack("<2I", 0x8005FFFE, 0x00070100)),
])  # fmt: skip
def test_colours_as_texels(
    gpu: BareRdna, color: int, numbers: int, swap: int, exported: int, values: Sequence[str], want: bytes
) -> None:
    target = Target(color, numbers, swap, exported, len(want), (2, 2))
    out = _drawn(gpu, _CORNERS[gpu.gpu], [*values, _COLOR[gpu.gpu]], target)
    assert out.buffers[0] == 4 * want


@pytest.mark.root
def test_red_and_alpha_as_words(gpu: BareRdna) -> None:
    """Alpha is the second of the exported words, but on gfx9 the fourth."""
    export = "exp mrt0 v2, off, off, v3 done vm" if gpu.gpu == "vega10" else _WHOLE[gpu.gpu]
    target = Target(numbers=5, swap=1, exported=3, size=(2, 2))
    out = _drawn(gpu, _CORNERS[gpu.gpu], [*_WORDS, export], target)
    assert out.buffers[0] == 4 * struct.pack("<2I", 0x8005FFFE, 0x00070100)


@pytest.mark.root
def test_a_register_that_is_not_exported_is_not_read(navi21: BareRdna) -> None:
    out = _drawn(navi21, _CORNERS_10, [_HALVES[0], "exp mrt0 v2, v2, off, off done compr vm"], Target(3, 0, 0, 4, 2, (2, 2)))
    assert out.buffers[0] == 4 * b"\xff\x80"


@pytest.mark.root
def test_each_instance_and_its_layer(gpu: BareRdna) -> None:
    """The layer that a vertex names is one of those of the view, which begins with the second one."""
    corners, instance = _CORNERS[gpu.gpu], "v1" if gpu.gpu == "vega10" else "v8"
    begin, layer = [f"v_mov_b32 v9, {instance}", *corners[:-1]], "exp pos1 off, off, v9, off done"
    vertices = [*begin, corners[-1].removesuffix(" done"), layer]
    words = ["v_mov_b32 v2, 5", "v_mov_b32 v3, 6", _WHOLE[gpu.gpu]]
    out = _drawn(gpu, vertices, words, Target(numbers=4, size=(2, 1), layers=4, view=1, instances=2))
    assert struct.unpack("<16I", out.buffers[0]) == (0, 0, 0, 0, *(5, 6) * 4, 0, 0, 0, 0)


@pytest.mark.root
@pytest.mark.parametrize(("target", "text"), [
    (Target(kind=_TRIANGLES), "a draw of 3 vertices (0x2), of kind 4"),
    (Target(vertices=4), "a draw of 4 vertices"),
    (Target(context=((0x1E0, 1 << 30),)), "a draw that blends, masks or tests"),
    (Target(context=((0x200, 2),)), "a draw that blends, masks or tests"),
    (Target(context=((0x8E, 7),)), "a draw that blends, masks or tests"),
    (Target(color=20), "a draw to the format 20"),
])  # fmt: skip
def test_other_draws_are_not_emulated(gpu: BareRdna, target: Target, text: str) -> None:
    out = _draw(gpu, _CORNERS[gpu.gpu], [*_HALVES, _COLOR[gpu.gpu]], target)
    assert not out.done
    assert [mark for mark in out.marks if mark.startswith("unknown: ") and text in mark], out.marks


@pytest.mark.root
def test_a_draw_of_gfx12_is_not_emulated(gfx1201: BareRdna) -> None:
    out = gfx1201.submit([*packet(_USER, 0x242, _RECTANGLES), *packet(_DRAW, 3, 2)], [bytes(4)])
    assert out.marks[0].startswith("unknown: a draw on gfx12"), out.marks


@pytest.mark.root
def test_a_kernel_exports_nothing(gpu: BareRdna) -> None:
    out = gpu.launch(program(gpu.gpu, "v_mov_b32 v1, 0", "exp mrt0 v1, off, off, off"), [4], Grid())
    assert not out.done
    assert out.marks[0].startswith("fault: exp")
    assert "a shader of another kind" in out.marks[0]


@pytest.mark.root
def test_a_target_is_in_a_buffer_of_the_submission(gpu: BareRdna) -> None:
    out = _draw(gpu, _CORNERS[gpu.gpu], [*_HALVES, _COLOR[gpu.gpu]], Target(exported=4, context=((0x318, 0x123456),)))
    assert not out.done
    assert [mark for mark in out.marks if mark.startswith("fault: ") and "a draw's target" in mark], out.marks


@pytest.mark.root
def test_rows_of_gfx9_are_as_long_as_the_draw_says(vega10: BareRdna) -> None:
    target = Target(numbers=4, size=(2, 1), layers=4, instances=2, context=((0x31D, 0), (0x1E8, 3)))
    corners = [*_CORNERS_9[:-1], _CORNERS_9[-1].removesuffix(" done"), "exp pos1 off, off, v9, off done"]
    out = _drawn(vega10, ["v_mov_b32 v9, v1", *corners], ["v_mov_b32 v2, 5", "v_mov_b32 v3, 6", _WHOLE_10], target)
    assert struct.unpack("<16I", out.buffers[0]) == (5, 6, 5, 6, 0, 0, 0, 0) * 2


@pytest.mark.root
@pytest.mark.parametrize(("metadata", "mark"), [
    (0, ""), (0xFF, ""), (0x40, "unknown: a draw to an image that its metadata clear (0x40)"),
])  # fmt: skip
def test_a_draw_that_decompresses_leaves_the_image_as_it_is(vega10: BareRdna, metadata: int, mark: str) -> None:
    target = Target(metadata=metadata, context=((0x202, 6 << 4),))
    out = _draw(vega10, _CORNERS_9, [*_HALVES, _WHOLE_10], target)
    assert out.done == (not mark)
    assert [text for text in out.marks if text.startswith(mark)] == out.marks[:1]
    assert not any(out.buffers[0])
