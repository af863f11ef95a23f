"""Gradients of references, with bounds: reverse differentiation over `Bounded`.

A reference is run on `Traced` operands, which remember how they were computed; the cotangent then goes back
through the rules of tinygrad's own gradients, in `Bounded` arithmetic, so that the result includes every
rounding of those rules. tests/cases/test_derivative.py compares it with finite differences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .bounded import Array, Axis, Bounded
from .precision import unit_roundoff
from .references import unbroadcast

Back = Callable[[Bounded], Bounded]  # from the cotangent of a result to that of one operand


@dataclass(frozen=True, eq=False)
class Traced(Bounded):
    """A `Bounded` that knows the traced operands it was computed from, each with its rule."""

    parents: Sequence[tuple[Traced, Back]] = ()

    @classmethod
    def operand(cls, x: Bounded) -> Traced:
        return cls(x.value, x.error, x.dtype)

    def _of(self, result: Bounded, *rules: tuple[Bounded, Back]) -> Traced:
        parents = [(x, back) for x, back in rules if isinstance(x, Traced)]
        return Traced(result.value, result.error, result.dtype, parents)

    def __add__(self, other: Bounded | Array | float) -> Traced:
        b = self._lift(other)
        return self._of(
            Bounded.__add__(self, b),
            (self, lambda g: unbroadcast(g, self).cast(self.dtype)),
            (b, lambda g: unbroadcast(g, b).cast(b.dtype)),
        )

    def __radd__(self, other: Bounded | Array | float) -> Traced:
        return self + other

    def __mul__(self, other: Bounded | Array | float) -> Traced:
        b = self._lift(other)
        mine, its = detached(self), detached(b)
        return self._of(
            Bounded.__mul__(self, b),
            (self, lambda g: unbroadcast(g * its, self).cast(self.dtype)),
            (b, lambda g: unbroadcast(g * mine, b).cast(b.dtype)),
        )

    def __rmul__(self, other: Bounded | Array | float) -> Traced:
        return self * other

    def __neg__(self) -> Traced:
        return self._of(Bounded.__neg__(self), (self, lambda g: -g))

    def reciprocal(self) -> Traced:
        result = Bounded.reciprocal(self)
        return self._of(result, (self, lambda g: -(g * result * result)))

    def sqrt(self) -> Traced:
        result = Bounded.sqrt(self)
        return self._of(result, (self, lambda g: g / (result * 2.0)))

    def exp2(self) -> Traced:
        result = Bounded.exp2(self)
        return self._of(result, (self, lambda g: result * g * np.log(2)))

    def log2(self) -> Traced:
        plain = detached(self)
        return self._of(Bounded.log2(self), (self, lambda g: g / (plain * np.log(2))))

    def abs(self) -> Traced:
        sign = np.sign(self.value)
        return self._of(Bounded.abs(self), (self, lambda g: Bounded(g.value * sign, g.error * np.abs(sign), g.dtype)))

    def cast(self, dtype: DTypeLike) -> Traced:
        return self._of(Bounded.cast(self, dtype), (self, lambda g: g.cast(self.dtype)))

    def means(self, value: Array) -> Traced:
        return self._of(Bounded.means(self, value), (self, lambda g: g))

    def sum(self, axis: Axis = None, keepdims: bool = False, dtype: DTypeLike | None = None) -> Traced:
        result = Bounded.sum(self, axis, keepdims, dtype)
        return self._of(result, (self, lambda g: self._spread(g, axis, keepdims).cast(self.dtype)))

    def max(self, axis: Axis = None, keepdims: bool = False) -> Traced:
        """Equal maxima share the cotangent, as in tinygrad. The operand must be exact, or have none near its maximum."""
        top = self.value == self.value.max(axis=axis, keepdims=True)
        share = top / top.sum(axis=axis, keepdims=True)
        error = np.where(np.isin(share, (0, 1)), 0, unit_roundoff(self.dtype) * share)

        def back(g: Bounded) -> Bounded:
            return self._spread(g, axis, keepdims) * Bounded(share, error, self.dtype)

        return self._of(Bounded.max(self, axis, keepdims), (self, back))

    def einsum(self, formula: str, other: Bounded) -> Traced:
        """No letter may occur twice in one operand."""
        left, right, output = formula.replace("->", ",").split(",")
        mine, its = detached(self), detached(other)
        return self._of(
            Bounded.einsum(self, formula, other),
            (self, lambda g: _contracted(g, output, its, right, self, left)),
            (other, lambda g: _contracted(g, output, mine, left, other, right)),
        )

    def moved(self, move: Callable[[Array], Array]) -> Traced:
        """`move` is tracked by numbering the elements: if it gives 0 (or infinity), the result came from none."""

        def back(g: Bounded) -> Bounded:
            numbers = move(np.arange(1.0, self.value.size + 1).reshape(self.value.shape))
            return _gathered(g, np.where(np.isfinite(numbers), numbers, 0).astype(np.int64), self.value.shape)

        return self._of(Bounded.moved(self, move), (self, back))

    def _spread(self, g: Bounded, axis: Axis, keepdims: bool) -> Bounded:
        axes = tuple(range(self.value.ndim)) if axis is None else axis
        return g.moved(lambda a: np.broadcast_to(a if keepdims else np.expand_dims(a, axes), self.value.shape))


def _contracted(g: Bounded, output: str, factor: Bounded, letters: str, operand: Bounded, own: str) -> Bounded:
    """An einsum's cotangent for one operand: repeated along the letters that only this operand has."""
    shared = "".join(c for c in own if c in output + letters)
    part = g.einsum(f"{output},{letters}->{shared}", factor)
    alone = tuple(i for i, c in enumerate(own) if c not in shared)
    sizes = np.array(operand.value.shape, dtype=int)
    sizes[[i for i, c in enumerate(own) if c in shared]] = part.value.shape
    return unbroadcast(part.moved(lambda a: np.broadcast_to(np.expand_dims(a, alone), sizes)), operand)


