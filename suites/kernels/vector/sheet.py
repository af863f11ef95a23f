"""Many expressions of one vector type in one kernel, each compared separately."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas

COUNT = 2
"""Work-items; the operands of each differ."""

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression with `size` components; `before` are statements before it.

    `want` is its value: the places of the components in the operands `a` and `b`, which follow each other, or a function of
    both, which takes (COUNT, width) arrays and returns (COUNT, size).
    """

    expression: str
    size: int
    want: Sequence[int] | Callable[[Array, Array], Array]
    before: str = ""


def vector(type_name: str, width: int) -> str:
    """The name of a type."""
    return type_name if width == 1 else f"{type_name}{width}"


def digits(components: Sequence[int]) -> str:
    """A numeric swizzle; S and upper-case digits mean the same (6.3.7)."""
    text = "".join(f"{c:x}" for c in components)
    return f"S{text.upper()}" if sum(components) % 2 else f"s{text}"


def operands(type_name: str, width: int) -> tuple[Array, Array]:
    """Values that all differ, that each type can hold, and whose sums and doubles stay in range."""
    values = np.arange(1, 2 * COUNT * width + 1).reshape(2, COUNT, width)
    return values[0].astype(np_type(type_name)), values[1].astype(np_type(type_name))


def compare(device: Device, type_name: str, width: int, lines: Sequence[Expression], **parts: str) -> None:
    """Run all lines, and compare them one by one. `parts`: `functions` before the kernel, and a `prologue` in it."""
    a, b = operands(type_name, width)
    total = sum(line.size for line in lines)
    kernel = device.build(_source(type_name, width, lines, total, **parts)).f
    out = device.buffer(np.zeros((COUNT, total), a.dtype))
    device.launch(kernel, [COUNT], [COUNT], device.buffer(a), device.buffer(b), out)
    got = device.read(out, a.dtype, (COUNT, total))
    both, start = np.concatenate([a, b], axis=1), 0
    for line in lines:
        want = line.want(a, b) if callable(line.want) else both[:, list(line.want)]
        what = f"{vector(type_name, width)}: {line.before} {line.expression}".replace("  ", " ")
        check.equal(what, got[:, start : start + line.size], want.astype(a.dtype))
        start += line.size


def _source(
    type_name: str, width: int, lines: Sequence[Expression], total: int, functions: str = "", prologue: str = ""
) -> str:
    statements, start = [], 0
    for line in lines:
        store = f"o[{start}] = " if line.size == 1 else f"vstore{line.size}("
        end = "" if line.size == 1 else f", 0, o + {start})"
        statements.append(f"{{ {line.before} {store}{line.expression}{end}; }}")
        start += line.size
    body = "\n    ".join(statements)
    t = vector(type_name, width)
    return f"""{pragmas(type_name)}
typedef {type_name} E;
typedef {t} T;
{functions}
__kernel void f(__global const E *a_, __global const E *b_, __global E *r) {{
    size_t i = get_global_id(0);
    T a = vload{width}(i, a_), b = vload{width}(i, b_);
    __global E *o = r + i * {total};
    {prologue}
    {body}
}}
"""
