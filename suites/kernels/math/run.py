"""Math builtins: within the ULP limit everywhere, and exact at the edges."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device
from runner.model import Case

from ..scalar import np_type, pragmas
from .reference import REFERENCES, fma_double
from .table import BUILTINS, EDGES

Array = NDArray[Any]

SAMPLES = 1008  # a multiple of 3 and of 16

INT_EDGES = np.array([0, 1, 2, 3, 7, 24, 127, 149, 300, 2**24 + 1, 2**31 - 1], dtype=np.int64)
INT_EDGES = np.concatenate([INT_EDGES, -INT_EDGES - 1]).astype(np.int32)


def float_edges(dtype: Any) -> Array:
    """Both signs of zero, the ends of each range, numbers around 1, what overflows exp, inf; and NaN."""
    info = np.finfo(dtype)
    tiny, low, step = float(info.tiny), float(info.smallest_subnormal), float(info.eps)
    ends = [0.0, low, tiny - low, tiny, 1.5 * tiny]  # half of the last is denormal
    ends += [2.0**-24, 2.0**-14, 0.1, 0.5, 1 - step / 2, 1.0, 1 + step, 1.5, 2.0, 2.5, 3.0]
    ends += [float.fromhex("0x1.ffa728p+2")]  # where erfc cancels most
    ends += [np.pi / 2, np.pi, 10.0, 35.0, 88.75, 128.0, 1e4, 1 + 1 / step, float(info.max), np.inf]
    if dtype != np.float16:
        ends += [2.0**31, 1e20, 2.0**64, 2.0**127]
    return np.array([*ends, *(-x for x in ends), np.nan]).astype(dtype)


def operands(types: Sequence[str], rng: np.random.Generator) -> list[Array]:
    """Edges crossed with edges, then samples: by bit pattern, and by magnitude around 1."""
    step = (1, 2, 5)[len(types) - 1]  # fewer edges where more operands cross
    ends = [INT_EDGES if t == "int" else float_edges(np_type(t)) for t in types]
    edges = [values[i % step :: step] for i, values in enumerate(ends)]
    columns = [np.array(column) for column in zip(*itertools.product(*edges), strict=True)]
    count = (
        -(-(len(columns[0]) + SAMPLES) // 48) * 48
    )  # whole vectors of every width; the first ones come twice
    return [
        np.resize(np.concatenate([column.astype(np_type(t)), _samples(t, rng)]), count)
        for column, t in zip(columns, types, strict=True)
    ]


def _samples(type_name: str, rng: np.random.Generator) -> Array:
    if type_name == "int":
        return rng.integers(-40, 40, SAMPLES).astype(np.int32)
    dtype = np_type(type_name)
    half = SAMPLES // 2
    bits = np.frombuffer(rng.bytes(half * dtype.itemsize), dtype=dtype)
    bits = np.where(np.isnan(bits), dtype.type(np.nan), bits)  # a signalling one may act as quiet
    return np.concatenate([bits, (rng.uniform(-1, 1, half) * 2.0 ** rng.integers(-6, 7, half)).astype(dtype)])


def type_names(letters: str, floating: str) -> list[str]:
    """The OpenCL C types that the letters of a `Builtin` stand for."""
    return [floating if letter == "f" else "int" for letter in letters]


def source(name: str, floating: str, width: int) -> str:
    """A kernel `f` that applies the builtin to element i of its operands; 1 or `width` numbers an item."""
    builtin = BUILTINS[name]
    w = "" if width == 1 else str(width)
    load = "{0}[i]" if width == 1 else f"vload{w}(i, {{0}})"
    store = "{0}[i] = {1};" if width == 1 else f"vstore{w}({{1}}, i, {{0}});"
    names = "abc"[: len(builtin.operands)]
    types = type_names(builtin.operands, floating)
    result, *pointer = type_names(builtin.result + builtin.pointer, floating)
    parameters = [f"__global const {t} *{n}_" for n, t in zip(names, types, strict=True)]
    parameters += [f"__global {result} *result", *(f"__global {t} *stored" for t in pointer)]
    lines = [f"{t}{w} {n} = {load.format(n + '_')};" for n, t in zip(names, types, strict=True)]
    lines += [f"{t}{w} p;" for t in pointer]
    passed = ", ".join([*names, *("&p" for _ in pointer)])
    lines += [f"{result}{w} r = {builtin.call or f'{name}({passed})'};", store.format("result", "r")]
    lines += [store.format("stored", "p") for _ in pointer]
    body = "\n    ".join(["size_t i = get_global_id(0);", *lines])
    return f"{pragmas(floating)}__kernel void f({', '.join(parameters)}) {{\n    {body}\n}}\n"


def evaluate(
    device: Device, name: str, inputs: Sequence[Array], floating: str = "float", width: int = 1
) -> list[Array]:
    """What the device returns, and after it what it stores through the pointer, if any."""
    builtin = BUILTINS[name]
    count = inputs[0].size
    dtypes = [np_type(t) for t in type_names(builtin.result + builtin.pointer, floating)]
    outputs = [device.buffer(np.zeros(count, dtype=dtype)) for dtype in dtypes]
    kernel = device.build(source(name, floating, width)).f
    device.launch(kernel, [count // width], None, *(device.buffer(a) for a in inputs), *outputs)
    return [device.read(out, dtype, count) for out, dtype in zip(outputs, dtypes, strict=True)]


def flushed_operands(inputs: Sequence[Array]) -> Iterator[list[Array]]:
    """The operands, then every way to flush those that are denormal, to a zero of either sign (7.5.3)."""
    choices = []
    for value in inputs:
        wide = value.astype(np.float64)
        if value.dtype.kind == "i":
            choices.append([wide])
            continue
        denormal = (np.abs(wide) < float(np.finfo(value.dtype).tiny)) & (wide != 0)
        choices.append([wide, *(np.where(denormal, zero, wide) for zero in (0.0, -0.0))])
    for combination in itertools.product(*choices):
        yield list(combination)


def references(name: str, inputs: Sequence[Array], limit: float, *, denormals: bool) -> list[list[Array]]:
    """Every answer that the specification allows: lists of [result, stored through the pointer]."""
    dtype = inputs[0].dtype
    functions: list[Callable[..., Any]] = [REFERENCES[name]]
    if name == "fma" and dtype == np.float64:
        functions = [fma_double]
    if name == "mad":  # 6.15.2: fma, or a multiplication and an addition, each correctly rounded
        functions.append(lambda a, b, c: (a * b).astype(dtype).astype(np.float64) + c)
    info = np.finfo(dtype)
    low = float(info.tiny) + limit * float(info.smallest_subnormal)  # within the limit of a denormal result
    beyond = 2.0**info.maxexp if info.maxexp < 1024 else np.inf  # from here on, an overflow is right
    kinds = BUILTINS[name].result + BUILTINS[name].pointer
    answers = []
    for values in flushed_operands(inputs):
        for function in functions:
            with np.errstate(all="ignore"):
                found = function(*values)
                parts = [np.asarray(p) for p in (found if isinstance(found, tuple) else (found,))]
                if limit == 0:
                    parts = [
                        p.astype(dtype).astype(np.float64) if k == "f" else p
                        for p, k in zip(parts, kinds, strict=True)
                    ]
                answers.append(parts)
                answers.append([np.where(np.abs(p) >= beyond, np.copysign(np.inf, p), p) for p in parts])
                if not denormals:
                    answers.append([np.where(np.abs(p) < low, 0.0, p) for p in parts])
        if denormals:
            break
    return answers


def keeps_denormals(device: Device, floating: str) -> bool:
    """True where the device's configuration of the type has CL_FP_DENORM."""
    config = {"float": "single_fp_config", "half": "half_fp_config", "double": "double_fp_config"}[floating]
    return bool(getattr(device.device, config) & cl.device_fp_config.DENORM)


