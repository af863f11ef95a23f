"""Hazards of a launched shader as the emulator marks them: once for each case, and without execution too.

A process of its own has what the emulator finds beside a driver: Mesa's shim is a memory file by its name, and a libdrm.so.2
that knows where a buffer lies.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from adreno_code import word

from emulators.library import build
from runner.cache_folder import cache_folder

pytestmark = pytest.mark.root  # clang builds the libraries
_LIBDRM = """
struct info { unsigned handle, what; unsigned long long value; };
int drmCommandWriteRead(int fd, unsigned long index, void *data, unsigned long size)
{
   (void)fd, (void)size;
   if (index == 3) /* GEM_INFO: buffer n lies at n pages of 64 KiB */
      ((struct info *)data)->value = ((struct info *)data)->handle << 16;
   return 0;
}
"""
_PROGRAM = """
import ctypes, json, os, struct, sys
memory = os.memfd_create("shim mem")
os.ftruncate(memory, 1 << 20)
library = ctypes.CDLL(os.environ["LD_PRELOAD"])

def command(index, data):
    buffer = ctypes.create_string_buffer(data, len(data))
    library.drmCommandWriteRead(0, index, buffer, len(data))

def submit(words):
    os.pwrite(memory, struct.pack(f"<{len(words)}I", *words), 2 << 16)
    buffers = b"".join(struct.pack("<IIQ", 0, handle, 0) for handle in (1, 2, 3))
    commands = struct.pack("<6IQ", 1, 1, 0, 4 * len(words), 0, 0, 0)
    kept = ctypes.create_string_buffer(buffers), ctypes.create_string_buffer(commands)
    command(6, struct.pack("<4I2Q", 0, 0, 3, 1, *map(ctypes.addressof, kept)))

def marks():
    buffer = ctypes.create_string_buffer(1 << 16)
    library.emulator_marks(buffer, len(buffer))
    return buffer.value.decode().splitlines()

code, launches, said = json.loads(sys.argv[1]), json.loads(sys.argv[2]), []
for handle in (1, 2, 3):
    command(2, struct.pack("<QII", 1 << 16, 0, handle))
os.pwrite(memory, struct.pack(f"<{len(code)}Q", *code), 1 << 16)
for launch in launches:
    submit(launch)
    said.append(marks())
print(json.dumps([said, os.pread(memory, 4, 3 << 16).hex()]))
"""
_SP_CS_OBJ_START, _SP_CS_INSTRLEN = 0xA9B4, 0xA9BC
_MEM_WRITE, _EXEC_CS = 0x3D, 0x33


def _registers(first: int, *values: int) -> list[int]:
    return [4 << 28 | first << 8 | len(values), *values]


def _packet(number: int, *values: int) -> list[int]:
    return [7 << 28 | number << 16 | len(values), *values]


@pytest.fixture(scope="module")
def libdrm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("libdrm")
    (folder / "libdrm.c").write_text(_LIBDRM)
    subprocess.run(["clang", "-shared", "-fPIC", "-o", folder / "libdrm.so.2", folder / "libdrm.c"], check=True)
    return folder


def _run(libdrm: Path, code: list[int], launches: list[list[int]], **environment: str) -> tuple[list[list[str]], str]:
    library = str(build("adreno", cache_folder() / "emulators"))
    own = {"LD_PRELOAD": library, "LD_LIBRARY_PATH": str(libdrm), "EMULATOR_GPU": "a630"}
    command = [sys.executable, "-c", _PROGRAM, json.dumps(code), json.dumps(launches)]
    done = subprocess.run(command, env={**os.environ, **own, **environment}, capture_output=True, text=True, check=True)
    said, written = json.loads(done.stdout)
    return said, written


_CODE = [
    word("rsq", {(0, 7): 0, (52, 52): 1}, dst=8),
    word("add.u", {(0, 7): 8, (16, 23): 8, (52, 52): 1}, dst=9),
    word("end"),
]
_LAUNCH = [
    *_registers(_SP_CS_OBJ_START, 1 << 16, 0),
    *_registers(_SP_CS_INSTRLEN, 1),
    *_packet(_MEM_WRITE, 3 << 16, 0, 0x11223344),
    *_packet(_EXEC_CS, 0, 1, 1, 1),
]
_FINDING = (
    "hazard: (ss) missing before add.u r2.y, r2.x, r2.x (instruction 1): r2.x comes from rsq r2.x, r0.x (instruction 0)"
)


def test_each_who_takes_the_marks_after_a_launch_gets_its_shaders_hazards(libdrm: Path) -> None:
    said, written = _run(libdrm, _CODE, [_LAUNCH * 2, _LAUNCH, _packet(_MEM_WRITE, 3 << 16, 0, 0x11223344)])
    hazards = [[mark for mark in marks if mark.startswith("hazard")] for marks in said]
    assert hazards == [[_FINDING], [_FINDING], []]
    assert written == "44332211"


def test_without_execution_a_shader_is_checked_and_nothing_else_happens(libdrm: Path) -> None:
    said, written = _run(libdrm, _CODE, [_LAUNCH], EMULATOR_EXECUTE="0")
    assert said == [[_FINDING]]
    assert written == "00000000"


def test_without_execution_what_cannot_be_checked_is_said(libdrm: Path) -> None:
    said, _ = _run(libdrm, [7 << 61 | 15 << 55, word("end")], [_LAUNCH], EMULATOR_EXECUTE="0")
    assert said == [["unknown: not checked: nothing is checked behind 0xe780000000000000 (instruction 0)"]]


def test_the_code_of_launched_shaders_can_be_kept(libdrm: Path, tmp_path: Path) -> None:
    _run(libdrm, _CODE, [_LAUNCH], EMULATOR_EXECUTE="0", EMULATOR_SHADERS=str(tmp_path))
    (kept,) = tmp_path.glob("*.bin")
    assert kept.read_bytes() == b"".join(word.to_bytes(8, "little") for word in _CODE)
