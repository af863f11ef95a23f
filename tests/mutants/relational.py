"""Relational builtins that go wrong with NaN, with zeros, or in their value for true."""

from functools import partial

from mutation import builtin_call, builtin_name, compiler_of

source = compiler_of("relational")
_call, _name = partial(builtin_call, "relational"), partial(builtin_name, "relational")

MUTANTS = [
    _call("isgreater.float", "not_ordered", 2, r"!(\1 <= \2)"),
    _name("isless.half4", "or_equal", "islessequal"),
    _call("isequal.float", "of_bits", 2, r"(as_int(\1) == as_int(\2))"),
    source("isequal.true_is_1", "isequal.double3", r"r = isequal", "r = -isequal"),
    _name("isnotequal.float3", "of_nan", "islessgreater"),
    _name("islessgreater.float", "of_nan", "isnotequal"),
    _call("isunordered.float", "first_alone", 2, r"isnan(\1)"),
    _call("isordered.float", "finite", 2, r"(isfinite(\1) && isfinite(\2))"),
    _name("isnormal.float", "finite", "isfinite"),
    _call("isnormal.double", "zero", 1, r"(isnormal(\1) || \1 == 0.0)"),
    _call("isfinite.float", "of_infinity", 1, r"!isnan(\1)"),
    _call("isinf.half", "positive", 1, r"(\1 == (half)INFINITY)"),
    _call("isnan.float", "by_compare", 1, r"!(\1 < INFINITY)"),
    _call("signbit.float", "compares", 1, r"(\1 < 0.0f)"),
    source("operator.of_nan", "operator.ge.float", r"(p0\[i\]) >= (p1\[i\])", r"!(\1 < \2)"),
    _call("any.int3", "not_zero", 1, r"any(\1 != 0)"),
    _call("any.char16", "without_last", 1, r"any(\1.s0123456789abcdee)"),
    _name("all.short2", "is_any", "any"),
    _call("all.long4", "without_y", 1, r"all(\1.xxzw)"),
    _call("bitselect.uchar3", "swapped", 3, r"bitselect(\2, \1, \3)"),
    _call("bitselect.int", "whole", 3, r"(\3 < 0 ? \2 : \1)"),
    _call("select.float3.int", "not_zero", 3, r"select(\1, \2, \3 != 0)"),
    _call("select.short.short", "sign", 3, r"select(\1, \2, (short)(\3 < 0))"),
    _call("select.double.ulong", "swapped", 3, r"select(\2, \1, \3)"),
    source("of_results.of_nan", "of_results.*", r"!\(f < T\(0\)\)", "(f >= T(0))"),
    source("of_results.root_above_zero", "of_results.float", r"f = sqrt\(v\)", "f = fabs(sqrt(v)) + 1"),
]
