"""The operands of an operation: edges crossed with edges, and random ones."""

import itertools
import math
from collections.abc import Iterable, Iterator

import numpy as np

from ..kit.integers import IntegerType, bounds, edges, edges_of, wrap
from .operation import Operation

RANDOM = 64
Rows = list[tuple[int, ...]]


def items(operation: Operation, t: IntegerType, rng: np.random.Generator) -> list[tuple[Rows, tuple[int, ...]]]:
    """The operands of each work-item: those of each component, and the item's scalars.

    Every form of the operation is defined for every combination. Some operands repeat, to fill the last items.
    """
    chunks = []
    for scalars in _scalars(operation, t):
        rows = [r for r in _rows(operation, t, rng) if _defined(operation, t, (*r, *scalars))]
        rows = _mixed(rows)
        for start in range(0, len(rows), t.width):
            chunk = rows[start : start + t.width]
            chunks.append((chunk + rows[: t.width - len(chunk)] if rows else chunk, scalars))
    full = [(chunk + [chunk[-1]] * (t.width - len(chunk)), scalars) for chunk, scalars in chunks]
    assert full, "no combination of operands is defined"
    return full


def _defined(operation: Operation, t: IntegerType, operands: tuple[int, ...]) -> bool:
    return all(model(t, *operands) is not None for model in operation.forms.values())


def _mixed(rows: Rows) -> Rows:
    """The rows in another order, so that neighbouring components have nothing in common."""
    stride = next((n for n in range(389, 0, -1) if math.gcd(n, len(rows)) == 1), 1)
    return [rows[i * stride % len(rows)] for i in range(len(rows))]


def _scalars(operation: Operation, t: IntegerType) -> Iterable[tuple[int, ...]]:
    if operation.domain == "fields":
        at = (0, 1, 3, t.bits // 2, t.bits - 1, t.bits)
        return [(offset, count) for offset, count in itertools.product(at, at) if offset + count <= t.bits]
    scalar_type = operation.scalar_type or t.scalar
    return itertools.product(edges(scalar_type, 12 if operation.scalars > 1 else 16), repeat=operation.scalars)


def _rows(operation: Operation, t: IntegerType, rng: np.random.Generator) -> Iterator[tuple[int, ...]]:
    match operation.domain:
        case "fields":
            yield from itertools.product(edges(t.scalar, 24 if operation.operands == 1 else 6), repeat=operation.operands)
        case "24 bits":
            few = edges_of(24, t.signed, 12 if operation.operands == 3 else 24)
            yield from itertools.product(few, few, *[edges(t.scalar, 12)] * (operation.operands - 2))
        case "multiples":
            yield from _near_multiples(t)
        case "dividends":
            yield from dict.fromkeys((v,) for v in [a for a, _ in _near_multiples(t)] + edges(t.scalar))
        case _:
            count = 12 if operation.operands == 3 else 24
            yield from itertools.product(edges(t.scalar, count), repeat=operation.operands)
            if not operation.scalars:
                yield from _random(operation.operands, t, rng)


def _random(count: int, t: IntegerType, rng: np.random.Generator) -> Iterator[tuple[int, ...]]:
    """Operands of every magnitude, so that products and sums of signed ones often stay in range."""
    values = rng.integers(0, 2**64, (RANDOM, count), dtype=np.uint64, endpoint=False).tolist()
    shifts = rng.integers(0, t.bits, (RANDOM, count)).tolist()
    for row, by in zip(values, shifts, strict=True):
        yield tuple(wrap(v, t.scalar) >> s for v, s in zip(row, by, strict=True))


def _near_multiples(t: IntegerType) -> Iterator[tuple[int, int]]:
    """Dividends next to a multiple of the divisor, with divisors of all sizes: there a quotient may be off by one."""
    low, high = bounds(t.scalar)
    divisors = [high, high - 1, high // 2 + 1, high // 2 + 2, high // 3, high // 5 * 4, 10, 7, 3]
    divisors += [2 ** (t.bits // 2) + 1, 2 ** (t.bits // 2) - 1, high // 7, -3, -7, low // 3, low + 1, low]
    for b in dict.fromkeys(d for d in divisors if d and low <= d <= high):
        limit = max(abs(high // b), 1)
        for q in dict.fromkeys((1, 2, 3, limit // 2, limit - 1, limit, -1, -limit)):
            yield from ((q * b + d, b) for d in (-1, 0, 1) if low <= q * b + d <= high)
