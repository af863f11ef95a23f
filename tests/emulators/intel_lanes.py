"""One instruction over many operands: one per lane, with one result per lane."""

import random
import struct
from collections.abc import Callable, Sequence

from bare_intel import NUMBERS, BareIntel, Item, Launch, store
from intel_assembler import Operand, alu, imm, r

LANES, THREADS = 16, 32
MOST = LANES * THREADS
UNTOUCHED = 0xA5A5A5A5
RESULT = 40
_SIZES = {"ub": 8, "b": 8, "uw": 16, "w": 16, "hf": 16, "ud": 32, "d": 32, "f": 32}
EDGES = {
    8: (0, 1, 2, 7, 8, 0x7E, 0x7F, 0x80, 0x81, 0xFE, 0xFF),
    16: (0, 1, 15, 16, 17, 31, 32, 0xFF, 0x100, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF),
    32: (0, 1, 2, 31, 32, 33, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF),
}
REAL_EDGES = {
    16: (0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x3800, 0x3BFF, 0x3C00, 0xBC00, 0x3C01, 0x4100, 0xC100, 0x6400, 0x7BFF, 0xFBFF,
         0x7C00, 0xFC00, 0x7E00),
    32: (0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0xBF800000, 0x3F800001,
         0x40200000, 0xC0200000, 0x477FE000, 0x477FF000, 0x33800000, 0x4B000001, 0x4F000000, 0xCF000001, 0x7F7FFFFF,
         0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000),
}  # fmt: skip


def bits_of(type: str) -> int:
    return _SIZES[type]


def region(number: int, type: str) -> Operand:
    """One element per dword, of a source or of a result."""
    step = 32 // _SIZES[type]
    return r(number, type, region=(8 * step, 8, step))


def operands(types: Sequence[str], seed: str, count: int = MOST) -> list[tuple[int, ...]]:
    """Bits of each source: edges and random numbers, many of them small or near to each other."""
    chance = random.Random(seed)

    def value(type: str) -> int:
        bits = _SIZES[type]
        edges = (REAL_EDGES if type in ("f", "hf") else EDGES)[bits]
        if chance.random() < 0.4:
            return chance.choice(edges)
        number = chance.getrandbits(bits)
        if type in ("f", "hf") and chance.random() < 0.7:  # of one size, so that sums are rounded
            digits = 23 if type == "f" else 10
            middle = (127 if type == "f" else 15) + chance.randrange(-3, 4)
            number = number & ~((1 << bits - 1) - (1 << digits)) | middle << digits
        elif chance.random() < 0.3:
            number &= 0x1F
        return number

    return [tuple(value(type) for type in types) for _ in range(count)]


def run(intel: BareIntel, code: Sequence[Item], values: Sequence[tuple[int, ...]], shape: Launch | None = None) -> list[int]:
    """The values of r40 afterwards, a dword per lane, from sources in r10, r12 and r14, also a dword per lane."""
    assert len(values) == MOST
    own = []
    for thread in range(THREADS):
        mine = values[thread * LANES :][:LANES]
        content = b""
        for k in range(3):
            column = [value[k] if k < len(value) else 0 for value in mine]
            content += struct.pack(f"<{LANES}I", *column)
        own.append(content)
    # r3 to r8 are the sources as they are passed: NUMBERS would take their place.
    moves = [alu("mov", r(10 + 2 * k), r(3 + 2 * k)) for k in range(3)]
    shape = shape or Launch()
    out = intel.launch(
        [*moves, *NUMBERS, alu("mov", r(RESULT), imm(UNTOUCHED)), *code, *store(r(RESULT), 0, 3)],
        [4 * MOST],
        Launch(threads=THREADS, denormals=shape.denormals, rounding=shape.rounding),
        own,
    )
    assert out.done, out.marks
    assert not out.marks
    return out.words(0)


def compare(
    values: Sequence[tuple[int, ...]], found: Sequence[int], bits: int, want: Callable[..., Sequence[int]], text: str
) -> None:
    """Each result is one of the wanted ones, and a narrow result changes nothing else."""
    for sources, got in zip(values, found, strict=True):
        wanted = want(*sources)
        low = got & (1 << bits) - 1
        assert low in wanted, f"{text} of {', '.join(map(hex, sources))}: {low:#x}, not {', '.join(map(hex, wanted))}"
        assert got >> bits == UNTOUCHED >> bits, f"{text} writes beyond its {bits} bits: {got:#x}"
