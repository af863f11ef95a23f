"""The emulators' samplers against exact arithmetic, their tiles against Mesa's, and compressed formats."""

import ctypes
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from image_entry import Array, build_images, nearest, pointer

pytestmark = pytest.mark.root


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return build_images(tmp_path_factory.mktemp("images"))


# ---- samplers

_REPEAT, _EDGE, _MIRROR, _BORDER, _ONCE = range(5)
_STEPS = 256
_IMAGES = [(1, (7, 1, 3), True), (2, (7, 5, 3), True), (3, (7, 5, 4), False), (2, (1, 1, 1), False)]
_OUTSIDE = 99.0


def _index(wrap: int, i: int, size: int) -> int | None:
    """The texel of an index; None is the border."""
    if wrap == _REPEAT:
        return i % size
    if wrap == _MIRROR:
        return min(i % (2 * size), 2 * size - 1 - i % (2 * size))
    if wrap == _ONCE:
        i = max(i, -1 - i)
    if wrap == _BORDER:
        return i if 0 <= i < size else None
    return min(max(i, 0), size - 1)


def _taps(wrap: int, at: float, size: int, linear: bool, normalized: bool) -> list[tuple[int | None, Fraction]]:
    u = Fraction(0 if np.isnan(at) else at) * (size if normalized else 1)
    if not linear:
        return [(_index(wrap, u.__floor__(), size), Fraction(1))]
    low = (u - Fraction(1, 2)).__floor__()
    weight = Fraction(((u - Fraction(1, 2) - low) * _STEPS + Fraction(1, 2)).__floor__(), _STEPS)
    return [(_index(wrap, low, size), 1 - weight), (_index(wrap, low + 1, size), weight)]


def _modelled(
    texels: Array, wraps: Sequence[int], position: Array, linear: bool, normalized: bool, layered: bool, floors: bool
) -> np.float32:
    depth, height, width = texels.shape
    dimensions = len(wraps)
    axes = [_taps(wraps[a], float(position[a]), (width, height, depth)[a], linear, normalized) for a in range(dimensions)]
    whole = math.floor if floors else round
    layer = min(max(whole(Fraction(float(position[2]))), 0), depth - 1) if layered else 0
    total = Fraction(0)
    for corner in itertools.product(*axes):
        index = [i for i, _ in corner] + [0, 0, layer][dimensions:]
        value = _OUTSIDE if None in index else float(texels[index[2], index[1], index[0]])
        weight = Fraction(1)
        for _, w in corner:
            weight *= w
        total += weight * Fraction(value)
    return nearest(total)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("wrap", [_REPEAT, _EDGE, _MIRROR, _BORDER, _ONCE])
@pytest.mark.parametrize(("dimensions", "size", "layered"), _IMAGES)
def test_a_sampler_reads_and_weighs_the_texels_that_exact_arithmetic_does(
    images: ctypes.CDLL, dimensions: int, size: tuple[int, int, int], layered: bool, wrap: int, linear: bool
) -> None:
    rng = np.random.default_rng(wrap + 10 * dimensions)
    texels = (rng.integers(-128, 128, size[::-1]) / 16).astype(np.float32)
    wraps = [(wrap + a) % 5 if a else wrap for a in range(dimensions)]
    for normalized, floors in itertools.product((False, True), (False, True) if layered else (False,)):
        scale = np.array([1 / size[a] if normalized and a < dimensions else 1 for a in range(3)])
        near = rng.uniform(-2.2, 2.2, (150, 3)) * size
        seams = rng.integers(-9, 10, (60, 3)) / 2
        positions = (np.concatenate([near, seams]) * scale).astype(np.float32)
        positions[0] = np.nan
        positions[1] = 0
        if layered:
            positions[:, 2] = rng.integers(-9, 20, len(positions)) / 4
        got = np.zeros(len(positions), np.float32)
        flags = int(linear) | normalized << 1 | floors << 2
        images.sample(
            pointer(np.array(size, np.uint32)), dimensions, int(layered), pointer(texels),
            pointer(np.array([*wraps, 0, 0, 0], np.uint8)), flags, 8, ctypes.c_float(_OUTSIDE),
            pointer(positions), len(positions), pointer(got),
        )  # fmt: skip
        for position, value in zip(positions, got, strict=True):
            assert value == _modelled(texels, wraps, position, linear, normalized, layered, floors), (position, flags)


