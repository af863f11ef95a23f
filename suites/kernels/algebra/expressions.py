"""Small expressions that a compiler replaces by cheaper ones: each is a pattern of an algebraic optimisation.

Such a rule often requires that nothing else uses an intermediate result. So each expression of a kernel loads its own rows
of the input: with common operands, a compiler would merge what several expressions compute. Only the cases `shared` test
this merging: there all expressions of a kernel have the same operands, and are in random order.

One file: it is a list of expressions.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from runner import check
from runner.device import Device

from ..kit.floating import Array
from ..kit.integers import bounds
from ..kit.scalar import COMPARE, INTEGERS, np_type, pragmas
from . import identities
from .table import ALSO
from .terms import Expression, Model, Terms

_ITEMS = 64
# Rusticl compiles a kernel for the group size that it chooses, and one for all sizes; for the latter iris has all widths.
_LOCAL: tuple[tuple[list[int] | None, str], ...] = ((None, ""), ([8], ", in groups of eight"))
_LINES = 32  # in a kernel: with 64, iris needs 1.4 times as long for the same number of lines
_SHARED_LINES = 64  # if they have the same operands; a word has only 64 bits for truth values
_JOIN = {("|", "||"): np.logical_or, ("&", "&&"): np.logical_and}
_SHARED = (("a", "b", "a", "c"), ("a", "c", "b", "c"), ("a", "b", "c", "a"), ("a", "K", "a", "L"))
_NEIGHBOURS = (("a", "Z", "a", "K"), ("a", "K", "a", "Z"))  # at the end, because expectations name the lines of the others
_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 3.0, -3.0, 8.0, np.inf, -np.inf, np.nan)
_EXACT = (0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 3.0, -3.0, 8.0)
_CONSTANTS = {"Z": 0, "K": 1, "L": 3}


def _is_float(name: str) -> bool:
    return name not in INTEGERS


def _values(what: str, name: str) -> Array:
    """A few operands, so that often two are equal or one is between the others. No result overflows or is denormal."""
    if _is_float(name):
        return np.array(_EXACT if what in ("exact", "chained", "alike") else _FLOATS, np_type(name))
    low, high = bounds(name)
    if what in ("bounded", "widened", "limited"):
        return np.array(_edges(name), np_type(name))
    if what == "same":  # their sums and differences stay in the type's range
        low, high = low // 4, high // 4
    if what in ("laws", "narrowed", "masked", "shifted", *identities.IDENTITIES):
        spread = [0x5A % (high + 1), high // 3, high // 2 + 1, *((1 << n) - 1 for n in range(7, high.bit_length(), 8))]
    else:
        spread = [high // 2]
    if low < 0 and (what == "shifted" or what in identities.IDENTITIES):
        spread += [-1, -2]
    return np.array(list(dict.fromkeys((0, 1, 2, 3, 4, low, low + 1, high, high - 1, *spread))), np_type(name))


def _joined(name: str, negated: bool = False) -> Iterator[Expression]:
    """Each pair of comparisons of numbers, joined with short circuit or without."""
    signs = [*itertools.product(COMPARE, repeat=2)]
    rows = (itertools.product(signs, _JOIN.items(), shared) for shared in (_SHARED, _NEIGHBOURS))
    for n, ((first, second), (words, join), shared) in enumerate(itertools.chain(*rows)):
        p, q, r, s = (f"(T){_CONSTANTS[x]}" if x in _CONSTANTS else x for x in shared)
        one, two = f"{p} {first} {q}", f"{r} {second} {s}"

        def model(
            *abc: Array, join: Model = join, first: str = first, second: str = second, shared: tuple[str, ...] = shared
        ) -> Array:
            constant = {**dict(zip("abc", abc, strict=True)), **{k: abc[0].dtype.type(v) for k, v in _CONSTANTS.items()}}
            p, q, r, s = (constant[x] for x in shared)
            one, two = COMPARE[first](p, q), COMPARE[second](r, s)
            return np.asarray(join(~one, ~two) if negated else join(one, two))

        code = f"!({one}) {words[n % 2]} !({two})" if negated else f"({one}) {words[n % 2]} ({two})"
        yield Expression(code, model, truth=True)


_FORMS: dict[bool, dict[str, Model]] = {  # of a value, by whether its type is a floating one
    True: {"a": np.positive, "-a": np.negative, "fabs(a)": np.abs, "-fabs(a)": lambda a: -np.abs(a)},
    False: {
        "a": np.positive,
        "(T)-a": np.negative,
        "(T)abs(a)": np.abs,
        "(T)-(T)abs(a)": lambda a: -np.abs(a),
        "(T)~a": np.invert,
    },
}
_OPERATIONS: dict[bool, dict[str, Model]] = {
    True: {
        "fmin({}, {})": np.fmin,
        "fmax({}, {})": np.fmax,
        "copysign({}, {})": np.copysign,
        "({}) + ({})": np.add,
        "({}) - ({})": np.subtract,
        "({}) * ({})": np.multiply,
    },
    False: {
        "min({}, {})": np.minimum,
        "max({}, {})": np.maximum,
        "({}) + ({})": np.add,
        "({}) - ({})": np.subtract,
        "({}) & ({})": np.bitwise_and,
        "({}) | ({})": np.bitwise_or,
        "({}) ^ ({})": np.bitwise_xor,
    },
}


def _same(name: str) -> Iterator[Expression]:
    """An operation on two of these: the value, its negative, its absolute value, the negative of that."""
    forms, operations = _FORMS[_is_float(name)], _OPERATIONS[_is_float(name)]
    truths = {f"({{}}) {sign} ({{}})": compare for sign, compare in COMPARE.items()}
    for (one, f), (two, g) in itertools.product(forms.items(), repeat=2):
        for text, operation in (*operations.items(), *truths.items()):

            def model(a: Array, _b: Array, _c: Array, f: Model = f, g: Model = g, operation: Model = operation) -> Array:
                return np.asarray(operation(f(a), g(a)))

            yield Expression(text.format(one, two), model, text in truths)


def _chosen(name: str) -> Iterator[Expression]:
    """`x ? y : z`, where the comparison and the chosen values have common operands, or are 0 and 1."""
    for sign, compare in COMPARE.items():
        for left, right in (("a", "b"), ("a", "(T)0"), ("(T)1", "a")):
            operands = dict.fromkeys((left, right, "c", "(T)0", "(T)1"))
            for yes, no in itertools.permutations(operands, 2):

                def model(*abc: Array, words: Sequence[str] = (left, right, yes, no), compare: Model = compare) -> Array:
                    dtype = abc[0].dtype.type
                    constant = {**dict(zip("abc", abc, strict=True)), "(T)0": dtype(0), "(T)1": dtype(1)}
                    left, right, yes, no = (constant[w] for w in words)
                    return np.where(compare(left, right), yes, no)

                yield Expression(f"{left} {sign} {right} ? {yes} : {no}", model)


def _numbers(_: str) -> Iterator[Expression]:
    """fmin and fmax of a value that may be NaN and one that a compiler knows to be a number, in either order."""
    numbers: dict[str, Model] = {
        "(T)(int)(i % 5)": lambda b, c: (np.arange(_ITEMS) % 5).astype(b.dtype),
        "(T)(uchar)(i * 3)": lambda b, c: (np.arange(_ITEMS) * 3).astype(b.dtype),
        "sign(b)": lambda b, c: np.nan_to_num(np.sign(b)),
        "(b < c ? (T)2 : (T)-2)": lambda b, c: np.where(b < c, b.dtype.type(2), b.dtype.type(-2)),
        "(T)2": lambda b, c: np.full_like(b, 2),
    }
    for (name, call), (text, number) in itertools.product({"fmin": np.fmin, "fmax": np.fmax}.items(), numbers.items()):

        def model(a: Array, b: Array, c: Array, call: Model = call, number: Model = number) -> Array:
            return np.asarray(call(a, number(b, c)))

        yield Expression(f"{name}(a, {text})", model)
        yield Expression(f"{name}({text}, a)", model)
        yield Expression(f"{name}({name}(a, {text}), c)", lambda a, b, c, m=model, f=call: np.asarray(f(m(a, b, c), c)))


def _nested(_: str) -> Iterator[Expression]:
    """Nested choices, on one side or both, whose conditions are the same, the opposite, or different."""
    conditions: dict[str, Model] = {"a < b": lambda a, b, c: a < b, "b < c": lambda a, b, c: b < c}
    for (p, outer), (q, inner) in itertools.product(conditions.items(), repeat=2):
        for x, y, z, w in itertools.product("abc", repeat=4):
            if x == y or z == w or (p == q and (x, y) != (z, w)):
                continue

            def model(*abc: Array, words: str = x + y + z + w, outer: Model = outer, inner: Model = inner) -> Array:
                x, y, z, w = (abc["abc".index(word)] for word in words)
                return np.where(outer(*abc), np.where(inner(*abc), x, y), np.where(inner(*abc), z, w))

            yield Expression(f"{p} ? ({q} ? {x} : {y}) : ({q} ? {z} : {w})", model)
        for x, y, z, first in itertools.product("abc", "abc", "abc", (True, False)):
            if x == y:
                continue

            def one(
                *abc: Array, words: str = x + y + z, outer: Model = outer, inner: Model = inner, first: bool = first
            ) -> Array:
                x, y, z = (abc["abc".index(word)] for word in words)
                return np.where(outer(*abc) == first, np.where(inner(*abc), x, y), z)

            chosen = f"({q} ? {x} : {y})"
            yield Expression(f"{p} ? {chosen} : {z}" if first else f"{p} ? {z} : {chosen}", one)


def _masked(name: str) -> Iterator[Expression]:
    """A shift and a mask by constants, either one first: the mask has bits that the shift has cleared, or not."""
    bits = 8 * np_type(name).itemsize
    masks = (1, 2, 3, 6, 0xF0, 0xFF, -2, -3, -4, -8, -16, 1 << (bits - 1), (1 << (bits - 1)) - 1, 1 << (bits - 2))
    shifts = (1, 2, 3, 4, 8, bits // 2, bits - 8, bits - 1)
    rest = [(n, mask) for n in shifts for mask in ((1 << (bits - n)) - 1, (1 << (bits - n - 1)) - 1, -(1 << n), -(2 << n))]
    for (shift, mask), sign in itertools.product((*itertools.product(shifts, masks), *rest), ("<<", ">>")):
        move = np.left_shift if sign == "<<" else np.right_shift
        word = mask % 2**bits

        def after(a: Array, _b: Array, _c: Array, move: Model = move, shift: int = shift, word: int = word) -> Array:
            return np.asarray(move(a, a.dtype.type(shift)) & a.dtype.type(word))

        def before(a: Array, _b: Array, _c: Array, move: Model = move, shift: int = shift, word: int = word) -> Array:
            return np.asarray(move(a & a.dtype.type(word), a.dtype.type(shift)))

        yield Expression(f"(a {sign} {shift}) & (T){word:#x}", after)
        yield Expression(f"(a & (T){word:#x}) {sign} {shift}", before)
        yield Expression(f"((a {sign} {shift}) & (T){word:#x}) == 0", lambda a, b, c, f=after: f(a, b, c) == 0, truth=True)


_LAWS: dict[str, Model] = {
    "a * b + a * c": lambda a, b, c: a * b + a * c,
    "a * b - c * b": lambda a, b, c: a * b - c * b,
    "(a + b) - b": lambda a, b, c: a,
    "(a - b) + b": lambda a, b, c: a,
    "(a - b) - a": lambda a, b, c: np.zeros_like(b) - b,
    "a - (a - b)": lambda a, b, c: b,
    "(a + b) - (a + c)": lambda a, b, c: b - c,
    "(a ^ b) ^ b": lambda a, b, c: a,
    "(a ^ b) ^ (a ^ c)": lambda a, b, c: b ^ c,
    "(a & b) | a": lambda a, b, c: a,
    "(a | b) & a": lambda a, b, c: a,
    "(a & ~b) | (b & ~a)": lambda a, b, c: a ^ b,
    "(a & b) | (~a & c)": lambda a, b, c: (a & b) | (~a & c),
    "(a | ~b) & (~a | b)": lambda a, b, c: ~(a ^ b),
    "~a & ~b": lambda a, b, c: ~(a | b),
    "~a | ~b": lambda a, b, c: ~(a & b),
    "~(~a & b)": lambda a, b, c: a | ~b,
    "~(a - b)": lambda a, b, c: b - a - a.dtype.type(1),
    "~a + b": lambda a, b, c: b - a - a.dtype.type(1),
    "-(a - b)": lambda a, b, c: b - a,
    "-a * b": lambda a, b, c: np.zeros_like(a) - a * b,
    "-a * -b": lambda a, b, c: a * b,
    "a + ~a": lambda a, b, c: ~np.zeros_like(a),
    "(a << 3) + (a << 3)": lambda a, b, c: a << a.dtype.type(4),
    "(a << 2) + a": lambda a, b, c: a * a.dtype.type(5),
    "(a << 3) - a": lambda a, b, c: a * a.dtype.type(7),
    "(a >> 4) << 4": lambda a, b, c: a & ~a.dtype.type(15),
    "(a << 4) >> 4": lambda a, b, c: (a << a.dtype.type(4)) >> a.dtype.type(4),
    "(a & 0xff) >> 4": lambda a, b, c: (a >> a.dtype.type(4)) & a.dtype.type(15),
    "(a + 3) * 5": lambda a, b, c: a * a.dtype.type(5) + a.dtype.type(15),
    "max(min(a, b), a)": lambda a, b, c: a,
    "min(max(a, b), a)": lambda a, b, c: a,
    "max(min(a, b), min(a, c))": lambda a, b, c: np.minimum(a, np.maximum(b, c)),
    "min(max(a, b), max(a, c))": lambda a, b, c: np.maximum(a, np.minimum(b, c)),
    "min(a, b) + max(a, b)": lambda a, b, c: a + b,
    "max(a, b) - min(a, b)": lambda a, b, c: np.where(a < b, b - a, a - b),
    "min(max(a, (T)3), (T)100)": lambda a, b, c: np.clip(a, 3, 100),
    "max(min(a, (T)100), (T)3)": lambda a, b, c: np.clip(a, 3, 100),
    "max(min(a, (T)3), (T)100)": lambda a, b, c: np.full_like(a, 100),
    "(a < b) + (a < c)": lambda a, b, c: np.add(a < b, a < c, dtype=a.dtype),
    "(a < b) * c": lambda a, b, c: np.where(a < b, c, 0),
    "-(T)(a < b) & c": lambda a, b, c: np.where(a < b, c, 0),
    "(T)(a < b) ^ (T)1": lambda a, b, c: a >= b,
    "(a < b) == (a < c)": lambda a, b, c: (a < b) == (a < c),
    "(a == b) != (a == c)": lambda a, b, c: (a == b) != (a == c),
    "(a ^ b) == 0": lambda a, b, c: a == b,
    "(a - b) == 0": lambda a, b, c: a == b,
    "(a | b) == 0": lambda a, b, c: (a == 0) & (b == 0),
    "(a & 4) == 4": lambda a, b, c: (a & a.dtype.type(4)) != 0,
    "a + b == a": lambda a, b, c: b == 0,
    "a + 5 == b + 5": lambda a, b, c: a == b,
    "a + 5 < 7": lambda a, b, c: a + a.dtype.type(5) < 7,
    "a >> 8 == 0": lambda a, b, c: a < 256,
    "(a << 1) == (b << 1)": lambda a, b, c: (a << a.dtype.type(1)) == (b << a.dtype.type(1)),
}


_BITWISE: dict[str, Model] = {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}
_SHIFTS: dict[str, Model] = {"<<": np.left_shift, ">>": np.right_shift}


def _laws(name: str) -> Iterator[Expression]:
    for code, model in _LAWS.items():
        yield Expression(code, model)
    for (p, f), (q, g), (r, h) in itertools.product(_BITWISE.items(), repeat=3):

        def joined(a: Array, b: Array, c: Array, f: Model = f, g: Model = g, h: Model = h) -> Array:
            return np.asarray(g(f(a, b), h(a, c)))

        yield Expression(f"(a {p} b) {q} (a {r} c)", joined)
    operators: dict[str, Model] = {**_BITWISE, "+": np.add, "-": np.subtract}
    for (sign, move), (p, f), count in itertools.product(_SHIFTS.items(), operators.items(), ("1", "5", "(c & 15)")):

        def moved(a: Array, b: Array, c: Array, move: Model = move, f: Model = f, count: str = count) -> Array:
            n = a.dtype.type(int(count)) if count.isdigit() else c & a.dtype.type(15)
            return np.asarray(f(move(a, n), move(b, n)))

        yield Expression(f"(a {sign} {count}) {p} (b {sign} {count})", moved)


def _shifted(name: str) -> Iterator[Expression]:
    """Two shifts in a row, together by less than the type's bits or by more; and the result, compared with its ends."""
    bits = 8 * np_type(name).itemsize
    half = bits // 2
    for (p, f), (q, g) in itertools.product(_SHIFTS.items(), repeat=2):
        for one, two in ((1, 2), (5, 3), (half, half - 1), (half, half), (bits - 3, 7), (bits - 1, bits - 1)):

            def model(a: Array, _b: Array, _c: Array, f: Model = f, g: Model = g, one: int = one, two: int = two) -> Array:
                return np.asarray(g(f(a, a.dtype.type(one)), a.dtype.type(two)))

            yield Expression(f"(T)((T)(a {p} {one}) {q} {two})", model)
    for (p, f), (q, g) in itertools.product(_SHIFTS.items(), _BITWISE.items()):

        def both(a: Array, b: Array, _c: Array, f: Model = f, g: Model = g) -> Array:
            return np.asarray(g(f(a, a.dtype.type(3)), f(b, a.dtype.type(3))))

        yield Expression(f"(T)((T)(a {p} 3) {q} (T)(b {p} 3))", both)
    for (p, f), (sign, compare) in itertools.product(_SHIFTS.items(), COMPARE.items()):
        for count, end in itertools.product((1, half, bits - 1), (0, 1, -1)):

            def truth(
                a: Array, _b: Array, _c: Array, f: Model = f, compare: Model = compare, n: int = count, end: int = end
            ) -> Array:
                return np.asarray(compare(f(a, a.dtype.type(n)), np.array(end).astype(a.dtype)))

            yield Expression(f"(T)(a {p} {count}) {sign} (T){end}", truth, truth=True)


