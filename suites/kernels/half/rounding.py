"""Rounding to half in each mode, in numpy's arithmetic; and the numbers to round."""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

Half = NDArray[np.float16]


def every_half() -> Half:
    """All 65,536 halves."""
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16)


def round_to_half(values: NDArray[Any], mode: str) -> Half:
    """Round float or double to half: first to nearest, and from there one step back if the mode requires it."""
    exact = values.astype(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        nearest = exact.astype(np.float16)  # from float64 in one rounding, ties to even
        wide = nearest.astype(np.float64)
        if mode == "rtz":
            return np.where(np.abs(wide) > np.abs(exact), np.nextafter(nearest, np.float16(0)), nearest)
        if mode == "rtp":
            return np.where(wide < exact, np.nextafter(nearest, np.float16(np.inf)), nearest)
        if mode == "rtn":
            return np.where(wide > exact, np.nextafter(nearest, np.float16(-np.inf)), nearest)
    return nearest


@functools.cache
def numbers(source: str, count: int) -> NDArray[Any]:
    """`count` numbers of float or double: halves, ties between them, their neighbours, and numbers beyond the range.

    For "exact": all halves that are numbers, as doubles, repeated, which no rounding mode changes. For "beyond": doubles
    beyond the range of half. For "float bits" and "double bits": halves and the ties above them, also denormal ones, and
    numbers with one bit more than a half has, or just below.
    """
    if source.endswith(" bits"):
        return _with_one_bit(np.dtype(np.float32 if source.startswith("float") else np.float64), count)
    if source == "exact":
        finite = every_half()[np.isfinite(every_half())]
        return np.resize(np.random.default_rng(1).permutation(finite), count).astype(np.float64)
    if source == "beyond":
        rng = np.random.default_rng(1)
        far = rng.choice((-1, 1), count) * rng.uniform(1, 2, count) * 2.0 ** rng.integers(16, 1024, count)
        far[:8] = 65536, -65536, 65520, -65520, np.finfo(np.float32).max, 2.0**128, np.finfo(np.float64).max, -(2.0**1023)
        return np.asarray(rng.permutation(far))
    dtype = np.dtype(np.float32 if source == "float" else np.float64)
    info = np.finfo(dtype)  # type: ignore[type-var]
    rng = np.random.default_rng(1)
    powers = np.arange(0, 0x7C00, 0x400)  # the bits of each power of two, below and above it; and all small denormals
    bits = np.unique(np.concatenate([np.arange(40), powers, powers + 1, powers + 0x3FF, powers + 0x200, [0x7BFE, 0x7BFF]]))
    halves = np.concatenate([bits, rng.integers(0, 0x7BFF, 700)]).astype(np.uint16)
    low = halves.view(np.float16).astype(dtype)
    # After the greatest half, the next would be 65536; from the tie before that on, the nearest is infinity.
    high = np.where(halves == 0x7BFF, dtype.type(65536), (halves + 1).astype(np.uint16).view(np.float16).astype(dtype))
    tie = (low + high) / 2
    beside = [np.nextafter(x, dtype.type(to)) for x in (low, tie) for to in (0, np.inf)]
    special = [0, np.inf, np.nan, info.max, info.tiny, info.smallest_subnormal, 2.0**-25, 2.0**-26, 65536, 1e30]
    positive = np.concatenate([low, tie, *beside, (low + tie) / 2, np.array(special, dtype)])
    both = np.concatenate([positive, -positive])
    rest = count - both.size
    more = rng.choice((-1, 1), rest) * rng.uniform(1, 2, rest) * 2.0 ** rng.integers(-26, 17, rest)
    return np.asarray(rng.permutation(np.concatenate([both, more.astype(dtype)])))


def _with_one_bit(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    rng = np.random.default_rng(1)
    digits = {4: 23, 8: 52}[dtype.itemsize]
    word = np.dtype(f"u{dtype.itemsize}")
    low = 2.0 ** rng.integers(-26, 16, count) * (1024 + rng.integers(0, 1024, count)) / 1024
    step = 2.0 ** (np.maximum(np.floor(np.log2(low)), -14) - 10)  # to the next half
    base = (np.floor(low / step) + rng.choice((0, 0.5), count)) * step
    base = np.where(base == 0, step / 2, base).astype(dtype)
    place = np.arange(count) % (digits + 1)
    bits = base.view(word) | word.type(1) << (place % digits).astype(word)
    # All lower bits, which a second rounding would round up; for denormal halves this is bug 100.
    below = (place == digits) & (base >= 2.0**-14)
    return np.asarray(np.where(below, np.nextafter(base, dtype.type(0)), bits.view(dtype)) * rng.choice((-1, 1), count))
