"""The atomics of C11 (OpenCL C 3.0, 6.15.12): operations on cells that many items share, in any order."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit import chains
from ..kit.scalar import np_type
from .table import OPTIONS, WIDE

GROUPS, ITEMS = 4, 64
COUNT = GROUPS * ITEMS
CELLS = GROUPS * ITEMS  # the largest possible number of sub-groups
_BITS = "".join(f"#ifdef {e}\n#pragma OPENCL EXTENSION {e} : enable\n#endif\n" for e in (*WIDE, "cl_khr_fp64"))


def layout(device: Device, t: str) -> np.dtype[Any]:
    """numpy's type for a type; pointer-sized types have the device's address bits."""
    if t.endswith("_t"):
        return np.dtype(f"{'u' if t in ('uintptr_t', 'size_t') else ''}int{device.device.address_bits}")
    return np_type(t)


def source(t: str, plain: str, space: str, scope: str, statement: str) -> str:
    """A kernel in which `statement` acts on `*p`, which the items of one `scope` share; `old[i]` keeps what it returns.

    Buffers and arguments have the type `plain`: a kernel's parameters must not be size_t and the like (6.11). `where[i]` is
    the number of the item's cell: there is one for all items, or for each group or sub-group.
    """
    cell = {"sub_group": "get_group_id(0) * 64 + get_sub_group_id()", "work_group": "get_group_id(0)"}.get(scope, "0")
    local = space == "local"
    declared = (
        ""
        if not local
        else """
    __local atomic_T cell[64];
    atomic_init(cell + get_local_id(0), start);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);"""
    )
    kept = (
        ""
        if not local
        else """
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) cells[get_group_id(0)] = *(__local T *)cell;"""
    )
    return f"""{_BITS}
typedef {t} T; typedef atomic_{t} atomic_T; typedef {plain} plain;
__kernel void f(__global plain *cells, __global plain *old, __global const plain *a, plain start, __global uint *where) {{
    size_t i = get_global_id(0);
    T v = a[i];
    where[i] = {"get_group_id(0)" if local else cell};{declared}
    volatile __{space} atomic_T *p = {"cell" if local else f"(volatile __global atomic_T *)cells + {cell}"};
    {statement}{kept}
}}
"""


def launch(
    device: Device, t: str, space: str, scope: str, statement: str, values: NDArray[Any], first: Any
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Launch the kernel of `source`; returns the final cells, what each item got, and the cell that it used."""
    kind = values.dtype
    cells, old = device.buffer(np.full(CELLS, first, kind)), device.buffer(np.zeros(COUNT, kind))
    where = device.buffer(np.zeros(COUNT, np.uint32))
    signed = f"{'u' if kind.kind == 'u' else ''}{'long' if kind.itemsize == 8 else 'int'}"
    plain = signed if t.endswith("_t") else t
    kernel = device.build(source(t, plain, space, scope, statement), OPTIONS).f
    device.launch(kernel, [COUNT], [ITEMS], cells, old, device.buffer(values), kind.type(first), where)
    return (device.read(cells, kind, CELLS), device.read(old, kind, COUNT), device.read(where, np.uint32, COUNT))


def check_fetch(device: Device, *, operation: str, type: str, space: str, scope: str, call: str) -> None:
    """A read-modify-write loses nothing and returns the old value.

    `call`: an expression of p and v.
    """
    short = {"exchange": "xchg"}.get(operation, operation.removeprefix("fetch_"))
    kind = layout(device, type)
    if kind.kind == "f":
        values = (device.rng.permutation(COUNT) + 1.5).astype(kind)
    else:
        values = chains.operands(short, kind, device.rng, (1, COUNT))[0]
    first = chains.start(short, kind)
    ends, olds, where = launch(device, type, space, scope, f"old[i] = {call};", values, first)
    for cell in np.unique(where):
        mine = where == cell
        what, end = f"{operation} {type}", ends[cell].item()
        chains.require_chain(what, short, first, values[mine], olds[mine], end)
        chains.require_total(what, short, first, values[mine], end)
    idle = np.setdiff1d(np.arange(CELLS), where)
    check.equal("cells that no item touched", ends[idle], np.full(len(idle), first, kind))


