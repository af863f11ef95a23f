"""Litmus tests: the writes of others that items may see (OpenCL API 3.0, 3.3.9; OpenCL C 3.0, 6.15.12).

A test is a few short programs on common variables, and the outcomes that the memory model forbids. Many copies of it
run several times, each with variables of its own; no item waits for another one, so nothing can hang. The programs
are distributed over the items in two ways: apart (an item runs one of them) and together (an item runs all of them, each
in another copy), which also shows an access that has moved past its fence if items run in lock-step.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from .table import OPTIONS

Columns = list[NDArray[np.bool_]]
GROUPS, ITEMS, ROUNDS, VARIABLES = 4, 64, 8, 3


@dataclass(frozen=True, slots=True)
class Litmus:
    """`programs`: lines of accesses, such as `Wx1` (x = 1), `Rx0` (register 0 = x), F (the fence of the mode).

    Small letters are accesses that need no order of their own. `forbidden` returns a mask of forbidden outcomes, from arrays
    of the registers and of the final values of x, y, z.
    """

    programs: tuple[str, ...]
    forbidden: Callable[[Any, Any], NDArray[np.bool_]]
    modes: tuple[str, ...]
    values: int = 2  # every value that a register may hold is below it


_ORDERED, _TOTAL, _SAME = (
    ("release_acquire", "fence", "seq_cst", "seq_cst_fence"),
    ("seq_cst", "seq_cst_fence"),
    ("relaxed",),
)

LITMUS: dict[str, Litmus] = {
    "message": Litmus(("wx1 F Wy1", "Ry0 F rx1"), lambda r, m: (r[0] == 1) & (r[1] == 0), _ORDERED),
    "load_buffering": Litmus(("Rx0 F Wy1", "Ry1 F Wx1"), lambda r, m: (r[0] == 1) & (r[1] == 1), _ORDERED),
    "store_buffering": Litmus(("Wx1 F Ry0", "Wy1 F Rx1"), lambda r, m: (r[0] == 0) & (r[1] == 0), _TOTAL),
    "read_read": Litmus(("Wx1", "Rx0 Rx1"), lambda r, m: (r[0] == 1) & (r[1] == 0), _SAME),
    "write_write": Litmus(("Wx1 Wx2", "Rx0 Rx1"), lambda r, m: (r[0] > r[1]) | (m[0] != 2), _SAME, 3),
    "write_read": Litmus(("Wx1 Rx0", "Wx2"), lambda r, m: (r[0] == 0) | ((r[0] == 2) & (m[0] != 2)), _SAME, 3),
    "read_write": Litmus(("Rx0 Wx1", "Wx2"), lambda r, m: (r[0] == 1) | ((r[0] == 2) & (m[0] != 1)), _SAME, 3),
    "causality": Litmus(("Wx1", "Rx0 F Wy1", "Ry1 F rx2"), lambda r, m: (r[0] == 1) & (r[1] == 1) & (r[2] == 0), _ORDERED),
    "relay": Litmus(("wx1 F Wy1", "Ry0 F Wz1", "Rz1 F rx2"), lambda r, m: (r[0] == 1) & (r[1] == 1) & (r[2] == 0), _ORDERED),
    "independent_reads": Litmus(
        ("Wx1", "Wy1", "Rx0 F Ry1", "Ry2 F Rx3"), lambda r, m: (r[0] == 1) & (r[1] == 0) & (r[2] == 1) & (r[3] == 0), _TOTAL
    ),
    "two_writes": Litmus(("Wx1 F Wy2", "Wy1 F Wx2"), lambda r, m: (m[0] == 1) & (m[1] == 1), _TOTAL, 3),
    "write_then_read": Litmus(("Wx1 F Wy1", "Wy2 F Rx0"), lambda r, m: (m[1] == 2) & (r[0] == 0), _TOTAL, 3),
    "read_then_write": Litmus(("wx2 F Wy1", "Ry0 F wx1"), lambda r, m: (r[0] == 1) & (m[0] == 2), _ORDERED, 3),
}


def program(text: str, mode: str, scope: str, space: str) -> str:
    """The statements of one program; `v` are the variables of the copy, `q` its registers."""
    lines = []
    for access in text.split():
        if access == "F":
            order = {"fence": "acq_rel", "seq_cst_fence": "seq_cst"}.get(mode)
            if order:
                flag = f"CLK_{space.upper()}_MEM_FENCE"
                lines.append(f"atomic_work_item_fence({flag}, memory_order_{order}, memory_scope_{scope});")
            continue
        kind, variable, number = access[0], "xyz".index(access[1]), access[2]
        order = "relaxed"
        if mode == "seq_cst":
            order = "seq_cst"
        elif mode == "release_acquire" and kind in "WR":
            order = "release" if kind == "W" else "acquire"
        end = f"memory_order_{order}, memory_scope_{scope})"
        if kind in "Ww":
            lines.append(f"atomic_store_explicit(v + {variable}, {number}u, {end};")
        else:
            lines.append(f"q[{number}] = atomic_load_explicit(v + {variable}, {end};")
    return "\n            ".join(lines)


def source(test: Litmus, mode: str, scope: str, space: str) -> str:
    """Two kernels, with the programs apart and together; `spread` is the distance between the copies of an item."""
    roles = len(test.programs)
    texts = [program(p, mode, scope, space) for p in test.programs]
    wide = scope != "work_group"
    range_ = "global" if wide else "local"
    who = f"uint n = get_{range_}_size(0), id = get_{range_}_id(0);"
    place = f"v = all + (round * n + copy) * {VARIABLES}; q = r + (round * n + copy) * 4;"
    apart = "\n".join(f"        if (role == {k}) {{\n            {t}\n        }}" for k, t in enumerate(texts))
    together = "\n".join(
        f"        copy = (id + {k} * spread) % n; {place}\n        {{\n            {t}\n        }}"
        for k, t in enumerate(texts)
    )
    cells = ROUNDS * ITEMS * VARIABLES
    base = "0" if wide else f"get_group_id(0) * {cells}"
    memory = (
        f"__local atomic_uint own[{cells}]; volatile __local atomic_uint *all = own;"
        if space == "local"
        else f"volatile __global atomic_uint *all = (volatile __global atomic_uint *)finals + {base};"
    )
    begin = (
        f"for (uint k = get_local_id(0); k < {cells}; k += get_local_size(0)) atomic_init(own + k, 0u);"
        if space == "local"
        else ""
    )
    end = (
        f"for (uint k = get_local_id(0); k < {cells}; k += get_local_size(0)) finals[{base} + k] = "
        "atomic_load_explicit(own + k, memory_order_relaxed, memory_scope_work_group);"
        if space == "local"
        else ""
    )
    head = f"""(__global uint *finals, __global uint *r, uint spread, uint rounds) {{
    {who}
    {memory}
    r += {"0" if wide else f"get_group_id(0) * {ROUNDS * ITEMS * 4}"};
    {begin}
    volatile __{space} atomic_uint *v;
    __global uint *q;
    uint copy, role = id / (n / {roles});
    for (uint round = 0; round < rounds; round++) {{
        work_group_barrier(CLK_LOCAL_MEM_FENCE);"""
    tail = f"""
    }}
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    {end}
}}
"""
    # Either neighbours or distant items run different programs on one copy.
    split = f"copy = spread > 1 ? id % (n / {roles}) : id / {roles}; if (spread <= 1) role = id % {roles};"
    return f"""
