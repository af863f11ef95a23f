"""Legacy atomics in global and local memory, with what they return (OpenCL C 3.0, 6.15.12.8)."""

import numpy as np

from runner import check
from runner.device import Device

from ..kit import chains
from ..kit.scalar import np_type
from .table import extensions_of

GROUPS, ITEMS = 4, 64
COUNT = GROUPS * ITEMS


def source(type_name: str, space: str, statement: str, extensions: str = "") -> str:
    """A kernel in which `statement` acts on `*p`, in global or local memory; `old[i]` keeps what it returns."""
    local = space == "local"
    return f"""{extensions}
typedef {type_name} T;
__kernel void f(volatile __global T *cells, __global T *old, __global const T *a, T start) {{
    size_t i = get_global_id(0);
    T v = a[i];
    {"__local T cell; if (get_local_id(0) == 0) cell = start; barrier(CLK_LOCAL_MEM_FENCE);" if local else ""}
    volatile __{space} T *p = {"&cell" if local else "cells"};
    {statement}
    {"barrier(CLK_LOCAL_MEM_FENCE); if (get_local_id(0) == 0) cells[get_group_id(0)] = cell;" if local else ""}
}}
"""


def check_operation(device: Device, *, operation: str, type: str, space: str, prefix: str, form: str) -> None:
    """No operation is lost, none is done twice, and the old values form a chain.

    `prefix`: atomic_ or atom_; `form`: returned, unused.
    """
    name, kind = f"{prefix}_{operation}", np_type(type)
    extensions = "".join(f"#pragma OPENCL EXTENSION {e} : enable\n" for e in extensions_of(operation, type, space, prefix))
    if operation == "cmpxchg":
        _compare_exchange(device, name, type, space, extensions)
        return
    call = f"{name}(p)" if operation in ("inc", "dec") else f"{name}(p, v)"
    statement = f"old[i] = {call};" if form == "returned" else f"{call}; old[i] = v;"
    ends, olds, values, first = _run(device, source(type, space, statement, extensions), operation, type, space)
    for number, row in enumerate(values):
        what, end = f"{name} {type}", ends[number].item()
        if form == "returned":
            chains.require_chain(what, operation, first, row, olds[number], end)
        chains.require_total(what, operation, first, row, end)
        if form == "returned" and operation in ("min", "max"):
            towards = [r for r in olds[number].tolist() if r in (first, *row.tolist())]
            check.equal(f"{what}: old values that were in the cell", len(towards), len(row))
    if form == "unused":
        check.equal("the items' other results", olds, values)
    check.equal("cells that no item touched", ends[len(values) :], np.full(GROUPS - len(values), first, kind))


def _run(
    device: Device, text: str, operation: str, t: str, space: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int | float]:
    """Launch on one cell, or one a group; returns the final cells, each item's old value and operand, the first value."""
    kind = np_type(t)
    shape = (GROUPS, ITEMS) if space == "local" else (1, COUNT)
    if kind.kind == "f":
        values = (np.stack([device.rng.permutation(shape[1]) for _ in range(shape[0])]) + 1.5).astype(kind)
    else:
        values = chains.operands(operation, kind, device.rng, shape)
    first = chains.start(operation, kind)
    cells, old = device.buffer(np.full(GROUPS, first, kind)), device.buffer(np.zeros(COUNT, kind))
    kernel = device.build(text).f
    device.launch(kernel, [COUNT], [ITEMS], cells, old, device.buffer(values), kind.type(first))
    ends = device.read(cells, kind, GROUPS)
    return ends, device.read(old, kind, COUNT).reshape(shape), values, first


def _compare_exchange(device: Device, name: str, t: str, space: str, extensions: str) -> None:
    """A loop that adds loses nothing, and without a match nothing changes."""
    loop = f"""
    T seen = *p, now;
    for (int k = 0; k < 1000000; k++) {{
        now = {name}(p, seen, (T)(seen + v));
        if (now == seen) break;
        seen = now;
    }}
    old[i] = seen;"""
    # Unsigned, or the start is low enough for small operands: no signed overflow.
    kind = np_type(t)
    shape = (GROUPS, ITEMS) if space == "local" else (1, COUNT)
    values = device.rng.integers(1, 1000, shape).astype(kind) * kind.type(2 ** (8 * kind.itemsize - 22))
    first = 7
    for statement, matches in ((loop, True), (f"old[i] = {name}(p, (T)8, v);", False)):
        cells, old = device.buffer(np.full(GROUPS, first, kind)), device.buffer(np.zeros(COUNT, kind))
        kernel = device.build(source(t, space, statement, extensions)).f
        device.launch(kernel, [COUNT], [ITEMS], cells, old, device.buffer(values), kind.type(first))
        ends, olds = device.read(cells, kind, GROUPS), device.read(old, kind, COUNT).reshape(shape)
        if matches:
            for number, row in enumerate(values):
                end = ends[number].item()
                chains.require_chain(f"{name} {t}", "add", first, row, olds[number], end)
                chains.require_total(f"{name} {t}", "add", first, row, end)
        else:
            check.equal(f"{name} {t} without a match: returned", olds, np.full_like(olds, first))
            check.equal(f"{name} {t} without a match: at the end", ends, np.full_like(ends, first))


