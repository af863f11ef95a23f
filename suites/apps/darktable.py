"""darktable: each file of its kernels is compiled with darktable's own options, and each of its kernels is created."""

import re
from pathlib import Path

import pyopencl as cl

from runner import check
from runner.check import Mismatch, NothingTested
from runner.device import Device, error_name

_KERNELS = Path("/usr/share/darktable/kernels")


def check_build(device: Device, *, file: str) -> None:
    """The program has each kernel that the file names."""
    path = _KERNELS / file
    if not path.is_file():
        raise NothingTested(f"{path}: no such file")
    source = path.read_text(encoding="utf-8")
    program = device.build(source, f"-w -cl-fast-relaxed-math -I {_KERNELS}")
    try:
        kernels = program.all_kernels()
    except cl.Error as error:
        raise Mismatch(f"build: clCreateKernelsInProgram: {error_name(error)}") from error
    lacking = named(source) - {kernel.function_name for kernel in kernels}
    check.true(f"the program has {', '.join(sorted(lacking)) or 'all kernels'}", not lacking, stage="build")


def named(source: str) -> set[str]:
    """The kernels that a source defines by name, without those that a macro defines."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.DOTALL)
    code = re.sub(r"^\s*#define(?:.*\\\n)*.*", "", code, flags=re.MULTILINE)
    return set(re.findall(r"\bkernel\s+void\s+(\w+)\s*\(", re.sub(r"__kernel\b", "kernel", code)))
