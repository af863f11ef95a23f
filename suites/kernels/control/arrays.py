"""Private arrays of computed vectors: how they are initialised, and how they are read."""

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .table import FORMS


def check_private_array(device: Device, *, type: str, width: int, form: str) -> None:
    """The sum of an array of two computed vectors, a + 3 + b + 1 (OpenCL C 3.0, 6.2; C99, 6.7.8)."""
    declare, add = FORMS[form]
    vector = type if width == 1 else f"{type}{width}"
    load, store = "p[{}]", "r[i] = {}"
    if width > 1:
        load, store = f"vload{width}({{}}, p)", f"vstore{width}({{}}, i, r)"
    kernel = device.build(
        f"""
{pragmas(type)}typedef {vector} V;
__kernel void f(__global const {type} *p, __global {type} *r, int n) {{
    size_t i = get_global_id(0);
    V a = {load.format("2 * i")}, b = {load.format("2 * i + 1")};
    a += (V)3;
    {declare}
    V sum = (V)0;
    {add}
    {store.format("sum")};
}}
"""
    ).f
    values = device.rng.integers(0, 40, (16, 2, width)).astype(np_type(type))
    out = device.buffer(np.zeros((16, width), values.dtype))
    device.launch(kernel, [16], None, device.buffer(values), out, np.int32(2))
    want = values[:, 0] + values[:, 1] + values.dtype.type(4)
    check.equal(f"sum of {vector} x[]", device.read(out, values.dtype, want.shape), want)
