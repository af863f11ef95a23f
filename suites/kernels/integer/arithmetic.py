"""Integer operators and builtins: edge operands crossed with edge operands, compared with Python's ints."""

from collections.abc import Sequence

import numpy as np

from runner import check
from runner.device import Device

from ..kit.integers import IntegerType, bounds
from ..kit.scalar import np_type
from .constant import division
from .operands import items
from .operation import Operation
from .source import linked, source
from .table import OPERATIONS


def check_operation(device: Device, *, operation: str, type: str, width: int) -> None:
    """One operation on one type."""
    t = IntegerType(type, width)
    compare(device, OPERATIONS[operation], t)


def check_constant(device: Device, *, kind: str, type: str, width: int) -> None:
    """Divisions by constants of one kind."""
    t = IntegerType(type, width)
    compare(device, division(kind, t), t)


def compare(device: Device, operation: Operation, t: IntegerType) -> None:
    """Every form of an operation on its operands, in groups of eight, then in groups that the device chooses: a driver may
    compile a kernel for each.
    """
    work = items(operation, t, device.rng)
    result = operation.result_scalar(t)
    vectors = np.array([rows for rows, _ in work], dtype=object).reshape(len(work), t.width, operation.operands)
    columns = [vectors[..., i].astype(np_type(t.scalar)) for i in range(operation.operands)]
    scalars = [
        np.array([s[i] for _, s in work], dtype=np_type(operation.scalar_type or t.scalar)) for i in range(operation.scalars)
    ]
    kernel = device.build(source(operation, t), operation.options).f
    wants = [[[model(t, *row, *scalar) for row in rows] for rows, scalar in work] for model in operation.forms.values()]
    repeated = [np.broadcast_to(s[:, None], (len(work), t.width)) for s in scalars]
    inputs = [device.buffer(c) for c in [*columns, *scalars]]
    for count, local in ((len(work) // 8 * 8, [8]), (len(work), None))[len(work) < 8 :]:
        shape = (len(operation.forms), count, t.width)
        out = device.buffer(np.zeros(shape, dtype=np_type(result)))
        device.launch(kernel, [count], local, *inputs, out)
        got = device.read(out, np_type(result), shape)
        shown = (slice(count), 0) if t.width == 1 else slice(count)
        for text, row, want in zip(operation.forms, got, wants, strict=True):
            what = f"{text.format(low=t.of(operation.unsigned(t)))} of {t}"
            check.equal(what, row[shown], np.array(want, np_type(result))[shown], [c[shown] for c in [*columns, *repeated]])


def check_division_by_zero(device: Device, *, type: str) -> None:
    """A division by zero is unspecified, but no exception (6.5.1): the kernel ends, the other quotients are right, and so
    are later uses of the divisor.
    """
    kernel = device.build(
        f"""
__kernel void f(__global const {type} *a, __global const {type} *b, __global {type} *r) {{
    size_t i = get_global_id(0);
    {type} divisor = b[i];
    r[i * 2] = a[i] / divisor;
    r[i * 2 + 1] = a[i] % divisor;
    {type}4 v = vload4(i / 4, a) / vload4(i / 4, b);
    r[get_global_size(0) * 2 + i] = i % 4 == 0 ? v.x : i % 4 == 1 ? v.y : i % 4 == 2 ? v.z : v.w;
    r[get_global_size(0) * 3 + i] = divisor && 7;
}}
"""
    ).f
    low, high = bounds(type)
    a = np.array([100, 7, high, low, 0, 5, 6, 1] * 4, dtype=np_type(type))
    b = np.array([7, 0, 0, -1 if low else 3, 5, 0, 0, 1] * 4, dtype=np_type(type))
    out = device.buffer(np.zeros(4 * len(a), dtype=np_type(type)))
    device.launch(kernel, [len(a)], None, device.buffer(a), device.buffer(b), out)
    got = device.read(out, np_type(type), 4 * len(a))
    defined = (b != 0) & ~((a == low) & (b == -1 if low else False))
    x, y = a[defined], b[defined]
    both = got[: 2 * len(a)].reshape(-1, 2)[defined]
    check.equal(f"a / b of {type} beside divisions by zero", both[:, 0], x // y, [x, y])
    check.equal(f"a % b of {type} beside divisions by zero", both[:, 1], x % y, [x, y])
    check.equal(f"a / b of {type}4 beside divisions by zero", got[2 * len(a) : 3 * len(a)][defined], x // y, [x, y])
    check.equal(f"b && 7 of {type} after a division by b", got[3 * len(a) :], (b != 0).astype(b.dtype), [b])


def check_link(device: Device, *, operation: str, types: Sequence[str]) -> None:
    """A builtin exists for every type and width."""
    row = OPERATIONS[operation]
    for scalar in types:
        program = device.build(linked(row, scalar), row.options)
        check.equal(f"kernels of {operation} on {scalar}", program.num_kernels, 1)
