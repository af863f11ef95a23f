"""References of the methods that make a tensor only from numbers, over `Bounded`."""

import numpy as np

from ..bounded import Bounded
from ..precision import unit_roundoff


def arange(start: float, stop: float, step: float, dtype: str) -> Bounded:
    """Exact for integers. For floats, tinygrad's formula: a sum of i + 1 steps, in float32 at least, and start - step.

    The sum errs by i u (i + 1) |step| at most, each constant by u of itself, and each rounding to the type (of the sum
    and of the result) by u of the value.
    """
    kind = np.dtype(dtype)
    if kind.kind != "f":
        return Bounded.exact(np.arange(start, stop, step, dtype=kind))
    i = np.arange(np.ceil((stop - start) / step))
    unit, wide = unit_roundoff(kind), unit_roundoff(np.result_type(kind, np.float32))
    steps = (i + 1) * abs(step)
    error = i * wide * steps + 2 * unit * steps + unit * abs(start - step) + unit * np.abs(start + i * step)
    return Bounded(start + i * step, error, kind)


def linspace(start: float, stop: float, steps: int, dtype: str) -> Bounded:
    """start + i * ((stop - start) / (steps - 1)) in float32, cast at the end."""
    i = Bounded.exact(np.arange(steps, dtype=np.float32))
    return (i * ((stop - start) / max(steps - 1, 1)) + start).cast(dtype)


def number(value: float | str, dtype: str) -> float:
    """A number of a case's parameters, which may be a word: inf, -inf, nan, or lowest, highest of the type."""
    kind = np.dtype(dtype)
    if value in ("lowest", "highest"):
        info = np.finfo(kind) if kind.kind == "f" else np.iinfo(kind)
        found = info.min if value == "lowest" else info.max
        return float(found) if kind.kind == "f" else int(found)
    return float(value) if isinstance(value, str) else value
