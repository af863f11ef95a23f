"""The results of Bifrost's instructions that only compute, for one lane, by Python's integers and exact arithmetic.

Sources come as words; a Meaning's kinds say what part of each is used: f (a float, or a half of the word), h (two halves), H
(one half), u, s (an integer, or a half or byte of the word), U, S (two), B, b (four), w (the word). The function gets one
element of each, and the modifiers, and answers an integer, which is cut off to the result's width, or a Real, which is
rounded once.

One file: one table, and the functions of its entries.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
from exact import NAN, Real, integer, times, to_bits, to_float

Modifiers = Mapping[str, str]
_ELEMENT = {"f": 32, "u": 32, "s": 32, "w": 32, "H": 32, "h": 16, "U": 16, "S": 16, "B": 8, "b": 8}
_PICKS = ("widen{}", "swz{}", "lanes{}", "lane{}", "swap{}", "replicate{}")
MODES = {"none": "even", "rtp": "up", "rtn": "down", "rtz": "zero"}


@dataclass(frozen=True, slots=True)
class Meaning:
    kinds: str
    result: str
    compute: Callable[..., Any]


def picked(word: int, option: str | None, width: int) -> tuple[list[int], int]:
    """The elements that an option such as h10 or b2 takes, and their width; 32 // width of them."""
    count = 32 // width
    if option in (None, "none"):
        return [word >> width * k & (1 << width) - 1 for k in range(count)], width
    assert option
    size = {"h": 16, "b": 8}[option[0]]
    digits = [int(d) for d in option[1:]]
    return [word >> size * digits[k % len(digits)] & (1 << size) - 1 for k in range(count)], size


def signed(x: int, width: int) -> int:
    return x - (x >> width - 1 << width)


def source(word: int, n: int, kind: str, modifiers: Modifiers) -> list[Any]:
    """A source's elements."""
    option = next((modifiers[p.format(n)] for p in _PICKS if p.format(n) in modifiers), None)
    if kind == "w":
        return [word]
    if kind == "H":
        found, width = picked(word, option or "h0", 32)
    else:
        found, width = picked(word, option, _ELEMENT[kind])
    if kind in "fhH":
        sign = 1 << width - 1
        keep = ~sign if modifiers.get(f"abs{n}") == "abs" else -1
        flip = sign if modifiers.get(f"neg{n}") == "neg" else 0
        return [to_float((x & keep) ^ flip, width) for x in found]
    if n == 1 and modifiers.get("not1") == "not":
        found = [~x & (1 << _ELEMENT[kind]) - 1 for x in found]
    return [signed(x, width) for x in found] if kind in "ssSb" else found


def clamped(x: float, how: str) -> float:
    low, high = {"clamp_0_inf": (0.0, math.inf), "clamp_m1_1": (-1.0, 1.0), "clamp_0_1": (0.0, 1.0)}[how]
    return min(x, high) if x > low else low  # a NaN becomes the lowest, and so does -0 if that is 0


def result(value: Any, kind: str, modifiers: Modifiers) -> int:
    """A computed element as bits."""
    width = {"H": 16}.get(kind, _ELEMENT[kind])
    if kind not in "fhH":
        return int(value) & (1 << width) - 1
    mode = modifiers.get("round", "none")
    if mode == "rtna" and isinstance(value, Fraction):
        value = nearest_away(value, {32: 24, 16: 11}[width])
    bits = to_bits(value, width, MODES.get(mode, "even"))
    if modifiers.get("clamp", "none") != "none":
        bits = to_bits(clamped(to_float(bits, width), modifiers["clamp"]), width)
    return bits


def nearest_away(x: Fraction, digits: int) -> Fraction:
    """An integer rounded to `digits` digits, ties away from zero."""
    unit = 1 << max(abs(int(x)).bit_length() - digits, 0)
    return Fraction(_away(x / unit) * unit)


# ---- what is computed

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq, "gt": operator.gt, "ge": operator.ge, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gtlt": lambda a, b: a < b or a > b, "total": lambda a, b: a == a and b == b,
}  # fmt: skip


