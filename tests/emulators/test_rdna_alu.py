"""Vector instructions of the emulated RDNA that only compute, by Python's integers and exact arithmetic."""

import random
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from bare_rdna import BareRdna, Grid, asm, s, v, wait
from rdna_meaning import MEANINGS, SATURATING, Meaning, bits_of, number

_EDGES = {
    "u": (0, 1, 2, 31, 32, 33, 63, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFF, 0xFFFFFF, 0x7FFFFFFF,
    0x80000000,
          0xFFFFFFFE, 0xFFFFFFFF),
    "f16": (0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x3800, 0x3BFF, 0x3C00, 0xBC00, 0x3C01, 0x4100, 0xC100, 0x6400, 0x7BFF,
    0xFBFF, 0x7C00,
            0xFC00, 0x7E00),
    "f32": (0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0xBF800000, 0x40200000,
    0xC0200000,
            0x477FE000, 0x4B000001, 0x4F000000, 0xCF000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000),
    "f64": (0, 1 << 63, 1, 0xFFFFFFFFFFFFF, 1 << 52, 0x3FE << 52, 0x3FF << 52, 0xBFF << 52, 0x3FEFFFFFFFFFFFFF, 0x4008 << 48,
            0x7FEFFFFFFFFFFFFF, 0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48, 0x41EFFFFFFFE00000, 0x41E0 << 48, 0xC1E0 << 48),
}  # fmt: skip
_COUNT = 192
_REGISTERS = (10, 12, 14)
_RESULT, _STEP = 20, 8


