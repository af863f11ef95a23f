"""Values in other types: compared in wider types, split into halves and bytes and put together again."""

import itertools
from collections.abc import Iterator

import numpy as np

from ..kit.scalar import COMPARE, INTEGERS, np_type
from .terms import Term, Terms

_WIDER = ("int", "uint", "long", "ulong")  # shorter ones are promoted
_FLOATS = ("half", "float", "double")


def _bits(name: str) -> int:
    return 8 * np_type(name).itemsize


def widened(k: Terms) -> Iterator[Term]:
    """Comparisons of values from narrower types, with each other and with numbers that the narrow type does not have."""
    a, b = k.value("a"), k.value("b")
    types = _FLOATS if k.real else _WIDER
    for name in (name for name in types if _bits(name) > k.bits):
        alike = [p for p in (_FLOATS if k.real else INTEGERS) if p.startswith("u") == k.name.startswith("u")]
        others = [k.cast(name, b), *(k.cast(name, k.cast(p, b)) for p in alike if _bits(p) < k.bits)]
        for sign, other in itertools.product(COMPARE, others):
            yield k.compare(sign, k.cast(name, a), other)
            yield k.compare(sign, other, k.cast(name, a))
        if k.real:
            continue
        half = 1 << (k.bits - 1)
        ends = (0, -half - 1, -half, half - 1, half) if k.signed else (0, -1, 2 * half - 1, 2 * half)
        for sign, end in itertools.product(COMPARE, ends):
            yield k.compare(sign, k.cast(name, a), k.constant(end, name))
            yield k.compare(sign, k.constant(end, name), k.cast(name, a))
    if not k.real:
        zero = Term("0.0f", "float", lambda a, b, c: 0)
        for sign, wide in itertools.product(COMPARE, ("", *_WIDER)):
            if not wide or _bits(wide) > k.bits:
                yield k.compare(sign, k.cast("float", k.cast(wide, a) if wide else a), zero)
                yield k.compare(sign, zero, k.cast("float", k.cast(wide, a) if wide else a))


def halves(k: Terms) -> Iterator[Term]:
    """Halves and bytes, extracted and put together."""
    a, b, c = (k.value(x) for x in "abc")
    size = k.bits // 2
    low, zero = (1 << size) - 1, k.constant(0)
    half = {16: "uchar", 32: "ushort", 64: "uint"}[k.bits]

    def upper(x: Term) -> Term:
        return k.cast(half, k.do(">>", x, k.constant(size)))

    def pack(x: Term, y: Term) -> Term:
        return k.do("|", x, k.do("<<", y, k.constant(size)))

    parts = [k.cast(k.name, k.cast(half, x)) for x in (a, b)] + [k.cast(k.name, upper(x)) for x in (a, b)]
    for x, y in itertools.product(parts, repeat=2):
        yield pack(x, y)
        yield k.cast(k.name, k.cast(half, pack(x, y)))
        yield k.cast(k.name, upper(pack(x, y)))
    for sign, x, y in itertools.product(COMPARE, parts[::2], parts[1::2]):
        yield k.compare(sign, pack(x, zero), pack(y, zero))
        yield k.compare(sign, pack(zero, x), pack(zero, y))
        yield k.compare(sign, pack(x, zero), k.constant(low >> 1))
        yield k.compare(sign, pack(zero, x), k.constant((low >> 1) << size))
        yield k.compare(sign, a, k.constant(low))
    for sign, one, two in itertools.product(("==", "!="), (0, 1, low), (0, 3, low)):
        lower = k.compare(sign, parts[0], k.constant(one))
        yield k.join("&" if sign == "==" else "|", lower, k.compare(sign, parts[2], k.constant(two)))
    yield from _packed(k, half, parts)
    for sign in ("+", "-", "*", "&", "|", "^"):
        yield k.cast(k.name, k.cast(half, k.do(sign, a, b)))
        yield k.cast(k.name, k.cast(half, k.do(">>", k.do(sign, a, b), k.constant(size))))
    masks = (low, low << size, 0x5A, 0x5A << size, low | 0x5A << size, low << size | 0x5A)
    for sign, mask in itertools.product(("&", "|", "^"), masks):
        yield k.do(sign, a, k.constant(mask))
    yield from _bytes(k, a, b, c)