def _compare(width: int) -> Callable[..., int]:
    ones = {32: 0x3F800000, 16: 0x3C00, 8: 1}[width]
    truth = {"i1": 1, "m1": (1 << width) - 1, "f1": ones}
    return lambda a, b, m: truth[m["result_type"]] * _RELATIONS[m["cmpf"]](a, b)


def _select(a: Any, b: Any, c: int, e: int, m: Modifiers) -> int:
    return c if _RELATIONS[m["cmpf"]](a, b) else e


def _shift(width: int, left: bool, join: Callable[[int, int], int]) -> Callable[..., int]:
    def compute(a: int, b: int, c: int, m: Modifiers) -> int:
        found = join(a << c % width if left else a >> c % width, b)
        return ~found if m.get("not_result") == "not" else found

    return compute


def saturate(width: int, is_signed: bool, function: Callable[[int, int], int]) -> Callable[..., int]:
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    return lambda a, b, m: min(max(function(a, b), low), high) if m.get("saturate") == "sat" else function(a, b)


def _mux(width: int) -> Callable[..., int]:
    def compute(a: int, b: int, c: int, m: Modifiers) -> int:
        if m["mux"] == "bit":
            return a & c | b & ~c
        rest = c & (1 << width - 1) - 1
        return a if {"neg": c >> width - 1, "int_zero": c == 0, "fp_zero": rest == 0}[m["mux"]] else b

    return compute


def _add(a: Real, b: float, m: Modifiers) -> Real:
    """The sum of two zeros of different signs is -0 if the mode rounds down."""
    if isinstance(a, Fraction) and not math.isfinite(b):
        return b
    if isinstance(a, float) and not (math.isfinite(a) and math.isfinite(b)):
        return a + b
    total = Fraction(a) + Fraction(b)
    if total:
        return total
    signs = {math.copysign(1, x) < 0 if isinstance(x, float) else x < 0 for x in (a, b)}
    return -0.0 if signs == {True} or (len(signs) == 2 and m.get("round") == "rtn") else 0.0


def _fma(a: float, b: float, c: float, m: Modifiers) -> Real:
    return _add(times(a, b), c, m)


def _best(smaller: bool) -> Callable[..., Real]:
    def compute(a: float, b: float, m: Modifiers) -> Real:
        if math.isnan(a) or math.isnan(b):
            how = m.get("sem", "nan_suppress")
            return {"nan_propagate": NAN, "c": b, "inverse_c": a}.get(how, b if math.isnan(a) else a)
        if a == b:
            negative = math.copysign(1, a) < 0
            return a if negative == smaller else b
        return min(a, b) if smaller else max(a, b)

    return compute


def _away(x: Fraction) -> int:
    return math.floor(x + Fraction(1, 2)) if x > 0 else math.ceil(x - Fraction(1, 2))


def _whole(x: float, m: Modifiers) -> int:
    mode = m.get("round", "none")
    return _away(Fraction(x)) if mode == "rtna" else integer(Fraction(x), MODES[mode])


def _round(x: float, m: Modifiers) -> Real:
    if not math.isfinite(x):
        return x
    found = _whole(x, m)
    return Fraction(found) if found else math.copysign(0.0, x)


def _to_integer(low: int, high: int) -> Callable[..., int]:
    def compute(x: float, m: Modifiers) -> int:
        if math.isnan(x):
            return 0
        return (low if x < 0 else high) if math.isinf(x) else min(max(_whole(x, m), low), high)

    return compute


def _real(function: Callable[[Any], Any], x: float) -> Real:
    with mpmath.workdps(200):
        value = function(mpmath.mpf(x))
        _, digits, exponent, _ = value._mpf_
        return (-1 if value < 0 else 1) * Fraction(int(digits)) * Fraction(2) ** int(exponent) if value else 0.0


def _reciprocal(x: float, _: Modifiers) -> Real:
    return math.copysign(math.inf, x) if x == 0 else 1 / x if not math.isfinite(x) else 1 / Fraction(x)


def _root(x: float, _: Modifiers) -> Real:
    if x == 0:
        return math.copysign(math.inf, x)
    return NAN if not x > 0 else 0.0 if math.isinf(x) else _real(lambda v: 1 / mpmath.sqrt(v), x)