def _bounded(name: str) -> Iterator[Expression]:
    """Comparisons with the last numbers of each narrower type, and with the first ones beyond."""
    for (sign, compare), bound in itertools.product(COMPARE.items(), _edges(name)):

        def model(a: Array, _b: Array, _c: Array, compare: Model = compare, bound: int = bound) -> Array:
            return np.asarray(compare(a, a.dtype.type(bound)))

        yield Expression(f"a {sign} (T){bound % 2 ** (8 * np_type(name).itemsize):#x}", model, truth=True)


def _edges(name: str) -> list[int]:
    """The ends of each integer type and the numbers next to them, if they are in the type's range."""
    low, high = bounds(name)
    ends = {end + n for other in INTEGERS for end in bounds(other) for n in (-1, 0, 1)}
    return sorted(n for n in ends if low <= n <= high)


def _narrowed(name: str) -> Iterator[Expression]:
    """(T)(t)(s)a, and each bit field that shifts and masks can extract, signed and unsigned."""
    for outer, inner in itertools.product(INTEGERS, repeat=2):

        def model(a: Array, _b: Array, _c: Array, inner: str = inner, outer: str = outer) -> Array:
            return a.astype(np_type(inner)).astype(np_type(outer)).astype(a.dtype)

        yield Expression(f"(T)({outer})({inner})a", model)
    bits = 8 * np_type(name).itemsize
    unsigned = np_type(name if name.startswith("u") else f"u{name}")
    for start, size in itertools.product(range(0, bits, 4), (4, 8, 12, 16, 32)):
        if start + size <= bits and bits >= 32:

            def field(a: Array, _b: Array, _c: Array, start: int = start, size: int = size) -> Array:
                left = a.dtype.type(bits - start - size)
                moved = (a.view(unsigned) << left.view(unsigned)).view(a.dtype)
                return np.asarray(moved >> a.dtype.type(bits - size))

            def masked(a: Array, _b: Array, _c: Array, start: int = start, size: int = size) -> Array:
                mask = unsigned.type(2**size - 1)
                return np.asarray((a.view(unsigned) >> unsigned.type(start)) & mask).view(a.dtype)

            yield Expression(f"(T)((U)a << {bits - start - size}) >> {bits - size}", field)
            yield Expression(f"(T)(((U)a >> {start}) & (U){2**size - 1:#x})", masked)


