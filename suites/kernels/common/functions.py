"""Common builtins: exact, or within their limit; denormals may be flushed to zero."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.floating import Array, accept_alternatives, edges, flushed, keeps_denormals, log_uniform, overflowed, vector_rows
from ..kit.scalar import literal, np_type, pragmas
from .kernel import evaluate, evaluate_constants
from .table import COMMON

Doubles = NDArray[np.float64]
_CONSTANT_ITEMS = 24  # items with constant operands


def _sign(x: Doubles) -> Doubles:
    return np.where(np.isnan(x), 0.0, np.where(x == 0, x, np.sign(x)))


def _smoothstep(low: Doubles, high: Doubles, x: Doubles) -> Doubles:
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


REFERENCES: dict[str, Callable[..., Any]] = {
    "clamp": lambda x, low, high: np.fmin(np.fmax(x, low), high),
    "degrees": lambda x: x * (180 / np.longdouble(_PI)),
    "max": lambda x, y: np.where(x < y, y, x),
    "min": lambda x, y: np.where(y < x, y, x),
    "mix": lambda x, y, a: x + (y - x) * a,
    "radians": lambda x: x * (np.longdouble(_PI) / 180),
    "sign": _sign,
    "smoothstep": _smoothstep,
    "step": lambda edge, x: np.where(x < edge, 0.0, 1.0),
}
_PI: np.longdouble = np.longdouble(np.pi) + np.longdouble(1.2246467991473532e-16)  # pi in float64, and the rest


def _operands(name: str, floating: str, width: int, scalars: str) -> list[Array]:
    """Operands of the shape (n, width) for which the result is defined; of a scalar one, the first component counts."""
    ends = edges(floating)
    if name in ("mix", "smoothstep"):
        inputs = _graded(name, floating)
    else:
        ends = ends[np.isfinite(ends)] if name in ("max", "min", "clamp", "step") else ends
        # Each edge is paired with others, and with itself.
        inputs = [
            np.concatenate([np.tile(np.roll(ends, shift), 3), log_uniform(floating, -20, 15, 300, name, shift)])
            for shift in (0, 1, 7)[: COMMON[name].operands]
        ]
        if len(inputs) > 1:
            inputs[1][: ends.size] = ends
    rows = vector_rows(inputs[0].size * 3 // 4, inputs[0].size, width, 1024 if width == 1 else 512)
    inputs = [column[rows] for column in inputs]
    for position in map(int, scalars):
        inputs[position] = np.broadcast_to(inputs[position][:, :1], rows.shape)
    if name == "clamp":
        inputs[1], inputs[2] = np.minimum(inputs[1], inputs[2]), np.maximum(inputs[1], inputs[2])
    return inputs


def _graded(name: str, floating: str) -> list[Array]:
    """For mix, numbers in [-2, 2] and a weight in [0, 1]; for smoothstep, two edges, and an x from below to above them."""
    dtype = np_type(floating)
    first = log_uniform(floating, -6, 0, 640, name, 0)
    if name == "mix":
        weight = np.abs(log_uniform(floating, -8, -1, 640, name, 2))
        weight[:64:2], weight[1:64:2] = 0, 1
        return [first, log_uniform(floating, -6, 0, 640, name, 1), weight]
    second = (first + np.abs(log_uniform(floating, -2, 1, 640, name, 1))).astype(dtype)
    place = np.resize(np.array([-0.5, 0.0, 1.0, 1.5, 0.125, 0.25, 0.5, 0.75, 0.9375, 0.03125]), 640)
    x = (first + (second - first) * place).astype(dtype)
    return [first, second, np.where(place == 1, second, x)]


def check_value(device: Device, *, builtin: str, type: str, width: int, scalars: str, known: bool = False) -> None:
    """A common builtin. `scalars`: the positions of its scalar operands.

    `known`: only a few calls, with constant operands.
    """
    inputs = _operands(builtin, type, width, scalars)
    if known:
        few = np.linspace(0, len(inputs[0]) - 1, _CONSTANT_ITEMS).astype(int)
        inputs = [column[few] for column in inputs]
    launch = evaluate_constants if known else evaluate
    got = launch(device, builtin, inputs, type, scalars)
    if builtin in ("mix", "smoothstep"):
        _check_graded(builtin, type, inputs, got, denormals=keeps_denormals(device, type))
        return
    dtype, denormals = np_type(type), keeps_denormals(device, type)
    limit = 2 if builtin in ("degrees", "radians") else 0

    def others(few: Sequence[Array]) -> Iterator[Array]:
        for values in flushed([a.astype(np.float64) for a in few], [dtype] * len(few)):
            with np.errstate(all="ignore"):
                want = np.asarray(REFERENCES[builtin](*(v.astype(np.longdouble) if limit else v for v in values)))
            yield overflowed(want, type)
            if denormals:
                return
            low = float(np.finfo(dtype).tiny) * (1 + limit * float(np.finfo(dtype).eps))
            yield np.where((np.abs(want) < low) & (want != 0), 0.0, want)

    want = accept_alternatives(got, next(others(inputs)), limit, inputs, others)
    check.ulp(builtin, got, [want], limit, inputs)


def _check_graded(name: str, floating: str, inputs: Sequence[Array], got: Array, *, denormals: bool) -> None:
    """mix and smoothstep have an absolute error in float (7.4), which is open in half and double.

    There the bound is that of a formula whose operations are all off by a unit (a division by 2.5): mix is
    x + (y - x) a or x (1 - a) + y a, at most three units of |x| + |y|; smoothstep's polynomial is off by 3 units, and its
    t by 4.5, of which the slope makes 4 (6 t^2 (1 - t) is at most 8/9).
    """
    values = [a.astype(np.float64) for a in inputs]
    want = REFERENCES[name](*values)
    info = np.finfo(np_type(floating))
    if floating == "float":
        atol: Any = 1e-3 if name == "mix" else 1e-5
    else:
        units = 3 * (np.abs(values[0]) + np.abs(values[1])) if name == "mix" else 7
        atol = units * float(info.eps) + (0.0 if denormals else 3 * float(info.tiny))
    check.close(name, got, want, atol=atol)
    if name == "smoothstep":
        low, high, x = inputs
        ends = (x <= low) | (x >= high)
        below = np.where(x <= low, 0.0, 1.0)
        check.exact("smoothstep outside of its edges", got[ends], [below[ends].astype(got.dtype)], [a[ends] for a in inputs])


def check_clamp_nan(device: Device, *, type: str) -> None:
    """clamp(x, low, high) is fmin(fmax(x, low), high), so that it replaces a NaN by low."""
    dtype = np_type(type)
    low = np.abs(log_uniform(type, -5, 5, 64, "low")).reshape(16, 4)
    inputs = [np.full_like(low, np.nan), low, (low * dtype.type(2)).astype(dtype)]
    check.exact("clamp of NaN", evaluate(device, "clamp", inputs, type), [low], inputs)


def check_sign_zero(device: Device, *, type: str) -> None:
    """sign of a zero is the same zero, and sign of NaN is 0.0 (6.15.4)."""
    inputs = [np.array([[0.0, -0.0, np.nan, 1.5]] * 3).astype(np_type(type))]
    want = _sign(inputs[0]).astype(inputs[0].dtype)
    check.exact("sign", evaluate(device, "sign", inputs, type), [want], inputs)


def check_known(device: Device, *, builtin: str, type: str) -> None:
    """Calls with constant operands: all of them, or all but the first."""
    dtype, count = np_type(type), COMMON[builtin].operands
    limits = np.finfo(dtype)
    values = [0.0, -0.0, 1.5, -2.0, *([float(limits.max), float(limits.tiny)] if count < 3 else [])]
    values += [math.nan, math.inf, -math.inf] if builtin == "sign" else []
    rows = [row for row in itertools.product(values, repeat=count) if builtin != "clamp" or row[1] <= row[2]]
    calls = []
    for i, row in enumerate(rows):
        known = [literal(value, type) for value in row]
        calls += [
            f"r[{2 * i}] = {builtin}({', '.join(known)});",
            f"r[{2 * i + 1}] = {builtin}({', '.join([f'v[{i}]', *known[1:]])});",
        ]
    body = "\n    ".join(calls)
    source = f"{pragmas(type)}__kernel void f(__global const {type} *v, __global {type} *r) {{\n    {body}\n}}\n"
    operands = [np.repeat(np.array(column, dtype), 2) for column in zip(*rows, strict=True)]
    out = device.buffer(np.zeros(len(calls), dtype))
    device.launch(device.build(source).f, [1], None, device.buffer(operands[0][::2].copy()), out)
    want = REFERENCES[builtin](*(a.astype(np.float64) for a in operands))
    check.ulp(f"{builtin} of constants", device.read(out, dtype, len(calls)), [want], 0, operands)
