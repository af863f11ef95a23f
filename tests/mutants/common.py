"""Common and geometric builtins that are wrong at an edge, or by a formula that overflows."""

from functools import partial

from mutation import builtin_call, builtin_name, compiler_of

source = compiler_of("common")
_call, _name = partial(builtin_call, "common"), partial(builtin_name, "common")

MUTANTS = [
    _call("clamp_nan.float", "order", 3, r"fmax(fmin(\1, \3), \2)"),
    _name("max.double4.known", "is_fmin_of_constants", "fmin"),
    source("step.known_edge", "step.float4.known", r"step\((\(float4\)\(.*?\)), ", r"step(nextafter(\1, \1 + 1.0f), "),
    _call("clamp.float4.scalar", "high_alone", 3, r"fmin(\1, \3)"),
    _call("degrees.float", "imprecise", 1, r"(\1 * 57.29573f)"),
    _call("radians.double", "twice_rounded", 1, r"(\1 * (3.1415926535897 / 180.0))"),
    _name("max.half3", "is_min", "min"),
    source("min.first_scalar", "min.float8.scalar", r"p1\[i\]", "p1[0]"),
    _call("mix.float3", "swapped", 3, r"mix(\2, \1, \3)"),
    _call(
        "mix.double3",
        "through_float",
        3,
        r"convert_double3(mix(convert_float3(\1), convert_float3(\2), convert_float3(\3)))",
    ),
    _call("mix.half", "a_hundredth_off", 3, r"(mix(\1, \2, \3) * 1.01h)"),
    _call("smoothstep.double", "through_float", 3, r"(double)smoothstep((float)\1, (float)\2, (float)\3)"),
    _call("sign.float", "of_nan", 1, r"(sign(\1) + (isnan(\1) ? 1.0f : 0.0f))"),
    _call("smoothstep.float", "linear", 3, r"clamp((\3 - \1) / (\2 - \1), 0.0f, 1.0f)"),
    _call("smoothstep.double3", "not_clamped", 3, r"((\3 - \1) / (\2 - \1))"),
    _call("step.float", "at_the_edge", 2, r"(\2 <= \1 ? 0.0f : 1.0f)"),
    _call("geometric/cross.float3", "sign", 2, r"cross(\2, \1)"),
    _call("geometric/cross.float4", "w", 2, r"(cross(\1, \2) + (float4)(0.0f, 0.0f, 0.0f, \1.w * \2.w))"),
    _call("geometric/dot.float4", "without_w", 2, r"dot(\1.xyz, \2.xyz)"),
    _call("geometric/distance.float3.range", "overflows", 2, r"sqrt(dot(\1 - \2, \1 - \2))"),
    _call("geometric/length.float4.range", "overflows", 1, r"sqrt(dot(\1, \1))"),
    _call("geometric/length.float2", "beyond_the_limit", 1, r"(length(\1) * (1.0f + 0x1p-20f))"),
    _call("geometric/normalize.float3.range", "overflows", 1, r"(\1 * rsqrt(dot(\1, \1)))"),
    _call("geometric/normalize.float3.nan", "of_nan", 1, r"normalize(select(\1, (float3)(0.0f), isnan(\1)))"),
    _call("geometric/normalize.double2.zero", "of_zero", 1, r"(\1 / length(\1))"),
    _call("geometric/fast_normalize.float4.zero", "of_zero", 1, r"(\1 / fast_length(\1))"),
    _call("geometric/fast_length.float3", "beyond_the_limit", 1, r"(length(\1) * 1.0015f)"),
]
