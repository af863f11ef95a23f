"""Launches and draws of the emulated Mali with bits turned, in a process that is watched (test_bare_hostile.py).

python mali_hostile.py LIBRARY FIRST COUNT
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from bare_gpu import Outcome
from bare_mali import BareMali
from hostile_cases import BUDGET, go_through
from test_mali_draws import SMOOTH, Drawn, draw
from test_mali_images import KEEP, PLACES, READS, RGBA8UI, ROWS, run

_STORES = """
    *MKVEC.v2i16 r2 = r0 r1
    *DTSEL_IMM = r2 table=attribute_1 ; +LEA_ATTR_TEX @r4 = t #0 #0 register_format=u32
    *MOV.i32 r13 = r12
    +ST_CVT @r10 = r4 r5 r6 vecsize=v4
    +BRANCHZ.i32 = r60 out cmpf=eq
    +ATOM_CX @r20 = r20 r21 r10
    out:
"""


class Hostile(BareMali):
    """Turns bits of what it is given, by a number alone."""

    chance = random.Random(0)

    def execute(self, contents: Sequence[bytes], address: int, count: int = 0, budget: int = BUDGET) -> Outcome:
        turned = [bytearray(content) for content in contents]
        for content, most in zip(turned, (4, 3, 2, 3, 2, 3), strict=False):
            used = max((n for n, byte in enumerate(content) if byte), default=0) + 1
            for _ in range(self.chance.randrange(most) if self.chance.random() < 0.5 else 0):
                place = self.chance.randrange(8 * used)
                content[place // 8] ^= 1 << place % 8
        return super().execute([bytes(content) for content in turned], address, count, min(budget, BUDGET))

    def case(self, number: int) -> Outcome:
        self.chance = random.Random(number)
        if number % 3 == 0:
            return draw(self, Drawn(tiled=number % 2 == 0, fragment=SMOOTH))[0]
        code = PLACES + (READS["TEXC"] + READS["LD_ATTR_TEX"] if number % 3 == 1 else _STORES) + "\n" + KEEP
        return run(self, code, ROWS, RGBA8UI, tiled=False, row=64)


if __name__ == "__main__":
    go_through(Hostile(Path(sys.argv[1])), *sys.argv[2:])
