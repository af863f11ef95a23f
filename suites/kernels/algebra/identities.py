"""Identities of integer operators, as products of operators, forms and constants.

Each kind stands for a class of rules by which compilers replace two or three operators by fewer. A rule that checks too
little (a range, a sign, a width, which operand is which) is wrong only for some operands, at the ends of the range.
"""

import itertools
from collections.abc import Callable, Iterator

from ..kit.scalar import COMPARE, np_type
from . import alike, conversions, reals
from .terms import Expression, Term, Terms

_LIMITS = ("min", "max")
_SWAP = {"min": "max", "max": "min"}


def _ends(k: Terms) -> list[int]:
    """Numbers at which rules about a type change: both ends, and those around zero."""
    top = 1 << (k.bits - 1)
    return [0, 1, -1, top - 1, top]


def clamped(k: Terms) -> Iterator[Term]:
    """min and max of each other, and compared with their operands."""
    a, b, c = (k.value(x) for x in "abc")
    for f, g in itertools.product(_LIMITS, repeat=2):
        yield k.call(f, k.call(g, a, b), a)
        yield k.call(f, b, k.call(g, a, b))
        yield k.call(f, k.call(g, a, b), k.call(g, a, c))
        yield k.call(f, k.call(f, k.call(g, a, b), c), a)
        yield k.call(f, k.call(g, k.call(f, k.call(g, a, b), c), b), c)
    for f, end in itertools.product(_LIMITS, _ends(k)):
        yield k.call(f, a, k.constant(end))
        yield k.call(f, k.call(_SWAP[f], a, k.constant(end)), k.constant(1))
    for f, sign in itertools.product(_LIMITS, COMPARE):
        yield k.compare(sign, a, k.call(f, b, a))
        yield k.compare(sign, k.call(f, a, b), a)
        for one, two in ((3, 5), (5, 3), (4, 4), (-1, 3), (3, -1)):
            yield k.compare(sign, k.constant(one), k.call(f, k.constant(two), a))
            yield k.compare(sign, k.call(f, a, k.constant(one)), k.constant(two))
        yield k.compare(sign, a, k.do("&", b, a))
        yield k.compare(sign, k.do("|", a, b), a)
    for f, bit in itertools.product(_LIMITS, (1, 4, 1 << (k.bits - 1))):
        yield k.call(f, k.do("&", a, k.constant(bit)), k.do("&", b, k.constant(bit)))
    for end in (0x78, 0x77, 0x70, 0x3C, 8):
        yield k.call("min", k.do("<<", k.do("&", a, k.constant(15)), k.constant(3)), k.constant(end))
    yield k.call("min", k.call("max", a, k.constant(0)), k.constant(0x7F))


def distributed(k: Terms) -> Iterator[Term]:
    """An operator on both sides of a choice, on one side, or on the chosen value."""
    a, b, c = (k.value(x) for x in "abc")
    p = k.compare("<", a, b)
    three, five = k.constant(3), k.constant(5)
    for f in k.binary("+", "-", "*", "&", "|", "^", *_LIMITS):
        yield k.choose(p, f(c, a), f(c, b))
        yield k.choose(p, f(a, c), f(b, c))
        yield k.choose(p, f(c, a), f(b, c))
        yield k.choose(p, f(c, three), f(c, five))
        yield k.choose(p, f(c, three), f(c, a))
        yield k.choose(p, c, f(c, a))
        yield f(k.choose(p, three, a), five)
        yield f(k.choose(p, a, three), five)
        yield f(k.choose(p, three, five), c)
        yield f(k.choose(p, a, c), k.choose(p, c, b))
    for sign, end, sides in itertools.product(COMPARE, (2, 3, 4, 5, 6), (True, False)):
        chosen = k.choose(p, three, five)
        yield k.compare(sign, chosen, k.constant(end)) if sides else k.compare(sign, k.constant(end), chosen)
    for g in (k.negative, k.inverse, *([k.absolute] if k.signed else [])):
        yield k.choose(p, g(a), g(c))
        yield g(k.choose(p, three, k.constant(-5)))
    for one, two in itertools.permutations((0, 1, -1, 7), 2):
        yield k.choose(p, k.constant(one), k.constant(two))
        yield k.choose(k.inverse(p), k.constant(one), c)
        yield k.do("&", k.choose(p, k.constant(one), k.constant(two)), c)


