"""The code of a Valhall shader with one wait, or one `reconverge`, less."""

from __future__ import annotations

import struct
from collections.abc import Iterator

_FLOW, _SLOT = 59, 30
WAITS = {1: (0,), 2: (1,), 3: (0, 1), 4: (2,), 5: (0, 2), 6: (1, 2), 7: (0, 1, 2), 8: (0, 1, 2, 6), 9: (0, 1, 2, 6, 7)}
_FLOWS = {slots: flow for flow, slots in WAITS.items()}


def drops(code: bytes) -> Iterator[tuple[str, bytes]]:
    """What was taken away, and the code without it: one slot, or of those that are waited for with it all."""
    words = struct.unpack(f"<{len(code) // 8}Q", code)
    for n, word in enumerate(words):
        for slot in WAITS.get(word >> _FLOW & 15, ()):
            rest = tuple(s for s in WAITS[word >> _FLOW & 15] if s != slot)
            less = word & ~(15 << _FLOW) | _FLOWS.get(rest, 0) << _FLOW
            yield f"wait {slot} of instruction {n}", struct.pack(f"<{len(words)}Q", *words[:n], less, *words[n + 1 :])
