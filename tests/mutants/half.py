"""half that is rounded, placed or flushed differently."""

from mutation import Mutant, compiler

_AREA = "kernels/half"


def _memory(name: str, case: str, pattern: str, replacement: str) -> Mutant:
    return compiler(f"half/{name}", f"{_AREA}/{case}", pattern, replacement)


MUTANTS = [
    _memory("load_of_three_takes_four", "vload_half3.global", r"vload_half3\(o, p\)", "vload_half4(0, p + o * 4).xyz"),
    _memory("aligned_load_of_three_is_packed", "vloada_half3.global", "vloada_half3", "vload_half3"),
    _memory(
        "load_flushes_denormals",
        "vload_half.global",
        r"= vload_half\(o, p\)",
        "= fabs(vload_half(o, p)) < 0x1p-14f ? 0.0f : vload_half(o, p)",
    ),
    _memory("load_aligns_down", "vload_half4.global", r"vload_half4\(o, p\)", "vload_half4(o, p - 1)"),
    _memory("load_swaps", "vload_half2.local", r"vload_half2\(o, p\)", "vload_half2(o, p).yx"),
    _memory("offset_ignored", "vload_half8.private", r"vload_half8\(o, p\)", "vload_half8(0, p)"),
    _memory("high_half_lost", "vloada_half16.constant", r"vloada_half16\(o, p\)", "vloada_half16(o, p).s0123456701234567"),
    _memory("store_rtz_for_rte", "vstore_half.float.global", r"vstore_half_rte\(", "vstore_half_rtz("),
    _memory("store_default_is_rtz", "vstore_half2.float.private", r"vstore_half2\(", "vstore_half2_rtz("),
    _memory("store_rtp_is_rtn", "vstore_half.float.private", r"vstore_half_rtp\(", "vstore_half_rtn("),
    _memory("store_rtz_is_rtn", "vstorea_half4.float.local", r"vstorea_half4_rtz\(", "vstorea_half4_rtn("),
    _memory(
        "store_of_three_takes_four",
        "vstore_half3.float.global",
        r"vstore_half3\((vload3\(.*?\)), o, p\)",
        r"vstore_half4((float4)(\1, 0), 0, p + o * 3)",
    ),
    _memory("aligned_store_of_three_is_packed", "vstorea_half3.float.global", "vstorea_half3", "vstore_half3"),
    _memory(  # the bit below the one that a tie looks at
        "store_forgets_a_bit",
        "vstore_half.float.bits",
        r"vstore_half_rte\((a\[.*?\]), o, p\)",
        r"vstore_half_rte(as_float(as_int(\1) & ~0x800), o, p)",
    ),
    _memory("folded_mode_lost", "vstore_half_rtz.float.folded", "vstore_half_rtz", "vstore_half_rte"),
    _memory(
        "double_through_int",
        "vstore_half4.double.exact",
        r"vstore_half4\((vload4\(.*?\)), o, p\)",
        r"vstore_half4(convert_double4(convert_int4(\1)), o, p)",
    ),
    _memory(
        "store_flushes_denormals",
        "vstore_half.float.global",
        r"vstore_half\((a\[.*?\]), o, p\)",
        r"vstore_half(fabs(\1) < 0x1p-14f ? \1 * 0 : \1, o, p)",
    ),
    _memory(
        "store_saturates",
        "vstore_half4.float.global",
        r"vstore_half4\((vload4\(.*?\)), o, p\)",
        r"vstore_half4(clamp(\1, -65504.0f, 65504.0f), o, p)",
    ),
    _memory(
        "nan_is_infinite",
        "vstore_half8.float.global",
        r"vstore_half8\((vload8\(.*?\)), o, p\)",
        r"vstore_half8(isnan(\1) ? (float8)INFINITY : \1, o, p)",
    ),
    _memory(
        "operator.computes_in_float", "operator/scalar.half", r"a \* \(half\)3 - \(half\)0\.5h", "(float)a * 3.0f - 0.4999f"
    ),
    _memory("operator.rounds_down", "operator/add.half", r"= a \+ b", "= convert_half_rtz((float)a + (float)b)"),
    _memory("operator.reciprocal", "operator/div.half", "a / b", "a * (half)(1.0h / (float)b * 1.002f)"),
    _memory(  # a unit beyond the rounded quotient is up to one and a half beyond the exact one
        "operator.a_unit_beyond",
        "operator/div.half",
        "= a / b",
        "= a / b; if (isfinite(r[i]) && r[i] != 0.0h) r[i] = nextafter(r[i], (half)INFINITY)",
    ),
    _memory("operator.zero_minus", "operator/negate.half", r"= -a", "= a == 0.0h ? 0.0h : -a"),
    _memory("operator.not_ordered", "operator/less_equal.half", "a <= b", "!(a > b)"),
    _memory("operator.bits_compared", "operator/equal.half", "a == b", "as_short(a) == as_short(b)"),
    _memory("operator.truth_of_int", "operator/and.half", "a && b", "(int)a && (int)b"),
    _memory("operator.wide_equal_is_one", "operator/not_equal.half2", r"vstore(\d+)\(a != b", r"vstore\1(-(a != b)"),
    _memory("to.int_wraps", "to/char", r"convert_char_sat_rte\(a\[i\]\)", "(char)convert_int_sat_rte(a[i])"),
    _memory("to.float_loses_denormals", "to/float", r"convert_float\(a\[i\]\)", "convert_float(a[i] * 2.0h) * 0.5f"),
]
