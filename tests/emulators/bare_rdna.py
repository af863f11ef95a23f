"""An emulated RDNA without a driver: the launches and buffers are made here.

Shaders are assembled by tinygrad's description of the instructions, which comes from AMD's XML: the emulator's decoder has
another source. Register and packet numbers: Mesa's src/amd/registers/gfx11.json and common/sid.h.
"""

import ctypes
import importlib
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from bare_gpu import BUDGET, BareGpu, Outcome

SET_SH_REG, DISPATCH_DIRECT = 0x76, 0x15
_PGM, _RSRC, _RSRC3, _THREADS, _SCRATCH, _USER = 0x20C, 0x212, 0x228, 0x207, 0x218, 0x240
_WAVE32, _FROM_ZERO, _ENABLED = 1 << 15, 1 << 2, 1
KEEPS_DENORMALS = 0xF0  # of FLOAT_MODE
# tinygrad reads these when it is imported, and tests that open a device come later in this process.
with patch.dict(os.environ, DEV="CL", CACHELEVEL="0", CCACHE="0", PARALLEL="0"):
    asm: Any = importlib.import_module("tinygrad.runtime.autogen.amd.rdna3.ins")
v: Any = asm.v
s: Any = asm.s
# What a shader is written in: an instruction, `label:`, or a branch with its label.
Line = Any


@dataclass(frozen=True, slots=True)
class Grid:
    """The parameters of a launch besides its code and its buffers."""

    size: tuple[int, int, int] = (32, 1, 1)
    groups: tuple[int, int, int] = (1, 1, 1)
    wide: bool = False  # gfx9 has no other waves
    local: int = 0  # units of 512 bytes
    scratch: int = 0  # bytes of a wave, in units of 256; of gfx9 and gfx10 of 1,024
    vectors: int = 64
    mode: int = KEEPS_DENORMALS
    ids: bool = False  # the group's numbers after the buffers' addresses
    tiles: tuple[int, int] = (0, 0)  # of gfx12: the logarithms to base 2 of their work-items
    axes: int = 0  # of gfx9 and gfx10: how many numbers of a work-item beside the first one are in registers of their own
    shared: int = 0  # of gfx10: eights of registers that half waves share
    waves: bool = False  # after these the wave's number in the group


def packet(number: int, *body: int) -> list[int]:
    return [3 << 30 | (len(body) - 1) << 16 | number << 8, *body]


def registers(first: int, *values: int) -> list[int]:
    return packet(SET_SH_REG, first, *values)


def assemble(lines: Sequence[Line]) -> list[int]:
    """The words of a shader. A branch is a tuple: the function and its label."""
    at, labels, made = 0, {}, []
    for line in lines:
        if isinstance(line, str):
            labels[line.removesuffix(":")] = at
            continue
        inst = line[0](simm16=0) if isinstance(line, tuple) else line
        code = inst.to_bytes()
        made.append((line, code, at))
        at += len(code) // 4
    words: list[int] = []
    for line, code, start in made:
        if isinstance(line, tuple):
            code = line[0](simm16=(labels[line[1]] - start - 1) & 0xFFFF).to_bytes()
        words += struct.unpack(f"<{len(code) // 4}I", code)
    return words


def wait() -> Line:
    """Wait for all memory."""
    return asm.s_waitcnt(simm16=7)


class BareRdna(BareGpu):
    """One loaded library; the buffers' addresses are in s[0:1], s[2:3] and so on, the work-item's number in v0."""

    def hazards(self, words: Sequence[int], lanes: int = 64) -> list[str]:
        """The missing waits of a shader, from its machine code, in waves of `lanes` lanes."""
        buffer = ctypes.create_string_buffer(1 << 18)
        with patch.dict(os.environ, EMULATOR_GPU=self.gpu):
            length = self._library.rdna_hazards(_packed(words), len(words), lanes, buffer, len(buffer))
        assert length < len(buffer)
        return buffer.value.decode().splitlines()

    def launch(
        self, code: Sequence[Line] | bytes, buffers: Sequence[bytes | int] = (), grid: Grid = Grid(), budget: int = BUDGET
    ) -> Outcome:
        """Run a shader, to which s_endpgm is added. A number is a buffer with that many zero bytes."""
        program = code if isinstance(code, bytes) else _packed(assemble([*code, asm.s_endpgm()]))
        data = [bytes(b) if isinstance(b, int) else b for b in buffers]
        starts = self.addresses([len(c) for c in (program, *data)])
        user = [word for start in starts[1:-1] for word in (start & 0xFFFFFFFF, start >> 32)]
        granule = 4 if grid.wide or self.gpu == "vega10" else 8
        first = (grid.vectors // granule - 1) | grid.mode << 12
        second = bool(grid.scratch) | len(user) << 1 | (7 if grid.ids else 0) << 7 | grid.waves << 10
        second |= grid.axes << 11 | grid.local << 15
        commands = [
            *registers(_PGM, starts[0] >> 8 & 0xFFFFFFFF, starts[0] >> 40),
            *registers(_RSRC, first, second),
            *registers(_RSRC3, grid.shared),
            *registers(_SCRATCH, grid.scratch // (1024 if self.gpu in ("vega10", "navi10", "navi21") else 256) << 12),
            *registers(_THREADS, *(n | t << 13 for n, t in zip(grid.size, (*grid.tiles, 0), strict=True))),
            *(registers(_USER, *user) if user else []),
            *packet(DISPATCH_DIRECT, *grid.groups, _ENABLED | _FROM_ZERO | (0 if grid.wide else _WAVE32)),
        ]
        outcome = self.submit(commands, [program, *data], budget)
        return Outcome(outcome.done, outcome.marks, outcome.buffers[1:], outcome.hazards)


def _packed(words: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)
