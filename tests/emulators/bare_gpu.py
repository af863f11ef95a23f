"""An emulated Adreno without a driver: the command streams and buffers are made here.

Register and packet numbers: Mesa's src/freedreno/registers/adreno/a6xx.xml and adreno_pm4.xml.
"""

import ctypes
import mmap
import os
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from assembler import assemble

BASE = 0x7_0000_0000  # the GPU address of the first buffer
PAGE = 4096
_CODE, _COMMANDS = 1 << 16, 1 << 16
CANARY = 0xC7
BUDGET = 1 << 24

CP_LOAD_STATE6_FRAG, CP_EXEC_CS = 0x34, 0x33
# SP_CS_CTRL_REG0 and 1, SP_CS_OBJ_START, SP_CS_PVT_MEM_PARAM, SP_CS_INSTRLEN
_CTRL, _SHARED, _START, _PRIVATE, _LENGTH = 0xA9B0, 0xA9B1, 0xA9B4, 0xA9B6, 0xA9BC
# HLSQ_CS_CNTL, HLSQ_CS_NDRANGE_0, HLSQ_CS_CNTL_0, HLSQ_CS_CNTL_1 (the bit of wide waves); a7xx has them elsewhere
_BY_GENERATION = {6: (0xB987, 0xB990, 0xB997, 0xB998, 9), 7: (0xA9CD, 0xA9D4, 0xA9C2, 0xA9C3, 8)}
# The registers of a launch's ids: the work-item's in its group, its number, the group's.
LOCAL_ID, LINEAR_ID, GROUP_ID = 0, 3, 4  # r0.x, r0.w, r1.x


