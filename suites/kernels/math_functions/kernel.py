"""Kernels that apply a math builtin, and their results."""

from collections.abc import Sequence

import numpy as np

from runner.device import Device

from ..kit.floating import Array
from ..kit.scalar import np_type, pragmas, vector_literal
from .stored import types
from .table import BUILTINS

GROUP = 16  # items in a group if the pointer is to local memory


def _width(width: int) -> str:
    return "" if width == 1 else str(width)


def call(name: str, arguments: Sequence[str], pointer: str = "") -> str:
    """The expression that applies the builtin or operator to these arguments."""
    builtin = BUILTINS[name]
    if builtin.operator:
        return builtin.operator.format(*(f"({a})" for a in arguments))
    return f"{name}({', '.join([*arguments, *([pointer] if builtin.pointer else [])])})"


def source(name: str, floating: str, width: int, form: str, space: str) -> str:
    """A kernel `f` over vectors: item i takes vector i of its operands.

    `form` is "" if each operand is a vector, "scalar" if the last one is a scalar, and "uniform" if one item computes
    `count` numbers, one after the other, from constant memory.
    """
    builtin, w = BUILTINS[name], _width(width)
    names, kinds = "abc"[: len(builtin.operands)], types(name, floating)
    where = "__constant" if form == "uniform" else "__global const"
    parameters = [f"{where} {t} *{n}_" for n, t in zip(names, kinds, strict=True)]
    result = floating if builtin.result == "f" else "int"
    parameters.append(f"__global {result} *result")
    pointed = {"f": floating, "i": "int", "": ""}[builtin.pointer]
    lines = []
    for n, t in zip(names, kinds, strict=True):
        scalar = width == 1 or (form == "scalar" and n == names[-1])
        lines.append(f"{t}{'' if scalar else w} {n} = {f'{n}_[i]' if scalar else f'vload{w}(i, {n}_)'};")
    pointer = ""
    if pointed:
        parameters.append(f"__global {pointed}{w if space == 'global' else ''} *stored")
        declared = {"private": f"{pointed}{w} p;", "local": f"__local {pointed}{w} p[{GROUP}];", "global": ""}
        lines.insert(0, declared[space])
        pointer = {"private": "&p", "local": "p + get_local_id(0)", "global": "stored + i"}[space]
    lines.append(f"{result}{w} r = {call(name, names, pointer)};")
    lines.append("result[i] = r;" if width == 1 else f"vstore{w}(r, i, result);")
    if pointed and space != "global":
        value = "p" if space == "private" else "p[get_local_id(0)]"
        lines.append(f"stored[i] = {value};" if width == 1 else f"vstore{w}({value}, i, stored);")
    if form == "uniform":
        parameters.append("int count")
        lines = ["for (int i = 0; i < count; i++) {", *lines, "}"]
    else:
        lines.insert(0, "size_t i = get_global_id(0);")
    return _kernel(floating, parameters, lines)


def constant_source(name: str, floating: str, inputs: Sequence[Array], *, values: bool = False) -> str:
    """A kernel `f` of one item whose operands, of the shape (n, width), are constants: a compiler may fold the calls.

    With `values`, one of several operands is read from memory: none for the first call, then the first, the second ...
    """
    builtin, kinds = BUILTINS[name], types(name, floating)
    items, width = inputs[0].shape
    w, result = _width(width), floating if builtin.result == "f" else "int"
    parameters = [f"__global const {t} *{n}_" for n, t in zip("abc", kinds, strict=False)] if values else []
    parameters.append(f"__global {result} *result")
    pointed = {"f": floating, "i": "int", "": ""}[builtin.pointer]
    if pointed:
        parameters.append(f"__global {pointed} *stored")
    store = "{to}[{i}] = {value};" if width == 1 else f"vstore{w}({{value}}, {{i}}, {{to}});"
    lines = []
    for i in range(items):
        arguments = []
        for n, (t, column) in enumerate(zip(kinds, inputs, strict=True)):
            if values and len(kinds) > 1 and i % (len(kinds) + 1) == n + 1:
                arguments.append(f"{'abc'[n]}_[{i}]" if width == 1 else f"vload{w}({i}, {'abc'[n]}_)")
            else:
                arguments.append(vector_literal(column[i], t))
        lines.append(store.format(to="result", i=i, value=call(name, arguments, f"&p{i}")))
        if pointed:
            lines[-1] = f"{pointed}{w} p{i}; {lines[-1]} {store.format(to='stored', i=i, value=f'p{i}')}"
    return _kernel(floating, parameters, lines)


def _kernel(floating: str, parameters: Sequence[str], lines: Sequence[str]) -> str:
    body = "\n    ".join(line for line in lines if line)
    return f"{pragmas(floating)}__kernel void f({', '.join(parameters)}) {{\n    {body}\n}}\n"


def evaluate(
    device: Device,
    name: str,
    inputs: Sequence[Array],
    floating: str,
    form: str = "",
    space: str = "private",
    options: str = "",
) -> list[Array]:
    """The device's results for operands of the shape (n, width), and then the values that it stores, both of that shape.

    With the form "scalar", only the first component of the last operand counts.
    """
    items, width = inputs[0].shape
    builtin = BUILTINS[name]
    dtypes = [np_type({"f": floating, "i": "int"}[letter]) for letter in builtin.result + builtin.pointer]
    strides = [width, 4 if width == 3 and space == "global" else width]
    outputs = [device.buffer(np.zeros((items, stride), dtype=dtype)) for dtype, stride in zip(dtypes, strides, strict=False)]
    operands = [*inputs[:-1], inputs[-1][:, :1]] if form == "scalar" else list(inputs)
    buffers = [device.buffer(np.ascontiguousarray(a)) for a in operands]
    if form in ("constant", "known"):
        values = form == "known"
        kernel = device.build(constant_source(name, floating, inputs, values=values), options).f
        device.launch(kernel, [1], None, *(buffers if values else []), *outputs)
    elif form == "uniform":
        kernel = device.build(source(name, floating, 1, form, space), options).f
        device.launch(kernel, [1], [1], *buffers, *outputs, np.int32(items))
    else:
        kernel = device.build(source(name, floating, width, form, space), options).f
        device.launch(kernel, [items], [GROUP] if space == "local" else None, *buffers, *outputs)
    return [
        device.read(out, dtype, (items, stride))[:, :width]
        for out, dtype, stride in zip(outputs, dtypes, strides, strict=False)
    ]
