"""Launches and draws of the emulated Mali with flipped bits, in a child process (test_bare_hostile.py).

python mali_hostile.py LIBRARY FIRST COUNT
"""

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import test_valhall_images as valhall_images
from bare_gpu import BareGpu, Outcome
from bare_mali import BareMali
from bare_valhall import RUN_COMPUTE, BareValhall
from hostile_cases import BUDGET, go_through
from test_mali_draws import SMOOTH, Drawn, draw
from test_mali_images import KEEP, PLACES, READS, RGBA8UI, ROWS, run
from test_mali_stream import COMMANDS, launch_by_stream
from test_mali_stream import KEEP as KEEP_BY_STREAM

_STORES = """
    *MKVEC.v2i16 r2 = r0 r1
    *DTSEL_IMM = r2 table=attribute_1 ; +LEA_ATTR_TEX @r4 = t #0 #0 register_format=u32
    *MOV.i32 r13 = r12
    +ST_CVT @r10 = r4 r5 r6 vecsize=v4
    +BRANCHZ.i32 = r60 out cmpf=eq
    +ATOM_CX @r20 = r20 r21 r10
    out:
"""

# Of a loop with a barrier: atomics, local and private memory, exchanges between lanes.
ATOMS = """
    IADD_IMM.i32 r12 = #0 #3
    loop:
    CLPER.i32 r13 = r60 #0x03020100 lanes1=b00 lane_op=xor subgroup=subgroup16
    ATOM_RETURN.i32 @r12:r14 = r2 atom_opc=aadd written=0 .wait0
    BARRIER .wait
    IADD_IMM.i32 r12 = r12 #-1
    BRANCHZ = r12 loop cmpf=ne .reconverge
    STORE.i32 @r14 = r2 slot=1 .wait1
"""


class Turned(BareGpu):
    """Flips bits of its input; the number decides which."""

    chance = random.Random(0)

    def execute(self, contents: Sequence[bytes], address: int, count: int = 0, budget: int = BUDGET) -> Outcome:
        turned = [bytearray(content) for content in contents]
        for content, most in zip(turned, (4, 3, 2, 3, 2, 3), strict=False):
            used = max((n for n, byte in enumerate(content) if byte), default=0) + 1
            for _ in range(self.chance.randrange(most) if self.chance.random() < 0.5 else 0):
                place = self.chance.randrange(8 * used)
                content[place // 8] ^= 1 << place % 8
        return super().execute([bytes(content) for content in turned], address, count, min(budget, BUDGET))


class Bifrost(Turned, BareMali):
    def case(self, number: int) -> Outcome:
        if number % 3 == 0:
            return draw(self, Drawn(tiled=number % 2 == 0, fragment=SMOOTH))[0]
        code = PLACES + (READS["TEXC"] + READS["LD_ATTR_TEX"] if number % 3 == 1 else _STORES) + "\n" + KEEP
        return run(self, code, ROWS, RGBA8UI, tiled=False, row=64)


class Valhall(Turned, BareValhall):
    def case(self, number: int) -> Outcome:
        code = (ATOMS, "".join(valhall_images.READS.values()), valhall_images.STORES)[number % 3]
        return valhall_images.run(self, code, bytes(64), RGBA8UI, tiled=number % 2 == 0)


class Stream(Turned, BareValhall):
    def case(self, _: int) -> Outcome:
        return launch_by_stream(self, [*COMMANDS, RUN_COMPUTE << 56], KEEP_BY_STREAM)


class Hostile:
    """A Bifrost, a Valhall, and one with a command stream, in turn."""

    def __init__(self, library: Path) -> None:
        self._gpus = (Bifrost(library), Valhall(library), Stream(library, "g610"))

    def case(self, number: int) -> Outcome:
        gpu = self._gpus[number // 3 % 3]
        gpu.chance = random.Random(number)
        return gpu.case(number)


if __name__ == "__main__":
    go_through(Hostile(Path(sys.argv[1])), *sys.argv[2:])