def check_compare_exchange(
    device: Device, *, strength: str, type: str, space: str, scope: str, orders: Sequence[str], expected: str
) -> None:
    """compare_exchange: a loop that adds loses nothing; a failure returns the cell's value and changes nothing.

    In a cell that no other item uses, strong makes the exchange if the values match, weak may fail without a reason, both
    refuse if they differ. `expected`: its address space.
    """
    named = "".join(f", memory_order_{o}" for o in orders)
    name = f"atomic_compare_exchange_{strength}{'_explicit' if named else ''}"
    tail = f"{named}{f', memory_scope_{scope}' if named else ''}"
    kind = layout(device, type)
    place = {
        "private": "T seen; T *e = &seen;",
        "global": "__global T *e = (__global T *)old + i;",
        "local": "__local T seen[64]; __local T *e = seen + get_local_id(0);",
    }[expected]
    loop = f"""{place}
    *e = start;
    T sum = 0;
    for (int k = 0; k < 1000000; k++) {{
        sum = *e + v;
        if ({name}(p, e, sum{tail})) break;
    }}
    old[i] = *e;"""
    step = 2 ** (8 * kind.itemsize - 22) if kind.kind != "f" else 1
    values = device.rng.integers(1, 1000, COUNT).astype(kind) * kind.type(step)
    ends, olds, where = launch(device, type, space, scope, loop, values, 7)
    for cell in np.unique(where):
        mine = where == cell
        end = ends[cell].item()
        if kind.kind == "f":
            written, seen = np.sort([7, *(olds[mine] + values[mine])]), np.sort([*olds[mine], end])
            check.equal(f"{name} {type}: values seen", seen, written)
        else:
            chains.require_chain(f"{name} {type}", "add", 7, values[mine], olds[mine], end)
            chains.require_total(f"{name} {type}", "add", 7, values[mine], end)
    alone = f"""
    __global atomic_T *own = (__global atomic_T *)cells + i;
    T e = start + (T)(i % 3), was = e;
    int same = {name}(own, &e, v{tail}) != 0;
    old[i] = (T)(same * 4 + (e == was) * 2 + (e == start));"""
    ends, olds, _ = launch(device, type, "global", scope, alone, values, 7)
    matches = np.arange(COUNT) % 3 == 0
    taken = olds.astype(np.int64) >= 4
    if strength == "strong":
        check.equal(f"{name} {type}: success if the values match", taken[matches], np.ones(matches.sum(), np.bool_))
    else:
        check.true(f"{name} {type}: some success if the values match", bool(taken[matches].any()))
    check.equal(f"{name} {type}: success although they differ", taken[~matches], np.zeros((~matches).sum(), np.bool_))
    check.equal(f"{name} {type}: the cells", ends[:COUNT], np.where(taken, values, kind.type(7)))
    afterwards = olds.astype(np.int64) & 3  # 2: expected is unchanged; 1: it is the cell's value
    check.equal(f"{name} {type}: expected afterwards", afterwards, np.where(matches, 3, 1))


def check_load_store(device: Device, *, type: str, space: str, store: str, load: str) -> None:
    """Each item stores its value in a cell of its own, and another item loads it."""
    kind = layout(device, type)
    statement = f"""
    {
        "__local atomic_T own[64]; volatile __local atomic_T *q = own;"
        if space == "local"
        else "volatile __global atomic_T *q = (volatile __global atomic_T *)cells + get_group_id(0) * 64;"
    }
    uint l = get_local_id(0);
    for (uint k = 0; k < 3; k++) {{
        {store.replace("p,", "q + l,")};
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        v = {load.replace("(p", "(q + (l + 21 + k) % 64")};
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }}
    old[i] = v;"""
    bits = device.rng.integers(0, 2**62, COUNT)
    values = (bits % 2**20).astype(kind) if kind.kind == "f" else bits.astype(kind)
    _, olds, _ = launch(device, type, "global", "work_group", statement, values, 0)
    want = np.roll(values.reshape(GROUPS, ITEMS), -(21 + 22 + 23), 1).ravel()
    check.equal(f"{type} handed on three times", olds, want)


