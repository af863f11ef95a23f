"""The preprocessor of OpenCL C: the effects of macros and directives in a kernel, and sources that must be refused."""

import contextlib
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.builds import answer, build, compile_, linked, log, source
from .cases import FAMILIES
from .directives import REFUSED
from .headers import HEADERS, HEADERS_REFUSED
from .table import Value

DTYPES: dict[str, Any] = {
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
    "half": np.float16,
    "float": np.float32,
    "double": np.float64,
}
_HALVES = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"


def check_value(device: Device, *, family: str, name: str) -> None:
    """An expression of macros has its value."""
    macro = FAMILIES[family][name]
    pragma = _HALVES if "fp16" in macro.requires else ""
    # The head begins in the first line, because some rows use line numbers.
    kernel = f"__kernel void f(__global {macro.type} *r) {{ *r = {macro.expression}; }}"
    source = f"{macro.head}\n{pragma}{kernel}\n"
    if "#define int" in macro.head:  # which must not apply to the kernel itself
        source = f"{macro.head}\n__constant uint size_ = {macro.expression};\n#undef int\n"
        source += "__kernel void f(__global int *r) { *r = size_; }\n"
    dtype = DTYPES[macro.type]
    out = device.buffer(np.full(1, 77).astype(dtype))
    device.launch(device.build(source, macro.options).f, [1], [1], out)
    got = device.read(out, dtype, 1)
    wants = [np.array([_value(device, want, dtype)], dtype) for want in macro.wants]
    check.exact(macro.expression, got, wants)


def _value(device: Device, want: Value, dtype: Any) -> Any:
    if want == "version":
        major, minor = re.match(r"OpenCL (\d+)\.(\d+)", device.device.version).groups()  # type: ignore[union-attr]
        return int(major) * 100 + int(minor) * 10
    if want == "endian":
        return int(device.device.endian_little)
    return dtype(want) if isinstance(want, str) else want


def check_refused(device: Device, *, name: str) -> None:
    """A source that does not preprocess is refused, with a log."""
    program = source(device, f"{REFUSED[name]}__kernel void f(__global int *r) {{ *r = 1; }}\n")
    check.equal("clBuildProgram", build(device, program), "CL_BUILD_PROGRAM_FAILURE", stage="build")
    check.true("the build log is not empty", bool(log(device, program)), stage="build")


def check_header(device: Device, *, name: str) -> None:
    """Headers that are program objects are included, or a missing one makes the build fail."""
    text, headers = HEADERS_REFUSED[name] if name in HEADERS_REFUSED else HEADERS[name][:2]
    program = source(device, text)
    error = compile_(device, program, None, headers)
    if name in HEADERS_REFUSED:
        check.equal("clCompileProgram", error, "CL_COMPILE_PROGRAM_FAILURE", stage="build")
        check.true("the log is not empty", bool(log(device, program)), stage="build")
        return
    check.equal("clCompileProgram", error, "CL_SUCCESS", stage="build")
    check.equal("the kernel's value", answer(device, linked(device, [program])), HEADERS[name][2])


def check_folder(device: Device, *, name: str) -> None:
    """Headers in a folder given by -I, also of one letter or in double quotes (API 3.0, 5.8.6.1), between other options."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        one, two = Path(folder, "one"), Path({"one_letter": "d", "double_quotes": "two words"}.get(name, f"{folder}/two"))
        for path in (one, two):
            path.mkdir()
        (two / "a.h").write_text('#include "b.h"\n' if name == "nested" else "#define A 17\n", encoding="utf-8")
        (two / "b.h").write_text("#define A 17\n", encoding="utf-8")
        include = "<a.h>" if name == "angles" else '"a.h"'
        program = source(device, f"#include {include}\n__kernel void f(__global int *r) {{ *r = A * BEFORE + AFTER; }}\n")
        options = {"second_folder": f"-I {one} -I {two}", "double_quotes": f'-I "{two}"'}.get(name, f"-I {two}")
        error = build(device, program, f"-DBEFORE=3 {options} -DAFTER=4")
        check.equal("clBuildProgram", error, "CL_SUCCESS", stage="build")
        check.equal("17 * 3 + 4", answer(device, program), 55)
