"""Real numbers by exact arithmetic: sums, products, roundings, conversions, comparisons, selections."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import pytest
from bare_intel import BareIntel, Launch
from exact import Real, integer, to_bits, to_float
from intel_assembler import CONDITIONS, Operand, alu, arf, imm, r
from intel_lanes import RESULT, bits_of, compare, operands, region, run
from intel_meaning import INTEGER_TYPES, REALS, clamp, span, wrap

MODES = ("even", "up", "down", "zero")  # as cr0 counts them


def _sources(types: Sequence[str]) -> list[Operand]:
    return [region(10 + 2 * k, type) for k, type in enumerate(types)]


def _modified(operand: Operand, modifier: str) -> Operand:
    operand = abs(operand) if "abs" in modifier else operand
    return -operand if "neg" in modifier else operand


def _wanted(value: Real, type: str, mode: str, saturate: bool = False) -> tuple[int, ...]:
    bits = to_bits(value, bits_of(type), mode)
    exact = to_float(bits, bits_of(type))
    if saturate:
        bits = to_bits(0.0 if math.isnan(exact) else min(max(exact, 0.0), 1.0), bits_of(type))
    if math.isnan(exact) and not saturate:
        return (bits, bits | 1 << bits_of(type) - 1)
    return (bits,) if exact or not saturate else (0, 1 << bits_of(type) - 1)


def _nan_or(found: Sequence[int], type: str) -> list[int]:
    """Turns every NaN into the one that `to_bits` makes."""
    size = bits_of(type)
    nan = to_bits(math.nan, size)
    return [f & ~((1 << size) - 1) | nan if math.isnan(to_float(f, size)) else f for f in found]


@pytest.mark.parametrize("type", ["f", "hf"])
@pytest.mark.parametrize("name", REALS)
def test_real_numbers_are_rounded_once(intel: BareIntel, name: str, type: str) -> None:
    count, compute = REALS[name]
    values = operands([type] * count, f"{name} {type}")
    for number, mode in enumerate(MODES if name == "add" and type == "f" else MODES[:1]):
        for saturate in (False, True):
            target = r(RESULT, type, region=(8, 8, 32 // bits_of(type)))
            code = [alu(name, target, *_sources([type] * count), saturate=saturate)]
            found = _nan_or(run(intel, code, values, Launch(rounding=number)), type)

            def want(*bits: int, mode: str = mode, saturate: bool = saturate) -> tuple[int, ...]:
                value = compute(*(to_float(b, bits_of(type)) for b in bits))
                if name == "frc" and to_bits(value, bits_of(type)) == to_bits(1.0, bits_of(type)):  # it is below 1
                    return (to_bits(1.0, bits_of(type)) - 1,)
                zero = value == 0
                return (0, 1 << bits_of(type) - 1) if zero and mode == "down" else _wanted(value, type, mode, saturate)

            compare(values, found, bits_of(type), want, f"{name} {type} {mode}")


@pytest.mark.parametrize("type", ["f", "hf"])
def test_signs_of_real_numbers(intel: BareIntel, type: str) -> None:
    values = operands([type], f"signs {type}")
    top = 1 << bits_of(type) - 1
    for modifier, expected in {"neg": lambda b: b ^ top, "abs": lambda b: b & ~top, "absneg": lambda b: b | top}.items():
        code = [alu("mov", region(RESULT, type), _modified(region(10, type), modifier))]
        found = _nan_or(run(intel, code, values), type)

        def want(bits: int, expected: object = expected) -> tuple[int, ...]:
            value = expected(bits)  # type: ignore[operator]
            return _wanted(to_float(value, bits_of(type)), type, "even")

        compare(values, found, bits_of(type), want, f"mov {modifier} {type}")


@pytest.mark.parametrize("number", range(4))
def test_conversions_between_real_numbers_round_by_the_mode(intel: BareIntel, number: int) -> None:
    for source, target in (("f", "hf"), ("hf", "f")):
        values = operands([source], f"{source} {target}")
        found = _nan_or(
            run(intel, [alu("mov", region(RESULT, target), region(10, source))], values, Launch(rounding=number)), target
        )

        def want(bits: int, source: str = source, target: str = target) -> tuple[int, ...]:
            return _wanted(to_float(bits, bits_of(source)), target, MODES[number])

        compare(values, found, bits_of(target), want, f"mov {target} {source} {MODES[number]}")


@pytest.mark.parametrize("source", ["f", "hf"])
def test_a_real_number_becomes_an_integer_within_its_range(intel: BareIntel, source: str) -> None:
    values = operands([source], f"{source} to integers")
    for target in INTEGER_TYPES:

        def want(bits: int, target: str = target) -> tuple[int]:
            value = to_float(bits, bits_of(source))
            low, high = span(target)
            whole = (
                0
                if math.isnan(value)
                else high
                if value > high
                else low
                if value < low
                else integer(Fraction(value), "zero")
            )
            return (whole & (1 << bits_of(target)) - 1,)

        compare(
            values,
            run(intel, [alu("mov", region(RESULT, target), region(10, source))], values),
            bits_of(target),
            want,
            target,
        )


def test_an_integer_becomes_a_real_number_rounded_once(intel: BareIntel) -> None:
    for source in INTEGER_TYPES:
        values = operands([source], f"{source} to real")
        for number, mode in enumerate(MODES):
            found = run(intel, [alu("mov", region(RESULT, "f"), region(10, source))], values, Launch(rounding=number))

            def want(bits: int, source: str = source, mode: str = mode) -> tuple[int]:
                return (to_bits(Fraction(wrap(bits, source)), 32, mode),)

            compare(values, found, 32, want, f"mov f {source} {mode}")


def test_integers_of_other_widths_are_extended_cut_off_or_saturated(intel: BareIntel) -> None:
    for source in INTEGER_TYPES:
        values = operands([source], f"{source} to integers")
        for target in INTEGER_TYPES:
            for saturate in (False, True):
                code = [alu("mov", region(RESULT, target), region(10, source), saturate=saturate)]

                def want(bits: int, source: str = source, target: str = target, saturate: bool = saturate) -> tuple[int]:
                    value = wrap(bits, source)
                    return ((clamp(value, target) if saturate else value) & (1 << bits_of(target)) - 1,)

                compare(values, run(intel, code, values), bits_of(target), want, f"mov {target} {source} {saturate}")


def test_denormals_are_flushed_if_the_launch_does_not_keep_them(intel: BareIntel) -> None:
    values = [(b, 0x3F800000) for b in (0, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x807FFFFF, 0x3F800000, 0x80800000)] * 64
    for keeps in (True, False):
        found = run(intel, [alu("mul", region(RESULT, "f"), *_sources(["f", "f"]))], values, Launch(denormals=keeps))

        def want(bits: int, _: int, keeps: bool = keeps) -> tuple[int]:
            return (bits if keeps or bits & 0x7F800000 else bits & 0x80000000,)

        compare(values, found, 32, want, f"mul f, {keeps}")


# ---- comparisons

_HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "z": lambda a, b: a == b, "nz": lambda a, b: a != b, "g": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "l": lambda a, b: a < b, "le": lambda a, b: a <= b, "u": lambda a, b: math.isnan(a) or math.isnan(b),
}  # fmt: skip


def _value(bits: int, type: str) -> float:
    return to_float(bits, bits_of(type)) if type in ("f", "hf") else wrap(bits, type)


@pytest.mark.parametrize("condition", [c for c in CONDITIONS if c])
def test_a_comparison_sets_flags_and_all_bits(intel: BareIntel, condition: str) -> None:
    for type in ("f", "hf") if condition == "u" else ("f", "hf", "d", "ud", "w", "ub"):
        values = operands([type, type], f"cmp {type}")
        values = [(a, a if n % 4 == 0 else b) for n, (a, b) in enumerate(values)]
        code = [
            alu("cmp", region(RESULT, "uw"), *_sources([type, type]), condition=condition, flag=(1, 0)),
            alu("mov", region(RESULT, "uw"), imm(0x10001, "uw"), predicate=1, flag=(1, 0)),
        ]

        def want(a: int, b: int, type: str = type) -> tuple[int]:
            return (1 if _HOLDS[condition](_value(a, type), _value(b, type)) else 0,)

        compare(values, run(intel, code, values), 16, want, f"cmp.{condition} {type}")
        plain = [alu("cmp", region(RESULT, "ud"), *_sources([type, type]), condition=condition)]

        def all_bits(a: int, b: int, type: str = type) -> tuple[int]:
            return (0xFFFFFFFF if _HOLDS[condition](_value(a, type), _value(b, type)) else 0,)

        compare(values, run(intel, plain, values), 32, all_bits, f"cmp.{condition} {type}")


def test_cmpn_lets_a_nan_on_the_right_through(intel: BareIntel) -> None:
    values = operands(["f", "f"], "cmpn")
    for condition in ("ge", "l"):

        def want(a: int, b: int, condition: str = condition) -> tuple[int]:
            x, y = to_float(a, 32), to_float(b, 32)
            return (0xFFFFFFFF if math.isnan(y) or _HOLDS[condition](x, y) else 0,)

        code = [alu("cmpn", region(RESULT, "ud"), *_sources(["f", "f"]), condition=condition)]
        compare(values, run(intel, code, values), 32, want, f"cmpn.{condition}")


def test_sel_takes_the_smaller_or_the_greater_and_the_number_that_is_one(intel: BareIntel) -> None:
    for type in ("f", "hf", "d", "ud", "w", "ub"):
        values = operands([type, type], f"sel {type}")
        for condition in ("l", "ge"):

            def want(a: int, b: int, type: str = type, condition: str = condition) -> tuple[int, ...]:
                x, y = _value(a, type), _value(b, type)
                if math.isnan(x) or math.isnan(y):
                    return (b if math.isnan(x) else a,)
                if x == y == 0 and type in ("f", "hf"):  # of two zeros, the one with that sign
                    negative = bool(a >> bits_of(type) - 1) and bool(b >> bits_of(type) - 1)
                    either = bool(a >> bits_of(type) - 1) or bool(b >> bits_of(type) - 1)
                    return ((1 << bits_of(type) - 1) * (either if condition == "l" else negative),)
                return (a if _HOLDS[condition](x, y) else b,)

            found = run(intel, [alu("sel", region(RESULT, type), *_sources([type, type]), condition=condition)], values)
            if type in ("f", "hf"):
                found = _nan_or(found, type)
                values = [tuple(_nan_or(value, type)) for value in values]
            compare(values, found, bits_of(type), want, f"sel.{condition} {type}")


def test_sel_and_csel_choose(intel: BareIntel) -> None:
    values = operands(["d", "d", "d"], "csel")
    chosen = [
        alu("cmp", arf(0), region(14, "d"), imm(0, "d"), condition="g"),
        alu("sel", region(RESULT, "ud"), *_sources(["ud", "ud"]), predicate=1),
    ]
    by = [alu("csel", r(RESULT, "d", region=(8, 8, 1)), *_sources(["d", "d", "d"]), condition="g")]
    for code in (chosen, by):
        compare(values, run(intel, code, values), 32, lambda a, b, c: (a if wrap(c, "d") > 0 else b,), "sel")


def test_a_condition_of_a_result_is_one_of_what_is_stored(intel: BareIntel) -> None:
    """Half of the smallest half-precision number is rounded to 0."""
    values = operands(["f"], "mov.z hf")
    code = [
        alu("mov", region(30, "hf"), region(10, "f"), condition="z"),
        alu("mov", r(RESULT), imm(0)),
        alu("mov", r(RESULT), imm(1), predicate=1),
    ]

    def want(bits: int) -> tuple[int]:
        return (int(to_bits(to_float(bits, 32), 16) & 0x7FFF == 0),)

    compare(values, run(intel, code, values), 32, want, "mov.z hf f")
