"""The floating-point formats that numpy does not have: float32 rounded to them."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# The bits of the mantissa, the bias of the exponent, and the largest number.
FLOAT8 = {
    "fp8e4m3": (3, 7, 448.0),
    "fp8e5m2": (2, 15, 57344.0),
    "fp8e4m3fnuz": (3, 8, 240.0),
    "fp8e5m2fnuz": (2, 16, 57344.0),
}


def bfloat16(x: Floats) -> Floats:
    """Rounded to the nearest, ties to even: the upper half of the bits. NaN stays NaN."""
    bits = x.astype(np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(x), np.float32(np.nan), rounded.view(np.float32))


def float8(x: Floats, name: str) -> Floats:
    """Rounded to the nearest, ties to even, and to the largest number if too large: the formats of the OCP and, for
    fnuz, of ONNX. tinygrad emulates them, and takes anything below the smallest normal number for zero.
    """
    mantissa, bias, largest = FLOAT8[name]
    wide = x.astype(np.float64)
    finite = np.where(np.isfinite(wide), wide, 0)
    step = np.ldexp(1.0, np.frexp(finite)[1] - 1 - mantissa)
    rounded = np.clip(np.where(np.isinf(wide), wide, np.rint(finite / step) * step), -largest, largest)
    return np.where(np.abs(wide) < 2.0 ** (1 - bias), 0, rounded).astype(np.float32)
