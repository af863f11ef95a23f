"""printf (OpenCL C 3.0, 6.15.14): the child's standard output while a kernel prints, compared exactly.

One file: the formats, and what reads their output.
"""

import ctypes
import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.opencl import call
from .model import BITS, FLOATS, SIGNED, float_rows, form_of, integer_rows, integer_values, vector_rows, vector_values
from .table import PROGRAMS

LIBC = ctypes.CDLL(None)


def captured(print_something: Callable[[], None]) -> str:
    """What a call writes to file descriptor 1, including C's buffers; the descriptor is restored afterwards."""
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
    """Run statements on `items` items, with the argument `v` and the item's number `i`; returns their output."""
    kernel = device.build(
        f"__kernel void f({np.dtype(argument.dtype).name.replace('32', '')} v) {{\n"
        f"    int i = get_global_id(0);\n    {statements}\n}}\n"
    ).f

    def run() -> None:
        device.launch(kernel, [items], None, argument)
        device.queue.finish()

    return captured(run)


def check_formats(device: Device, *, type: str, rows: Sequence[Sequence[str]]) -> None:
    """Conversions, printed by one item. `rows`: lists of format, arguments in OpenCL C, and text."""
    statements = "\n    ".join(f'printf("{form}\\n"{arguments and ", " + arguments});' for form, arguments, _ in rows)
    value = np.int32(-42) if type == "int" else np.float32(1.5)
    lines = print_with(device, statements, 1, value).split("\n")
    check.equal("lines", len(lines), len(rows) + 1)
    for (form, arguments, text), line in zip(rows, lines, strict=False):
        check.equal(f"printf({form!r}{arguments and ', ' + arguments})", line, text)


def check_items(device: Device) -> None:
    """Every item's line is printed once and whole, also by a conditional printf; printf returns 0."""
    text = print_with(device, 'if (i % 3) printf("item %d: %d\\n", i, printf("%s", "") + v * i);', 96, np.int32(-42))
    want = [f"item {i}: {-42 * i}" for i in range(96) if i % 3]
    check.equal("lines", sorted(text.splitlines()), sorted(want))


def print_values(device: Device, head: str, statements: str, values: NDArray[Any], items: int = 1, options: str = "") -> str:
    """Run statements on items, with the values as `p`; returns their output."""
    type_name = {"i1": "char", "i2": "short", "i4": "int", "i8": "long", "f2": "half", "f4": "float", "f8": "double"}
    name = type_name[values.dtype.str[1:]]
    local = "LOCAL" if "LOCAL" in head else ""
    pragma = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" if name == "half" else ""
    source = f"{pragma}{head}\n__kernel void f(__global const {name} *p) {{ {local}\n    {statements}\n}}\n"
    kernel, buffer = device.build(source, options).f, device.buffer(values)

    def run() -> None:
        device.launch(kernel, [items], [items], buffer)
        device.queue.finish()

    return captured(run)


def _check_rows(
    device: Device, rows: list[tuple[str, int, str]], values: NDArray[Any], argument: Callable[[int], str], options: str = ""
) -> None:
    """Rows of conversion, index and text, each printed as a line in brackets."""
    statements = "\n    ".join(f'printf("[{form}]\\n", {argument(k)});' for form, k, _ in rows)
    lines = print_values(device, "", statements, values, options=options).split("\n")
    check.equal("lines", len(lines), len(rows) + 1)
    for (form, k, text), line in zip(rows, lines, strict=False):
        check.equal(f"printf({form!r}) of {values[k]}", line, f"[{text}]")


def check_integer(device: Device, *, conversion: str, modifier: str) -> None:
    """Flags, widths and precisions of a conversion of integers."""
    bits = BITS[modifier]
    options = "-cl-std=CL3.1" if modifier in ("z", "t") else ""
    if options and device.device.address_bits != bits:
        raise check.Unsupported(f"size_t has {device.device.address_bits} bits here")
    values = np.array(integer_values(bits), f"i{bits // 8}")
    cast = "" if conversion in "di" else f"(u{SIGNED[bits]})"
    _check_rows(device, list(integer_rows(conversion, modifier)), values, lambda k: f"{cast}p[{k}]", options)


