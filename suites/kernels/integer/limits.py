"""Builtins of constant vectors at the limits of their type (OpenCL C 3.0, 6.15.3).

Each component has operands of its own, and all are constants.
"""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from runner import check
from runner.device import Device

from ..kit.integers import IntegerType, bounds, wrap
from ..kit.scalar import np_type
from .constant import literal
from .operation import Model, Operation
from .table import OPERATIONS

_WIDTH, _ROOM = 8, 64  # components; bytes of a vector of the widest type
Rows = list[tuple[int, ...]]


def _forms(t: IntegerType, functions: Sequence[str]) -> Iterator[tuple[str, Operation, str, Model]]:
    """Every form of these functions on the type."""
    for name in functions:
        operation = OPERATIONS[name]
        if t.scalar in operation.types:
            for text, model in operation.forms.items():
                yield name, operation, text, model


def _rows(t: IntegerType, operation: Operation, model: Model, rng: np.random.Generator) -> Rows:
    """The operands of the components: the limits and numbers next to 0, in as many combinations as fit."""
    low, high = bounds(t.scalar)
    values = dict.fromkeys((low, high, wrap(-1, t.scalar), 1, low + 1, high - 1, 0, high // 2 + 1))
    few = list(values)[: {1: 8, 2: 5, 3: 4}[operation.operands]]
    rows = [row for row in itertools.product(few, repeat=operation.operands) if model(t, *row) is not None]
    return [rows[n] for n in rng.permutation(len(rows) * _WIDTH)[:_WIDTH] % len(rows)]


def check_limits(device: Device, *, type: str, functions: Sequence[str]) -> None:
    """Operations at the ends of a type, in one kernel."""
    t = IntegerType(type, _WIDTH)
    lines, wants = [], []
    for n, (name, operation, text, model) in enumerate(_forms(t, functions)):
        rows, result = _rows(t, operation, model, device.rng), operation.result_scalar(t)
        operands = [", ".join(literal(row[k], t.scalar) for row in rows) for k in range(operation.operands)]
        variables = " ".join(f"{t} {v} = ({t})({values});" for v, values in zip("abc", operands, strict=False))
        code = text.format(low=t.of(operation.unsigned(t)))
        lines.append(f"{{ {variables} vstore{_WIDTH}({code}, 0, (__global {result} *)(r + {n * _ROOM})); }}")
        wants.append((f"{name}: {code}", result, [model(t, *row) for row in rows], rows))
    body = "\n    ".join(lines)
    out = device.buffer(np.zeros((len(lines), _ROOM), np.uint8))
    device.launch(device.build(f"__kernel void f(__global uchar *r) {{\n    {body}\n}}\n").f, [1], None, out)
    for row, (what, result, want, operands_of) in zip(device.read(out, np.uint8, (len(lines), _ROOM)), wants, strict=True):
        values = np.array([wrap(x or 0, result) for x in want], np_type(result))
        inputs = tuple(np.array(column, np_type(t.scalar)) for column in zip(*operands_of, strict=True))
        check.equal(what, row.view(np_type(result))[:_WIDTH], values, inputs)
        check.equal(f"{what}: the bytes behind it", row[values.nbytes :], np.zeros(_ROOM - values.nbytes, np.uint8))
