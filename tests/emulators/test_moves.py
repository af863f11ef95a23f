"""Conversions between all types in all rounding modes, and the moves of several registers."""

import math
from fractions import Fraction

import pytest
from assembler import TYPES
from bare_gpu import BareGpu, Shape
from exact import Real, integer, is_nan, to_bits, to_float
from lanes import UNTOUCHED, operands, run_forms

_MODES = {"": "zero", "(even)": "even", "(up)": "up", "(down)": "down"}
_RANGES = {"u16": (0, 0xFFFF), "s16": (-0x8000, 0x7FFF), "u32": (0, 0xFFFFFFFF), "s32": (-1 << 31, (1 << 31) - 1),
           "u8_32": (0, 0xFF)}  # fmt: skip


def _is_half(name: str) -> bool:
    return name in ("f16", "u16", "s16", "u8")


def _value(bits: int, name: str) -> Real | int:
    """What a register holds as that type; u8 has a sign (assumption 9 of docs/emulation.md)."""
    if name[0] == "f":
        return to_float(bits, int(name[1:]))
    size = 8 if name.startswith("u8") else int(name[1:])
    bits &= (1 << size) - 1
    return bits - (bits >> size - 1 << size) if name[0] == "s" or name == "u8" else bits


def _converted(value: Real | int, source: str, target: str, mode: str) -> int:
    """The bits that the destination gets."""
    if target[0] == "f":
        width = int(target[1:])
        return to_bits(value if isinstance(value, float) else Fraction(value), width, mode)
    if source[0] == "f":
        assert isinstance(value, float)
        if math.isnan(value):
            return 0
        low, high = _RANGES[target]
        value = (high if value > 0 else low) if math.isinf(value) else integer(Fraction(value), mode)
        value = min(max(value, low), high)
    bits = int(value) & (0xFF if target.startswith("u8") else 0xFFFFFFFF)
    return bits & 0xFFFF if _is_half(target) else bits


# No text says how a float becomes a u8, and ir3 never emits it.
_PAIRS = [(a, b) for a in TYPES for b in TYPES if a != b and (a[0], b) != ("f", "u8")]


@pytest.mark.parametrize(("source", "target"), _PAIRS)
def test_a_conversion_rounds_by_its_mode_and_stays_in_range(adreno: BareGpu, source: str, target: str) -> None:
    width = 16 if _is_half(source) else 32
    values = operands("f" if source[0] == "f" else "u", width, 250, f"{source}{target}")
    if source == "f32":  # near integers, near halves, and in the range of integers
        scaled = [to_bits(Fraction(a - (1 << 31), 1 << n % 36), 32) for n, (a, _, _) in enumerate(values)]
        values += [(bits, 0, 0) for bits in scaled]
    register, half = ("hr20.x" if width == 16 else "r10.x"), _is_half(target)
    forms = [f"{mode}mov.{source}{target} {'hr40.x' if half else 'r20.x'}, {register}" for mode in _MODES]
    for form, mode, results in zip(forms, _MODES.values(), run_forms(adreno, forms, values), strict=True):
        for (a, _, _), found in zip(values, results, strict=True):
            expected = _converted(_value(a, source), source, target, mode)
            low = found & 0xFFFF if half else found
            bits = 16 if half else 32
            right = low == expected or (target[0] == "f" and is_nan(expected, bits) and is_nan(low, bits))
            assert right, f"{form} of {a:#x}: {low:#x}, not {expected:#x}"
            assert not half or found >> 16 == UNTOUCHED >> 16


@pytest.mark.parametrize("name", TYPES)
def test_a_move_of_one_type_keeps_all_bits(adreno: BareGpu, name: str) -> None:
    half = _is_half(name)
    values = operands("u", 16 if half else 32, 100, name)
    (results,) = run_forms(adreno, [f"mov.{name}{name} {'hr40.x, hr20.x' if half else 'r20.x, r10.x'}"], values)
    assert [r & 0xFFFF if half else r for r in results] == [a for a, _, _ in values]


def _registers(gpu: BareGpu, *lines: str) -> list[int]:
    """r20.x to r20.w, which were 1, 2, 3, 4, after these lines."""
    first = [f"mov.u32u32 r20.{'xyzw'[n]}, {n + 1}" for n in range(4)] + [
        f"mov.u32u32 r10.{'xyzw'[n]}, {0x10001 * (n + 1)}" for n in range(4)
    ]
    end = ["mov.u32u32 r4.x, c0.x", "mov.u32u32 r4.y, c0.y", "stg type=u32 data=r20.x address=r4.x size=4", "end"]
    out = gpu.run("\n".join([*first, *lines, *end]), [16], shape=Shape((1, 1, 1)))
    assert out.done
    assert not out.marks
    return out.words(0)


def test_swz_gat_and_sct_read_all_before_they_write(adreno: BareGpu) -> None:
    assert _registers(adreno, "swz.u32u32 r20.x, r20.y, r20.y, r20.x") == [2, 1, 3, 4]
    assert _registers(adreno, "gat.u32u32 r20.x, r20.w, r20.z, r20.y, r20.x") == [4, 3, 2, 1]
    assert _registers(adreno, "sct.u32u32 r20.w, r20.z, r20.y, r20.x, r20.x") == [4, 3, 2, 1]
    assert _registers(adreno, "swz.u32f32 r20.x, r20.z, r20.y, r20.w") == [0x40000000, 2, 0x40800000, 4]
    # halves: hr20.x to hr20.w are r10.x's and r10.y's
    assert _registers(adreno, "gat.u16u32 r20.x, hr20.z, hr20.y, hr20.x, hr21.x") == [2, 1, 1, 3]
    assert _registers(adreno, "sct.u32u16 hr41.x, hr41.y, hr40.x, hr40.y, r10.x") == [0x40003, 2, 0x20001, 4]


def test_movmsk_has_a_bit_for_each_lane_that_executes(adreno: BareGpu) -> None:
    shader = """
        mov.u32u32 r4.x, c0.x
        mov.u32u32 r4.y, c0.y
        (rpt3)mov.u32u32 r8.x, 9
        and.b r6.x, r0.w, 3
        cmps.u.eq p0.x, r6.x, 1
        cmps.u.lt p0.y, r0.w, 100
        brao inverted=1 predicate=0 inverted2=1 predicate2=1 offset=out
        movmsk dst=r8.x size=SIZE
        out:
        (jp)nop
        cmps.u.eq p0.x, r0.w, 5
        br inverted=1 predicate=0 offset=past
        stg type=u32 data=r8.x address=r4.x size=4
        past:
        (jp)end
        """
    for lanes, size, expected in (
        (64, 1, [0x22222222, 0x22222222, 9, 9]),
        (128, 3, [0x22222222, 0x22222222, 0x22222222, 2]),
        (128, 0, [0x22222222, 9, 9, 9]),
    ):
        out = adreno.run(shader.replace("SIZE", str(size)), [16], shape=Shape((lanes, 1, 1), lanes=lanes))
        assert out.done
        assert out.words(0) == expected
