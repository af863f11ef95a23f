"""Atomics of the data ports: each operation, on surfaces and by addresses, of 32 and 64 bits, and of floats."""

import itertools
import struct
from collections.abc import Callable, Mapping

import pytest
from bare_intel import BareIntel, Item, Launch, store
from intel_assembler import DATA1, alu, imm, message, one, r, send
from test_intel_messages import NUMBER, OFFSETS, RESULT, STATELESS
from test_intel_messages import PROLOGUE as _PROLOGUE

_OPERATIONS: Mapping[int, Callable[[int, int, int], int]] = {
    1: lambda o, a, _b: o & a, 2: lambda o, a, _b: o | a, 3: lambda o, a, _b: o ^ a, 4: lambda _o, a, _b: a,
    5: lambda o, _a, _b: o + 1, 6: lambda o, _a, _b: o - 1, 7: lambda o, a, _b: o + a, 8: lambda o, a, _b: o - a,
    9: lambda o, a, _b: a - o, 10: lambda o, a, _b: o if _signed(o) > _signed(a) else a,
    11: lambda o, a, _b: o if _signed(o) < _signed(a) else a, 12: lambda o, a, _b: max(o, a),
    13: lambda o, a, _b: min(o, a), 14: lambda o, a, b: b if o == a else o, 15: lambda o, _a, _b: o - 1,
}  # fmt: skip
_EDGES = (0, 1, 5, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def _signed(x: int) -> int:
    return x - (x >> 31 << 32)


@pytest.mark.parametrize("operation", _OPERATIONS)
def test_atomics_of_integers(intel: BareIntel, operation: int) -> None:
    """All lanes, one after the other, change the first word; each gets the value from before."""
    for kind, initial in itertools.product((0x02, 0x12), _EDGES):
        buffer = struct.pack("<I", initial) + bytes(60)
        operands = [alu("mul", r(20, "d"), r(NUMBER, "d"), imm(0x3001, "w")), alu("not", r(22), r(NUMBER))]
        operands += [alu("mov", r(20, sub=0), imm(initial), n=1, mask=False)]  # the first comparison holds
        body: list[Item] = [*_PROLOGUE, *operands]
        if kind == 0x02:
            body += [alu("mov", r(OFFSETS), imm(0)), alu("mov", r(32), r(20)), alu("mov", r(34), r(22))]
            body += [send(DATA1, message(6, 2, kind, 0x20 | operation, 0), r(RESULT), r(OFFSETS))]
        else:
            for h in (0, 1):
                body += [
                    alu("mov", r(84, region=(0, 1, 2)), one(r(1)), n=8, first=8 * h),
                    alu("mov", r(84, sub=4, region=(0, 1, 2)), r(1, sub=4, region=(0, 1, 0)), n=8, first=8 * h),
                    alu("mov", r(86), r(20 + h), n=8, first=8 * h),
                    alu("mov", r(87), r(22 + h), n=8, first=8 * h),
                    send(DATA1, message(4, 1, kind, 0x20 | operation, STATELESS), r(RESULT + h), r(84), n=8, first=8 * h),
                ]
        out = intel.launch([*body, *store(r(RESULT), 1, NUMBER)], [buffer, 64], Launch(surfaces=((0, 64),)))
        assert out.done, out.marks
        old, before = initial, []
        for lane in range(16):
            a = initial if lane == 0 else lane * 0x3001
            new = _OPERATIONS[operation](old, a, ~lane & 0xFFFFFFFF) & 0xFFFFFFFF
            before.append(new if operation == 15 else old)
            old = new
        assert (out.words(0)[0], out.words(1)) == (old, before)


def test_atomics_of_64_bits(intel: BareIntel) -> None:
    initial = 0xFFFFFFFFFFFFFFF0
    body: list[Item] = [
        *_PROLOGUE,
        alu("mov", r(84, region=(0, 1, 2)), one(r(1)), n=8),
        alu("mov", r(84, sub=4, region=(0, 1, 2)), r(1, sub=4, region=(0, 1, 0)), n=8),
        alu("mov", r(86, region=(0, 1, 2)), imm(3), n=8),
        alu("mov", r(86, sub=4, region=(0, 1, 2)), imm(1), n=8),
        send(DATA1, message(4, 2, 0x12, 0x30 | 7, STATELESS), r(RESULT), r(84), n=8),
        *store(r(RESULT), 1, NUMBER),
    ]
    out = intel.launch(body, [struct.pack("<8Q", initial, *range(7)), 64])
    assert out.done, out.marks
    mask = (1 << 64) - 1
    assert struct.unpack("<8Q", out.buffers[0])[0] == initial + 8 * 0x100000003 & mask
    expected = [initial + n * 0x100000003 & mask for n in range(8)]
    assert list(struct.unpack("<8Q", out.buffers[1])) == expected


@pytest.mark.parametrize("operation", [1, 2, 3, 4])
def test_atomics_of_floats(intel: BareIntel, operation: int) -> None:
    def bits(x: float) -> int:
        return int(struct.unpack("<I", struct.pack("<f", x))[0])

    body: list[Item] = [
        *_PROLOGUE,
        alu("mov", r(32, "f"), r(NUMBER, "d")),
        alu("mul", r(32, "f"), r(32, "f"), imm(bits(1.5), "f")),
        alu("mov", r(34, "f"), imm(bits(-2.0), "f")),
        alu("mov", r(OFFSETS), imm(0)),
        send(DATA1, message(6, 2, 0x1B, 0x20 | operation, 0), r(RESULT), r(OFFSETS)),
    ]
    out = intel.launch(
        [*body, *store(r(RESULT), 1, NUMBER)], [struct.pack("<f", 4.5) + bytes(60), 64], Launch(surfaces=((0, 64),))
    )
    assert out.done, out.marks
    old, before = 4.5, []
    for lane in range(16):
        before.append(bits(old))
        a = 1.5 * lane
        old = {1: max(old, a), 2: min(old, a), 3: -2.0 if old == a else old, 4: old + a}[operation]
    assert (out.words(0)[0], out.words(1)) == (bits(old), before)
