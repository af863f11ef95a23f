"""tinygrad's compositions of its few primitives, over `Bounded`: with its order of roundings, around the value
of the mathematical definition, and differentiable by `derivative.derived`.
"""

from collections.abc import Sequence
from functools import reduce
from math import inf, log2, log10, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from ..bounded import Array, Bounded
from ..precision import ASIN_APPROXIMATION, ERF_APPROXIMATION

# Abramowitz and Stegun 4.4.46 (asin) and 7.1.26 (erf): from the highest power down.
ASIN = (
    *(-0.0012624911, 0.0066700901, -0.0170881256, 0.0308918810),
    *(-0.0501743046, 0.0889789874, -0.2145988016, 1.5707963050),
)
ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


def select(mask: Array, yes: Bounded | float, no: Bounded | float) -> Bounded:
    """`yes` if the mask is true, else `no`: one of the two is a `Bounded`."""
    one = yes if isinstance(yes, Bounded) else no
    assert isinstance(one, Bounded)
    taken, other = (x if isinstance(x, Bounded) else one._lift(x) for x in (yes, no))
    return taken.moved(lambda a: np.where(mask, a, 0)) + other.moved(lambda a: np.where(mask, 0, a))


def maximum(x: Bounded, y: Bounded | float) -> Bounded:
    """`x < y ? y : x`: the first operand if one is NaN."""
    return select(x.value < (y.value if isinstance(y, Bounded) else y), y, x)


def minimum(x: Bounded, y: Bounded | float) -> Bounded:
    """The smaller of two, by a comparison; a NaN in x stays."""
    return select(x.value > (y.value if isinstance(y, Bounded) else y), y, x)


def clip(x: Bounded, min_: float | None = None, max_: float | None = None) -> Bounded:
    """No less than `min_` and no more than `max_`, by comparisons."""
    low = x if min_ is None else select(x.value < min_, min_, x)
    return low if max_ is None else select(low.value > max_, max_, low)


def sign(x: Bounded) -> Bounded:
    """-1, 0 or 1; 1 for NaN, as tinygrad's comparisons have it."""
    return Bounded.exact(np.where(np.isnan(x.value), 1, np.sign(x.value)).astype(x.dtype))


def size(x: Bounded) -> Bounded:
    """The absolute value, as tinygrad has it."""
    return x * sign(x)


def _polynomial(x: Bounded, coefficients: Sequence[float]) -> Bounded:
    return reduce(lambda total, c: total * x + c, coefficients, x * 0.0)


def _approximating(composed: Bounded, exact: NDArray[np.float64], approximation: float) -> Bounded:
    """A formula that differs from the function it stands for by `approximation`."""
    error = np.full(exact.shape, approximation)
    return composed.means(exact) + Bounded(np.zeros(exact.shape), error, composed.dtype)


# powers and logarithms


def log10_(x: Bounded) -> Bounded:
    """log10(x), by log2."""
    return (x.log2() * log10(2)).means(np.log10(x.value))


def power(x: Bounded, y: Bounded) -> Bounded:
    """exp2(y log2|x|), with the sign of an odd power, NaN for a fractional power of a negative x, and 1 if y is 0."""
    composed = (size(x).log2() * y).exp2()
    return select(y.value == 0, 1.0, composed * _sign_of_power(x, y)).means(np.power(x.value, y.value))


def _sign_of_power(x: Bounded, y: Bounded) -> Bounded:
    fraction = np.where(np.isinf(x.value), 1.0, np.nan)  # any root of -inf is inf
    odd = np.where(y.value % 2 == 1, -1.0, np.where(y.value % 1 == 0, 1.0, fraction))
    return Bounded.exact(np.where(x.value < 0, odd, 1.0).astype(x.dtype))


