"""The checks of a case's body: each counts as one look at a value, and raises `Mismatch` if it is wrong.

The child refuses a body that looked at nothing, so a suite compares only through these functions.
Messages carry values, because they serve as signatures in the expectation files:
`value: exp(-0x1p-14): got 0x1.ffcp-1 want 0x1p+0, 1 ulp > 0 allowed`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
else:

    class _Numpy:
        """numpy, imported at its first use: nine tenths of the start of a child whose cases compare no arrays."""

        def __getattr__(self, name):
            global np
            import numpy as np

            return getattr(np, name)

    np = _Numpy()

_comparisons = 0


class Mismatch(AssertionError):
    """The device's answer is wrong. The text begins with its stage: value:, api:, build: or enqueue:.

    Where arrays were compared, `got`, `want` and the mask `wrong` are arrays of one shape; `inputs` are the operands, as
    of `ulp`, `what` names the comparison, and `excess` says by how much the element of a flat index is too far away.
    """

    got: NDArray[Any] | None = None
    want: NDArray[Any] | None = None
    wrong: NDArray[np.bool_] | None = None
    inputs: Sequence[NDArray[Any]] = ()
    what: str = ""
    excess: Callable[[int], str] = staticmethod(lambda _: "")

    def name_part(self, part: str) -> None:
        """Name, after the stage, the part of the case that it is about."""
        self.args = (str(self).replace(":", f": {part}:", 1),)


class Compiled(Exception):
    """Raised in compile mode if a body asks for a result: nothing runs, and the case is over."""


class Unsupported(Exception):
    """Raised if a body finds that the test is not for this device: a SKIP."""


class NothingTested(Exception):
    """Raised if a body could not look at what it is about: the suite's fault, an ERROR, and never a pass."""


def comparison_count() -> int:
    """How many comparisons this process has made."""
    return _comparisons


def _count_comparison() -> None:
    global _comparisons
    _comparisons += 1


def show(value: Any) -> str:
    """A value as text for a message: exact in hexadecimal, and in decimal."""
    if isinstance(value, (float, np.floating)):
        return str(float(value)) if not np.isfinite(float(value)) else f"{_short_hex(float(value))} ({value:.6g})"
    if isinstance(value, (np.bool_, bool)):
        return str(bool(value)).lower()
    if isinstance(value, np.integer):
        bits = int(value) % (1 << 8 * value.itemsize)
        return str(int(value)) if 0 <= value < 10 else f"{value} ({bits:#x})"
    text = str(value) or '""'
    return text if text.isprintable() else repr(text)  # a message is one line


_MEMBERS = 8  # of a list, in a message


def _show_list(values: Sequence[Any]) -> str:
    """The members of a list of names or numbers, and how many more there are."""
    more = [f"and {len(values) - _MEMBERS} more"] * (len(values) > _MEMBERS)
    return ", ".join([*map(show, values[:_MEMBERS]), *more]) or "none"


def _short_hex(value: float) -> str:
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{exponent}"


def true(what: str, condition: bool, *, stage: str = "value") -> None:
    """Require `condition`; `what` states what holds."""
    _count_comparison()
    if not condition:
        raise Mismatch(f"{stage}: not so: {what}")


def equal(what: str, got: Any, want: Any, inputs: Sequence[NDArray[Any]] = (), *, stage: str = "value") -> None:
    """Require `got == want`: plain values, lists, or arrays of one shape. -0.0 equals 0.0, NaN equals NaN."""
    _count_comparison()
    if isinstance(got, (list, tuple)) and isinstance(want, (list, tuple)) and len(got) != len(want):
        raise Mismatch(f"{stage}: {what}: got {_show_list(got)} want {_show_list(want)}")
    if isinstance(got, (str, bytes)) and got != want:  # numpy drops a NUL at the end
        raise Mismatch(f"{stage}: {what}: got {show(got)} want {show(want)}")
    got_a, want_a = np.asarray(got), np.asarray(want)
    _require_shape(what, got_a, want_a, stage)
    nan = got_a.dtype.kind in "fc" and want_a.dtype.kind in "fc"
    same = np.equal(got_a, want_a) | (np.isnan(got_a) & np.isnan(want_a) if nan else False)
    _require(what, got_a, want_a, np.asarray(same), stage=stage, inputs=inputs)


def exact(what: str, got: NDArray[Any], wants: Sequence[NDArray[Any]], inputs: Sequence[NDArray[Any]] = ()) -> None:
    """Require each element to be one of the answers `wants`, -0.0 and 0.0 apart; NaN equals NaN.

    All arrays have one shape and type; `inputs` are the operands, as of `ulp`.
    """
    _count_comparison()
    right = np.zeros(got.shape, np.bool_)
    for want in wants:
        _require_shape(what, got, want, "value")
        if got.dtype.kind == "f":
            same_sign = np.signbit(got) == np.signbit(want)
            right |= ((got == want) & same_sign) | (np.isnan(got) & np.isnan(want))
        else:
            right |= got == want
    _require(what, got, wants[0], right, inputs=inputs)


