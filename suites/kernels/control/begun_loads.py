"""Loads that are issued in one block and used in another: the compiler has to wait for them along every path."""

from collections.abc import Callable, Sequence

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type

ITEMS, GROUPS = 64, 2
COUNT = ITEMS * GROUPS
_Read = Callable[[int], int]
# The uses of x, which is loaded from m[at] just before, in OpenCL C and in Python; y is another value, c has four bits, and
# the result is r. The factors are small, so that floats stay exact.
FORMS: dict[str, tuple[str, Callable[[_Read, int, int, int], int]]] = {
    "one_arm": ("r = y; if (c & 1) r = x + y;", lambda m, at, y, c: m(at) + y if c & 1 else y),
    "both_arms": (
        "if (c & 1) r = x * (T)3 + y; else r = x + y + y;",
        lambda m, at, y, c: m(at) * 3 + y if c & 1 else m(at) + 2 * y,
    ),
    "other_in_each_arm": (
        "T z; if (c & 1) z = m[at + 1]; else z = m[at + 2]; r = x + z * (T)2;",
        lambda m, at, y, c: m(at) + 2 * m(at + 1 if c & 1 else at + 2),
    ),
    "carried": (
        "r = y; for (uint k = 0; k <= c; k++) { T next = m[at + k + 1]; r = r * (T)2 + x; x = next; }",
        lambda m, at, y, c: y * 2 ** (c + 1) + sum(m(at + k) * 2 ** (c - k) for k in range(c + 1)),
    ),
    "behind_a_loop": (
        "r = y; for (uint k = 0; k < c; k++) r = r + (T)k; r = r * (T)2 + x;",
        lambda m, at, y, c: (y + c * (c - 1) // 2) * 2 + m(at),
    ),
    "nested": (
        "r = y; if (c & 1) { T z = m[at + 3]; if (c & 2) { if (c & 4) r = x + z; else r = x + y; } else r = z + y; }"
        " else if (c & 8) r = x * (T)2;",
        lambda m, at, y, c: (
            (m(at) + (m(at + 3) if c & 4 else y) if c & 2 else m(at + 3) + y) if c & 1 else m(at) * 2 if c & 8 else y
        ),
    ),
    "switched": (
        "T z = m[at + 5]; switch (c & 3) { case 0: r = x; break; case 1: r = z; break; case 2: r = x + z; break;"
        " default: r = y; }",
        lambda m, at, y, c: (m(at), m(at + 5), m(at) + m(at + 5), y)[c & 3],
    ),
    "left_early": (
        "r = y; for (uint k = 1; k < 9; k++) { if (c < k) break; r = r + x; x = m[at + k]; } r = r + x;",
        lambda m, at, y, c: y + sum(m(at + k) for k in range(min(c, 8) + 1)),
    ),
}
_SOURCE = """
typedef {type} T;
__kernel void f(__global const T *a, __constant T *known, __global const uint *places, __global const T *others,
                __global const uint *conditions, __global T *out, uint all) {{
    uint i = get_global_id(0), l = get_local_id(0);
    {local}
    T r, y = others[i];
    uint at = places[i], c = {condition};
    T x = m[at];
    {form}
    out[i] = r;
}}
"""
_MEMORY = {
    "global": "__global const T *m = a;",
    "constant": "__constant T *m = known;",
    "local": f"__local T m[{COUNT}]; for (uint k = l; k < {COUNT}; k += {ITEMS}) m[k] = a[k]; barrier(CLK_LOCAL_MEM_FENCE);",
}


def check_begun_load(device: Device, *, form: str, space: str, type: str, width: int, uniform: bool) -> None:
    """`uniform`: all work-items take the same path, in one launch for each path; else each item takes its own."""
    text, model = FORMS[form]
    name = f"{type}{width if width > 1 else ''}"
    condition = "all" if uniform else "conditions[i]"
    source = _SOURCE.format(type=name, local=_MEMORY[space], condition=condition, form=text)
    kernel = device.build(source).f
    kind = np_type(type)
    values = device.rng.integers(0, 30, (COUNT, width))
    others = device.rng.integers(0, 30, (COUNT, width))
    places = device.rng.integers(0, COUNT - 24, COUNT)
    conditions = device.rng.integers(0, 16, COUNT)
    memory = device.buffer(values.astype(kind))
    fixed = [memory, memory, *(device.buffer(x.astype(t)) for x, t in ((places, "u4"), (others, kind), (conditions, "u4")))]
    for way in (0, 1, 2, 3, 7, 8, 15) if uniform else (0,):
        out = device.buffer(np.zeros((COUNT, width), kind))
        device.launch(kernel, [COUNT], [ITEMS], *fixed, out, np.uint32(way))
        chosen = [way] * COUNT if uniform else conditions.tolist()
        want = _want(model, values.tolist(), others.tolist(), places.tolist(), chosen)
        got = device.read(out, kind, (COUNT, width))
        check.equal(f"{form} of {space} {name}, condition {way if uniform else 'of each'}", got, want.astype(kind))


def _want(
    model: Callable[[_Read, int, int, int], int],
    values: Sequence[Sequence[int]],
    others: Sequence[Sequence[int]],
    places: Sequence[int],
    conditions: Sequence[int],
) -> np.ndarray:
    columns = [[row[n] for row in values] for n in range(len(values[0]))]
    rows = [
        [model(column.__getitem__, at, y, c) for column, y in zip(columns, own, strict=True)]
        for own, at, c in zip(others, places, conditions, strict=True)
    ]
    return np.array(rows, np.int64)
