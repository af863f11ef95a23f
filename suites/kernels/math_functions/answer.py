"""What a math builtin may return: references, further results because of flushing to zero, and the comparison."""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check

from ..kit.floating import Array, accept_alternatives, flushed, operands, overflowed, vector_rows
from ..kit.scalar import np_type
from . import stored
from .kernel import GROUP
from .open_limits import require_sane
from .reference import reference
from .stored import SAMPLES, types
from .table import BUILTINS

Parts = list[NDArray[Any]]
CONSTANTS = 24  # rows of a kernel whose operands are constants
UNIFORM = 96


def compute(name: str, floating: str, values: Sequence[Array], function: Callable[..., Any] | None = None) -> Parts:
    """The results of the builtin (or of `function`) for float64 operands, in float64."""
    with np.errstate(all="ignore"):
        found = (function or reference(name, np_type(floating)))(*values)
        return [np.asarray(p, dtype=np.float64) for p in (found if isinstance(found, tuple) else (found,))]


def rounded(name: str, floating: str, limit: float, parts: Parts) -> Parts:
    """The results, rounded to the type if they must be correctly rounded (limit 0)."""
    if limit:
        return parts
    kinds = BUILTINS[name].result + BUILTINS[name].pointer
    with np.errstate(over="ignore"):
        return [p.astype(np_type(floating)).astype(np.float64) if k == "f" else p for p, k in zip(parts, kinds, strict=True)]


@functools.cache
def base(name: str, floating: str, limit: float) -> Parts:
    """The results for all operands of the builtin, none of them flushed."""
    values = [c.astype(np.float64) for c in stored.columns(name, floating)]
    if floating == "double" and BUILTINS[name].double:
        with np.errstate(all="ignore"):
            both = [stored.reference(n, reference(n, values[0].dtype)(*values)) for n in _stored_parts(name)]
        return [overflowed(p, floating) for p in both]
    parts = rounded(name, floating, limit, compute(name, floating, values))
    return parts if floating == "double" else [overflowed(p, floating) for p in parts]


def _stored_parts(name: str) -> tuple[str, ...]:
    return ("sin", "cos") if name == "sincos" else (name,)


def alternatives(name: str, floating: str, limit: float, inputs: Sequence[Array], *, denormals: bool) -> Iterator[Parts]:
    """Other results that are right for some operands (7.4, 7.5.3): not overflowed, flushed, not fused."""
    dtype = np_type(floating)
    info = np.finfo(dtype)
    low = float(info.tiny) + limit * float(info.smallest_subnormal)  # within the limit of a denormal result
    functions: list[Callable[..., Any] | None] = [None]
    if name == "mad":  # 6.15.2: fma, or a multiplication and an addition, each correctly rounded
        functions += products(dtype, lambda product, c: product + c, denormals=denormals)
    if name == "nextafter" and not denormals:
        functions.append(lambda x, y: _nextafter_normal(x, y, float(info.tiny), dtype))
    for values in flushed([a.astype(np.float64) for a in inputs], [a.dtype for a in inputs]):
        for function in functions:
            exact = compute(name, floating, values, function)
            parts = rounded(name, floating, limit, exact)
            yield parts
            yield [overflowed(p, floating) for p in parts]
            if not denormals:  # a result may be flushed if it is denormal before it is rounded
                yield [np.where(np.abs(e) < low, 0.0, p) for e, p in zip(exact, parts, strict=True)]
        if denormals:
            break


def products(dtype: np.dtype[Any], then: Callable[[Array, Array], Array], *, denormals: bool) -> list[Callable[..., Array]]:
    """Functions of a, b, c: `then` of the rounded product a * b and c; without `denormals`, also of the flushed product."""

    def product_kept(a: Array, b: Array, c: Array) -> Array:
        return then((a * b).astype(dtype).astype(np.float64), c)

    def to_zero(a: Array, b: Array, c: Array) -> Array:
        product = np.where(np.abs(a * b) < float(np.finfo(dtype).tiny), 0.0, a * b)
        return then(product.astype(dtype).astype(np.float64), c)

    return [product_kept] if denormals else [product_kept, to_zero]


def _nextafter_normal(x: Array, y: Array, tiny: float, dtype: np.dtype[Any]) -> Array:
    """nextafter if denormals are flushed: from zero it may step to the smallest normal number (7.5.3)."""
    after = reference("nextafter", dtype)(x, y)
    return np.where((x == 0) & (x != y) & ~np.isnan(y), np.copysign(tiny, y), after)


def require(
    name: str,
    floating: str,
    limit: float,
    inputs: Sequence[Array],
    outputs: Sequence[Array],
    wants: Parts,
    *,
    denormals: bool,
) -> None:
    """Require all results of the device to be right. All arrays have the shape (n, width)."""
    if math.isinf(limit):  # mad of the embedded profile
        require_sane(name, floating, inputs, outputs, denormals=denormals)
        return
    kinds = BUILTINS[name].result + BUILTINS[name].pointer
    for position, (got, want, kind) in enumerate(zip(outputs, wants, kinds, strict=True)):
        what = name if position == 0 else f"*{name}"
        if name == "remquo" and kind == "i":  # at least the low seven bits, and the sign
            got = np.sign(got) * (np.abs(got.astype(np.int64)) % 128)

        def others(few: list[Array], position: int = position) -> Iterator[Array]:
            for parts in alternatives(name, floating, limit, few, denormals=denormals):
                yield parts[position]

        want = accept_alternatives(got, want, limit, inputs, others)
        if kind == "f":
            check.ulp(what, got, [want], limit, inputs)
        else:
            check.exact(what, got, [np.where(np.isnan(want), got, want).astype(got.dtype)], inputs)


def rows_of(name: str, floating: str, width: int, form: str) -> NDArray[np.intp]:
    """The rows of the builtin's operands that a launch takes, as (n, width)."""
    edge_count = operands(types(name, floating), SAMPLES)[1]
    count = stored.columns(name, floating)[0].size
    if form == "known":
        return vector_rows(edge_count, count, 1, CONSTANTS).reshape(-1, width)
    if form in ("constant", "uniform"):
        items = CONSTANTS if form == "constant" else UNIFORM
        return vector_rows(edge_count, count, 1, items)
    if width > 1:
        return vector_rows(edge_count, count, width)
    return np.resize(np.arange(count), (-(-count // GROUP) * GROUP, 1))