def truths(k: Terms) -> Iterator[Term]:
    """Truth values as numbers and as masks."""
    a, b, c = (k.value(x) for x in "abc")
    p, q = k.compare("<", a, b), k.compare("<", b, c)
    for form in (k.number, k.mask):
        for sign in ("&", "|", "^", "+", "-", "*"):
            yield k.do(sign, form(p), form(q))
            yield k.do(sign, form(p), c)
        for f in _LIMITS:
            yield k.call(f, form(p), form(q))
            yield k.compare("!=", k.call(f, form(p), c), k.constant(0))
        for sign in COMPARE:
            yield k.compare(sign, form(p), form(q))
            for end in (0, 1, -1):
                yield k.compare(sign, form(p), k.constant(end))
        yield k.do("|", form(p), k.do("&", c, k.constant(1)))
        yield k.do("&", form(p), k.do("&", c, k.constant(1)))
        yield k.do("&", form(p), k.constant(1))
        yield k.choose(p, form(q), k.constant(0))
        yield k.choose(p, k.constant(0), form(q))
        yield k.choose(p, form(q), form(k.compare("==", a, c)))
    for sign, negated in itertools.product(("&", "|", "^"), (False, True)):
        yield k.join(sign, p, k.inverse(q) if negated else q)
        yield k.join(sign, p, k.inverse(p) if negated else p)
    for bit, count, sign in itertools.product((1, 4, 1 << (k.bits - 1)), (0, 1, 2, 5), ("!=", "==")):
        set_ = k.compare(sign, k.do("&", a, k.constant(bit)), k.constant(0 if sign == "!=" else bit))
        yield k.do("<<", k.number(set_), k.constant(count))
    for count in range(1, 5):  # a == 0 || a == 1 || ...
        chain = k.compare("==", a, k.constant(0))
        for n in range(1, count):
            chain = k.join("|", chain, k.compare("==", a, k.constant(n)))
        yield chain
    yield from reals.paired(k)
    for sign, other in itertools.product(("==", "!="), repeat=2):
        zero = k.compare(sign, a, k.constant(0))
        for join in ("&", "|"):
            yield k.join(join, zero, k.compare(other, b, k.constant(0)))


def signs(k: Terms) -> Iterator[Term]:
    """The sign bit, and comparisons of values with a known sign or a known bound."""
    a, b = k.value("a"), k.value("b")
    top, last = k.constant(1 << (k.bits - 1)), k.constant(k.bits - 1)
    for sign in COMPARE:
        yield k.compare(sign, k.do("&", a, top), k.constant(0))
        yield k.compare(sign, k.do("&", a, top), top)
        for end in (0, 1, -1):
            yield k.compare(sign, k.do(">>", a, last), k.constant(end))
    yield k.do("&", a, k.inverse(k.do(">>", a, last)))
    yield k.do("|", a, k.do(">>", a, last))
    yield k.do("-", k.do("^", a, k.do(">>", a, last)), k.do(">>", a, last))
    if k.signed:
        for n in (1, k.bits - 1):
            moved = k.do(">>", a, k.constant(n))
            yield k.choose(k.compare("<", a, k.constant(0)), k.negative(moved), moved)
            yield k.absolute(k.do(">>", k.absolute(a), k.constant(n)))
        yield k.absolute(k.negative(a))
        yield k.compare("==", k.absolute(a), k.constant(0))
        yield k.compare(">=", k.absolute(a), k.constant(0))
    bounded = [
        k.do("&", a, k.constant(15)),
        k.do("<<", k.do("&", a, k.constant(3)), k.constant(2)),
        k.do("&", k.do(">>", a, k.constant(k.bits - 4)), k.constant(15)),
        k.do("+", k.do("&", a, k.constant(7)), k.do("&", b, k.constant(8))),
        k.do("*", k.do("&", a, k.constant(3)), k.do("&", b, k.constant(5))),
        k.do("|", k.do("&", a, k.constant(12)), k.do("&", b, k.constant(3))),
        k.call("min", k.do("&", a, k.constant(31)), k.constant(15)),
        k.choose(k.compare("<", a, b), k.constant(15), k.constant(7)),
    ]
    for term, sign, end in itertools.product(bounded, COMPARE, (0, 15)):
        yield k.compare(sign, term, k.constant(end))