class Range(ctypes.Structure):
    _fields_ = [("start", ctypes.c_uint64), ("end", ctypes.c_uint64), ("host", ctypes.c_void_p)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a submission left: False and a mark if it was stopped.

    The shaders of these tests wait for nothing, so hazards are kept apart.
    """

    done: bool
    marks: list[str]
    buffers: list[bytes]
    hazards: list[str]

    def words(self, buffer: int) -> list[int]:
        return list(struct.unpack(f"<{len(self.buffers[buffer]) // 4}I", self.buffers[buffer]))


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters of a launch besides its code, its buffers and its constants."""

    size: tuple[int, int, int] = (64, 1, 1)
    groups: tuple[int, int, int] = (1, 1, 1)
    lanes: int = 64
    local_kib: int = 2  # 1 is the number for 32
    private_bytes: int = 0  # of a work-item; units of 512
    ubos: tuple[tuple[int, int], ...] = ()  # address, bytes
    wrong_control: int = 0  # bits of SP_CS_CTRL_REG0 that are not as they should be


def packet(number: int, *body: int) -> list[int]:
    return [7 << 28 | number << 16 | len(body), *body]


def registers(first: int, *values: int) -> list[int]:
    return [4 << 28 | first << 8 | len(values), *values]


def load_constants(values: Sequence[int]) -> list[int]:
    """Constants from c0.x on, in whole vectors."""
    padded = [*values, *[0] * (-len(values) % 4)]
    return packet(CP_LOAD_STATE6_FRAG, 1 << 14 | 13 << 18 | len(padded) // 4 << 22, 0, 0, *padded) if padded else []


def launch_commands(code: int, count: int, constants: Sequence[int], shape: Shape, generation: int) -> list[int]:
    """The command stream of one launch."""
    control, ndrange, ids, threads, wide_bit = _BY_GENERATION[generation]
    x, y, z = shape.size
    ubos = [word for base, size in shape.ubos for word in (base & 0xFFFFFFFF, base >> 32 | size // 16 << 17)]
    return [
        *registers(_CTRL, (1 << 31 | (shape.lanes == 128) << 20 | 48 << 7) ^ shape.wrong_control, shape.local_kib - 1),
        *registers(_START, code & 0xFFFFFFFF, code >> 32),
        *registers(_PRIVATE, shape.private_bytes >> 9),
        *registers(_LENGTH, (count + 15) // 16),
        *registers(control, max(1, -(-len(constants) // 16))),
        *registers(ndrange, 3 | (x - 1) << 2 | (y - 1) << 12 | (z - 1) << 22),
        *registers(ids, GROUP_ID | LOCAL_ID << 24),
        *registers(threads, LINEAR_ID | (shape.lanes == 128) << wide_bit),
        *load_constants(constants),
        *(packet(CP_LOAD_STATE6_FRAG, 2 << 14 | 13 << 18 | len(shape.ubos) << 22, 0, 0, *ubos) if ubos else []),
        *packet(CP_EXEC_CS, 0, *shape.groups),
    ]


def grown_kib(launches: Iterable[Outcome]) -> int:
    """By how much the process's own memory grows after the first of them."""
    kib = []
    for outcome in launches:
        assert outcome.done
        kib.append(int(Path("/proc/self/status").read_text().partition("RssAnon:")[2].split()[0]))
    return max(kib) - kib[0]


class BareGpu:
    """One loaded library of the emulator. All buffers lie in one mapping, with inaccessible pages between them."""

    base = BASE

    def __init__(self, library: Path, gpu: str = "a630") -> None:
        self.gpu, self.generation = gpu, 7 if gpu[1] == "7" and gpu != "a702" else 6
        self._library = ctypes.CDLL(str(library))
        self._library.emulator_commands.restype = ctypes.c_bool
        self._memory = mmap.mmap(-1, 1 << 25)
        self._host = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))

    def text(self, word: int) -> str:
        """An instruction as text."""
        self._library.emulator_instruction.restype = ctypes.c_char_p
        found: bytes = self._library.emulator_instruction(self.generation, ctypes.c_uint64(word))
        return found.decode()

    def submit(self, commands: Sequence[int], buffers: Sequence[bytes], budget: int = BUDGET) -> Outcome:
        """Run commands on buffers, which lie at addresses() of their sizes."""
        stream = struct.pack(f"<{len(commands)}I", *commands)
        address = self.addresses([len(b) for b in buffers])[-1]
        outcome = self.execute([*buffers, stream], address, len(commands), budget)
        return replace(outcome, buffers=outcome.buffers[:-1])

    def execute(self, contents: Sequence[bytes], address: int, count: int = 0, budget: int = BUDGET) -> Outcome:
        """Run the commands at an address in one of these buffers, which lie at addresses() of their sizes."""
        starts = self.addresses([len(b) for b in contents])
        at = [start - self.base for start in starts]
        total = at[-2] + len(contents[-1])
        before = bytes([CANARY]) * (total + PAGE)
        self._memory[: len(before)] = before
        ranges = (Range * len(contents))()
        for n, content in enumerate(contents):
            self._memory[at[n] : at[n] + len(content)] = content
            ranges[n] = Range(starts[n], starts[n] + len(content), self._host + at[n])
        with patch.dict(os.environ, EMULATOR_GPU=self.gpu):
            done = self._library.emulator_commands(
                ranges, len(contents), ctypes.c_uint64(address), count, ctypes.c_uint64(budget)
            )
        after = self._memory[: len(before)]
        held = 0
        for n, content in enumerate(contents):
            assert after[held : at[n]] == before[held : at[n]], f"a write before buffer {n}"
            held = at[n] + len(content)
        assert after[held:] == before[held:], "a write after the last buffer"
        marks = self._marks()
        hazards = [mark for mark in marks if mark.startswith("hazard: ")]
        marks = [mark for mark in marks if mark not in hazards]
        return Outcome(done, marks, [after[a : a + len(b)] for a, b in zip(at, contents, strict=False)], hazards)

    @classmethod
    def addresses(cls, sizes: Sequence[int]) -> list[int]:
        """The addresses of buffers of these sizes, and the address after the last one."""
        found = [cls.base + PAGE]
        for size in sizes:
            found.append(found[-1] + (max(size, 1) + 2 * PAGE - 1) // PAGE * PAGE + PAGE)
        return found

    def run(
        self,
        shader: str | Sequence[int],
        buffers: Sequence[bytes | int] = (),
        constants: Sequence[int] = (),
        shape: Shape = Shape(),
        budget: int = BUDGET,
        before: Sequence[int] = (),
    ) -> Outcome:
        """Launch a shader. c0.x and c0.y are the first buffer's address, c0.z and c0.w the second's and so on; the
        constants follow in the next whole vector. A number is a buffer with that many zero bytes. `before`: commands.
        """
        code = assemble(shader, self.generation) if isinstance(shader, str) else list(shader)
        padded = [*code, *[0] * (-len(code) % 16)]
        data = [bytes(b) if isinstance(b, int) else b for b in buffers]
        contents = [struct.pack(f"<{len(padded)}Q", *padded), *data]
        starts = self.addresses([len(c) for c in contents])
        own = [word for start in starts[1:-1] for word in (start & 0xFFFFFFFF, start >> 32)]
        own += [0] * (-len(own) % 4)
        commands = launch_commands(starts[0], len(code), [*own, *constants], shape, self.generation)
        outcome = self.submit([*before, *commands], contents, budget)
        return Outcome(outcome.done, outcome.marks, outcome.buffers[1:], outcome.hazards)

    def _marks(self) -> list[str]:
        text = ctypes.create_string_buffer(1 << 16)
        self._library.emulator_marks(text, len(text))
        return text.value.decode(errors="replace").splitlines()
