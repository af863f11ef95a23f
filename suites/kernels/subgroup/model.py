"""The results of the sub-group functions, from the lanes of one sub-group (OpenCL C 3.0, 6.15.20).

A model takes the active lanes and returns the result of each, None if the specification leaves it open.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from ..kit.scalar import np_type
from .table import Function


@dataclass(frozen=True, slots=True)
class Lanes:
    """The active items of one sub-group. `x`, `y`: value and int operand of each lane; `u`: the shared 128 bits."""

    x: dict[int, Any]
    y: dict[int, int]
    u: int
    size: int
    largest: int  # get_max_sub_group_size()


def bit(value: int, index: int) -> int:
    """One bit of an integer."""
    return value >> index & 1


def below(value: int, count: int) -> int:
    """The lowest `count` bits."""
    return value & ((1 << count) - 1)


def combine(operation: str, type_name: str, a: Any, b: Any) -> Any:
    """One step of a reduction; integers wrap."""
    match operation:
        case "add":
            result = a + b
        case "mul":
            result = a * b
        case "min" | "max":
            return min(a, b) if operation == "min" else max(a, b)
        case "and" | "or" | "xor":
            result = {"and": a & b, "or": a | b, "xor": a ^ b}[operation]
        case _:
            x, y = bool(a), bool(b)
            return int({"logical_and": x and y, "logical_or": x or y, "logical_xor": x != y}[operation])
    if isinstance(result, float):
        return result
    bits = 8 * np_type(type_name).itemsize
    wrapped = below(result, bits)
    return wrapped - (1 << bits) if not type_name.startswith("u") and bit(wrapped, bits - 1) else wrapped


def identity(operation: str, type_name: str) -> Any:
    """The result of an exclusive scan in the first lane."""
    kind = np_type(type_name)
    if operation in ("min", "max"):
        if kind.kind == "f":
            return float("inf") if operation == "min" else float("-inf")
        info = np.iinfo(kind)
        return int(info.max if operation == "min" else info.min)
    if operation == "and":
        return -1 if kind.kind == "i" else int(np.iinfo(kind).max)
    one = 1.0 if kind.kind == "f" else 1
    return one if operation in ("mul", "logical_and") else 0 * one


def reduce_lanes(f: Function, lanes: Lanes) -> list[Any]:
    """reduce, scan_inclusive, scan_exclusive; within clusters if the function has them."""
    values = lanes.y if f.operation.startswith("logical") else lanes.x
    answers = []
    for lane in values:
        peers = [k for k in values if not f.cluster or k // f.cluster == lane // f.cluster]
        if f.model != "reduce":
            peers = [k for k in peers if k < lane or (k == lane and f.model == "scan_inclusive")]
        start = identity(f.operation, f.type)
        answers.append(reduce(lambda a, b: combine(f.operation, f.type, a, b), (values[k] for k in peers), start))
    return answers if f.cluster <= lanes.largest else [None] * len(values)


def moved(source: Callable[[int, Lanes], int]) -> Callable[[Function, Lanes], list[Any]]:
    """A function that returns the value of another lane; open if that lane is not active."""
    return lambda f, lanes: [lanes.x.get(source(lane, lanes)) for lane in lanes.x]


def rotate(f: Function, lanes: Lanes) -> list[Any]:
    """rotate and clustered_rotate."""
    delta, size = (lanes.u & 0xFFFFFFFF) % 7 - 2, f.cluster or lanes.largest
    return [lanes.x.get(lane // size * size + (lane + delta) % size) for lane in lanes.x]


def each(answer: Callable[[int, Lanes], Any]) -> Callable[[Function, Lanes], list[Any]]:
    """A function whose result depends on the lane."""
    return lambda f, lanes: [answer(lane, lanes) for lane in lanes.x]


def words(value: int) -> tuple[int, ...]:
    """128 bits as the components of a uint4."""
    return tuple(value >> 32 * k & 0xFFFFFFFF for k in range(4))


def mask(low: Callable[[int], int], high: Callable[[int, Lanes], int]) -> Callable[[Function, Lanes], list[Any]]:
    """get_sub_group_*_mask: the bits of the lanes from `low` up to, but without, `high`."""
    return each(lambda k, lanes: words(below(-1 << low(k), max(high(k, lanes), low(k)))))


def _found(f: Function, lanes: Lanes) -> list[Any]:
    bits = [k for k in range(lanes.largest) if bit(lanes.u, k)]
    answer = None if not bits else bits[0] if f.model.endswith("lsb") else bits[-1]
    return [answer] * len(lanes.x)


def low(lanes: Lanes) -> int:
    """The component `u.x`."""
    return lanes.u & 0xFFFFFFFF


MODELS: dict[str, Callable[[Function, Lanes], Sequence[Any]]] = {
    "reduce": reduce_lanes,
    "scan_inclusive": reduce_lanes,
    "scan_exclusive": reduce_lanes,
    "all_of": each(lambda _, lanes: all(lanes.y.values())),
    "any_of": each(lambda _, lanes: any(lanes.y.values())),
    "all_equal": each(lambda _, lanes: len(set(lanes.x.values())) == 1),
    "elect": each(lambda k, lanes: k == min(lanes.x)),
    "broadcast": moved(lambda _, lanes: low(lanes) % lanes.size),
    "broadcast_first": moved(lambda _, lanes: min(lanes.x)),
    "shuffle": moved(lambda k, lanes: lanes.y[k] % lanes.size),
    "shuffle_xor": moved(lambda k, lanes: k ^ low(lanes) % 8),
    "shuffle_up": moved(lambda k, lanes: k - low(lanes) % 5),
    "shuffle_down": moved(lambda k, lanes: k + low(lanes) % 5),
    "exchange1": moved(lambda k, _: k ^ 1),
    "exchange2": moved(lambda k, _: k ^ 2),
    "rotate": rotate,
    "ballot": each(lambda _, lanes: words(sum(1 << k for k, y in lanes.y.items() if y))),
    "inverse_ballot": each(lambda k, lanes: bit(lanes.u, k)),
    "ballot_bit_extract": each(lambda k, lanes: bit(lanes.u, lanes.y[k] % lanes.largest)),
    "ballot_bit_count": each(lambda _, lanes: below(lanes.u, lanes.largest).bit_count()),
    "ballot_inclusive_scan": each(lambda k, lanes: below(lanes.u, k + 1).bit_count()),
    "ballot_exclusive_scan": each(lambda k, lanes: below(lanes.u, k).bit_count()),
    "ballot_find_lsb": _found,
    "ballot_find_msb": _found,
    "eq_mask": mask(lambda k: k, lambda k, _: k + 1),
    "ge_mask": mask(lambda k: k, lambda _, lanes: lanes.largest),
    "gt_mask": mask(lambda k: k + 1, lambda _, lanes: lanes.largest),
    "le_mask": mask(lambda _: 0, lambda k, _: k + 1),
    "lt_mask": mask(lambda _: 0, lambda k, _: k),
}
