"""Results that are narrowed: if the source has two roundings, both must happen (OpenCL C 3.0, 6.4.3, 6.15.2.1, 7.1).

A fused instruction rounds a sum or a product once, to the narrower type. With these operands, the result in the operation's
type is a number at which the second rounding changes, and the exact result is next to it.
"""

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.integers import bounds
from ..kit.scalar import np_type, pragmas
from .exact import FORMATS, Number, convert, default_mode, round_to_float
from .table import MODES, OPERATIONS, vector

Row = tuple[Number, Number, Number]
_ROWS = 96  # whole vectors of every width
# The suffixes of convert_ and vstore_half, and the widths with which each is tested.
_WAYS = {"": (1, 2, 3, 4, 8, 16), "_rte": (1, 2), "_rtz": (1, 4), "_rtp": (1, 3), "_rtn": (1, 8)}
_FIRST: dict[str, Callable[[Any, Any], Any]] = {"add": operator.add, "sub": operator.sub}


def exact_result(operation: str, row: Row) -> Fraction:
    """The exact result."""
    a, b, c = map(Fraction, row)
    product: Fraction = _FIRST.get(operation, operator.mul)(a, b)
    return c - product if operation == "sub_mul" else product + c if operation in ("mul_add", "fma") else product


def rounded(operation: str, row: Row, type_name: str) -> float:
    """The result in the operation's type; each operation of the source rounds."""
    if operation not in ("mul_add", "sub_mul"):
        return round_to_float(exact_result(operation, row), type_name, "rte")
    product, c = round_to_float(exact_result("mul", row), type_name, "rte"), Fraction(row[2])
    last = c - Fraction(product) if operation == "sub_mul" else c + Fraction(product)
    return round_to_float(last, type_name, "rte")


def boundary_number(rng: np.random.Generator, source: str, target: str) -> float:
    """A number of `source` that is a number of `target`, or in the middle between two."""
    if target in FORMATS:
        digits = FORMATS[target][0]
        number = int(rng.integers(1 << (digits - 1), 1 << digits))
        return float((number + rng.integers(2) / 2) * 2.0 ** (int(rng.integers(8)) - digits + 1))
    low, high = bounds(target)
    most = min(high - 1, 2 ** (FORMATS[source][0] - 2))
    sign = -1 if low < 0 and rng.integers(2) else 1
    return float(sign * (1 + int(rng.integers(most)) + rng.integers(2) / 2))


def _operands(rng: np.random.Generator, operation: str, source: str, target: str) -> Row:
    """Operands whose result in `source` is close to a boundary number, and mostly that number itself."""

    def near(value: float | Fraction) -> float:
        return round_to_float(Fraction(value), source, "rte")

    t = boundary_number(rng, source, target)
    if operation in _FIRST:
        exponent = int(np.floor(np.log2(abs(t)))) - FORMATS[source][0]
        return t, float(rng.choice([-1, 1]) * 2.0 ** (exponent - 1 - int(rng.integers(2)))), 0.0
    a = near(1 + rng.random())
    if operation == "mul":
        return a, near(Fraction(t) / Fraction(a)), 0.0
    cancels = operation != "fma" and rng.integers(2)  # so that the rounding of the product shows in the sum
    b = near(t * (4 + 4 * rng.random() if cancels else 0.3 + rng.random() / 4) * (-1 if operation == "sub_mul" else 1))
    product = Fraction(a) * Fraction(b)
    if cancels:
        product = Fraction(near(product))
    return a, b, near(Fraction(t) + product if operation == "sub_mul" else Fraction(t) - product)


def rows(rng: np.random.Generator, operation: str, source: str, target: str) -> list[Row]:
    """Operands; at least a third of them show in some mode that a rounding was left out."""
    found: list[Row] = []
    for _ in range(40 * _ROWS):
        row = _operands(rng, operation, source, target)
        first, exact = rounded(operation, row, source), exact_result(operation, row)
        shows = any(_narrow(first, target, mode) != _narrow(exact, target, mode) for mode in MODES)
        if (shows or len(found) % 3) and _narrow(first, target, "") is not None:
            found.append(row)
        if len(found) == _ROWS:
            return found
    raise check.NothingTested(f"{operation} of {source} to {target}: no operands show a lost rounding")


def _narrow(value: Number | Fraction, target: str, suffix: str) -> Number | None:
    mode = suffix[1:] or default_mode(target)
    return convert(value, target, mode, saturated=False)  # type: ignore[arg-type]


def expected_values(found: list[Row], operation: str, source: str, target: str, suffix: str) -> NDArray[Any]:
    """The right results for a suffix of convert_."""
    values = [_narrow(rounded(operation, row, source), target, suffix) for row in found]
    return np.array(values, np_type(target))


def _statement(suffix: str, target: str, operation: str, width: int, at: int, *, stored: bool) -> str:
    """Narrow the operation's result, and store it as the part `at` of the results; a scalar also by a cast."""
    expression, to, wide = OPERATIONS[operation], f"r + {at} * n", "" if width == 1 else str(width)
    if stored:
        return f"vstore_half{wide}{suffix}({expression}, i, {to});"
    value = f"convert_{target}{wide}{suffix}({expression})"
    if not suffix and width == 1:
        return f"({to})[i] = i & 1 ? ({target})({expression}) : {value};"
    return f"({to})[i] = {value};" if width == 1 else f"vstore{width}({value}, i, {to});"


