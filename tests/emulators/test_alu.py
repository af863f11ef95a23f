"""Each instruction that only computes, by Python's integers and exact arithmetic: every width, edges, modifiers."""

import ctypes
import itertools
import struct
from collections.abc import Iterator

import pytest
from assembler import CONDITIONS, FLOATS
from bare_gpu import BareGpu, Shape
from exact import to_bits, to_float
from lanes import UNTOUCHED, Form, explain, operands, run_forms
from meaning import COMPARISONS, MEANINGS, reverse

from emulators.adreno.instructions import CAT2, CAT3, CAT4

_OWN = {"bfrev.b", "dp2acc", "dp4acc", "bary.f"} | {i.name for i in CAT2 if i.name.startswith("cmp")}
_CATEGORY = {i.name: i.category for i in (*CAT2, *CAT3, *CAT4)}
_ANY = ("", "neg", "abs", "absneg")


def test_each_instruction_has_a_meaning_or_a_test_of_its_own() -> None:
    assert {i.name for i in (*CAT2, *CAT3, *CAT4)} == MEANINGS.keys() | _OWN
    assert not MEANINGS.keys() & _OWN


def _widths(name: str) -> Iterator[tuple[int, int]]:
    for width in MEANINGS[name].widths:
        yield from ((width, 16), (width, 32))


def _check(gpu: BareGpu, forms: list[Form], count: int, seed: str) -> None:
    kind = MEANINGS[forms[0].name].kind
    for width in {form.width for form in forms}:
        own = [form for form in forms if form.width == width]
        values = operands(kind, width, count, f"{seed} {own[0]}")
        for form, results in zip(own, run_forms(gpu, [f.text() for f in own], values), strict=True):
            wrong = list(explain(form, values, results))
            assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("name", MEANINGS)
def test_an_instruction_computes_what_it_means(adreno: BareGpu, name: str) -> None:
    plain = ("",) * MEANINGS[name].sources
    count = 256 if _CATEGORY[name] == 4 else 640
    _check(adreno, [Form(name, *widths, plain) for widths in _widths(name)], count, "plain")


def _modified(name: str) -> Iterator[Form]:
    """All modifiers of category 2's two sources; category 3 has neg, and those on bits have no abs."""
    meaning = MEANINGS[name]
    each = ("", "neg") if _CATEGORY[name] == 3 or meaning.kind == "b" else _ANY
    flags = (
        ["", "sat"]
        if meaning.kind == "f"
        else ["", "sat", "ei"]
        if name[:5] in ("add.u", "add.s", "sub.u", "sub.s")
        else [""]
    )
    for widths in _widths(name):
        for modifiers in itertools.product(each, repeat=meaning.sources):
            yield from (Form(name, *widths, modifiers, flag) for flag in flags)


@pytest.mark.parametrize("name", MEANINGS)
def test_modifiers_change_a_source_and_flags_the_result(adreno: BareGpu, name: str) -> None:
    _check(adreno, list(_modified(name)), 24 if _CATEGORY[name] == 4 else 60, "modified")


@pytest.mark.parametrize("name", [i.name for i in CAT2 if i.name.startswith("cmp")])
def test_a_comparison_answers_by_its_condition(adreno: BareGpu, name: str) -> None:
    kind, true = name[-1], 1 if name.startswith("cmps") else 0xFFFFFFFF
    for width in (16, 32):
        values = operands(kind, width, 700, name)
        half = "h" if width == 16 else ""
        sources = f"{half}r{20 if half else 10}.x, {half}r{22 if half else 11}.x"
        forms = [f"{name}.{c} {t}, {sources}" for c in CONDITIONS for t in ("r20.x", "hr40.x")]
        # a predicate, which is read as a number
        forms += [f"{name}.{c} p0.z, {sources}\n mov.u32u32 r20.x, p0.z" for c in CONDITIONS]
        for form, results in zip(forms, run_forms(adreno, forms, values), strict=True):
            condition = COMPARISONS[form.split()[0][-2:]]
            for (a, b, _), found in zip(values, results, strict=True):
                holds = condition(_as(kind, a, width), _as(kind, b, width))
                answer = true * holds if "p0" not in form else int(holds)
                expected = answer if "hr40" not in form else answer & 0xFFFF | UNTOUCHED & 0xFFFF0000
                assert found == expected, f"{form} of {a:#x}, {b:#x}: {found:#x}"


