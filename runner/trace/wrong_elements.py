"""The wrong elements of an answer as a table, and what they have in common: their places, their values.

Imported only in the child.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner.check import Mismatch, pattern, show, ulp_error
from runner.records.evidence import WrongElement, WrongElements

_SHOWN = 32
_MOST_CHARS = 200  # of a value: a structure's may be long
_PERIODS = (2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
_NEIGHBOURS = (1, 2, 3, 4, 8, 16, 32, 64)
_FAR_ULP, _HUGE_ULP = 1 << 16, 1 << 30  # more than rounding; beside zero, not a number to read
_MOST_BITS = 8  # that differ, and are named one by one


def tabulate(error: Mismatch) -> WrongElements | None:
    """The table of a comparison that failed; None if no arrays were compared."""
    if error.got is None or error.want is None or error.wrong is None or not error.wrong.any():
        return None
    got, want, wrong = error.got, error.want, np.asarray(error.wrong)
    inputs = [a for a in error.inputs if a.shape == wrong.shape]
    flat = np.flatnonzero(wrong)
    # One pass over the first elements only: an answer may have millions.
    elements = tuple(
        WrongElement(
            tuple(int(n) for n in np.unravel_index(i, wrong.shape)),
            _text(got.flat[i]),
            _text(want.flat[i]),
            tuple(_text(a.flat[i]) for a in inputs),
            _bits(got, i),
            _bits(want, i) if want.dtype == got.dtype else "",
            _difference(error, got, want, int(i)),
        )
        for i in flat[:_SHOWN]
    )
    kinds = pattern(wrong, inputs, want)
    patterns = [kinds] if kinds.startswith("only where") else []
    patterns += [*describe_places(wrong), *_values(got, want, wrong, inputs)]
    return WrongElements(
        error.what, got.dtype.name, tuple(map(int, wrong.shape)), len(flat), wrong.size, tuple(patterns), elements
    )


def describe_places(wrong: NDArray[np.bool_]) -> Iterator[str]:
    """Where the wrong elements lie: along the whole answer, and along each of its axes."""
    if wrong.size < 2:
        return
    if wrong.all():
        yield f"all {wrong.size:,} elements"
        return
    if found := _along(np.flatnonzero(wrong), wrong.size, "element"):
        yield found
    for axis in range(wrong.ndim) if wrong.ndim > 1 else ():
        hit = np.flatnonzero(wrong.any(axis=tuple(a for a in range(wrong.ndim) if a != axis)))
        size = wrong.shape[axis]
        noun = ("row", "column")[axis] if wrong.ndim == 2 else "component" if axis == wrong.ndim - 1 and size <= 16 else ""
        if len(hit) < size and (found := _along(hit, size, noun or f"index of axis {axis}:")):
            yield found


def _along(hit: NDArray[np.intp], size: int, noun: str) -> str:
    """What ascending indices below `size`, not all of them, have in common; "" for nothing."""
    first, last, steps = int(hit[0]), int(hit[-1]), np.unique(np.diff(hit))
    if len(hit) == 1:
        return f"{noun} {first:,} alone"
    many = noun if noun.endswith(":") else f"{noun}s"
    if len(steps) == 1 and steps[0] == 1:
        if last == size - 1:
            return f"all {many} from {first:,} on"
        return f"{many} {first:,} to {last:,}" if first else f"the first {len(hit):,} {many}"
    if len(steps) == 1 and len(hit) > 2:
        end = "" if last + steps[0] >= size else f" to {last:,}"
        return f"every {_ordinal(int(steps[0]))} {noun} from {first:,}{end}"
    rests = {p: np.unique(hit % p).tolist() for p in _PERIODS if 4 * p <= size}
    telling = [p for p, rest in rests.items() if len(rest) <= min(p // 2, len(hit) // 2)]
    if telling:
        period = min(telling, key=lambda p: (len(rests[p]) / p, p))
        shown = ", ".join(map(str, rests[period]))
        return f"only {many} whose number modulo {period} is {shown}"
    if 4 * (last - first + 1) < size:
        return f"within the {many} {first:,} to {last:,}"
    return ""


def _values(got: NDArray[Any], want: NDArray[Any], wrong: NDArray[np.bool_], inputs: list[NDArray[Any]]) -> Iterator[str]:
    """What the wrong values are: one for all, another element's, an operand, off by the same bits."""
    bad, right = got[wrong], want[wrong]
    if bad.size < 2 or bad.dtype.kind not in "iufb":
        return
    if _same(bad, np.full_like(bad, bad[0])):
        yield f"got is {_text(bad[0])} in all of them"
    flat, places = want.ravel(), np.flatnonzero(wrong)
    for step in (s * sign for s in _NEIGHBOURS for sign in (-1, 1)):
        other = places + step
        inside = (other >= 0) & (other < flat.size)
        near = flat[np.clip(other, 0, flat.size - 1)]
        if inside.sum() > bad.size // 2 and _same(bad[inside], near[inside]) and len(np.unique(right)) > 1:
            yield f"got is what is wanted {abs(step)} element{'s' if abs(step) > 1 else ''} {'on' if step > 0 else 'before'}"
            break
    for number, operand in enumerate(inputs):
        if operand.dtype == got.dtype and _same(bad, operand[wrong]):
            yield f"got is operand {number}"
    if got.dtype == want.dtype and got.dtype.kind in "iuf" and got.dtype.itemsize <= 8:
        kind = np.dtype(f"u{got.dtype.itemsize}")
        mask = int(np.bitwise_or.reduce(bad.view(kind) ^ right.view(kind)))
        if 0 < mask.bit_count() <= _MOST_BITS < 8 * kind.itemsize:
            yield f"only in the bits {mask:#0{2 * kind.itemsize + 2}x}"
    if got.dtype.kind == "f":
        most = float(np.max(ulp_error(bad, right)))
        if most < _FAR_ULP:
            yield f"at most {most:.4g} ulp away"


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f" and other.dtype.kind == "f"))


def _text(value: Any) -> str:
    text = value.tobytes().hex() if isinstance(value, np.void) else show(value)
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}..."


def _bits(values: NDArray[Any], at: int) -> str:
    if values.dtype.kind not in "iuf" or values.dtype.itemsize > 8:
        return ""
    return f"{int(values.flat[at].view(f'u{values.dtype.itemsize}')):#0{2 * values.dtype.itemsize + 2}x}"


def _difference(error: Mismatch, got: NDArray[Any], want: NDArray[Any], at: int) -> str:
    excess = error.excess(at).removeprefix(", ")
    if got.dtype.kind == "f" and want.dtype.kind == "f" and "ulp" not in excess:
        away = float(ulp_error(got.flat[at : at + 1], want.flat[at : at + 1])[0])
        return ", ".join(filter(None, (f"{away:.4g} ulp" if away < _HUGE_ULP else "", excess)))
    if got.dtype == want.dtype and got.dtype.kind in "iu":
        one, other = int(got.flat[at]), int(want.flat[at])
        mask = (one ^ other) % (1 << 8 * got.dtype.itemsize)
        return f"{one - other:+}, bits {mask:#0{2 * got.dtype.itemsize + 2}x}"
    return excess


def _ordinal(number: int) -> str:
    from runner.trace.wrong_kernel import ordinal

    return "other" if number == 2 else ordinal(number)