def _parts(x: float, m: Modifiers) -> tuple[float, int]:
    """Mantissa and exponent of a number that is neither zero nor infinite."""
    mantissa, exponent = math.frexp(x)
    if m.get("log") == "log" and abs(mantissa) < 0.75:
        mantissa, exponent = mantissa * 2, exponent - 1
    if m.get("sqrt") == "sqrt":
        if exponent % 2:
            mantissa, exponent = mantissa / 2, exponent + 1
        exponent //= 2
    return mantissa, exponent


def _mantissa(x: float, m: Modifiers) -> Real:
    return x if x == 0 or not math.isfinite(x) else _parts(x, m)[0]


def _exponent(word: int, m: Modifiers) -> int:
    (bits, *_), width = picked(word, m.get("widen0"), 32)
    x = to_float(bits, width)
    exponent = 0 if x == 0 or not math.isfinite(x) else _parts(x, m)[1]
    return -exponent if m.get("neg0") == "neg" else exponent


def _scale(x: Real, e: int) -> Real:
    return x * Fraction(2) ** min(max(e, -1000), 1000) if isinstance(x, Fraction) else x


def _scaled(a: float, b: float, c: float, e: int, m: Modifiers) -> Real:
    special = m.get("special", "none")
    if 0 in (a, b) and special in ("n", "left"):
        value: Real = c if special == "n" else a
    else:
        value = _fma(a, b, c, m)
    value = Fraction(value) if isinstance(value, float) and math.isfinite(value) and value else value
    return _scale(value, signed(e & 0xFFFF, 16) if special == "scale16" else signed(e, 32))


def _dot(a: int, b: int, m: Modifiers) -> int:
    parts = [[(w >> 8 * k & 255) for k in range(4)] for w in (a, b)]
    x, y = ([signed(v, 8) if m[f"sign{n}"] == "sext" else v for v in p] for n, p in enumerate(parts))
    return sum(i * j for i, j in zip(x, y, strict=True))


def _narrow(a: float, b: float, m: Modifiers) -> int:
    found = 0
    for k, x in enumerate((a, b)):
        if m.get("clamp", "none") != "none":
            x = clamped(x, m["clamp"])
        mode = m.get("round", "none")
        if mode == "rtna" and math.isfinite(x):
            down, up = (to_bits(Fraction(x) if x else x, 16, way) for way in ("zero", "up" if x > 0 else "down"))
            low, high = (to_float(v, 16) for v in (down, up))
            bits = (
                up if math.isfinite(high) and abs(Fraction(high) - Fraction(x)) <= abs(Fraction(x) - Fraction(low)) else down
            )
        else:
            bits = to_bits(x, 16, MODES.get(mode, "even"))
        found |= bits << 16 * k
    return found


def _fixed_exp(a: int, b: float, _: Modifiers) -> Real:
    if math.isnan(b):
        return NAN
    fixed = signed(a, 32)
    exponent = b / 16777216 if fixed in (-(1 << 31), (1 << 31) - 1) else fixed / 16777216
    if not math.isfinite(exponent) or abs(exponent) > 4000:
        return math.inf if exponent > 0 else 0.0
    return _real(lambda v: mpmath.power(2, v), exponent)


def _log_distance(x: float, _: Modifiers) -> Real:
    if math.isnan(x) or x < 0:
        return NAN
    if x == 0 or math.isinf(x):
        return math.inf
    m = _parts(x, {"log": "log"})[0]
    return _real(lambda v: 1 / mpmath.log(2) if v == 1 else mpmath.log(v, 2) / (v - 1), m)


def _log_table(x: float, m: Modifiers) -> Real:
    special = x == 0 or not math.isfinite(x)
    reciprocal = Fraction(round(128 / Fraction(abs(_parts(x, {"log": "log"})[0]))), 128) if not special else Fraction(1)
    if m["mode"] == "red":
        return reciprocal
    if math.isnan(x) or x < 0:
        return NAN
    if special:
        return -math.inf if x == 0 else math.inf
    return _real(lambda v: -mpmath.log(v, 2 if m["mode"] == "base2" else mpmath.e), float(reciprocal))


def _turn(function: Callable[[Any], Any]) -> Callable[..., Real]:
    return lambda a, _: _real(lambda v: function(v * mpmath.pi / 32), a & 63)


