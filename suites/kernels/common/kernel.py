"""A kernel that applies a common or a geometric builtin."""

from collections.abc import Sequence

import numpy as np

from runner.device import Device

from ..kit.floating import Array
from ..kit.scalar import np_type, pragmas, vector_literal


def evaluate(
    device: Device, name: str, inputs: Sequence[Array], floating: str, scalars: str = "", *, scalar_result: bool = False
) -> Array:
    """The builtin's results for operands of the shape (n, width), of the same shape or (n, 1).

    Of the operands at the positions `scalars`, only the first component counts.
    """
    items, width = inputs[0].shape
    parameters, loads, buffers = [], [], []
    for position, values in enumerate(inputs):
        scalar = width == 1 or str(position) in scalars
        parameters.append(f"__global const {floating} *p{position}")
        loads.append(f"p{position}[i]" if scalar else f"vload{width}(i, p{position})")
        buffers.append(device.buffer(np.ascontiguousarray(values[:, :1] if scalar else values)))
    shape = (items, 1 if scalar_result else width)
    store = "result[i] = {};" if shape[1] == 1 else f"vstore{width}({{}}, i, result);"
    call = f"{name}({', '.join(loads)})"
    source = (
        f"{pragmas(floating)}__kernel void f({', '.join(parameters)}, __global {floating} *result) {{\n"
        f"    size_t i = get_global_id(0);\n    {store.format(call)}\n}}\n"
    )
    result = device.buffer(np.zeros(shape, np_type(floating)))
    device.launch(device.build(source).f, [items], None, *buffers, result)
    return device.read(result, np_type(floating), shape)


def evaluate_constants(device: Device, name: str, inputs: Sequence[Array], floating: str, scalars: str = "") -> Array:
    """As `evaluate`, with constant operands: all of them, then all but the first, all but the second, and so on."""
    items, width = inputs[0].shape
    store = "result[{n}] = {call};" if width == 1 else f"vstore{width}({{call}}, {{n}}, result);"
    lines = []
    for n in range(items):
        arguments = []
        for position, values in enumerate(inputs):
            scalar = width == 1 or str(position) in scalars
            if n % (len(inputs) + 1) == position + 1:
                arguments.append(f"p{position}[{n * width}]" if scalar else f"vload{width}({n}, p{position})")
            else:
                arguments.append(vector_literal(values[n, : 1 if scalar else width], floating))
        lines.append(store.format(n=n, call=f"{name}({', '.join(arguments)})"))
    body = "\n    ".join(lines)
    parameters = [f"__global const {floating} *p{position}" for position in range(len(inputs))]
    source = f"{pragmas(floating)}__kernel void f({', '.join(parameters)}, __global {floating} *result) {{\n    {body}\n}}\n"
    result = device.buffer(np.zeros((items, width), np_type(floating)))
    buffers = [device.buffer(np.ascontiguousarray(values)) for values in inputs]
    device.launch(device.build(source).f, [1], None, *buffers, result)
    return device.read(result, np_type(floating), (items, width))
