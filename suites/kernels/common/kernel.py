"""A kernel that applies a common or a geometric builtin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runner.device import Device

from ..floating import Array
from ..scalar import np_type, pragmas


def evaluate(
    device: Device,
    name: str,
    inputs: Sequence[Array],
    floating: str,
    scalars: str = "",
    *,
    scalar_result: bool = False,
) -> Array:
    """What the builtin returns for operands of the shape (n, width): of that shape, or (n, 1).

    The operands at the positions `scalars` count by their first component.
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
