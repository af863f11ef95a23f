"""What a kernel of Gen12 waits for: annotations (SWSB) as texts, code without one, and each rule on a few instructions."""

import ctypes
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from intel_assembler import (
    ACCUMULATOR,
    ADDRESS,
    CONTROL,
    DATA1,
    END_OF_THREAD,
    MASK,
    Jump,
    Operand,
    alu,
    arf,
    assemble,
    imm,
    message,
    one,
    r,
    send,
    sync,
)
from intel_pairs import words_of

from emulators.intel import older

Item = int | Jump | str
_UNORDERED = {49, 50, 56}  # send, sendc, math
_THREE_SOURCES = {18, 24, 26, 91, 92}  # of Gen9: compacted in another way


def waits(word: int, text: str) -> int:
    """An instruction with an annotation: @ and a distance, $ and a token that it takes, or waits for with .dst or .src."""
    found = re.fullmatch(r"(?:@(\d))? ?(?:\$(\d+)(\.dst|\.src)?)?", text)
    assert found, text
    distance, token, how = int(found[1] or 0), int(found[2] or 0), found[3]
    if found[2] and distance:
        assert how == (None if word & 127 in _UNORDERED else ".dst")
        return word | (0x80 | distance << 4 | token) << 8
    if found[2]:
        return word | ({None: 0x40, ".dst": 0x20, ".src": 0x30}[how] | token) << 8
    return word | distance << 8


def findings(library: Path, code: bytes, gpu: str = "tgl") -> list[str]:
    """What intel_hazards() says of a kernel on a GPU, whichever GPU another test of this process had."""
    buffer = ctypes.create_string_buffer(1 << 18)
    with patch.dict(os.environ, EMULATOR_GPU=gpu):
        ctypes.CDLL(str(library)).intel_hazards(code, len(code), buffer, len(buffer))
    return buffer.value.decode().splitlines()


def drops(code: bytes) -> Iterator[tuple[str, int, bytes]]:
    """The code with one wait less, or a distance one too large; yields what was changed, and where."""
    for at, word in words_of(code).items():
        mark, unordered = word >> 8 & 255, word & 127 in _UNORDERED

        def changed(new: int, at: int = at) -> bytes:
            return code[: at + 1] + bytes([new]) + code[at + 2 :]

        token, both = mark & 15, mark & 0x80
        distance = mark >> 4 & 7 if both else mark if mark < 8 else 0
        if both and not unordered:
            yield "dst", at, changed(distance)
        if distance:
            yield "@", at, changed((0x40 if unordered else 0x20) | token if both else 0)
            if distance < 7:
                yield "far", at, changed(mark + (16 if both else 1))
        if mark >> 4 in (2, 3):
            yield "dst" if mark >> 4 == 2 else "src", at, changed(0)


class Rule(NamedTuple):
    """`wrong` has one finding, which contains these words; `right` has none."""

    wrong: Sequence[Item]
    finding: str
    right: Sequence[Item]


def _add(target: Operand, source: Operand, n: int = 8, mask: bool = True, accumulates: bool = False) -> int:
    return alu("add", target, source, imm(1), n=n, mask=mask, accumulates=accumulates)


_WRITE, _OTHER = _add(r(10), r(1)), _add(r(30), r(1))
_USE, _AGAIN = _add(r(11), r(10)), _add(r(10), r(2))
_LOAD = send(DATA1, message(1, 1, 0x11, 0xE, 0), target=r(10), payload=r(20), n=8)
_STORE = send(DATA1, message(1, 0, 0x19, 0xE, 0), payload=r(20), rest=r(10), extended=1 << 6, n=8)
_ROOT = alu("math.sqt", r(10, "f"), r(20, "f"), n=8)
_ROOT_OF_ALL = alu("math.sqt", r(10, "f"), r(20, "f"), n=8, mask=False)
_OF_A0 = send(DATA1, 0, target=r(12), payload=r(20), n=8) | 1 << 48
_A0 = arf(ADDRESS)
_LENGTHS = alu("or", one(_A0), one(r(1)), imm(message(1, 1, 0x11, 0xE, 0)), n=1, mask=False)
_NAMED = _add(r(11), Operand(0, "ud", 0, (8, 8, 1), address=0))
_SYNC = sync(0)
_IF: list[Item] = [alu("cmp", r(50), r(3), imm(1), condition="l", n=8), Jump("if", "end", "end", n=8, predicate=1)]
_FI: list[Item] = ["end", Jump("endif", "after", n=8), "after"]
_IF_ELSE: list[Item] = [
    _IF[0], Jump("if", "else", "end", n=8, predicate=1), _OTHER, _OTHER, Jump("else", "end", n=8), "else", _OTHER, *_FI
]  # fmt: skip
_TWICE: list[Item] = [waits(_ROOT_OF_ALL, "$4"), waits(_SYNC, "$4.dst"), *_IF, waits(_STORE, "$4"), *_FI]
_CONTROL = alu("or", one(arf(CONTROL)), one(arf(CONTROL)), imm(0x400), n=1, mask=False)
_CHANNELS = alu("mov", one(r(11)), one(arf(MASK)), n=1, mask=False)

