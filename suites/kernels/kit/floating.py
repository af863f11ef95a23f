"""Operands of the floating-point builtins, the same in every run and on every machine; and flushing to zero.

They come only from bits and exactly rounded arithmetic, because reference values are stored for some of them.
"""

import functools
import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from .scalar import np_type

Array = NDArray[Any]

# Operands of either sign at which builtins leave the range of the type: exp, exp2, exp10, sinh, tgamma, erfc, expm1, tanh.
_THRESHOLDS = {
    "half": (11.0898, 9.7041, 17.3287, 4.8164, 4.2144, 7.5257, 11.783, 9.2, 2.8, 3.76, 7.62, 4.5),
    "float": (
        88.722839,
        87.336544,
        103.97208,
        38.53184,
        37.929779,
        45.154499,
        89.415985,
        35.040096,
        9.194549,
        10.0546,
        17.328679,
        9.010913,
    ),
    "double": (
        709.782712893384,
        708.3964185322641,
        745.1332191019412,
        308.25471555991675,
        307.6526555685888,
        323.6072453387798,
        710.4758600739439,
        171.62437695630272,
        26.543258,
        27.226,
        37.42994775,
        19.061547,
    ),
}
# The worst operands of a known erfc and a known tgamma, and the hardest argument reduction of sin in double.
_HARD_TO_ROUND = tuple(float.fromhex(x) for x in ("0x1.ffa728p+2", "0x1.0c8p+3", "0x1.6ac5b262ca1ffp+849"))


@functools.cache
def edges(type_name: str) -> Array:
    """About 300 numbers of either sign: zeros, the ends of each range, neighbours, thresholds, inf; and NaN."""
    dtype = np_type(type_name)
    info = np.finfo(dtype)
    step, tiny = float(info.smallest_subnormal), float(info.tiny)
    whole = 1.0 / float(info.eps)  # from here on, numbers have no fractions
    plain = [0.0, step, 2 * step, tiny / 2, tiny - step, tiny, tiny + step, 1.5 * tiny, 2 * tiny, 0.1, 0.3]
    plain += [math.inf, float(info.max), float(info.max) / 2, whole - 0.5, whole - 1, whole, whole + 1, 2 * whole]
    plain += [k / 4 for k in range(1, 24)] + [7.0, 8.5, 9.0, 10.0, 33.0, 100.5, 127.0, 255.0, 1e4, *_HARD_TO_ROUND]
    plain += [math.ldexp(1, k) for k in (*range(-30, 31, 3), 31, 32, 53, 63, 64, 127, -126, -149, 1023, -1022)]
    near = [0.5, 1.0, 2.0, math.ldexp(1, info.maxexp - 1)]
    near += [k * math.pi / 4 for k in (1, 2, 3, 4, 6, 8, 10, 14, 22, 100)] + [*_THRESHOLDS[type_name]]
    with np.errstate(over="ignore"):
        around = np.array(near).astype(dtype)
        ends = [np.array(plain).astype(dtype), around]
    ends += [np.nextafter(around, dtype.type(side)) for side in (-np.inf, np.inf)]
    positive = np.unique(np.concatenate(ends))
    return np.concatenate([positive, -positive, [dtype.type(np.nan)]])


def _few(type_name: str, count: int) -> Array:
    """Edges to be crossed with others, for `count` operands."""
    dtype = np_type(type_name)
    if dtype.kind == "i":
        whole = np.array([0, 1, 2, 3, 7, 24, 127, 149, 300, 1100, 2**24 + 1, 2**31 - 1], dtype=np.int64)
        return np.concatenate([whole, -whole - 1]).astype(dtype)
    info = np.finfo(dtype)
    tiny, step = float(info.tiny), float(info.smallest_subnormal)
    if count == 2:
        ends = [0.0, 3 * step, tiny, 1.5 * tiny, 0.5, 1 - info.eps / 2, 1.0, 1.5, 2.0, 3.0, 2 / info.eps - 1, info.max]
    else:
        ends = [0.0, 3 * step, 1.0, 1 + info.eps, info.max]
    positive = np.array([*ends, np.inf]).astype(dtype)
    return np.concatenate([positive, -positive, [dtype.type(np.nan)]])


def _bits(count: int, *seed: object) -> NDArray[np.uint64]:
    return np.frombuffer(random.Random(repr(seed)).randbytes(8 * count), dtype="<u8")


def log_uniform(type_name: str, low: int, high: int, count: int, *seed: object) -> Array:
    """`count` numbers of random sign and significand, their exponents uniform in [low, high]."""
    info = np.finfo(np_type(type_name))
    bits = _bits(count, type_name, *seed)
    bias = info.maxexp - 1
    exponent = low + ((bits >> np.uint64(52)) & np.uint64(0x7FF)).astype(np.int64) % (high - low + 1)
    biased = np.clip(exponent + bias, 0, 2 * bias).astype(np.uint64)
    nmant = np.uint64(info.nmant)
    significand = bits & ((np.uint64(1) << nmant) - np.uint64(1))
    word = (bits >> np.uint64(63)) << np.uint64(info.bits - 1) | biased << nmant | significand
    return word.astype(f"u{info.bits // 8}").view(np_type(type_name))


