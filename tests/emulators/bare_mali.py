"""An emulated Mali without a driver: the job chains and buffers are made here (Mesa's src/panfrost/lib/genxml/v7.xml)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bare_gpu import BUDGET, PAGE, BareGpu, Outcome
from bifrost_assembler import assemble, words

NARROW = 2  # the number for a shader with half of the registers
ALL_REGISTERS = 0x7F80  # r55 to r62 are set


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters of a launch besides its code, its buffers and its uniforms."""

    size: tuple[int, int, int] = (8, 1, 1)
    groups: tuple[int, int, int] = (1, 1, 1)
    local: int = 0  # bytes, a power of two
    private: int = 0  # bytes of a work-item, a power of two from 16 on
    barriers: bool = True
    allocation: int = 0
    preload: int = ALL_REGISTERS
    ubos: tuple[tuple[int, int], ...] = ()  # address, bytes
    textures: tuple[int, int] = (0, 0)  # address, how many
    samplers: tuple[int, int] = (0, 0)
    attributes: tuple[int, int, int] = (0, 0, 0)  # address, that of their buffers, how many


def invocation(sizes: Sequence[int]) -> list[int]:
    word, at, shifts = 0, 0, [0]
    for size in sizes:
        word |= (size - 1) << at
        at += (size - 1).bit_length()
        shifts.append(at)
    return [word, shifts[1] | shifts[2] << 5 | shifts[3] << 10 | shifts[4] << 16 | shifts[5] << 22]


def job(at: int, shader: int, uniforms: Sequence[int], shape: Shape, spare: int) -> bytes:
    """A chain of one compute job, followed by everything that it points to. `spare`: an address for the GPU's own memory."""
    state, storage, table, pushed = at + 0x100, at + 0x140, at + 0x180, at + 0x200
    draw = [0] * 32
    draw[6:8], draw[12:14], draw[14:16], draw[28:30] = pair(table), pair(pushed), pair(state), pair(storage)
    draw[8:10], draw[10:12] = pair(shape.textures[0]), pair(shape.samplers[0])
    draw[16:18], draw[18:20] = pair(shape.attributes[1]), pair(shape.attributes[0])
    header = [0, 0, 0, 0, 1 | 4 << 1, 0, 0, 0]
    first = [*header, *invocation((*shape.size, *shape.groups)), *[0] * 6, *draw, *[0] * 16]
    count = (len(uniforms) + 1) // 2
    renderer = [0] * 16
    renderer[0:2] = pair(shader)
    renderer[2:4] = shape.samplers[1] | shape.textures[1] << 16, shape.attributes[2]
    renderer[4] = len(shape.ubos) | shape.barriers << 11 | shape.allocation << 12
    renderer[12] = shape.preload | count << 15
    memory = local_storage(shape.private, shape.local, spare)
    ubos = [word for base, size in shape.ubos for word in pair((base >> 4) << 12 | size // 16 - 1)]
    return words([*first, *renderer, *memory, *ubos, *[0] * (32 - len(ubos)), *uniforms, *[0] * 64])


def local_storage(private: int, local: int, at: int) -> list[int]:
    """The descriptor of private and local memory: how many bytes a thread and a group have, both at one address."""
    memory = [0] * 16
    if private:
        memory[0] = private.bit_length() - 5
        memory[2:4] = pair(at)
    memory[1] = local.bit_length() << 8 if local else 1 << 31
    memory[4:6] = pair(at)
    return memory


def pair(value: int) -> list[int]:
    return [value & 0xFFFFFFFF, value >> 32]


class BareMali(BareGpu):
    """One loaded library of the emulated Mali."""

    base = 0x1_0000_0000  # no buffer reaches the next 4 GiB

    def __init__(self, library: Path, gpu: str = "g52") -> None:
        super().__init__(library, gpu)

    def launch(
        self,
        shader: str | bytes,
        buffers: Sequence[bytes | int] = (),
        uniforms: Sequence[int] = (),
        shape: Shape = Shape(),
        budget: int = BUDGET,
    ) -> Outcome:
        """Launch a shader. u0 and u1 are the first buffer's address, u2 and u3 the second's and so on; the other
        uniforms follow. A number is a buffer with that many zero bytes."""
        code = assemble(shader) if isinstance(shader, str) else shader
        data = [bytes(b) if isinstance(b, int) else b for b in buffers]
        sizes = [len(code), 0x400, max(shape.local, PAGE), *map(len, data)]
        starts = self.addresses(sizes)
        own = [word for start in starts[3:-1] for word in pair(start)]
        chain = job(starts[1], starts[0], [*own, *uniforms], shape, starts[2])
        outcome = self.execute([code, chain[:0x400], bytes(sizes[2]), *data], starts[1], budget=budget)
        return Outcome(outcome.done, outcome.marks, outcome.buffers[3:], outcome.hazards)