def _as(kind: str, bits: int, width: int) -> float:
    bits &= (1 << width) - 1
    return to_float(bits, width) if kind == "f" else bits - (bits >> width - 1 << width) if kind == "s" else bits


def test_bfrev_reverses_as_many_bits_as_its_destination_has(adreno: BareGpu) -> None:
    values = operands("b", 32, 400, "bfrev")
    forms = {"bfrev.b r20.x, r10.x": (32, 32), "bfrev.b hr40.x, r10.x": (32, 16), "bfrev.b r20.x, hr20.x": (16, 32),
             "bfrev.b hr40.x, hr20.x": (16, 16)}  # fmt: skip
    for (form, (width, target)), results in zip(forms.items(), run_forms(adreno, list(forms), values), strict=True):
        for (a, _, _), found in zip(values, results, strict=True):
            assert found & (1 << target) - 1 == reverse(a, width, target), f"{form} of {a:#x}"


@pytest.mark.parametrize("name", ["dp2acc", "dp4acc"])
@pytest.mark.parametrize("mixed", [0, 1])
@pytest.mark.parametrize("packed", [0, 1])
def test_a_dot_product_sums_bytes(adreno: BareGpu, name: str, mixed: int, packed: int) -> None:
    values = operands("u", 32, 500, f"{name}{mixed}{packed}")
    form = f"{name} mixed={mixed} packed={packed} r20.x, r10.x, r11.x, r12.x"
    plain, saturated = run_forms(adreno, [form, f"(sat){form}"], values)
    for (a, b, c), found, clamped in zip(values, plain, saturated, strict=True):
        places = range(4) if name == "dp4acc" else (range(2, 4) if packed else range(2))
        total = c - (c >> 31 << 32) if mixed else c
        for k in places:
            x, y = a >> 8 * k & 255, b >> 8 * k & 255
            both = name == "dp4acc" and packed  # the second vector has signs, too
            total += (x - (x >> 7 << 8) if mixed else x) * (y - (y >> 7 << 8) if both else y)
        low, high = (-(1 << 31), (1 << 31) - 1) if mixed else (0, (1 << 32) - 1)
        assert found == total & 0xFFFFFFFF, f"{form} of {a:#x}, {b:#x}, {c:#x}"
        assert clamped == min(max(total, low), high) & 0xFFFFFFFF, f"(sat){form} of {a:#x}, {b:#x}, {c:#x}"


# ---- where sources come from, and repetition

_TABLE = (0.0, 0.5, 1.0, 2.0, 2.718281828459045, 3.141592653589793, 0.3183098861837907, 0.6931471805599453,
          1.4426950408889634, 0.3010299956639812, 3.321928094887362, 4.0)  # fmt: skip


def _one(gpu: BareGpu, form: str, a: int = 0, b: int = 0, c: int = 0) -> int:
    return run_forms(gpu, [form], [(a, b, c)])[0][0]


def test_immediates_are_signed_integers_or_of_the_table_of_floats(adreno: BareGpu) -> None:
    for value in (0, 1, -1, 1023, -1024):
        assert _one(adreno, f"add.s r20.x, r10.x, {value}", 5) == 5 + value & 0xFFFFFFFF
        assert _one(adreno, f"add.s hr40.x, hr20.x, h({value})", 5) & 0xFFFF == 5 + value & 0xFFFF
        assert _one(adreno, f"and.b r20.x, r10.x, {value}", 0xFFFFFFFF) == value & 0xFFFFFFFF
    for text, number in zip(FLOATS, _TABLE, strict=True):
        assert _one(adreno, f"add.f r20.x, (neg)({text}), r10.x", 0x80000000) == to_bits(-number, 32)
        assert _one(adreno, f"add.f hr40.x, h({text}), hr20.x", 0x8000) & 0xFFFF == to_bits(number, 16)
    assert _one(adreno, "shlg r20.x, 4, r10.x, 4095", 0xF000) == 0xF0000 | 4095


