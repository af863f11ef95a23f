"""The effect of correct rounding on a model's values: the source of every tolerance of this suite.

The references compute in float64. Given a `Rounding`, the same code changes each intermediate result by a random
error as large as a conforming device may make it, and the effect on the outputs is measured. A worst-case
bound carried through a dozen layers allows anything, and a constant would be arbitrary.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check

F64 = NDArray[np.float64]

SINGLE, HALF = 2.0**-24, 2.0**-11  # unit roundoffs
ROUNDED, FUNCTION = "rounded", "function"
ULPS = {SINGLE: {ROUNDED: 0.5, FUNCTION: 4.0}, HALF: {ROUNDED: 0.5, FUNCTION: 1.0}}
"""Errors of one operation in ulp (OpenCL C 3.0, 7.4): + - and * are rounded correctly; of what else tinygrad's
kernels are made of, sin has the largest limit; exp2, log2 and sqrt have 3, division 2.5. In half division and sqrt
have 1, and exponentials are computed in float32 and rounded.
"""
TRIALS = 3
MARGIN = 4.0  # the tolerance over the largest error of the trials, for errors that three trials do not hit


class Rounding:
    """The rounding of an arithmetic with unit roundoff `unit`; without a generator, no rounding.

    Sums accumulate in float32 at least, as tinygrad's do.
    """

    def __init__(self, rng: np.random.Generator | None = None, unit: float = SINGLE) -> None:
        self._rng, self._unit = rng, unit

    def __call__(self, x: F64, kind: str = ROUNDED) -> F64:
        """The result of one operation."""
        if self._rng is None:
            return x
        return x * (1 + 2 * ULPS[self._unit][kind] * self._unit * self._rng.uniform(-1, 1, np.shape(x)))

    def matmul(self, a: F64, b: F64) -> F64:
        """a @ b. Each product is rounded, which adds up as a random walk, and so is each partial sum."""
        exact = a @ b
        if self._rng is None:
            return exact
        products = self._unit * np.sqrt(np.square(a) @ np.square(b))
        sums = SINGLE * (np.abs(a) @ np.abs(b))
        return self(exact + self._rng.uniform(-1, 1, exact.shape) * (products + sums))

    def mean(self, x: F64, axis: int | tuple[int, ...] = -1) -> F64:
        """The mean over `axis`, which is kept with size 1."""
        exact = x.mean(axis=axis, keepdims=True)
        if self._rng is None:
            return exact
        sums = SINGLE * np.abs(x).mean(axis=axis, keepdims=True)
        return self(exact + self._rng.uniform(-1, 1, exact.shape) * sums)

    def softmax(self, x: F64) -> F64:
        """Over the last axis."""
        power = self(np.exp(self(x - x.max(axis=-1, keepdims=True))), FUNCTION)
        return self(power / self(power.sum(axis=-1, keepdims=True)), FUNCTION)

    def sigmoid(self, x: F64) -> F64:
        return self(1 / self(1 + self(np.exp(-x), FUNCTION)), FUNCTION)

    def tanh(self, x: F64) -> F64:
        """As 2 sigmoid(2x) - 1, which near zero has the error of a number near one."""
        exact = np.tanh(x)
        return self(exact) + (self(np.ones_like(x), FUNCTION) - 1)

    def silu(self, x: F64) -> F64:
        return self(x * self.sigmoid(x))


EXACT = Rounding()


def tolerances(
    compute: Callable[[Rounding], Mapping[str, F64]], want: Mapping[str, F64], unit: float = SINGLE
) -> dict[str, float]:
    """The largest error that correct rounding gives each output of `compute`, whose exact outputs are `want`, times MARGIN.

    `check.NothingTested` if that is more than a sixteenth of the output: any result would pass.
    """
    worst = dict.fromkeys(want, 0.0)
    for trial in range(TRIALS):
        for name, got in compute(Rounding(np.random.default_rng(trial), unit)).items():
            worst[name] = max(worst[name], float(np.abs(got - want[name]).max(initial=0)))
    for name, error in worst.items():
        if not 0 < MARGIN * error < np.abs(want[name]).max() / 16:
            raise check.NothingTested(f"{name} may err by {error:.2g} of {np.abs(want[name]).max():.2g}")
    return {name: MARGIN * error for name, error in worst.items()}


def agree(compute: Callable[[Rounding], Mapping[str, F64]], got: Mapping[str, NDArray[Any]], unit: float = SINGLE) -> None:
    """Require that every output of the device agrees with the reference. Raises `check.Mismatch`."""
    want = compute(EXACT)
    allowed = tolerances(compute, want, unit)
    for name, value in want.items():
        check.close(name, got[name], value, atol=allowed[name])
