"""The Threefry-2x32 generator with 20 rounds: Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3 (2011)."""

import numpy as np
from numpy.typing import NDArray

ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = np.uint32(0x1BD11BDA)


def threefry(counter: NDArray[np.uint64], key: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Encrypt 64-bit words, each of two 32-bit words with the low one first."""
    low, high = (counter & 0xFFFFFFFF).astype(np.uint32), (counter >> 32).astype(np.uint32)
    first, second = (key & 0xFFFFFFFF).astype(np.uint32), (key >> 32).astype(np.uint32)
    schedule = (first, second, first ^ second ^ PARITY)
    low, high = low + schedule[0], high + schedule[1]
    for block in range(5):
        for turn in ROTATIONS[block % 2]:
            low = low + high
            high = (high << np.uint32(turn) | high >> np.uint32(32 - turn)) ^ low
        low = low + schedule[(block + 1) % 3]
        high = high + schedule[(block + 2) % 3] + np.uint32(block + 1)
    return high.astype(np.uint64) << np.uint64(32) | low.astype(np.uint64)
