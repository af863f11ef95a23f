"""Barriers in every place that all items of a group reach: loops, branches, functions (OpenCL C 3.0, 6.15.8).

In each STEP the items pass on their values through shared memory, so that a barrier shows if it lets an item pass too early.
A form is the text between the items' first and last value, and a model of the same on a whole group in numpy.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

State = NDArray[np.uint32]
# The model of a form, from the values of one group, its number, its items' local ids, and the kernel's argument `some`.
Model = Callable[[State, int, NDArray[np.uint32], int], State]

GROUPS = 5
SOME_ITEMS = 4


def step(x: State, k: int) -> State:
    """The values of a group after STEP(k)."""
    return x * np.uint32(5) + np.roll(x, -(k % len(x)))


def steps(*ks: int) -> Model:
    """A form with the same steps in every group."""

    def run(x: State, _: int, __: Any, ___: int) -> State:
        for k in ks:
            x = step(x, k)
        return x

    return run


def by_group(choose: Callable[[int], tuple[int, ...]]) -> Model:
    """A form whose steps depend on the group's number."""
    return lambda x, group, ids, some: steps(*choose(group))(x, group, ids, some)


def _divergence(x: State, group: int, ids: NDArray[np.uint32], some: int) -> State:
    return step(np.where(ids % 2 == 1, x + np.uint32(7), x ^ np.uint32(9)).astype(np.uint32), 3)


def _divergent_loop(x: State, group: int, ids: NDArray[np.uint32], some: int) -> State:
    for k in range(5):
        x = np.where(k < ids % 5, x * np.uint32(3) + np.uint32(1), x).astype(np.uint32)
    return step(x, 2)


def _divergent_data(x: State, group: int, ids: NDArray[np.uint32], some: int) -> State:
    for k in range(1, 4):
        x = step(x, k)
        x = np.where(x & 1, x >> np.uint32(1), x + ids).astype(np.uint32)
    return x


def _private_array(x: State, group: int, ids: NDArray[np.uint32], some: int) -> State:
    kept = []
    for k in range(1, 5):
        x = step(x, k)
        kept.append(x)
    table = np.stack(kept)
    return x + table[(ids + np.uint32(group)) % 4, np.arange(len(x))]


def _wide_state(x: State, group: int, ids: NDArray[np.uint32], some: int) -> State:
    wide = (x[:, None] * (np.arange(16, dtype=np.uint32) * np.uint32(2) + np.uint32(1))).astype(np.uint32)
    for k in range(1, 4):
        x = step(x, k)
        wide = wide * np.uint32(3) + x[:, None]
    return wide.sum(1, dtype=np.uint32)


def _flag(x: State, group: int, ids: NDArray[np.uint32], some: int) -> State:
    for k in range(1, 9):
        x = step(x, k)
        if x[0] & 3 == 0:
            break
    return x


