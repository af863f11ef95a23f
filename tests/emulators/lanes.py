"""One instruction, in all its forms, over many operands: one work-item and one result for each."""

import itertools
import math
import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bare_gpu import BareGpu, Shape
from exact import is_nan, to_bits, to_float
from meaning import MEANINGS, Meaning

UNTOUCHED = 0xA5A5A5A5  # what the destination held
MOST = 1024  # work-items of a group
_FLOATS = {
    16: (0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x3800, 0x3BFF, 0x3C00, 0xBC00, 0x3C01, 0x4100, 0xC100, 0x4248, 0x6400, 0x7BFF,
         0xFBFF, 0x7C00, 0xFC00, 0x7E00),
    32: (0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0xBF800000, 0x3F800001,
         0x40200000, 0xC0200000, 0x477FE000, 0x4B000001, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000),
}  # fmt: skip
_INTEGERS = {
    16: (0, 1, 2, 3, 15, 16, 17, 0x7F, 0x80, 0xFF, 0x100, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFF00, 0xFFFE, 0xFFFF),
    32: (0, 1, 2, 31, 32, 33, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFF, 0x800000, 0xFFFFFF, 0x7FFFFFFF, 0x80000000,
         0x80000001, 0xFFFFFFFE, 0xFFFFFFFF),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Form:
    """An instruction as it is written: widths, modifiers ("", neg, abs, absneg) of each source, of the result sat or ei."""

    name: str
    width: int
    target_width: int
    modifiers: tuple[str, ...]
    flag: str = ""

    def text(self) -> str:
        half = "h" if self.width == 16 else ""
        numbers = (20, 22, 24) if half else (10, 11, 12)
        sources = [f"({m}){half}r{n}.x" if m else f"{half}r{n}.x" for m, n in zip(self.modifiers, numbers, strict=False)]
        target = "hr40.x" if self.target_width == 16 else "r20.x"
        return f"{f'({self.flag})' if self.flag else ''}{self.name} {', '.join([target, *sources])}"


def operands(kind: str, width: int, count: int, seed: str) -> list[tuple[int, int, int]]:
    """Bits of three sources: pairs of edges, then random numbers, many of them small or near each other."""
    edges = (_FLOATS if kind == "f" else _INTEGERS)[width]
    chance = random.Random(seed)
    pairs = list(itertools.product(edges, edges))
    chance.shuffle(pairs)
    found = [(a, b, chance.choice(edges)) for a, b in pairs[: count // 2]]
    while len(found) < count:
        a, b, c = (chance.getrandbits(width) for _ in range(3))
        if chance.random() < 0.3:
            b, c = a ^ chance.getrandbits(4), chance.choice(edges)
        if kind == "f" and chance.random() < 0.5:  # of one size, so that sums are rounded
            b = b & ~(0xF << width - 5) | a & (0xF << width - 5)
        if kind != "f" and chance.random() < 0.3:
            a, b = a & 0xFFF, b & 0xF
        found.append((a, b, c))
    return found


def run_forms(gpu: BareGpu, forms: Sequence[str], values: Sequence[tuple[int, int, int]]) -> list[list[int]]:
    """What the destination, r20.x, holds after each form, for all operands in r10.x, r11.x, r12.x."""
    count = len(values)
    assert count <= MOST
    inputs = [struct.pack(f"<{count}I", *column) for column in zip(*values, strict=True)]
    body = "".join(
        f"""mov.u32u32 r20.x, {UNTOUCHED:#x}
            {form}
            stg.a type=u32 data=r20.x address=r43.x index=r0.w size=1
            add.u r43.x, r43.x, c2.x
        """
        for form in forms
    )
    loads = "".join(
        f"""mov.u32u32 r4{n}.x, c{n // 2}.{"xz"[n % 2]}
            mov.u32u32 r4{n}.y, c{n // 2}.{"yw"[n % 2]}
        """
        + (f"ldg.a type=u32 dst=r1{n}.x address=r4{n}.x index=r0.w size=1\n" if n < 3 else "")
        for n in range(4)
    )
    out = gpu.run(f"{loads}{body}end", [*inputs, 4 * count * len(forms)], [4 * count], Shape((count, 1, 1)))
    assert out.done, out.marks
    assert not out.marks
    words = out.words(3)
    return [words[n * count : (n + 1) * count] for n in range(len(forms))]


def _read(meaning: Meaning, modifier: str, bits: int, width: int) -> float | int:
    """A source as a Meaning gets it."""
    top, all_ones = 1 << width - 1, (1 << width) - 1
    bits &= all_ones
    if meaning.kind == "f":
        bits = bits & ~top if "abs" in modifier else bits
        return to_float(bits ^ top if "neg" in modifier else bits, width)
    if meaning.kind == "w":
        return bits ^ top if modifier == "neg" else bits
    if meaning.kind == "b":
        return ~bits & all_ones if modifier == "neg" else bits
    if "abs" in modifier and bits & top:
        bits = -bits & all_ones
    if "neg" in modifier:
        bits = -bits & all_ones
    return bits - (bits >> width - 1 << width) if meaning.kind == "s" else bits


def _float_result(form: Form, value: float) -> tuple[int, int]:
    bits = to_bits(value, form.width)
    if form.flag == "sat":
        exact = to_float(bits, form.width)
        bits = to_bits(0.0 if math.isnan(exact) else min(max(exact, 0.0), 1.0), form.width)
    return (bits, form.width) if form.width == form.target_width else (
        to_bits(to_float(bits, form.width), form.target_width), form.target_width)  # fmt: skip


def _integer_result(form: Form, meaning: Meaning, value: int) -> int:
    if form.flag == "sat":
        low, high = (
            (-(1 << form.width - 1), (1 << form.width - 1) - 1) if meaning.kind == "s" else (0, (1 << form.width) - 1)
        )
        value = min(max(value, low), high)
    elif form.flag == "ei":
        value >>= 1
    bits = 32 if meaning.wide else form.width
    value &= (1 << bits) - 1
    if meaning.signed and bits == 16:
        value = value - (value >> 15 << 16) & 0xFFFFFFFF
    return value


def explain(form: Form, values: Sequence[tuple[int, int, int]], results: Sequence[int]) -> Iterator[str]:
    """The wrong results."""
    meaning = MEANINGS[form.name]
    for sources, found in zip(values, results, strict=True):
        read = [_read(meaning, m, s, form.width) for m, s in zip(form.modifiers, sources, strict=False)]
        value = meaning.compute(*read, form.width)
        if form.target_width == 16 and found >> 16 != UNTOUCHED >> 16:
            yield f"{form.text()}: the other half is {found:#x}"
        low = found & 0xFFFF if form.target_width == 16 else found
        if meaning.kind == "f":
            bits, width = _float_result(form, value)
            zeros = (form.flag == "sat" or form.name in ("min.f", "max.f")) and not (bits | low) & (1 << width - 1) - 1
            right = is_nan(low, width) if is_nan(bits, width) else low == bits or zeros
        else:
            bits = _integer_result(form, meaning, value) & (1 << form.target_width) - 1
            right = low == bits
        if not right:
            yield f"{form.text()} of {', '.join(f'{s:#x}' for s in sources[: meaning.sources])}: {low:#x}, not {bits:#x}"
