"""The input of hostile.py: command streams and shaders that no driver makes, each made from a seed."""

import random
import struct
from collections.abc import Mapping

from assembler import assemble
from bare_gpu import CP_EXEC_CS, Shape, launch_commands, packet, registers

from emulators.adreno.generate import pattern
from emulators.adreno.instructions import INSTRUCTIONS

PAGE = 4096
SIZES = {"code": 8 * PAGE, "stream": 8 * PAGE, "nested": 2 * PAGE, "data": 16 * PAGE, "more": 4 * PAGE, "descriptors": PAGE}
_PACKETS = (0x10, 0x26, 0x2C, 0x33, 0x34, 0x36, 0x38, 0x3D, 0x3E, 0x3F, 0x41, 0x42, 0x43, 0x46, 0x5C, 0x65, 0x73, 0x75)
# Registers that the emulator reads: of the compute shader, the 2D engine, a draw.
_REGISTERS = (
    *range(0xA9B0, 0xA9C8), *range(0xA9CD, 0xA9DC), *range(0xA9E0, 0xA9F4), *range(0xB980, 0xB99C), 0xB302, 0xB2D2,
    *range(0x8400, 0x840C), *range(0x8C00, 0x8C34), *range(0xB4C0, 0xB4CE), *range(0xB2C0, 0xB2CE), *range(0x8010, 0x8016),
    *range(0x8820, 0x8828), *range(0x8903, 0x8906), *range(0xA010, 0xA018), *range(0xA090, 0xA094), *range(0xA0D0, 0xA0D2),
    0x80B0, 0x80B1, 0x80D0, 0x80D1, 0x80F0, 0x80F1, 0x8801, 0x880F, 0x8871, 0x8000, 0x9104, 0x9301, 0xA000, 0xA001, 0xA800,
    0xA802, 0xA803, 0xA813, 0xA81C, 0xA81D, 0xA824, 0xA980,
    0xA983, 0xA984, 0xA98E, 0xA9A7, 0xAB05,
)  # fmt: skip
_ADDRESSES = {0xA9B4, 0xA9E8, 0xA9EA, 0xA9F2, 0xB302, 0x8C18, 0x8C20, 0xB4C2, 0xB2C2, 0xB4CA, 0xB2CA, 0x8825, 0x8903, 0xA010,
              0xA81C, 0xA983, 0xA9E0, 0xA9E4}  # fmt: skip

_SHADER = """
    mov.u32u32 r4.x, c0.x
    mov.u32u32 r4.y, c0.y
    shps offset=body
    ldg.k type=u32 dst=c2.x address=r4.x size=2
    stc type=u32 dst=c3.x data=r4.x size=2
    (ss)shpe
    body:
    and.b r2.x, r0.w, 63
    shl.b r2.y, r2.x, 2
    mov.u32u16 hr20.x, r2.x
    cmps.u.lt p0.x, r2.x, 20
    br predicate=0 inverted=1 offset=other
    ldg.a type=u32 dst=r6.x address=r4.x index=r2.y size=2
    stl type=u32 data=r6.x address=r2.y size=1
    jump offset=join
    other:
    (rpt2)mov.f32u16 hr20.y, r0.w
    predt
    stp type=u32 data=r2.x address=r2.y size=1
    predf
    ldp type=u32 dst=r2.x address=r2.y size=1
    prede
    join:
    (jp)bar
    atomic.l.add type=u32 dst=r7.x address=r2.y data=r2.x
    atomic.g.max type=u32 dst=r7.x address=r4.x data=r2.x
    mov.s16s16 a0.x, hr20.x
    absneg.s r3.x, r<a0.x + 8>
    loop:
    add.s r2.x, r2.x, -1
    cmps.s.gt p0.y, r2.x, 0
    shfl type=u32 dst=r7.y data=r2.x index=r0.w mode=1
    getone offset=skip
    mad.f32 r7.z, r2.x, r2.y, r3.x
    skip:
    br predicate=1 offset=loop
    isam type=u32 dst=r8.x mask=15 indirect=1 mode=6 descriptor=0 src=r2.x
    ldib.b type=u32 dst=r9.x address=r2.x size=0 bindless=1
    stib.b type=u32 data=r9.x address=r2.x size=0 bindless=1
    ldc dst=r10.x address=r2.x address_immediate=0 size=1 descriptor=0
    stg.a type=u32 data=r6.x address=r4.x index=r2.y size=1
    end
"""


