"""Gen9 and Gen11: the tests of a Tiger Lake in their encodings, and what only they have: numbers of 64 bits."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from bare_intel import NUMBERS, OLDER, BareIntel, Launch, store
from exact import to_bits, to_float
from intel_assembler import Operand, alu, assemble, imm, one, r
from intel_older import older_code
from test_intel_alu import (  # noqa: F401  # tests, of this file's GPUs
    test_carry_and_borrow_go_into_the_accumulator,
    test_integer_division_cuts_off,
    test_mul_and_mach_make_the_upper_half_of_a_product,
    test_the_accumulator_has_more_bits_than_a_source,
)
from test_intel_atomics import test_atomics_of_64_bits, test_atomics_of_floats  # noqa: F401
from test_intel_flow import *  # noqa: F403
from test_intel_images import *  # noqa: F403
from test_intel_messages import *  # noqa: F403
from test_intel_reals import (  # noqa: F401
    test_a_comparison_sets_flags_and_all_bits,
    test_denormals_are_flushed_if_the_launch_does_not_keep_them,
    test_sel_and_csel_choose,
)
from test_intel_regions import (  # noqa: F401
    compact,
    test_a_region_names_rows_and_columns,
    test_a_result_has_a_stride_and_leaves_alone_what_is_between,
    test_an_address_may_be_where_a_result_goes,
    test_an_address_register_moves_a_region,
    test_channels_by_mask_predicate_and_group,
    test_each_row_may_have_an_address_of_its_own,
    test_immediates_of_many_numbers,
    test_the_rounding_mode_is_a_register,
)

from emulators.intel import older

_BIG = 0x8000000000000001


@pytest.fixture(scope="module", params=["skl", "icl"])
def intel(request: pytest.FixtureRequest, intel_library: Path) -> BareIntel:
    return BareIntel(intel_library, request.param)


def test_a_compacted_instruction_does_what_the_whole_one_does(intel: BareIntel) -> None:
    generation = OLDER[intel.gpu]
    code = older_code(assemble([alu("add", r(20, "d"), r(10, "d"), r(12, "d"), n=8)]), generation)
    whole = int.from_bytes(code, "little")
    indices = (older.CONTROL, older.TYPES[generation.upper()], older.SUBREGISTERS, older.SOURCE0_INDEX, older.SOURCE1_INDEX)
    text = intel.text_of(whole)
    assert text == "add(8|M0) r20.0<1>d r10.0<8;8,1>d r12.0<8;8,1>d"
    assert intel.text_of(compact(whole, indices, (*older.PLAIN, (108, 101, 56)))) == text


@pytest.fixture(scope="module")
def skylake(intel_library: Path) -> BareIntel:
    return BareIntel(intel_library, "skl")


def _wide(number: int, value: int) -> list[int]:
    """A number of 64 bits at the beginning of a register."""
    return [alu("mov", r(number, sub=4 * n), imm(value >> 32 * n & 0xFFFFFFFF), n=1, mask=False) for n in (0, 1)]


def _first(skylake: BareIntel, value: int, body: list[int], mode: int = 0, channels: int = 1) -> int:
    """What the first channels of r40 hold, the first one lowest, after a body that gets a number of 64 bits in r20."""
    code = [*NUMBERS, *_wide(20, value), alu("mov", r(40), imm(0)), *body, *store(r(40), 0, 3)]
    out = skylake.launch(code, [64], Launch(rounding=mode))
    assert out.done, out.marks
    return sum(word << 32 * n for n, word in enumerate(out.words(0)[:channels]))


@pytest.mark.parametrize(
    ("value", "source", "target", "want"),
    [
        (_BIG, "uq", "uw", 0xFFFF), (_BIG, "q", "uw", 0), (_BIG, "q", "d", 0x80000000), (_BIG, "uq", "d", 0x7FFFFFFF),
        (5, "uq", "ud", 5), (-5 & (1 << 64) - 1, "q", "d", 0xFFFFFFFB),
    ],
)  # fmt: skip
def test_a_number_of_64_bits_is_saturated_by_its_sign(
    skylake: BareIntel, value: int, source: str, target: str, want: int
) -> None:
    size = 1 if target == "uw" else 0
    moved = alu("mov", r(40, target, region=(8, 8, 1 << size)), one(r(20, source)), n=1, mask=False, saturate=True)
    assert _first(skylake, value, [moved]) == want


@pytest.mark.parametrize(
    ("value", "type", "want"),
    [
        (_BIG, "q", (0x80000000, 0)), (1 << 62, "q", (0x7FFFFFFF, 0xFFFFFFFF)), (_BIG, "uq", (0xFFFFFFFF, 0xFFFFFFFF)),
        (7, "uq", (0, 14)), (-7 & (1 << 64) - 1, "q", (0xFFFFFFFF, 0xFFFFFFF2)),
    ],
)  # fmt: skip
def test_a_sum_of_64_bits_is_saturated(skylake: BareIntel, value: int, type: str, want: tuple[int, int]) -> None:
    twice = alu("add", r(42, type), one(r(20, type)), one(r(20, type)), n=1, mask=False, saturate=True)
    halves = [alu("mov", r(40), one(r(42, sub=4 * (1 - n))), n=1, mask=False) for n in (0, 1)]
    assert tuple(_first(skylake, value, [twice, half]) for half in halves) == want


@pytest.mark.parametrize(
    ("value", "source", "want"),
    [
        (_BIG, "uq", 0x5F000000), (_BIG, "q", 0xDF000000), ((1 << 63) + (1 << 39), "uq", 0x5F000000),
        ((1 << 63) + (1 << 39) + 1, "uq", 0x5F000001), ((1 << 62) + (1 << 38) + 1, "q", 0x5E800001),
    ],
)  # fmt: skip
def test_a_number_of_64_bits_becomes_a_float_by_one_rounding(skylake: BareIntel, value: int, source: str, want: int) -> None:
    """A tie, and a little more than one, which a double does not hold."""
    moved = alu("mov", r(40, "f"), one(r(20, source)), n=1, mask=False)
    assert _first(skylake, value, [moved]) == want


def test_numbers_of_64_bits_without_a_sign_are_compared_as_such(skylake: BareIntel) -> None:
    def greater(type: str) -> int:
        limit: Operand = imm(1, "ud" if type == "uq" else "d")
        body = [
            alu("mov", r(22, type), limit, n=1, mask=False),
            alu("cmp", r(24, type), one(r(20, type)), one(r(22, type)), n=1, mask=False, condition="g"),
            alu("mov", r(40), one(r(24)), n=1, mask=False),
        ]
        return _first(skylake, _BIG, body)

    assert greater("uq") == 0xFFFFFFFF
    assert greater("q") == 0


def test_bfe_has_a_sign_if_its_result_has_one(skylake: BareIntel) -> None:
    """Align16 has one type for all sources, which Mesa 26.2 takes from the first."""
    parts = [alu("mov", r(n), imm(value), n=8) for n, value in ((24, 4), (26, 8), (28, 0xF00))]
    for type, want in (("d", 0xFFFFFFFF), ("ud", 0xF)):
        body = [*parts, alu("bfe", r(40, type), r(24), r(26), r(28), n=8)]
        assert _first(skylake, 0, body) == want


@pytest.mark.parametrize(("a", "b", "c"), [(0.25, 3.0, -1.0), (0.1, 1e30, 7.0), (1.0, 5.0, 9.0), (0.3, 0.7, 0.7)])
def test_lrp_lies_between_two_numbers(skylake: BareIntel, a: float, b: float, c: float) -> None:
    bits = [to_bits(Fraction(x), 32) for x in (a, b, c)]
    exact = [Fraction(to_float(n, 32)) for n in bits]
    body = [alu("mov", r(24 + 2 * k), imm(n), n=8) for k, n in enumerate(bits)]
    body.append(alu("lrp", r(40, "f"), r(24, "f"), r(26, "f"), r(28, "f"), n=8))
    assert _first(skylake, 0, body) == to_bits(exact[0] * exact[1] + (1 - exact[0]) * exact[2], 32)


def test_lrp_is_gone_since_gen11(intel_library: Path) -> None:
    ice = BareIntel(intel_library, "icl")
    out = ice.launch([alu("lrp", r(40, "f"), r(24, "f"), r(26, "f"), r(28, "f"), n=8)])
    assert any("is not a known instruction" in mark for mark in out.marks)


# ---- doubles, and numbers of 64 bits, by exact arithmetic

_MODES = ("even", "up", "down", "zero")  # as cr0 counts them
_DOUBLES = [1.5, -0.1, 1e300, -3e-300, 2.0**53 + 2, 1 / 3, 7.25e15, -1.0]
_OF_DOUBLES: dict[str, tuple[int, Callable[..., Fraction]]] = {
    "add": (2, lambda a, b, _: a + b), "mul": (2, lambda a, b, _: a * b), "mad": (3, lambda a, b, c: a + b * c),
}  # fmt: skip


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("name", _OF_DOUBLES)
def test_doubles_are_rounded_once_by_the_mode(skylake: BareIntel, name: str, mode: int) -> None:
    count, compute = _OF_DOUBLES[name]
    for k in range(len(_DOUBLES)):
        values = [(_DOUBLES * 2)[k + n] for n in (0, 1, 3)]
        bits = [to_bits(v, 64) for v in values]
        sources = [one(r(number, "df")) for number in (20, 22, 24)][:count]
        body = [*_wide(22, bits[1]), *_wide(24, bits[2]), alu(name, r(40, "df"), *sources, n=1, mask=False)]
        want = to_bits(compute(*map(Fraction, values)), 64, _MODES[mode])
        assert _first(skylake, bits[0], body, mode, 2) == want, (name, values, _MODES[mode])


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize(
    ("source", "target"), [("df", "f"), ("df", "hf"), ("q", "df"), ("uq", "df"), ("q", "f"), ("uq", "f")]
)
def test_conversions_of_64_bits_round_once_by_the_mode(skylake: BareIntel, source: str, target: str, mode: int) -> None:
    integers = [(1 << 53) + 1, (1 << 62) + 3, (1 << 63) - 1, _BIG, 5, (1 << 64) - 1, (1 << 60) + (1 << 36) + 1]
    reals = [0.1, 1 + 2.0**-24, -(1 + 2.0**-11 + 2.0**-40), 2049.0, -1 / 3, 65503.9]
    width = {"f": 32, "hf": 16, "df": 64}[target]
    for value in reals if source == "df" else integers:
        bits = to_bits(value, 64) if isinstance(value, float) else value
        exact = Fraction(value)
        if source == "q" and bits >> 63:
            exact -= 1 << 64
        moved = alu("mov", r(40, target, region=(8, 8, 4 if target == "hf" else 1)), one(r(20, source)), n=1, mask=False)
        found = _first(skylake, bits, [moved], mode, 2 if width == 64 else 1)
        assert found & (1 << width) - 1 == to_bits(exact, width, _MODES[mode]), (source, target, value, _MODES[mode])


@pytest.mark.parametrize("target", ["q", "uq", "d", "uw"])
def test_a_double_becomes_an_integer_within_its_range(skylake: BareIntel, target: str) -> None:
    low, high = {
        "q": (-(1 << 63), (1 << 63) - 1),
        "uq": (0, (1 << 64) - 1),
        "d": (-(1 << 31), (1 << 31) - 1),
        "uw": (0, 65535),
    }[target]
    wide = target in ("q", "uq")
    for value in (1.9, -1.9, 1e30, -1e30, 2.0**62 + 1024, 65535.5, 2.0**31, 2.0**63):
        moved = alu(
            "mov", r(40, target, region=(8, 8, 1 if wide or target == "d" else 2)), one(r(20, "df")), n=1, mask=False
        )
        found = _first(skylake, to_bits(value, 64), [moved], channels=2 if wide else 1)
        bits = (high - low + 1).bit_length() - 1
        assert found & (1 << bits) - 1 == min(max(int(value), low), high) & (1 << bits) - 1, (value, target)


@pytest.mark.parametrize("type", ["q", "uq"])
def test_integers_of_64_bits_wrap(skylake: BareIntel, type: str) -> None:
    """Products take 32 bits each on Gen9; shifts count modulo 64."""
    a, b = 0x8000000080000001, 0xFFFFFFFF00000003
    signed = a - (1 << 64) if type == "q" else a
    for name, source, want in (
        ("add", b, a + b),
        ("shl", 33, a << 33),
        ("shl", 96, a << 32),
        ("asr" if type == "q" else "shr", 65, signed >> 1),
    ):
        operand = one(r(22, type)) if name == "add" else imm(source)
        body = [*_wide(22, source), alu(name, r(40, type), one(r(20, type)), operand, n=1, mask=False)]
        assert _first(skylake, a, body, channels=2) == want & (1 << 64) - 1, (name, source)