def check_float(device: Device, *, conversion: str, type: str) -> None:
    """Flags, widths and precisions of a conversion of floats."""
    dtype = np.float32 if type == "float" else np.float64
    values = np.array(FLOATS, dtype)
    rows = list(float_rows(conversion))
    if dtype == np.float32:  # the text is that of the float, which may differ from the number
        rows = [row for row in rows if float(values[row[1]]) == FLOATS[row[1]] or not np.isfinite(values[row[1]])]
    _check_rows(device, rows, values, lambda k: f"p[{k}]")


def check_hex(device: Device, *, conversion: str, type: str) -> None:
    """%a without a precision is exact; its leading digit is implementation-defined."""
    values = np.array([1.5, -0.15625, 0.0, -0.0, 1e10, 3.25e-12, 0.1, np.inf], "f4" if type == "float" else "f8")
    statements = "".join(f'printf("%{conversion}\\n", p[{k}]);' for k in range(len(values)))
    lines = print_values(device, "", statements, values).splitlines()
    check.equal("lines", len(lines), len(values))
    for value, line in zip(values, lines, strict=True):
        upper = line == (line.upper() if conversion == "A" else line.lower())
        shape = re.fullmatch(r"-?(0x[0-9a-f](\.[0-9a-f]+)?p[+-]\d+|inf(inity)?)", line.lower())
        check.true(f"%{conversion} of {float(value)}: {line!r} has C99's form", bool(shape) and upper)
        got = float.fromhex(line)
        check.equal(f"%{conversion} of {float(value)}: {line}", (got, np.signbit(got)), (float(value), np.signbit(value)))


def check_vector(device: Device, *, count: int, modifier: str, conversions: str) -> None:
    """Flags, widths and precisions of conversions of vectors."""
    whole = conversions[0] in "du"
    bits = BITS[modifier]
    values = np.array(vector_values(modifier, count, whole), f"{'i' if whole else 'f'}{bits // 8}")
    name = SIGNED[bits] if whole else {16: "half", 32: "float", 64: "double"}[bits]
    rows = list(vector_rows(conversions, modifier, count))
    cast = f"as_u{name}{count}" if conversions[0] == "u" else ""
    _check_rows(device, rows, values, lambda k: f"{cast}(vload{count}(0, p + {k}))")


def check_program(device: Device, *, name: str) -> None:
    """The whole output of a kernel."""
    program = PROGRAMS[name]
    text = print_values(device, program.head, program.body, np.arange(64, dtype=np.int32))
    check.equal("output", text, program.text)


def check_character(device: Device) -> None:
    """Each printable character of ASCII by %c, without a field and in fields of both sides."""
    values = np.arange(32, 127, dtype=np.int32)
    text = print_values(
        device, "", f'for (int k = 0; k < {len(values)}; ++k) printf("%c%3c%-3c", p[k], p[k], p[k]);', values
    )
    check.equal("output", text, "".join(f"{chr(v)}  {chr(v)}{chr(v)}  " for v in values))


def check_string(device: Device) -> None:
    """%s with literals of 0 to 20 characters, in fields of several widths, precisions and both sides."""
    words = ["", "a", "bc", "defghijk", "lmnopqrstuvwxyz ABCD"]
    shapes = [(w, p, m) for w in (0, 1, 8, 30) for p in (None, 0, 1, 8, 30) for m in ("", "-") if w or not m]
    statements, want = [], []
    for n, (width, precision, minus) in enumerate(shapes):
        for word in (words[n % 5], words[(n + 3) % 5]):
            form = form_of(minus, width, precision, "", "s")
            statements.append(f'printf("[{form}]\\n", "{word}");')
            want.append(f"[{form % word}]")
    lines = print_values(device, "", "\n".join(statements), np.zeros(1, np.int32)).splitlines()
    for statement, line, text in zip(statements, lines, want, strict=True):
        check.equal(statement, line, text)


_KERNEL = '__kernel void f(int n) { printf("%d from %d\\n", (int)get_global_id(0), n); }'
_OTHER_KERNEL = '__kernel void f(int n) { printf("other %d\\n", n); }'