@pytest.mark.parametrize("wrap", [_REPEAT, _EDGE, _MIRROR, _BORDER, _ONCE])
def test_a_coordinate_however_far_reads_a_texel_or_the_border(images: ctypes.CDLL, wrap: int) -> None:
    texels = np.arange(1, 6, dtype=np.float32)
    positions = np.array([[v, 0, 0] for v in (1e30, -1e30, np.inf, -np.inf, 3e9, -3e9)], np.float32)
    for flags in range(4):
        got = np.zeros(len(positions), np.float32)
        images.sample(
            pointer(np.array((5, 1, 1), np.uint32)), 1, 0, pointer(texels), pointer(np.array([wrap] * 3, np.uint8)),
            flags, 8, ctypes.c_float(_OUTSIDE), pointer(positions), len(positions), pointer(got),
        )  # fmt: skip
        if wrap == _BORDER:
            assert (got == _OUTSIDE).all()
        else:
            assert ((got >= 1) & (got <= 5)).all()


# ---- tiles

_TILED = [(0x05, 1), (0x18, 2), (0x11, 2), (0x33, 4), (0x68, 8), (0x83, 16)]


def _surface(number: int, width: int, height: int, depth: int, each: int) -> tuple[Array, int, int]:
    """Memory, pitch and distance between layers, as a driver aligns them."""
    unit = 128 if number in (0x05, 0x11) else 64 * max(each, 2) * (2 if each == 2 else 1)
    pitch = -(-width * each // unit) * unit
    rows = 32 if number in (0x05, 0x11) else 16
    layer = -(-pitch * (-(-height // rows) * rows) // 4096) * 4096
    return np.zeros(layer * depth + (1 << 16), np.uint8), pitch, layer


@pytest.mark.parametrize(("number", "each"), _TILED)
@pytest.mark.parametrize("size", [(16, 4, 1), (100, 37, 2), (1024, 70, 1), (2048, 130, 1)])
def test_each_texel_of_a_tiled_image_has_its_own_bytes_within_it(
    images: ctypes.CDLL, number: int, each: int, size: tuple[int, int, int]
) -> None:
    memory, pitch, layer = _surface(number, *size, each)
    images.tiles(
        number, pointer(np.array(size, np.uint32)), ctypes.c_uint64(pitch), ctypes.c_uint64(layer), pointer(memory),
        ctypes.c_uint64(layer * size[2]), ctypes.c_uint64(0), ctypes.c_uint64(0),
    )  # fmt: skip
    images.offset.restype = ctypes.c_uint64
    columns = range(0, size[0], 1 if size[0] < 1024 else 3)
    places = [images.offset(x, y, z) for z in range(size[2]) for y in range(size[1]) for x in columns]
    assert len(set(places)) == len(places)
    assert all(place % each == 0 and place + each <= layer * size[2] for place in places)


# What Mesa's own copies (src/freedreno/fdl/fd6_tiled_memcpy.cc of 25.0.7) make of it: bytes of a texel, pitch, x, y, offset.
_PLACES = {
    "a630": [
        (2, 2048, 208, 82, 187024), (4, 4096, 208, 82, 358176), (16, 16384, 208, 82, 1347712), (1, 1024, 959, 51, 62591),
        (4, 4096, 959, 51, 208380), (8, 8192, 959, 51, 466424), (1, 1024, 686, 20, 21684), (2, 2048, 686, 20, 37224),
        (8, 8192, 686, 20, 201120), (16, 16384, 686, 20, 452928), (2, 4096, 339, 119, 519326), (4, 8192, 339, 119, 954684),
        (16, 32768, 339, 119, 3774192), (1, 2048, 66, 88, 134916), (4, 8192, 66, 88, 676624), (8, 16384, 66, 88, 1336096),
    ],
    "a660": [
        (2, 2048, 208, 82, 170640), (4, 4096, 208, 82, 374560), (16, 16384, 208, 82, 1331328), (1, 1024, 959, 51, 62591),
        (4, 4096, 959, 51, 223740), (8, 8192, 959, 51, 417272), (1, 1024, 686, 20, 20660), (2, 2048, 686, 20, 53608),
        (8, 8192, 686, 20, 250272), (16, 16384, 686, 20, 403776), (2, 4096, 339, 119, 501918), (4, 8192, 339, 119, 1036604),
        (16, 32768, 339, 119, 3725040), (1, 2048, 66, 88, 134916), (4, 8192, 66, 88, 693008), (8, 16384, 66, 88, 1353504),
    ],
    "a702": [
        (2, 2048, 208, 82, 182928), (4, 4096, 208, 82, 354080), (16, 16384, 208, 82, 1343616), (1, 1024, 959, 51, 58495),
        (4, 4096, 959, 51, 253436), (8, 8192, 959, 51, 519672), (1, 1024, 686, 20, 21684), (2, 2048, 686, 20, 49512),
        (8, 8192, 686, 20, 213408), (16, 16384, 686, 20, 440640), (2, 4096, 339, 119, 482462), (4, 8192, 339, 119, 926012),
        (16, 32768, 339, 119, 3745520), (1, 2048, 66, 88, 143108), (4, 8192, 66, 88, 672528), (8, 16384, 66, 88, 1340192),
    ],
}  # fmt: skip


@pytest.mark.parametrize("gpu", _PLACES)
def test_a_texel_of_a_tiled_image_lies_where_mesa_puts_it(images: ctypes.CDLL, gpu: str) -> None:
    """Several GPUs in one process, one after the other."""
    images.choose(int(gpu[1:]))
    images.offset.restype = ctypes.c_uint64
    memory = np.zeros(1 << 24, np.uint8)
    for each, pitch, x, y, want in _PLACES[gpu]:
        number = {1: 0x05, 2: 0x18, 4: 0x33, 8: 0x68, 16: 0x83}[each]
        size = np.array((pitch // each, 180, 1), np.uint32)
        images.tiles(
            number, pointer(size), ctypes.c_uint64(pitch), ctypes.c_uint64(0), pointer(memory),
            ctypes.c_uint64(len(memory)), ctypes.c_uint64(0), ctypes.c_uint64(0),
        )  # fmt: skip
        assert images.offset(x, y, 0) == want, (each, pitch, x, y)
    images.choose(630)


@pytest.mark.parametrize(("number", "each"), _TILED)
def test_a_compressed_image_keeps_what_was_written_and_reads_zero_where_nothing_was(
    images: ctypes.CDLL, number: int, each: int
) -> None:
    size, rng = (100, 37, 1), np.random.default_rng(number)
    memory, pitch, layer = _surface(number, *size, each)
    images.tiles(
        number, pointer(np.array(size, np.uint32)), ctypes.c_uint64(pitch), ctypes.c_uint64(layer), pointer(memory),
        ctypes.c_uint64(layer + 4096), ctypes.c_uint64(layer), ctypes.c_uint64(64),
    )  # fmt: skip
    memory[:layer] = rng.integers(1, 256, layer)
    model = np.zeros((size[1], size[0], each), np.uint8)
    for _ in range(300):
        x, y = int(rng.integers(0, size[0])), int(rng.integers(0, size[1]))
        model[y, x] = rng.integers(0, 256, each)
        images.store(x, y, 0, pointer(np.ascontiguousarray(model[y, x])))
    got = np.zeros_like(model)
    for y, x in itertools.product(range(size[1]), range(size[0])):
        texel = np.zeros(each, np.uint8)
        images.load(x, y, 0, pointer(texel))
        got[y, x] = texel
    assert (got == model).all()
    plain = memory[:layer].tobytes()
    assert not any(model[y, x].tobytes() in plain for y, x in zip(*np.nonzero(model.any(axis=2)), strict=True) if each == 16)
