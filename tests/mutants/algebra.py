"""Expressions that a wrong rule replaces by another one."""

from __future__ import annotations

from mutation import Mutant, compiler


def _rule(kind: str, fault: str, pattern: str, replacement: str) -> Mutant:
    return compiler(f"algebra/{kind}.{fault}", f"kernels/algebra/{kind}", pattern, replacement)


MUTANTS = [
    _rule("joined.int", "least_for_greatest", r"\(a < b\) \| \(a < c\)|\(a < b\) \|\| \(a < c\)", "a < min(b, c)"),
    _rule("joined.uint", "greatest_for_least", r"\(a <= (\(T\)1)\) \|\|? \(a <= (\(T\)3)\)", r"a <= min(\1, \2)"),
    _rule("joined.uint", "signed", r"\(a < b\) && \(a < c\)|\(a < b\) & \(a < c\)", "(int)a < (int)min(b, c)"),
    _rule("joined.float", "of_nan", r"\(a < b\) \|\|? \(a < c\)", "!(a >= b && a >= c)"),
    _rule("negated.float", "turned_round", r"!\(a < b\) \|\|? !\(a < c\)", "(a >= b) || (a >= c)"),
    _rule("same.int", "sign_lost", r"\(T\)\(min\(a, \(T\)-\(T\)abs\(a\)\)\)", "(T)abs(a)"),
    _rule("same.float", "cancels_infinity", r"\(T\)\(\(a\) - \(a\)\)", "(T)0"),
    _rule("same.float", "nan_is_equal", r"\(ulong\)\(\(a\) == \(a\)\)", "(ulong)(1)"),
    _rule("numbers.float", "nan_wins", r"\bfmin\((\(T\)\(int\)\(i % 5\)), a\)", r"(a < \1 || a != a ? a : \1)"),
    _rule("chosen.int", "other_one", r"\(a <= \(T\)0 \? a : \(T\)0\)", "(max(a, (T)0))"),
    _rule("chosen.float", "greatest_of_nan", r"\(a > b \? a : b\)", "(fmax(a, b))"),
    _rule("chosen.uint", "equal_to_one", r"\(\(T\)1 != a \? (\w+) : (\w+)\)", r"(a != 0 ? \1 : \2)"),
    _rule("nested.int", "exchanged", r"a < b \? \(b < c \? a : b\) : \(b < c \? c : b\)", "b < c ? (a < b ? c : a) : b"),
    _rule("nested.float", "condition_of_the_inner", r"\(a < b \? \(b < c \?", "(b < c ? (b < c ?"),
    _rule("masked.uint", "bit_that_is_not_clear", r"\(a << 1\) & \(T\)0xfffffffc", "(a << 1)"),
    _rule("masked.ulong", "mask_of_32_bits", r"& \(T\)0xfffffffffffffffe", "& (T)0xfffffffe"),
    _rule("laws.uint", "carry", r"\(\(a \+ b\) - b\)", "((a | b) - b)"),
    _rule("laws.uint", "range", r"\(a \+ 5 < 7\)", "(a < 2)"),
    _rule("laws.uint", "other_operand", r"\(a & b\) \| \(a \| c\)", "b | c"),
    _rule("laws.uint", "carry_of_a_shift", r"\(a << 5\) \+ \(b << 5\)", "(a | b) << 5"),
    _rule("negated.uint", "signed", r"!\(a < b\) (\|\|?|&&?) !\(a < c\)", r"((int)a >= (int)b) \1 ((int)a >= (int)c)"),
    _rule("bounded.ulong", "sign_of_the_upper_half", r"\(T\)0xffffffff < a|a > \(T\)0xffffffff", "(int)(a >> 32) > 0"),
    _rule("bounded.int", "one_beyond", r"a <= \(T\)0x7fff\b", "a <= (T)0x8000"),
    _rule("shifted.uint", "sign", r"\(T\)\(\(T\)\(a >> 1\) >> 2\)", "(T)((int)a >> 3)"),
    _rule("shifted.int", "all_bits_gone", r"\(T\)\(\(T\)\(a << 29\) << 7\)", "(a << 4)"),
    _rule("shifted.long", "all_ones", r"\(T\)\(a >> 63\) == \(T\)-1", "a < -1"),
    _rule("nested.int", "of_the_other_side", r"a < b \? b : \(b < c \? a : b\)", "a < b || !(b < c) ? a : b"),
    _rule("narrowed.int", "no_sign", r"\(T\)\(int\)\(char\)a", "(T)(uchar)a"),
    _rule("narrowed.ulong", "field", r"a >> 12\) & \(U\)0xffff", "a >> 12) & (U)0xfff"),
    _rule("clamped.uint", "operand", r"max\(min\(a, b\), a\)", "b"),
    _rule("clamped.int", "limit", r"\(min\(a, \(T\)5\) < \(T\)3\)", "(a < (T)5)"),
    _rule("distributed.int", "sides_exchanged", r"\(a < b\) \? \(c & a\) : \(c & b\)", "(a < b) ? (c & b) : (c & a)"),
    _rule(
        "truths.int",
        "either_for_both",
        r"AS_T\(AS_U\(\(T\)\(a < b\)\) \* AS_U\(\(T\)\(b < c\)\)\)",
        "(T)((a < b) | (b < c))",
    ),
    _rule("truths.int", "equal", r"\(\(a <= b\) & \(b <= a\)\)", "(a < b)"),
    _rule("signs.int", "zero_has_a_sign", r"\(\(a >> \(T\)0x1f\) == \(T\)0\)", "(a > 0)"),
    _rule("reassociated.int", "joined_by_or", r"\(\(T\)3 & \(a & \(T\)5\)\)", "(a & (T)7)"),
    _rule("counted.uint", "mask_of_the_width", r"\(a >> \(b & \(T\)0xf\)\)", "(a >> (b & (T)0x1f))"),
    _rule("counted.ushort2", "count_of_a_byte", r"\(a << \(b & \(T\)0xf\)\)", "(a << (b & (T)7))"),
    _rule("widened.int", "last_number", r"\(\(long\)a < \(long\)0x7fffffff\)", "((long)a <= (long)0x7fffffff)"),
    _rule("chained.int", "rounded_to_zero", r"\(float\)\(double\)\(int\)a", "convert_float_rtz(a)"),
    _rule("halves.ulong", "other_half", r"as_uint2\(a\)\.y", "as_uint2(a).x"),
    _rule("exact.float", "negated_twice", r"\(-\(a \* b\)\)", "(-a * -b)"),
    _rule("unordered.float", "no_nan", r"\(\(a < b\) \| \(\(a != a\) \| \(b != b\)\)\)", "(a < b)"),
    _rule("unordered.float", "turned_round", r"!\(a < b\)", "(a >= b)"),
    _rule("infinite.float", "always_a_number", r"isnan\(\(fmax\(a, \(T\)0\.0f\) - fmax\(a, \(T\)0\.0f\)\)\)", "0"),
    _rule("infinite_products.double", "always_a_number", r"isnan\(\(fmax\(a, \(T\)0\.0f\) \* [^;]*\)\)", "0"),
    _rule("factors.ushort2", "one_place_more", r"\(a \* \(T\)0x8000\)", "(a << (T)16)"),
    _rule("factors.char2", "sign_lost", r"AS_T\(AS_U\(\(T\)0xfe\) \* AS_U\(b\)\)", "AS_T(AS_U(b) << (T)1)"),
    _rule("truncated.ushort2", "wide_mask", r"convert_ushort2\(convert_uchar2\((\(a & \(T\)\w+\))\)\)", r"\1"),
    _rule("ranged.float", "nan_has_a_range", r"\(floor\(fabs\(b\)\) >= \(T\)0\.0f\)", "1"),
]
