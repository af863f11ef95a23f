"""The findings of an Adreno's hazard check on machine code, and the same code with one flag or nop less."""

import ctypes
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

Words = list[int]
_SY, _SS = 1 << 60, 1 << 44
_BRANCHES = {(1, 0), (2, 0), (4, 1), (5, 1), (7, 1)}  # opcode and high bit of instructions with a target


def findings(library: Path, words: Sequence[int], gpu: int) -> list[str]:
    """The findings of adreno_hazards() on a shader for a GPU, such as 630."""
    buffer = ctypes.create_string_buffer(1 << 18)
    code = struct.pack(f"<{len(words)}Q", *words)
    length = ctypes.CDLL(str(library)).adreno_hazards(code, len(words), gpu, buffer, len(buffer))
    assert length < len(buffer)
    return buffer.value.decode().splitlines()


def _offset(code: int) -> int:
    low = code & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low


def _without(words: Words, at: int) -> Words:
    """The code without an instruction, all branches corrected."""
    kept = []
    for n, code in enumerate(words):
        if n == at:
            continue
        if code >> 61 == 0 and (code >> 55 & 15, code >> 49 & 1) in _BRANCHES:
            target = n + _offset(code)
            moved = target - (target > at) - (n - (n > at))
            code = code & ~0xFFFFFFFF | moved & 0xFFFFFFFF
        kept.append(code)
    return kept


def drops(words: Words) -> Iterator[tuple[str, int, Words]]:
    """The code with one (sy), (ss), nop, or one cycle of (rptN)nop and (nopN), less; yields what was removed, and where."""
    for n, code in enumerate(words):
        category, nop = code >> 61, code >> 55 == 0 and not code >> 49 & 1

        def changed(new: int, at: int = n) -> Words:
            return [*words[:at], new, *words[at + 1 :]]

        if code & _SY:
            yield "sy", n, changed(code & ~_SY)
        if code & _SS and category in (0, 1, 2, 3, 4, 7):
            yield "ss", n, changed(code & ~_SS)
        if nop and not code & (_SS | _SY):
            if code >> 40 & 7:
                yield "rpt", n, changed(code - (1 << 40))
            elif not code >> 59 & 1:
                yield "nop", n, _without(words, n)
        if category in (2, 3) and not code >> 40 & 3:
            high = 51 if category == 2 else 15
            if count := (code >> 43 & 1) | (code >> high & 1) << 1:
                rest = code & ~(1 << 43 | 1 << high)
                yield "nopN", n, changed(rest | (count - 1 & 1) << 43 | (count - 1 >> 1) << high)
