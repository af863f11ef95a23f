"""32-bit atomics in global and local memory, with what they return (OpenCL C 3.0, 6.15.12.8)."""

from __future__ import annotations

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case

GROUPS, ITEMS = 8, 64
COUNT = GROUPS * ITEMS


OWN_CELL = """__local uint cell;
    if (get_local_id(0) == 0) cell = start;
    barrier(CLK_LOCAL_MEM_FENCE);"""

KEEP_CELL = """barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) cells[get_group_id(0)] = cell;"""


def source(space: str, statement: str) -> str:
    """`statement` acts on `*p`, in global memory or in the group's; `old[i]` keeps what it returns."""
    local = space == "local"
    return f"""
__kernel void f(volatile __global uint *cells, __global uint *old, __global const uint *a, uint start) {{
    size_t i = get_global_id(0);
    uint v = a[i];
    {OWN_CELL if local else ""}
    volatile __{space} uint *p = {"&cell" if local else "cells"};
    {statement}
    {KEEP_CELL if local else ""}
}}
"""


def run(
    device: Device, case: Case, statement: str, start: int, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The cells at the end, and what each item got: one row for each cell."""
    local = case.params["space"] == "local"
    cells = device.buffer(np.full(GROUPS, start, dtype=np.uint32))
    old = device.buffer(np.zeros(COUNT, np.uint32))
    kernel = device.build(source(case.params["space"], statement)).f
    device.launch(
        kernel, [COUNT], [ITEMS], cells, old, device.buffer(values.astype(np.uint32)), np.uint32(start)
    )
    rows = GROUPS if local else 1
    ends = device.read(cells, np.uint32, GROUPS)
    check.equal("cells that no item touched", ends[rows:], np.full(GROUPS - rows, start))
    return ends[:rows], device.read(old, np.uint32, COUNT).reshape(rows, -1)


def _steps(olds: np.ndarray, ends: np.ndarray, start: int, values: np.ndarray, sign: int, what: str) -> None:
    """Old values and their operands chain from the start to the end, in some order of the operations."""
    for row, end, operands in zip(olds, ends, values.reshape(len(olds), -1), strict=True):
        after = (row.astype(np.int64) + sign * operands.astype(np.int64)) % 2**32
        check.equal(f"{what}: values seen", np.sort([*row, end]), np.sort([start, *after]))
        check.equal(f"{what}: at the end", int(end), (start + sign * int(operands.sum())) % 2**32)


def check_add(device: Device, case: Case) -> None:
    """add, sub, inc, dec: no update is lost, and what was seen chains up. Params: operation, space."""
    operation, start = case.params["operation"], 2**32 - 1000
    values = device.rng.integers(1, 2**30, COUNT)
    if operation in ("inc", "dec"):
        values = np.ones(COUNT, dtype=np.int64)
    call = f"atomic_{operation}(p)" if operation in ("inc", "dec") else f"atomic_{operation}(p, v)"
    ends, olds = run(device, case, f"old[i] = {call};", start, values)
    _steps(olds, ends, start, values, 1 if operation in ("add", "inc") else -1, f"atomic_{operation}")


def check_exchange(device: Device, case: Case) -> None:
    """xchg: every value comes back exactly once or stays. Params: space."""
    values = device.rng.permutation(COUNT) + 5
    ends, olds = run(device, case, "old[i] = atomic_xchg(p, v);", 1, values)
    for row, end, operands in zip(olds, ends, values.reshape(len(olds), -1), strict=True):
        check.equal("atomic_xchg: values seen", np.sort([*row, end]), np.sort([1, *operands]))


def check_compare_exchange(device: Device, case: Case) -> None:
    """cmpxchg: a loop that adds loses nothing, and where nothing matches nothing changes. Params: space."""
    loop = """
    uint seen = *p, now;
    for (int k = 0; k < 1000000; k++) {
        now = atomic_cmpxchg(p, seen, seen + v);
        if (now == seen) break;
        seen = now;
    }
    old[i] = seen;"""
    values = device.rng.integers(1, 1000, COUNT)
    ends, olds = run(device, case, loop, 7, values)
    _steps(olds, ends, 7, values, 1, "atomic_cmpxchg")
    ends, olds = run(device, case, "old[i] = atomic_cmpxchg(p, 8u, v);", 7, values)
    check.equal("atomic_cmpxchg without a match: returned", olds, np.full_like(olds, 7))
    check.equal("atomic_cmpxchg without a match: at the end", ends, np.full_like(ends, 7))


def check_extreme(device: Device, case: Case) -> None:
    """min and max of int and uint: the extreme stays, what was seen was there. Params: operation, space."""
    operation = case.params["operation"]
    pick, start = (np.min, 2**30) if operation == "min" else (np.max, 5)
    for type_name, view in (("uint", np.uint32), ("int", np.int32)):
        values = device.rng.integers(0, 2**32, COUNT).astype(np.uint32)
        cast = f"(volatile __{case.params['space']} {type_name} *)"
        statement = f"old[i] = atomic_{operation}({cast}p, ({type_name})v);"
        ends, olds = run(device, case, statement, start, values)
        for row, end, operands in zip(olds, ends, values.reshape(len(olds), -1), strict=True):
            want = pick(np.array([start, *operands], dtype=np.uint32).view(view))
            check.equal(f"atomic_{operation} {type_name}: at the end", end.view(view), want)
            seen, given = row.view(view), np.array([start, *operands], dtype=np.uint32).view(view)
            check.true(
                f"atomic_{operation} {type_name} returned values that were there", np.isin(seen, given).all()
            )
            check.true(f"atomic_{operation} {type_name} returned the first value once or more", start in seen)


def check_bits(device: Device, case: Case) -> None:
    """and, or, xor: each item owns a bit. Params: space."""
    bits = 1 << np.arange(COUNT) % 32
    for operation, start in (("and", 2**32 - 1), ("or", 0), ("xor", 0x5A5A5A5A)):
        values = 2**32 - 1 - bits if operation == "and" else bits
        ends, olds = run(device, case, f"old[i] = atomic_{operation}(p, v);", start, values)
        want = {"and": 0, "or": 2**32 - 1, "xor": start}[operation]  # an even number of items a bit
        check.equal(f"atomic_{operation}: at the end", ends, np.full_like(ends, want))
        if operation == "xor":
            seen = olds.reshape(len(olds), -1, 32)
            set_before = (seen >> np.arange(32, dtype=np.uint32) & 1).sum(1)
            check.equal(
                "atomic_xor: half of the items saw their bit set",
                set_before,
                np.full_like(set_before, seen.shape[1] // 2),
            )
        else:
            changed = (olds & bits.reshape(olds.shape).astype(np.uint32) != 0) == (operation == "and")
            check.equal(
                f"atomic_{operation}: items that changed their bit", changed.sum(1), np.full(len(olds), 32)
            )


BODIES = {
    "atomic.add": check_add,
    "atomic.exchange": check_exchange,
    "atomic.compare_exchange": check_compare_exchange,
    "atomic.extreme": check_extreme,
    "atomic.bits": check_bits,
}
