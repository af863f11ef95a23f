"""What the RDNA's check of waits says of machine code, and the same code with one wait less."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

_WAITCNT = 0xBF890000  # s_waitcnt: expcnt in bits 0 to 2, lgkmcnt in 4 to 9, vmcnt in 10 to 15
_DEPCTR = 0xBF880000
_COUNTERS = {"vm": 63 << 10, "lgkm": 63 << 4}


def findings(library: Path, words: Sequence[int], lanes: int = 64) -> list[str]:
    """What rdna_hazards() says of a shader in waves of so many lanes."""
    buffer = ctypes.create_string_buffer(1 << 18)
    code = struct.pack(f"<{len(words)}I", *words)
    length = ctypes.CDLL(str(library)).rdna_hazards(code, len(words), lanes, buffer, len(buffer))
    assert length < len(buffer)
    return buffer.value.decode().splitlines()


def drops(words: Sequence[int], starts: Sequence[int]) -> Iterator[tuple[str, int, list[int]]]:
    """The code without its wait for one counter: which, where. `starts`: the words that begin an instruction."""
    for n in starts:
        if words[n] & 0xFFFF0000 == _WAITCNT:
            for counter, bits in _COUNTERS.items():
                if words[n] & bits != bits:
                    yield counter, n, [*words[:n], words[n] | bits, *words[n + 1 :]]
        elif words[n] & 0xFFFF0000 == _DEPCTR and not words[n] & 0x1C:
            yield "vm_vsrc", n, [*words[:n], words[n] | 0x1C, *words[n + 1 :]]
