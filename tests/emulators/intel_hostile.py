"""Kernels and batches of the emulated Intel GPU with flipped bits, in a child process (test_bare_hostile.py).

python intel_hostile.py LIBRARY FIRST COUNT
"""

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from bare_gpu import Outcome
from bare_intel import NUMBERS, BareIntel, Item, Launch, store
from hostile_cases import BUDGET, go_through
from intel_assembler import DATA0, DATA1, END_OF_THREAD, SIGNAL, WAIT, Jump, alu, arf, assemble, imm, message, r, send

_KERNEL: list[Item] = [
    *NUMBERS,
    alu("shl", r(30), r(3), imm(2)),
    send(DATA1, message(2, 0, 0x09, 0x1E, 254), payload=r(30), rest=r(3), extended=2 << 6),
    SIGNAL,
    WAIT,
    send(DATA1, message(2, 2, 0x01, 0x1E, 254), r(40), r(30)),
    send(DATA0, message(1, 1, 7, 0x20, 254, True), r(95), r(0), n=8, mask=False),
    alu("mul", arf(0x20, "ud"), r(3), r(40, "uw", 0, (16, 8, 2)), n=8),
    alu("mach", r(42), r(3), r(40), n=8, accumulates=True),
    alu("cmp", r(50), r(3), imm(5), condition="l"),
    Jump("if", "else", "end", predicate=1),
    alu("mad", r(44, "f"), r(40, "f"), r(3, "f"), r(30, "f")),
    Jump("else", "end", "end"),
    "else",
    alu("math.inv", r(44, "f"), r(40, "f")),
    "end",
    Jump("endif", "after"),
    "after",
    alu("mov", r(40, "hf", 0, (0, 1, 2)), r(44, "f"), saturate=True),
    send(DATA1, message(2, 2, 0x01, 0x1E, 0), r(46), r(30)),
    send(DATA1, message(2, 0, 0x02, 0x07, 0), payload=r(30), rest=r(3), extended=2 << 6),
    *store(r(40), 1, 3),
]
_CODE = assemble([*_KERNEL, END_OF_THREAD])
_SHAPE = Launch(local_code=1, threads=2, scratch_code=0, surfaces=((0, 64),))


class Hostile(BareIntel):
    """Flips bits of its input; the number decides which."""

    chance = random.Random(0)

    def _turn(self, content: bytearray, bits: int) -> None:
        for _ in range(bits):
            place = self.chance.randrange(8 * len(content))
            content[place // 8] ^= 1 << place % 8

    def submit(self, commands: Sequence[int], buffers: Sequence[bytes], budget: int = BUDGET) -> Outcome:
        words = bytearray(b"".join(word.to_bytes(4, "little") for word in commands))
        state = bytearray(buffers[0])
        if self.chance.random() < 0.4:
            self._turn(words, self.chance.randrange(1, 4))
        for first, last in ((0, 32), (0x8000, 0x8004), (0x9000, 0x9040)):  # descriptor, table, surface
            if self.chance.random() < 0.2:
                part = state[first:last]
                self._turn(part, 2)
                state[first:last] = part
        turned = [int.from_bytes(words[at : at + 4], "little") for at in range(0, len(words), 4)]
        return super().submit(turned, [bytes(state), *buffers[1:]], budget)

    def case(self, number: int) -> Outcome:
        self.chance = random.Random(number)
        code = bytearray(_CODE)
        self._turn(code, self.chance.randrange(5))
        return self.launch(bytes(code), [bytes(range(64)), 256], _SHAPE, budget=BUDGET)


if __name__ == "__main__":
    go_through(Hostile(Path(sys.argv[1]), "tgl"), *sys.argv[2:])
