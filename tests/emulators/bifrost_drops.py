"""The code of a Bifrost shader with one wait, or one staging barrier, less."""

from __future__ import annotations

from collections.abc import Iterator

_QUAD = 16
_STAGING_BARRIER, _WAITS = 83 + 17, 83 + 24  # bits of a clause's first quadword, whose header begins at 83
# Of a quadword's tag: those of its bits that say which form it has, and the forms that may end a clause (bit 6: it does).
_ENDS = (
    (0xB8, 0x08), (0xBF, 0x03), (0xBF, 0x04), (0xBF, 0x05), (0xB8, 0x10), (0xBF, 0x06), (0xBF, 0x07), (0xB8, 0x18),
    (0xB0, 0x30),
)  # fmt: skip


def clauses(code: bytes) -> list[int]:
    """At which byte each clause begins."""
    starts, begins = [], True
    for at in range(0, len(code), _QUAD):
        if begins:
            starts.append(at)
        tag = code[at]
        begins = bool(tag & 0x40) and any(tag & mask == value for mask, value in _ENDS)
    return starts


def used_slots(code: bytes) -> set[int]:
    """The slots that messages have."""
    heads = [int.from_bytes(code[at : at + _QUAD], "little") >> 83 for at in clauses(code)]
    return {head >> 32 & 7 for head in heads if head >> 35 & 31}


def drops(code: bytes) -> Iterator[tuple[str, bytes]]:
    """What was taken away, and the code without it; but for waits for slots that no message has."""
    used = used_slots(code)
    for n, at in enumerate(clauses(code)):
        quad = int.from_bytes(code[at : at + _QUAD], "little")
        for name, bit in [*((f"wait {slot}", _WAITS + slot) for slot in used), ("staging barrier", _STAGING_BARRIER)]:
            if quad >> bit & 1:
                less = (quad & ~(1 << bit)).to_bytes(_QUAD, "little")
                yield f"{name} of clause {n}", code[:at] + less + code[at + _QUAD :]