def check_flush(device: Device, *, how: str) -> None:
    """A kernel's output is there, in order, when its event has completed, and after clFinish."""
    kernel, other = device.build(_KERNEL).f, device.build(_OTHER_KERNEL).f
    want = ["0 from 7"]
    buffer = device.buffer(np.zeros(4, np.int32))

    def run() -> None:
        event: Any = device.launch(kernel, [1], [1], np.int32(7))
        if how == "two_kernels":
            device.launch(kernel, [1], [1], np.int32(8))
        if how == "two_programs":
            device.launch(other, [1], [1], np.int32(9))
        if how == "blocking_read":  # after the kernel in an in-order queue, so the kernel's event has completed
            device.read(buffer, np.int32, 4)
        elif how == "event":
            event.wait()
        else:
            device.queue.finish()
        if how == "again":
            device.launch(kernel, [1], [1], np.int32(1))
            device.queue.finish()

    text = captured(run)
    want += {"two_kernels": ["0 from 8"], "two_programs": ["other 9"], "again": ["0 from 1"]}.get(how, [])
    check.equal("lines", text.splitlines(), want)


def check_range(device: Device, *, size: Sequence[int], group: Sequence[int]) -> None:
    """Every item of a range prints its own line whole."""
    kernel = device.build(
        '__kernel void f(int n) { printf("%d %d %d of %d,%d: %d\\n", (int)get_global_id(0), (int)get_global_id(1), '
        "(int)get_global_id(2), (int)get_group_id(0), (int)get_group_id(1), n); }"
    ).f

    def run() -> None:
        device.launch(kernel, size, group, np.int32(-5))
        device.queue.finish()

    want = []
    for place in np.ndindex(*size):
        x, y, z = (*place, 0, 0)[:3]
        groups = [a // b for a, b in zip(place, group, strict=True)] + [0]
        want.append(f"{x} {y} {z} of {groups[0]},{groups[1]}: -5")
    check.equal("lines", sorted(captured(run).splitlines()), sorted(want))


def check_order(device: Device) -> None:
    """The lines of one item keep their order, whatever other items print."""
    text = print_values(
        device,
        "",
        'int i = get_global_id(0); for (int k = 0; k < 10 + i % 3; ++k) printf("%d %d\\n", i, p[k]);',
        np.arange(64, dtype=np.int32),
        64,
    )
    pairs = [tuple(map(int, line.split())) for line in text.splitlines()]
    for item in range(64):
        check.equal(f"item {item}", [k for i, k in pairs if i == item], list(range(10 + item % 3)))
    check.equal("lines", len(pairs), sum(10 + item % 3 for item in range(64)))


_LINE = f'"line %d of %d {"x" * 30}\\n"'


def check_overflow(device: Device) -> None:
    """More output than the buffer holds: lines may be lost, but none comes twice or broken, and the kernel does its work.

    A device without a buffer loses none.

    When the buffer is full, printf returns -1 (OpenCL C 3.0, 6.15.14.1), which the kernel counts.
    """
    times = _buffer_size(device) // 8 // 256 + 8  # the two arguments of a line take 8 bytes
    kernel = device.build(
        "__kernel void f(__global int *r, int times) { int i = get_global_id(0), lost = 0;\n"
        f"    for (int k = 0; k < times; ++k) lost += printf({_LINE}, k, i) == -1;\n"
        "    r[i] = lost; r[i + 256] = i * 3; }"
    ).f
    results = device.buffer(np.zeros(512, np.int32))

    def run() -> None:
        device.launch(kernel, [256], [64], results, np.int32(times))
        device.queue.finish()

    lines = captured(run).splitlines()
    got = device.read(results, np.int32, 512)
    check.equal("work behind printf", got[256:], np.arange(256) * 3)
    allowed = {f"line {k} of {i} {'x' * 30}" for k in range(times) for i in range(256)}
    check.true("lines are whole", set(lines) <= allowed)
    check.equal("lines, each once", len(set(lines)), len(lines))
    lost = int(got[:256].sum())
    check.true("printf returned -1 when the buffer was full", lost > 0 or len(lines) == times * 256)
    check.equal("lines, and calls that returned -1", len(lines) + lost, times * 256)
    # The next kernel has the whole buffer again.
    text = captured(lambda: (device.launch(kernel, [1], [1], results, np.int32(1)), device.queue.finish()))  # type: ignore[arg-type]
    check.true("a later kernel prints again", f"line 0 of 0 {'x' * 30}\n" in text)


def check_fill(device: Device, *, beyond: int) -> None:
    """One item fills the buffer with as many records as fit, and `beyond` more.

    The number of records that fit is found first, by printf's -1.
    """
    kernel = device.build(
        "__kernel void f(__global int *r, int times) { int lost = 0;\n"
        f"    for (int k = 0; k < times; ++k) lost += printf({_LINE}, k, times) == -1;\n"
        "    r[0] = lost; }"
    ).f
    result = device.buffer(np.zeros(1, np.int32))

    def lines_of(times: int) -> list[str]:
        def run() -> None:
            device.launch(kernel, [1], [1], result, np.int32(times))
            device.queue.finish()

        return captured(run).splitlines()

    times = _buffer_size(device) // 8 + 8
    lines = lines_of(times)
    fitting = times - int(device.read(result, np.int32, 1)[0])
    everything = len(lines) == times  # the device has no buffer
    check.true(f"printf returns -1 if {times} records of 8 bytes do not fit", fitting < times or everything)
    total = fitting + beyond
    lines = lines_of(total)
    lost = 0 if everything else max(0, beyond)
    check.equal("calls that returned -1", device.read(result, np.int32, 1)[0], np.int32(lost))
    want = [f"line {k} of {total} {'x' * 30}" for k in range(total - lost)]
    check.equal("lines", len(lines), len(want))
    check.true("each line is whole, in its order", lines == want)


def check_full(device: Device) -> None:
    """Lines that are together as long as the buffer, which "holds the output of printf calls" (API 3.0, 4.2), all come.

    A driver's record of three words is a little more than half as long as its line.
    """
    size, count = _buffer_size(device), 0
    want: list[str] = []
    while (size := size - len(line := f"line {count:6} of 1000000\n")) >= 0:
        want.append(line[:-1])
        count += 1
    kernel = device.build(
        "__kernel void f(__global int *r, int times, int all) { int lost = 0;\n"
        '    for (int k = 0; k < times; ++k) lost += printf("line %6d of %d\\n", k, all) == -1;\n'
        "    r[0] = lost; }"
    ).f
    result = device.buffer(np.zeros(1, np.int32))

    def run() -> None:
        device.launch(kernel, [1], [1], result, np.int32(count), np.int32(1000000))
        device.queue.finish()

    lines = captured(run).splitlines()
    what = f"of {count} lines that CL_DEVICE_PRINTF_BUFFER_SIZE holds"
    check.equal(f"{what}: printf returned -1", int(device.read(result, np.int32, 1)[0]), 0)
    check.equal(f"{what}: lines", len(lines), count)
    check.true("each line is whole, in its order", lines == want)


def _buffer_size(device: Device) -> int:
    """CL_DEVICE_PRINTF_BUFFER_SIZE, in bytes."""
    size = ctypes.c_size_t(0)
    error = call("clGetDeviceInfo", device.device.int_ptr, 0x1049, 8, ctypes.byref(size), 0)
    check.equal("CL_DEVICE_PRINTF_BUFFER_SIZE", error, "CL_SUCCESS", stage="api")
    return size.value


def check_pointer(device: Device) -> None:
    """%p is implementation-defined, but the same pointer has the same text, and two pointers have different texts."""
    text = print_values(device, "", 'printf("%p\\n%p\\n%p\\n", p, p + 1, p);', np.zeros(2, np.int32))
    lines = text.splitlines()
    check.equal("lines", len(lines), 3)
    check.true("a pointer has a text", lines[0].strip() != "")
    check.equal("the same pointer", lines[2], lines[0])
    check.true("another pointer has another text", lines[1] != lines[0])
