"""Gradients by finite differences of a float64 reference."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bounded import Array, Bounded
from .precision import unit_roundoff

STEP = 2.0**-9  # of a five-point stencil: truncation h**4 and rounding eps/h are both below 1e-10
ELEMENTS = 400  # the most in one operand: each costs four evaluations of the reference


def gradient(
    reference: Callable[..., Any], cotangent: Bounded, operands: Sequence[Array], args: Mapping[str, Any], roundings: int
) -> list[Bounded | None]:
    """The gradient of sum(cotangent * reference(operands)) for each operand of floats, None for the others.

    Entry i is a sum of n = cotangent.size terms c_j J_ji, each with at most `roundings` roundings before it is summed: its
    error is (roundings + n' - 1) u sum|c_j J_ji|, with n' the number of terms that are not 0. The operands must stay
    `2 * STEP` (relative to max(1, |x|)) away from any point that is not differentiable.
    """
    wide = [a.astype(np.float64) if a.dtype.kind == "f" else a for a in operands]

    def value(number: int, index: tuple[int, ...], step: float) -> NDArray[np.float64]:
        moved = wide[number].copy()
        moved[index] += step
        inputs = [Bounded.exact(moved if i == number else a) for i, a in enumerate(wide)]
        return np.asarray(reference(*inputs, **args).value)

    found: list[Bounded | None] = []
    for number, operand in enumerate(operands):
        if operand.dtype.kind != "f":
            found.append(None)
            continue
        if operand.size > ELEMENTS:
            raise ValueError(f"an operand of {operand.size} elements: write the gradient down, or draw fewer")
        total, size, terms = (np.zeros(operand.shape) for _ in range(3))
        for index in np.ndindex(operand.shape):
            h = STEP * max(1.0, abs(float(operand[index])))
            near = value(number, index, h) - value(number, index, -h)
            far = value(number, index, 2 * h) - value(number, index, -2 * h)
            products = cotangent.value * (8 * near - far) / (12 * h)
            total[index], size[index] = products.sum(), np.abs(products).sum()
            terms[index] = max(np.count_nonzero(products), 1)  # type: ignore[call-overload]
        unit = unit_roundoff(operand.dtype)
        error = (roundings + terms - 1) * unit * size + 1e-9 * (size + 1e-3)  # 1e-9: the stencil's error
        found.append(Bounded(total, error, operand.dtype))
    return found
