"""Conversions that round, saturate, extend or order differently."""

from mutation import Mutant, compiler

_AREA = "kernels/conversion"


def _convert(name: str, case: str, pattern: str, replacement: str) -> Mutant:
    return compiler(f"conversion/{name}", f"{_AREA}/convert/{case}", pattern, replacement)


def _implicit(name: str, case: str, pattern: str, replacement: str) -> Mutant:
    return compiler(f"conversion/implicit.{name}", f"{_AREA}/implicit/{case}", pattern, replacement)


def _arithmetic(name: str, case: str, pattern: str, replacement: str) -> Mutant:
    return compiler(f"conversion/arithmetic.{name}", f"{_AREA}/arithmetic/{case}", pattern, replacement)


def _narrowed(name: str, case: str, pattern: str, replacement: str) -> Mutant:
    return compiler(f"conversion/narrowed.{name}", f"{_AREA}/narrowed/{case}", pattern, replacement)


MUTANTS = [
    _narrowed("fused_product", "uint.float.mul", r"_rtz\(a \* b\)", "_rtz((double)a * b)"),
    _narrowed("fused_sum", "half.float.add", r"convert_half_rte\(a \+ b\)", "convert_half_rte((double)a + b)"),
    _narrowed("contracted", "uint.float.mul_add", r"a \* b \+ c", "fma(a, b, c)"),
    _narrowed("wide_contracted", "half.float.sub_mul", r"convert_half16\(c - a \* b", "convert_half16(fma(-a, b, c)"),
    _narrowed("fma_to_half", "stored.float.fma", r"vstore_half_rtz\(fma\(a, b, c\)", "vstore_half_rtz(fma((double)a, b, c)"),
    _narrowed("fma_of_a_product", "back.float.half", r"product \+ c\[i\]", "fma((float)a[i], (float)b[i], c[i])"),
    _narrowed("image", "image.mul", r", a \* b\)", ", nextafter(a * b, (float4)0))"),
    compiler("conversion/together.saturation", f"{_AREA}/together/char.integers", "convert_char_sat", "convert_char"),
    compiler("conversion/together.mode", f"{_AREA}/together/float.integers", "convert_float_rtp", "convert_float_rtn"),
    compiler("conversion/known.saturation", f"{_AREA}/known/int.float.sat", "convert_int8_sat", "convert_int8"),
    compiler("conversion/known.mode", f"{_AREA}/known/float.integers.directed", "convert_float8_rtn", "convert_float8_rtz"),
    compiler(
        "conversion/known.last_component", f"{_AREA}/known/short.double", r"(convert_short8_rtp\(.*?\)\))", r"\1.s01234566"
    ),
    _convert("rtz_for_rte", "int_rte.float", "_rte", "_rtz"),
    _convert("rtz_for_rtp", "int_sat_rtp.float", "_rtp", "_rtz"),
    _convert("rtz_for_rtn", "int_rtn.double", "_rtn", "_rtz"),
    _convert("nearest_for_rtz", "long.float", r"convert_(long\d*)\(", r"convert_\1_rte("),
    _convert("ties_away", "uchar_sat_rte.float", r"_rte\(", r"_rtn(0.5f + "),
    _convert("saturation_lost", "uchar_sat.int", "_sat", ""),
    _convert("saturation_of_int_lost", "char_sat.float", r"convert_char_sat\(", "(char)convert_int_sat("),
    _convert("saturation_of_the_wrong_sign", "uchar_sat.char", "convert_uchar", "convert_char"),
    _convert(
        "nan_is_the_least",
        "int_sat.float",
        r"= convert_int_sat\(a\[i\]\)",
        r"= a[i] != a[i] ? INT_MIN : convert_int_sat(a[i])",
    ),
    _convert("wide_rounding_mode_lost", "float_rtz.int", r"convert_(float\d+)_rtz", r"convert_\1"),
    _convert("wide_components_swapped", "short.int", r"(convert_short3\(vload3\(i, a\)\))", r"\1.yxz"),
    _convert("last_component_repeated", "float.uchar", r"vload(\d+)\(i, a\)", r"vload\1(i + (i == 1), a)"),
    _convert("sign_extended", "int.uchar", r"convert_int(\d*)\((\S+|vload\d+\(i, a\))\)", r"convert_int\1(as_char\1(\2))"),
    _convert("zero_extended", "long.int", r"convert_long(\d*)\((.*?)\)(;|, i)", r"convert_long\1(as_uint\1(\2))\3"),
    _convert("low_bits_lost", "double.int", r"convert_double\(a\[i\]\)", "convert_double(a[i] & ~127)"),
    _convert("low_bits_do_not_round", "float.long", r"convert_float\(a\[i\]\)", "convert_float(a[i] & ~1023L)"),
    _convert("through_signed", "float.ulong", r"convert_float\(a\[i\]\)", "convert_float((long)a[i])"),
    _convert(
        "zero_without_its_sign", "float.half", r"convert_float\(a\[i\]\)", "(a[i] == 0.0h ? 0.0f : convert_float(a[i]))"
    ),
    _convert("half_overflows_late", "half.float", r"= convert_half\(a\[i\]\)", "= convert_half_rtz(a[i])"),
    _convert("half_mode_lost", "half_rtp.uint", "half_rtp", "half"),
    _convert("double_loses_digits", "double.long", r"convert_double\(a\[i\]\)", "convert_double(a[i] & ~1L)"),
    _convert("ulong_through_long", "double.ulong", r"convert_double\(a\[i\]\)", "convert_double((long)a[i])"),
    _convert("int_of_double_through_float", "int_sat_rte.double", r"\(a\[i\]\)", "((float)a[i])"),
    _implicit("cast_rounds", "int.float", r"\(int\)a\[i\]", "convert_int_rte(a[i])"),
    _implicit("argument_not_converted", "char.int", r"same\(a\[i\]\)", "same(a[i] & 127)"),
    _implicit("returned_value", "uchar.int", r"converted\(int x\) \{ return x", "converted(int x) { return min(x, 255)"),
    _implicit("first_component_alone", "float.int", r"\(float\d+\)a\[i\]", r"(\g<0>) * (float2)(1, 0).xyyyyyyyyyyyyyyy"),
    _implicit("initialiser", "int.float", r"x\[1\] = \{ a\[i\] \}", "x[1] = { convert_int_rte(a[i]) }"),
    compiler("conversion/bool.half_is_false", f"{_AREA}/bool/float", r"bool b = a\[i\]", "bool b = (int)a[i]"),
    compiler("conversion/bool.true_is_one", f"{_AREA}/bool/char", r"\((char\d+)\)\(bool\)a\[i\]", r"(\1)(char)(bool)a[i]"),
    compiler("conversion/bool.low_byte", f"{_AREA}/bool/int", r"= !a\[i\]", "= !(uchar)a[i]"),
    compiler("conversion/bool.negative", f"{_AREA}/bool/short", r"\(a\[i\] && true\)", "(a[i] > 0)"),
    _arithmetic("signed_comparison", "int.uint", "a < b", "a < (int)b"),
    _arithmetic("not_promoted", "char.uchar", r"= a - b", "= (uchar)(a - b)"),
    _arithmetic("in_long", "long.ulong", "b <= a", "(long)b <= a"),
    _arithmetic("in_double", "int.float", "a == b", "a == (double)b"),
    _arithmetic("choice_not_converted", "int.float", r"i & 1 \? a : b;", "i & 1 ? (float)(a & ~1) : b;"),
    _arithmetic("size_of_the_first", "short.long", r"sizeof\(a \+ b\)", "sizeof(a)"),
    _arithmetic("scalar_as_unsigned", "int*.char", r"\^ s, i", "^ (uchar)s, i"),
    _arithmetic("scalar_once", "float2.int", r"v - s", "v - (float2)(s, 0)"),
    compiler("conversion/as.value", f"{_AREA}/as/int", r"as_float\(x\)", "(float)x"),
    compiler("conversion/as.order_of_halves", f"{_AREA}/as/uint2.int64", r"= as_ulong\(x\)", "= as_ulong(x.yx)"),
    compiler("conversion/as.third_component", f"{_AREA}/as/float4", r"as_int3\(x\)", "as_int4(x).xyy"),
    compiler(
        "conversion/as.nan_made_quiet",
        f"{_AREA}/as/short",
        r"= as_ushort\(x\)",
        "= as_ushort(x) | ((x & 0x7C00) == 0x7C00 ? 0x200 : 0)",
    ),
    compiler(
        "conversion/refused.accepted",
        f"{_AREA}/refused/as.size",
        r"int2? x = as_int2?\(a\.f2\);",
        "int2  x = as_int2(a.f2);",
    ),
    _convert("large_integer_is_finite", "half.int", r"convert_half\(a\[i\]\)", "convert_half(min(a[i], 65504))"),
    _convert("large_integer_wraps", "half.ulong", r"convert_half\(a\[i\]\)", "convert_half(convert_ushort(a[i]))"),
]
