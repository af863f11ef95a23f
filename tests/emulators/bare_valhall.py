"""An emulated Valhall without a driver: a compute job, or a command stream, made here (Mesa's genxml/v9.xml and v10.xml)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bare_gpu import BUDGET, PAGE, BareGpu, Outcome
from bare_mali import local_storage, pair
from bifrost_assembler import words
from valhall_assembler import assemble

PRELOAD = 0x7F80  # r55 to r62 are set
MOVE, MOVE32, WAIT, RUN_COMPUTE = 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters of a launch besides its code, its buffers and its uniforms."""

    size: tuple[int, int, int] = (16, 1, 1)
    groups: tuple[int, int, int] = (1, 1, 1)
    local: int = 0
    private: int = 0
    flush: int = 0
    preload: int = PRELOAD
    resources: tuple[tuple[int, ...], ...] = ()  # of the first table, eight words each


def payload(shape: Shape, environment: Sequence[int]) -> list[int]:
    x, y, z = shape.size
    return [x - 1 | (y - 1) << 10 | (z - 1) << 20, 1 | 2 << 14, *shape.groups, 0, 0, 0, *environment]


def parts(at: int, shader: int, uniforms: Sequence[int], shape: Shape, spare: int) -> tuple[list[int], list[int]]:
    """A shader's environment, and what it points to, which begins at the given address."""
    program, storage, tables, table, pushed = at, at + 0x40, at + 0x80, at + 0x100, at + 0x200
    environment = [0] * 16
    environment[1] = (len(uniforms) + 1) // 2
    environment[8:10], environment[10:12] = pair(tables | bool(shape.resources)), pair(program)
    environment[12:14], environment[14:16] = pair(storage), pair(pushed)
    memory = local_storage(shape.private, shape.local, spare)
    described = [word for resource in shape.resources for word in resource]
    behind = [8 | shape.flush << 17, shape.preload, *pair(shader), *[0] * 12, *memory]
    rest = [0] * (64 - len(described))
    behind += [*pair(table), len(described) * 4, 0, *[0] * 28, *described, *rest, *uniforms, *[0] * 32]
    return environment, behind


class BareValhall(BareGpu):
    """One loaded library of the emulated Mali, as a g57 or a g610."""

    base = 0x1_0000_0000

    def __init__(self, library: Path, gpu: str = "g57") -> None:
        super().__init__(library, gpu)

    def launch(
        self, shader: str | bytes, buffers: Sequence[bytes | int] = (), uniforms: Sequence[int] = (), shape: Shape = Shape(),
        budget: int = BUDGET,
    ) -> Outcome:  # fmt: skip
        """Launch a shader. u0 and u1 are the first buffer's address, u2 and u3 the second's and so on; the other
        uniforms follow. A number is a buffer with that many zero bytes."""
        code = assemble(shader) if isinstance(shader, str) else shader
        data = [bytes(b) if isinstance(b, int) else b for b in buffers]
        sizes = [len(code), 0x600, max(shape.local, PAGE), *map(len, data)]
        starts = self.addresses(sizes)
        own = [word for start in starts[3:-1] for word in pair(start)]
        environment, behind = parts(starts[1] + 0x100, starts[0], [*own, *uniforms], shape, starts[2])
        job = [0, 0, 0, 0, 1 | 4 << 1, 0, 0, 0, *payload(shape, environment)]
        chain = words([*job, *[0] * (64 - len(job)), *behind])
        outcome = self.execute([code, chain.ljust(0x600, b"\0")[:0x600], bytes(sizes[2]), *data], starts[1], budget=budget)
        return replace(outcome, buffers=outcome.buffers[3:])
