"""The checks of a case's body: each counts as one look at a value, and raises `Mismatch` where it is wrong.

The child refuses a body that looked at nothing, so a suite compares through these functions alone.
Messages carry values, because they serve as signatures in the expectation files:
`value: exp(-0x1p-14): got 0x1.ffcp-1 want 0x1p+0, 1 ulp > 0 allowed`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_looked = 0


class Mismatch(AssertionError):
    """The device's answer is wrong. The text begins with its stage: value:, api:, build: or enqueue:."""


class NothingTested(Exception):
    """The body could not look at what it is about: the suite's fault, an ERROR, and never a pass."""


def looked() -> int:
    """How many comparisons this process has made."""
    return _looked


def _look() -> None:
    global _looked
    _looked += 1


def show(value: Any) -> str:
    """One value as it stands in a message: hexadecimal for floats, which is exact."""
    if isinstance(value, (float, np.floating)):
        return str(float(value)) if not np.isfinite(value) else _short_hex(float(value))
    if isinstance(value, (np.bool_, bool)):
        return str(bool(value)).lower()
    if isinstance(value, np.integer):
        return str(int(value))
    text = str(value)
    return text if text.isprintable() else repr(text)  # a message is one line


def _short_hex(value: float) -> str:
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{exponent}"


def true(what: str, condition: bool, *, stage: str = "value") -> None:
    """Require `condition`; `what` says what holds where it does."""
    _look()
    if not condition:
        raise Mismatch(f"{stage}: not so: {what}")


def equal(what: str, got: Any, want: Any, *, stage: str = "value") -> None:
    """Require `got == want`: plain values, or arrays of one shape. -0.0 equals 0.0, NaN equals NaN."""
    _look()
    got_a, want_a = np.asarray(got), np.asarray(want)
    if got_a.shape != want_a.shape:
        raise Mismatch(f"{stage}: {what}: got shape {got_a.shape} want {want_a.shape}")
    nan = got_a.dtype.kind in "fc" and want_a.dtype.kind in "fc"
    same = np.equal(got_a, want_a) | (np.isnan(got_a) & np.isnan(want_a) if nan else False)
    _require(what, got_a, want_a, np.asarray(same), stage=stage)


def close(what: str, got: ArrayLike, want: ArrayLike, *, atol: ArrayLike = 0.0, rtol: float = 0.0) -> None:
    """Require |got - want| <= atol + rtol * |want| for every element, in float64; NaN and inf must match."""
    _look()
    got_a = np.asarray(got, dtype=np.float64)
    want_a = np.asarray(want, dtype=np.float64)
    if got_a.shape != want_a.shape:
        raise Mismatch(f"value: {what}: got shape {got_a.shape} want {want_a.shape}")
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(got_a - want_a)
        allowed = np.asarray(atol) + rtol * np.abs(want_a)
        same = (
            (got_a == want_a)
            | (np.isnan(got_a) & np.isnan(want_a))
            | (np.isfinite(want_a) & (error <= allowed))
        )

    def excess(i: int) -> str:
        return (
            f", error {error.ravel()[i]:.3g} > {np.broadcast_to(allowed, error.shape).ravel()[i]:.3g} allowed"
        )

    _require(what, got_a, want_a, same, excess=excess)


def ulp_error(got: NDArray[np.floating[Any]], want: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """|got - want| in units of the last place of `got`'s type at `want` (OpenCL C 3.0, 7.4).

    `want` is the reference in a wider type. Equal infinities and NaN against NaN are 0. An infinite
    `got` counts as the next number beyond the largest finite one, so that an overflow inside the
    limit is allowed, as the definition says; an infinite `want` allows nothing but itself.
    """
    info = np.finfo(got.dtype)
    wide = np.asarray(want, dtype=np.longdouble)
    value = np.asarray(got, dtype=np.longdouble)
    beyond = np.ldexp(np.longdouble(1), info.maxexp)
    with np.errstate(invalid="ignore", over="ignore"):
        _, exponent = np.frexp(np.where(np.isfinite(wide), np.minimum(np.abs(wide), beyond), 0))
        # frexp(0) has the exponent 0; the unit at zero is the smallest denormal.
        exponent = np.where(wide == 0, info.minexp, exponent - 1)
        unit = np.ldexp(np.longdouble(1), np.clip(exponent, info.minexp, info.maxexp - 1) - info.nmant)
        finite = np.where(np.isinf(value), np.copysign(beyond, value), value)
        error = np.where(np.isfinite(wide) & ~np.isnan(value), np.abs(finite - wide) / unit, np.inf)
    same = (value == wide) | (np.isnan(value) & np.isnan(wide))
    with np.errstate(over="ignore"):
        return np.asarray(np.where(same, 0, error), dtype=np.float64)


def ulp(
    what: str,
    got: NDArray[np.floating[Any]],
    wants: Sequence[NDArray[np.floating[Any]]],
    limit: ArrayLike,
    inputs: Sequence[NDArray[Any]] = (),
) -> None:
    """Require each element of `got` within `limit` ULP of one of the references `wants`.

    Several references express what the specification leaves open, such as flushed denormals.
    `inputs` are the operands by position; the message shows those of the first wrong element.
    """
    _look()
    for want in wants:
        if want.shape != got.shape:
            raise Mismatch(f"value: {what}: got shape {got.shape} want {want.shape}")
    error = np.min([ulp_error(got, want) for want in wants], axis=0)
    limits = np.broadcast_to(np.asarray(limit, dtype=np.float64), error.shape)

    def excess(i: int) -> str:
        return f", {error.ravel()[i]:.3g} ulp > {limits.ravel()[i]:g} allowed"

    _require(what, got, wants[0], error <= limits, inputs=inputs, excess=excess)


def _require(
    what: str,
    got: NDArray[Any],
    want: NDArray[Any],
    same: NDArray[np.bool_],
    *,
    stage: str = "value",
    inputs: Sequence[NDArray[Any]] = (),
    excess: Callable[[int], str] = lambda _: "",
) -> None:
    if same.all():
        return
    flat = same.ravel()
    i = int(np.argmin(flat))
    at = f"({', '.join(show(a.ravel()[i]) for a in inputs)})" if inputs else ""
    place = (
        "" if at or got.ndim == 0 else f"[{', '.join(str(int(n)) for n in np.unravel_index(i, got.shape))}]"
    )
    count = "" if flat.size == 1 else f" ({int(flat.size - flat.sum())} of {flat.size} wrong)"
    raise Mismatch(
        f"{stage}: {what}{at}{place}: got {show(got.ravel()[i])} want {show(want.ravel()[i])}{excess(i)}{count}"
    )
