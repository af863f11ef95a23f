"""Loops with two exits: after a number of trips, and by a value (OpenCL C 3.0, 6.11)."""

import itertools

import numpy as np

from runner import check
from runner.device import Device

_OTHERS = {  # the exit if i is x
    "plain": "if (i == x) break;",
    "with_work": "if (i == x) { t += 100; break; }",
    "else": "if (i != x) t += 2; else break;",
}
_PLACES, _TRIPS, _ITEMS = ("first", "last"), (1, 3), 64


def _text(place: str, other: str, trips: int) -> str:
    """The statements of a loop; the exit that counts trips is before or behind the other one (`place`)."""
    first = f"if (i >= {trips}) {{ t += 11; break; }}" if place == "first" else ""
    last = f"if (i + 1 >= {trips}) {{ t += 11; break; }}" if place == "last" else ""
    body = f"{first} t = t * 3 + i; {_OTHERS[other]} t = t * 5 + 1; {last} t ^= i; i++;"
    return f"{{ uint t = 1, i = 0; while (true) {{ {body} }} r[k++ * n] = t * 8 + i; }}"


def _want(place: str, other: str, trips: int, x: int) -> int:
    """The result of the loop for an item's x."""
    t, i = 1, 0
    while True:
        if place == "first" and i >= trips:
            t += 11
            break
        t = t * 3 + i
        if i == x:
            t += 100 if other == "with_work" else 0
            break
        t = (t + (2 if other == "else" else 0)) * 5 + 1
        if place == "last" and i + 1 >= trips:
            t += 11
            break
        t ^= i
        i += 1
    return (t * 8 + i) % 2**32


def check_exits(device: Device) -> None:
    """Each place and form of the exits, for some counts of trips; neighbouring items leave at different times."""
    loops = list(itertools.product(_PLACES, _OTHERS, _TRIPS))
    body = "\n    ".join(_text(*loop) for loop in loops)
    source = f"""
__kernel void f(__global const uint *a, __global uint *r) {{
    size_t k = 0, n = get_global_size(0);
    uint x = a[get_global_id(0)];
    r += get_global_id(0);
    {body}
}}
"""
    x = device.rng.permutation(np.arange(_ITEMS, dtype=np.uint32) % 7)
    out = device.buffer(np.zeros((len(loops), _ITEMS), np.uint32))
    device.launch(device.build(source).f, [_ITEMS], None, device.buffer(x), out)
    for loop, got in zip(loops, device.read(out, np.uint32, (len(loops), _ITEMS)), strict=True):
        want = np.array([_want(*loop, int(value)) for value in x], np.uint32)
        check.equal(f"what the loop {_text(*loop)} leaves", got, want, [x])