class Input:
    """Command streams and shaders for buffers that lie at these addresses."""

    def __init__(self, at: Mapping[str, int]) -> None:
        self.at = at
        self.shader_words = assemble(_SHADER)
        self.chance = random.Random()

    def near(self) -> int:
        """An address: in a buffer, at its ends, a little outside, or anywhere."""
        name, c = self.chance.choice(list(SIZES)), self.chance
        offset = c.choice((0, 0, SIZES[name], SIZES[name] - 4, -4, c.randrange(SIZES[name]), c.randrange(SIZES[name]) & ~63))
        return c.getrandbits(64) if c.random() < 0.03 else self.at[name] + offset

    def number(self) -> int:
        c = self.chance
        return c.choice(
            (
                0,
                1,
                2,
                3,
                4,
                255,
                0x7FFFFFFF,
                0xFFFFFFFF,
                c.getrandbits(4),
                c.getrandbits(8),
                c.getrandbits(16),
                c.getrandbits(32),
            )
        )

    def flip(self, words: list[int], width: int) -> None:
        for _ in range(self.chance.choice((1, 1, 1, 2, 4, 16))):
            n = self.chance.randrange(len(words))
            match self.chance.randrange(8):
                case 0:
                    words[n] = self.chance.getrandbits(width)
                case 1:
                    words[n] = words[self.chance.randrange(len(words))]
                case 2:
                    del words[n]
                    words.append(0)
                case _:
                    words[n] ^= 1 << self.chance.randrange(width)

    def instruction(self, generation: int) -> int:
        """A word of the table with random bits. Registers are low, so that the shader does not end at once."""
        known = [i for i in INSTRUCTIONS if i.generations[0] <= generation * 100 <= i.generations[1]]
        i = self.chance.choice(known)
        mask, value = pattern(i)
        word = value | self.chance.getrandbits(64) & ~mask
        if i.category == 0 and self.chance.random() < 0.9:
            word = word & ~0xFFFFFFFF | self.chance.randrange(-6, 7) & 0xFFFFFFFF
        if self.chance.random() < 0.6:  # destinations below r16
            word &= ~(0xC0 << 32) | mask
        if self.chance.random() < 0.6:
            word &= ~0xC0C0C0C0 | mask
        return word

    def shader(self, generation: int) -> list[int]:
        words = list(self.shader_words)
        kind = self.chance.random()
        if kind < 0.4:
            self.flip(words, 64)
        elif kind < 0.9:
            count = self.chance.randrange(1, 40)
            words = [*words[:2], *(self.instruction(generation) for _ in range(count)), words[-1]]
        else:
            words = [self.chance.getrandbits(64) for _ in range(self.chance.randrange(1, 64))] + words[-1:]
        return words

    def descriptors(self) -> bytes:
        words: list[int] = []
        for _ in range(PAGE // 64):
            address, c = self.near() & ~63, self.chance
            words += [
                c.choice((0x4B, 0x4A, 0x30, 0x82, c.getrandbits(8))) << 22 | 0x688 << 4 | c.choice((0, 3, c.getrandbits(9))),
                c.choice((16 | 16 << 15, 1 | 1 << 15, c.getrandbits(30))),
                c.choice((1, 1, 4, 3, 0, c.getrandbits(3))) << 29 | c.choice((64 << 7, 1024 << 7, c.getrandbits(22) << 7)),
                c.choice((0, 1, c.getrandbits(23) | c.getrandbits(1) << 28)),
                address & 0xFFFFFFFF,
                address >> 32 & 0x1FFFF | c.choice((1, 1, c.getrandbits(12))) << 17,
                0, *(c.choice((0, self.near() & 0xFFFFFFFF, 0x12, c.getrandbits(8))) for _ in range(5)), 0, 0, 0, 0,
            ]  # fmt: skip
        return struct.pack(f"<{len(words)}I", *words)

    def shape(self) -> Shape:
        c = self.chance
        size = c.choice(
            ((64, 1, 1), (1, 1, 1), (128, 1, 1), (100, 1, 1), (8, 4, 2), (1024, 1, 1), (1, 1024, 1), (33, 31, 1))
        )
        ubos = tuple((self.near() & ~15, c.choice((16, 256, 4096))) for _ in range(c.randrange(3)))
        groups = c.choice(((1, 1, 1), (1, 1, 1), (2, 2, 2), (0, 1, 1), (7, 1, 3)))
        return Shape(size, groups, c.choice((64, 128)), c.choice((1, 2, 32)), c.choice((0, 512, 512, 1024)), ubos)

    def constants(self) -> list[int]:
        words = []
        for _ in range(8):
            address = self.near() if self.chance.random() < 0.3 else self.at[self.chance.choice(("data", "more"))]
            words += [address & 0xFFFFFFFF, address >> 32 & 0xFFFFFFFF]
        return words + [self.number() for _ in range(self.chance.randrange(0, 32))]

    def state(self) -> list[int]:
        """Registers of every instruction that reads some, addresses among them."""
        words: list[int] = []
        for number in self.chance.sample(_REGISTERS, self.chance.choice((0, 0, 1, 2, 8, 60))):
            if number in _ADDRESSES:
                address = self.near()
                words += registers(number, address & 0xFFFFFFFF, address >> 32 & 0xFFFFFFFF)
            else:
                words += registers(number, self.number())
        return words

    def blit(self, generation: int) -> list[int]:
        """The 2D engine, set up for a copy, with a few random changes."""
        c, control = self.chance, self.chance.choice((0xF00000, 0xF00080, 0xF10000, 0xF10080)) | _inside(self.chance)
        source = 0xB2C0 if generation == 7 else 0xB4C0
        format_ = c.choice((0x4B, 0x30, 0x82, 0x03, c.getrandbits(8)))
        to, from_ = self.near() & ~63, self.near() & ~63
        corner = c.choice((15 | 15 << 16, 63 | 63 << 16, c.getrandbits(30)))
        return [
            *registers(0x8400, control), *registers(0x8C00, control),
            *registers(0x8401, 0, c.choice((15, 0x3F)) << 8, 0, c.choice((15, 0x3F)) << 8),
            *registers(0x8405, c.choice((0, 5, 5 << 16)), corner),
            *registers(0x840A, c.choice((0, 20, 100 << 16)), c.choice((10 | 10 << 16, 63 | 63 << 16))),
            *registers(0x8C17, format_ | c.choice((0, 0, 3 << 8, 0x13 << 8))), *registers(0x8C18, to & 0xFFFFFFFF, to >> 32),
            *registers(0x8C1A, c.choice((4, 16, self.number()))),
            *registers(0x8C20, to & 0xFFFFFFFF, to >> 32, c.choice((1, 4))),
            *registers(source, format_, c.choice((16 | 16 << 15, 64 | 64 << 15)), from_ & 0xFFFFFFFF, from_ >> 32),
            *registers(source + 4, c.choice((64, 256, 1024)) << 3),
        ]  # fmt: skip

    def body(self, number: int) -> list[int]:
        c, address = self.chance, self.near()
        low, high = address & 0xFFFFFFFF, address >> 32 & 0xFFFFFFFF
        other = self.near()
        match number:
            case 0x3F:
                return [low, high, c.choice((4, 16, 1024, self.number()))]
            case 0x43:
                return [c.choice((4, 16, self.number())), low, high]
            case 0x75:
                return [c.choice((1, 16, 1024, self.number())), low, high, other & 0xFFFFFFFF, other >> 32 & 0xFFFFFFFF]
            case 0x34 | 0x36:
                block = c.choice((13, 13, 5, c.getrandbits(4)))
                head = c.choice((0, c.getrandbits(14))) | c.getrandbits(2) << 14 | c.choice((0, 2)) << 16 | block << 18
                return [head | c.choice((1, 4, 200)) << 22, low, high, *(self.number() for _ in range(c.choice((0, 4, 16))))]
            case 0x5C:
                return [n for _ in range(c.randrange(1, 8)) for n in (c.choice(_REGISTERS), self.number())]
            case 0x33:
                return [0, *(c.choice((1, 1, 2, self.number())) for _ in range(3))]
            case 0x41:
                return [low, high, 0]
            case 0x65:
                return [1]
            case 0x38:
                return [c.choice((5, 8)) | 2 << 6, 1, c.choice((4, 2, 1))]
            case 0x3D | 0x46:
                return [*([0] * (number == 0x46)), low, high, self.number(), self.number()]
            case 0x3E | 0x42 | 0x73:
                return [self.number(), low, high, other & 0xFFFFFFFF, other >> 32 & 0xFFFFFFFF, low, high]
            case _:
                return [self.number() for _ in range(c.randrange(6))]

    def stream(self, generation: int, launch: list[int]) -> list[int]:
        c = self.chance
        words = self.state() if c.random() < 0.3 else []
        if c.random() < 0.5:
            words += launch
        for _ in range(c.choice((0, 1, 2, 6))):
            if c.random() < 0.2:
                words += self.blit(generation)
            number = c.choice(_PACKETS)
            words += packet(number, *self.body(number))
        if c.random() < 0.4:
            words += packet(CP_EXEC_CS, 0, 1, 1, 1)
        words = words or launch
        if c.random() < 0.3:
            self.flip(words, 32)
        return words[: SIZES["stream"] // 4]

    def case(self, seed: str) -> tuple[str, dict[str, bytes], int]:
        """A GPU, the buffers' contents, and the number of words of commands."""
        self.chance.seed(seed)
        generation = self.chance.choice((6, 6, 7))
        gpu = self.chance.choice({6: ("a630", "a702", "a618"), 7: ("a730", "a750")}[generation])
        code = self.shader(generation)
        bases = self.at["descriptors"]
        launch = [
            *registers(0xA9E8, bases & 0xFFFFFFFF, bases >> 32),
            *registers(0xA9F2, bases & 0xFFFFFFFF, bases >> 32),
            *launch_commands(self.at["code"], len(code), self.constants(), self.shape(), generation),
        ]
        words = launch if self.chance.random() < 0.5 else self.stream(generation, launch)
        stream = struct.pack(f"<{len(words)}I", *words)
        contents = {"code": struct.pack(f"<{len(code)}Q", *code) + bytes(64), "stream": stream, "nested": stream}
        return gpu, {**contents, "descriptors": self.descriptors()}, len(words)


def _inside(chance: random.Random) -> int:
    """A format of the engine's inside, and how a blit is turned."""
    return chance.choice((0, 4, 10, 31)) << 24 | chance.choice((0, 0, 0, 2, 4, 5, 1))
