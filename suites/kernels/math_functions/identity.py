"""Infinity and NaN in sums, products and quotients with constants, as in IEEE 754 (OpenCL C 3.0, 7.2)."""

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas

_Model = Callable[[Any], Any]
EXPRESSIONS: Mapping[str, Mapping[str, _Model]] = {
    "sum": {"a - a": lambda a: a - a, "a + -a": lambda a: a + -a, "(a + 1) - a": lambda a: (a + 1) - a},
    "product": {"a * 0": lambda a: a * 0, "0 * a": lambda a: a * 0, "a * 0 + 1": lambda a: a * 0 + 1},
    "quotient": {"0 / a": lambda a: 0 / a, "a / a": lambda a: a / a, "a / 0": lambda a: a / (a.dtype.type(0))},
    "comparison": {
        "a == a": lambda a: operator.eq(a, a),
        "!(a < 1)": lambda a: ~(a < 1),
        "a * 0 == 0": lambda a: a * 0 == 0,
        "a - a == 0": lambda a: a - a == 0,
    },
    # The parts of the two above that do not depend on a product with 0 or a quotient of 0.
    "own_quotient": {"a / a": lambda a: a / a},
    "own_comparison": {
        "a == a": lambda a: operator.eq(a, a),
        "!(a < 1)": lambda a: ~(a < 1),
        "a - a == 0": lambda a: a - a == 0,
    },
}
_QUOTIENT_ULP = 2.5  # 7.4; the other expressions are exact


def check_identity(device: Device, *, what: str, type: str) -> None:
    """Expressions of one number and constants. A zero of either sign is right."""
    models = EXPRESSIONS[what]
    dtype = np_type(type)
    a = np.array([0, -0.0, 1, -1, 1.5, -640, np.inf, -np.inf, np.nan], dtype)
    lines = "\n    ".join(f"r[{n} * n + i] = {text};" for n, text in enumerate(models))
    source = (
        f"{pragmas(type)}#pragma OPENCL FP_CONTRACT OFF\n"
        f"__kernel void f(__global const {type} *x, __global {type} *r) {{\n"
        f"    size_t i = get_global_id(0), n = get_global_size(0);\n    {type} a = x[i];\n    {lines}\n}}\n"
    )
    shape = (len(models), a.size)
    result = device.buffer(np.zeros(shape, dtype))
    device.launch(device.build(source).f, [a.size], None, device.buffer(a), result)
    for (text, model), got in zip(models.items(), device.read(result, dtype, shape), strict=True):
        with np.errstate(all="ignore"):
            want = model(a).astype(dtype)
        check.ulp(text, got, [want], _QUOTIENT_ULP if "/" in text else 0, [a])
