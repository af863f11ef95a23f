"""Geometric builtins (6.15.5): within their limit, without overflow, and with the prescribed edges (7.5.1)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.floating import Array, keeps_denormals, log_uniform
from ..kit.scalar import np_type
from .kernel import evaluate
from .table import EMBEDDED, geometric_limit

ITEMS = 256
Wide = NDArray[np.longdouble]


def _scaled_norm(x: Wide) -> tuple[Wide, Wide]:
    """The length of each row as (number near 1, power of two), so that nothing overflows."""
    _, exponent = np.frexp(np.max(np.abs(x), axis=1, keepdims=True))
    scale = np.ldexp(np.longdouble(1), exponent)
    return np.sqrt(np.sum((x / scale) ** 2, axis=1, keepdims=True)), scale


def _length(x: Wide) -> Wide:
    norm, scale = _scaled_norm(x)
    return norm * scale


def _normalize(x: Wide) -> Wide:
    norm, scale = _scaled_norm(x)
    with np.errstate(invalid="ignore"):
        return np.where(norm == 0, x, x / scale / norm)


def _reference(name: str, vectors: list[Wide]) -> Wide:
    plain = name.removeprefix("fast_")
    if plain == "cross":
        crossed = np.cross(vectors[0][:, :3], vectors[1][:, :3])
        return np.pad(crossed, ((0, 0), (0, vectors[0].shape[1] - 3)))
    if plain == "dot":
        return np.asarray(np.sum(vectors[0] * vectors[1], axis=1, keepdims=True))
    if plain == "normalize":
        return _normalize(vectors[0])
    return _length(vectors[0] - vectors[1] if plain == "distance" else vectors[0])


def _count(name: str) -> int:
    return 2 if name.removeprefix("fast_") in ("cross", "dot", "distance") else 1


def _vectors(floating: str, name: str, width: int, low: int, high: int) -> list[Array]:
    """Random vectors, vectors with a single component that is not zero, so that each counts, and close pairs."""
    dtype = np_type(floating)
    count = _count(name)
    vectors = [log_uniform(floating, low, high, ITEMS * width, name, k).reshape(ITEMS, width) for k in range(count)]
    for component in range(width):
        for vector in vectors:
            row = vector[component]
            row[[c for c in range(width) if c != component]] = 0
    if count == 2 and name != "cross":
        near = vectors[0][64:96]
        vectors[1][64:96] = (near * dtype.type(1 + 2.0**-4)).astype(dtype)
    return vectors


def _evaluate(device: Device, name: str, floating: str, vectors: list[Array]) -> Array:
    return evaluate(device, name, vectors, floating, scalar_result=_reference_is_scalar(name))


def _reference_is_scalar(name: str) -> bool:
    return name.removeprefix("fast_") in ("dot", "distance", "length")


def _check(device: Device, name: str, floating: str, width: int, vectors: list[Array]) -> None:
    dtype = np_type(floating)
    info = np.finfo(dtype)
    want: Any = _reference(name, [v.astype(np.longdouble) for v in vectors])
    got = _evaluate(device, name, floating, vectors)
    limit = geometric_limit(name, floating, width)
    inputs = vectors if got.shape == vectors[0].shape else []
    if device.device.profile == "EMBEDDED_PROFILE":
        limit *= EMBEDDED
    if name in ("cross", "dot"):
        largest = np.max([np.max(np.abs(v.astype(np.longdouble)), axis=1, keepdims=True) for v in vectors], axis=0)
        allowed = limit * largest**2 * np.longdouble(info.eps)
        if not keeps_denormals(device, floating):
            allowed = allowed + (2 * width - 1) * float(info.tiny)
        check.close(f"{name}.{floating}{width}", got, want, atol=np.broadcast_to(allowed, want.shape).astype(np.float64))
        return
    wants = [want]
    if not keeps_denormals(device, floating):
        wants.append(np.where(np.abs(want) < info.tiny * (1 + limit * info.eps), 0, want))
    check.ulp(name, got, wants, limit, inputs)


def check_geometric(device: Device, *, builtin: str, type: str, width: int) -> None:
    """A geometric builtin for numbers close to 1."""
    low, high = (-3, 3) if type == "half" else (-12, 12)
    vectors = _vectors(type, builtin, width, low, high)
    _check(device, builtin, type, width, vectors)


def check_range(device: Device, *, builtin: str, type: str, width: int) -> None:
    """A geometric builtin, if the squares of the components overflow or underflow but the result does not."""
    info = np.finfo(np_type(type))
    lowest = info.minexp if keeps_denormals(device, type) else info.minexp + (4 if builtin == "distance" else 0)
    large = _vectors(type, builtin, width, info.maxexp - 8, info.maxexp - 4)
    small = _vectors(type, builtin, width, lowest + info.nmant // 2, lowest + info.nmant // 2 + 4)
    _check(device, builtin, type, width, [np.concatenate(pair) for pair in zip(large, small, strict=True)])


def check_normalize_edge(device: Device, *, builtin: str, type: str, width: int, special: str) -> None:
    """normalize of zeros, NaN or infinities (7.5.1)."""
    vectors = np.array(_special_rows(special, width)).astype(np_type(type))
    wide = vectors.astype(np.float64)
    with np.errstate(invalid="ignore"):
        ones = np.where(np.isinf(wide), np.copysign(1, wide), 0 * wide)
    want = _normalize(np.where(np.isinf(wide).any(axis=1, keepdims=True), ones, wide).astype(np.longdouble))
    want[np.isnan(wide).any(axis=1)] = np.nan
    got = _evaluate(device, builtin, type, [vectors])
    check.ulp(builtin, got, [want], geometric_limit(builtin, type, width), [vectors])
    if builtin == "normalize" and special == "zero":  # it returns the vector itself
        check.exact("normalize of a zero vector", got, [vectors], [vectors])


def _special_rows(special: str, width: int) -> list[Any]:
    zeros = np.zeros(width)
    if special == "zero":
        return [zeros, -zeros, np.where(np.arange(width) % 2, 0.0, -0.0)]
    rows = []
    for component in range(width):
        row = np.linspace(1, 2, width)
        row[component] = np.nan if special == "nan" else np.inf
        rows += [row, -row]
    if special == "infinite":
        rows += [np.full(width, np.inf), np.where(np.arange(width) % 2, np.inf, -np.inf)]
    return rows
