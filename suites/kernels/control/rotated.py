"""Loops whose variables take each other's values: swapped, rotated, passed on (OpenCL C 3.0, 6.11).

A compiler copies them in parallel, so it must find an order in which no copy overwrites what another needs. Each item has
its own number of trips.
"""

from collections.abc import Callable

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas

_ITEMS, _COUNT = 64, 6
Step = Callable[[list[int], int, int], list[int]]  # the variables, the trip's number, the item's word -> the new variables

# What a trip does with the variables v0 to v5, in OpenCL C and in Python.
_FORMS: dict[str, tuple[str, Step]] = {
    "swapped": ("T s = v0; v0 = v1; v1 = s;", lambda v, i, x: [v[1], v[0], *v[2:]]),
    "two_swapped": ("T s = v0; v0 = v3; v3 = s; s = v1; v1 = v2; v2 = s;", lambda v, i, x: [v[3], v[2], v[1], v[0], *v[4:]]),
    "rotated": ("T s = v0; v0 = v1; v1 = v2; v2 = v3; v3 = v4; v4 = v5; v5 = s;", lambda v, i, x: [*v[1:], v[0]]),
    "handed_on": ("v5 = v4; v4 = v3; v3 = v2; v2 = v1; v1 = v0; v0 = v0 + (T)1;", lambda v, i, x: [v[0] + 1, *v[:5]]),
    "swapped_if": (
        "if (x >> i & 1) { T s = v0; v0 = v2; v2 = s; } else { T s = v1; v1 = v2; v2 = s; }",
        lambda v, i, x: [v[2], v[1], v[0], *v[3:]] if x >> i & 1 else [v[0], v[2], v[1], *v[3:]],
    ),
    "one_changed": (
        "if (x >> i & 1) v3 = v3 + (T)1; else if (x >> i & 2) v4 = v3; else continue; v5 = v4;",
        lambda v, i, x: [*v[:3], v[3] + 1, v[4], v[4]] if x >> i & 1 else [*v[:4], v[3], v[3]] if x >> i & 2 else v,
    ),
    "left_early": (
        "T s = v1; v1 = v0; v0 = v2; if ((x >> i & 3) == 3) break; v2 = s;",
        lambda v, i, x: [v[2], v[0], v[2] if x >> i & 3 == 3 else v[1], *v[3:]],
    ),
}


def check_rotated(device: Device, *, type: str) -> None:
    """Each form in a loop of its own; the values are small numbers that every type can hold."""
    loops = "\n    ".join(
        f"{{ {' '.join(f'T v{n} = in[i0 * {_COUNT} + {n}];' for n in range(_COUNT))}"
        f" for (uint i = 0; i < trips; i++) {{ {code} }}"
        f" {' '.join(f'out[(i0 * {len(_FORMS)} + {k}) * {_COUNT} + {n}] = v{n};' for n in range(_COUNT))} }}"
        for k, (code, _) in enumerate(_FORMS.values())
    )
    kernel = device.build(
        f"""{pragmas(type)}
typedef {type} T;
__kernel void f(__global const T *in, __global const uint *xs, __global const uint *ns, __global T *out) {{
    uint i0 = (uint)get_global_id(0), x = xs[i0], trips = ns[i0];
    {loops}
}}
"""
    ).f
    kind = np_type(type)
    start = device.rng.integers(0, 100, (_ITEMS, _COUNT)).astype(kind)
    words = device.rng.integers(0, 2**32, _ITEMS, dtype=np.uint32)
    trips = device.rng.permutation(np.arange(_ITEMS, dtype=np.uint32) % 16)
    shape = (_ITEMS, len(_FORMS), _COUNT)
    out = device.buffer(np.zeros(shape, kind))
    device.launch(kernel, [_ITEMS], None, *map(device.buffer, (start, words, trips)), out)
    got = device.read(out, kind, shape)
    for k, (form, (_, step)) in enumerate(_FORMS.items()):
        want = np.zeros((_ITEMS, _COUNT), kind)
        for item, (x, n) in enumerate(zip(words.tolist(), trips.tolist(), strict=True)):
            values = [int(v) for v in start[item]]
            for i in range(n):
                values = step(values, i, x)
                if form == "left_early" and x >> i & 3 == 3:
                    break
            want[item] = values
        check.equal(f"six variables of {type}, {form}", got[:, k], want, [trips])
