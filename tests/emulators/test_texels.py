"""The emulators' texels against exact arithmetic, which shares only the formats' numbers with them."""

import ctypes
import itertools
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from image_entry import Array, build_images, nearest, pointer

pytestmark = pytest.mark.root

_PLAIN = (0, 1, 2, 3)


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return build_images(tmp_path_factory.mktemp("images"))


def _decode(
    images: ctypes.CDLL, number: int, content: Array, count: int, *, srgb: bool = False, place: Sequence[int] = _PLAIN
) -> Array:
    texels = np.zeros((count, 4), np.uint32)
    images.decode_texels(number, int(srgb), pointer(np.array(place, np.uint8)), pointer(content), count, pointer(texels))
    return texels


def _encode(
    images: ctypes.CDLL, number: int, texels: Array, bytes_each: int, *, srgb: bool = False, place: Sequence[int] = _PLAIN
) -> Array:
    content = np.zeros((len(texels), bytes_each), np.uint8)
    images.encode_texels(
        number, int(srgb), pointer(np.array(place, np.uint8)), pointer(texels), len(texels), pointer(content)
    )
    return content


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
    """All codes of a channel of up to 11 bits, else the ends, their neighbours, and some others."""
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
    """Numbers at and next to the midpoint of two that a format has, and beyond its ends."""
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
