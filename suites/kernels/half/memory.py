"""half in memory (OpenCL C 3.0, 6.15.7), which needs no cl_khr_fp16, and whose denormals are never flushed (6.3.1.2).

Each work-item has a piece of its own. A pointer to half in local or private memory is converted from one to ushort, because
without the extension a variable cannot be a half. The unaligned forms begin at an odd multiple of two bytes.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import literal, np_type, pragmas
from . import rounding
from .rounding import every_half, round_to_half
from .table import stride, suffix

_ITEMS, _GROUP = 256, 32
_PIECE = 48  # whole vectors of every width
_CONSTANTS = 300
_ITEM_HALVES = 65536 // _ITEMS  # of a piece, so that a launch has every half


def _place(space: str, shift: int) -> tuple[str, str]:
    """The declaration of an item's piece `x` of ushort in local or private memory, and a pointer to half into it."""
    room = _PIECE + 16
    if space == "local":
        declared = f"__local ushort all[{_GROUP * room}] __attribute__((aligned(32)));"
        return (f"{declared} __local ushort *x = all + get_local_id(0) * {room};", f"(__local half *)(x + {shift})")
    return f"__private ushort x[{room}] __attribute__((aligned(32)));", f"(__private half *)(x + {shift})"


def check_load(device: Device, *, aligned: bool, width: int, space: str) -> None:
    """vload{a}_half{n} from one address space.

    From global memory every half is loaded, from others a random part.
    """
    step, shift, w = stride(width, aligned=aligned), 0 if aligned else 1, suffix(width)
    piece = _ITEM_HALVES if space == "global" else _PIECE
    vectors = piece // step
    name = f"vload{'a' if aligned else ''}_half{w}"
    if space in ("global", "constant"):
        kind, declared, pointer, filled = space, "", f"a + {shift} + i * {piece}", ""
        argument = f"__{space} const half *a"
    else:
        kind = space
        argument = "__global const ushort *a"
        declared, pointer = _place(space, shift)
        filled = f"for (int n = 0; n < {piece}; n++) x[n + {shift}] = a[i * {piece} + n + {shift}];"
    qualifier = "const " if space in ("global", "constant") else ""
    store = "r[i * {0} + o] = {1};" if width == 1 else f"vstore{width}({{1}}, i * {{0}} + o, r);"
    kernel = device.build(
        f"""
__kernel void f({argument}, __global float *r, uint vectors) {{
    size_t i = get_global_id(0);
    {declared}
    {filled}
    __{kind} {qualifier}half *p = {pointer};
    for (size_t o = 0; o < vectors; o++)
        {store.format(vectors, f"{name}(o, p)")}
}}
"""
    ).f
    halves = device.rng.permutation(every_half())[: _ITEMS * piece]
    memory = np.concatenate([np.zeros(shift, np.float16), halves, np.zeros(16, np.float16)])
    out = device.buffer(np.zeros(_ITEMS * vectors * width, np.float32))
    device.launch(kernel, [_ITEMS], [_GROUP], device.buffer(memory), out, np.uint32(vectors))
    read = halves.reshape(_ITEMS, piece)[:, : vectors * step].reshape(-1, step)[:, :width]
    got = device.read(out, np.float32, read.shape)
    check.exact(name, got, [read.astype(np.float32)], [read])


def _rounded(device: Device, source: str, values: NDArray[Any], mode: str) -> list[NDArray[Any]]:
    """The halves that may be stored for values: a device that flushes float's denormals may store zero for one."""
    optional = source == "float" and not device.device.single_fp_config & 1  # CL_FP_DENORM
    zero = (np.abs(values) < np.finfo(values.dtype).tiny) & optional
    operands = (values, *(np.where(zero, values.dtype.type(z), values) for z in (0.0, -0.0)))
    return [round_to_half(x, mode.removeprefix("_")) for x in operands]


def check_store(
    device: Device, *, aligned: bool, width: int, source: str, space: str, modes: Sequence[str], numbers: str
) -> None:
    """vstore{a}_half{n} with some modes to one address space.

    Without a mode it rounds to nearest (6.15.7). A device that flushes float's denormals may store zero for one.
    `numbers`: the type of the numbers; those of double show whether a device rounds twice.
    """
    step, shift, w = stride(width, aligned=aligned), 0 if aligned else 1, suffix(width)
    vectors = _PIECE // step
    name = f"vstore{'a' if aligned else ''}_half{w}"
    size = _PIECE * _ITEMS
    load = f"a[i * {vectors} + o]" if width == 1 else f"vload{width}(i * {vectors} + o, a)"
    parts = []
    for n, mode in enumerate(modes):
        place = f"{n * (size + 16)} + i * {_PIECE}"
        if space == "global":
            pointer, copied = f"(__global half *)(r + {shift} + {place})", ""
        else:
            pointer = _place(space, shift)[1]
            copied = f"for (int n = 0; n < {_PIECE}; n++) r[{place} + n + {shift}] = x[n + {shift}];"
        parts.append(
            f"""    {{
        __{space} half *p = {pointer};
        for (size_t o = 0; o < vectors; o++)
            {name}{mode}({load}, o, p);
        {copied}
    }}
"""
        )
    kernel = device.build(
        f"""
{pragmas(source)}__kernel void f(__global const {source} *a, __global ushort *r, uint vectors) {{
    size_t i = get_global_id(0);
    {"" if space == "global" else _place(space, shift)[0]}
{"".join(parts)}}}
"""
    ).f
    values = rounding.numbers(numbers, size)[: _ITEMS * vectors * width].astype(np_type(source))
    unwritten = np.full((len(modes), size + 16), 0xABCD, np.uint16)
    out = device.buffer(unwritten)
    device.launch(kernel, [_ITEMS], [_GROUP], device.buffer(values), out, np.uint32(vectors))
    stored = device.read(out, np.uint16, unwritten.shape)
    inputs = values.reshape(-1, width)
    for mode, row in zip(modes, stored, strict=True):
        got = row[shift : shift + size].view(np.float16).reshape(-1, step)[:, :width]
        check.exact(f"{name}{mode}({source})", got, _rounded(device, source, inputs, mode), [inputs])
        around = np.concatenate([row[:shift], row[shift + size :]])
        check.equal(f"what {name}{mode} stored beside", around, np.full_like(around, 0xABCD))


def check_folded(device: Device, *, mode: str, source: str) -> None:
    """vstore_half of constants, which the compiler rounds."""
    values = rounding.numbers(source, _PIECE * _ITEMS)[:_CONSTANTS]
    stores = "".join(f"    vstore_half{mode}({literal(x, source)}, {n}, r);\n" for n, x in enumerate(values))
    kernel = device.build(f"{pragmas(source)}__kernel void f(__global half *r) {{\n{stores}}}\n").f
    out = device.buffer(np.full(values.shape, 0xABCD, np.uint16))
    device.launch(kernel, [1], [1], out)
    got = device.read(out, np.uint16, values.shape).view(np.float16)
    check.exact(f"vstore_half{mode}({source}) of a constant", got, _rounded(device, source, values, mode), [values])
