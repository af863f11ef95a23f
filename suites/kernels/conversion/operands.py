"""The operands of conversions."""

import functools
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from ..kit.integers import BITS, bounds, saturate
from ..kit.scalar import np_type
from .exact import FORMATS

TIES = (0.0, -0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.1, 1.5, 2.5, 3.5, 99.5, 126.5, 127.5, 254.5, 255.5, 10000.5)


@functools.cache
def operands(source: str, target: str) -> NDArray[Any]:
    """About 200 numbers of `source`: the edges of both types, ties, and, for floats, their neighbours."""
    return _floats(source, target) if source in FORMATS else _integers(source, target)


def _integers(source: str, target: str) -> NDArray[Any]:
    values = [*range(-3, 4), 5, 7, 100]
    for type_name in {source, target} & BITS.keys():
        low, high = bounds(type_name)
        values += [low, low + 1, low - 1, high, high - 1, high + 1, -high, high // 3, high // 2]
    values += [2**k + d for k in (7, 8, 15, 16, 31, 32, 63) for d in (-1, 0, 1)]
    if target in FORMATS:  # close to ties of its significand, with every exponent that has them
        digits = FORMATS[target][0]
        for k in range(digits, 65, 1 if digits > 24 else 3):
            half = 2 ** (k - digits) // 2
            base = 2**k - 2 ** (k - digits)
            values += [base + half + d for d in (-1, 0, 1)] + [2 ** (k - 1) + half + d for d in (-1, 0, 1)]
        values += [65503, 65504, 65519, 65520, 100000]
    values += [-v for v in values]
    values += [0x0123456789ABCDEF >> s for s in (0, 8, 32, 48, 56)]
    return np.array([v for v in dict.fromkeys(values) if saturate(v, source) == v], dtype=np_type(source))


def _floats(source: str, target: str) -> NDArray[Any]:
    dtype = np_type(source)
    if target in FORMATS:
        digits, least, greatest = FORMATS[target]
        unit, large, small = 2.0**-digits, 2.0**greatest, 2.0**least
        ends = [(2 - unit) * large, (2 - 2 * unit) * large, large, small, small * (1 - unit), small / 2]
        ends += [small * 2 * unit, small * unit, small * 3 * unit, 1 + unit, 1 + 3 * unit, 3e38, 65519, np.pi]
    else:
        ends = [float(abs(end) + d) for end in bounds(target) for d in (-1, -0.5, 0, 0.5, 1)]
        ends += [3e9, 1e19, 1e30]
    numbers = np.array([*TIES, *ends])
    info = np.finfo(dtype)
    with np.errstate(over="ignore", under="ignore"):
        values = np.concatenate([numbers, -numbers]).astype(dtype)
        inwards, upwards = (np.nextafter(values, dtype.type(to)) for to in (0, np.inf))
    denormals = [info.smallest_subnormal, info.tiny - info.smallest_subnormal, -info.smallest_subnormal]
    special = np.array([np.inf, -np.inf, np.nan, info.max, -info.max, info.tiny, *denormals], dtype=dtype)
    bits = np.concatenate([values, inwards, upwards, special]).view(f"u{dtype.itemsize}")
    return np.asarray(np.unique(bits).view(dtype))


def flushed(device: cl.Device) -> frozenset[str]:
    """The floating-point types whose denormals the device need not keep: CL_FP_DENORM is not set."""
    configurations = {"float": "single_fp_config"}
    if "cl_khr_fp16" in device.extensions.split():  # else the query is not valid
        configurations["half"] = "half_fp_config"
    keep = cl.device_fp_config.DENORM
    return frozenset(name for name, query in configurations.items() if not getattr(device, query) & keep)
