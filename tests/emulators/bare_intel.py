"""An emulated Tiger Lake without a driver: the batches and buffers are made here.

Numbers of commands: Intel's Tiger Lake reference manual, volume 2a.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from unittest.mock import patch

from bare_gpu import BASE, BUDGET, BareGpu, Outcome
from intel_assembler import DATA1, END_OF_THREAD, Jump, Operand, alu, assemble, imm, message, r, send
from intel_older import older_code

_STATE_BASE, _VFE, _CURBE, _DESCRIPTOR, _WALKER, _POOL = 0x6101, 0x7000, 0x7001, 0x7002, 0x7105, 0x7919
_CFE, _COMPUTE = 0x7200, 0x7208  # of Gen12.5
_KERNEL, _CONSTANTS, _TABLE, _SURFACES = 0x100, 0x20000, 0x8000, 0x9000  # in the buffer of state
BATCH_END = 0x0A << 23
_ENABLED = 1 << 11
_LOAD = 0x22 << 23 | 1  # of a register
OLDER = {"skl": "gen9", "icl": "gen11"}  # whose encodings differ
Item = int | Jump | str


@dataclass(frozen=True, slots=True)
class Launch:
    """The parameters of a launch besides its code, its buffers and its constants."""

    lanes: int = 16
    threads: int = 1
    last: int = 0xFFFFFFFF  # the last thread's lanes
    groups: tuple[int, int, int] = (1, 1, 1)
    local_code: int = 0  # 1 KiB << code - 1
    scratch_code: int = -1  # of a thread: 1 KiB << code
    denormals: bool = True
    rounding: int = 0
    surfaces: tuple[tuple[int, ...], ...] = ()  # raw buffers: which buffer, bytes; or which, 0, a state's first words
    pool: bool = True  # of binding tables
    large_tables: bool = True  # whose offsets count eight times as much
    lacking: int = 0  # registers of constants for which MEDIA_VFE_STATE has no room


def command(number: int, *body: int) -> list[int]:
    return [number << 16 | len(body) - 1, *body]


def _pair(address: int) -> tuple[int, int]:
    return address & 0xFFFFFFFF, address >> 32


def _surface(address: int, size: int, *image: int) -> bytes:
    """The state of a raw buffer, or of an image, whose first words are given."""
    last = size - 1
    words = [*image, *[0] * (16 - len(image))]
    words[8], words[9] = _pair(address)
    if image:
        return struct.pack("<16I", *words)
    words[0] = 4 << 29 | 0x1FF << 18
    words[2] = last & 0x7F | (last >> 7 & 0x3FFF) << 16
    words[3] = (last >> 21 & 0x7FF) << 21
    return struct.pack("<16I", *words)


def _pad(content: bytes, size: int) -> bytes:
    assert len(content) <= size
    return content + bytes(size - len(content))


class BareIntel(BareGpu):
    def compute(
        self, kernel: Callable[[Sequence[int]], Sequence[Item]], buffers: Sequence[bytes | int], shape: Compute
    ) -> Outcome:
        """Launch the code that `kernel` makes from the buffers' addresses, on Gen12.5. The end of the thread is added."""
        data = [bytes(b) if isinstance(b, int) else b for b in buffers]
        items = shape.size[0] * shape.size[1] * shape.size[2]
        threads = -(-items // shape.lanes)
        spill = [bytes(shape.scratch * threads)] if shape.scratch else []
        size = 1 << 17
        starts = self.addresses([size, *map(len, data), *map(len, spill)])
        code = assemble([*kernel(starts[1:]), END_OF_THREAD])
        surfaces = b"".join(_surface(starts[1 + which], bytes_) for which, bytes_ in shape.surfaces)
        if spill:  # of type 6, whose pitch is a thread's size
            words = [6 << 29 | 0x1FF << 18, 0, 0, shape.scratch - 1, *[0] * 4, *_pair(starts[-1]), *[0] * 6]
            surfaces += struct.pack("<16I", *words)
        table = struct.pack(f"<{len(shape.surfaces)}I", *(_SURFACES + 64 * n for n in range(len(shape.surfaces))))
        content = bytearray(size)
        for at, part in ((_TABLE, table), (_SURFACES, surfaces), (1 << 16, code)):
            content[at : at + len(part)] = part
        own = (_SURFACES + 64 * len(shape.surfaces)) << 6 if spill else 0
        descriptor = [1 << 16, 0, 1 << 19, 0, 0, threads | shape.local_code << 16, 0, 0]
        last = items - (threads - 1) * shape.lanes
        x, y, z = (n - 1 for n in shape.size)
        walker = [
            0, 0, 0, (shape.lanes.bit_length() - 4) << 30 | 1 << 29 | shape.emit << 26 | shape.order << 22, (1 << last) - 1,
            x | y << 10 | z << 20, *shape.groups, 0, 0, 0, *[0] * 5, *descriptor, *[0] * 13,
        ]  # fmt: skip
        commands = [
            *_bases(starts[0]),
            *command(_POOL, *_pair((starts[0] + _TABLE) & ~0xFFF), 0),
            *command(_CFE, own, 0, 0, 0, 0),
            *command(_COMPUTE, *walker),
            BATCH_END,
        ]
        outcome = self.submit(commands, [bytes(content), *data, *spill])
        return Outcome(outcome.done, outcome.marks, outcome.buffers[1 : 1 + len(data)], outcome.hazards)

    def _table(self, shape: Launch) -> int:
        """The pool of later binding tables begins there; without a pool they are counted from the surfaces' base."""
        return _TABLE if OLDER.get(self.gpu) == "gen9" else 0 if shape.pool else _TABLE >> 3 * shape.large_tables

    def text_of(self, word: int) -> str:
        """An instruction as text."""
        low, high = word & (1 << 64) - 1, word >> 64
        self._library.emulator_instruction.restype = ctypes.c_char_p
        with patch.dict(os.environ, EMULATOR_GPU=self.gpu):
            found: bytes = self._library.emulator_instruction(ctypes.c_uint64(low), ctypes.c_uint64(high))
        return found.decode()

    def launch(
        self,
        kernel: Sequence[Item] | bytes,
        buffers: Sequence[bytes | int] = (),
        shape: Launch = Launch(),
        own: Sequence[bytes] = (),
        budget: int = BUDGET,
    ) -> Outcome:
        """Launch a kernel, to which the end of the thread is added. r1 has the buffers' addresses, r2.0 the thread's
        number; then come its own constants, in whole registers; `own` has one content per thread. A number is a
        buffer with that many zero bytes.
        """
        code = kernel if isinstance(kernel, bytes) else assemble([*kernel, END_OF_THREAD])
        if self.gpu in OLDER:
            code = older_code(code, OLDER[self.gpu])
        data = [bytes(b) if isinstance(b, int) else b for b in buffers]
        extra = len(own[0]) if own else 0
        per_thread = 1 + extra // 32
        size = (_CONSTANTS + 32 + shape.threads * per_thread * 32 + 63 & ~63) + (1 << 16)
        scratch = [bytes((1024 << shape.scratch_code) * shape.threads)] if shape.scratch_code >= 0 else []
        starts = self.addresses([size, *map(len, data), *map(len, scratch)])
        state = starts[0]
        constants = _pad(struct.pack(f"<{len(data)}Q", *starts[1 : 1 + len(data)]), 32)
        for thread in range(shape.threads):
            constants += _pad(struct.pack("<I", thread), 32) + (own[thread] if own else b"")
        surfaces = b"".join(_surface(starts[1 + which], *state) for which, *state in shape.surfaces)
        table = struct.pack(f"<{len(shape.surfaces)}I", *(_SURFACES + 64 * n for n in range(len(shape.surfaces))))
        threads = shape.threads | shape.local_code << 16 | 1 << 21 | shape.rounding << 22
        words = (0, 0, shape.denormals << 19, 0, self._table(shape), per_thread << 16, threads, 1)
        descriptor = struct.pack("<8I", *words)
        content = bytearray(size)
        kernel_at = size - (1 << 16)
        for at, part in (
            (0, descriptor),
            (_TABLE, table),
            (_SURFACES, surfaces),
            (_CONSTANTS, constants),
            (kernel_at, code),
        ):
            content[at : at + len(part)] = part
        struct.pack_into("<I", content, 0, kernel_at)
        spill = starts[1 + len(data)] & 0xFFFFFFFF | shape.scratch_code if scratch else 0
        commands = [
            *_bases(state),
            *(_LOAD, 0x7008, 1 << 26 | (shape.large_tables and OLDER.get(self.gpu) != "gen9") << 10),  # GT_MODE
            *command(_POOL, *_pair((state + _TABLE) & ~0xFFF | _ENABLED if shape.pool else 0), 0),
            *command(_VFE, *_pair(spill), 0, 0, len(constants) // 32 - shape.lacking, 0, 0, 0),
            *command(_CURBE, 0, len(constants), _CONSTANTS),
            *command(_DESCRIPTOR, 0, 32, 0),
            *_walk(shape),
            BATCH_END,
        ]
        outcome = self.submit(commands, [bytes(content), *data, *scratch], budget)
        return Outcome(outcome.done, outcome.marks, outcome.buffers[1 : 1 + len(data)], outcome.hazards)


@dataclass(frozen=True, slots=True)
class Compute:
    """The parameters of a launch of Gen12.5 besides its code and its buffers."""

    lanes: int = 16
    size: tuple[int, int, int] = (16, 1, 1)
    groups: tuple[int, int, int] = (1, 1, 1)
    emit: int = 1  # the ids in the group that threads get from r1 on, a bit each: x, y, z
    order: int = 0
    local_code: int = 0  # 1 KiB << code - 1
    scratch: int = 0  # bytes of a thread
    surfaces: tuple[tuple[int, int], ...] = ()  # raw buffers: which buffer, bytes


def _bases(state: int) -> list[int]:
    """The general base has the upper half of all addresses, because scratch addresses have 32 bits."""
    base, general = _pair(state | 1), _pair(BASE >> 32 << 32 | 1)
    surface = dynamic = instruction = bindless = base
    return command(_STATE_BASE, *general, 0, *surface, *dynamic, 0, 0, *instruction, 0, 0, 0, 0, *bindless, 0, 0, 0, 0)


def _walk(shape: Launch) -> list[int]:
    x, y, z = shape.groups
    size = shape.lanes.bit_length() - 4
    return command(
        _WALKER,
        0,
        0,
        0,
        size << 30 | shape.threads - 1,
        0,
        0,
        x,
        0,
        0,
        y,
        0,
        z,
        shape.last & (1 << shape.lanes) - 1,
        0xFFFFFFFF,
    )


def store(value: Operand, buffer: int, places: int, lanes: int = 16) -> list[int]:
    """Store each lane's dword to the buffer, at four times the number in the register `places`. Overwrites r60 to r69."""
    halves = lanes // 8 if lanes > 8 else 1
    made: list[int] = []
    for half in range(halves):
        first = 8 * half
        low, index = 60 + 2 * half, places + half
        made += [
            alu("shl", r(68), r(index), imm(2), n=8, first=first),
            alu("add", r(low, region=(0, 1, 2)), r(68), r(1, sub=8 * buffer, region=(0, 1, 0)), n=8, first=first),
            alu("mov", r(low, sub=4, region=(0, 1, 2)), r(1, sub=8 * buffer + 4, region=(0, 1, 0)), n=8, first=first),
            send(
                DATA1,
                message(2, 0, 0x1A, 1, 253),
                payload=r(low),
                rest=r(value.number + half),
                extended=1 << 6,
                n=8,
                first=first,
            ),
        ]
    return made


# r3 and r4 become the lanes' numbers of all threads: sixteen of each.
NUMBERS = [
    alu("mov", r(5, "uw"), imm(0x76543210, "b"), n=8, mask=False),
    alu("add", r(5, "uw", sub=16), r(5, "uw"), imm(0x80008, "uw"), n=8, mask=False),
    alu("shl", r(6), r(2, region=(0, 1, 0)), imm(4), n=1, mask=False),
    alu("add", r(3), r(5, "uw"), r(6, region=(0, 1, 0)), n=16, mask=False),
]