FORMS: dict[str, tuple[str, Model]] = {
    "straight": ("STEP(1) STEP(2)", steps(1, 2)),
    "loop": ("for (uint k = 1; k < 6; k++) STEP(k)", steps(1, 2, 3, 4, 5)),
    "loop_from_argument": ("for (uint k = some; k > 0; k--) STEP(k)", steps(4, 3, 2, 1)),
    "loop_from_buffer": ("for (uint k = 0; k < bounds[group]; k++) STEP(k + 2)", by_group(lambda g: tuple(range(2, g + 2)))),
    "nested_loops": (
        "for (uint k = 1; k < 4; k++) { for (uint m = 0; m < k; m++) STEP(k + m) STEP(1) }",
        steps(1, 1, 2, 3, 1, 3, 4, 5, 1),
    ),
    "while_break": ("uint k = 1; while (true) { STEP(k) if (k >= some) break; k += 2; STEP(2) }", steps(1, 2, 3, 2, 5)),
    "do_while": ("uint k = some; do { STEP(k) k /= 2; } while (k);", steps(4, 2, 1)),
    "continue": (
        "for (uint k = 0; k < 6; k++) { if (k % 2 == group % 2) continue; STEP(k) }",
        by_group(lambda g: tuple(k for k in range(6) if k % 2 != g % 2)),
    ),
    "unrolled": ("__attribute__((opencl_unroll_hint(4))) for (uint k = 1; k < 9; k++) STEP(k)", steps(*range(1, 9))),
    "if_group": ("if (group & 1) STEP(3) else { STEP(5) STEP(1) }", by_group(lambda g: (3,) if g & 1 else (5, 1))),
    "if_buffer": ("if (bounds[group] > 2) STEP(2)", by_group(lambda g: (2,) if g > 2 else ())),
    "else_only": (
        "if (group == some) x += 1; else STEP(4)",
        lambda x, g, ids, some: x + np.uint32(1) if g == some else step(x, 4),
    ),
    "switch_group": (
        "switch (group) { case 0: STEP(1) break; case 2: STEP(2) case 3: STEP(3) break; default: x ^= 5; }",
        lambda x, g, ids, some: (
            steps(*{0: (1,), 2: (2, 3), 3: (3,)}.get(g, ()))(x, g, ids, some) ^ np.uint32(0 if g in (0, 2, 3) else 5)
        ),
    ),
    "return_group": (
        "if (group == 1) { r[i] = 77; return; } STEP(2)",
        lambda x, g, ids, some: np.full_like(x, 77) if g == 1 else step(x, 2),
    ),
    "function": ("x = hand(part, x, l, n, 2);", steps(2)),
    "two_functions": (
        "x = twice(part, x, l, n, 3); if (group & 1) x = hand(part, x, l, n, 1);",
        by_group(lambda g: (3, 4, 1) if g & 1 else (3, 4)),
    ),
    "after_divergence": ("if (l & 1) x += 7; else x ^= 9; STEP(3)", _divergence),
    "after_divergent_loop": ("for (uint k = 0; k < l % 5; k++) x = x * 3 + 1; STEP(2)", _divergent_loop),
    "in_divergent_data": ("for (uint k = 1; k < 4; k++) { STEP(k) if (x & 1) x >>= 1; else x += l; }", _divergent_data),
    "from_local_flag": (  # the flag is always in local memory
        "for (uint k = 1; k < 9; k++) { STEP(k) if (l == 0) flag = x & 3; barrier(CLK_LOCAL_MEM_FENCE);"
        " uint stop = flag == 0; barrier(CLK_LOCAL_MEM_FENCE); if (stop) break; }",
        _flag,
    ),
    "private_array": (
        "uint kept[4]; for (uint k = 0; k < 4; k++) { STEP(k + 1) kept[k] = x; } x += kept[(l + group) % 4];",
        _private_array,
    ),
    "wide_state": (
        "uint16 w = (uint16)(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31) * x;"
        " for (uint k = 1; k < 4; k++) { STEP(k) w = w * 3 + x; }"
        " uint8 h = w.lo + w.hi; uint4 q = h.lo + h.hi; x = q.x + q.y + q.z + q.w;",
        _wide_state,
    ),
    "two_arrays": (
        "part[l] = x; BARRIER; other[l] = part[(l + 1) % n] * 3; BARRIER; "
        "x = other[(l + 2) % n] + part[(l + 3) % n]; BARRIER;",
        lambda x, g, ids, some: np.roll(x, -(3 % len(x))) * np.uint32(3) + np.roll(x, -(3 % len(x))),
    ),
    "loop_in_branch": (
        "if (group > 1) for (uint k = 0; k < bounds[group]; k++) STEP(k)",
        by_group(lambda g: tuple(range(g)) if g > 1 else ()),
    ),
    "branch_in_loop": (
        "for (uint k = 0; k < 5; k++) { if (bounds[k] > group) STEP(k + 1) else x = x * 7 + k; }",
        lambda x, g, ids, some: _branches(x, g),
    ),
    "last_in_loop": (
        "for (uint k = 1; k < 5; k++) { part[l] = x; BARRIER; x += part[n - 1 - l] * k; BARRIER; }",
        lambda x, g, ids, some: _mirrored(x),
    ),
}


def _branches(x: State, group: int) -> State:
    for k in range(5):
        x = step(x, k + 1) if k > group else x * np.uint32(7) + np.uint32(k)
    return x


def _mirrored(x: State) -> State:
    for k in range(1, 5):
        x = x + x[::-1] * np.uint32(k)
    return x


def source(form: str, memory: str, barrier: str) -> str:
    """The kernel of a form, over `local` or `global` memory."""
    return f"""
#define BARRIER {barrier}
#define STEP(k) {{ part[l] = x; BARRIER; x = x * 5 + part[(l + (k)) % n]; BARRIER; }}
uint hand(__{memory} uint *part, uint x, uint l, uint n, uint k) {{ STEP(k) return x; }}
uint twice(__{memory} uint *part, uint x, uint l, uint n, uint k) {{
    x = hand(part, x, l, n, k);
    return hand(part, x, l, n, k + 1);
}}
__kernel void f(__global const uint *a, __global const uint *bounds, __global uint *r, __global uint *scratch,
                __local uint *memory, uint some) {{
    __local uint flag;
    uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), group = get_group_id(0);
    __{memory} uint *part = {"memory" if memory == "local" else "scratch + group * 2 * n"}, *other = part + n;
    uint x = a[i];
    if (some > 1000) {{ flag = 0; *other = 0; }}
    {FORMS[form][0]}
    r[i] = x;
}}
"""


def check_control(device: Device, *, form: str, memory: str, barrier: str, options: str) -> None:
    """One form, in groups of an odd size."""
    kernel = device.build(source(form, memory, barrier), options).f
    most = kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, device.device)
    most = min(int(most), 256, int(device.device.max_work_item_sizes[0]))
    items = most - 19 if most > 64 else 37  # odd, and more than one sub-group of any width
    data = device.rng.integers(0, 2**32, (GROUPS, items)).astype(np.uint32)
    out, scratch = device.buffer(np.zeros_like(data)), device.buffer(4 * 2 * data.size)
    bounds = device.buffer(np.arange(GROUPS, dtype=np.uint32))
    arguments = (device.buffer(data), bounds, out, scratch, cl.LocalMemory(4 * 2 * items), np.uint32(SOME_ITEMS))
    device.launch(kernel, [data.size], [items], *arguments)
    ids = np.arange(items, dtype=np.uint32)
    want = np.stack([FORMS[form][1](row.copy(), g, ids, SOME_ITEMS) for g, row in enumerate(data)])
    check.equal(f"{form}, what the items hold", device.read(out, np.uint32, data.shape), want)
