"""Typed C expressions: what the translator of the pseudo-code computes with.

Integers are u32, i32, u64 or i64 in C, whatever their width; floats of 16 bits are C floats that hold a half's value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


class Unsupported(Exception):
    """A construct that the translator does not know."""


@dataclass(frozen=True, slots=True)
class Value:
    """A C expression: kind (`u`, `i` or `f`) and number of bits; `raw`: its bits, if the expression was made from them."""

    kind: str
    bits: int
    text: str
    raw: str = ""

    @property
    def type(self) -> tuple[str, int]:
        """Its kind and its bits."""
        return self.kind, self.bits


def c_type(kind: str, bits: int) -> str:
    """The C type that holds such values."""
    if kind == "f":
        return "double" if bits == 64 else "float"
    return f"{kind}{32 if bits <= 32 else 64}"


def bits_of(v: Value) -> str:
    """The value's bits as a u64, zeros above them."""
    if v.raw:
        return v.raw
    if v.kind == "f":
        return f"(u64){ {16: 'half_bits', 32: 'float_bits', 64: 'double_bits'}[v.bits] }({v.text})"
    if v.bits == 64:
        return f"(u64)({v.text})"
    if v.bits == 32:
        return f"(u64)(u32)({v.text})"
    return f"((u64)({v.text}) & {(1 << v.bits) - 1:#x}ull)"


def from_bits(kind: str, bits: int, raw: str) -> Value:
    """A number of `bits` bits, the lowest ones of a u64."""
    masked = f"(({raw}) & {(1 << bits) - 1:#x}ull)" if bits < 64 else f"({raw})"
    if kind == "f":
        if bits not in (16, 32, 64):
            raise Unsupported(f"a float of {bits} bits")
        return Value("f", bits, f"{ {16: 'half_float', 32: 'as_float', 64: 'as_double'}[bits] }({masked})", masked)
    if kind == "i" and bits in (8, 16):
        return Value("i", bits, f"(i32)(i{bits})({raw})", masked)
    if kind == "i" and bits not in (32, 64):
        return Value("i", bits, f"({c_type('i', bits)})sign_extend({raw}, {bits})", masked)
    return Value(kind, bits, f"({c_type(kind, bits)}){masked}", masked)


def field(name: str) -> tuple[str, int]:
    """The type of a field: u32, i16, f64, b8."""
    found = re.fullmatch(r"([uifb])(\d+)", name)
    if not found or not 1 <= int(found[2]) <= 64:
        raise Unsupported(f"a field {name}")
    return found[1].replace("b", "u"), int(found[2])


def common(a: Value, b: Value) -> tuple[str, int]:
    """The type in which an operator works: C's, with halves rounded after each operation."""
    if "f" in (a.kind, b.kind):
        return "f", max(v.bits for v in (a, b) if v.kind == "f")
    if max(a.bits, b.bits) <= 32:  # narrower integers are promoted to int
        return "u" if "u" in [v.kind for v in (a, b) if v.bits == 32] else "i", 32
    return "u" if "u" in [v.kind for v in (a, b) if v.bits > 32] else "i", 64


def convert(v: Value, kind: str, bits: int) -> Value:
    """The value converted to another type, as by an assignment or a cast."""
    if v.type == (kind, bits):
        return v
    if kind == "f":
        if v.kind == "f" and bits > v.bits:
            return Value("f", bits, f"({c_type('f', bits)})({v.text})")
        text = f"({c_type('f', bits)})({v.text})"
        return Value("f", bits, f"to_half({text})" if bits == 16 else text)
    if v.kind == "f" or bits in (32, 64):
        return Value(kind, bits, f"({c_type(kind, bits)})({v.text})")
    return from_bits(kind, bits, bits_of(v))


def arithmetic(a: Value, operator: str, b: Value) -> Value:
    """A sum, a product, a bit operation."""
    kind, bits = common(a, b)
    text = f"({convert(a, kind, bits).text} {operator} {convert(b, kind, bits).text})"
    return Value(kind, bits, f"to_half{text}" if (kind, bits) == ("f", 16) else text)


def comparison(a: Value, operator: str, b: Value) -> Value:
    """A bit; `<>` is false for a NaN, `!=` is true."""
    kind, bits = common(a, b)
    x, y = convert(a, kind, bits).text, convert(b, kind, bits).text
    return Value("u", 1, f"({x} < {y} || {x} > {y})" if operator == "<>" else f"({x} {operator} {y})")


def shift(a: Value, operator: str, n: Value) -> Value:
    """A shift by the width or more leaves 0, or the sign."""
    bits = 64 if a.bits > 32 else 32
    name = {"<<": "left", ">>": "right_signed" if a.kind == "i" else "right"}[operator]
    return Value(a.kind, bits if operator == "<<" else max(a.bits, 32), f"{name}{bits}({a.text}, {n.text})")


def negated(v: Value) -> Value:
    """For a float only the sign is changed."""
    if v.kind == "f":
        flipped = f"{bits_of(v)} ^ {1 << (v.bits - 1):#x}ull"
        return from_bits("f", v.bits, f"({flipped})")
    return Value(v.kind, max(v.bits, 32), f"(-({v.text}))")
