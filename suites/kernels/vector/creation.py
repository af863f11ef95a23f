"""Vectors from parts, repeated scalars and constants; and vectors in memory."""

from collections.abc import Iterator

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .sheet import Expression, compare, digits, vector

_SIZES = (1, 2, 3, 4, 8, 16)
MAX_COMPOSITIONS = 12


def compositions(width: int) -> list[tuple[int, ...]]:
    """The ways to make a vector from parts (6.3.6), in order; for wide vectors, every n-th of them."""
    every = list(_compositions(width, _SIZES if width <= 8 else (2, 3, 4, 8, 16)))
    step = max(1, len(every) // MAX_COMPOSITIONS)
    return list(dict.fromkeys([(1,) * width, *every[::step], (width,)]))


def _compositions(width: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if width == 0:
        yield ()
    for size in sizes:
        if size <= width:
            for rest in _compositions(width - size, sizes):
                yield (size, *rest)


def check_parts(device: Device, *, type: str, width: int) -> None:
    """Literals from scalars and vectors in every arrangement."""
    lines = []
    for n, sizes in enumerate(compositions(width)):
        texts, places = [], []
        for k, size in enumerate(sizes):
            chosen = [(n + 3 * k + 5 * j + 1) % width for j in range(size)]
            from_b = (n + k) % 2
            texts.append(f"{'ab'[from_b]}.{digits(chosen)}")
            places += [c + from_b * width for c in chosen]
        lines.append(Expression(f"(T)({', '.join(texts)})", width, places))
    compare(device, type, width, lines)


def check_literal(device: Device, *, type: str, width: int) -> None:
    """Literals from constants and from repeated and converted scalars, at run time and at program scope."""
    numbers = (37 * np.arange(width) + 3) % 101  # all of them differ
    listed = ", ".join(map(str, numbers))
    mixed = ", ".join(["a.s1", *(f"({kind}){n}" for kind, n in zip(_kinds(), numbers[1:], strict=False))])
    lines = [
        Expression("(T)(a.s0)", width, [0] * width),
        Expression("w", width, [1] * width, "T w = a.s1;"),
        Expression("w", width, [width] * width, "T w = a; w = b.s0;"),
        Expression("(T)(7)", width, lambda a, b: np.full_like(a, 7)),
        Expression(f"(T)({listed})", width, lambda a, b: 0 * a + numbers),
        Expression("fixed", width, lambda a, b: 0 * a + numbers),
        Expression("table[i + 1]", width, lambda a, b: numbers + np.array([[1], [2]])),
        Expression(f"(T)({mixed})", width, lambda a, b: np.concatenate([a[:, 1:2], 0 * a[:, 1:] + numbers[1:]], axis=1)),
        Expression("(T)((char)5)", width, lambda a, b: np.full_like(a, 5)),
    ]
    rows = ", ".join(f"(T)({', '.join(map(str, numbers + n))})" for n in range(3))
    functions = f"__constant T fixed = (T)({listed});\n__constant T table[3] = {{{rows}}};"
    compare(device, type, width, lines, functions=functions)


def _kinds() -> list[str]:
    return ["char", "uint", "float", "short", "uchar"] * 3


def check_memory(device: Device, *, type: str, width: int) -> None:
    """Vectors in private and local arrays, with an index that is known only at run time, through pointers, as arguments."""
    a, b = list(range(width)), list(range(width, 2 * width))
    lines = [
        Expression("q[i]", width, a),
        Expression("q[1 - i]", width, b),
        Expression("l[2 * i + 1]", width, b),
        Expression("l[2 * i]", width, a),
        Expression("turned(a, b.s1)", width, [width + 1, *a[1:]]),
        Expression("b", width, b, "T unused = turned(b, a.s0);"),
        Expression("w", width, [a[0], *b[1:]], "T w = b; set(&w, a.s0);"),
        Expression(
            "w[1 - i]", width, [*b[:-1], 0], f"T w[2]; w[i] = a; w[1 - i] = b; w[1 - i].{digits((width - 1,))} = a.s0;"
        ),
        Expression("pair.second", width, b, "struct { T first; T second; } pair = {a, b};"),
        Expression("w", width, a, "__local T *p = l + 2 * i; T w = *p;"),
    ]
    functions = "T turned(T v, E s) { v.s0 = s; return v; }\nvoid set(T *v, E s) { (*v).s0 = s; }"
    prologue = "T q[2]; q[i] = a; q[1 - i] = b; __local T l[4]; l[2 * i] = a; l[2 * i + 1] = b;"
    compare(device, type, width, lines, functions=functions, prologue=prologue)


def check_pointer(device: Device, *, type: str, width: int) -> None:
    """Elements of a T * in global memory: a vector of three takes the room of four (6.3.5)."""
    count = 4
    slots = 4 if width == 3 else width
    name = vector(type, width)
    kernel = device.build(
        f"""{pragmas(type)}
__kernel void f(__global const {name} *a, __global {name} *moved, __global {type} *r) {{
    size_t i = get_global_id(0);
    {name} v = a[i];
    vstore{width}(v, i, r);
    moved[{count - 1} - i] = a[i];
    moved[{count} + i].s1 = v.s0;
    *(moved + {2 * count} + i) = v.{digits(tuple(reversed(range(width))))};
}}
"""
    ).f
    dtype = np_type(type)
    data = np.arange(1, count * slots + 1).reshape(count, slots).astype(dtype)
    moved = device.buffer(np.zeros((3, count, slots), dtype))
    out = device.buffer(np.zeros((count, width), dtype))
    device.launch(kernel, [count], None, device.buffer(data), moved, out)
    part = data[:, :width]
    check.equal(f"elements of {name} *", device.read(out, dtype, (count, width)), part)
    got = device.read(moved, dtype, (3, count, slots))
    second = np.zeros_like(part)
    second[:, 1] = part[:, 0]
    check.equal(f"elements assigned to {name} *", got[0, :, :width], part[::-1])
    check.equal(f".s1 of elements of {name} *", got[1, :, :width], second)
    check.equal(f"*({name} *)", got[2, :, :width], part[:, ::-1])


def check_step(device: Device, *, type: str) -> None:
    """vec_step is the number of elements of a type or of an expression, which is not evaluated; 4 for three (6.15.13)."""
    types = [vector(type, n) for n in _SIZES]
    expressions = [f"vec_step({name})" for name in types] + ["vec_step(v)", "vec_step(v.s012)", "vec_step(v.s0)"]
    stores = " ".join(f"r[{i}] = {text};" for i, text in enumerate(expressions))
    kernel = device.build(
        f"{pragmas(type)}__kernel void f(__global int *r, {type} x) {{ {type}8 v = ({type}8)(x); {stores} }}"
    ).f
    out = device.buffer(np.zeros(len(expressions), np.int32))
    device.launch(kernel, [1], None, out, np_type(type).type(1))
    want = np.array([1, 2, 4, 4, 8, 16, 8, 4, 1], np.int32)
    check.equal(f"vec_step of {', '.join(types)}", device.read(out, np.int32, len(expressions)), want)