def test_constants_are_words_of_which_halves_get_a_float_or_the_low_bits(adreno: BareGpu) -> None:
    # c3.x is 1.7 as a float, c3.y an integer
    def run(form: str) -> int:
        out = adreno.run(f"mov.u32u32 r4.x, c0.x\nmov.u32u32 r4.y, c0.y\nmov.u32u32 r20.x, 0\nmov.u16u16 hr2.x, h(0)\n"
                         f"mov.s16s16 a0.x, h(-3)\n{form}\n"
                         "stg.a type=u32 data=r20.x address=r4.x index=r0.w size=1\nend",
                         [256], [0, 0, 0, 0, 0, 0, 0, 0, 0x3FD9999A, 0x12348765, 7, 0])  # fmt: skip
        assert out.done
        assert not out.marks
        return out.words(0)[0]

    assert run("absneg.f r20.x, c3.x") == 0x3FD9999A
    assert run("absneg.f hr40.x, hc3.x") == to_bits(to_float(0x3FD9999A, 32), 16)
    assert run("add.u hr40.x, hc3.y, hr2.x") == 0x8765
    assert run("absneg.s r20.x, (neg)c3.y") == -0x12348765 & 0xFFFFFFFF
    assert run("absneg.s r20.x, c<a0.x + 16>") == 0x12348765
    assert run("mad.u24 r20.x, c3.z, r0.y, c<a0.x + 16>") == 0x12348765
    assert run("shlg r20.x, 0, r0.y, c<a0.x + 16>") == 0x12348765
    assert run("mov.f32f16 hr40.x, c3.x") & 0xFFFF == 0x3ECC  # cut off
    assert run("(rpt1)absneg.s r19.w, (r)c3.y") == 7


def test_a0_moves_a_source_and_a_destination_lane_by_lane(adreno: BareGpu) -> None:
    out = adreno.run(
        """
        mov.u32u32 r4.x, c0.x
        mov.u32u32 r4.y, c0.y
        (rpt3)mov.u32u32 r8.x, 0
        mov.u32u32 r7.x, 100
        mov.u32u32 r7.y, 101
        mov.u32u32 r7.z, 102
        mov.u32u32 r7.w, 103
        and.b r6.x, r0.w, 3
        mov.u32u16 hr13.x, r6.x           ; 0, 1, 2, 3, 0, ...
        mov.s16s16 a0.x, hr13.x
        absneg.s r6.y, r<a0.x + 28>       ; of r7
        mov.u32u32 r<a0.x + 32>, r6.y     ; into r8
        stg.a type=u32 data=r8.x address=r4.x index=r0.w size=1
        add.u r4.x, r4.x, 256
        stg.a type=u32 data=r8.z address=r4.x index=r0.w size=1
        end
        """,
        [512],
    )
    assert out.done
    assert not out.marks
    assert out.words(0) == [100 if n % 4 == 0 else 0 for n in range(64)] + [102 if n % 4 == 2 else 0 for n in range(64)]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("(rpt3)add.u r30.x, (r)r10.x, (r)r20.x", lambda n: 10 + n + 1000 * (n + 1)),
        ("(rpt2)add.u r30.x, r10.x, (r)r20.x", lambda n: 10 + 1000 * (n + 1)),
        ("(rpt3)mad.u24 r30.x, (r)r10.x, r11.x, (r)r20.x", lambda n: (10 + n) * 14 + 1000 * (n + 1)),
        ("(rpt1)mad.u24 r30.x, r10.x, (r)r10.x, r20.x", lambda n: 10 * (10 + n) + 1000),
        ("(rpt3)shlg r30.x, 1, (r)r10.x, r20.x", lambda n: 10 + n << 1 | 1000),
        ("(rpt3)cmps.u.ge r30.x, (r)r10.x, 12", lambda n: int(10 + n >= 12)),
        ("(rpt3)mov.u32u32 r30.x, (r)r10.x", lambda n: 10 + n),
        ("(rpt3)mov.u32u32 r30.x, r10.z", lambda _: 12),
        ("(rpt3)mov.u32f32 r30.x, (r)r10.x", lambda n: to_bits(float(10 + n), 32)),
        ("(rpt2)bfrev.b r30.x, (r)r10.x", lambda n: reverse(10 + n, 32, 32)),
        ("(rpt2)dp4acc mixed=0 packed=0 r30.x, (r)r10.x, r10.x, r10.y", lambda n: (10 + n) * 10 + 11),
        ("(nop3)add.u r30.x, r10.x, r20.x", lambda n: 1010 if n == 0 else None),
        ("(nop1)mad.u24 r30.x, r10.x, r11.x, r20.x", lambda n: 1140 if n == 0 else None),
    ],
)
def test_rpt_advances_the_destination_and_each_source_with_r(adreno: BareGpu, form: str, expected: object) -> None:
    assert callable(expected)
    steps = [f"mov.u32u32 r{10 + n // 4}.{'xyzw'[n % 4]}, {10 + n}" for n in range(8)]
    steps += [f"mov.u32u32 r{20 + n // 4}.{'xyzw'[n % 4]}, {1000 * (n + 1)}" for n in range(4)]
    out = adreno.run(
        "\n".join(["mov.u32u32 r4.x, c0.x", "mov.u32u32 r4.y, c0.y", "(rpt3)mov.u32u32 r30.x, 77777", *steps, form,
                   "stg type=u32 data=r30.x address=r4.x size=4", "end"]),
        [16], shape=Shape((1, 1, 1)),
    )  # fmt: skip
    assert out.done
    repeats = int(form[4]) + 1 if form.startswith("(rpt") else 1
    wanted = [expected(n) if n < repeats else 77777 for n in range(4)]
    assert out.words(0) == wanted, struct.unpack("<4I", out.buffers[0])


