"""Identities of floating operators: on numbers for which every step is exact, and on all numbers, with NaN and infinity."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from ..kit.floating import Array
from ..kit.scalar import COMPARE
from .terms import Model, Term, Terms

_LIMITS = ("fmin", "fmax")
_ROUNDINGS: dict[str, Model] = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint}


def _forms(k: Terms, x: Term) -> list[Term]:
    """A value, its negative, its absolute value, and the negative of that."""
    return [x, k.negative(x), k.absolute(x), k.negative(k.absolute(x))]


def exact(k: Terms) -> Iterator[Term]:
    """Arithmetic on a few small numbers. All results are exact, so that the order of steps does not matter."""
    a, b, c = (k.value(x) for x in "abc")
    for number, sign in itertools.product((0, 1, -1, 2, -2, 0.5), ("+", "-", "*")):
        yield k.do(sign, a, k.constant(number))
        yield k.do(sign, k.constant(number), a)
        yield k.negative(k.do(sign, k.negative(a), k.constant(number)))
    for x, y, sign in itertools.product(_forms(k, a), _forms(k, b), ("+", "-", "*")):
        yield k.do(sign, x, y)
    for sign, g in itertools.product(("+", "-", "*"), (k.negative, k.absolute)):
        yield g(k.do(sign, a, b))
        yield k.do("+", g(k.do(sign, a, b)), c)
        yield k.do("-", c, g(k.do(sign, a, b)))
    yield from _sums(k, a, b, c)
    yield from _chosen(k, a, b, c)
    yield from _rounded(k, a, b)


def _sums(k: Terms, a: Term, b: Term, c: Term) -> Iterator[Term]:
    one, zero = k.constant(1), k.constant(0)
    for x, y, z in itertools.product(
        (a, k.negative(a), one, k.constant(-1), zero), (b, k.negative(b)), (c, k.negative(c), zero)
    ):
        yield k.fused(x, y, z)
        yield k.do("+", k.do("*", x, y), z)
        yield k.do("-", k.do("*", x, y), z)
    for first, second in itertools.product(("+", "-"), repeat=2):
        yield k.do(second, k.do(first, a, b), b)
        yield k.do(second, b, k.do(first, a, b))
        yield k.do(second, k.do(first, a, k.constant(3)), k.constant(5))
        yield k.do(second, k.constant(3), k.do(first, k.constant(5), a))
        yield k.do(second, k.do("*", a, b), k.do("*", a, c))
        yield k.do(second, k.do(first, a, k.constant(3)), b)
        yield k.do("*", k.do(first, a, k.constant(3)), k.constant(2))
    yield k.do("*", k.do("*", a, k.constant(3)), k.constant(0.5))
    yield k.do("*", k.do("*", a, k.constant(3)), b)
    for sign in COMPARE:
        yield k.compare(sign, k.do("+", a, b), zero)
        yield k.compare(sign, k.negative(k.do("+", a, b)), zero)
        yield k.compare(sign, zero, k.do("-", a, b))
        yield k.compare(sign, k.do("+", a, b), a)
        for number in (1, -0.5):
            yield k.compare(sign, k.do("+", a, k.constant(3)), k.constant(number))
            yield k.compare(sign, k.negative(k.do("+", a, k.constant(3))), k.constant(number))
    for f in _LIMITS:
        yield k.call(f, k.do("+", a, k.constant(3)), k.do("+", b, k.constant(3)))
        yield k.negative(k.call(f, a, b))
        yield k.call(f, k.negative(k.call(f, a, b)), b)
        yield k.call(f, k.negative(k.call("fmin" if f == "fmax" else "fmax", a, b)), b)


def _chosen(k: Terms, a: Term, b: Term, c: Term) -> Iterator[Term]:
    p, q = k.compare("<", a, b), k.compare("<", b, c)
    for f in k.binary("+", "-", "*", *_LIMITS):
        yield k.choose(p, f(c, a), f(c, b))
        yield k.choose(p, f(a, c), f(b, c))
        yield k.choose(p, f(c, k.constant(3)), f(c, a))
        yield f(k.choose(p, k.constant(3), a), k.constant(0.5))
        yield f(k.choose(p, k.constant(1), k.constant(-1)), c)
        yield f(k.choose(p, k.constant(-1), k.constant(1)), c)
        yield f(k.number(p), k.number(q))
        yield f(k.number(p), k.constant(0.5))
        yield k.compare("!=", f(k.number(p), k.number(q)), k.constant(0))
        yield k.compare("==", f(k.number(p), k.number(q)), k.constant(0))
        yield k.compare("<", k.constant(0), f(k.number(p), k.number(q)))
        yield k.compare(">=", k.negative(f(k.number(p), k.number(q))), k.constant(0))
    for g in (k.negative, k.absolute):
        yield k.choose(p, g(a), g(c))
        yield k.choose(p, g(a), a)
        yield g(k.choose(p, k.negative(a), a))
        yield g(k.choose(p, k.constant(3), k.constant(-5)))
    for one, two in itertools.permutations((0, 1, -1, 3), 2):
        yield k.choose(p, k.constant(one), k.constant(two))
    for sign, end in itertools.product(COMPARE, (2, 3, 4, 5, 6)):
        yield k.compare(sign, k.choose(p, k.constant(3), k.constant(5)), k.constant(end))
        yield k.compare(sign, k.number(p), k.constant(end - 3))
        yield k.compare(sign, k.negative(k.number(p)), k.negative(k.number(q)))
        yield k.compare(sign, k.number(p), k.negative(k.number(q)))
    for other in (k.number(q), k.constant(1), k.constant(0)):
        yield k.compare("!=", k.choose(p, other, k.number(q)), k.constant(0))
        yield k.compare("==", k.choose(p, k.number(q), other), k.constant(0))


def _rounded(k: Terms, a: Term, b: Term) -> Iterator[Term]:
    for (name, f), (other, g) in itertools.product(_ROUNDINGS.items(), repeat=2):
        inner = k.apply(f"{name}({{}})", a, f)
        yield k.apply(f"{other}({{}})", inner, g)
        yield k.apply(f"{other}({{}})", k.negative(inner), g)
        yield k.apply(f"{other}({{}})", k.do("+", inner, k.constant(0.5)), g)
    for name, f in _ROUNDINGS.items():
        inner = k.apply(f"{name}({{}})", a, f)
        minus = k.apply(f"{name}({{}})", k.negative(a), f)
        yield k.do("-", a, inner)
        yield k.do("+", a, minus)
        yield k.negative(minus)
        yield k.do("+", b, k.do("-", a, inner))
        yield k.compare("==", inner, a)
        yield k.cast(k.name, k.cast("int", inner))
        yield k.apply(f"{name}({{}})", k.cast(k.name, k.cast("int", a)), f)
    one, two = (k.cast(k.name, k.cast("int", x)) for x in (a, b))  # never NaN, whatever a and b are
    for sign_of in COMPARE:
        yield k.inverse(k.compare(sign_of, one, two))
        yield k.compare(sign_of, one, one)
        yield k.compare(sign_of, k.do("*", a, a), k.negative(k.absolute(b)))
        for other in COMPARE:
            yield k.join("|", k.compare(sign_of, one, two), k.compare(other, two, one))
    for wide in ("int", "uint"):
        yield k.cast(k.name, k.cast(wide, k.number(k.compare("<", a, b))))
    sign = k.apply("sign({})", a, np.sign)
    yield k.do("*", sign, k.do("*", a, a))
    yield k.do("*", k.do("*", sign, a), a)
    yield k.do("*", sign, k.apply("floor({})", k.do("+", k.absolute(a), k.constant(0.5)), np.floor))
    for one_limit, low, high in itertools.product(_LIMITS, (0, 1, -1), (0, 1, -1)):
        other_limit = "fmin" if one_limit == "fmax" else "fmax"
        yield k.call(one_limit, k.call(other_limit, a, k.constant(high)), k.constant(low))
        product = k.negative(k.do("*", a, b))
        yield k.call(one_limit, k.call(other_limit, product, k.constant(high)), k.constant(low))


def _unordered(k: Terms, x: Term) -> list[Term]:
    """Ways to test for NaN."""
    return [k.compare("!=", x, x), k.ask("isnan({})", x, np.isnan)]


def ranged(k: Terms) -> Iterator[Term]:
    """Comparisons with zero of a result that a compiler may know from the ranges of its operands."""
    a, b, c = (k.value(x) for x in "abc")
    p = k.compare("<", b, c)
    ranges = {
        "any": a,
        "negative": k.choose(p, k.constant(-1), k.constant(-3)),
        "not positive": k.negative(k.absolute(a)),
        "positive": k.choose(p, k.constant(0.5), k.constant(2)),
        "not negative": k.absolute(b),
        "not zero": k.choose(p, k.constant(-1), k.constant(2)),
        "zero or one": k.number(p),
        "whole": k.apply("floor({})", a, np.floor),
    }
    signs = itertools.cycle(COMPARE)
    for one, two in itertools.combinations_with_replacement(ranges.values(), 2):
        results = [k.call("fmin", one, two), k.call("fmax", two, one), k.choose(k.compare("<", a, c), one, two)]
        results += [k.do("+", one, two), k.do("-", two, one), k.do("*", one, two)]
        for term in results:
            yield k.compare(next(signs), term, k.constant(0))
            yield k.compare(next(signs), k.constant(0), k.negative(term))
        next(signs)  # so that each result gets another sign with the next pair
    for term in ranges.values():
        for name, sign in itertools.product(("floor", "ceil", "trunc"), COMPARE):
            yield k.compare(sign, k.apply(f"{name}({{}})", term, _ROUNDINGS[name]), k.constant(0))
        for sign in COMPARE:
            yield k.compare(sign, k.apply("sign({})", term, _sign), k.constant(0))
        yield k.apply("floor({})", term, np.floor)
        yield k.absolute(term)


def infinite(k: Terms, signs: Sequence[str] = ("+", "-")) -> Iterator[Term]:
    """Operations on numbers that may be infinite, with each other and with finite ones: the result may be NaN or not."""
    a, b, c = (k.value(x) for x in "abc")
    p = k.compare("<", b, c)
    numbers = [k.call("fmax", a, k.constant(0)), k.call("fmin", b, k.constant(0)), k.call("fmax", b, k.constant(-1))]
    finite = [k.number(p), k.choose(p, k.constant(-1), k.constant(2))]
    pairs = (*itertools.combinations_with_replacement(numbers, 2), *itertools.product(numbers, finite))
    for n, ((one, two), sign) in enumerate(itertools.product(pairs, signs)):
        term, other = k.do(sign, one, two), k.do(sign, two, one)
        yield k.ask("isnan({})", term, np.isnan)
        if n % 2:
            yield k.call("fmax", c, term)
            yield k.compare("==", other, other)
        else:
            yield k.call("fmin", term, c)
            yield k.inverse(k.compare("<", other, k.constant(3)))


def _sign(x: Array) -> Array:
    return np.asarray(np.nan_to_num(np.sign(x)))  # 0 for a NaN (6.15.4)


def paired(k: Terms) -> Iterator[Term]:
    """Two comparisons of the same operands, joined; of both with zero; and with one of the two used again."""
    a, b, c = (k.value(x) for x in "abc")
    zero, joins = k.constant(0), itertools.cycle("&|")
    for (first, second), join in itertools.product(itertools.product(COMPARE, repeat=2), "&|"):
        p, other = k.compare(first, a, b), next(joins)
        yield k.join(join, p, k.compare(second, b, a))
        yield k.join(join, k.compare(first, a, zero), k.compare(second, b, zero))
        yield k.join(other, k.compare(first, zero, a), k.compare(second, b, zero))
        again = k.join(join, p, k.compare(second, a, c))
        yield k.choose(again, k.choose(p, a, c), b)


def unordered(k: Terms) -> Iterator[Term]:
    """Comparisons, joined with tests for NaN of forms of their operands; constants that are NaN."""
    a, b = k.value("a"), k.value("b")
    for x, y, sign in itertools.product(_forms(k, a), _forms(k, b), COMPARE):
        compared = k.compare(sign, x, y)
        yield compared
        yield k.inverse(compared)
    asked = itertools.cycle(zip(_unordered(k, a), _unordered(k, b), strict=True))
    for x, y, sign in itertools.product(_forms(k, a), _forms(k, b), COMPARE):
        nan_a, nan_b = next(asked) if sign in ("<=", ">") else (_unordered(k, a)[0], _unordered(k, b)[0])
        compared = k.compare(sign, x, y)
        yield k.join("|", compared, k.join("|", nan_a, nan_b))
        yield k.join("&", compared, k.join("&", k.inverse(nan_a), k.inverse(nan_b)))
    for x, sign, number in itertools.product(_forms(k, a), COMPARE, (0, 0.5)):
        (nan_a, _), compared = next(asked), k.compare(sign, x, k.constant(number))
        yield k.join("|", compared, nan_a)
        yield k.join("&", compared, k.inverse(nan_a))
    for sign in COMPARE:
        total = k.do("+", k.number(k.compare("<", a, b)), a)
        yield k.compare(sign, total, k.constant(0))
        yield k.compare(sign, k.negative(total), k.constant(0))
    for x, sign, number in itertools.product(_forms(k, a), COMPARE, (0, 1, -1, float("nan"))):
        yield k.compare(sign, x, k.constant(number))
        yield k.compare(sign, k.constant(number), x)
    yield from paired(k)
    for f, sign in itertools.product(_LIMITS, COMPARE):
        yield k.compare(sign, a, k.call(f, b, a))
        yield k.compare(sign, k.call(f, a, b), a)
        yield k.compare(sign, k.call(f, a, b), k.constant(0.5))
        yield k.compare(sign, k.constant(0.5), k.call(f, k.constant(1), a))
    for f in _LIMITS:
        yield k.call(f, a, k.constant(float("nan")))
        yield k.call(f, k.call(f, a, b), b)
    for sign in ("+", "-", "*"):
        yield k.do(sign, a, k.constant(float("nan")))
    for text, g in _QUESTIONS.items():
        yield k.ask(text, a, g)
        yield k.join("&", k.ask(text, a, g), k.compare("<", a, b))
        yield k.join("|", k.ask(text, a, g), k.inverse(k.compare("<", a, b)))
        yield k.inverse(k.ask(text, k.absolute(a), g))


def _is_normal(x: Array) -> Array:
    return np.asarray(np.isfinite(x) & (np.abs(x) >= np.finfo(x.dtype).tiny))


_QUESTIONS: dict[str, Model] = {
    "isfinite({})": np.isfinite,
    "isinf({})": np.isinf,
    "isnormal({})": _is_normal,
    "signbit({})": np.signbit,
}
