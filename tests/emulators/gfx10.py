"""The assembler of gfx9 and gfx10 is clang's, because tinygrad's package does not assemble for them."""

import struct
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from emulators.library import find_clang

_BETWEEN = struct.pack("<2I", 0x7E57AB1E, 0x1E7E57AB)
_SECTION = "<IIQQQQ"
BEGIN = "v_lshlrev_b32 v1, 3, v0"
END = "s_endpgm"


def _text(elf: bytes) -> bytes:
    """The section of that name."""
    (start,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<3H", elf, 0x3A)
    sections = [struct.unpack_from(_SECTION, elf, start + n * size) for n in range(count)]
    at = elf.index(b"\0.text\0", sections[names][4]) + 1 - sections[names][4]
    (found,) = (section for section in sections if section[0] == at)
    return elf[found[4] : found[4] + found[5]]


@cache
def assemble(gpu: str, *programs: str) -> Sequence[bytes]:
    """Programs, by one call."""
    cpu = {"vega10": "gfx900", "navi10": "gfx1010", "navi21": "gfx1030", "navi31": "gfx1100"}[gpu]
    between = "\n.long " + ", ".join(map(hex, struct.unpack("<2I", _BETWEEN))) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.o"
        command = [find_clang(), "--target=amdgcn", f"-mcpu={cpu}", "-c", "-x", "assembler", "-", "-o", str(out)]
        subprocess.run(command, input=between.join(programs), text=True, check=True)
        return _text(out.read_bytes()).split(_BETWEEN)


def program(gpu: str, *lines: str) -> bytes:
    (code,) = assemble(gpu, "\n".join([*lines, END]))
    return code
