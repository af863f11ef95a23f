"""The conversion functions (OpenCL C 3.0, 6.4.3), on scalars and on vectors."""

from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .exact import ROUNDINGS, answers, default_mode
from .operands import flushed, operands
from .table import vector


def answer_columns(rows: Sequence[Sequence[Any]], target: str) -> list[NDArray[Any]]:
    """The right results for each operand, in the form that `check.exact` takes."""
    return [np.array(column, dtype=np_type(target)) for column in zip(*rows, strict=True)]


def check_convert(device: Device, *, target: str, suffix: str, source: str, width: int) -> None:
    """One conversion function, on scalars and on vectors of one width. `suffix`: as in its name."""
    mode = suffix[-3:] if suffix[-3:] in ROUNDINGS else default_mode(target)
    optional, saturated = flushed(device.device), "_sat" in suffix
    rows = [
        (raw, allowed)
        for raw in operands(source, target)
        if (allowed := answers(raw.item(), source, target, mode, optional, saturated=saturated)) is not None
    ]
    rows = list(islice(cycle(rows), -(-len(rows) // 48) * 48))  # whole vectors of every width
    inputs = np.array([row[0] for row in rows], dtype=np_type(source))
    wants = answer_columns([row[1] for row in rows], target)
    wide = vector(target, width)
    kernel = device.build(
        f"""
{pragmas(target, source)}__kernel void f(__global const {source} *a, __global {target} *r, __global {target} *v) {{
    size_t i = get_global_id(0);
    r[i] = convert_{target}{suffix}(a[i]);
    if (i < get_global_size(0) / {width})
        vstore{width}(convert_{wide}{suffix}(vload{width}(i, a)), i, v);
}}
"""
    ).f
    out, wide_out = (device.buffer(np.zeros_like(wants[0])) for _ in "rv")
    device.launch(kernel, [len(rows)], None, device.buffer(inputs), out, wide_out)
    got = device.read(out, wants[0].dtype, len(rows))
    check.exact(f"convert_{target}{suffix}", got, wants, [inputs])
    got, inputs, *wants = (a.reshape(-1, width) for a in (device.read(wide_out, got.dtype, len(rows)), inputs, *wants))
    check.exact(f"convert_{wide}{suffix}", got, wants, [inputs])