def check_ulp(device: Device, case: Case) -> None:
    """A builtin within its limit. Params: builtin, type, width of its vectors, limit in ULP."""
    name, floating, limit = case.params["builtin"], case.params["type"], case.params["limit"]
    builtin = BUILTINS[name]
    inputs = operands(type_names(builtin.operands, floating), device.rng)
    outputs = evaluate(device, name, inputs, floating, case.params["width"])
    answers = references(name, inputs, limit, denormals=keeps_denormals(device, floating))
    for position, (got, kind) in enumerate(zip(outputs, builtin.result + builtin.pointer, strict=True)):
        wants = [answer[position] for answer in answers]
        what = name if position == 0 else f"*{name}"
        if kind == "f":
            check.ulp(what, got, wants, limit, inputs)
            continue
        right = np.any([(got == want) | np.isnan(want) for want in wants], axis=0)  # NaN: not specified
        first = int(np.argmin(right))
        shown = ", ".join(check.show(a[first]) for a in inputs)
        check.equal(f"{what}({shown})", got[first], got[first] if right[first] else int(wants[0][first]))
        check.true(f"{what} is right everywhere", bool(right.all()))


def check_edges(device: Device, case: Case) -> None:
    """The exact values of a builtin at its edges, with the sign of zero. Params: builtin."""
    name = case.params["builtin"]
    types = type_names(BUILTINS[name].operands, "float")
    rows = EDGES[name]
    inputs = [np.array([row[0][i] for row in rows], dtype=np_type(t)) for i, t in enumerate(types)]
    got = evaluate(device, name, inputs)[0]
    for i, (_, want) in enumerate(rows):
        what = f"{name}({', '.join(check.show(a[i]) for a in inputs)})"
        check.equal(what, check.show(got[i]), check.show(float(want)))


BODIES = {"math.ulp": check_ulp, "math.edge": check_edges}