def _operands(kinds: Sequence[str], seed: str) -> list[tuple[int, ...]]:
    """Bits of the sources: edges, and random numbers, many of them near each other."""
    chance, found = random.Random(seed), []
    for _ in range(_COUNT):
        row: list[int] = []
        for kind in kinds:
            edges, width = _EDGES[kind if kind[0] == "f" else "u"], int(kind[1:])
            bits = chance.choice(edges) if chance.random() < 0.4 else chance.getrandbits(width)
            if kind[0] == "f" and row and chance.random() < 0.4:  # of one size, so that sums are rounded
                bits = row[0] ^ chance.getrandbits(min(8, width // 2))
            row.append(bits & (1 << width) - 1)
        found.append(tuple(row))
    return found


def _register(kind: str, n: int) -> Any:
    return v[n : n + 1] if kind.endswith("64") else v[n]


def _function(name: str) -> Callable[..., Any]:
    """The long form, which takes modifiers."""
    found: Callable[..., Any] = getattr(asm, f"{name}_e64", None) or getattr(asm, name)
    return found


def _results(
    gpu: BareRdna, forms: Sequence[Callable[[], Any]], values: Sequence[tuple[int, ...]], mode: int = 0xF0
) -> list[list[int]]:
    """What v[20:21] holds after each form, for each lane: a work-item for each set of operands in v10, v12, v14."""
    inputs = [struct.pack(f"<{len(values)}Q", *(row[n] if n < len(row) else 0 for row in values)) for n in range(3)]
    code = [asm.v_lshlrev_b32_e32(v[1], 3, v[0])]
    code += [asm.global_load_b64(v[r : r + 1], v[1], saddr=s[2 * n : 2 * n + 1]) for n, r in enumerate(_REGISTERS)]
    code.append(wait())
    for form in forms:
        code += [asm.v_mov_b32_e32(v[n], -1) for n in (_RESULT, _RESULT + 1)]
        code.append(form())
        code.append(asm.global_store_b64(addr=v[1], data=v[_RESULT : _RESULT + 1], saddr=s[6:7]))
        code.append(asm.v_add_nc_u32_e32(v[1], _STEP * len(values), v[1]))
    out = gpu.launch(code, [*inputs, len(forms) * len(values) * _STEP], Grid((len(values), 1, 1), mode=mode))
    assert out.done, out.marks
    assert not out.hazards, out.hazards
    words = struct.unpack(f"<{len(forms) * len(values)}Q", out.buffers[3])
    return [list(words[n * len(values) : (n + 1) * len(values)]) for n in range(len(forms))]


def _same(got: int, want: int, kind: str) -> bool:
    if kind[0] == "p":
        return all(_same(got >> n, want >> n & 0xFFFF, "f16") for n in (0, 16))
    width = int(kind[1:])
    got &= (1 << width) - 1
    if kind[0] == "f" and number(want, kind) != number(want, kind):
        value = number(got, kind)
        return bool(value != value)
    return got == want


def _plain(name: str, meaning: Meaning, **more: Any) -> Callable[[], Any]:
    sources = [_register(kind, n) for kind, n in zip(meaning.sources, _REGISTERS, strict=False)]
    packed = {"opsel_hi": 3, "opsel_hi2": 1} if name.startswith(("v_pk_", "v_dot")) else {}
    return lambda: _function(name)(_register(meaning.result, _RESULT), *sources, **packed, **more)


@pytest.mark.parametrize("name", MEANINGS)
def test_an_instruction_computes_what_it_means(rdna: BareRdna, name: str) -> None:
    meaning = MEANINGS[name]
    values = _operands(meaning.sources, name)
    (got,) = _results(rdna, [_plain(name, meaning)], values)
    for row, bits in zip(values, got, strict=True):
        want = bits_of(meaning.compute(*map(number, row, meaning.sources)), meaning.result)
        assert _same(bits, want, meaning.result), (name, [hex(x) for x in row], hex(bits), hex(want))
        if meaning.result.endswith("16"):  # the other half stays
            assert bits >> 16 & 0xFFFF == 0xFFFF


_SHORT = [n for n in MEANINGS if hasattr(asm, f"{n}_e32") and len(MEANINGS[n].sources) < 3]


@pytest.mark.parametrize("name", _SHORT)
def test_the_short_form_is_the_same(rdna: BareRdna, name: str) -> None:
    meaning = MEANINGS[name]
    values = _operands(meaning.sources, name)[:64]
    sources = [_register(kind, n) for kind, n in zip(meaning.sources, _REGISTERS, strict=False)]
    short = getattr(asm, f"{name}_e32")
    got, long = _results(rdna, [lambda: short(_register(meaning.result, _RESULT), *sources), _plain(name, meaning)], values)
    assert got == long


def _modified(row: Sequence[int], meaning: Meaning, absolute: int, negate: int) -> list[Any]:
    found = []
    for n, (bits, kind) in enumerate(zip(row, meaning.sources, strict=True)):
        sign = 1 << int(kind[1:]) - 1
        bits = bits & ~sign if absolute >> n & 1 else bits
        found.append(number(bits ^ sign if negate >> n & 1 else bits, kind))
    return found


@pytest.mark.parametrize("name", [n for n, m in MEANINGS.items() if m.modifiers])
def test_modifiers_of_floats(rdna: BareRdna, name: str) -> None:
    meaning = MEANINGS[name]
    scales = (Fraction(1), Fraction(2), Fraction(4), Fraction(1, 2))
    forms = [(0, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 1, 0), (3, 2, 2, 1), (0, 3, 3, 0), (4, 4, 0, 0), (2, 6, 0, 0)]
    values = _operands(meaning.sources, f"modified {name}")[:96]
    made = [_plain(name, meaning, abs=a, neg=n, omod=o, clmp=c) for a, n, o, c in forms]
    for (absolute, negate, omod, clamp), got in zip(forms, _results(rdna, made, values), strict=True):
        for row, bits in zip(values, got, strict=True):
            real = number(
                bits_of(meaning.compute(*_modified(row, meaning, absolute, negate)), meaning.result), meaning.result
            )
            if omod and real and real - real == 0:
                real = number(bits_of(Fraction(real) * scales[omod], meaning.result), meaning.result)
            if clamp:
                real = min(max(real, 0.0), 1.0) if real > 0 else 0.0
            want = bits_of(real, meaning.result)
            assert _same(bits, want, meaning.result), (
                name,
                absolute,
                negate,
                omod,
                clamp,
                [hex(x) for x in row],
                hex(bits),
                hex(want),
            )


@pytest.mark.parametrize("name", SATURATING)
def test_clamp_saturates_integers(rdna: BareRdna, name: str) -> None:
    meaning = MEANINGS[name]
    values = _operands(meaning.sources, f"saturated {name}")
    (got,) = _results(rdna, [_plain(name, meaning, clmp=1)], values)
    for row, bits in zip(values, got, strict=True):
        want = bits_of(SATURATING[name](*map(number, row, meaning.sources)), meaning.result)
        assert _same(bits, want, meaning.result), (name, [hex(x) for x in row], hex(bits), hex(want))


_ROUNDED = {"even": 0, "up": 1, "down": 2, "zero": 3}


@pytest.mark.parametrize("mode", _ROUNDED)
@pytest.mark.parametrize(
    "name", ["v_add_f32", "v_mul_f32", "v_fma_f32", "v_add_f16", "v_mul_f16", "v_cvt_f16_f32", "v_cvt_f32_i32"]
)
def test_a_result_is_rounded_by_the_mode(rdna: BareRdna, name: str, mode: str) -> None:
    meaning = MEANINGS[name]
    values = _operands(meaning.sources, f"rounded {name}")
    (got,) = _results(rdna, [_plain(name, meaning)], values, 0xF0 | _ROUNDED[mode] * 5)
    for row, bits in zip(values, got, strict=True):
        real = meaning.compute(*map(number, row, meaning.sources))
        if real == 0:  # the sum of two opposite numbers: the mode decides its sign
            continue
        want = bits_of(real, meaning.result, mode)
        assert _same(bits, want, meaning.result), (name, mode, [hex(x) for x in row], hex(bits), hex(want))


@pytest.mark.parametrize(
    ("name", "mode", "kind"), [("v_add_f32", 0xC0, "f32"), ("v_mul_f16", 0x30, "f16"), ("v_add_f64", 0x30, "f64")]
)
def test_denormals_are_zeros_if_the_mode_says_so(rdna: BareRdna, name: str, mode: int, kind: str) -> None:
    meaning, width = MEANINGS[name], int(kind[1:])
    exponent = {16: 0x7C00, 32: 0x7F800000, 64: 0x7FF << 52}[width]
    values = _operands(meaning.sources, f"flushed {name}")

    def flushed(bits: int) -> int:
        return bits if bits & exponent else bits & 1 << width - 1

    (got,) = _results(rdna, [_plain(name, meaning)], values, mode)
    for row, bits in zip(values, got, strict=True):
        real = meaning.compute(*(number(flushed(x), kind) for x in row))
        assert _same(bits, flushed(bits_of(real, kind)), kind), (name, [hex(x) for x in row], hex(bits))


def test_two_halves_in_a_word_are_not_a_float(rdna: BareRdna) -> None:
    """If denormals of floats are zeros, and the word would be one."""
    values = [(0x3F800000, 0x30000000), (0x38D1B717, 0), (0xBF800000, 0x33800000)]
    (got,) = _results(rdna, [lambda: asm.v_cvt_pk_rtz_f16_f32_e32(v[20], v[10], v[12])], values, 0xC0)
    assert [bits & 0xFFFFFFFF for bits in got] == [0x3C00, 0x068D, 0x0001BC00]


def test_halves_that_accumulate_are_not_a_float_either(rdna: BareRdna) -> None:
    values = [(0x3C00, 0x3C00, 0x3C00), (0x3C003C00, 0x00033C00, 0), (0x00010000, 0x40000000, 0x00010001)]
    form = asm.v_pk_fmac_f16_e32(v[14], v[10], v[12])
    _, after = _results(rdna, [lambda: form, lambda: asm.v_mov_b32_e32(v[20], v[14])], values, 0xC0)
    assert [bits & 0xFFFFFFFF for bits in after] == [0x4000, 0x00033C00, 0x00030001]


def test_a_constant_of_halves_that_accumulate_is_in_both(rdna: BareRdna) -> None:
    form = asm.v_pk_fmac_f16_e32(v[14], -0.5, v[12])
    _, after = _results(rdna, [lambda: form, lambda: asm.v_mov_b32_e32(v[20], v[14])], [(0, 0x40003C00, 0x3C003C00)], 0xC0)
    assert [bits & 0xFFFFFFFF for bits in after] == [0x00003800]


def test_two_halves_of_one_literal(rdna: BareRdna) -> None:
    """Each source takes the half that it names: a number between -128 and 127."""
    values = [(x & 0xFFFF,) for x in (0, 5, 200, -5, -200)]
    both = 0xFF80007F
    (got,) = _results(rdna, [lambda: asm.v_med3_i16(v[20], v[10], both, both, opsel=4)], values)
    assert [bits & 0xFFFF for bits in got] == [x & 0xFFFF for x in (0, 5, 127, -5, -128)]


@pytest.mark.parametrize("name", ["v_rndne_f16", "v_rndne_f32", "v_rndne_f64"])
def test_rounding_to_the_nearest_does_not_go_by_the_mode(rdna: BareRdna, name: str) -> None:
    meaning = MEANINGS[name]
    values = _operands(meaning.sources, name)
    nearest, up = (_results(rdna, [_plain(name, meaning)], values, mode) for mode in (0xF0, 0xF5))
    assert nearest == up


def test_packed_halves_are_rounded_by_the_mode_of_halves(rdna: BareRdna) -> None:
    add = _plain("v_pk_add_f16", MEANINGS["v_pk_add_f16"])
    (got,) = _results(rdna, [add], [(0x3C003C00, 0x00010001)], 0xF4)
    (other,) = _results(rdna, [add], [(0x3C003C00, 0x00010001)], 0xF1)
    assert [got[0] & 0xFFFFFFFF, other[0] & 0xFFFFFFFF] == [0x3C013C01, 0x3C003C00]


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "eq": lambda a, b: a == b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}  # fmt: skip
_NOT: dict[str, Callable[[Any, Any], bool]] = {
    "nlt": lambda a, b: not a < b, "nge": lambda a, b: not a >= b, "neq": lambda a, b: a != b,
    "o": lambda a, b: a == a and b == b,
    "u": lambda a, b: a != a or b != b, "lg": lambda a, b: a < b or a > b,
}  # fmt: skip


@pytest.mark.parametrize("kind", ["f16", "f32", "f64", "i16", "u16", "i32", "u32", "i64", "u64"])
def test_a_comparison_is_a_bit_a_lane(rdna: BareRdna, kind: str) -> None:
    conditions = _COMPARED | (_NOT if kind[0] == "f" else {"ne": lambda a, b: a != b})
    values = _operands((kind, kind), f"compared {kind}")
    values += [(a, a) for a, _ in values[:20]]
    for name, condition in conditions.items():
        compare = getattr(asm, f"v_cmp_{name}_{kind}_e32")
        inputs = [struct.pack(f"<{len(values)}Q", *column) for column in zip(*values, strict=True)]
        code = [asm.v_lshlrev_b32_e32(v[1], 3, v[0]), asm.v_lshlrev_b32_e32(v[2], 2, v[0])]
        code += [asm.global_load_b64(v[r : r + 1], v[1], saddr=s[2 * n : 2 * n + 1]) for n, r in ((0, 10), (1, 12))]
        code += [
            wait(),
            compare(_register(kind, 10), _register(kind, 12)),
            asm.v_mov_b32_e32(v[5], 0),
            asm.v_mov_b32_e32(v[6], 1),
            asm.v_cndmask_b32_e32(v[4], v[5], v[6]),
        ]
        code.append(asm.global_store_b32(addr=v[2], data=v[4], saddr=s[4:5]))
        out = rdna.launch(code, [*inputs, 4 * len(values)], Grid((len(values), 1, 1)))
        assert out.done, out.marks
        for (a, b), bit in zip(values, out.words(2), strict=True):
            assert bit == condition(number(a, kind), number(b, kind)), (name, kind, hex(a), hex(b))