RULES = {
    # of instructions that compute
    "use": Rule([_WRITE, _USE], "@1 missing before add", [_WRITE, waits(_USE, "@1")]),
    "use, further": Rule([_WRITE, _OTHER, waits(_USE, "@3")], "@2 missing", [_WRITE, _OTHER, waits(_USE, "@2")]),
    "use, much further": Rule([_WRITE, *[_OTHER] * 8, _USE], "@7 missing", [_WRITE, *[_OTHER] * 10, _USE]),
    "written twice": Rule([_WRITE, _AGAIN, waits(_USE, "@2")], "@1 missing", [_WRITE, _AGAIN, waits(_USE, "@1")]),
    "written by a message, too": Rule([_WRITE, waits(_LOAD, "$2")], "@1 missing", [_WRITE, waits(_LOAD, "@1 $2")]),
    "read, then written": Rule([_USE, _AGAIN, _USE], "r10.0 is written", [_USE, _AGAIN, waits(_USE, "@1")]),
    "another dword": Rule([_WRITE, _add(r(11), one(r(10, sub=4)))], "r10.1",
                          [_add(one(r(10)), r(1), n=1), _add(r(11), one(r(10, sub=4)))]),
    "sync waits for others": Rule([_WRITE, waits(_SYNC, "@2"), _USE], "@1 missing", [_WRITE, waits(_SYNC, "@1"), _USE]),
    "a sync is not counted": Rule([_WRITE, _SYNC, waits(_USE, "@2")], "@1 missing", [_WRITE, _SYNC, waits(_USE, "@1")]),
    "a message is not counted": Rule([_OTHER, waits(_STORE, "$0"), waits(_add(r(11), r(30)), "@2")], "@1 missing",
                                     [_OTHER, waits(_STORE, "$0"), waits(_add(r(11), r(30)), "@1")]),
    # of messages and math
    "answer": Rule([waits(_LOAD, "$2"), waits(_USE, "$2.src")], "$2.dst missing before add",
                   [waits(_LOAD, "$2"), waits(_USE, "$2.dst")]),
    "another token": Rule([waits(_LOAD, "$2"), waits(_USE, "$3.dst")], "$2.dst missing",
                          [waits(_LOAD, "$2"), waits(_USE, "@1 $2.dst")]),
    "answer overwritten": Rule([waits(_LOAD, "$2"), _AGAIN], "$2.dst missing",
                               [waits(_LOAD, "$2"), waits(_AGAIN, "$2.dst")]),
    "payload overwritten": Rule([waits(_STORE, "$2"), _AGAIN], "$2.src missing before add",
                                [waits(_STORE, "$2"), waits(_AGAIN, "$2.src")]),
    "payload, waited for by dst": Rule([waits(_STORE, "$2"), waits(_SYNC, "$1.dst"), _AGAIN], "r10.0 is read by send",
                                       [waits(_STORE, "$2"), waits(_SYNC, "$2.dst"), _AGAIN]),
    "payload overwritten by a message": Rule([waits(_STORE, "$2"), waits(_LOAD, "$3")], "$2.src missing before send",
                                             [waits(_STORE, "$2"), waits(_SYNC, "$2.src"), waits(_LOAD, "$3")]),
    "payload not there": Rule([_WRITE, waits(_STORE, "$2")], "@1 missing before send", [_WRITE, waits(_STORE, "@1 $2")]),
    "answer over what is read": Rule([_USE, waits(_LOAD, "$2")], "r10.0 is read by add", [_USE, waits(_LOAD, "@1 $2")]),
    "math": Rule([waits(_ROOT, "$4"), _USE], "$4.dst missing", [waits(_ROOT, "$4"), waits(_USE, "$4.dst")]),
    "math's source": Rule([waits(_ROOT, "$4"), _add(r(20), r(1))], "$4.src missing",
                          [waits(_ROOT, "$4"), waits(_add(r(20), r(1)), "$4.src")]),
    "no token": Rule([_LOAD], "a token missing before send", [waits(_LOAD, "$0")]),
    "a token taken again": Rule([waits(_LOAD, "$1"), waits(_STORE, "$2")], "$1.dst missing",
                                [waits(_LOAD, "$1"), waits(_STORE, "$1"), waits(_SYNC, "$1.src")]),
    "sync of all that write": Rule([waits(_LOAD, "$9"), sync(2), _USE], "$9.dst missing",
                                   [waits(_LOAD, "$9"), sync(3), _USE]),
    "sync of all that read": Rule([waits(_STORE, "$9"), _SYNC, _AGAIN], "$9.src missing",
                                  [waits(_STORE, "$9"), sync(2), _AGAIN]),
    "sync of some": Rule([waits(_LOAD, "$9"), sync(3) | 1 << 46 | 0x100 << 96, _USE], "$9.dst missing",
                         [waits(_LOAD, "$9"), sync(3) | 1 << 46 | 0x200 << 96, _USE]),
    # a message whose lengths stand in a0
    "descriptor": Rule([_LENGTHS, waits(_OF_A0, "$0")], "a0.0 is written", [_LENGTHS, waits(_OF_A0, "@1 $0")]),
    "answer by a0": Rule([_LENGTHS, waits(_OF_A0, "@1 $0"), _add(r(11), r(12))], "$0.dst missing",
                         [_LENGTHS, waits(_OF_A0, "@1 $0"), _add(r(11), r(13))]),
    "a0": Rule([_LENGTHS, _NAMED], "a0.0 is written", [_LENGTHS, waits(_NAMED, "@1")]),
    # registers of their own kind
    "accumulator": Rule([_add(arf(ACCUMULATOR), r(1)), _add(r(11), arf(ACCUMULATOR))], "acc0 is written",
                        [_add(arf(ACCUMULATOR), r(1)), waits(_add(r(11), arf(ACCUMULATOR)), "@1")]),
    "accumulator beside a result": Rule(
        [_add(r(12), r(1), accumulates=True), _add(r(11), arf(ACCUMULATOR))], "acc0 is written",
        [_add(arf(ACCUMULATOR), r(1)), _add(arf(ACCUMULATOR), r(1)), alu("mach", r(12), r(1), r(2), n=8, accumulates=True)]),
    "control": Rule([_CONTROL, waits(_SYNC, "@1")], "the hardware does not guard its register",
                    [waits(_CONTROL, "@1"), waits(_SYNC, "@1")]),
    "after control": Rule([waits(_CONTROL, "@1"), _OTHER], "the instruction before it has a register",
                           [waits(_CONTROL, "@1"), waits(_OTHER, "@1")]),
    "channels": Rule([_CHANNELS, waits(_SYNC, "@1")], "the hardware does not guard its register",
                     [waits(_CHANNELS, "@1"), waits(_SYNC, "@1")]),
    # paths
    "on one path": Rule([*_IF, waits(_LOAD, "$1"), *_FI, _USE], "$1.dst missing",
                        [*_IF, waits(_LOAD, "$1"), *_FI, waits(_USE, "$1.dst")]),
    "waited for on one path": Rule([waits(_LOAD, "$1"), *_IF, waits(_SYNC, "$1.dst"), *_FI, _USE], "$1.dst missing",
                                   [waits(_LOAD, "$1"), *_IF, waits(_SYNC, "$1.dst"), *_FI, waits(_USE, "$1.dst")]),
    "nearest on one path": Rule([*_IF, _WRITE, *_FI, waits(_USE, "@3")], "@2 missing",
                                [*_IF, _WRITE, *_FI, waits(_USE, "@2")]),
    "past an else": Rule([_WRITE, *_IF_ELSE, waits(_USE, "@6")], "@5 missing", [_WRITE, *_IF_ELSE, waits(_USE, "@5")]),
    "nearer on the way back": Rule(
        [_WRITE, _OTHER, _OTHER, "loop", waits(_USE, "@3"), _WRITE, Jump("while", "loop", n=8, predicate=1)], "@2 missing",
        [_WRITE, _OTHER, _OTHER, "loop", waits(_USE, "@2"), _WRITE, Jump("while", "loop", n=8, predicate=1)]),
    "around a loop": Rule(
        ["loop", _USE, *_IF, waits(_LOAD, "@3 $1"), *_FI, Jump("while", "loop", n=8, predicate=1)], "$1.dst missing",
        ["loop", waits(_USE, "$1.dst"), *_IF, waits(_LOAD, "@3 $1"), *_FI, Jump("while", "loop", n=8, predicate=1)]),
    "after an endless loop": Rule(
        ["loop", *_IF, waits(_LOAD, "$1"), Jump("break", "end", "while", n=8), *_FI, "while",
         Jump("while", "loop", n=8), _USE], "$1.dst missing",
        ["loop", *_IF, Jump("break", "end", "while", n=8), *_FI, _WRITE, _OTHER, "while", Jump("while", "loop", n=8),
         waits(_USE, "@6")]),
    # if no channel is left, an instruction that obeys channels does not wait
    "a wait that channels obey": Rule(
        [waits(_ROOT_OF_ALL, "$4"), waits(_USE, "$4.dst"), _add(r(12), r(10), mask=False)],
        "$4.dst missing",
        [waits(_ROOT_OF_ALL, "$4"), waits(_SYNC, "$4.dst"), _USE, _add(r(12), r(10), mask=False)]),
    "a wait that channels obey, for others that do": Rule(
        [waits(_ROOT_OF_ALL, "$4"), waits(_USE, "$4.dst"), waits(_ROOT_OF_ALL, "@1 $4"), _add(r(12), r(10))],
        "$4.dst missing",
        [waits(_ROOT_OF_ALL, "$4"), waits(_USE, "$4.dst"), _add(r(12), r(10))]),
    "a wait that channels obey, in another block": Rule(
        [waits(_ROOT_OF_ALL, "$4"), *_IF, waits(_OTHER, "$4.dst"), _USE, *_FI, _add(r(12), r(10))],
        "$4.dst missing",
        [waits(_ROOT_OF_ALL, "$4"), waits(_SYNC, "$4.dst"), *_IF, _USE, *_FI, _add(r(12), r(10))]),
    "a token of both kinds": Rule(
        [*_TWICE, _AGAIN], "$4.src missing", [*_TWICE, waits(_OTHER, "$4.src"), _AGAIN]),
    "a distance that channels obey": Rule(
        [_add(r(10), r(1), mask=False), waits(_USE, "@1"), _add(r(12), r(10))], "@2 missing",
        [_add(r(10), r(1), mask=False), waits(_SYNC, "@1"), _USE, _add(r(12), r(10))]),
}  # fmt: skip


def kernel(items: Sequence[Item]) -> bytes:
    return assemble([*items, END_OF_THREAD])


def older_drops(code: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Gen9 or Gen11 code with one bit of dependency control less; which, and where. A compacted word takes another index."""
    at = 0
    while at < len(code):
        word = int.from_bytes(code[at : at + 16], "little")
        compacted = word >> 29 & 1
        size = 8 if compacted else 16
        control = older.CONTROL.words[word >> 8 & 31] if compacted and word & 127 not in _THREE_SOURCES else 0
        for name, low, bit in (("NoDDClr", 9, 4), ("NoDDChk", 10, 8), ("switch", 15, 0)):
            less = None
            if compacted and control & bit and control & ~bit in older.CONTROL.words:
                less = word & ~(31 << 8) | older.CONTROL.words.index(control & ~bit) << 8
            elif not compacted and word >> low & 1 and word & 127 not in range(32, 56):
                less = word & ~(1 << low)
            if less is not None:
                yield name, at, code[:at] + (less & (1 << 8 * size) - 1).to_bytes(size, "little") + code[at + size :]
        at += size
