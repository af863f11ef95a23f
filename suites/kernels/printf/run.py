"""printf (OpenCL C 3.0, 6.15.14): the child's standard output while a kernel prints, compared exactly."""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Callable

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case

LIBC = ctypes.CDLL(None)


def captured(print_something: Callable[[], None]) -> str:
    """What a call writes to file descriptor 1, C's buffers included; the descriptor is put back."""
    sys.stdout.flush()
    LIBC.fflush(None)
    saved = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            print_something()
        finally:
            LIBC.fflush(None)
            os.dup2(saved, 1)
            os.close(saved)
        file.seek(0)
        return file.read().decode(errors="backslashreplace")


def print_with(device: Device, statements: str, items: int, argument: np.generic) -> str:
    """Run statements on `items` items; they know the argument `v`, and `i`."""
    kernel = device.build(
        f"__kernel void f({np.dtype(argument.dtype).name.replace('32', '')} v) {{\n"
        f"    int i = get_global_id(0);\n    {statements}\n}}\n"
    ).f

    def run() -> None:
        device.launch(kernel, [items], None, argument)
        device.queue.finish()

    return captured(run)


def check_formats(device: Device, case: Case) -> None:
    """Conversions of one item. Params: rows of [format, arguments in OpenCL C, text]."""
    rows = case.params["rows"]
    statements = "\n    ".join(
        f'printf("{form}\\n"{arguments and ", " + arguments});' for form, arguments, _ in rows
    )
    value = np.int32(-42) if case.params["type"] == "int" else np.float32(1.5)
    lines = print_with(device, statements, 1, value).split("\n")
    check.equal("lines", len(lines), len(rows) + 1)
    for (form, arguments, text), line in zip(rows, lines, strict=False):
        check.equal(f"printf({form!r}{arguments and ', ' + arguments})", line, text)


def check_items(device: Device, case: Case) -> None:
    """Every item's line arrives once and whole, also of a conditional printf; printf returns 0."""
    text = print_with(
        device, 'if (i % 3) printf("item %d: %d\\n", i, printf("%s", "") + v * i);', 96, np.int32(-42)
    )
    want = [f"item {i}: {-42 * i}" for i in range(96) if i % 3]
    check.equal("lines", sorted(text.splitlines()), sorted(want))


BODIES = {"printf.formats": check_formats, "printf.items": check_items}