def _samples(types: Sequence[str], count: int) -> list[Array]:
    """Columns of samples: over the whole range, around 1, and operands near to each other."""
    columns: list[list[Array]] = []
    with np.errstate(over="ignore", invalid="ignore"):
        _draw(types, count, columns)
    return [np.concatenate(parts) for parts in columns]


def _draw(types: Sequence[str], count: int, columns: list[list[Array]]) -> None:
    for position, type_name in enumerate(types):
        if type_name == "int":
            wide = _bits(count, "int", position).astype(np.int64) >> np.int64(33)
            small = wide % 81 - 40
            columns.append([small[: count // 2].astype(np.int32), wide[count // 2 :].astype(np.int32)])
            continue
        info = np.finfo(np_type(type_name))
        whole = log_uniform(type_name, info.minexp - 1, info.maxexp - 1, count // 2, position)
        if position == 0:  # exponents of 2 that builtins treat differently
            close = log_uniform(type_name, -14, 9, count - count // 2, position)
        elif position == 1:
            ratio = log_uniform(type_name, -3, 3, count - count // 2, position)
            close = ratio * columns[0][1] if columns[0][1].dtype == ratio.dtype else ratio
        else:  # a sum that cancels except for some bits
            product = -(columns[0][1] * columns[1][1])
            noise = (_bits(product.size, "noise") % np.uint64(5)).astype(np.int64) - 2
            close = np.where(
                noise == 2, columns[1][1], product + noise * np.spacing(np.abs(product)).astype(product.dtype)
            ).astype(product.dtype)
        columns.append([whole, close])


@functools.cache
def operands(types: tuple[str, ...], samples: int) -> tuple[list[Array], int]:
    """Columns of operands, edges (each with each) and then samples; and the number of rows that are edges.

    A single operand of half takes every value of half.
    """
    if types == ("half",):
        every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
        return [np.concatenate([edges("half"), every])], edges("half").size
    few = [edges(types[0])] if len(types) == 1 else [_few(t, len(types)) for t in types]
    columns = [np.array(column) for column in zip(*itertools.product(*few), strict=True)]
    drawn = _samples(types, samples)
    return [
        np.concatenate([column.astype(np_type(t)), sample]) for column, t, sample in zip(columns, types, drawn, strict=True)
    ], columns[0].size


def vector_rows(edge_count: int, row_count: int, width: int, items: int = 512) -> NDArray[np.intp]:
    """The row of operands for each component of each vector, as (items, width): every edge in every component."""
    taken = min(edge_count, items * 4 // 5)
    pool = np.concatenate(
        [
            np.arange(taken) * edge_count // taken,
            edge_count + np.arange(items - taken) * (row_count - edge_count) // (items - taken),
        ]
    )
    return pool[(np.arange(items)[:, None] + 37 * np.arange(width)) % items]


def flushed(values: Sequence[Array], dtypes: Sequence[np.dtype[Any]]) -> Iterator[list[Array]]:
    """Every way to flush the denormal operands, to a zero of either sign (7.5.3); the first flushes none.

    `values` are float64, and hold numbers of the types in `dtypes`.
    """
    choices = []
    for value, dtype in zip(values, dtypes, strict=True):
        if dtype.kind != "f":
            choices.append([value])
            continue
        denormal = (np.abs(value) < float(np.finfo(dtype).tiny)) & (value != 0)
        choices.append([value, *(np.where(denormal, zero, value) for zero in (0.0, -0.0))])
    for combination in itertools.product(*choices):
        yield list(combination)


def within(got: Array, want: Array, limit: Any) -> NDArray[np.bool_]:
    """Mask of the right elements of `got`: within the limit in ULP, or the same int (if `want` is NaN, any)."""
    if got.dtype.kind == "f":
        return np.asarray(check.ulp_error(got, want) <= limit)
    return np.asarray((got == want) | np.isnan(want))


def accept_alternatives(
    got: Array, want: Array, limit: float, inputs: Sequence[Array], others: Callable[[list[Array]], Iterable[Array]]
) -> Array:
    """`want`, with elements of `got` that are other right results: `others` yields these for given operands."""
    wrong = ~within(got, want, limit)
    if not wrong.any():
        return want
    few, answer = got[wrong], want[wrong]
    for other in others([a[wrong] for a in inputs]):
        answer = np.where(within(few, other, limit) & ~within(few, answer, limit), other, answer)
    admitted = want.copy()
    admitted[wrong] = answer
    return admitted


def overflowed(want: Array, floating: str) -> Array:
    """`want`, with infinities for values beyond the range of the type."""
    beyond = np.ldexp(np.longdouble(1), np.finfo(np_type(floating)).maxexp)
    return np.where(np.abs(want) >= beyond, np.copysign(np.inf, want), want)


def keeps_denormals(device: Device, floating: str) -> bool:
    """True if the device's configuration of the type has CL_FP_DENORM; double always has to."""
    if floating == "double":
        return True
    config = getattr(device.device, {"float": "single_fp_config", "half": "half_fp_config"}[floating])
    return bool(config & cl.device_fp_config.DENORM)
