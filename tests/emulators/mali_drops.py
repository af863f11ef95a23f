"""The code of a Bifrost or Valhall shader with one wait, one staging barrier or one reconvergence less."""

import struct
from collections.abc import Iterator

_QUAD = 16
_FLOW, _STAGING_BARRIER, _WAITS = 83 + 11, 83 + 17, 83 + 24  # bits of a clause's first quadword, whose header begins at 83
# A quadword's tag: the bits that say which form it has, and the forms that may end a clause (bit 6: it does).
_ENDS = (
    (0xB8, 0x08), (0xBF, 0x03), (0xBF, 0x04), (0xBF, 0x05), (0xB8, 0x10), (0xBF, 0x06), (0xBF, 0x07), (0xB8, 0x18),
    (0xB0, 0x30),
)  # fmt: skip
_VALHALL_FLOW, _RECONVERGE = 59, 10
WAITS = {1: (0,), 2: (1,), 3: (0, 1), 4: (2,), 5: (0, 2), 6: (1, 2), 7: (0, 1, 2), 8: (0, 1, 2, 6), 9: (0, 1, 2, 6, 7)}
_FLOWS = {slots: flow for flow, slots in ((0, ()), *WAITS.items())}


def _clauses(code: bytes) -> list[int]:
    """At which byte each clause begins."""
    starts, begins = [], True
    for at in range(0, len(code), _QUAD):
        if begins:
            starts.append(at)
        tag = code[at]
        begins = bool(tag & 0x40) and any(tag & mask == value for mask, value in _ENDS)
    return starts


def bifrost_drops(code: bytes) -> Iterator[tuple[str, int, bytes]]:
    """What was taken away, from which clause, and the code without it."""
    for n, at in enumerate(_clauses(code)):
        quad = int.from_bytes(code[at : at + _QUAD], "little")
        less = [(f"wait {slot}", quad & ~(1 << _WAITS + slot)) for slot in range(8)]
        less.append(("staging barrier", quad & ~(1 << _STAGING_BARRIER)))
        if quad >> _FLOW & 7 in (2, 4, 6):
            less.append(("reconvergence", quad | 1 << _FLOW))
        for what, other in less:
            if other != quad:
                yield what, n, code[:at] + other.to_bytes(_QUAD, "little") + code[at + _QUAD :]


def valhall_drops(code: bytes) -> Iterator[tuple[str, int, bytes]]:
    """The same for an instruction: one slot, or all those that are waited for together."""
    words = struct.unpack(f"<{len(code) // 8}Q", code)
    for n, word in enumerate(words):
        flow, rest = word >> _VALHALL_FLOW & 15, word & ~(15 << _VALHALL_FLOW)
        less = []
        for slot in WAITS.get(flow, ()):
            kept = tuple(s for s in WAITS[flow] if s != slot)
            gone = [s for s in WAITS[flow] if kept not in _FLOWS or s not in kept]
            less.append((f"wait {''.join(map(str, gone))}", rest | _FLOWS.get(kept, 0) << _VALHALL_FLOW))
        if flow == _RECONVERGE:
            less.append(("reconvergence", rest))
        for what, other in less:
            yield what, n, struct.pack(f"<{len(words)}Q", *words[:n], other, *words[n + 1 :])