def _integers() -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    widths = {"": (32, "u", "s"), "v2": (16, "U", "S"), "v4": (8, "B", "b")}
    for prefix, (width, u, s) in widths.items():
        i, un, si = (f".{prefix}{t}{width}" for t in "ius")
        for sign in (u, s):
            name, is_signed = (un, False) if sign == u else (si, True)
            for op, function in (("IADD", operator.add), ("ISUB", operator.sub)):
                found[op + name] = Meaning(sign * 2, u, saturate(width, is_signed, function))
            found["HADD" + name] = Meaning(sign * 2, u, lambda a, b, m: (a + b + (m["round"] == "rtp")) >> 1)
            found["ICMP" + name] = Meaning(sign * 2, u, _compare(width))
            found["CSEL" + name] = Meaning(sign * 2 + u * 2, u, _select)
        found["ICMP" + i] = Meaning(u * 2, u, _compare(width))
        found["CSEL" + i] = Meaning(u * 4, u, _select)
        found["IABS" + si] = Meaning(s, u, lambda a, _: abs(a))
        found["CLZ" + un] = Meaning(u, u, lambda a, _, width=width: width - a.bit_length())
        found["MUX" + i] = Meaning(u * 3, u, _mux(width))
        found["ARSHIFT" + i] = Meaning(s + u + u, u, lambda a, _b, c, _, width=width: a >> c % width)
        for left, op in ((True, "LSHIFT"), (False, "RSHIFT")):
            for word, join in (("AND", operator.and_), ("OR", operator.or_), ("XOR", operator.xor)):
                found[f"{op}_{word}{i}"] = Meaning(u * 3, u, _shift(width, left, join))
        found["IMUL" + i] = Meaning(u * 2, u, lambda a, b, _: a * b)
    return found


_FLOATS = {
    name + suffix: Meaning(kind * count, kind, compute)
    for suffix, kind in ((".f32", "f"), (".v2f16", "h"))
    for name, count, compute in (
        ("FADD", 2, _add),
        ("FMA", 3, _fma),
        ("FMIN", 2, _best(True)),
        ("FMAX", 2, _best(False)),
        ("FROUND", 1, _round),
        ("QUIET", 1, lambda a, _: a),
    )
}

