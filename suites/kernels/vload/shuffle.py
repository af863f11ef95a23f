"""shuffle and shuffle2 (OpenCL C 3.0, 6.15.13): only the low bits of a mask's elements count."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas

COUNT = 8
"""Masks of each width."""
WIDTHS = (2, 4, 8, 16)


def mask_type(type_name: str) -> str:
    """The unsigned integer type of an element's size."""
    return {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}[np_type(type_name).itemsize]


def check_shuffle(device: Device, *, type: str, width: int, function: str) -> None:
    """Masks that are known only at run time, for results of every width. `width`: of the source."""
    mask, pool = mask_type(type), _pool(type, width)
    parameters = ", ".join(f"__global const {mask} *m{n}, __global {type} *r{n}" for n in WIDTHS)
    call = f"{function}(x, {'y, ' if function == 'shuffle2' else ''}"
    stores = [f"vstore{n}({call}vload{n}(i, m{n})), i, r{n});" for n in WIDTHS]
    body = "\n    ".join(stores)
    kernel = device.build(
        f"""{pragmas(type)}
__kernel void f(__global const {type} *a, {parameters}) {{
    size_t i = get_global_id(0);
    {type}{width} x = vload{width}(0, a), y = vload{width}(1, a);
    {body}
}}
"""
    ).f
    masks = {n: device.rng.integers(0, 2**63, (COUNT, n)).astype(np_type(mask)) for n in WIDTHS}
    out = {n: device.buffer(np.zeros((COUNT, n), np_type(type))) for n in WIDTHS}
    arguments = [argument for n in WIDTHS for argument in (device.buffer(masks[n]), out[n])]
    device.launch(kernel, [COUNT], None, device.buffer(pool), *arguments)
    reach = width * (2 if function == "shuffle2" else 1)
    for n in WIDTHS:
        want = pool[(masks[n] % reach).astype(np.int64)]
        got = device.read(out[n], np_type(type), (COUNT, n))
        check.equal(f"{function} of {type}{width} by {mask}{n}", got, want, [masks[n]])


def check_shuffle_constant(device: Device, *, type: str, width: int) -> None:
    """Constant masks: reversal, repetition, interleaving, high bits set."""
    mask, pool = mask_type(type), _pool(type, width)
    lines: list[str] = []
    wants: list[tuple[str, NDArray[Any]]] = []
    for n in WIDTHS:
        for reach, call in ((width, "shuffle(x, "), (2 * width, "shuffle2(x, y, ")):
            for step, start in ((-1, n - 1), (width + 1, 0), (3, 250)):
                indices = [(start + step * k) % 256 for k in range(n)]
                text = f"{call}({mask}{n})({', '.join(map(str, indices))}))"
                lines.append(f"vstore{n}({text}, 0, r + {sum(len(w) for _, w in wants)});")
                wants.append((text, pool[np.array(indices) % reach]))
    body = "\n    ".join(lines)
    kernel = device.build(
        f"""{pragmas(type)}
__kernel void f(__global const {type} *a, __global {type} *r) {{
    {type}{width} x = vload{width}(0, a), y = vload{width}(1, a);
    {body}
}}
"""
    ).f
    total = sum(len(want) for _, want in wants)
    out = device.buffer(np.zeros(total, np_type(type)))
    device.launch(kernel, [1], None, device.buffer(pool), out)
    got, start = device.read(out, np_type(type), total), 0
    for text, want in wants:
        check.equal(text, got[start : start + len(want)], want)
        start += len(want)


def _pool(t: str, width: int) -> NDArray[Any]:
    """The elements of both sources."""
    return np.arange(10, 10 + 2 * width).astype(np_type(t))
