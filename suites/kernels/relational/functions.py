"""Relational builtins, which are exact; true is 1 for scalars and -1 for each component of a vector."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.floating import Array, edges, flushed, keeps_denormals, vector_rows
from ..kit.scalar import FLOATS, np_type, pragmas
from .table import result_type

ITEMS = 512
Truth = NDArray[np.bool_]


def _normal(x: Array, tiny: float) -> Truth:
    return np.isfinite(x) & (np.abs(x) >= tiny)


def _reference(name: str, tiny: float) -> Callable[..., Truth]:
    ordered: Callable[[Array, Array], Truth] = lambda x, y: ~(np.isnan(x) | np.isnan(y))  # noqa: E731
    functions: dict[str, Callable[..., Any]] = {
        "isequal": np.equal,
        "isnotequal": np.not_equal,
        "isgreater": np.greater,
        "isgreaterequal": np.greater_equal,
        "isless": np.less,
        "islessequal": np.less_equal,
        "islessgreater": lambda x, y: (x < y) | (x > y),
        "isordered": ordered,
        "isunordered": lambda x, y: ~ordered(x, y),
        "isfinite": np.isfinite,
        "isinf": np.isinf,
        "isnan": np.isnan,
        "isnormal": lambda x: _normal(x, tiny),
        "signbit": np.signbit,
        "==": np.equal,
        "!=": np.not_equal,
        ">": np.greater,
        ">=": np.greater_equal,
        "<": np.less,
        "<=": np.less_equal,
    }
    return functions[name]


def evaluate(
    device: Device, call: str, inputs: Sequence[tuple[str, Array]], result: str, *, width: int, scalar_result: bool = False
) -> Array:
    """The results of `call`, a format with a place for each operand. `inputs`: type name, array of the shape (n, width)."""
    items = inputs[0][1].shape[0]
    w = "" if width == 1 else str(width)
    parameters = [f"__global const {t} *p{k}" for k, (t, _) in enumerate(inputs)]
    loads = [f"p{k}[i]" if width == 1 else f"vload{w}(i, p{k})" for k in range(len(inputs))]
    store = "result[i] = {};" if width == 1 or scalar_result else f"vstore{w}({{}}, i, result);"
    # The result goes to a variable of the specified type: another one would not build, or not convert.
    declared = f"{result}{'' if scalar_result else w} r = {call.format(*loads)};"
    source = (
        f"{pragmas(*(t for t, _ in inputs), result)}__kernel void f({', '.join(parameters)}, __global {result} *result) {{\n"
        f"    size_t i = get_global_id(0);\n    {declared}\n    {store.format('r')}\n}}\n"
    )
    shape = (items, 1 if scalar_result else width)
    out = device.buffer(np.zeros(shape, np_type(result)))
    device.launch(device.build(source).f, [items], None, *(device.buffer(a) for _, a in inputs), out)
    return device.read(out, np_type(result), shape)


def _pairs(floating: str, count: int) -> list[Array]:
    """Edges crossed with edges, or only edges: (rows,) an operand; each is paired with itself, neighbours, its negative."""
    ends = edges(floating)
    if count == 1:
        return [ends]
    shifts = (0, 1, 2, 5, ends.size // 2, ends.size // 2 + 1)
    pairs = [(ends, np.roll(ends, shift)) for shift in shifts]
    pairs += [(ends, np.full_like(ends, special)) for special in (0.0, np.nan, np.inf, -1.0)]
    return [np.concatenate(column) for column in zip(*pairs, strict=True)]


def check_compare(device: Device, *, builtin: str, type: str, width: int) -> None:
    """A comparison of float types. `builtin`: its name, or an operator."""
    dtype = np_type(type)
    function = _reference(builtin, float(np.finfo(dtype).tiny))
    operator = not builtin[0].isalpha()
    columns = _pairs(type, 1 if builtin.startswith(("isfinite", "isinf", "isnan", "isnormal", "sign")) else 2)
    rows = np.arange(columns[0].size)[:, None] if width == 1 else _rows(columns[0].size, width)
    inputs = [column[rows] for column in columns]
    call = f"({{}} {builtin} {{}})" if operator else f"{builtin}({', '.join(['{}'] * len(inputs))})"
    result = result_type(type, width)
    got = evaluate(device, call, [(type, a) for a in inputs], result, width=width)
    true, wants = 1 if width == 1 else -1, []
    for values in flushed([a.astype(np.float64) for a in inputs], [dtype] * len(inputs)):
        want = function(*values)
        wants.append((want * true).astype(got.dtype))
        if keeps_denormals(device, type) or builtin == "signbit":  # which reads only a bit
            break
    check.exact(call.format(*"xy"), got, wants, inputs)


def _rows(count: int, width: int) -> NDArray[np.intp]:
    """The rows of operands: all of them, each in one component; and the first ones, the edges, in every component."""
    every = np.resize(np.arange(count), (-(-count // width), width))
    return np.concatenate([every, vector_rows(count * 3 // 4, count, width, 256)])


def _masks(integer: str, width: int) -> Array:
    """Vectors with every combination of the most significant bits of four components; the other bits vary."""
    dtype = np_type(integer)
    high = 1 << (8 * dtype.itemsize - 1)
    unset, set_ = [0, 1, high - 1, high // 2], [high, high + 1, 2 * high - 1, high + high // 2]
    rows = [
        [(set_ if on else unset)[(k + n) % 4] for k in range(width)] for n, on in itertools.product(range(4), (False, True))
    ]
    for component in range(width):
        for on in (False, True):
            row = [(unset if on else set_)[(component + k) % 4] for k in range(width)]
            row[component] = (set_ if on else unset)[component % 4]
            rows.append(row)
    return np.array(rows, dtype=np.uint64).astype(f"u{dtype.itemsize}").view(dtype)


def check_any_all(device: Device, *, builtin: str, type: str, width: int) -> None:
    """any and all are 1 if the most significant bit of any component, or of all components, is set."""
    masks = _masks(type, width)
    got = evaluate(device, f"{builtin}({{}})", [(type, masks)], "int", width=width, scalar_result=True)
    want = (np.any if builtin == "any" else np.all)(masks < 0, axis=1, keepdims=True)
    check.equal(f"{builtin}({type}{width})", got, want.astype(np.int32))


def _patterns(device: Device, type_name: str, width: int) -> Array:
    """Bit patterns as unsigned integers: all zeros, all ones, each half of them, and random ones."""
    size = np_type(type_name).itemsize
    drawn = device.rng.integers(0, 256, (ITEMS // 2, width * size), dtype=np.uint8)
    drawn[:8] = np.array([0, 255, 0x55, 0xAA, 0x0F, 0xF0, 0x80, 0x7F], np.uint8)[:, None]
    return drawn.view(f"u{size}")


def _bits(values: Array) -> Array:
    return values.view(f"u{values.dtype.itemsize}")


def check_bitselect(device: Device, *, type: str, width: int) -> None:
    """bitselect(a, b, c): each bit is that of b if the bit of c is set, else that of a."""
    a, b, c = (_patterns(device, type, width) for _ in range(3))
    b[:8] = ~a[:8]
    operands = [(type, x.view(np_type(type))) for x in (a, b, c)]
    got = evaluate(device, "bitselect({}, {}, {})", operands, type, width=width)
    check.exact(f"bitselect({type}{width})", _bits(got), [(a & ~c) | (b & c)], [a, b, c])


def check_select(device: Device, *, type: str, width: int, mask: str) -> None:
    """select(a, b, c) is b if c is true, or, for components of vectors, if the highest bit of c is set; else a."""
    a, b = (_patterns(device, type, width) for _ in range(2))
    c = np.resize(_masks(mask, width), a.shape)
    operands = [(type, a.view(np_type(type))), (type, b.view(np_type(type))), (mask, c)]
    got = evaluate(device, "select({}, {}, {})", operands, type, width=width)
    high = np.array(1 << (8 * c.dtype.itemsize - 1), dtype=np.uint64).astype(f"u{c.dtype.itemsize}")
    chosen = c != 0 if width == 1 else (_bits(c) & high) != 0
    if type in FLOATS:  # a NaN may lose its payload in a register
        nan = np.isnan(a.view(np_type(type))) | np.isnan(b.view(np_type(type)))
        a, b, got = (np.where(nan, 0, _bits(x)).astype(a.dtype) for x in (a, b, got))
    check.exact(f"select({type}{width}, {mask})", _bits(got), [np.where(chosen, b, a)], [a, b, c])