def _gathered(g: Bounded, numbers: NDArray[np.int64], shape: Sequence[int]) -> Bounded:
    """The sum of the cotangents of each element: `numbers` says to which element each belongs, 0 to none.

    tinygrad sums along each axis in turn, in float32 at least, and rounds to the type after each: of n terms in any
    order within n units of the sum's type and one unit of their own for each of up to four axes.
    """

    def summed(a: Array) -> NDArray[np.float64]:
        total = np.bincount(numbers.ravel(), a.ravel(), int(np.prod(shape)) + 1)[1:]
        return np.asarray(total, dtype=np.float64).reshape(shape)

    terms = summed(g.value != 0)
    wide = np.result_type(g.dtype, np.float32)
    units = terms * unit_roundoff(wide) + (4 * unit_roundoff(g.dtype) if wide != g.dtype else 0)
    rounding = np.where(terms > 1, units, 0) * summed(np.abs(g.value))
    return Bounded(summed(g.value), summed(g.error) + rounding, g.dtype)


def detached(x: Bounded) -> Bounded:
    """The same numbers, through which no cotangent goes."""
    return Bounded(x.value, x.error, x.dtype)


def pull(result: Bounded, cotangent: Bounded, operands: Sequence[Bounded]) -> list[Bounded | None]:
    """The gradient of sum(cotangent * result) for each operand, None if it is not traced."""
    order: list[Traced] = []
    seen: set[int] = set()

    def visit(node: Traced) -> None:
        if id(node) not in seen:
            seen.add(id(node))
            for parent, _ in node.parents:
                visit(parent)
            order.append(node)

    if not isinstance(result, Traced):
        raise ValueError("the result does not depend on a traced operand")
    visit(result)
    # a cotangent drawn for a scalar has one axis
    found = {id(result): cotangent.moved(lambda a: a.reshape(result.value.shape))}
    for node in reversed(order):
        for parent, back in node.parents:
            part = back(found[id(node)])
            found[id(parent)] = found[id(parent)] + part if id(parent) in found else part
    return [found.get(id(x)) if isinstance(x, Traced) else None for x in operands]


def derived(reference: Callable[..., Any]) -> Callable[..., Sequence[Bounded | None]]:
    """An operation's gradient, derived from its reference: for each operand of floats, None for the others."""

    def gradient(cotangent: Bounded, *operands: Bounded, **args: Any) -> Sequence[Bounded | None]:
        traced = [Traced.operand(x) if x.dtype.kind == "f" else x for x in operands]
        return pull(reference(*traced, **args), cotangent, traced)

    return gradient
