"""The comparison of cl-program-tester. Its numbers are C's: float32 distances, wrap-around, comparisons with NaN."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check

_ANYTHING = {"half": 1 << 24, "float": 1 << 24, "double": 1 << 53}  # units in the last place from which on any value passes


def prepared(argument: Any) -> Any:
    """The argument with halves as piglit makes them from decimals: the bits of a double that fit, truncated."""
    if argument.shape.scalar != "half":
        return argument
    initial, wanted = (None if v is None else tuple(_halves(v).tolist()) for v in (argument.initial, argument.wanted))
    return replace(argument, initial=initial, wanted=wanted)


def _halves(values: tuple[float, ...]) -> NDArray[np.float16]:
    bits = np.array(values, np.float64).view(np.uint64).astype(np.int64)
    exponent = bits >> 52 & 0x7FF
    shifted = np.where((exponent == 0) | (exponent == 0x7FF), exponent & 0x3FF, exponent - 1008) << 10
    sign = np.where(bits < 0, 0x8000, 0)
    return ((sign | shifted | bits >> 42 & 0x3FF) & 0xFFFF).astype(np.uint16).view(np.float16)


def takes_anything(argument: Any) -> bool:
    """True if the tolerance, as written, accepts any value: the specification leaves the result open."""
    return argument.shape.scalar in _ANYTHING and argument.tolerance >= _ANYTHING[argument.shape.scalar]


def _units(argument: Any) -> int:
    """The tolerance in units of the last place. Without `ulp`, piglit uses the bits of the number."""
    units = int(argument.tolerance) if argument.in_ulp else int(np.float32(argument.tolerance).view(np.uint32))
    return units * 8192 % (1 << 32) if argument.shape.scalar == "half" else units  # of float, to which halves are widened


def compare_as_piglit(what: str, argument: Any, got: NDArray[Any], want: NDArray[Any]) -> None:
    """Raise Mismatch if cl-program-tester fails; if NaN or infinity is expected, it accepts any number."""
    scalar = argument.shape.scalar
    if scalar in _ANYTHING and _units(argument) >= _ANYTHING[scalar]:
        check.true(f"{what} is any value", True)
        return
    with np.errstate(all="ignore"):
        right = _floats_right(scalar, argument, got, want) if scalar in _ANYTHING else _integers_right(argument, got, want)
    # Accepted elements are shown as if they were the expected ones: the message is about the others.
    check.equal(what, np.where(right, want, got), want)


def _integers_right(argument: Any, got: NDArray[Any], want: NDArray[Any]) -> NDArray[np.bool_]:
    wide = np.uint64 if got.dtype.kind == "u" else np.int64
    a, b = got.astype(wide), want.astype(wide)
    return np.asarray(np.where(a > b, a - b, b - a).astype(np.uint64) <= np.uint64(int(argument.tolerance)))


def _floats_right(scalar: str, argument: Any, got: NDArray[Any], want: NDArray[Any]) -> NDArray[np.bool_]:
    units = _units(argument)
    if scalar == "half":
        got, want = _singles(got), _singles(want)
    kind = got.dtype.type
    same = (np.isnan(got) & np.isnan(want)) | (np.isinf(got) & np.isinf(want) & ((got > 0) == (want > 0)))
    outwards = np.where(np.signbit(want), kind(-np.inf), kind(np.inf))
    allowed = np.abs(kind(units) * (np.nextafter(want, outwards) - want))
    return np.asarray(same | ~((np.abs(got - want) > allowed) | np.isnan(got)))


def _singles(halves: NDArray[Any]) -> NDArray[np.float32]:
    """Halves as piglit widens them: a denormal one stays a denormal."""
    bits = halves.view(np.uint16).astype(np.uint32)
    exponent = bits >> 10 & 0x1F
    wide = np.where(exponent == 0, 0, np.where(exponent == 0x1F, 0xFF, exponent + 112)).astype(np.uint32)
    return ((bits & 0x8000) << 16 | wide << 23 | (bits & 0x3FF) << 13).view(np.float32)