def _packed(k: Terms, half: str, parts: list[Term]) -> Iterator[Term]:
    """The same as vectors of the value's bits, which have operations of their own."""
    a, b = k.value("a"), k.value("b")
    size, low = k.bits // 2, (1 << k.bits // 2) - 1

    def vector(x: Term, y: Term) -> Term:
        model = k.do("|", x, k.do("<<", y, k.constant(size))).model
        return Term(f"AS_T(({half}2)(({half}){x.code}, ({half}){y.code}))", k.name, model)

    def part(place: str, x: Term, start: int, length: int = size) -> Term:
        kind = f"{half}2" if length == size else f"{ {16: 'ushort', 8: 'uchar'}[length] }{k.bits // length}"
        mask = k.constant((1 << length) - 1)
        model = k.do("&", k.do(">>", x, k.constant(start)), mask).model
        return Term(f"((T)as_{kind}({x.code}).{place})", k.name, model)

    zero = k.constant(0)
    for x, y in itertools.product(parts, repeat=2):
        yield vector(x, y)
    for x, y in itertools.product((a, b, k.do("^", a, b)), repeat=2):
        yield vector(part("x", x, 0), part("y", y, size))
        yield vector(part("y", x, size), part("x", y, 0))
    for length in (n for n in (16, 8) if n <= size):
        for place in range(k.bits // length):
            yield part(f"s{place}", a, place * length, length)
            yield part(f"s{place}", vector(parts[0], parts[3]), place * length, length)
    for sign in COMPARE:
        for x, y in ((vector(parts[0], zero), vector(parts[1], zero)), (vector(zero, parts[0]), vector(zero, parts[1]))):
            yield k.compare(sign, x, y)
        for end in (low >> 1, low - 1):
            for sides in (1, -1):
                yield k.compare(sign, *(vector(parts[0], zero), k.constant(end))[::sides])
                yield k.compare(sign, *(vector(zero, parts[0]), k.constant(end << size))[::sides])
    for mask in (low, low << size):
        yield part("x", k.do("&", a, k.constant(mask)), 0)
        yield part("y", k.do("&", a, k.constant(mask)), size)
    yield part("x", k.do(">>", a, k.constant(size)), 0)


def chained(k: Terms) -> Iterator[Term]:
    """An integer through double to float, and a floating number through a wider type to integers."""
    a = k.value("a")
    if k.real:
        for wide, name in itertools.product(_FLOATS, ("int", "uint", "long", "ulong", "short", "uchar")):
            if _bits(wide) > k.bits:
                whole = k.absolute(a) if name.startswith("u") else a
                yield k.cast(k.name, k.cast(name, k.cast(wide, whole)))
                yield k.cast(k.name, k.cast(wide, k.cast(name, whole)))
                yield k.cast(k.name, k.cast(name, k.apply("trunc({})", k.cast(wide, whole), np.trunc)))
        return
    for wide in _WIDER:
        if _bits(wide) >= k.bits:
            number = k.cast("float", k.cast("double", k.cast(wide, a)))
            yield Term(f"(T)as_int({number.code})", k.name, lambda *abc, f=number.model: f(*abc).view(np.int32))
            number = k.cast("float", k.cast(wide, a))
            yield Term(f"(T)as_int({number.code})", k.name, lambda *abc, f=number.model: f(*abc).view(np.int32))
            if wide.startswith("u") != k.signed:  # a type that has all numbers of this type
                yield k.cast(k.name, k.cast(wide, k.cast("double", a)))
    for narrow in ("char", "uchar", "short", "ushort"):
        number = k.cast("float", k.cast(narrow, a))
        yield Term(f"(T)as_int({number.code})", k.name, lambda *abc, f=number.model: f(*abc).view(np.int32))
        number = k.cast("double", k.cast(narrow, a))
        yield Term(f"(T)(as_long({number.code}) >> 32)", k.name, lambda *abc, f=number.model: f(*abc).view(np.int64) >> 32)


def _bytes(k: Terms, a: Term, b: Term, c: Term) -> Iterator[Term]:
    for name in ("char", "uchar", "short", "ushort"):
        mask = k.constant((1 << _bits(name)) - 1)
        narrow = [k.cast(k.name, k.cast(name, x)) for x in (a, b)]
        for sign in ("+", "-", "*", "&", "|", "^"):
            yield k.do(sign, *narrow)
            yield k.do(sign, narrow[0], b)
            yield k.do("&", k.do(sign, narrow[0], b), mask)
            yield k.do("&", k.do(sign, narrow[0], b), k.do("|", mask, k.do("+", mask, k.constant(1))))
            yield k.cast(k.name, k.cast(name, k.do(sign, *narrow)))
        chosen = k.choose(k.compare("<", b, c), narrow[0], b)
        yield chosen
        yield k.do("&", chosen, mask)
        yield k.cast(k.name, k.cast(name, k.do("&", a, mask)))
        yield k.cast(k.name, k.cast(name, k.do("&", a, k.do(">>", mask, k.constant(1)))))
        for start in range(0, k.bits, 8):
            moved = k.cast(k.name, k.cast(name, k.do(">>", a, k.constant(start))))
            yield moved
            yield k.do("&", moved, k.cast(k.name, k.cast(name, k.do(">>", b, k.constant(start)))))
            yield k.compare("==", k.do("&", moved, k.constant(0x81)), k.constant(0))
    for start in range(0, k.bits, 8):
        mask = k.constant(0xFF << start)
        yield k.do(">>", k.do("&", a, mask), k.constant(start))
        yield k.do("&", k.do("<<", a, k.constant(start)), mask)
        yield k.do(">>", k.do("<<", a, k.constant(k.bits - 8 - start)), k.constant(k.bits - 8))
    small = [k.cast(k.name, k.cast("uchar", x)) for x in (a, b, c)]
    yield k.do("|", small[0], k.do("|", k.do("<<", small[1], k.constant(8)), k.do("<<", small[2], k.constant(k.bits - 8))))


#: Factors of 16 and 17 bits and close to them, or with only a high half; with two factors of 16 bits, three primes, none.
_MULTIPLES = (
    *(3, 7, -3, 0x7FFF, 0xFFFF, 0x10000, 0x10001, 0x1FFFF, 0x20000, 0x20001, 0x30000, 0x10003, 1619 * 1619, 0xFFFF * 0xFFFF),
    *(1627 * 1367 * 47, 0x12345678, 0x7FFFFFFF, 0x80000001, 0xFFFF0001, 0xFFFFFFFB, -0x10000, -0x12345, 0xFFFFFFFF),
    *(0x100000000, 0x100000001, 0x300000007, 0x123456789ABCDEF, -0x100000001, 0xFFFF_0000_0000_0001),
)


def multiples(k: Terms) -> Iterator[Term]:
    """Products with constants, and of values from narrower types: multipliers are often narrower than the type."""
    a, b = k.value("a"), k.value("b")
    for number in dict.fromkeys(n % 2**k.bits for n in _MULTIPLES):
        yield k.do("*", a, k.constant(number))
        yield k.do("+", k.do("*", k.constant(number), b), a)
    if k.width > 1:
        return
    names = [name for name in INTEGERS if _bits(name) < k.bits]
    for one in names:
        narrow = k.cast(k.name, k.cast(one, a))
        yield k.do("*", narrow, b)
        for two in names if k.bits <= 32 else [one]:  # products of 64 bits are long
            yield k.do("*", narrow, k.cast(k.name, k.cast(two, b)))
            yield k.do("-", k.do("*", k.cast(k.name, k.cast(two, b)), narrow), b)


_LIMITS = ((-0x8000, 0x7FFF), (-0x8001, 0x7FFF), (-0x8000, 0x8000), (0, 0xFFFF), (0, 0x10000), (-1, 0xFFFF), (-0xFFFF, 0))


def limited(k: Terms) -> Iterator[Term]:
    """Products with a value that a mask, a shift or a limit keeps within 16 bits, or just beyond, and with its negative."""
    a, b, c = (k.value(x) for x in "abc")
    for number in (0x7FFF, 0x8000, 0xFFFF, 0x10000, -0x8000, -0x8001):
        yield k.do("*", a, k.constant(number))
    kept: list[list[Term]] = []
    for end in (0x7FFF, 0x8000, 0xFFFF, 0x10000):
        kept.append([k.do("&", x, k.constant(end)) for x in (b, c)])
    for n in (15, 16, 17):
        kept.append([k.do(">>", x, k.constant(n)) for x in (b, c)])
    for low, high in _LIMITS if k.signed else ((0, 0x7FFF), (0, 0xFFFF), (0, 0x10000)):
        kept.append([k.call("min", k.call("max", x, k.constant(low)), k.constant(high)) for x in (b, c)])
    for one, two in kept:
        forms = [one, k.negative(one), *([k.absolute(one), k.negative(k.absolute(one))] if k.signed else [])]
        for form in forms:
            yield k.do("*", form, a)
            yield k.do("*", two, form)