def close(what: str, got: ArrayLike, want: ArrayLike, *, atol: ArrayLike = 0.0, rtol: float = 0.0) -> None:
    """Require |got - want| <= atol + rtol * |want| for every element, in float64; NaN and inf must match."""
    _count_comparison()
    got_a = np.asarray(got, dtype=np.float64)
    want_a = np.asarray(want, dtype=np.float64)
    _require_shape(what, got_a, want_a, "value")
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(got_a - want_a)
        allowed = np.asarray(atol) + rtol * np.abs(want_a)
        same = (got_a == want_a) | (np.isnan(got_a) & np.isnan(want_a)) | (np.isfinite(want_a) & (error <= allowed))

    def excess(i: int) -> str:
        return f", error {error.ravel()[i]:.3g} > {np.broadcast_to(allowed, error.shape).ravel()[i]:.3g} allowed"

    try:
        _require(what, got_a, want_a, same, excess=excess)
    except Mismatch as mismatch:
        mismatch.got = np.asarray(got)  # in its own type, whose units and bits say more
        raise


def ulp_error(got: NDArray[np.floating[Any]], want: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """|got - want| in units of the last place of `got`'s type at `want` (OpenCL C 3.0, 7.4).

    `want` is the reference in a wider type. Equal infinities and NaN against NaN are 0. An infinite
    `got` counts as the next number beyond the largest finite one, so that an overflow inside the
    limit is allowed, as the definition says; an infinite `want` allows only itself.
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
    *,
    source: str = "",
) -> None:
    """Require each element of `got` within `limit` ULP of one of the references `wants`.

    Several references express choices that the specification leaves open, such as flushed denormals.
    `inputs` are the operands by position; the message shows those of the first wrong element. `source`, behind the word
    "allowed", says where the limit comes from, if not from the specification.
    """
    _count_comparison()
    for want in wants:
        _require_shape(what, got, want, "value")
    error = np.min([ulp_error(got, want) for want in wants], axis=0)
    limits = np.broadcast_to(np.asarray(limit, dtype=np.float64), error.shape)

    def excess(i: int) -> str:
        return f", {error.ravel()[i]:.3g} ulp > {limits.ravel()[i]:g} allowed{source}"

    _require(what, got, wants[0], error <= limits, inputs=inputs, excess=excess)


def _require_shape(what: str, got: NDArray[Any], want: NDArray[Any], stage: str) -> None:
    if got.shape != want.shape:
        raise Mismatch(f"{stage}: {what}: got shape {got.shape} want {want.shape}")


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
    place = "" if got.ndim == 0 else f"[{', '.join(str(int(n)) for n in np.unravel_index(i, got.shape))}]"
    count = ""
    if flat.size > 1:
        where = pattern(~same, inputs, want)
        count = f" ({int(flat.size - flat.sum())} of {flat.size} wrong{where and f': {where}'})"
    error = Mismatch(
        f"{stage}: {what}{at}{'' if at else place}: got {show(got.ravel()[i])} want {show(want.ravel()[i])}"
        f"{excess(i)}{count}{f' at {place}' if at and place else ''}"
    )
    error.got, error.want, error.wrong = got, want, ~same
    error.inputs, error.what, error.excess = inputs, what, excess
    raise error


def pattern(wrong: NDArray[np.bool_], inputs: Sequence[NDArray[Any]], want: NDArray[Any]) -> str:
    """What the wrong elements have in common, or "": a kind of operand, else their places."""
    if wrong.sum() < 2:
        return ""
    if wrong.all():
        return "all"
    named = [("operand", a) for a in inputs] + [("answer", want)]
    for kind, test in _KINDS.items():
        has = [(name, test(a)) for name, a in named if a.dtype.kind == "f" and a.shape == wrong.shape]
        for name in ("operand", "answer"):
            there = np.any([h for n, h in has if n == name], axis=0) if any(n == name for n, _ in has) else None
            if there is not None and not there.all() and not (wrong & ~there).any():
                return f"only where an {name} is {kind}"
    return _place_pattern(wrong)


def _place_pattern(wrong: NDArray[np.bool_]) -> str:
    if wrong.ndim > 1:
        for axis in reversed(range(wrong.ndim)):
            hit = np.flatnonzero(wrong.any(axis=tuple(a for a in range(wrong.ndim) if a != axis)))
            if len(hit) == 1 and wrong.shape[axis] > 1:
                return f"only {'component' if axis == wrong.ndim - 1 else f'index {axis}'} {hit[0]}"
    indices = np.flatnonzero(wrong)
    first, last, steps = int(indices[0]), int(indices[-1]), np.unique(np.diff(indices))
    if len(steps) == 1 and steps[0] == 1:
        return "all from there on" if last == wrong.size - 1 else f"{len(indices)} in a row"
    if len(steps) == 1 and len(indices) > 2:
        return f"every {steps[0]} elements"
    if first and wrong.size - first < 64 and len(indices) > 2:
        return "in the tail"
    return ""


def _denormal(values: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray((values != 0) & (np.abs(values) < np.finfo(values.dtype).tiny))


_KINDS: dict[str, Callable[[NDArray[Any]], NDArray[np.bool_]]] = {
    "NaN": lambda values: np.isnan(values),  # not np.isnan, which imports numpy
    "infinite": lambda values: np.isinf(values),
    "denormal": _denormal,
    "zero": lambda values: values == 0,
    "negative": lambda values: np.signbit(values),
}
