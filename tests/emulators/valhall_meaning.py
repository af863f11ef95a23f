"""The results of Valhall's instructions that only compute, except those that Bifrost has too (bifrost_meaning.py)."""

import math
import operator
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import bifrost_meaning as bifrost
from bifrost_meaning import Meaning, Modifiers, saturate
from exact import Real

_ELEMENT = {"u": 32, "s": 32, "U": 16, "S": 16, "B": 8, "b": 8}


def _joined(compare: Meaning, both: bool, width: int) -> Callable[..., int]:
    """A comparison, combined with another truth value by or, or by and."""
    true = {"i1": 1, "m1": (1 << width) - 1, "f1": {32: 0x3F800000, 16: 0x3C00, 8: 1}[width]}

    def compute(a: Any, b: Any, c: int, m: Modifiers) -> int:
        first = compare.compute(a, b, m) != 0
        return true[m["result_type"]] if (first and c if both else first or c) else 0

    return compute


def _shifted(width: int, join: Callable[[int, int], int]) -> Callable[..., int]:
    def compute(a: int, b: int, c: int, m: Modifiers) -> int:
        value = a - (a >> width - 1 << width) if m["arithmetic"] == "arithmetic" else a
        found = join(value >> c % width, b)
        return ~found if m["not_result"] == "not" else found

    return compute


def _flushed(least: float, most: float) -> Callable[..., Real]:
    def compute(a: float, m: Modifiers) -> Real:
        if math.isnan(a):
            return 0.0 if m["nan_mode"] == "flush_nan" else a
        if m["ftz"] == "ftz" and abs(a) < least:
            return math.copysign(0.0, a)
        return math.copysign(most, a) if m["flush_inf"] == "flush_inf" and math.isinf(a) else a

    return compute


def _own() -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    for u, s, prefix in (("u", "s", ""), ("U", "S", "v2"), ("B", "b", "v4")):
        width = _ELEMENT[u]
        for kind, letter in ((u, "u"), (s, "s"), (u, "i")):
            suffix = f".{prefix}{letter}{width}"
            found["IMUL" + suffix] = Meaning(kind * 2, u, saturate(width, letter == "s", operator.mul))
            found["IADD_IMM" + suffix] = Meaning(kind * 2, u, lambda a, b, _: a + b)
            compare = bifrost.MEANINGS["ICMP" + suffix]
            for operation in ("OR", "AND"):
                found[f"ICMP_{operation}{suffix}"] = Meaning(kind * 2 + u, u, _joined(compare, operation == "AND", width))
            for operation, join in (("AND", operator.and_), ("OR", operator.or_), ("XOR", operator.xor)):
                found[f"RSHIFT_{operation}{suffix}"] = Meaning(u * 3, u, _shifted(width, join))
    return found


_SPECIALS = {"FMA_RSCALE_N.f32": "n", "FMA_RSCALE_LEFT.f32": "left", "FMA_RSCALE_SCALE16.f32": "scale16"}
MEANINGS: Mapping[str, Meaning] = {
    **bifrost.MEANINGS,
    **_own(),
    **{
        f"FCMP_{operation}{suffix}": Meaning(kinds, kinds[2], _joined(bifrost.MEANINGS["FCMP" + suffix], both, width))
        for operation, both in (("OR", False), ("AND", True))
        for suffix, kinds, width in ((".f32", "ffu", 32), (".v2f16", "hhU", 16))
    },
    **dict.fromkeys(_SPECIALS, bifrost.MEANINGS["FMA_RSCALE.f32"]),
    "FADD_IMM.f32": bifrost.MEANINGS["FADD.f32"],
    "FADD_IMM.v2f16": bifrost.MEANINGS["FADD.v2f16"],
    "FLUSH.f32": Meaning("f", "f", _flushed(2.0**-126, struct.unpack("<f", b"\xff\xff\x7f\x7f")[0])),
    "FLUSH.v2f16": Meaning("h", "h", _flushed(2.0**-14, 65504.0)),
    "MKVEC.v2i8": Meaning("uuw", "w", lambda a, b, c, _: a | b << 8 | c << 16),
    "NOT_OLD.i32": Meaning("u", "u", lambda a, _: ~a),
}


def expected(name: str, words: Sequence[int], modifiers: Modifiers) -> int:
    """The result's word."""
    meaning, own = MEANINGS[name], dict(modifiers)
    if name == "FREXPE.f32":
        own["widen0"] = own.get("swz0", "none")
    if name in _SPECIALS:
        own["special"] = _SPECIALS[name]
    sources = [bifrost.source(w, n, k, own) for n, (w, k) in enumerate(zip(words, meaning.kinds, strict=True))]
    width = {"f": 32, "h": 16, "H": 32, "w": 32, **_ELEMENT}[meaning.result]
    found = 0
    for k in range(32 // width):
        found |= bifrost.result(meaning.compute(*[s[k] for s in sources], own), meaning.result, own) << width * k
    return found


def is_right(name: str, found: int, wanted: int) -> bool:
    """Equal, or both NaN, element by element."""
    alike = {"f": "FADD.f32", "h": "FADD.v2f16"}.get(MEANINGS[name].result, name)
    return bifrost.is_right(alike, found, wanted) if alike in bifrost.MEANINGS else found == wanted
