"""Type promotion: JAX's lattice (JEP 9407), which tinygrad documents as its own, over numpy's types."""

from collections.abc import Callable

import numpy as np

from ..bounded import Array


def common(first: np.dtype[np.generic], second: np.dtype[np.generic]) -> np.dtype[np.generic]:
    """The widest float if there is one, whatever the integers; else an integer that holds both."""
    floats = [t for t in (first, second) if t.kind == "f"]
    return np.result_type(*(floats or [first, second]))


def promoted(function: Callable[[Array, Array], Array], x: Array, y: Array) -> Array:
    """Call a function of two arrays in the type that both are promoted to."""
    target = common(x.dtype, y.dtype)
    return function(x.astype(target), y.astype(target))


def of_constant(x: Array, constant: float) -> Array:
    """x times a number, which takes the tensor's type if it is of the tensor's kind."""
    return x * x.dtype.type(constant)