def check_narrowed(device: Device, *, target: str, source: str, operation: str, stored: bool) -> None:
    """A result of the type `source` is narrowed to `target`: by a cast and by convert_, or by vstore_half (`stored`)."""
    found = rows(device.rng, operation, source, target)
    kernels = []
    for width in _WAYS[""]:
        loads = " ".join(
            f"{vector(source, width)} {x} = {f'{x}_[i]' if width == 1 else f'vload{width}(i, {x}_)'};" for x in "abc"
        )
        statements = "\n        ".join(
            _statement(suffix, target, operation, width, at, stored=stored)
            for at, (suffix, widths) in enumerate(_WAYS.items())
            if width in widths
        )
        kernels.append(
            f"__kernel void f{width}(__global const {source} *a_, __global const {source} *b_, "
            f"__global const {source} *c_, __global {target} *r) {{\n    size_t i = get_global_id(0), n = {_ROWS};\n"
            f"    if (i < n / {width}) {{\n        {loads}\n        {statements}\n    }}\n}}\n"
        )
    head = pragmas(source, *([] if stored else [target]))
    program = device.build(f"{head}#pragma OPENCL FP_CONTRACT OFF\n{''.join(kernels)}")
    inputs = [np.array(column, np_type(source)) for column in zip(*found, strict=True)]
    buffers = [device.buffer(column) for column in inputs]
    gots = {}
    for width in _WAYS[""]:
        out = device.buffer(np.zeros((len(_WAYS), _ROWS), np_type(target)))
        device.launch(getattr(program, f"f{width}"), [_ROWS], None, *buffers, out)
        gots[width] = device.read(out, np_type(target), (len(_WAYS), _ROWS))
    for at, (suffix, widths) in enumerate(_WAYS.items()):
        want = expected_values(found, operation, source, target, suffix)
        what = f"vstore_half{suffix}" if stored else f"convert_{target}{suffix}"
        for width in widths:
            check.exact(f"{what} of {OPERATIONS[operation]}, width {width}", gots[width][at], [want], inputs)


def check_widened(device: Device, *, target: str, source: str) -> None:
    """A value that was rounded to the narrower type stays so when it is widened again. `target`: the wider type."""
    a, b = (device.rng.uniform(1, 2, _ROWS).astype(np_type(source)) for _ in "ab")
    c = device.rng.integers(-4, 5, _ROWS).astype(np_type(target))
    kernel = device.build(
        f"""{pragmas(source, target)}#pragma OPENCL FP_CONTRACT OFF
__kernel void f(__global const {source} *a, __global const {source} *b, __global const {target} *c, __global {target} *r) {{
    size_t i = get_global_id(0), n = get_global_size(0);
    {source} product = a[i] * b[i], sum = a[i] + b[i];
    r[i] = product;
    r[n + i] = product + c[i];
    r[2 * n + i] = sum * c[i];
    r[3 * n + i] = ({target})(a[i] * b[i]) - c[i];
}}
"""
    ).f
    out = device.buffer(np.zeros((4, _ROWS), np_type(target)))
    device.launch(kernel, [_ROWS], None, *map(device.buffer, (a, b, c)), out)
    product, total = (a * b).astype(np_type(target)), (a + b).astype(np_type(target))  # numpy rounds as IEEE 754
    answers = {
        f"{target} of {source} a * b": product,
        f"{target} of {source} a * b, + c": product + c,
        f"{target} of {source} a + b, * c": total * c,
        f"({target})(a * b) - c": product - c,
    }
    for (what, want), got in zip(answers.items(), device.read(out, np_type(target), (4, _ROWS)), strict=True):
        check.exact(what, got, [want], [a, b, c])


def check_narrowed_image(device: Device, *, operation: str) -> None:
    """A result that write_imagef stores as a half is first rounded to a float; then to nearest or toward zero (8.3.2)."""
    found = rows(device.rng, operation, "float", "half")
    kernel = device.build(
        f"""#pragma OPENCL FP_CONTRACT OFF
__kernel void f(__global const float4 *a_, __global const float4 *b_, __global const float4 *c_,
                __write_only image2d_t image) {{
    int i = get_global_id(0);
    float4 a = a_[i], b = b_[i], c = c_[i];
    write_imagef(image, (int2)(i, 0), {OPERATIONS[operation]});
}}
"""
    ).f
    shape = (_ROWS // 4, 1)
    fmt = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.HALF_FLOAT)
    image = cl.create_image(device.context, cl.mem_flags.WRITE_ONLY, fmt, shape=shape)
    inputs = [np.array(column, np.float32) for column in zip(*found, strict=True)]
    device.launch(kernel, [shape[0]], None, *map(device.buffer, inputs), image)
    got = device.read_image(image, np.float16, (shape[0], 4), (0, 0), shape).reshape(-1)
    allowed = [expected_values(found, operation, "float", "half", suffix) for suffix in ("_rte", "_rtz")]
    check.exact(f"write_imagef of {OPERATIONS[operation]} as half", got, allowed, inputs)
