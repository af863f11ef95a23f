"""The items of a work-group together, in Python: each statement of the kernel is run for all items in turn.

Shared memory changes only in special statements, which end with a barrier; between two of them, each item runs by itself
(interpreter.py).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from .interpreter import Frame, Value, evaluate, final_words, initial_frame, run, store, word
from .language import BITS, SCALARS, SHARED, WIDTHS, Block, Program, Statement, base, vector, width, wrap

FIRST = 0x9E3779B97F4A7C15  # times its index: the initial value of an element of the union
SIZES = {vector(s, w): BITS[s] // 8 * (4 if w == 3 else w) for s in SCALARS for w in (1, *WIDTHS)}  # bytes
Pixels = dict[tuple[int, int], Value]


@dataclass
class Group:
    """A work-group: the frames of its items, its sub-groups (lists of items in the order of their lanes), its memory."""

    frames: list[Frame]
    sub_groups: Sequence[Sequence[int]]
    bytes: bytearray
    memory: dict[str, list[int]] = field(default_factory=dict)


def interpret_group(
    program: Program,
    rows: Sequence[Mapping[str, int]],
    sub_groups: Sequence[Sequence[int]] = (),
    images: Mapping[str, Pixels] | None = None,
) -> tuple[list[list[int]], Pixels]:
    """The words that each item writes to `out`, and the pixels of the image `om`. `images`: the pixels of the others."""
    kernel = program.kernel
    written: Pixels = {(x, y): (0, 0, 0, 0) for x in range(len(rows)) for y in range(8)}
    frames = [initial_frame(program, row) for row in rows]
    for item, frame in enumerate(frames):
        frame.values["item"] = item
        frame.images = {**(images or {}), "om": written}
    union = b"".join((i * FIRST % 2**64).to_bytes(8, "little") for i in range(SHARED["u"].size))
    memory = {n: [i * 3 + 1 for i in range(SHARED[n].size)] for n in ("la", "lb", "lo", "ga", "gb")}
    group = Group(frames, sub_groups, bytearray(union), memory)
    _run(group, kernel.body)
    out = []
    for item, frame in enumerate(frames):
        own = [_own_counter_name(group, name, item) for name in kernel.shared if SHARED[name].own]
        out.append([*final_words(frame, kernel), *own])
    return out, written


def _own_counter_name(group: Group, name: str, item: int) -> int:
    if name == "u":
        return int.from_bytes(group.bytes[item * 8 : item * 8 + 8], "little")
    shared = SHARED[name]
    return word(group.memory[name][item % shared.size], shared.type)


def _run(group: Group, block: Block) -> None:
    for s in block:
        match s.op:
            case "repeat":
                counter, count = s.value
                for n in range(count + 1):
                    for frame in group.frames:
                        frame.values[counter] = n
                    if n < count:
                        _run(group, s.blocks[0])
            case "exchange":
                _exchange(group, s)
            case "atomic":
                _atomic(group, s)
            case "own_atomic":
                _own_atomic(group, s)
            case "sub_group":
                _sub_group(group, s)
            case _:
                for frame in group.frames:
                    run(frame, (s,))


def _exchange(group: Group, s: Statement) -> None:
    """Each item writes its element as one type; then each reads an element as another type."""
    wrote, read = s.value
    for item, frame in enumerate(group.frames):
        value = evaluate(frame, s.nodes[1])
        parts = value if width(wrote) > 1 else (value,)
        data = b"".join((p % (1 << BITS[base(wrote)])).to_bytes(BITS[base(wrote)] // 8, "little") for p in parts)
        group.bytes[item * SIZES[wrote] : item * SIZES[wrote] + len(data)] = data
    for frame in group.frames:
        place = (evaluate(frame, s.nodes[2]) & 1024 // SIZES[read] - 1) * SIZES[read]
        size = BITS[base(read)] // 8
        parts = [
            wrap(int.from_bytes(group.bytes[place + i * size : place + (i + 1) * size], "little"), base(read))
            for i in range(width(read))
        ]
        store(frame, s.nodes[0], tuple(parts) if width(read) > 1 else parts[0])


def _atomic(group: Group, s: Statement) -> None:
    """All items do one operation on common counters, in any order; then each reads a counter."""
    op, name = s.value
    memory, kind = group.memory[name], SHARED[name].type
    for frame in group.frames:
        place = evaluate(frame, s.nodes[2]) & 7
        memory[place] = wrap(ATOMICS[op](memory[place], evaluate(frame, s.nodes[1])), kind)
    for frame in group.frames:
        store(frame, s.nodes[0], memory[evaluate(frame, s.nodes[3]) & 7])


def _own_atomic(group: Group, s: Statement) -> None:
    """An operation on a counter that no other item uses; its old value is read."""
    op, turn = s.value
    memory = group.memory["lo"]
    for item, frame in enumerate(group.frames):
        old, value = memory[item ^ turn], evaluate(frame, s.nodes[1])
        if op == "cmpxchg":
            new = value if old == evaluate(frame, s.nodes[2]) else old
        else:
            new = value if op == "xchg" else ATOMICS[op](old, value)
        memory[item ^ turn] = wrap(new, "uint")
        store(frame, s.nodes[0], old)


def _sub_group(group: Group, s: Statement) -> None:
    op, lane = s.value
    kind = s.nodes[1].type
    for items in group.sub_groups:
        values = [evaluate(group.frames[i], s.nodes[1]) for i in items]
        for i, answer in zip(items, _collective(op, lane, kind, values), strict=True):
            store(group.frames[i], s.nodes[0], answer)


def _collective(op: str, lane: int, kind: str, values: list[Any]) -> list[Any]:
    """The results of a sub-group function in the lanes (OpenCL C 3.0, 6.15.20)."""
    count = len(values)
    if op in ("any", "all"):
        return [int((any if op == "any" else all)(values))] * count
    if op == "broadcast":
        return [values[lane % count]] * count
    how, _, name = op.rpartition("_")
    combine, bits = REDUCTIONS[name], BITS[kind]
    low, high = (0, (1 << bits) - 1) if kind.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)
    identity = {"add": 0, "min": high, "max": low}[name]
    totals = [wrap(v, kind) for v in accumulate(values, combine)]
    match how:
        case "reduce":
            return [totals[-1]] * count
        case "scan_inclusive":
            return totals
        case _:
            return [identity, *totals[:-1]]


REDUCTIONS: dict[str, Callable[[int, int], int]] = {"add": lambda a, b: a + b, "min": min, "max": max}
ATOMICS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "inc": lambda a, _: a + 1,
    "dec": lambda a, _: a - 1,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "min": min,
    "max": max,
}
