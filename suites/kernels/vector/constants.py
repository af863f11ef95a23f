"""Operators with a constant: instructions can encode some numbers, or their negatives and parts.

OpenCL C 3.0, 6.5 and 6.15. Floating values are quarters of small integers, so that each step is exact.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.integers import bounds
from ..kit.scalar import np_type, pragmas
from .pairs import PAIRS

_ITEMS = 64
_TO_A_KERNEL = 48
# Bytes and 16-bit numbers that instructions may sign-extend or zero-extend, whole words, and numbers next to them.
_INTEGERS = [1, 5, 31, -2, -6, 70, 128, -128, 192, 1000, 0x2000, 0x5BF8, 0x5C00, -514, 0xFDFE, 0xCCCD, -0x8000, 0x10000]
_INTEGERS += [0x01000000, 0x3F800000, 0x7FFFFDFE, 0x7FFFFFFE, 0x7FFFFFFF, -0x80000000, -0x7FFF0000]
_REALS = [0.25, -0.5, 1, -1, -2, 3, -4, 8, -255, 256]

# A signed sum, difference or product that overflows is undefined (C99, 6.5), so these are computed unsigned.
_INTEGER: dict[str, Callable[[Any, Any], Any]] = {
    "AS_T(AS_U({x}) + AS_U({k}))": lambda x, k: x + k,
    "AS_T(AS_U({k}) - AS_U({x}))": lambda x, k: k - x,
    "AS_T(AS_U({x}) - AS_U({k}))": lambda x, k: x - k,
    "AS_T(AS_U({x}) * AS_U({k}))": lambda x, k: x * k,
    "min({x}, {k})": np.minimum,
    "max({x}, {k})": np.maximum,
    "({x} < {k} ? {x} : AS_T(AS_U({k}) - 1))": lambda x, k: np.where(x < k, x, k - 1),
    "({x} == {k} ? AS_T(AS_U({k}) + 3) : {x})": lambda x, k: np.where(x == k, k + 3, x),
    "{x} & {k}": lambda x, k: x & k,
    "{x} | {k}": lambda x, k: x | k,
    "{x} ^ {k}": lambda x, k: x ^ k,
    "{k} << ({x} & (T)15)": lambda x, k: k << (x & 15),
    "{k} >> ({x} & (T)15)": lambda x, k: k >> (x & 15),
}
_REAL: dict[str, Callable[[Any, Any], Any]] = {
    "{x} + {k}": lambda x, k: x + k,
    "{k} - {x}": lambda x, k: k - x,
    "{x} - {k}": lambda x, k: x - k,
    "{x} * {k}": lambda x, k: x * k,
    "fma({x}, {k}, {x})": lambda x, k: x * k + x,
    "fma({x}, {x}, {k})": lambda x, k: x * x + k,
    "fmin({x}, {k})": np.minimum,
    "fmax({x}, {k})": np.maximum,
    "({x} < {k} ? (T)1 : {x})": lambda x, k: np.where(x < k, 1, x),
    "({x} == {k} ? {k} + (T)1 : {x})": lambda x, k: np.where(x == k, k + 1, x),
}


_SHIFTS: dict[str, Callable[[Any, Any], Any]] = {"<<": lambda x, n: x << n, ">>": lambda x, n: x >> n}
_ORDERED = ("min", "max", "<", ">>")  # the other operators are the same for unsigned types


def _rows(type_name: str, a: Any) -> Iterator[tuple[str, Any]]:
    """Expressions of x, components of `a` in some order, and their results; each third one has two numbers."""
    real, unsigned = a.dtype.kind == "f", type_name[0] == "u"
    numbers = _REALS if real else sorted({number % (1 << 32) if unsigned else number for number in _INTEGERS})
    numbers = [number for number in numbers if real or bounds(type_name)[0] <= number <= bounds(type_name)[1]]
    operators = {c: f for c, f in (_REAL if real else _INTEGER).items() if not unsigned or any(o in c for o in _ORDERED)}
    for turn, (code, function) in enumerate(operators.items()):
        for n, number in enumerate(numbers):
            order = PAIRS[(turn + n) % 4] if a.shape[1] > 1 else (0,)
            k = np.array([number, numbers[n - 1] if (turn + n) % 3 == 0 else number], a.dtype)[: len(order)]
            x = f"a[i].s{order[0]}{order[1]}" if len(order) > 1 else "a[i]"
            with np.errstate(over="ignore"):
                yield code.format(x=x, k=_literal(k, type_name)), function(a[:, order], k)
    if not real:
        yield from ((f"a[i] {sign} {n}", f(a, n)) for sign, f in _SHIFTS.items() for n in range(1, 32))


def _literal(values: Any, type_name: str) -> str:
    return f"(T)({', '.join(f'({type_name}){x}' for x in values.tolist())})"


def check_constants(device: Device, *, type: str, width: int) -> None:
    """Each operator with each number on either side, and shifts by each."""
    kind, shape = np_type(type), (_ITEMS, width)
    if kind.kind == "f":
        a = device.rng.integers(-7, 8, shape) / 4
    else:  # some operands are the numbers themselves, or next to one
        near = np.array(_INTEGERS)[device.rng.integers(0, len(_INTEGERS), shape)] + device.rng.integers(-1, 2, shape)
        far = device.rng.integers(-(1 << 31), 1 << 31, shape)
        a = np.where(device.rng.integers(0, 2, shape) == 0, near, far).astype(kind)
    rows = list(_rows(type, a))
    kernels = [rows[at : at + _TO_A_KERNEL] for at in range(0, len(rows), _TO_A_KERNEL)]
    name = f"{type}{width if width > 1 else ''}"
    source = f"{pragmas(type)}#define T {name}\n#define AS_T as_{name}\n#define AS_U as_u{name.removeprefix('u')}\n"
    for number, part in enumerate(kernels):
        lines = "\n    ".join(f"r[{len(part)} * i + {n}] = {code};" for n, (code, _) in enumerate(part))
        source += f"""
__kernel void f{number}(__global const T *a, __global T *r) {{
    uint i = get_global_id(0);
    {lines}
}}
"""
    program, given = device.build(source), device.buffer(a.astype(kind))
    for number, part in enumerate(kernels):
        out = device.buffer(np.zeros((_ITEMS, len(part), width), kind))
        device.launch(getattr(program, f"f{number}"), [_ITEMS], None, given, out)
        got = device.read(out, kind, (_ITEMS, len(part), width)) + kind.type(0)  # a zero may have either sign
        for n, (code, want) in enumerate(part):
            check.equal(code.replace("[i]", ""), got[:, n], want.astype(kind) + kind.type(0))
