"""Casts that round, wrap or extend differently, bits that are converted, constants of another type."""

from mutation import MutantGroup

_A = r"\((val\d[.\w]*)\)"


_AREA = MutantGroup("tinygrad/cast", "tinygrad")
_code, _call = _AREA.code, _AREA.call


MUTANTS = [
    _code("to_int_rounds", "cast/cast.float32.to_int32", rf"\(int\){_A}", r"convert_int_rte(\1)"),
    _code("to_int_floors", "cast/cast.float32.to_int64", rf"\(long\){_A}", r"convert_long_rtn(\1)"),
    _code("to_unsigned_by_int", "cast/cast.float32.to_uint32", rf"\(uint\){_A}", r"(uint)convert_int_sat(\1)"),
    _code("to_byte_saturates", "cast/cast.int32.to_uint8", rf"\(uchar\){_A}", r"convert_uchar_sat(\1)"),
    _code("to_float_truncates", "cast/cast.int32.to_float32", rf"\(float\){_A}", r"convert_float_rtz(\1)"),
    _code("unsigned_as_signed", "cast/cast.uint32.to_float32", rf"\(float\){_A}", r"(float)((int)(\1))"),
    _code("long_by_int", "cast/cast.int64.to_float32", rf"\(float\){_A}", r"(float)((int)(\1))"),
    _code("long_by_double", "cast/cast.int64.to_float32.noopt", rf"\(float\){_A}", r"convert_float_rtp(\1)"),
    _code("to_half_truncates", "cast/cast.float32.to_float16", rf"\(half\){_A}", r"convert_half_rtz(\1)"),
    _code(
        "to_half_without_denormals",
        "cast/cast.float32.to_float16",
        rf"\(half\){_A}",
        r"(half)(fabs(\1) < 0x1p-14f ? \1 * 0.0f : \1)",
    ),
    _code(
        "from_half_without_denormals",
        "cast/cast.float16.to_float32.tiny",
        rf"\(float\){_A}",
        r"(fabs((float)(\1)) < 0x1p-14f ? 0.0f : (float)(\1))",
    ),
    _code("double_rounded_up", "cast/cast.float64.to_float32", rf"\(float\){_A}", r"(float)(\1 * 0x1.000001p0)"),
    _code("double_by_half", "cast/cast.float64.to_float32", rf"\(float\){_A}", r"(float)((half)(\1))"),
    _code("without_sign", "cast/cast.int8.to_int32", rf"\(int\){_A}", r"(int)((uchar)(\1))"),
    _code("with_sign", "cast/cast.uint16.to_int64", rf"\(long\){_A}", r"(long)((short)(\1))"),
    _code("low_byte_kept", "cast/cast.int32.to_int8", rf"\(char\){_A}", r"(char)((\1) >> 1)"),
    _code("truth_of_int", "cast/cast.float32.to_bool", r"(val\d[.\w]*)!=0\.0f", r"(int)\1!=0"),
    _code("nan_is_false", "cast/cast.float32.to_bool.noopt", r"(val\d[.\w]*)!=0\.0f", r"fabs(\1)>0.0f"),
    _code("bits_converted", "cast/bitcast.float32.to_int32", r"as_int\(", "convert_int_sat("),
    _code("bfloat16_truncates", "cast/bfloat16.float32", r"\+32767u", "+0u"),
    _code("bfloat16_ties_up", "cast/bfloat16.uint16", r"&1u\)\+32767u", "&0u)+32768u"),
    _code("bfloat16_sum_truncates", "cast/bfloat16_arithmetic.float32.add", r"\+32767u", "+0u"),
    _code("bfloat16_low_half", "cast/bfloat16_bits.uint16", "<<16u", "<<15u"),
    _code("clip_in_whole_numbers", "cast/cast_clip.int32", r"0\.5f", "0.0f"),
    _code("clip_high_in_half", "cast/cast_clip.int64", r"77\.25f", "77.0f"),
    _code("constant_narrowed", "cast/cast_where.uint32", r"2\.5f", "(float)(uint)2.5f"),
    _code("nan_of_constant", "cast/cast_where.int32.nan", "NAN", "0.0f"),
    _code("infinity_of_constant", "cast/cast_where.int64.inf", "INFINITY", "0x1.fffffep127f"),
    _code("max_of_nothing", "cast/cast_max.int32", r"2\.5f", "3.0f"),
    _code("pad_of_zero", "cast/cast_pad.int32", r"2\.5f", "0.0f"),
    _code("selected_then_cast", "cast/where_cast.int64", r"\b7(?=l|\.0f)", "8"),
    _code("promoted_without_sign", "promotion/promoted.int32.and_uint32", r"\(long\)\(", "(long)(uint)("),
    _call(
        "promoted_to_the_first",
        "promotion/promoted.int8.and_float32",
        "tinygrad.mixin.elementwise.least_upper_dtype",
        lambda inner: lambda *types: types[0],
    ),
    _call("element_size_of_four", "cast/sizes", "tinygrad.Tensor.element_size", lambda inner: lambda x: 4),
    _call("everything_floats", "cast/sizes", "tinygrad.Tensor.is_floating_point", lambda inner: lambda x: True),
    _call("short_is_char", "cast/short.int32", "tinygrad.Tensor.short", lambda inner: lambda x: x.cast("int8")),
    _call("half_by_bfloat16", "cast/half.int32", "tinygrad.Tensor.half", lambda inner: lambda x: inner(x.bfloat16())),
]