def reassociated(k: Terms) -> Iterator[Term]:
    """Constants in two places, which compilers combine."""
    a, b, c = (k.value(x) for x in "abc")
    pairs = ((3, 5), (-1, 12), (1 << (k.bits - 1), 7), (4, (1 << (k.bits - 2)) + 1))
    for sign, (one, two) in itertools.product(("+", "-", "*", "&", "|", "^"), pairs):
        x, y = k.constant(one), k.constant(two)
        yield k.do(sign, x, k.do(sign, a, y))
        yield k.do(sign, x, k.do(sign, y, a))
        yield k.do(sign, k.do(sign, a, x), k.do(sign, b, y))
        yield k.do(sign, k.do(sign, a, x), b)
        yield k.do(sign, k.do(sign, a, b), y)
        yield k.compare("==", k.do(sign, a, x), y)
    for f, (one, two) in itertools.product(_LIMITS, pairs):
        yield k.call(f, k.constant(one), k.call(f, a, k.constant(two)))
    for (one, two), n in itertools.product(pairs, (1, 3, k.bits - 1)):
        x, y, count = k.constant(one), k.constant(two), k.constant(n)
        yield k.do("<<", k.do("+", k.do("*", a, x), y), count)
        yield k.do("<<", k.do("*", a, x), count)
        yield k.do("*", k.do("<<", a, count), x)
        yield k.do("<<", k.do("+", k.do("+", a, x), b), count)
        yield k.do("+", k.do("<<", a, count), k.do("<<", a, k.constant(1)))
    for one, two in pairs:
        x, y = k.constant(one), k.constant(two)
        yield k.do("*", k.do("+", k.do("+", a, x), b), y)
        yield k.do("+", k.do("*", a, x), k.do("*", a, y))
        yield k.do("-", k.do("*", a, x), a)
        yield k.do("-", x, k.do("-", y, a))
        yield k.do("|", k.do("&", a, x), k.do("|", b, k.do("&", a, y)))
        yield k.do("&", k.do("|", a, x), y)
        yield k.do("|", k.do("&", a, x), y)
        yield k.do("^", k.do("^", a, x), k.do("^", c, x))
    for n in range(k.bits):
        yield k.do("*", a, k.constant(1 << n))
        yield k.do("*", k.constant(-(1 << n)), a)


