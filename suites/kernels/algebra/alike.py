"""Operations that differ only in a type or a sign: a compiler may take one for the other."""

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from ..kit.floating import Array
from ..kit.integers import bounds
from ..kit.scalar import COMPARE, np_type
from .terms import Term, Terms

Rule = Callable[[int, int, int, int], int]  # of x, y, and the least and the largest value of their type

_RULES: dict[str, Rule] = {
    "min({}, {})": lambda x, y, low, high: min(x, y),
    "max({}, {})": lambda x, y, low, high: max(x, y),
    "mul_hi({}, {})": lambda x, y, low, high: (x * y) >> (high - low).bit_length(),
    "hadd({}, {})": lambda x, y, low, high: (x + y) >> 1,
    "rhadd({}, {})": lambda x, y, low, high: (x + y + 1) >> 1,
    "add_sat({}, {})": lambda x, y, low, high: min(max(x + y, low), high),
    "abs_diff({}, {})": lambda x, y, low, high: abs(x - y),
    "({} >> (Q)3)": lambda x, y, low, high: x >> 3,
    "({} / (Q)7)": lambda x, y, low, high: (abs(x) // 7) * (1 if x > 0 else -1),
    "({} % (Q)7)": lambda x, y, low, high: (abs(x) % 7) * (1 if x > 0 else -1),
}


def _integers(k: Terms) -> Iterator[Term]:
    """Each builtin and operator on the operands, and on the same bits as unsigned numbers."""
    signed, unsigned = np_type(k.name), np_type(f"u{k.name}")
    for (text, rule), plain in itertools.product(_RULES.items(), (True, False)):

        def model(a: Array, b: Array, _c: Array, rule: Rule = rule, plain: bool = plain) -> Array:
            ends = bounds(k.name if plain else f"u{k.name}")
            pairs = zip(*(x.tolist() if plain else x.view(unsigned).tolist() for x in (a, b)), strict=True)
            return np.array([rule(x, y, *ends) % 2**k.bits for x, y in pairs], unsigned).view(signed)

        operands = ("a", "b") if plain else ("AS_U(a)", "AS_U(b)")
        yield Term(f"AS_T({text.format(*operands).replace('Q', 'T' if plain else 'U')})", k.name, model)
    a, b = k.value("a"), k.value("b")
    for (sign, f), (x, y) in itertools.product(COMPARE.items(), ((a, b), (b, a), (a, k.constant(3)))):
        yield k.compare(sign, x, y)
        yield Term(
            f"(AS_U({x.code}) {sign} AS_U({y.code}))",
            "truth",
            lambda *abc, f=f, x=x, y=y: f(x.model(*abc).view(unsigned), y.model(*abc).view(unsigned)),
        )
    for sign, one, two in itertools.product("+-*", (a, k.negative(a), k.inverse(a)), (b, k.constant(3), k.constant(-3))):
        yield k.do(sign, one, two)
        yield k.do(sign, two, one)


def _floats(k: Terms) -> Iterator[Term]:
    """Products with constants of either sign, and conversions to types of the same size."""
    a, b, c = (k.value(x) for x in "abc")
    for number in (3, 5, 1.5):
        for x, y in itertools.product((a, k.negative(a), k.absolute(a)), (k.constant(number), k.constant(-number))):
            yield k.do("*", x, y)
            yield k.negative(k.do("*", x, y))
            yield k.fused(x, y, b)
            yield k.fused(x, y, k.negative(b))
            yield k.call("fmin", k.call("fmax", k.do("*", x, y), k.constant(0)), k.constant(1))
    for x, y in itertools.product((a, k.negative(a)), (b, k.negative(b))):
        yield k.do("*", x, y)
        yield k.fused(x, y, c)
        yield k.fused(y, c, x)
    modes: dict[str, Callable[[float], float]] = {"": math.trunc, "_rte": round, "_rtp": math.ceil, "_rtn": math.floor}
    for (mode, f), name in itertools.product(modes.items(), ("int", "uint", "short", "ushort")):
        known = k.compare("<=", k.constant(0), a) if name.startswith("u") else None

        def model(a: Array, _b: Array, _c: Array, f: Callable[[float], float] = f) -> Array:
            return np.array([f(x) for x in a.tolist()]).astype(a.dtype)

        converted = Term(f"(T)convert_{name}{mode}(a)", k.name, model)
        yield k.choose(known, converted, c) if known else converted


def alike(k: Terms) -> Iterator[Term]:
    """The terms of a floating or a signed integer type; narrow vectors have faults of their own, see the area integer."""
    yield from (_floats if k.real else _integers)(k)
    if k.width == 1 and k.bits == 32:  # a truth value as a 1 of either type
        for sign, (one, two) in itertools.product(COMPARE, itertools.permutations("abc", 2)):
            p = k.compare(sign, k.value(one), k.value(two))
            yield k.number(p)
            yield Term(
                f"as_{k.name}((float){p.code})" if not k.real else f"as_float((int){p.code})",
                k.name,
                lambda *abc, p=p: p.model(*abc).astype(np.int32 if k.real else np.float32).view(np_type(k.name)),
            )


def tested(k: Terms) -> Iterator[Term]:
    """A result, and choices by its comparison with zero and with its operands.

    One instruction may compute the result and set a flag. Then the flag must be for this type, sign and operand, for the
    value before or after a saturation, and must not be overwritten before its use.
    """
    a, b, c, zero, three = k.value("a"), k.value("b"), k.value("c"), k.constant(0), k.constant(3)
    results = [k.do(sign, x, y) for sign, (x, y) in itertools.product("+-*", ((a, b), (b, a), (a, three)))]
    if k.real:
        saturated = [k.call("fmin", k.call("fmax", x, zero), k.constant(1)) for x in results[:2]]
        results += [k.fused(a, b, c), k.call("fmin", a, b), *saturated]
    else:
        results += [k.do(sign, a, b) for sign in "&|^"]
        results += [k.do(sign, a, three) for sign in ("<<", ">>")]
        results += [k.call("min", a, b), k.inverse(a), k.negative(a)]
        results += [k.cast(k.name, k.cast(name, a)) for name in ("short", "ushort", "uchar") if k.width == 1 and k.bits > 16]
    for result in results:
        yield result
        for sign in COMPARE:
            yield k.choose(k.compare(sign, result, zero), a, b)
            if k.real:
                yield k.choose(k.compare(sign, k.negative(result), zero), c, a)
                yield k.choose(k.compare(sign, k.absolute(result), three), b, result)
        yield k.choose(k.compare("<", a, b), result, k.negative(result))