def test_rpt_of_category_4_and_of_halves(adreno: BareGpu) -> None:
    out = adreno.run(
        """
        mov.u32u32 r4.x, c0.x
        mov.u32u32 r4.y, c0.y
        (rpt3)mov.u32u32 r20.x, 0
        mov.f16f16 hr20.x, h(0x3c00)
        mov.f16f16 hr20.y, h(0x4000)
        mov.f16f16 hr20.z, h(0x4400)
        (rpt2)rcp hr40.x, (r)hr20.x
        (rpt1)add.f hr41.x, (r)hr20.x, (r)hr20.y
        stg type=u32 data=r20.x address=r4.x size=4
        end
        """,
        [16],
        shape=Shape((1, 1, 1)),
    )
    assert out.done
    assert struct.unpack("<8H", out.buffers[0]) == (0x3C00, 0x3800, 0x3400, 0, 0x4200, 0x4600, 0, 0)


@pytest.mark.parametrize("mode", [0x400, 0x800, 0xC00])  # down, up, to zero
def test_the_thread_s_rounding_and_traps_are_not_the_gpu_s_and_stay(adreno: BareGpu, mode: int) -> None:
    libm = ctypes.CDLL("libm.so.6")
    code = """
        mov.u32u32 r4.x, c0.x
        mov.u32u32 r4.y, c0.y
        mov.u32u32 r8.x, c1.x
        add.f r8.x, r8.x, c1.y
        rcp r8.z, c1.w
        stg type=u32 data=r8.x address=r4.x size=1
        end
    """
    libm.fesetround(mode)
    libm.feenableexcept(4)  # division by zero
    try:
        out = adreno.run(code, [4], [0x3F800000, 0x33000000, 0, 0])
        assert (libm.fegetround(), libm.fegetexcept()) == (mode, 4)
    finally:
        libm.fesetround(0)
        libm.fedisableexcept(4)
    assert (out.done, out.marks, out.words(0)) == (True, [], [0x3F800000])  # 1 + 2**-25
