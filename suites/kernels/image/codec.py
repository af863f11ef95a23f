"""The conversion between an image's elements and a kernel's values (OpenCL C 3.0, 6.15.15.7 and 8.3), in numpy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check

from .table import Format

Array = NDArray[Any]

ELEMENTS: dict[str, Any] = {
    "snorm8": np.int8,
    "snorm16": np.int16,
    "unorm8": np.uint8,
    "unorm16": np.uint16,
    "sint8": np.int8,
    "sint16": np.int16,
    "sint32": np.int32,
    "uint8": np.uint8,
    "uint16": np.uint16,
    "uint32": np.uint32,
    "half": np.float16,
    "float": np.float32,
    "unorm101010": np.uint32,
    "unorm101010_2": np.uint32,
    "unorm2_101010": np.uint32,
}
VALUES: dict[str, Any] = {"f": np.float32, "i": np.int32, "ui": np.uint32}  # of a kernel's vectors
# The largest code of each normalized type.
_SCALES = {"snorm8": 127, "snorm16": 32767, "unorm8": 255, "unorm16": 65535, "unorm101010": 1023}
# r, g, b and a in a word: lowest bit and number of bits (API 3.0, 5.3.1.1; cl_ext_image_unorm_int_2_101010).
_PACKED = {
    "unorm101010": {"r": (20, 10), "g": (10, 10), "b": (0, 10)},
    "unorm101010_2": {"r": (22, 10), "g": (12, 10), "b": (2, 10), "a": (0, 2)},
    "unorm2_101010": {"a": (30, 2), "b": (20, 10), "g": (10, 10), "r": (0, 10)},
}


def components(fmt: Format) -> int:
    """The number of array entries that an element has in memory."""
    return 1 if fmt.channel in _PACKED else len(fmt.letters)


def random_content(rng: np.random.Generator, fmt: Format, count: tuple[int, ...]) -> Array:
    """Random elements, (*count, components), among them the ends of the type; no NaN, no infinity."""
    element, shape = ELEMENTS[fmt.channel], (*count, components(fmt))
    if np.issubdtype(element, np.floating):
        content = rng.uniform(-4, 4, shape).astype(element)
        ends: list[Any] = [0, 1, -1, np.finfo(element).max, np.finfo(element).tiny, -np.finfo(element).max]
    else:
        info = np.iinfo(element)
        content = rng.integers(info.min, info.max, shape, dtype=element, endpoint=True)
        ends = [info.min, info.max, 0, 1, info.min + 1, info.max - 1]
    places = rng.choice(content.size, min(6, content.size), replace=False)
    content.reshape(-1)[places] = np.array(ends[: len(places)], element)
    return content


def numbers(content: Array, fmt: Format) -> Array:
    """The channels as numbers, letters last: float64 for reals (8.3.1.1), int64 for integers."""
    if fmt.channel in _PACKED:
        fields = [_PACKED[fmt.channel][c] for c in fmt.letters]
        return np.concatenate([(content >> low & 2**n - 1) / (2**n - 1) for low, n in fields], axis=-1)
    if fmt.suffix != "f":
        return content.astype(np.int64)
    wide = content.astype(np.float64)
    return np.maximum(wide / _SCALES[fmt.channel], -1) if fmt.normalized else wide


def texels(content: Array, fmt: Format) -> Array:
    """The value that a read returns for each element, (..., 4): missing colours are 0, a missing alpha is 1.

    A depth is the first of the four; the others are 0. sRGB is converted to linear (8.3.5).
    """
    have = dict(zip(fmt.letters, np.moveaxis(numbers(content, fmt), -1, 0), strict=True))
    zero = np.zeros_like(next(iter(have.values())))
    if fmt.order == "depth":
        return np.stack([have["d"], zero, zero, zero], axis=-1)
    if fmt.order.startswith("s"):
        have |= {c: linear(have[c]) for c in "rgb"}
    grey = have.get("i", have.get("l"))
    alpha = have.get("i", zero + 1)
    colours = [have.get(c, zero if grey is None else grey) for c in "rgb"]
    return np.stack([*colours, have.get("a", alpha)], axis=-1)


def linear(code: Array) -> Array:
    """Convert sRGB to linear."""
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


def border(fmt: Format) -> Array:
    """The border colour of CLK_ADDRESS_CLAMP, which depends on the channel order (6.15.15.1.1)."""
    opaque = fmt.order in ("r", "rg", "rgb", "luminance")
    return np.array([0, 0, 0, int(opaque)])


def compare_read(what: str, got: Array, want: Array, fmt: Format) -> None:
    """Compare a kernel's values (n, 4) with `texels`: normalized ones to 1.5 ulp, their ends and others exactly (8.3)."""
    if fmt.suffix != "f":
        check.equal(what, got.astype(np.int64), want)
    elif fmt.order.startswith("s"):
        # Converted back to a code, it is at most half a unit off (8.3.5); alpha is linear.
        low, high = (linear(np.clip(_code(want[:, :3]) + d, 0, 1)) for d in (-0.5 / 255, 0.5 / 255))
        check.close(what, got[:, :3], (low + high) / 2, atol=(high - low) / 2 + 1e-6)
        check.ulp(what, got[:, 3], [want[:, 3]], 1.5)
    else:
        exact = ~np.isin(want, (-1, 0, 1)) if fmt.normalized else np.zeros(want.shape, bool)
        check.ulp(what, got, [want], np.where(exact, 1.5, 0))