def check_init(device: Device, *, type: str, space: str) -> None:
    """atomic_init sets a cell's value, from which the operations start."""
    kind = layout(device, type)
    statement = f"""
    {
        "__local atomic_T own[64]; __local atomic_T *q = own + get_local_id(0);"
        if space == "local"
        else "__global atomic_T *q = (__global atomic_T *)cells + i;"
    }
    atomic_init(q, v);
    T was = atomic_exchange_explicit(q, (T)1, memory_order_relaxed, memory_scope_work_group);
    atomic_init(q, (T)(was + (T)2));
    old[i] = atomic_load_explicit(q, memory_order_relaxed, memory_scope_work_group);"""
    values = device.rng.integers(3, 10**6, COUNT).astype(kind)
    _, olds, _ = launch(device, type, "global", "work_group", statement, values, 0)
    check.equal(f"atomic_init of {type}", olds, values + kind.type(2))


def check_flag(device: Device, *, space: str, set: str, clear: str) -> None:
    """Only one of the items that set a flag finds it clear, and again after it is cleared."""
    kernel = device.build(
        f"""
__kernel void f(__global int *cells, __global uint *r) {{
    uint l = get_local_id(0), i = get_global_id(0), won = 0;
    {
            "__local atomic_flag own; volatile __local atomic_flag *p = &own;"
            if space == "local"
            else "volatile __global atomic_flag *p = (volatile __global atomic_flag *)cells + get_group_id(0);"
        }
    for (uint k = 0; k < 4; k++) {{
        if (l == k * 5) {clear};
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        won = won * 2 + ({set} ? 0 : 1);
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }}
    won = won * 2 + ({set} ? 0 : 1);
    r[i] = won;
}}
""",
        OPTIONS,
    ).f
    cells, out = device.buffer(np.zeros(GROUPS, np.int32)), device.buffer(np.zeros(COUNT, np.uint32))
    device.launch(kernel, [COUNT], [ITEMS], cells, out)
    won = device.read(out, np.uint32, (GROUPS, ITEMS))
    winners = (won[..., None] >> np.arange(5, dtype=np.uint32) & 1).sum(1)
    want = np.broadcast_to([0, 1, 1, 1, 1], (GROUPS, 5))
    check.equal("winners of atomic_flag_test_and_set in each round, the last first", winners, want)


def check_offered(device: Device, *, feature: str, capability: int, expression: str) -> None:
    """A program that needs a feature builds if and only if the device has it, and macro, list and query agree.

    `capability`: a bit of CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES (OpenCL C 3.0, 6.2.1).
    """
    offered = feature in {f.name for f in device.device.opencl_c_features}
    if capability:
        offers = bool(int(device.device.atomic_memory_capabilities) & capability)
        check.equal(f"CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES agrees with {feature}", offers, offered, stage="api")
    text = f"__kernel void f(__global int *r) {{\n#ifdef {feature}\nr[0] = 1;\n#else\nr[0] = 2;\n#endif\n}}"
    kernel, out = device.build(text, OPTIONS).f, device.buffer(np.zeros(1, np.int32))
    device.launch(kernel, [1], [1], out)
    check.equal(f"{feature} is defined", int(device.read(out, np.int32, 1)[0]), 1 if offered else 2)
    if expression:
        head = "__kernel void f(__global int *r, volatile __global atomic_uint *p, volatile __global atomic_flag *g)"
        program = cl.Program(device.context, f"{head} {{ {expression}; }}")
        try:
            program.build(options=OPTIONS)
            built = True
        except cl.Error:
            built = False
        check.equal(f"{expression} builds", built, offered, stage="build")


def check_least(device: Device) -> None:
    """The capabilities that every device of OpenCL 3.0 has (API 3.0, table of device queries)."""
    caps = cl.device_atomic_capabilities
    memory, fence = (int(device.device.atomic_memory_capabilities), int(device.device.atomic_fence_capabilities))
    least = caps.ORDER_RELAXED | caps.SCOPE_WORK_GROUP
    check.equal("memory: relaxed and work-group", memory & least, least, stage="api")
    least |= caps.ORDER_ACQ_REL
    check.equal("fence: acquire and release too", fence & least, least, stage="api")
    check.equal("orders of atomics that fences lack", memory & 7 & ~fence, 0, stage="api")
