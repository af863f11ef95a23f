"""Values of several widths that all stay live through loops and branches, and need more registers than there are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas

Words = NDArray[Any]
MIN_GROUP, MAX_GROUP = 64, 1024
# Types that fill registers, and parts of them: scalars, vectors, and values between two of another width.
TYPES = {
    "mixed": ("uint", "ushort4", "uchar", "uint4", "ushort", "uint2", "uchar2", "ushort3"),
    "long": ("ulong", "ushort2", "uint3", "ulong2", "uchar", "uint"),
}


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the loop's body, and the values that it updates: those whose number is `part` modulo `parts`.

    `opening`: the text before it; `enters`: whether an item enters it, from its control word and the round; `leaves`: items
    that do not enter leave the loop.
    """

    opening: str
    enters: Callable[[Words, int], Any]
    part: int = 0
    parts: int = 1
    leaves: bool = False


FLOWS: dict[str, tuple[Block, ...]] = {
    "straight": (Block("{", lambda c, j: c == c),),
    "divided": (
        Block("if (c >> j & 1) {", lambda c, j: c >> j & 1, 0, 2),
        Block("} else if (c >> j & 2) {", lambda c, j: ~(c >> j) & (c >> j >> 1) & 1, 1, 2),
        Block("} else {", lambda c, j: (c >> j & 3) == 0, 1, 3),
    ),
    "nested": (
        Block("{ if (c & 1) { if (c >> j & 2) {", lambda c, j: c & (c >> j >> 1) & 1, 0, 2),
        Block("} else {", lambda c, j: c & ~(c >> j >> 1) & 1, 1, 2),
        Block("} } if (c & 4) {", lambda c, j: c >> 2 & 1, 1, 3),
        Block("}", lambda c, j: c == c, 2, 3),
    ),
    "switched": (
        Block("switch (c + j & 3) { case 0:", lambda c, j: (c + j & 3) == 0, 0, 4),
        Block("break; case 1:", lambda c, j: (c + j & 3) == 1, 1, 4),
        Block("case 2:", lambda c, j: ((c + j & 3) == 1) | ((c + j & 3) == 2), 2, 4),
        Block("break; default:", lambda c, j: (c + j & 3) == 3, 3, 4),
    ),
    "left": (
        Block("{", lambda c, j: c == c, 0, 2),
        Block("if ((c >> 4 & 3) == j) break;", lambda c, j: (c >> 4 & 3) != j, 1, 2, leaves=True),
    ),
    "continued": (
        Block("{", lambda c, j: c == c, 0, 2),
        Block("if (c >> j & 4) continue;", lambda c, j: (c >> j & 4) == 0, 1, 2),
    ),
}


@dataclass(frozen=True, slots=True)
class Value:
    """A variable of the kernel: its type, and the index of its first component among the words of an item."""

    scalar: str
    width: int
    first: int

    @property
    def type(self) -> str:
        return f"{self.scalar}{self.width if self.width > 1 else ''}"

    def component(self, name: str, n: int) -> str:
        return f"{name}.s{n}" if self.width > 1 else name


def _values(kinds: tuple[str, ...], count: int) -> Iterator[Value]:
    first = 0
    for k in range(count):
        kind = kinds[k % len(kinds)]
        scalar = kind.rstrip("0123456789")
        yield Value(scalar, int(kind[len(scalar) :] or 1), first)
        first += int(kind[len(scalar) :] or 1)


def _updated(values: list[Value], block: Block) -> Iterator[tuple[int, int, int]]:
    """Each value that the block updates: its number, its factor, and the number of the value that is added."""
    for k in range(block.part, len(values), block.parts):
        yield k, 2 * (k % 7) + 3, (k + 1) % len(values)


_EXCHANGE = """    barrier(CLK_LOCAL_MEM_FENCE);
    l[get_local_id(0)] = v0;
    barrier(CLK_LOCAL_MEM_FENCE);
    v0 += ({scalar})l[{last} - get_local_id(0)];
"""