MEANINGS: Mapping[str, Meaning] = {
    **_integers(),
    **_FLOATS,
    "IMUL.i32": Meaning("uw", "u", lambda a, b, m: a * _extended(b, m)),
    "BITREV.i32": Meaning("u", "u", lambda a, _: int(f"{a:032b}"[::-1], 2)),
    "POPCOUNT.i32": Meaning("u", "u", lambda a, _: a.bit_count()),
    "IDP.v4i8": Meaning("ww", "w", _dot),
    "IADDC.i32": Meaning("www", "w", lambda a, b, c, _: a + b + (c & 1)),
    "ISUBB.i32": Meaning("www", "w", lambda a, b, c, _: a - b - (c & 1)),
    "MOV.i32": Meaning("w", "w", lambda a, _: a),
    "DTSEL_IMM": Meaning("w", "w", lambda a, _: a),
    "SWZ.v2i16": Meaning("U", "U", lambda a, _: a),
    "SWZ.v4i8": Meaning("B", "B", lambda a, _: a),
    "MKVEC.v2i16": Meaning("uu", "w", lambda a, b, _: a | b << 16),
    "MKVEC.v4i8": Meaning("uuuu", "w", lambda a, b, c, e, _: a | b << 8 | c << 16 | e << 24),
    "FCMP.f32": Meaning("ff", "u", _compare(32)),
    "FCMP.v2f16": Meaning("hh", "U", _compare(16)),
    "CSEL.f32": Meaning("ffww", "w", _select),
    "CSEL.v2f16": Meaning("hhUU", "U", _select),
    "FADD_LSCALE.f32": Meaning("ff", "f", lambda a, b, m: _add(a, float(_mantissa(b, {"log": "log"})), m)),
    "FMA_RSCALE.f32": Meaning("fffw", "f", _scaled),
    "FADD_RSCALE.f32": Meaning("ffw", "f", lambda a, b, c, m: _scaled(a, 1.0, b, c, m)),
    "FREXPM.f32": Meaning("f", "f", _mantissa),
    "FREXPE.f32": Meaning("w", "u", _exponent),
    "LDEXP.f32": Meaning("fw", "f", lambda a, b, _: _scale(Fraction(a) if math.isfinite(a) and a else a, signed(b, 32))),
    "LDEXP.v2f16": Meaning("hS", "h", lambda a, b, _: _scale(Fraction(a) if math.isfinite(a) and a else a, b)),
    "FRCP.f32": Meaning("f", "f", _reciprocal),
    "FRSQ.f32": Meaning("f", "f", _root),
    "FRCP_APPROX.f32": Meaning("f", "f", lambda a, m: _reciprocal(float(_mantissa(a, {})), m)),
    "FRSQ_APPROX.f32": Meaning("f", "f", lambda a, m: _root(float(_mantissa(a, {"sqrt": "sqrt"})), m)),
    "FRCP.f16": Meaning("H", "H", _reciprocal),
    "FRSQ.f16": Meaning("H", "H", _root),
    "FEXP.f32": Meaning("wf", "f", _fixed_exp),
    "FEXP_TABLE.u4": Meaning("w", "f", lambda a, _: _real(lambda v: mpmath.power(2, v / 16), a & 15)),
    "FLOGD.f32": Meaning("f", "f", _log_distance),
    "FLOG_TABLE.f32": Meaning("f", "f", _log_table),
    "FSIN_TABLE.u6": Meaning("w", "f", _turn(mpmath.sin)),
    "FCOS_TABLE.u6": Meaning("w", "f", _turn(mpmath.cos)),
    "V2F32_TO_V2F16": Meaning("ff", "w", _narrow),
    "F16_TO_F32": Meaning("H", "f", lambda a, _: a),
    **{f"{s.upper()}{n}_TO_{s.upper()}32": Meaning(s, "u", lambda a, _: a) for s in "su" for n in (8, 16)},
    **{f"{s.upper()}{n}_TO_F32": Meaning(s, "f", lambda a, _: Fraction(a) if a else 0.0) for s in "su" for n in (8, 16, 32)},
    **{f"V2{s}8_TO_V2{s}16": Meaning(s, "U", lambda a, _: a) for s in "SU"},
    **{f"V2{s}{n}_TO_V2F16": Meaning(s, "h", lambda a, _: Fraction(a) if a else 0.0) for s in "SU" for n in (8, 16)},
    **{
        f"F{n}_TO_{s}32": Meaning(k, "u", _to_integer(*limits))
        for n, k in ((16, "H"), (32, "f"))
        for s, limits in (("S", (-(1 << 31), (1 << 31) - 1)), ("U", (0, (1 << 32) - 1)))
    },
    "V2F16_TO_V2S16": Meaning("h", "U", _to_integer(-32768, 32767)),
    "V2F16_TO_V2U16": Meaning("h", "U", _to_integer(0, 65535)),
}


def _extended(word: int, m: Modifiers) -> int:
    (x, *_), width = picked(word, m.get("widen1"), 32)
    return signed(x, width) if m.get("extend") == "sext" else x


def expected(name: str, words: Sequence[int], modifiers: Modifiers) -> int:
    """The result's word."""
    meaning = MEANINGS[name]
    sources = [source(w, n, k, modifiers) for n, (w, k) in enumerate(zip(words, meaning.kinds, strict=True))]
    width = _ELEMENT[meaning.result]
    found = 0
    for k in range(32 // width):
        found |= result(meaning.compute(*[s[k] for s in sources], modifiers), meaning.result, modifiers) << width * k
    return found


def is_right(name: str, found: int, wanted: int) -> bool:
    """Equal, or both NaN, element by element; a zero's sign counts."""
    width = {"f": 32, "h": 16, "H": 16}.get(MEANINGS[name].result)
    if name == "V2F32_TO_V2F16":
        width = 16
    if found == wanted or width is None:
        return found == wanted
    pairs = [(found >> s & (1 << width) - 1, wanted >> s & (1 << width) - 1) for s in range(0, 32, width)]
    return all(a == b or (math.isnan(to_float(a, width)) and math.isnan(to_float(b, width))) for a, b in pairs)
