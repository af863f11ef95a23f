"""An operation of the catalogue: tinygrad's call, its meaning over `Bounded`, its gradient."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .bounded import Array, Bounded

Gradients = Sequence[Bounded | None]


@dataclass(frozen=True)
class Op:
    """`apply` takes tensors, `reference` and `gradient` take `Bounded`; all take the case's args by name.

    Several results come as a tuple, from the reference too. A gradient takes the cotangent first and returns one
    `Bounded` for each operand, None for one that has none. Without it the reference is differentiated numerically
    (`numeric.py`), for operands of few elements, and `roundings` is the largest number of roundings of a term in
    tinygrad's gradient. `bits`: the result is compared bit by bit, including the sign of zero, because IEEE 754
    defines it completely and no sum is involved.
    """

    apply: Callable[..., Any]
    reference: Callable[..., Bounded | tuple[Bounded, ...]]
    gradient: Callable[..., Gradients] | None = None
    bits: bool = False
    roundings: int = 16


def exactly(function: Callable[..., Array]) -> Callable[..., Bounded]:
    """A reference that numpy computes exactly in the operands' own types: integers, choices, movements."""

    def reference(*operands: Bounded, **args: Any) -> Bounded:
        return Bounded.exact(np.asarray(function(*(x.value.astype(x.dtype) for x in operands), **args)))

    return reference


def unary(name: str, reference: Callable[..., Bounded], gradient: Any = None, bits: bool = False) -> Op:
    """A method of Tensor without arguments."""
    return Op(lambda x: getattr(x, name)(), reference, gradient, bits)


def binary(name: str, reference: Callable[..., Bounded], gradient: Any = None, bits: bool = False) -> Op:
    """A method of Tensor with one other operand."""
    return Op(lambda x, y: getattr(x, name)(y), reference, gradient, bits)
