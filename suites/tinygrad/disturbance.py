"""Bounds for computations of many steps, measured on the reference.

Bounds carried through many steps grow by the sizes of the steps' derivatives, whatever their signs, and soon allow
anything. So the derived bound of one step is taken as the size of a disturbance: the reference is run again, and
after each step every number is moved by a random share of its bound (Monte Carlo arithmetic, Parker 1997).
"""

from collections.abc import Callable, Sequence

import numpy as np

from .bounded import Bounded

SAMPLES = 6
MARGIN = 4.0

Settle = Callable[[Bounded], Bounded]  # turns a bounded number into an exact one, after each step


def undisturbed(b: Bounded) -> Bounded:
    """The same values, taken as exact."""
    return Bounded(b.value, np.zeros(b.value.shape), b.dtype)


def measured(rng: np.random.Generator, evaluate: Callable[[Settle], Sequence[Bounded]]) -> list[Bounded]:
    """The results of the reference, each with its bound.

    That is the bound of its last step, plus the largest difference of `SAMPLES` disturbed runs from the undisturbed one,
    times `MARGIN` because there are few of them. The device's own errors are smaller than the disturbances: most
    roundings are far below their bounds.
    """

    def disturbed(b: Bounded) -> Bounded:
        return undisturbed(Bounded(b.value + b.error * rng.uniform(-1, 1, b.value.shape), b.error, b.dtype))

    centre = evaluate(undisturbed)
    spread = [np.zeros(b.value.shape) for b in centre]
    for _ in range(SAMPLES):
        for i, (a, b) in enumerate(zip(centre, evaluate(disturbed), strict=True)):
            spread[i] = np.maximum(spread[i], np.abs(a.value - b.value))
    return [Bounded(b.value, b.error + MARGIN * s, b.dtype) for b, s in zip(centre, spread, strict=True)]
