"""The RDNA's machine code with one wait less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_WAITCNT = 0xBF890000  # s_waitcnt: expcnt in bits 0 to 2, lgkmcnt in 4 to 9, vmcnt in 10 to 15
_DEPCTR, _VM_VSRC = 0xBF880000, 7 << 2
_COUNTERS = {"vm": 63 << 10, "lgkm": 63 << 4}


def drops(words: Sequence[int]) -> Iterator[tuple[str, int, list[int]]]:
    """The code without its wait for one counter: which, where."""
    for n, word in enumerate(words):
        counters = {_WAITCNT: _COUNTERS, _DEPCTR: {"vm_vsrc": _VM_VSRC} if not word & _VM_VSRC else {}}
        for counter, bits in counters.get(word & 0xFFFF0000, {}).items():
            if word & bits != bits:
                yield counter, n, [*words[:n], word | bits, *words[n + 1 :]]
