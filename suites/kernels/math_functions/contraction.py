"""FP_CONTRACT decides whether a multiplication and an addition may become one operation (6.15.2.1, C99 6.5)."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.floating import Array, accept_alternatives, flushed, keeps_denormals, operands
from ..kit.scalar import np_type, pragmas
from . import stored
from .answer import products
from .reference import reference

# Each expression, as a function of the rounded product and c.
_AFTER_PRODUCT: dict[str, Callable[[Array, Array], Array]] = {
    "a * b + c": lambda p, c: p + c,
    "a * b - c": lambda p, c: p - c,
    "c - a * b": lambda p, c: c - p,
    "c + a * b": lambda p, c: c + p,
    "-(a * b) + c": lambda p, c: -p + c,
    "-(a * b) - c": lambda p, c: -p - c,
}
_FUSED: dict[str, tuple[int, int]] = {  # the signs of a and of c
    "a * b + c": (1, 1),
    "a * b - c": (1, -1),
    "c - a * b": (-1, 1),
    "c + a * b": (1, 1),
    "-(a * b) + c": (-1, 1),
    "-(a * b) - c": (-1, -1),
}


def check_contraction(device: Device, *, expression: str, type: str, contract: str, options: str) -> None:
    """An expression under FP_CONTRACT: with `contract` "OFF" it must not be fused, with "ON" it may."""
    dtype = np_type(type)
    inputs = operands((type,) * 3, stored.SAMPLES)[0]
    source = (
        f"{pragmas(type)}#pragma OPENCL FP_CONTRACT {contract}\n"
        f"__kernel void f(__global const {type} *a_, __global const {type} *b_, __global const {type} *c_,\n"
        f"    __global {type} *result) {{\n    size_t i = get_global_id(0);\n"
        f"    {type} a = a_[i], b = b_[i], c = c_[i];\n    result[i] = {expression};\n}}\n"
    )
    kernel = device.build(source, options).f
    result = device.buffer(inputs[0].nbytes)
    device.launch(kernel, [inputs[0].size], None, *(device.buffer(a) for a in inputs), result)
    got = device.read(result, dtype, inputs[0].size)
    denormals = keeps_denormals(device, type)
    functions: list[Callable[..., Any]] = list(products(dtype, _AFTER_PRODUCT[expression], denormals=denormals))
    if contract == "ON":
        first, last = _FUSED[expression]
        functions.append(lambda a, b, c: reference("fma", dtype)(first * a, b, last * c))
    with np.errstate(all="ignore"):
        want = functions[0](*(a.astype(np.float64) for a in inputs)).astype(dtype).astype(np.float64)

    def others(few: list[Array]) -> Iterator[Array]:
        for values in flushed([a.astype(np.float64) for a in few], [dtype] * 3):
            for function in functions:
                with np.errstate(all="ignore"):
                    exact = np.asarray(function(*values))
                    nearest = exact.astype(dtype).astype(np.float64)
                yield nearest
                if not denormals:
                    yield np.where(np.abs(exact) < float(np.finfo(dtype).tiny), 0, nearest)
            if denormals:
                break

    want = accept_alternatives(got, want, 0, inputs, others)
    check.ulp(expression, got, [want], 0, inputs)