def _code(value: Array) -> Array:
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055)


def random_colours(rng: np.random.Generator, fmt: Format, count: int) -> Array:
    """Values to write, (count, 4), of the type that write_image takes, inside and outside of the format's range."""
    if fmt.suffix == "f":
        colours = rng.uniform(-1.5, 1.5, (count, 4)).astype(np.float32)
        colours.ravel()[: 4 * 5 : 3] = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5]
        return colours
    element = np.iinfo(ELEMENTS[fmt.channel])
    vector = np.iinfo(VALUES[fmt.suffix])
    near = rng.integers(element.min, element.max, (count, 4), endpoint=True)
    far = rng.integers(vector.min, vector.max, (count, 4), endpoint=True)
    colours = np.where(rng.random((count, 4)) < 0.7, near, far)
    edges = np.array([element.min - 1, element.max + 1, vector.min, vector.max, element.min, element.max, 0])
    colours.ravel()[: 4 * 5 : 3] = np.clip(edges, vector.min, vector.max)
    return colours.astype(VALUES[fmt.suffix])


def compare_stored(what: str, got: Array, colours: Array, fmt: Format) -> None:
    """Compare elements (..., components) with the colours (..., 4) that a kernel or a fill wrote (8.3)."""
    sources = {"r": 0, "g": 1, "b": 2, "a": 3, "d": 0, "i": 0, "l": 0}
    want = colours[..., [sources[c] for c in fmt.letters]]
    if fmt.suffix != "f":
        info = np.iinfo(ELEMENTS[fmt.channel])
        check.equal(what, got, np.clip(want.astype(np.int64), info.min, info.max))
    elif fmt.channel in _PACKED:
        steps = np.array([2 ** _PACKED[fmt.channel][c][1] - 1 for c in fmt.letters])
        check.close(what, numbers(got, fmt) * steps, np.clip(want.astype(np.float64), 0, 1) * steps, atol=0.6)
    elif fmt.normalized:  # rounded to nearest, or to a code that is at most 0.6 of a step away
        scale, low = _SCALES[fmt.channel], -1 if fmt.channel.startswith("snorm") else 0
        # The lowest code of a signed type means -1, too: saturation gives it, a clamp before the conversion its neighbour.
        stored = np.maximum(got.astype(np.float64), low * scale)
        check.close(what, stored, np.clip(want.astype(np.float64), low, 1) * scale, atol=0.6)
    elif fmt.channel == "half":  # to nearest or towards zero; denormals may be flushed
        with np.errstate(over="ignore"):
            nearest = want.astype(np.float16)
        beyond = np.abs(nearest.astype(np.float32)) > np.abs(want)
        zero = np.where(beyond, np.nextafter(nearest, np.float16(0)), nearest)
        flushed = np.where(np.abs(want) < np.finfo(np.float16).tiny, np.float16(0), nearest)
        check.exact(what, got + np.float16(0), [nearest + np.float16(0), zero + np.float16(0), flushed])
    else:
        check.equal(what, got, want)