# Operations of an item on one of its group's 64 cells `c`, which are 0 at first; l is the local id. A group has 64 items.
PLACED = {
    "struct_member": "typedef struct { uchar t; uint n[3]; ushort s; } record; volatile __{s} record *q ="
    " (volatile __{s} record *)c; atomic_add(&q[l % 3].n[1], l);",
    "vector_component": "volatile __{s} uint *q = (volatile __{s} uint *)((volatile __{s} uint4 *)c + l % 5) + 2;"
    " atomic_add(q, l + 1); atomic_sub(q + 1, 2u);",
    "in_function": "add_twice(c + (l & 7), l); atomic_inc(c + 8);",
    "many_cells": "atomic_add(c + l * 37 % 64, l + 1); atomic_add(c + (63 - l), 1000u);",
    "neighbours": "for (uint k = 0; k < 8; k++) atomic_inc(c + (l + k * k) % 64);",
    "two_dimensions": "volatile __{s} uint (*m)[8] = (volatile __{s} uint (*)[8])c;"
    " atomic_or(&m[l / 8][l % 3], 1u << l % 32);",
    "in_loop": "for (uint k = 0; k < l; k++) atomic_xor(c + k % 4, (k + 1) * 0x01010101u); atomic_max(c + 5, l * 3);",
    "divergent": "if (l % 3 == 0) atomic_add(c + 1, l); else if (l % 3 == 1) atomic_sub(c + 1, l); else atomic_inc(c + 2);",
    "between_stores": "__{s} uint *w = (__{s} uint *)c + l; *w = l * 5; uint was = atomic_add(w, 1u); *w = was + 2;",
    "signed": "volatile __{s} int *q = (volatile __{s} int *)c; int x = l; atomic_min(q + l % 3, 40 - 3 * x);"
    " atomic_max(q + 4 + l % 3, 3 * x - 40); atomic_min(q + 8 + l % 2, -1 - x); atomic_max(q + 12, -5 - x);"
    " if (l < 48) { int was = atomic_min(q + 16 + l, x % 2 ? -7 * x : x); atomic_max(q + 16 + l, was - x - 1); }"
    " atomic_sub(q + 13, -x);",
    "sub_range": "volatile __{s} uint *end = c + 64; atomic_max(end - 1 - l / 2, l + 1);",
}


def placed(place: str) -> np.ndarray:  # noqa: C901 - one arm a kind
    """The cells after all 64 items of a group have run."""
    c = np.zeros(64, np.int64)
    for l in range(64):  # noqa: E741
        match place:
            case "struct_member":  # 20 bytes a structure, n at 4
                c[l % 3 * 5 + 2] += l
            case "signed":
                c[l % 3] = min(c[l % 3], 40 - 3 * l)
                c[4 + l % 3] = max(c[4 + l % 3], 3 * l - 40)
                c[8 + l % 2] = min(c[8 + l % 2], -1 - l)
                c[13] += l
                # c[12] stays 0: everything that it is compared with is less.
                if l < 48:
                    c[16 + l] = max(min(0, -7 * l if l % 2 else l), -l - 1)
            case "vector_component":
                c[l % 5 * 4 + 2] += l + 1
                c[l % 5 * 4 + 3] -= 2
            case "in_function":
                c[l & 7] += 2 * l
                c[8] += 1
            case "many_cells":
                c[l * 37 % 64] += l + 1
                c[63 - l] += 1000
            case "neighbours":
                for k in range(8):
                    c[(l + k * k) % 64] += 1
            case "two_dimensions":
                c[l // 8 * 8 + l % 3] |= 1 << l % 32
            case "in_loop":
                for k in range(l):
                    c[k % 4] ^= (k + 1) * 0x01010101
                c[5] = max(c[5], 3 * l)
            case "divergent":
                c[2 if l % 3 == 2 else 1] += (l, -l, 1)[l % 3]
            case "between_stores":
                c[l] = 5 * l + 2
            case "sub_range":
                c[63 - l // 2] = max(c[63 - l // 2], l + 1)
    return (c % 2**32).astype(np.uint32)


def check_place(device: Device, *, place: str, space: str) -> None:
    """Atomics on cells whose address is computed. `place`: a name of PLACED."""
    local = space == "local"
    kernel = device.build(
        f"""
void add_twice(volatile __{space} uint *p, uint x) {{ atomic_add(p, x); atomic_add(p, x); }}
__kernel void f(volatile __global uint *cells) {{
    uint l = get_local_id(0);
    {
            "__local uint own[64]; volatile __local uint *c = own; own[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);"
            if local
            else "volatile __global uint *c = cells + get_group_id(0) * 64;"
        }
    {PLACED[place].replace("{s}", space)}
    {"barrier(CLK_LOCAL_MEM_FENCE); cells[get_group_id(0) * 64 + l] = own[l];" if local else ""}
}}
"""
    ).f
    cells = device.buffer(np.zeros((GROUPS, 64), np.uint32))
    device.launch(kernel, [COUNT], [ITEMS], cells)
    want = np.broadcast_to(placed(place), (GROUPS, 64))
    check.equal("cells of each group", device.read(cells, np.uint32, (GROUPS, 64)), want)
