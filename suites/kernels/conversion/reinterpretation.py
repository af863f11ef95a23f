"""as_type() (OpenCL C 3.0, 6.4.4.2) keeps the bits."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import pragmas
from .table import BYTES, room, vector


def check_as_type(device: Device, *, source: str, width: int, targets: Sequence[Any]) -> None:
    """One type as others of its size. `targets`: types with their widths.

    If the numbers of components differ, the result is implementation-defined; but all implementations keep the order of
    the bytes in memory, and the Khronos test requires it. A fourth component that three do not fill is undefined.
    """
    operand = vector(source, width)
    results = [vector(target, w) for target, w in targets]
    parameters = "".join(f", __global {name} *r{n}" for n, name in enumerate(results))
    statements = "".join(f"    r{n}[i] = as_{name}(x);\n" for n, name in enumerate(results))
    kernel = device.build(
        f"""
{pragmas(source, *(target for target, _ in targets))}__kernel void f(__global const {operand} *a{parameters}) {{
    size_t i = get_global_id(0);
    {operand} x = a[i];
{statements}}}
"""
    ).f
    size = BYTES[source] * room(width)
    data = device.rng.integers(0, 256, (48, size), dtype=np.uint8)
    outs = [device.buffer(np.zeros_like(data)) for _ in results]
    device.launch(kernel, [len(data)], None, device.buffer(data), *outs)
    for name, (target, w), out in zip(results, targets, outs, strict=True):
        used = min(BYTES[source] * width, BYTES[target] * w)
        check.equal(f"as_{name}({operand})", device.read(out, np.uint8, data.shape)[:, :used], data[:, :used])
