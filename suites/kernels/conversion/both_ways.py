"""A narrow integer that is both sign-extended and zero-extended in one kernel (OpenCL C 3.0, 6.4.3, 6.3.1.1)."""

import numpy as np

from runner import check
from runner.device import Device

from ..kit.integers import BITS, SIGNED, UNSIGNED, bounds
from ..kit.scalar import np_type
from .table import BOTH_WAYS

_COUNT = 64
# The orders of the results, each first once, for a compiler that decides by the first use of the integer.
_USES = ("(uint)u", "(uint)(int)s", "(ulong)u", "(ulong)(long)s")
_ORDERS = ((0, 1, 2, 3), (1, 0, 3, 2), (3, 2, 1, 0), (2, 3, 0, 1))


def _kernel(number: int, expression: str, name: str) -> str:
    unsigned, signed = UNSIGNED.get(name, name), SIGNED.get(name, name)
    stores = "\n".join(f"    r[i * 4 + {use}] = {_USES[use]};" for use in _ORDERS[number])
    return f"""
__kernel void f{number}(__global ulong *r, __global const {name} *x, __global const {name} *y) {{
    size_t i = get_global_id(0);
    {name} a = x[i], b = y[i], n = ({name})({expression});
    {unsigned} u = ({unsigned})n;
    {signed} s = ({signed})n;
{stores}
}}
"""


def check_both_ways(device: Device, *, operation: str, type: str) -> None:
    """Four kernels, which compute the same in different orders."""
    expression, exact = BOTH_WAYS[operation]
    bits, (least, most) = BITS[type], bounds(type)
    a, b = (device.rng.integers(least, most, _COUNT, np_type(type), endpoint=True) for _ in range(2))
    results = [exact(int(x), int(y)) % (1 << bits) for x, y in zip(a, b, strict=True)]
    signed = [n - (n >> bits - 1 << bits) for n in results]
    want = np.array([[u, s % (1 << 32), u, s % (1 << 64)] for u, s in zip(results, signed, strict=True)], np.uint64)
    program = device.build("".join(_kernel(number, expression, type) for number in range(len(_ORDERS))))
    x, y = device.buffer(a), device.buffer(b)
    for number, order in enumerate(_ORDERS):
        out = device.buffer(np.zeros_like(want))
        device.launch(getattr(program, f"f{number}"), [_COUNT], None, out, x, y)
        check.equal(f"{expression} of {type}, in the order {order}", device.read(out, np.uint64, want.shape), want)