_KINDS: dict[str, Callable[[str], Iterator[Expression]]] = {
    "joined": _joined,
    "negated": lambda name: _joined(name, negated=True),
    "same": _same,
    "numbers": _numbers,
    "chosen": _chosen,
    "nested": _nested,
    "bounded": _bounded,
    "laws": _laws,
    "masked": _masked,
    "narrowed": _narrowed,
    "shifted": _shifted,
}


def _lines(what: str, name: str, width: int) -> list[Expression]:
    """The expressions of a kind; truth values come last."""
    made = identities.lines(what, Terms(name, width)) if what in identities.IDENTITIES else _KINDS[what](name)
    return sorted(made, key=lambda line: line.truth)


def _kernel(number: int, lines: Sequence[tuple[int, Expression]], kind: str, shared: bool) -> str:
    """A kernel with these lines; each has the row of its first operand. Truth values of vectors are masks."""
    words = kind == "words"
    code = [f"__kernel void f{number}(__global const M *in, __global {'ulong' if words else 'M'} *out) {{"]
    code += ["    size_t i = get_global_id(0), n = get_global_size(0);", "    ulong w = 0;" if words else ""]
    convert = "AS_T" if kind == "masks" else "(T)"
    for k, (row, line) in enumerate(lines):
        operands = ", ".join(f"{x} = AS_T(in[{row + j} * n + i])" for j, x in enumerate("abc"))
        store = f"w |= (ulong)({line.code}) << {k};" if words else f"out[{k} * n + i] = AS_M({convert}({line.code}));"
        code += [f"    T {operands};"] if shared and not k else []
        code.append(f"    {store}" if shared else f"    {{ T {operands}; {store} }}")
    return "\n".join([*code, "    out[i] = w;" if words else "", "}"])


