"""Constant operands: a compiler folds operations on them, or uses cheaper ones (OpenCL C 3.0, 6.5, 6.15.3).

The constants are in variables, so that clang leaves them to the driver's compiler.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.integers import BITS, UNSIGNED, IntegerType, bounds_of, edges, edges_of, wrap
from ..kit.scalar import np_type
from .constant import literal
from .operation import Model, Operation
from .table import OPERATIONS

_TUPLES = 4  # of constant operands, for each form
_STORES = 32  # in a kernel: the time to compile a kernel grows faster than its length
_SATURATING = ("add_sat(a, b)", "sub_sat(a, b)", "mad_sat(a, b, c)")
_STEPS = ("add", "sub", "mul", "divide", "modulo", "bitwise", "shift_left", "shift_right", "min", "max", "rotate")


@dataclass(frozen=True, slots=True)
class Expression:
    """What each work-item computes from its value `v`: the statements, the expression, its type, and the model."""

    operation: str  # its name, for the message of a failure
    before: str
    code: str
    result: str
    model: Callable[[int], int | None]
    first: str = ""  # of two operations, the name of the first


def _operations(t: IntegerType, saturating: bool) -> Iterator[tuple[str, Operation, str, Model]]:
    """Every form of the operations on one type that every device has; either those that saturate or the others."""
    for name, operation in OPERATIONS.items():
        if t.scalar in operation.types and not (operation.assigns or operation.scalars or operation.requires):
            for text, model in operation.forms.items():
                if (text in _SATURATING) == saturating:
                    yield name, operation, text, model


def _bits(operation: Operation, t: IntegerType) -> int:
    """The number of bits of the operands for which the operation is defined."""
    return 24 if operation.domain == "24 bits" else t.bits


def _code(operation: Operation, t: IntegerType, text: str) -> str:
    return text.format(low=operation.unsigned(t))


def _before(t: IntegerType, operands: Sequence[int | None]) -> str:
    """Declarations of the operands; None stands for the item's value."""
    return " ".join(
        f"{t} {n} = {'v' if x is None else literal(x, t.scalar)};" for n, x in zip("abc", operands, strict=False)
    )


def _constant_lines(t: IntegerType, rng: np.random.Generator, saturating: bool = False) -> Iterator[Expression]:
    """Expressions whose operands are all constants."""
    for name, operation, text, model in _operations(t, saturating):
        few = edges_of(_bits(operation, t), t.signed, 12 if operation.operands == 3 else 24)
        every = list(itertools.product(few, repeat=operation.operands))
        defined = [row for row in every if model(t, *row) is not None]
        for n in rng.choice(len(defined), min(_TUPLES * (4 if saturating else 1), len(defined)), replace=False):
            row = defined[n]

            def value(_: int, model: Model = model, row: tuple[int, ...] = row) -> int | None:
                return model(t, *row)

            yield Expression(name, _before(t, row), _code(operation, t, text), operation.result_scalar(t), value)


