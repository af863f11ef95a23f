"""Many constants in one kernel, in branches and in a loop: a compiler may keep only one sign of each in a register.

OpenCL C 3.0, 6.4, 6.11.
"""

from fractions import Fraction

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import FLOATS, np_type, pragmas

_ITEMS, _LINES = 64, 48
_PLACES = 3  # one branch, the other, and a loop of two trips


def _constants(n: int, floating: bool) -> tuple[Fraction, Fraction]:
    """The constants of line `n`: all differ, some only by sign, and they are so small that every step is exact in half."""
    scale, sign = (Fraction(1, 4), (-1) ** (n // 2)) if floating else (Fraction(5), (-1) ** (n // 2))
    return sign * (n // _PLACES + 1) * scale, (-1) ** n * (n // 2 + 20) * scale


def check_many_constants(device: Device, *, type: str) -> None:
    """A product and a sum with constants, and a choice of two constants."""
    floating, kind = type in FLOATS, np_type(type)
    blocks: list[list[str]] = [[] for _ in range(_PLACES)]
    for n in range(_LINES):
        one, two = (f"(T){float(c)!r}f" if floating else f"(T){c}" for c in _constants(n, floating))
        product = f"fma(u, {one}, {two})" if floating else f"(T)(u * {one} + {two})"
        code = product if n // _PLACES % 2 else f"(x >> {n % 32} & 1) ? {one} : {two}"
        blocks[n % _PLACES].append(f"r[{n} * all + i] = {code};")
    first, second, both = ("\n        ".join(block) for block in blocks)
    kernel = device.build(
        f"""{pragmas(type)}
typedef {type} T;
__kernel void f(__global const uint *xs, __global T *r) {{
    uint i = (uint)get_global_id(0), all = (uint)get_global_size(0), x = xs[i];
    T u = (T)(x & 3);
    if (x & 4) {{
        {first}
    }} else {{
        {second}
    }}
    for (uint j = 0; j < (x >> 3 & 1); j++) {{
        {both}
    }}
}}
"""
    ).f
    xs = device.rng.integers(0, 2**32, _ITEMS, dtype=np.uint32)
    out = device.buffer(np.zeros((_LINES, _ITEMS), kind))
    device.launch(kernel, [_ITEMS], None, device.buffer(xs), out)
    got, x = device.read(out, kind, (_LINES, _ITEMS)), xs.astype(np.int64)
    taken = (x & 4 != 0, x & 4 == 0, x & 8 != 0)
    for n in range(_LINES):
        k, m = (float(c) for c in _constants(n, floating))
        value = (x & 3) * k + m if n // _PLACES % 2 else np.where(x >> n % 32 & 1, k, m)
        check.equal(f"line {n}, of {k} and {m}", got[n], np.where(taken[n % _PLACES], value, 0).astype(kind), [xs])