def _head(what: str, name: str, width: int) -> str:
    """The text before all kernels of a case."""
    others = ALSO.get((what, _is_float(name)), ())
    unsigned = name if _is_float(name) or name.startswith("u") else f"u{name}"
    of_width = str(width) if width > 1 else ""
    # In memory, a vector is an integer of its size, so that a compiler does not make a load for each component.
    stored = name if width == 1 else {16: "ushort", 32: "uint"}[8 * np_type(name).itemsize * width]
    types = {"T": f"{name}{of_width}", "U": f"{unsigned}{of_width}", "M": stored}
    return pragmas(name, *others) + "".join(f"typedef {t} {x};\n#define AS_{x} as_{t}\n" for x, t in types.items())


def check_expressions(device: Device, *, what: str, type: str, width: int = 1, shared: bool = False) -> None:
    """Expressions, many in one kernel, compared with exact arithmetic.

    `what`: a kind of `table.KINDS`; `width`: of a vector; `shared`: the expressions of a kernel have the same operands.
    """
    lines = _lines(what, type, width)
    values = _values(what, type)
    rows = device.rng.choice(values, (len(lines) + 2, _ITEMS * width))
    groups = [list(group) for _, group in itertools.groupby(enumerate(lines), key=lambda pair: pair[1].truth)]
    size = _SHARED_LINES if shared else _LINES
    chunks = [group[n : n + size] for group in groups for n in range(0, len(group), size)]
    if shared:
        chunks = [[(chunk[0][0], chunk[k][1]) for k in device.rng.permutation(len(chunk))] for chunk in chunks]
    kinds = ["values" if not chunk[0][1].truth else "words" if width == 1 else "masks" for chunk in chunks]
    source = _head(what, type, width) + "\n".join(
        _kernel(n, chunk, kind, shared) for n, (chunk, kind) in enumerate(zip(chunks, kinds, strict=True))
    )
    program, operands = device.build(source), device.buffer(rows)
    for n, (chunk, kind) in enumerate(zip(chunks, kinds, strict=True)):
        words, right = kind == "words", b""
        shape, dtype = ((1, _ITEMS), np.dtype(np.uint64)) if words else ((len(chunk), _ITEMS * width), np_type(type))
        for local, where in _LOCAL:
            out = device.buffer(np.zeros(shape, dtype))
            device.launch(getattr(program, f"f{n}"), [_ITEMS], local, operands, out)
            got = _plain(device.read(out, dtype, shape))
            if got.tobytes() != right:  # else it equals the result of the launch before
                _compare(got, chunk, rows, kind, where)
            right = got.tobytes()


def _compare(got: Array, chunk: Sequence[tuple[int, Expression]], rows: Array, kind: str, where: str) -> None:
    """Compare the results of a kernel's lines with their models."""
    words = kind == "words"
    for k, (row, line) in enumerate(chunk):
        a, b, c = rows[row : row + 3]
        with np.errstate(all="ignore"):
            want = line.model(a, b, c).astype(np.uint8 if words else got.dtype)
        result = ((got[0] >> np.uint64(k)) & np.uint64(1)).astype(np.uint8) if words else got[k]
        check.equal(line.code + where, result, -want if kind == "masks" else _plain(want), [a, b, c])


def _plain(values: Array) -> Array:
    """The values with only one zero and one NaN: fmin of zeros may have either sign, and a NaN any bits."""
    if values.dtype.kind != "f":
        return values
    plain = np.where(values == 0, values.dtype.type(0), values)
    return np.where(np.isnan(plain), values.dtype.type(np.nan), plain)
