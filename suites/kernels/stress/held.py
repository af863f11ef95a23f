"""Values of several types that stay live across branches, loops and stores, and need more registers than there are.

A compiler spills some of them, and of the truth values, and fills them when only some items are active.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import pragmas

_ITEMS, _FLAGS = 64, 12
_TYPES = {"uint": ("uint",), "mixed": ("uint", "ushort", "uchar", "float"), "wide": ("ulong", "uint")}
_MASKS = {"uint": 0xFFFFFFFF, "ushort": 0xFFFF, "uchar": 0xFF}  # floats and 64-bit values stay small, and need none


def _source(kinds: list[str], attribute: str) -> str:
    """The kernel. Stores to `log` in between keep a compiler from moving loads to the uses of the values."""
    every, last = len(set(kinds)), len(kinds)
    lines = [f"{kind} v{n} = ({kind})in[{n} * n + i];" for n, kind in enumerate(kinds)]
    lines += [f"bool c{k} = in[{k} * n + i] < in[{k + 1} * n + i];" for k in range(_FLAGS)]
    first, second = (" ".join(f"v{n} += {n + 1};" for n in range(start, last, 3)) for start in (0, 1))
    sums = " ".join(f"v{n} += v{n + every};" for n in range(8))
    lines += [
        f"if (x & 1) {{ log[i] = x; {first} }} else if (x & 2) {{ log[i] = ~x; {second} }}",
        f"for (uint j = 0; j < (x >> 8 & 7); j++) {{ {sums}",
        f"  if (x >> 16 + j & 1) {{ log[i] = j; v{last - 1} += 3; continue; }}",
        f"  v9 = v{9 + every}; }}",
        *(f"out[{n} * n + i] = (uint)(c{n % _FLAGS} ? v{n} : v{n} + 1);" for n in range(last)),
    ]
    body = "\n    ".join(lines)
    return f"""{pragmas(*kinds)}
{attribute} __kernel void f(__global const uint *xs, __global const uchar *in, __global uint *log, __global uint *out) {{
    uint i = (uint)get_global_id(0), n = (uint)get_global_size(0), x = xs[i];
    {body}
}}
"""


def _model(kinds: list[str], xs: NDArray[Any], data: NDArray[Any]) -> NDArray[Any]:
    every, last = len(set(kinds)), len(kinds)
    v = data.astype(np.int64)
    flags = data[:_FLAGS] < data[1 : _FLAGS + 1]

    def add(n: int, more: Any, where: Any) -> None:
        v[n] = np.where(where, v[n] + more, v[n]) & _MASKS.get(kinds[n], -1)

    for start, taken in ((0, xs & 1 == 1), (1, xs & 3 == 2)):
        for n in range(start, last, 3):
            add(n, n + 1, taken)
    for j in range(8):
        active = j < (xs >> 8 & 7)
        for n in range(8):
            add(n, v[n + every], active)
        left = active & (xs >> 16 + j & 1 == 1)
        add(last - 1, 3, left)
        v[9] = np.where(active & ~left, v[9 + every], v[9])
    return np.array([np.where(flags[n % _FLAGS], v[n], (v[n] + 1)) for n in range(last)]).astype(np.uint32)


def check_held(device: Device, *, types: str, live: int, group: int | None) -> None:
    """`types`: uint, mixed or wide; `live`: the number of values; `group`: reqd_work_group_size, or None."""
    names = _TYPES[types]
    kinds = [names[n % len(names)] for n in range(live)]
    xs = device.rng.integers(0, 2**32, _ITEMS, dtype=np.uint32)
    data = device.rng.integers(0, 100, (live, _ITEMS)).astype(np.uint8)
    log, out = (device.buffer(np.zeros((rows, _ITEMS), np.uint32)) for rows in (1, live))
    kernel = device.build(_source(kinds, f"__attribute__((reqd_work_group_size({group}, 1, 1)))" if group else "")).f
    device.launch(kernel, [_ITEMS], [group] if group else None, device.buffer(xs), device.buffer(data), log, out)
    got = device.read(out, np.uint32, (live, _ITEMS))
    check.equal(f"{live} values of {', '.join(names)}", got, _model(kinds, xs.astype(np.int64), data))
