"""Comparisons of an operation's result with a constant (OpenCL C 3.0, 6.5.4; the edges of 7.5.1).

A compiler that knows the range of sqrt or fabs may decide such a comparison without them, and be wrong at zeros and NaN.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.floating import Array
from ..kit.scalar import COMPARE, np_type, pragmas

Model = Callable[[Array], Array]

# For these values, results are exact, or not close to a constant, so that every comparison is clear. None is denormal.
VALUES = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 3.0, -3.0, 8.0, -8.0, np.inf, -np.inf, np.nan)
CONSTANTS = (0, 3, -3)
# Functions of a float v, with constants of its type such as T(3).
FUNCTIONS: dict[str, Model] = {
    "fabs(v)": np.abs,
    "-fabs(v)": lambda v: -np.abs(v),
    "-v": np.negative,
    "sqrt(v)": np.sqrt,
    "v * v": np.square,
    "v * T(-1)": np.negative,
    "v + T(3)": lambda v: v + v.dtype.type(3),
    "T(3) - v": lambda v: v.dtype.type(3) - v,
    "exp2(v)": np.exp2,
    "floor(v)": np.floor,
    "sign(v)": lambda v: np.nan_to_num(np.sign(v)),
    "fmin(v, T(0))": lambda v: np.fmin(v, v.dtype.type(0)),
    "fmax(v, T(0))": lambda v: np.fmax(v, v.dtype.type(0)),
    "fmax(T(3), v)": lambda v: np.fmax(v, v.dtype.type(3)),
    "v > T(0) ? v : T(0)": lambda v: np.where(v > 0, v, v.dtype.type(0)),
}
# Values of an int n, which is converted to a float.
INTEGERS = (0, 1, -1, 3, -3, 127, -128, 200, 2**31 - 1, -(2**31))
CONVERTED = {"n": np.int32, "(uint)n": np.uint32, "(short)n": np.int16, "(uchar)n": np.uint8}
# Pairs of comparisons of a result f, negated comparisons, and tests for NaN.
JOINED: dict[str, Model] = {
    "f >= T(0) && f < T(3)": lambda f: (f >= 0) & (f < 3),
    "f < T(0) || f >= T(3)": lambda f: (f < 0) | (f >= 3),
    "!(f < T(0))": lambda f: ~(f < 0),
    "!(f >= T(3))": lambda f: ~(f >= 3),
    "f != f": np.isnan,
    "isnan(f) || f > T(-3)": lambda f: np.isnan(f) | (f > -3),
}


def _swapped(compare: Callable[[Any, Any], Any], c: int, f: Array) -> Array:
    return np.asarray(compare(f, c))


def _comparisons(number: int) -> list[tuple[str, Model]]:
    """The comparisons of a function's result `f`, with the constant on the right or on the left."""
    models: list[tuple[str, Model]] = []
    for k, (sign, compare) in enumerate(COMPARE.items()):
        for j, c in enumerate(CONSTANTS):
            if (number + k + j) % 2:
                models.append((f"f {sign} T({c})", partial(_swapped, compare, c)))
            else:
                models.append((f"T({c}) {sign} f", partial(compare, c)))
    return [*models, *JOINED.items()]


def _functions(floating: str) -> dict[str, Model]:
    """All functions, but exp2 only for float: for other types it is libclc's, with faults of its own (bugs 96 and 122)."""
    return {code: model for code, model in FUNCTIONS.items() if floating == "float" or code != "exp2(v)"}


def check_results(device: Device, *, type: str) -> None:
    """Each comparison of each result, stored as a bit."""
    dtype = np_type(type)
    v, n = np.array(VALUES, dtype), np.array(INTEGERS, np.int32)
    v, n = np.resize(v, v.size * n.size), np.repeat(n, v.size)
    with np.errstate(all="ignore"):
        results = [(code, v, np.asarray(model(v), dtype)) for code, model in _functions(type).items()]
        results += [(f"({type}){code}", n, n.astype(kind).astype(dtype)) for code, kind in CONVERTED.items()]
    compared = [_comparisons(number) for number in range(len(results))]
    lines = []
    for number, ((code, _, _), comparisons) in enumerate(zip(results, compared, strict=True)):
        together = " | ".join(f"(uint)({text}) << {k}" for k, (text, _) in enumerate(comparisons))
        lines.append(f"    {{ {type} f = {code}; r[{number} * count + i] = {together}; }}")
    source = (
        f"{pragmas(type)}#define T(x) (({type})x)\n"
        f"__kernel void f(__global const {type} *vs, __global const int *ns, __global uint *r) {{\n"
        f"    size_t i = get_global_id(0), count = get_global_size(0);\n    {type} v = vs[i];\n    int n = ns[i];\n"
        + "\n".join(lines)
        + "\n}\n"
    )
    out = device.buffer(np.zeros((len(lines), v.size), np.uint32))
    device.launch(device.build(source).f, [v.size], None, device.buffer(v), device.buffer(n), out)
    got = device.read(out, np.uint32, (len(lines), v.size))
    for bits, (code, operands, f), comparisons in zip(got, results, compared, strict=True):
        for k, (text, compare) in enumerate(comparisons):
            check.equal(f"f = {code}: {text}", bits >> k & 1, compare(f).astype(np.uint32), [operands])