__kernel void apart{head}
        {split}
        if (copy >= n / {roles}) role = {roles};
        {place}
{apart}{tail}
__kernel void together{head}
{together}{tail}"""


def check_litmus(device: Device, *, test: str, mode: str, scope: str, space: str) -> None:
    """No copy of a test has a forbidden outcome."""
    litmus = LITMUS[test]
    built = device.build(source(litmus, mode, scope, space), OPTIONS)
    copies = GROUPS * ROUNDS * ITEMS
    for name, spread in (("apart", 1), ("apart", 2), ("together", 1), ("together", 13)):
        finals = device.buffer(np.zeros((copies, VARIABLES), np.uint32))
        registers = device.buffer(np.full((copies, 4), 9, np.uint32))
        device.launch(
            getattr(built, name), [GROUPS * ITEMS], [ITEMS], finals, registers, np.uint32(spread), np.uint32(ROUNDS)
        )
        memory = device.read(finals, np.uint32, (copies, VARIABLES))
        rows = device.read(registers, np.uint32, (copies, 4))
        loads = sum(p.upper().count("R") for p in litmus.programs)
        # Copies that no item has run hold zeros: the last ones of each round if the programs are apart.
        ran = memory.any(1)
        of_round = copies // ROUNDS if scope != "work_group" else ITEMS
        expected = of_round // len(litmus.programs) if name == "apart" else of_round
        check.equal(f"copies that ran, {name}", int(ran.sum()), expected * (copies // of_round))
        seen = rows[ran][:, :loads]
        check.true(f"registers hold what was written, {name}", bool((seen < litmus.values).all()))
        wrong = litmus.forbidden(rows[ran].T, memory[ran].T)
        what = f"{test} by {mode}, programs {name}: forbidden outcomes of {int(ran.sum())}"
        check.equal(what, int(wrong.sum()), 0)
