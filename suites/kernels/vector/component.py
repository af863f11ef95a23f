"""Components of vectors, read and written: .xyzw, .rgba, .sN, .lo, .hi, .even, .odd (OpenCL C 3.0, 6.3.7)."""

import itertools
from collections.abc import Iterator, Sequence

from runner.device import Device

from .sheet import Array, Expression, compare, digits

WIDTHS = (2, 3, 4, 8, 16)
PARTS = ("lo", "hi", "even", "odd")


def swizzles(width: int) -> list[tuple[int, ...]]:
    """Component lists that repeat, reverse and stride, for each width of the result."""
    lists = [[i * step + start for i in range(n)] for n in WIDTHS for start, step in ((0, -1), (1, 5), (3, 3))]
    return list(dict.fromkeys(tuple(i % width for i in one) for one in lists))


def permutations(width: int) -> list[tuple[int, ...]]:
    """Component lists without repetition, which are valid on the left of an assignment."""
    orders = [tuple(reversed(range(width))), tuple((i * 3 + 1) % width for i in range(width))]
    orders = [o for o in orders if len(set(o)) == width] + [tuple((i + 1) % width for i in range(width))]
    return list(dict.fromkeys(order[:n] for n in (1, *WIDTHS) if n <= width for order in orders))


def overwritten(width: int, left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The components of `b` after the assignment of `right` to `left`, as places in a and b."""
    places = list(range(width, 2 * width))
    for to, source in zip(left, right, strict=True):
        places[to] = source
    return places


def part(places: Sequence[int], name: str) -> list[int]:
    """One half of a vector; three components count as four (6.3.7)."""
    half = (len(places) + 1) // 2
    return {"lo": list(places[:half]), "hi": list(places[half:]), "even": list(places[::2]), "odd": list(places[1::2])}[name]


def check_swizzle(device: Device, *, type: str, width: int) -> None:
    """Read each component and some lists of them."""
    lists = [(c,) for c in range(width)] + swizzles(width)
    lines = [Expression(f"a.{digits(one)}", len(one), one) for one in lists]
    compare(device, type, width, lines)


def check_write(device: Device, *, type: str, width: int) -> None:
    """Write lists of components; the others must stay."""
    lines = []
    for left in permutations(width):
        right = tuple((c * 5 + 2) % width for c in left)
        code = f"T w = b; w.{digits(left)} = a.{digits(right)};"
        lines.append(Expression("w", width, overwritten(width, left, right), code))
    swapped = (1, 0, *range(2, width))
    lines.append(Expression("w", width, swapped, "T w = a; w.s01 = w.s10;"))
    compare(device, type, width, lines)


def check_named(device: Device, *, names: str, type: str, width: int) -> None:
    """Letters, read and written, in every list of up to two and in some longer ones."""
    few = [c for n in (1, 2) for c in itertools.product(range(width), repeat=n)]
    lists = few + [one for one in swizzles(width) if len(one) in (3, 4)]
    lines = [Expression(f"a.{''.join(names[c] for c in one)}", len(one), one) for one in lists]
    for left in permutations(width):
        right = tuple(reversed(range(len(left))))
        code = f"T w = b; w.{''.join(names[c] for c in left)} = a.{''.join(names[c] for c in right)};"
        lines.append(Expression("w", width, overwritten(width, left, right), code))
    compare(device, type, width, lines)


def check_halves(device: Device, *, type: str, width: int) -> None:
    """Read halves, and halves of halves."""
    lines = list(_halves("a", list(range(width))))
    if width == 3:  # the fourth component is undefined
        lines = [
            Expression("a.lo", 2, (0, 1)),
            Expression("a.even", 2, (0, 2)),
            Expression("a.hi.x", 1, (2,)),
            Expression("a.odd.x", 1, (1,)),
        ]
        lines += [Expression("a.lo.hi", 1, (1,)), Expression("a.even.odd", 1, (2,)), Expression("a.hi.lo", 1, (2,))]
    if width >= 4:
        lines += _halves("a.s3120", [3, 1, 2, 0])
    compare(device, type, width, lines)


def _halves(text: str, places: list[int], depth: int = 0) -> Iterator[Expression]:
    """Every half, the halves of two of them, and the halves of one of these."""
    for n, name in enumerate(PARTS):
        half = part(places, name)
        yield Expression(f"{text}.{name}", len(half), half)
        if len(half) > 1 and n in ((0, 3) if depth == 0 else (depth,)):
            yield from _halves(f"{text}.{name}", half, depth + 1)


def check_halves_write(device: Device, *, type: str, width: int) -> None:
    """Write halves, and halves of halves; the rest must stay."""
    lines = []
    for left, right in itertools.product(PARTS, PARTS):
        if width == 3 and (left in ("hi", "odd") or right in ("hi", "odd")):
            continue
        to, source = part(range(width), left), part(range(width), right)
        code = f"T w = b; w.{left} = a.{right};"
        lines.append(Expression("w", width, overwritten(width, to, source), code))
        if width >= 4 and (left < right or width < 16):
            half = "even" if left in ("hi", "lo") else "hi"
            code = f"T w = b; w.{left}.{half} = a.{right}.lo;"
            lines.append(Expression("w", width, overwritten(width, part(to, half), part(source, "lo")), code))
    if width == 3:
        lines.append(Expression("w", 3, (3, 4, 0), "T w = b; w.hi.x = a.x;"))
        lines.append(Expression("w", 3, (3, 0, 5), "T w = b; w.odd.x = a.x;"))
    lines.append(Expression("w", width, _interleaved(width), f"T w = a; {_HALVES[width == 3]}"))
    compare(device, type, width, lines)


_HALVES = ("w.lo = a.even; w.hi = a.odd;", "w.lo = a.even; w.z = a.y;")


def _interleaved(width: int) -> list[int]:
    return [*range(0, width, 2), *range(1, width, 2)]


def check_update(device: Device, *, type: str, width: int) -> None:
    """Compound assignments through swizzles and halves."""
    last, order = width - 1, digits(tuple(reversed(range(width))))
    lines = [
        Expression("w", width, lambda a, b: _at(b, [0, last], a[:, [1, 0]]), f"T w = b; w.{digits((0, last))} += a.s10;"),
        Expression("w", width, lambda a, b: _at(a, [last], a[:, [last]]), f"T w = a; w.{digits((last,))} *= 2;"),
        Expression("w", width, lambda a, b: b - a[:, ::-1], f"T w = b; w -= a.{order};"),
        Expression("w", width, lambda a, b: a + b[:, ::-1], f"T w = a; w.{order} += b;"),
        Expression("w", width, lambda a, b: _at(a, [1], b[:, [0]]), "T w = a; w.s1 += b.s0;"),
    ]
    if width != 3:
        evens = list(range(0, width, 2))
        odds = [e + 1 for e in evens]
        lines.append(Expression("w", width, lambda a, b: _at(b, odds, a[:, evens]), "T w = b; w.odd += a.even;"))
        lines.append(Expression("w", width, lambda a, b: _at(a, evens, b[:, odds]), "T w = a; w.even += b.odd;"))
    if type not in ("half", "float", "double"):
        lines.append(Expression("w", width, lambda a, b: _at(a, [1, 0], 1 + 0 * a[:, :2]), "T w = a; w.s10++;"))
        lines.append(Expression("w", width, lambda a, b: _at(a, [0], a[:, [0]] * 3), "T w = a; w.s0 <<= 2;"))
    compare(device, type, width, lines)


def _at(values: Array, places: list[int], added: Array) -> Array:
    """`values`, with `added` added to the components at `places`."""
    result = values.copy()
    result[:, places] += added
    return result