def _source(values: list[Value], blocks: tuple[Block, ...], word: str, group: int, shared: bool) -> str:
    text = [
        f"__kernel __attribute__((reqd_work_group_size({group}, 1, 1)))\n",
        f"void f(__global {word} *out, __global const {word} *in, __global const uint *control, uint rounds) {{\n",
        f"  __local {word} l[{group}];\n" * shared,
        f"  uint i = get_global_id(0), c = control[i], trips = {'rounds' if shared else '(c & 3) + 1'};\n",
    ]
    words = sum(value.width for value in values)
    for k, value in enumerate(values):
        parts = ", ".join(f"({value.scalar})in[i * {words} + {value.first + n}]" for n in range(value.width))
        text.append(f"  {value.type} v{k} = ({value.type})({parts});\n")
    text += [f"  bool p{k} = {values[k].component(f'v{k}', 0)} & 1;\n" for k in range(0, len(values), 5)]
    text.append("  for (uint j = 0; j < trips; j++) {\n")
    text.append(_EXCHANGE.format(scalar=values[0].scalar, last=group - 1) if shared else "")
    for block in blocks:
        text.append(f"    {block.opening}\n")
        for k, factor, other in _updated(values, block):
            value, added = values[k], values[other].component(f"v{other}", values[other].width - 1)
            s = value.scalar
            text.append(f"      v{k} = v{k} * ({s}){factor} + ({value.type})(({s}){added} + ({s})j);\n")
    text.append("    }\n  }\n")
    text += [f"  if (p{k}) v{k} += ({values[k].scalar})c;\n" for k in range(0, len(values), 5)]
    for k, value in enumerate(values):
        for n in range(value.width):
            text.append(f"  out[i * {words} + {value.first + n}] = {value.component(f'v{k}', n)};\n")
    return "".join([*text, "}\n"])


def _model(values: list[Value], blocks: tuple[Block, ...], given: Words, control: Words, rounds: int) -> Words:
    """The final words. `given`: (items, words). All types wrap. `rounds`: of all items; if 0, each item has its own."""
    held = [given[:, v.first : v.first + v.width].astype(np_type(v.scalar)) for v in values]
    tested = [x[:, 0] & x.dtype.type(1) for x in held]
    alive = np.ones(len(control), bool)
    for j in range(4):
        alive = alive & (j < (rounds or (control & 3) + 1))
        if rounds > j:
            held[0] = held[0] + held[0][::-1]
        for block in blocks:
            enters = alive & np.asarray(block.enters(control, j), bool)
            alive = enters if block.leaves else alive
            for k, factor, other in _updated(values, block):
                kind = held[k].dtype.type
                added = held[other][:, -1:].astype(kind) + kind(j)
                held[k] = np.where(enters[:, None], held[k] * kind(factor) + added, held[k])
    for k in range(0, len(values), 5):
        more = control.astype(held[k].dtype)[:, None]
        held[k] = np.where(tested[k][:, None] != 0, held[k] + more, held[k])
    return np.concatenate([x.astype(given.dtype) for x in held], axis=1)


def check_flow(device: Device, *, flow: str, types: str, values: int, shared: bool) -> None:
    """`values` variables, whose types repeat TYPES[types], are updated by FLOWS[flow]; each item takes its own path.

    `shared`: one group, as large as possible, whose items exchange a value in each round, so that all registers are in use.
    """
    made, blocks, word = list(_values(TYPES[types], values)), FLOWS[flow], "ulong" if types == "long" else "uint"
    group = min(int(device.device.max_work_group_size), MAX_GROUP) if shared else MIN_GROUP
    kernel = device.build(pragmas(word) + _source(made, blocks, word, group, shared)).f
    room = kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, device.device)
    if room < group:  # the kernel needs too many registers for a larger group
        group = room
        kernel = device.build(pragmas(word) + _source(made, blocks, word, group, shared)).f
    items, rounds, words = group, 3 if shared else 0, sum(value.width for value in made)
    given = device.rng.integers(0, 1 << 64, (items, words), dtype=np.uint64).astype(np_type(word))
    control = device.rng.integers(0, 1 << 8, items, dtype=np.uint32)
    out = device.buffer(np.zeros_like(given))
    device.launch(kernel, [items], [group], out, device.buffer(given), device.buffer(control), np.uint32(rounds))
    want = _model(made, blocks, given, control, rounds)
    check.equal("components of all values", device.read(out, given.dtype, given.shape), want)