def factors(k: Terms) -> Iterator[Term]:
    """Products with numbers of two bits, and with powers of two of either sign, at the ends and the middle of the type."""
    a, b = k.value("a"), k.value("b")
    top = k.bits - 1
    for n in dict.fromkeys((0, 1, 3, k.bits // 2 - 1, k.bits // 2, top - 1, top)):
        yield k.do("*", a, k.constant(1 << n))
        yield k.do("*", k.constant(-(1 << n)), b)
        if n < top:
            yield k.do("*", a, k.constant(1 << top | 1 << n))
        yield k.compare("==", k.do("*", b, k.constant(1 << n)), k.constant(0))


def truncated(k: Terms) -> Iterator[Term]:
    """A constant before a conversion to a narrower type, behind it, or both: with bits of the narrow type, and others."""
    a = k.value("a")
    sizes = {name: 8 * np_type(name).itemsize for name in ("char", "uchar", "short", "ushort", "int", "uint")}
    for name, size in sizes.items():
        if size >= k.bits:
            continue
        low = (1 << size) - 1
        for sign, inside in itertools.product(("&", "|", "^"), (0x5A5A5A5A & low, 1 << (size - 1), low)):
            mask = k.constant(inside | 3 << size)
            yield k.cast(k.name, k.cast(name, k.do(sign, a, mask)))
            yield k.do(sign, k.cast(k.name, k.cast(name, a)), mask)
            yield k.do("&", k.cast(k.name, k.cast(name, k.do(sign, a, mask))), k.constant(low << 1))


def counted(k: Terms) -> Iterator[Term]:
    """Shift counts that are masked, chosen or differences; single bits; and bits that are shifted together again."""
    a, b, c = (k.value(x) for x in "abc")
    last, places = k.bits - 1, k.bits.bit_length() - 1
    masks = [k.do("&", b, k.constant(mask)) for mask in (last, last >> 1, last - 1, 1)]
    masks += [
        k.do("<<", k.do("&", b, k.constant(m)), k.constant(n))
        for m, n in ((1, places - 1), (1, places - 2), (3, places - 2))
    ]
    masks += [k.do("-", k.constant(last), k.do("&", b, k.constant(last)))]
    for count, sign in itertools.product(masks, ("<<", ">>")):
        yield k.do(sign, a, count)
    count = masks[0]
    one = k.do("<<", k.constant(1), count)
    for sign, other in itertools.product(("<<", ">>"), ("==", "!=")):
        moved = k.do(sign, a, count)
        none = k.compare(other, count, k.constant(0))
        yield k.choose(none, a, moved) if other == "==" else k.choose(none, moved, a)
        yield k.choose(none, c, moved) if other == "==" else k.choose(none, moved, c)
    for sign in ("==", "!="):
        yield k.compare(sign, k.do("&", a, one), k.constant(0))
        yield k.compare(sign, k.do("&", a, one), one)
    yield k.do("&", a, k.inverse(one))
    yield k.do("-", one, k.constant(1))
    yield k.do("&", k.do(">>", a, count), k.constant(1))
    unsigned = not k.signed
    for n in (1, 8, k.bits // 2, k.bits - 8, last):
        left, right = k.do("<<", a, k.constant(n % k.bits)), k.do(">>", a, k.constant((k.bits - n) % k.bits))
        if unsigned:
            for sign in ("|", "^", "+"):
                yield k.do(sign, left, right)
            yield k.do("|", k.do("<<", c, k.constant(n % k.bits)), right)
    for n in (1, 3, k.bits // 2):
        for sign, other in itertools.product(("<<", ">>"), ("&", "|", "^", "+")):
            yield k.do(other, k.do(sign, a, k.constant(n)), k.do(sign, c, k.constant(n)))
        yield k.do("<<", k.do(">>", a, k.constant(n)), k.constant(n))
        yield k.do(">>", k.do("<<", a, k.constant(n)), k.constant(n))
    for first, second in itertools.product(range(0, k.bits, 8), repeat=2):  # a byte from one place to another
        if k.bits <= 32 or abs(first - second) in (0, 8, k.bits // 2):
            byte = k.do("&", k.do(">>", a, k.constant(first)), k.constant(0xFF))
            yield k.do("<<", byte, k.constant(second))
            yield k.do("|", k.do("<<", byte, k.constant(second)), k.do("&", b, k.inverse(k.constant(0xFF << second))))


#: The generators of kinds of `table.KINDS`.
IDENTITIES: dict[str, Callable[[Terms], Iterator[Term]]] = {
    "alike": alike.alike,
    "tested": alike.tested,
    "clamped": clamped,
    "distributed": distributed,
    "truths": truths,
    "signs": signs,
    "reassociated": reassociated,
    "counted": counted,
    "factors": factors,
    "truncated": truncated,
    "widened": conversions.widened,
    "chained": conversions.chained,
    "halves": conversions.halves,
    "multiples": conversions.multiples,
    "limited": conversions.limited,
    "exact": reals.exact,
    "unordered": reals.unordered,
    "ranged": reals.ranged,
    "infinite": reals.infinite,
    "infinite_products": lambda k: reals.infinite(k, "*"),
}


def lines(kind: str, terms: Terms) -> Iterator[Expression]:
    """The expressions of a kind."""
    for term in IDENTITIES[kind](terms):
        yield term.line()
