"""Each instruction that only computes, by Python's integers and exact arithmetic: types, edges, modifiers, rounding."""

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest
from bare_intel import BareIntel
from exact import integer, to_bits, to_float
from intel_assembler import Operand, alu, arf, r
from intel_lanes import RESULT, bits_of, compare, operands, region, run
from intel_meaning import INTEGER_TYPES, INTEGERS, REALS, SIGNED, Integers, clamp, wrap

from emulators.intel.instructions import INSTRUCTIONS, MATH

# Those with tests of their own: here, in test_intel_flow.py, test_intel_regions.py and test_intel_messages.py.
_OWN = {"mov", "sel", "cmp", "cmpn", "csel", "mach", "addc", "subb", "math", "send", "sendc", "sync", "nop", "bfn", "lrp"}


def test_each_instruction_has_a_meaning_or_a_test_of_its_own() -> None:
    flow = {"jmpi", "if", "else", "endif", "while", "break", "cont", "halt"}
    assert {i.name for i in INSTRUCTIONS} == INTEGERS.keys() | REALS.keys() | _OWN | flow
    assert not (INTEGERS.keys() | REALS.keys()) & (_OWN | flow)


def _sources(types: Sequence[str]) -> list[Operand]:
    return [region(10 + 2 * k, type) for k, type in enumerate(types)]


def _integer(meaning: Integers, sources: Sequence[int], types: Sequence[str], modifiers: Sequence[str]) -> int:
    values = []
    for bits, type, modifier in zip(sources, types, modifiers, strict=False):
        value = wrap(bits, type)
        if "abs" in modifier and not meaning.logic:
            value = abs(value)
        if "neg" in modifier:
            value = ~value if meaning.logic else -value
        values.append(wrap(value, type))  # -(-32768) of 16 bits is -32768
    return meaning.compute(*values, bits_of(types[0]))


def _check_integers(
    intel: BareIntel, name: str, meaning: Integers, type: str, modifiers: Sequence[str] = ("", "", "")
) -> None:
    types = [type] * meaning.sources
    values = operands(types, f"{name} {type} {modifiers}")
    for target in INTEGER_TYPES if meaning.sources < 3 else ("ud", "uw"):
        for saturate in (False, True):
            if saturate and (
                meaning.logic or name in ("shl", "shr", "bfe", "bfi1", "bfi2", "bfrev", "rol", "ror", "mad", "mul")
            ):
                continue
            sources = [_modified(o, m) for o, m in zip(_sources(types), modifiers, strict=False)]
            code = [alu(name, region(RESULT, target), *sources, saturate=saturate)]

            def want(*bits: int, target: str = target, saturate: bool = saturate) -> tuple[int]:
                value = _integer(meaning, bits, types, modifiers)
                value = clamp(value, target) if saturate else value
                return (value & (1 << bits_of(target)) - 1,)

            compare(values, run(intel, code, values), bits_of(target), want, f"{name} {target} {type}")


def _modified(operand: Operand, modifier: str) -> Operand:
    operand = abs(operand) if "abs" in modifier else operand
    return -operand if "neg" in modifier else operand


_CASES = [
    (name, type) for name, meaning in INTEGERS.items() for type in meaning.types if not (name in SIGNED and type == "d")
]


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_of_a_type_are_computed_exactly(intel: BareIntel, name: str) -> None:
    for type in [type for own, type in _CASES if own == name][:2]:
        _check_integers(intel, name, INTEGERS[name], type)


@pytest.mark.nightly("two types show it")
@pytest.mark.parametrize("name", INTEGERS)
def test_integers_of_every_type_are_computed_exactly(intel: BareIntel, name: str) -> None:
    for type in [type for own, type in _CASES if own == name][2:]:
        _check_integers(intel, name, INTEGERS[name], type)


@pytest.mark.parametrize("name", SIGNED)
def test_signed_words_are_extended(intel: BareIntel, name: str) -> None:
    _check_integers(intel, name, SIGNED[name], "d")


@pytest.mark.parametrize("modifiers", [("neg", ""), ("abs", "neg"), ("absneg", "abs")], ids="-".join)
def test_modifiers_of_integers(intel: BareIntel, modifiers: tuple[str, str]) -> None:
    for name in ("add", "and"):
        _check_integers(intel, name, INTEGERS[name], "w", modifiers)


def test_a_product_is_saturated_from_all_its_bits(intel: BareIntel) -> None:
    for type, target in (("ud", "ud"), ("d", "d"), ("uw", "uw"), ("ud", "d")):
        values = operands([type, type], f"mul.sat {type}")
        code = [alu("mul", region(RESULT, target), *_sources([type, type]), saturate=True)]

        def want(a: int, b: int, type: str = type, target: str = target) -> tuple[int]:
            return (clamp(wrap(a, type) * wrap(b, type), target) & (1 << bits_of(target)) - 1,)

        compare(values, run(intel, code, values), bits_of(target), want, f"mul.sat {target} {type}")


# ---- the accumulator, and math


