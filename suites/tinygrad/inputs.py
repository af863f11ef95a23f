"""The operands of a case: a seeded draw from a named domain."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

BIG = 1.5 * 2.0**125  # 1/BIG is still a normal float32


def draw(rng: np.random.Generator, dtype: str, shape: Sequence[int], domain: str) -> NDArray[Any]:
    """An array of `dtype` and `shape`; `_floats` and `_integers` describe the domains."""
    kind, size = np.dtype(dtype), int(np.prod(shape))
    if kind.kind == "b":
        flat = rng.integers(0, 2, size).astype(kind)
    elif kind.kind == "f":
        flat = _floats(rng, kind, size, domain)
    else:
        flat = _integers(rng, kind, size, domain)
    return np.ascontiguousarray(flat).reshape(shape)


def _floats(rng: np.random.Generator, kind: np.dtype[Any], size: int, domain: str) -> NDArray[Any]:  # noqa: C901 - one arm a kind
    """normal: standard normal. small: whole, -9 to 9. positive: 2**-8 to 2**8. unit: 0.5 to 1.5, either
    sign. inner: -0.9 to 0.9. outer: 1.25 to 9. angle: -8 to 8. integral: whole numbers and halves up to 2**12.
    byte: 0 to 255.99. distinct: a permutation of steps. special: every edge of the type, then either sign and
    any magnitude. edges: special, but 1/x of a normal number is normal. finite, ordered: special and edges
    without NaN. tiny: positive, about the smallest normal number. in_TYPE: any magnitude whose whole part is a number of
    that integer type, with the ends.
    """
    match domain:
        case "normal":
            flat = rng.standard_normal(size)
        case "positive":
            flat = np.exp2(rng.uniform(-8, 8, size))
        case "unit":
            flat = rng.uniform(0.5, 1.5, size) * rng.choice([-1, 1], size)
        case "angle":
            flat = rng.uniform(-8, 8, size)
        case "small":
            flat = rng.integers(-9, 10, size).astype(np.float64)
        case "integral":
            flat = rng.integers(-(2**13), 2**13, size) / 2
        case "byte":
            flat = rng.uniform(0, 255.99, size)
        case "distinct":
            flat = rng.permutation(size) / 8 - size / 16
        case "special" | "edges" | "finite" | "ordered":
            info = np.finfo(kind)
            span = 20 if kind.itemsize > 2 else 8
            flat = np.exp2(rng.uniform(-span, span, size)) * rng.choice([-1, 1], size)
            tiny = float(info.tiny)
            top = float(info.max) if domain in ("special", "finite") or kind.itemsize == 2 else BIG
            edges = [0.0, -0.0, np.inf, -np.inf, 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, tiny, -tiny, top, -top]
            if domain in ("special", "edges"):
                edges.append(np.nan)
            flat[: len(edges)] = edges[:size]
        case "inner":
            flat = rng.uniform(-0.9, 0.9, size)
        case "outer":
            flat = rng.uniform(1.25, 9, size)
        case "tiny":
            least = np.log2(float(np.finfo(kind).tiny))
            flat = np.exp2(rng.uniform(least - 4, least + 8, size))
        case _ if domain.startswith("in_"):
            whole = np.iinfo(domain.removeprefix("in_"))
            largest = float(np.finfo(kind).max)
            top = float(np.nextafter(kind.type(min(whole.max + 1, largest)), kind.type(0)))
            flat = np.minimum(np.exp2(rng.uniform(-2, np.log2(top), size)).astype(kind), top)
            edges = [0.0, -0.0, 0.5, -0.5, 1, 1.5, top]
            if whole.min < 0:
                flat *= rng.choice([-1, 1], size)
                edges += [-1.5, -top, max(whole.min, -top) if -whole.min > largest else whole.min]
            flat[: len(edges)] = edges[:size]
        case _:
            raise ValueError(f"no domain {domain}")
    return flat.astype(kind)


def _integers(rng: np.random.Generator, kind: np.dtype[Any], size: int, domain: str) -> NDArray[Any]:
    """full: the whole range with its ends. small: -9 to 9, or 0 to 9. nonzero: small without 0. odd: the whole
    range without 0 and the least. shift: 0 to the width less 1. A domain in digits, such as `7`: below that number;
    `-7`: -7 to 6.
    """
    info = np.iinfo(kind)
    match domain:
        case "full":
            flat = rng.integers(info.min, info.max, size, dtype=kind, endpoint=True)
            flat[:5] = np.array([info.min, info.max, 0, 1, info.max // 2], dtype=kind)[:size]
        case "small" | "nonzero":
            flat = rng.integers(1 if domain == "nonzero" else 0, 10, size)
            if info.min < 0:
                flat *= rng.choice([-1, 1], size)
        case "shift":
            flat = rng.integers(0, info.bits, size)
        case "odd":
            flat = rng.integers(info.min, info.max, size, dtype=kind, endpoint=True) | 1
        case _:
            bound = int(domain)
            flat = rng.integers(min(bound, 0), abs(bound), size)
    return flat.astype(kind)
