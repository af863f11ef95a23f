"""The precision that the device must have (OpenCL C 3.0, 7.4), and that of the types themselves."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

LIMITS: dict[str, dict[str, float]] = {  # ULP
    "reciprocal": {"float16": 1, "float32": 2.5, "float64": 0.5},
    "sqrt": {"float16": 1.5, "float32": 3, "float64": 0.5},
    "exp2": {"float16": 2, "float32": 3, "float64": 3},
    "log2": {"float16": 2, "float32": 3, "float64": 3},
    "sin": {"float16": 2, "float32": 4, "float64": 4},
}
ERF_APPROXIMATION = 1.5e-7  # Abramowitz and Stegun 7.1.26, tinygrad's erf
ASIN_APPROXIMATION = 2e-8  # and 4.4.46, tinygrad's asin


def unit_roundoff(dtype: np.dtype[Any]) -> float:
    """Half the distance from 1 to the next number. Doubled in float64: there the reference rounds as well."""
    return float(np.finfo(dtype).eps) / (1 if dtype == np.float64 else 2)


def ulp(value: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[np.float64]:
    """One unit in the last place of `dtype` at `value`; 0 at 0, inf and NaN."""
    info = np.finfo(dtype)
    finite = np.where(np.isfinite(value), value, 0)
    exponent = np.maximum(np.frexp(finite)[1] - 1, info.minexp)
    unit = np.ldexp(2.0 if dtype == np.float64 else 1.0, exponent - info.nmant)
    return np.where(finite == 0, 0.0, unit)
