"""Legacy atomics with constant operands: a device may have an instruction for one of them (OpenCL C 3.0, 6.15.12.8)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type

ITEMS = 64
OPERANDS = (0, 1, -1, 2, 0x7FFFFFFF, -0x80000000)
_ARGUMENT = 0x80000009
_GROUPS = (1, 2, 3, 8, 33)  # also even numbers of items in one wave, with which xor cancels out
MODELS: dict[str, Callable[[np.ndarray, Any], np.ndarray]] = {
    "add": lambda x, c: x + c,
    "sub": lambda x, c: x - c,
    "xchg": np.full_like,
    "min": np.minimum,
    "max": np.maximum,
    "and": lambda x, c: x & c,
    "or": lambda x, c: x | c,
    "xor": lambda x, c: x ^ c,
}


def check_constant(device: Device, *, operation: str, space: str) -> None:
    """Each operand on int and uint cells that only one item uses, with the old value used and not used."""
    calls = [(t, operand, used) for t in ("int", "uint") for operand in OPERANDS for used in (True, False)]
    lines = []
    for row, (t, operand, used) in enumerate(calls):
        call = f"atomic_{operation}((volatile __{space} {t} *)(c + {row * ITEMS} + l), ({t}){operand & 0xFFFFFFFF:#x}u)"
        lines.append(f"{f'old[{row * ITEMS} + l] = ' if used else ''}{call};")
    count = len(calls) * ITEMS
    local = f"__local uint c[{count}]; for (uint k = l; k < {count}; k += {ITEMS}) c[k] = cells[k];"
    stored = f"for (uint k = l; k < {count}; k += {ITEMS}) cells[k] = c[k];"
    body = "\n    ".join(lines)
    kernel = device.build(
        f"""
__kernel void f(__global uint *cells, __global uint *old) {{
    uint l = get_local_id(0);
    {local if space == "local" else "__global uint *c = cells;"}
    {body}
    {stored if space == "local" else ""}
}}
"""
    ).f
    ends = np.array([value & 0xFFFFFFFF for o in OPERANDS for value in (o - 1, o, o + 1)], np.uint32)
    given = device.rng.integers(0, 1 << 32, (len(calls), ITEMS), dtype=np.uint32)
    given[:, : len(ends)] = device.rng.permutation(ends)
    cells, old = device.buffer(given), device.buffer(np.zeros_like(given))
    device.launch(kernel, [ITEMS], [ITEMS], cells, old)
    got, olds = (device.read(buffer, np.uint32, given.shape) for buffer in (cells, old))
    for row, (t, operand, used) in enumerate(calls):
        kind = np_type(t)
        held = given[row].view(kind)
        what = f"atomic_{operation} of {t} with {operand}, {'with' if used else 'without'} the old value"
        want = MODELS[operation](held, np.array(operand & 0xFFFFFFFF, np.uint32).view(kind)[()])
        check.equal(f"{what}: cells", got[row].view(kind), want)
        if used:
            check.equal(f"{what}: returned", olds[row].view(kind), held)


def check_alike(device: Device, *, operation: str, space: str) -> None:
    """All items of a group have the same operand, constant or not: a device may count the items, and operate once."""
    calls = [(t, operand, number) for t in ("int", "uint") for operand, number in (("5", 5), ("x", _ARGUMENT))]
    count = len(calls)
    lines = [f"atomic_{operation}((volatile __{space} {t} *)(c + {n}), ({t}){x});" for n, (t, x, _) in enumerate(calls)]
    local = f"__local uint c[{count}]; if (l < 1) for (uint k = 0; k < {count}; k++) c[k] = cells[k];"
    stored = f"barrier(CLK_LOCAL_MEM_FENCE); if (l < 1) for (uint k = 0; k < {count}; k++) cells[k] = c[k];"
    body = "\n    ".join(lines)
    kernel = device.build(
        f"""
__kernel void f(__global uint *cells, uint x, uint from) {{
    uint l = get_local_id(0);
    cells += from;
    {local if space == "local" else "__global uint *c = cells;"}
    barrier(CLK_LOCAL_MEM_FENCE);
    {body}
    {stored if space == "local" else ""}
}}
"""
    ).f
    given = device.rng.integers(0, 1 << 32, (len(_GROUPS), count), dtype=np.uint32)
    cells = device.buffer(given)
    for n, size in enumerate(_GROUPS):
        device.launch(kernel, [size], [size], cells, np.uint32(_ARGUMENT), np.uint32(n * count))
    got = device.read(cells, np.uint32, given.shape)
    for n, size in enumerate(_GROUPS):
        for k, (t, operand, number) in enumerate(calls):
            value = np.array(number, np.uint32).view(np_type(t))[()]
            want = given[n, k : k + 1].view(np_type(t))
            for _ in range(size):
                want = MODELS[operation](want, value)
            check.equal(
                f"atomic_{operation} of {t} with {operand} by {size} items", got[n, k : k + 1].view(np_type(t)), want
            )