@pytest.mark.parametrize("type", ["ud", "d"])
def test_mul_and_mach_make_the_upper_half_of_a_product(intel: BareIntel, type: str) -> None:
    values = operands([type, type], f"mach {type}")
    code = []
    for half in (0, 1):
        a, b = r(10 + half, type), r(12 + half, type)
        low = r(12 + half, "uw", region=(16, 8, 2))
        code += [
            alu("mul", arf(0x20, type), a, low, n=8, first=8 * half),
            alu("mach", r(RESULT + half, type), a, b, n=8, first=8 * half, accumulates=True),
        ]
    compare(
        values,
        run(intel, code, values),
        32,
        lambda a, b: (wrap(a, type) * wrap(b, type) >> 32 & 0xFFFFFFFF,),
        f"mach {type}",
    )


def test_carry_and_borrow_go_into_the_accumulator(intel: BareIntel) -> None:
    values = operands(["ud", "ud"], "addc")
    for name, carry in (("addc", lambda a, b: (int(a + b > 0xFFFFFFFF),)), ("subb", lambda a, b: (int(a < b),))):
        code = [alu(name, r(30), *_sources(["ud", "ud"]), accumulates=True), alu("mov", r(RESULT), arf(0x20))]
        compare(values, run(intel, code, values), 32, carry, name)
    code = [alu("subb", r(RESULT), *_sources(["ud", "ud"]), accumulates=True)]
    compare(values, run(intel, code, values), 32, lambda a, b: (a - b & 0xFFFFFFFF,), "subb")


_MATH = {
    "inv": lambda a: 1 / Fraction(a), "sqt": math.sqrt, "rsqt": lambda a: 1 / math.sqrt(a), "log": math.log2,
    "exp": lambda a: 2**a, "sin": math.sin, "cos": math.cos, "fdiv": lambda a, b: Fraction(a) / Fraction(b),
    "pow": lambda a, b: abs(a) ** b,
}  # fmt: skip


@pytest.mark.parametrize("name", _MATH)
def test_math_is_rounded_to_the_nearest(intel: BareIntel, name: str) -> None:
    two = name in ("fdiv", "pow")
    drawn = operands(["ud", "ud"], f"math {name}")
    values: list[tuple[int, ...]] = [(0x3E000000 + a % 0x4000000, 0x3E000000 + b % 0x3000000) for a, b in drawn]
    sources = _sources(["f", "f"] if two else ["f"])

    def want(*bits: int) -> tuple[int, ...]:
        own = [to_float(b, 32) for b in (bits if two else bits[:1])]
        exact = _MATH[name](*own)  # type: ignore[operator]
        bits_ = to_bits(exact, 32)
        return (bits_,) if isinstance(exact, Fraction) else (bits_ - 1, bits_, bits_ + 1)

    compare(values, run(intel, [alu(f"math.{name}", region(RESULT, "f"), *sources)], values), 32, want, name)


def test_integer_division_cuts_off(intel: BareIntel) -> None:
    for type in ("ud", "d"):
        values = operands([type, type], f"intdiv {type}")

        def quotient(a: int, b: int, type: str = type) -> tuple[int]:
            x, y = wrap(a, type), wrap(b, type)
            return ((integer(Fraction(x, y), "zero") if y else -1) & 0xFFFFFFFF,)

        def rest(a: int, b: int, type: str = type) -> tuple[int]:
            x, y = wrap(a, type), wrap(b, type)
            return ((x - y * integer(Fraction(x, y), "zero") if y else x) & 0xFFFFFFFF,)

        for name, want in (("intdiv", quotient), ("intmod", rest)):
            compare(
                values, run(intel, [alu(f"math.{name}", r(RESULT, type), *_sources([type, type]))], values), 32, want, name
            )


def test_each_function_of_math_has_a_test() -> None:
    assert {name for name, _ in MATH.values()} == _MATH.keys() | {"intdiv", "intmod"}


def test_what_no_table_knows_is_not_emulated(intel: BareIntel) -> None:
    assert "is not a known instruction" in intel.launch([0x7F]).marks[0]
    assert "function 15 of math" in intel.launch([alu("math.inv", r(9, "f"), r(2, "f")) | 15 << 92]).marks[0]


@pytest.mark.parametrize("type", ["d", "ud", "w", "uw"])
def test_the_accumulator_has_more_bits_than_a_source(intel: BareIntel, type: str) -> None:
    """The compiler uses it for sub_sat of eight lanes: minus the least number does not wrap."""
    values = operands([type, type], "sub_sat")
    bits = 16 if "w" in type else 32
    apart, code = 32 // bits, []
    for half in (0, 1):
        a, b = (r(first + half, type, region=(8 * apart, 8, apart)) for first in (10, 12))
        result = r(RESULT + half, type, region=(0, 1, apart))
        code += [
            alu("mov", arf(0x20, type), b, n=8, first=8 * half),
            alu("add", result, -arf(0x20, type), a, n=8, first=8 * half, saturate=True),
        ]

    def want(a: int, b: int) -> tuple[int]:
        return (clamp(wrap(a, type) - wrap(b, type), type) & (1 << bits) - 1,)

    compare(values, run(intel, code, values), bits, want, "sub_sat")