def power_of_constant(x: Bounded, exponent: float) -> Bounded:
    """As tinygrad unrolls it: negative powers by the reciprocal, halves by the root, whole ones by squaring."""
    if exponent < 0:
        return power_of_constant(x.reciprocal(), -exponent)
    if exponent == 0:
        return Bounded.exact(np.ones(x.value.shape, x.dtype))
    if exponent % 1 == 0.5:
        return power_of_constant(x, exponent - 0.5) * x.sqrt()
    if exponent % 1 == 0:
        half = power_of_constant(x, exponent // 2)
        return half * half * x if exponent % 2 else half * half
    return power(x, Bounded.exact(np.full(x.value.shape, exponent, x.dtype)))


def constant_to_power(x: Bounded, base: float) -> Bounded:
    """base ** x, by exp2."""
    return (x * log2(base)).exp2().means(np.power(base, x.value))


def log_add_exp(x: Bounded, y: Bounded | float) -> Bounded:
    """log(exp(x) + exp(y)), the larger of both subtracted first."""
    top = maximum(x, y)
    return ((x - top).exp() + (y - top).exp()).log() + top


# circular and hyperbolic functions


def tan(x: Bounded) -> Bounded:
    """The tangent, as sine over cosine."""
    return (x.sin() / x.cos()).means(np.tan(x.value))


def asin(x: Bounded) -> Bounded:
    """The arc sine, by tinygrad's polynomial, with its distance from the true value."""
    away = size(x)
    composed = pi / 2 - (1.0 - away).sqrt() * _polynomial(away, ASIN)
    return _approximating(composed, np.arcsin(np.abs(x.value)), ASIN_APPROXIMATION) * sign(x)


def acos(x: Bounded) -> Bounded:
    """The arc cosine, by `asin`."""
    return (pi / 2 - asin(x)).means(np.arccos(x.value))


def atan(x: Bounded) -> Bounded:
    """The arc tangent, by `asin`."""
    return asin(x / (1.0 + x * x).sqrt()).means(np.arctan(x.value))


def sinh(x: Bounded) -> Bounded:
    """The hyperbolic sine, by exp."""
    return ((x.exp() - (-x).exp()) / 2.0).means(np.sinh(x.value))


def cosh(x: Bounded) -> Bounded:
    """The hyperbolic cosine, by exp."""
    return (x.exp() + (-x).exp()) / 2.0


def asinh(x: Bounded) -> Bounded:
    """The inverse of sinh, by log and sqrt."""
    return (x + (x * x + 1.0).sqrt()).log().means(np.arcsinh(x.value))


def acosh(x: Bounded) -> Bounded:
    """The inverse of cosh, by log and sqrt."""
    return (x + (x * x - 1.0).sqrt()).log().means(np.arccosh(x.value))


def atanh(x: Bounded) -> Bounded:
    """The inverse of tanh, by log."""
    return (((1.0 + x) / (1.0 - x)).log() / 2.0).means(np.arctanh(x.value))


# activations


def relu(x: Bounded) -> Bounded:
    """0 of NaN: `x > 0 ? x : 0`."""
    return select(x.value > 0, x, 0.0)


def relu6(x: Bounded) -> Bounded:
    """x between 0 and 6, as a difference of two relu."""
    return relu(x) - relu(x - 6.0)


def hardswish(x: Bounded) -> Bounded:
    """x relu6(x + 3) / 6."""
    return x * relu6(x + 3.0) * (1 / 6)


def hardsigmoid(x: Bounded, alpha: float = 1 / 6, beta: float = 0.5) -> Bounded:
    """alpha x + beta between 0 and 1."""
    return relu(x * alpha + beta) - relu(x * alpha + beta - 1.0)


def hardtanh(x: Bounded, min_val: float = -1.0, max_val: float = 1.0) -> Bounded:
    """x between two limits."""
    return clip(x, min_val, max_val)


def leaky_relu(x: Bounded, neg_slope: float = 0.01) -> Bounded:
    """x, and `neg_slope` of it below 0."""
    return select(x.value < 0, x * neg_slope, x)


def elu(x: Bounded, alpha: float = 1.0) -> Bounded:
    """x, and alpha (exp(x) - 1) below 0."""
    return relu(x) - relu(1.0 - x.exp()) * alpha


def celu(x: Bounded, alpha: float = 1.0) -> Bounded:
    """x, and alpha (exp(x / alpha) - 1) below 0."""
    return maximum(x, 0.0) + minimum(((x / alpha).exp() - 1.0) * alpha, 0.0)


def selu(x: Bounded, alpha: float = 1.67326, gamma: float = 1.0507) -> Bounded:
    """gamma times x, and times alpha (exp(x) - 1) below 0."""
    return select(x.value >= 0, x, (x.exp() - 1.0) * alpha) * gamma


def softplus(x: Bounded, beta: float = 1.0) -> Bounded:
    """log(1 + exp(beta x)) / beta."""
    return log_add_exp(x * beta, 0.0) * (1 / beta)


def logsigmoid(x: Bounded) -> Bounded:
    """log(sigmoid(x)), by softplus."""
    return -softplus(-x)


def mish(x: Bounded) -> Bounded:
    """x tanh(softplus(x))."""
    return x * softplus(x).tanh()


def swish(x: Bounded) -> Bounded:
    """x sigmoid(x)."""
    return x * x.sigmoid()


def quick_gelu(x: Bounded) -> Bounded:
    """x sigmoid(1.702 x)."""
    return x * (x * 1.702).sigmoid()


def softsign(x: Bounded) -> Bounded:
    """x / (1 + abs(x))."""
    return x / (1.0 + size(x))


def erf(x: Bounded) -> Bounded:
    """The error function, by tinygrad's polynomial, with its distance from the true value."""
    t = (size(x) * 0.3275911 + 1.0).reciprocal()
    composed = 1.0 - t * _polynomial(t, ERF) * (-(x * x)).exp()
    return _approximating(composed, np.abs(x.erf().value), ERF_APPROXIMATION) * sign(x)


def gelu(x: Bounded, approximate: str = "tanh") -> Bounded:
    """x times the normal distribution function, or its approximation by tanh."""
    if approximate == "none":
        return x * 0.5 * (1.0 + erf(x / sqrt(2)))
    return x * 0.5 * (1.0 + ((x + x * x * x * 0.044715) * sqrt(2 / pi)).tanh())


# step functions: exact except near a step, where either side is right


def divided(x: Bounded, y: Bounded | float, rounding_mode: str = "") -> Bounded:
    """x / y, exact or rounded ("trunc", "floor"); the bound is infinite if the error decides which way."""
    quotient = x / y
    if not rounding_mode:
        return quotient
    step = np.trunc if rounding_mode == "trunc" else np.floor
    low, value, high = (step(quotient.value + n * quotient.error) for n in (-1, 0, 1))
    return Bounded(value, np.where(low == high, 0, inf), quotient.dtype)


def remainder(x: Bounded, y: Bounded | float, rounding_mode: str) -> Bounded:
    """x - y times the rounded quotient."""
    return x - divided(x, y, rounding_mode) * y