def _half_constant_lines(t: IntegerType, rng: np.random.Generator, saturating: bool = False) -> Iterator[Expression]:
    """Expressions in which one operand, each in turn, is the item's value, and the others are constants."""
    for name, operation, text, model in _operations(t, saturating):
        if operation.operands == 1:
            continue
        bits = _bits(operation, t)
        low, high = bounds_of(bits, t.signed)
        constants = [(x - low) % 2**bits + low for x in (1, 2, -4, 2 ** (bits // 2), bits - 1, high)]
        for place in range(operation.operands):
            for first in _some(rng, constants, 3):
                others = [first, *_some(rng, constants, operation.operands - 2)]
                row: list[int | None] = [*others[:place], None, *others[place:]]

                def value(v: int, row: list[int | None] = row, model: Model = model) -> int | None:
                    return model(t, *(v if x is None else x for x in row))

                yield Expression(name, _before(t, row), _code(operation, t, text), operation.result_scalar(t), value)


def _some(rng: np.random.Generator, values: Sequence[int], count: int) -> list[int]:
    return [values[n] for n in rng.integers(0, len(values), count)]


def _steps(*names: str) -> list[tuple[str, str, Model]]:
    return [(name, text, model) for name in names for text, model in OPERATIONS[name].forms.items()]


def _pairs(t: IntegerType, rng: np.random.Generator) -> Iterator[Expression]:
    """Two operators in a row, each with a constant, as peephole rules replace them. Each result has the operands' type."""
    steps, seconds = _steps(*_STEPS), _steps(*_STEPS, "compare")
    constants = [
        wrap(x, t.scalar) for x in (1, 3, 8, -1, 2 ** (t.bits // 2) - 1, 2 ** (t.bits - 1), t.bits - 3, t.bits // 2)
    ]
    for earlier, later in itertools.product(steps, seconds):
        yield _pair(t, earlier, later, *_some(rng, constants, 2))
    # Comparisons with zero, each after an operation of its own: some rules require that nothing else uses its result.
    for earlier, (b, later) in itertools.product(steps, zip((2, 5, 6, 7, 9, 10), _steps("compare"), strict=True)):
        yield _pair(t, earlier, later, b, 0)


def _pair(t: IntegerType, earlier: tuple[str, str, Model], later: tuple[str, str, Model], b: int, c: int) -> Expression:
    (name, one, first), (last_name, two, second) = earlier, later

    def value(v: int) -> int | None:
        middle = first(t, v, b)
        last = None if middle is None else second(t, wrap(middle, t.scalar), c)
        return None if last is None else wrap(last, t.scalar)

    before = f"{t} a = v, b = {literal(b, t.scalar)}; a = {one}; b = {literal(c, t.scalar)};"
    return Expression(f"{last_name} after {name}", before, f"({t})({two})", t.scalar, value, name)


def _saturating(t: IntegerType, rng: np.random.Generator) -> Iterator[Expression]:
    """add_sat, sub_sat and mad_sat of constants, and with some constants."""
    yield from _constant_lines(t, rng, saturating=True)
    yield from _half_constant_lines(t, rng, saturating=True)


def _rotated(t: IntegerType, _: np.random.Generator) -> Iterator[Expression]:
    """Rotations by constants of either sign, up to twice the width: drivers turn them into shifts and simplify these."""
    ((text, model),) = OPERATIONS["rotate"].forms.items()
    for amount in range(-2 * t.bits, 2 * t.bits + 1, t.bits // 8):

        def value(v: int, amount: int = wrap(amount, t.scalar)) -> int | None:
            return model(t, v, amount)

        yield Expression("rotate", _before(t, (None, wrap(amount, t.scalar))), text, t.scalar, value)


_LINES = {
    "known": _constant_lines,
    "half_known": _half_constant_lines,
    "pairs": _pairs,
    "saturating": _saturating,
    "rotate": _rotated,
}


def _programs(lines: Sequence[Expression], values: Sequence[int]) -> list[list[Expression]]:
    """The lines of each program: all that are defined for every value, and the others by their (first) operation.

    A compiler may assume that nothing undefined is done with a value. An assumption for a division must not show as a
    failure of another operation.
    """
    programs: dict[str, list[Expression]] = {}
    for line in lines:
        defined = all(line.model(v) is not None for v in values)
        programs.setdefault("" if defined else line.first or line.operation, []).append(line)
    return list(programs.values())


def _words(lines: Sequence[Expression]) -> list[list[Expression]]:
    """Lines whose results fill a word together, because a store takes longer to compile than its value."""
    words = []
    for bits in sorted(set(BITS.values())):
        narrow = [line for line in lines if BITS[line.result] == bits]
        words += [narrow[n : n + 64 // bits] for n in range(0, len(narrow), 64 // bits)]
    return words


def _store(n: int, word: Sequence[Expression]) -> str:
    """The statements that store a word of results, the first one in its lowest bits."""
    parts = []
    for place, line in enumerate(word):
        unsigned = UNSIGNED.get(line.result, line.result)
        parts.append(f"{{ {line.before} w |= (ulong)({unsigned})({line.code}) << {place * BITS[line.result]}; }}")
    return f"{{ ulong w = 0; {' '.join(parts)} r[{n} * n + i] = w; }}"


def _launch(
    device: Device, t: IntegerType, lines: Sequence[Expression], operands: NDArray[Any]
) -> Iterator[tuple[Expression, NDArray[Any]]]:
    """Launch the lines; yields each with its results, one for each value."""
    words = _words(lines)
    starts = range(0, len(words), _STORES)
    kernels = [
        f"__kernel void f{start}(__global const {t} *in, __global ulong *r) {{\n"
        f"    size_t i = get_global_id(0), n = get_global_size(0);\n    {t} v = in[i];\n    "
        + "\n    ".join(_store(start + n, word) for n, word in enumerate(words[start : start + _STORES]))
        + "\n}\n"
        for start in starts
    ]
    program = device.build("".join(kernels))
    shape = (len(words), len(operands))
    values, out = device.buffer(operands), device.buffer(np.zeros(shape, np.uint64))
    for start in starts:
        device.launch(getattr(program, f"f{start}"), [len(operands)], None, values, out)
    for word, row in zip(words, device.read(out, np.uint64, shape), strict=True):
        for place, line in enumerate(word):
            bits = BITS[line.result]
            yield line, (row >> np.uint64(place * bits)) % np.uint64(2**bits) if bits < 64 else row


def check_folded(device: Device, *, what: str, type: str) -> None:
    """Expressions that a compiler may fold. `what`: known, half_known, pairs, saturating or rotate."""
    t = IntegerType(type)
    lines = list(_LINES[what](t, device.rng))
    values = edges(t.scalar)
    operands = np.array(values, np_type(t.scalar))
    found = [pair for program in _programs(lines, values) for pair in _launch(device, t, program, operands)]
    results = {id(line): got for line, got in found}
    for line in (line for word in _words(lines) for line in word):
        wants = [line.model(v) for v in values]
        known = [n for n, want in enumerate(wants) if want is not None]
        want = np.array([(wants[n] or 0) % 2 ** BITS[line.result] for n in known], np.uint64)
        got = results[id(line)][known]
        check.equal(f"{line.operation}: {line.code} with {line.before}", got, want, [operands[known]])
