"""The results that atomic operations on one cell may have returned, whatever their order.

Shared by the legacy atomics and those of C11. Values are Python integers of the cell's bits, or floats.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check


def result(operation: str, kind: np.dtype[Any], old: int, operand: int) -> int:
    """The cell's value after one operation, as an integer of its type."""
    match operation:
        case "add" | "inc":
            new = old + operand
        case "sub" | "dec":
            new = old - operand
        case "min":
            return min(old, operand)
        case "max":
            return max(old, operand)
        case "and" | "or" | "xor":
            return {"and": old & operand, "or": old | operand, "xor": old ^ operand}[operation]
        case _:
            return operand
    bits = 8 * kind.itemsize
    new %= 1 << bits
    return new - (1 << bits) if kind.kind == "i" and new >> (bits - 1) else new


def operands(operation: str, kind: np.dtype[Any], rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[Any]:
    """One operand an item, one row a cell, such that lost and doubled operations show in the end or in the old values."""
    rows, items = shape
    if operation in ("inc", "dec"):
        return np.ones(shape, kind)
    if operation == "xchg":
        return np.stack([rng.permutation(items) + 5 for _ in range(rows)]).astype(kind)
    if operation in ("and", "or"):
        bits = 8 * kind.itemsize
        one_bit = np.array([1 << k % bits for k in range(items)], np.uint64).astype(f"u{kind.itemsize}")
        return np.stack([(~one_bit if operation == "and" else one_bit).view(kind)] * rows)
    info = np.iinfo(kind)
    if kind.kind == "i" and operation in ("add", "sub"):  # without an overflow, which only C11 defines
        return rng.integers(int(info.min) // 512, int(info.max) // 512, shape, dtype=kind)
    return rng.integers(info.min, info.max, shape, dtype=kind, endpoint=True)


def start(operation: str, kind: np.dtype[Any]) -> Any:
    """The cell's first value, chosen such that the operands of `operation` change it."""
    if kind.kind == "f":
        return 1.0
    info = np.iinfo(kind)
    top = int(info.max)
    if kind.kind == "i" and operation in ("add", "sub", "inc", "dec"):
        return -100
    return {
        "and": -1 if kind.kind == "i" else top,
        "or": 0,
        "xor": 0x5A5A5A5A,
        "xchg": 1,
        "min": top,
        "max": int(info.min),
    }.get(operation, top - 1000)


def require_chain(what: str, operation: str, first: Any, values: NDArray[Any], olds: NDArray[Any], end: Any) -> None:
    """Require that the operations, in some order, lead from `first` over the old values to `end`.

    Each result is the next old value, or the end: so `first` and the results are, as a multiset, the old values and the end.
    And each old value must be reached from `first` by the others: this finds a wrong one that its own operation keeps.
    """
    kind = values.dtype
    if kind.kind == "f":
        news = [float(v) for v in values]
        befores = [float(v) for v in olds]
    else:
        befores = [int(v) for v in olds]
        news = [result(operation, kind, old, int(v)) for old, v in zip(befores, values, strict=True)]  # type: ignore[arg-type]
    seen, written = Counter([*befores, end]), Counter([first, *news])
    lost, extra = sorted((written - seen).elements()), sorted((seen - written).elements())
    check.equal(f"{what}: values that were never made", extra[:3], [])
    check.equal(f"{what}: values that were lost", lost[:3], [])
    check.equal(f"{what}: values that nothing led to", unreached(first, zip(befores, news, strict=True))[:3], [])


def unreached(first: Any, steps: Iterable[tuple[Any, Any]]) -> list[Any]:
    """The starting values of steps (from, to) that cannot be reached from `first`; sorted."""
    onward: dict[Any, set[Any]] = defaultdict(set)
    for before, after in steps:
        onward[before].add(after)
    reached, ahead = {first}, [first]
    while ahead:
        more = onward.get(ahead.pop(), set()) - reached
        reached |= more
        ahead += more
    return sorted(onward.keys() - reached)


def require_total(what: str, operation: str, first: Any, values: NDArray[Any], end: Any) -> None:
    """Require the cell's last value, if the order does not matter; an exchange leaves any of its operands."""
    if operation == "xchg":
        check.true(f"{what}: the end is one of the values stored", end in values.tolist())
        return
    want = int(first)
    for v in values.tolist():
        want = result(operation, values.dtype, want, int(v))
    check.equal(f"{what}: at the end", end, want)
