"""Terms of an expression: OpenCL C, and its model on arrays. A term is written once for all types and widths."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kit.floating import Array
from ..kit.scalar import COMPARE, INTEGERS, np_type

Model = Callable[..., Any]  # of arrays

_WRAP: dict[str, Model] = {"+": np.add, "-": np.subtract, "*": np.multiply, "<<": np.left_shift}
_PLAIN: dict[str, Model] = {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor, ">>": np.right_shift}
_OPERATORS = {**_WRAP, **_PLAIN}
_CALLS: dict[str, Model] = {"min": np.minimum, "max": np.maximum, "fmin": np.fmin, "fmax": np.fmax}


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression of the values a, b, c, and its model on arrays of them. `truth`: it is a truth value, and not a T."""

    code: str
    model: Model
    truth: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """A part of an expression. `type` names that of a component: "truth" for the result of a comparison."""

    code: str
    type: str
    model: Model

    def line(self) -> Expression:
        """The term as a whole expression."""
        return Expression(self.code, self.model, self.type == "truth")


@dataclass(frozen=True, slots=True)
class Terms:
    """Makes terms of values of a type, of vectors of `width` components, or of scalars that are not promoted (`width` 1)."""

    name: str
    width: int = 1

    @property
    def real(self) -> bool:
        """Whether the type is a floating-point type."""
        return self.name not in INTEGERS

    @property
    def signed(self) -> bool:
        """Whether the type has a sign."""
        return not self.name.startswith("u")

    @property
    def bits(self) -> int:
        """The number of bits of a component."""
        return 8 * np_type(self.name).itemsize

    def value(self, letter: str) -> Term:
        """One of the operands a, b, c."""
        place = "abc".index(letter)
        return Term(letter, self.name, lambda *abc: abc[place])

    def constant(self, number: float, name: str = "") -> Term:
        """A constant, which wraps into the type's range."""
        name = name or self.name
        dtype = np_type(name)
        if dtype.kind == "f":
            text, typed = f"(T){'NAN' if number != number else f'{float(number)!r}f'}", dtype.type(number)
        else:
            whole = int(number) % 2 ** (8 * dtype.itemsize)
            text = f"({'T' if name == self.name else name}){f'{whole:#x}' if whole > 9 else whole}"
            typed = np.array(whole, np.uint64).astype(dtype)[()]
        return Term(text, name, lambda a, b, c: np.full(a.shape, typed))

    def do(self, sign: str, x: Term, y: Term) -> Term:
        """An operator. Sums, products and left shifts are computed unsigned, because they may overflow."""
        if x.type == "truth" or self.real or sign in _PLAIN or not self.signed or x.type != self.name:
            code = f"({x.code} {sign} {y.code})"
        else:
            code = f"AS_T(AS_U({x.code}) {sign} AS_U({y.code}))"
        f = _OPERATORS[sign]
        return Term(code, x.type, lambda *abc: np.asarray(f(x.model(*abc), y.model(*abc))))

    def compare(self, sign: str, x: Term, y: Term) -> Term:
        """A comparison."""
        f = COMPARE[sign]
        return Term(f"({x.code} {sign} {y.code})", "truth", lambda *abc: np.asarray(f(x.model(*abc), y.model(*abc))))

    def call(self, function: str, x: Term, y: Term) -> Term:
        """min, max, fmin or fmax."""
        f = _CALLS[function]
        return Term(f"{function}({x.code}, {y.code})", x.type, lambda *abc: np.asarray(f(x.model(*abc), y.model(*abc))))

    def fused(self, x: Term, y: Term, z: Term) -> Term:
        """mad of numbers whose product is exact."""
        parts = (x.model, y.model, z.model)

        def model(*abc: Array) -> Array:
            p, q, r = (f(*abc) for f in parts)
            return np.asarray(p * q + r)

        return Term(f"mad({x.code}, {y.code}, {z.code})", x.type, model)

    def apply(self, text: str, x: Term, f: Model) -> Term:
        """A text with one operand, whose place in `text` is a pair of braces."""
        return Term(text.format(x.code), x.type, lambda *abc: np.asarray(f(x.model(*abc))))

    def negative(self, x: Term) -> Term:
        """The operator -."""
        return self.apply("(-{})" if self.real or not self.signed else "AS_T(-AS_U({}))", x, np.negative)

    def ask(self, text: str, x: Term, f: Model) -> Term:
        """A truth value about one operand."""
        return Term(text.format(x.code), "truth", lambda *abc: np.asarray(f(x.model(*abc))))

    def inverse(self, x: Term) -> Term:
        """The operator ~, or ! for a truth value."""
        return self.apply("!{}" if x.type == "truth" else "~{}", x, np.invert)

    def absolute(self, x: Term) -> Term:
        """The builtin abs, whose unsigned result is converted to T; or fabs."""
        return self.apply("fabs({})" if self.real else "AS_T(abs({}))", x, np.abs)

    def binary(self, *names: str) -> list[Callable[[Term, Term], Term]]:
        """Operators and functions of two operands, by name."""
        return [functools.partial(self.call if name in _CALLS else self.do, name) for name in names]

    def choose(self, p: Term, x: Term, y: Term) -> Term:
        """p ? x : y."""
        return Term(
            f"({p.code} ? {x.code} : {y.code})", x.type, lambda *abc: np.where(p.model(*abc), x.model(*abc), y.model(*abc))
        )

    def join(self, sign: str, p: Term, q: Term) -> Term:
        """Truth values, joined by &, | or ^."""
        f = _PLAIN[sign]
        return Term(f"({p.code} {sign} {q.code})", "truth", lambda *abc: np.asarray(f(p.model(*abc), q.model(*abc))))

    def number(self, p: Term) -> Term:
        """A truth value as 0 or 1."""
        dtype = np_type(self.name)
        code = f"(T){p.code}" if self.width == 1 else f"(AS_T({p.code}) & (T)1)"
        return Term(code, self.name, lambda *abc: p.model(*abc).astype(dtype))

    def mask(self, p: Term) -> Term:
        """A truth value as no bits or all bits."""
        dtype = np_type(self.name)
        code = f"(-(T){p.code})" if self.width == 1 else f"AS_T({p.code})"
        return Term(code, self.name, lambda *abc: np.negative(p.model(*abc).astype(dtype)))

    def cast(self, name: str, x: Term) -> Term:
        """A conversion to another type with as many components, between integers or of numbers that the type can hold."""
        dtype = np_type(name)
        code = f"({name}){x.code}" if self.width == 1 else f"convert_{name}{self.width}({x.code})"
        return Term(code, name, lambda *abc: np.asarray(x.model(*abc)).astype(dtype))
