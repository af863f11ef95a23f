"""The emulators' texels, filters and tiles against exact arithmetic, which shares nothing with them but formats' numbers."""

from __future__ import annotations

import ctypes
import itertools
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

ROOT = Path(__file__).parent.parent
_ENGINE, _ADRENO = ROOT / "emulators/engine", ROOT / "emulators/adreno"
_SOURCES = (
    ROOT / "tests/emulators/images.c",
    *(_ENGINE / name for name in ("format.c", "image.c")),
    *(_ADRENO / name for name in ("formats.c", "layout.c")),
)
_PLAIN = (0, 1, 2, 3)
Array = NDArray[Any]

pytestmark = pytest.mark.root


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    clang = shutil.which("clang") or next(iter(sorted(map(str, Path("/usr/bin").glob("clang-[0-9]*")))), None)
    assert clang, "the emulators are compiled by clang"
    library = tmp_path_factory.mktemp("images") / "images.so"
    options = (
        "-std=gnu11",
        "-O2",
        "-march=native",
        "-ffp-contract=off",
        "-fPIC",
        "-shared",
        "-Wall",
        "-Werror",
        f"-I{_ADRENO}",
    )
    subprocess.run([clang, *options, "-o", str(library), *map(str, _SOURCES), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def _pointer(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _decode(
    images: ctypes.CDLL, number: int, content: Array, count: int, *, srgb: bool = False, place: Sequence[int] = _PLAIN
) -> Array:
    texels = np.zeros((count, 4), np.uint32)
    images.decode_texels(number, int(srgb), _pointer(np.array(place, np.uint8)), _pointer(content), count, _pointer(texels))
    return texels


def _encode(
    images: ctypes.CDLL, number: int, texels: Array, bytes_each: int, *, srgb: bool = False, place: Sequence[int] = _PLAIN
) -> Array:
    content = np.zeros((len(texels), bytes_each), np.uint8)
    images.encode_texels(
        number, int(srgb), _pointer(np.array(place, np.uint8)), _pointer(texels), len(texels), _pointer(content)
    )
    return content


def nearest(value: Fraction) -> np.float32:
    """The float nearest to a number, the even one of two."""
    guess = np.float32(float(value))
    near = [guess, np.nextafter(guess, np.float32(-np.inf)), np.nextafter(guess, np.float32(np.inf))]
    return min(near, key=lambda f: (abs(Fraction(float(f)) - value), int(f.view(np.uint32)) & 1))


def _signed(code: int, bits: int) -> int:
    return code - (code >> (bits - 1) << bits)


def _small(code: int, mantissa: int) -> float:
    """A float without a sign, of 5 bits of exponent."""
    exponent, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
    if exponent == 31:
        return float("nan") if fraction else float("inf")
    if not exponent:
        return fraction * 2.0 ** (-14 - mantissa)
    return (fraction + (1 << mantissa)) * 2.0 ** (exponent - 15 - mantissa)


def _half(code: int, _: int) -> Any:
    return np.array(code, np.uint16).view(np.float16).astype(np.float32)[()]


# What a code means, by the format's kind: (code, bits) -> value of a float or an integer.
_MEANING: dict[str, Callable[[int, int], Any]] = {
    "unorm": lambda code, bits: nearest(Fraction(code, (1 << bits) - 1)),
    "snorm": lambda code, bits: nearest(max(Fraction(_signed(code, bits), (1 << (bits - 1)) - 1), Fraction(-1))),
    "uint": lambda code, _: np.uint32(code),
    "sint": lambda code, bits: np.int32(_signed(code, bits)),
    "half": _half,
    "unsigned": lambda code, bits: np.float32(_small(code, bits - 5)),
}
# Number of the format, kind, bits of the channels from the lowest on.
_FORMATS = [
    (0x03, "unorm", (8,)), (0x04, "snorm", (8,)), (0x05, "uint", (8,)), (0x06, "sint", (8,)),
    (0x08, "unorm", (4, 4, 4, 4)), (0x0A, "unorm", (5, 5, 5, 1)), (0x0C, "unorm", (1, 5, 5, 5)), (0x0E, "unorm", (5, 6, 5)),
    (0x15, "unorm", (16,)), (0x16, "snorm", (16,)), (0x17, "half", (16,)), (0x18, "uint", (16,)), (0x19, "sint", (16,)),
    (0x30, "unorm", (8, 8, 8, 8)), (0x32, "snorm", (8, 8, 8, 8)), (0x33, "uint", (8, 8, 8, 8)), (0x34, "sint", (8, 8, 8, 8)),
    (0x36, "unorm", (10, 10, 10, 2)), (0x39, "snorm", (10, 10, 10, 2)), (0x3A, "uint", (10, 10, 10, 2)),
    (0x42, "unsigned", (11, 11, 10)), (0x60, "unorm", (16, 16, 16, 16)), (0x62, "half", (16, 16, 16, 16)),
    (0xA0, "unorm", (24,)),
]  # fmt: skip


def _size(bits: Sequence[int]) -> int:
    return 4 if sum(bits) == 24 else sum(bits) // 8


def _packed(codes: Array, bits: Sequence[int]) -> Array:
    """The bytes of texels whose channels have these codes, (count, channels)."""
    shifts = np.cumsum([0, *bits[:-1]])
    content = np.zeros((len(codes), _size(bits)), np.uint8)
    for row, texel in zip(content, codes, strict=True):
        word = sum(int(code) << int(shift) for code, shift in zip(texel, shifts, strict=True))
        row[:] = np.frombuffer(word.to_bytes(len(row), "little"), np.uint8)
    return content


def _codes(bits: int, rng: np.random.Generator) -> list[int]:
    """All of a channel of up to 11 bits, else the ends, what is next to them, and some."""
    if bits <= 11:
        return list(range(1 << bits))
    edges = [0, 1, 2, (1 << (bits - 1)) - 1, 1 << (bits - 1), (1 << (bits - 1)) + 1, (1 << bits) - 2, (1 << bits) - 1]
    return edges + [int(c) for c in rng.integers(0, 1 << bits, 4000)]


@pytest.mark.parametrize(("number", "kind", "bits"), _FORMATS, ids=lambda v: str(v))
def test_each_code_is_the_number_that_its_format_says(
    images: ctypes.CDLL, number: int, kind: str, bits: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(number)
    for channel, width in enumerate(bits):
        codes = np.array([[int(rng.integers(0, 1 << b)) for b in bits] for _ in _codes(width, rng)], np.int64)
        codes[:, channel] = _codes(width, np.random.default_rng(channel))
        got = _decode(images, number, _packed(codes, bits), len(codes))
        want = np.array([np.array(_MEANING[kind](int(code), width)).view(np.uint32) for code in codes[:, channel]])
        same = (got[:, channel] == want) | (np.isnan(got[:, channel].view(np.float32)) & np.isnan(want.view(np.float32)))
        assert same.all(), f"channel {channel}, code {codes[~same][0][channel]:#x}"
    absent = got[:, len(bits) :]
    one = 1 if kind in ("uint", "sint") else 0x3F800000
    assert (absent == np.array([0, 0, 0, one], np.uint32)[len(bits) :]).all()


@pytest.mark.parametrize(("number", "kind", "bits"), _FORMATS, ids=lambda v: str(v))
def test_what_was_decoded_is_encoded_as_the_same_number(
    images: ctypes.CDLL, number: int, kind: str, bits: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(number)
    codes = np.array([[int(rng.integers(0, 1 << b)) for b in bits] for _ in range(3000)], np.int64)
    content = _packed(codes, bits)
    texels = _decode(images, number, content, len(content))
    again = _encode(images, number, texels, content.shape[1])
    if kind in ("unorm", "uint", "sint"):
        assert (again[:, : sum(bits) // 8] == content[:, : sum(bits) // 8]).all()
    values, back = texels.view(np.float32), _decode(images, number, again, len(again)).view(np.float32)
    assert ((values == back) | (np.isnan(values) & np.isnan(back)) | (texels == back.view(np.uint32))).all()


def _between(codes: Sequence[Any]) -> Iterator[float]:
    """Numbers at and next to the middle between two that a format has, and beyond its ends."""
    for low, high in itertools.pairwise(codes):
        middle = np.float32((float(low) + float(high)) / 2)
        yield from (float(middle), float(np.nextafter(middle, np.float32(-9))), float(np.nextafter(middle, np.float32(9))))
    yield from (-2.0, -1.0, -0.0, 0.0, 1.0, 1.5, float("inf"), float("-inf"), float("nan"), 1e-40)


_ROUNDED = [(0x03, 8, False), (0x04, 8, True), (0x15, 16, False), (0x36, 10, False), (0x0E, 5, False)]


@pytest.mark.parametrize(("number", "bits", "signed"), _ROUNDED)
def test_a_number_gets_the_nearest_code(images: ctypes.CDLL, number: int, bits: int, signed: bool) -> None:
    top = (1 << (bits - signed)) - 1
    every = range(-top if signed else 0, top + 1, 1 if bits < 12 else 97)
    values = np.array(list(_between([Fraction(code, top) for code in every])), np.float32)
    texels = np.zeros((len(values), 4), np.uint32)
    texels[:, 0] = values.view(np.uint32)
    content = _encode(images, number, texels, 4 if number == 0x36 else 2 if bits > 8 or number == 0x0E else 1)
    for value, stored in zip(values, content, strict=True):
        clamped = 0.0 if np.isnan(value) else min(max(float(value), -1.0 if signed else 0.0), 1.0)
        want = round(Fraction(clamped) * top) & ((1 << bits) - 1)  # Python rounds to the even one
        assert int.from_bytes(stored.tobytes(), "little") & ((1 << bits) - 1) == want, value


def test_integers_are_clamped_to_what_a_format_has(images: ctypes.CDLL) -> None:
    values = [0, 1, 127, 128, 255, 256, 0x7FFFFFFF, -1, -128, -129, -(1 << 31)]
    texels = np.array([[v & 0xFFFFFFFF] * 4 for v in values], np.uint32)
    assert [int(v) for v in _encode(images, 0x33, texels, 4)[:, 2]] == [min(v & 0xFFFFFFFF, 255) for v in values]
    assert [int(v) for v in _encode(images, 0x34, texels, 4)[:, 2].view(np.int8)] == [min(max(v, -128), 127) for v in values]


@pytest.mark.parametrize("channel", [0, 2])
def test_small_floats_are_rounded_to_the_nearest(images: ctypes.CDLL, channel: int) -> None:
    mantissa, shift = (6, 0) if channel == 0 else (5, 22)
    finite = [_small(code, mantissa) for code in range(31 << mantissa)]
    values = np.array([*_between(finite[::7]), *np.random.default_rng(3).uniform(0, 70000, 500)], np.float32)
    texels = np.zeros((len(values), 4), np.uint32)
    texels[:, channel] = values.view(np.uint32)
    words = _encode(images, 0x42, texels, 4).view(np.uint32)[:, 0] >> shift & ((1 << (mantissa + 5)) - 1)
    top = Fraction(finite[-1]) + (Fraction(finite[-1]) - Fraction(finite[-2])) / 2
    for value, code in zip(values, words, strict=True):
        if np.isnan(value):
            assert code > 31 << mantissa
        elif value <= 0:
            assert code == 0
        elif value == np.inf or Fraction(float(value)) >= top:
            assert code == 31 << mantissa
        else:
            below = np.searchsorted(finite, float(value), "right") - 1
            near = [c for c in (int(below), int(below) + 1) if c < len(finite)]
            assert code == min(near, key=lambda c: (abs(Fraction(finite[c]) - Fraction(float(value))), c & 1)), value


def test_srgb_is_what_its_standard_says_and_comes_back(images: ctypes.CDLL) -> None:
    getcontext().prec = 50
    codes = np.arange(256, dtype=np.uint8)
    content = np.ascontiguousarray(np.repeat(codes[:, None], 4, 1))
    texels = _decode(images, 0x30, content, 256, srgb=True)
    for code in range(256):
        v = Decimal(code) / 255
        curve = ((v + Decimal("0.055")) / Decimal("1.055")) ** Decimal("2.4")
        linear = v / Decimal("12.92") if v <= Decimal("0.04045") else curve
        assert (texels[code, :3].view(np.float32) == nearest(Fraction(linear))).all(), code
        assert texels[code, 3:].view(np.float32)[0] == nearest(Fraction(code, 255)), code
    assert (_encode(images, 0x30, texels, 4, srgb=True) == content).all()


def test_components_are_where_the_order_puts_them(images: ctypes.CDLL) -> None:
    content = np.array([[10, 20, 30, 40]], np.uint8)
    for place in itertools.permutations(_PLAIN):
        texels = _decode(images, 0x33, content, 1, place=place)
        assert texels[0].tolist() == [int(content[0, p]) for p in place]
        assert (_encode(images, 0x33, texels, 4, place=place) == content).all()


# ---- samplers

_REPEAT, _EDGE, _MIRROR, _BORDER, _ONCE = range(5)
_STEPS = 256
_IMAGES = [(1, (7, 1, 3), True), (2, (7, 5, 3), True), (3, (7, 5, 4), False), (2, (1, 1, 1), False)]
_OUTSIDE = 99.0


def _index(wrap: int, i: int, size: int) -> int | None:
    """The texel of an index, None: the border."""
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
    texels: Array, wraps: Sequence[int], position: Array, linear: bool, normalized: bool, layered: bool
) -> np.float32:
    depth, height, width = texels.shape
    dimensions = len(wraps)
    axes = [_taps(wraps[a], float(position[a]), (width, height, depth)[a], linear, normalized) for a in range(dimensions)]
    layer = min(max(round(Fraction(float(position[2]))), 0), depth - 1) if layered else 0
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
    for normalized in (False, True):
        scale = np.array([1 / size[a] if normalized and a < dimensions else 1 for a in range(3)])
        near = rng.uniform(-2.2, 2.2, (150, 3)) * size
        seams = rng.integers(-9, 10, (60, 3)) / 2
        positions = (np.concatenate([near, seams]) * scale).astype(np.float32)
        positions[0] = np.nan
        positions[1] = 0
        if layered:
            positions[:, 2] = rng.integers(-9, 20, len(positions)) / 4
        got = np.zeros(len(positions), np.float32)
        images.sample(
            _pointer(np.array(size, np.uint32)), dimensions, int(layered), _pointer(texels),
            _pointer(np.array([*wraps, 0, 0, 0], np.uint8)), int(linear) | normalized << 1, 8, ctypes.c_float(_OUTSIDE),
            _pointer(positions), len(positions), _pointer(got),
        )  # fmt: skip
        for position, value in zip(positions, got, strict=True):
            assert value == _modelled(texels, wraps, position, linear, normalized, layered), (position, normalized)


@pytest.mark.parametrize("wrap", [_REPEAT, _EDGE, _MIRROR, _BORDER, _ONCE])
def test_a_coordinate_however_far_reads_a_texel_or_the_border(images: ctypes.CDLL, wrap: int) -> None:
    texels = np.arange(1, 6, dtype=np.float32)
    positions = np.array([[v, 0, 0] for v in (1e30, -1e30, np.inf, -np.inf, 3e9, -3e9)], np.float32)
    for flags in range(4):
        got = np.zeros(len(positions), np.float32)
        images.sample(
            _pointer(np.array((5, 1, 1), np.uint32)), 1, 0, _pointer(texels), _pointer(np.array([wrap] * 3, np.uint8)),
            flags, 8, ctypes.c_float(_OUTSIDE), _pointer(positions), len(positions), _pointer(got),
        )  # fmt: skip
        if wrap == _BORDER:
            assert (got == _OUTSIDE).all()
        else:
            assert ((got >= 1) & (got <= 5)).all()


# ---- tiles

_TILED = [(0x05, 1), (0x18, 2), (0x11, 2), (0x33, 4), (0x68, 8), (0x83, 16)]


def _surface(number: int, width: int, height: int, depth: int, each: int) -> tuple[Array, int, int]:
    """Memory, pitch and distance of layers, as a driver aligns them."""
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
        number, _pointer(np.array(size, np.uint32)), ctypes.c_uint64(pitch), ctypes.c_uint64(layer), _pointer(memory),
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
def test_a_texel_of_a_tiled_image_lies_where_mesa_puts_it(
    images: ctypes.CDLL, gpu: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_GPU", gpu)
    own = ctypes.CDLL(str(shutil.copy(images._name, tmp_path)))  # looks up its GPU once
    own.offset.restype = ctypes.c_uint64
    memory = np.zeros(1 << 24, np.uint8)
    for each, pitch, x, y, want in _PLACES[gpu]:
        number = {1: 0x05, 2: 0x18, 4: 0x33, 8: 0x68, 16: 0x83}[each]
        size = np.array((pitch // each, 180, 1), np.uint32)
        own.tiles(
            number, _pointer(size), ctypes.c_uint64(pitch), ctypes.c_uint64(0), _pointer(memory),
            ctypes.c_uint64(len(memory)), ctypes.c_uint64(0), ctypes.c_uint64(0),
        )  # fmt: skip
        assert own.offset(x, y, 0) == want, (each, pitch, x, y)


@pytest.mark.parametrize(("number", "each"), _TILED)
def test_a_compressed_image_keeps_what_was_written_and_reads_zero_where_nothing_was(
    images: ctypes.CDLL, number: int, each: int
) -> None:
    size, rng = (100, 37, 1), np.random.default_rng(number)
    memory, pitch, layer = _surface(number, *size, each)
    images.tiles(
        number, _pointer(np.array(size, np.uint32)), ctypes.c_uint64(pitch), ctypes.c_uint64(layer), _pointer(memory),
        ctypes.c_uint64(layer + 4096), ctypes.c_uint64(layer), ctypes.c_uint64(64),
    )  # fmt: skip
    memory[:layer] = rng.integers(1, 256, layer)
    model = np.zeros((size[1], size[0], each), np.uint8)
    for _ in range(300):
        x, y = int(rng.integers(0, size[0])), int(rng.integers(0, size[1]))
        model[y, x] = rng.integers(0, 256, each)
        images.store(x, y, 0, _pointer(np.ascontiguousarray(model[y, x])))
    got = np.zeros_like(model)
    for y, x in itertools.product(range(size[1]), range(size[0])):
        texel = np.zeros(each, np.uint8)
        images.load(x, y, 0, _pointer(texel))
        got[y, x] = texel
    assert (got == model).all()
    plain = memory[:layer].tobytes()
    assert not any(model[y, x].tobytes() in plain for y, x in zip(*np.nonzero(model.any(axis=2)), strict=True) if each == 16)
