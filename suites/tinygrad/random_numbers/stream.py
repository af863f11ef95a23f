"""The numbers that tinygrad draws, computed independently: Threefry-2x32-20, and the layout of its streams.

The generator is Salmon's (`elementwise/threefry.py`). The layout is tinygrad's own. A device's key is half a hash of
its number and half the seed. A draw of n words advances the device's 64-bit counter by n; the key of its words is
derived from the device's key and the counter at its start, and the words are numbered in two halves.
"""

import hashlib
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bounded import Array
from ..elementwise.threefry import threefry

Words = NDArray[np.uint32]


def _words(key: Words, low: Words, high: Words) -> Words:
    """The generator's two words for each counter: first all first words, then all second words."""
    counter = high.astype(np.uint64) << np.uint64(32) | low.astype(np.uint64)
    both = threefry(counter, np.array([int(key[1]) << 32 | int(key[0])], dtype=np.uint64))
    return np.concatenate([both & np.uint64(0xFFFFFFFF), both >> np.uint64(32)]).astype(np.uint32)


def random_bits(key: Words, counter: Words, count: int) -> Words:
    """`count` words, fewer than 2**32, for a key and a counter of two words each."""
    own = _words(key, counter[:1], counter[1:])
    half = -(-count // 2)
    first = np.arange(half, dtype=np.uint32)
    return _words(own, first, first + np.uint32(half))[:count]


class Stream:
    """The draws after `manual_seed(seed)` on the first device that is used."""

    def __init__(self, seed: int) -> None:
        device = int.from_bytes(hashlib.sha256(bytes(4)).digest(), "big")
        self.key = np.array([device & 0xFFFFFFFF, seed & 0xFFFFFFFF], dtype=np.uint32)
        self.drawn = 0

    def bits(self, count: int) -> Words:
        counter = np.array([self.drawn & 0xFFFFFFFF, self.drawn >> 32], dtype=np.uint32)
        self.drawn += count
        return random_bits(self.key, counter, count)

    def rand(self, shape: Sequence[int], dtype: str = "float32") -> Array:
        """Uniform in [0, 1): the top bits as the fraction of a number in [1, 2), minus one; exact.

        bfloat16, which numpy does not have, is returned as float32 of the same value.
        """
        width, fraction = {"float16": (16, 10), "bfloat16": (16, 7), "float32": (32, 23), "float64": (64, 52)}[dtype]
        words = self.bits(-(-prod(shape) * width // 32))
        whole: NDArray[Any] = words.view(np.dtype(f"uint{width}"))[: prod(shape)] >> (width - fraction)
        kind = "float32" if dtype == "bfloat16" else dtype
        return np.ldexp(whole.astype(np.float64), -fraction).astype(kind).reshape(shape)
