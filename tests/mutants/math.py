"""Math builtins that are nearly right: by a formula that fails somewhere, or without an edge case."""

from mutation import Mutant, compiler_of

source = compiler_of("math")

_ONE, _TWO = r"\b{}\(a\)", r"\b{}\(a, b\)"


def _one(name: str, fault: str, instead: str, cases: str = "") -> Mutant:
    """A builtin of one operand `a` becomes another expression."""
    return source(f"{name}.{fault}", f"{cases or f'float/{name}'}", _ONE.format(name), f"({instead})")


def _two(name: str, fault: str, instead: str, cases: str = "") -> Mutant:
    """A builtin of two operands `a` and `b` becomes another expression."""
    return source(f"{name}.{fault}", f"{cases or f'float/{name}'}", _TWO.format(name), f"({instead})")


def _open(
    name: str, fault: str, instead: str, operands: int = 1, floating: str = "float", scalars: bool = False, detail: str = ""
) -> Mutant:
    """A builtin without a limit becomes an expression of its operands \\1, \\2, \\3; `scalars`: only in their kernel."""
    arguments = ", ".join([r"(\w+\[i\]|vload\d+\(i, \w\))"] * operands)
    pattern = rf"\b{name}\({arguments}\)"
    if scalars:
        pattern = pattern.replace(r"|vload\d+\(i, \w\)", "")
    return source(f"{name}.{fault}", f"returns/{name}.{floating}{detail}", pattern, instead)


def _identity(case: str, fault: str, text: str, instead: str) -> Mutant:
    """An expression of one number, replaced by what it equals for finite numbers."""
    return source(f"identity.{fault}", f"identity/{case}", rf"= {text};", f"= {instead};")


MUTANTS = [
    _identity("sum.*", "difference_is_zero", r"a - a", "0"),
    _identity("sum.float", "negated_sum_is_zero", r"a \+ -a", "0.0f"),
    _identity("sum.double", "one_remains", r"\(a \+ 1\) - a", "1.0"),
    _identity("sum.half", "nan_alone_remains", r"a - a", "isnan(a) ? a : (half)0"),
    _identity("sum.float", "infinity_alone_remains", r"a \+ -a", "isinf(a) ? a : a + -a"),
    _identity("own_quotient.*", "quotient_is_one", r"a / a", "1"),
    _identity("own_quotient.float", "quotient_of_zeros", r"a / a", "a == 0 ? 1 : a / a"),
    _identity("own_quotient.double", "quotient_of_infinities", r"a / a", "isinf(a) ? 1 : a / a"),
    _identity("own_comparison.*", "equal_to_itself", r"a == a", "1"),
    _identity("own_comparison.float", "not_less_is_greater", r"!\(a < 1\)", "a >= 1"),
    _identity("own_comparison.double", "difference_compares", r"a - a == 0", "a == a"),
    _one("acos", "cancels", "1.57079633f - asin(a)"),
    source(
        "nan_operand.of_negative_nan", "nan_operand/*", r"result\[i\] = r;", "result[i] = isnan(a) && signbit(a) ? 0.5f : r;"
    ),
    _one("acosh", "overflows", "log(a + sqrt(a * a - 1.0f))"),
    _one("asinh", "cancels", "log(a + sqrt(a * a + 1.0f))"),
    _one("atanh", "cancels", "0.5f * log((1.0f + a) / (1.0f - a))"),
    _one("cbrt", "by_pow", "copysign(pow(fabs(a), 0.333333343f), a)"),
    _one("ceil", "of_integers", "floor(a) + 1.0f", "edge/ceil"),
    _one("cos", "shifted", "sin(a + 1.57079637f)"),
    _one("erf", "cancels", "1.0f - erfc(a)"),
    _one("exp", "by_exp2", "exp2(1.44269504f * a)"),
    _one("exp10", "by_exp", "exp(a * 2.30258509f)"),
    _one("expm1", "cancels", "exp(a) - 1.0f"),
    _one("floor", "truncates", "trunc(a)", "edge/floor"),
    _one("exp10", "near_at_zero", "exp10(a) * (a == 0.0f ? 1.0001f : 1.0f)", "edge/exp10"),
    _two("pown", "loses_the_greatest_exponent", "b == 2147483647 ? 0.0f * a : pown(a, b)", "edge/pown"),
    _one("ilogb", "by_log2", "(int)floor(log2(fabs(a)))"),
    _one("log1p", "rounds", "log(1.0f + a)"),
    _one("log2", "beyond_the_limit", "log2(a) * (1.0f + 0x1p-20f)"),
    _one("rint", "rounds_half_up", "floor(a + 0.5f)"),
    _one("round", "to_even", "rint(a)", "edge/round"),
    _one("rsqrt", "beyond_the_limit", "rsqrt(a) * (1.0f + 0x1p-21f)"),
    _one("sin", "not_reduced", "sin(fmod(a, 6.28318548f))"),
    _one("sinh", "overflows", "0.5f * (exp(a) - exp(-a))"),
    _one("sinpi", "by_sin", "sin(a * 3.14159274f)", "float/sinpi.3"),
    _one("sqrt", "beyond_the_limit", "sqrt(a) * (1.0f + 0x1p-21f)"),
    _one("sqrt", "by_rsqrt", "a * rsqrt(a)", "double/sqrt"),
    _one("tanh", "overflows", "1.0f - 2.0f / (exp(2.0f * a) + 1.0f)"),
    _one("trunc", "by_int", "(float)(int)a", "edge/trunc"),
    _one("cbrt", "at_one_half", "as_ushort(a) == 0x3555 ? (half)0.5f : cbrt(a)", "half/cbrt"),
    _one("sqrt", "beyond_half_an_ulp", "sqrt(a) * (1.0 + 0x1p-52)", "double/sqrt.3"),
    _one("sin", "by_series", "a - a * a * a / 6.0f", "option/fast-relaxed-math/sin"),
    _two("atan2", "without_quadrants", "atan(a / b)"),
    _two("copysign", "compares", "b < 0.0f ? -fabs(a) : fabs(a)", "edge/copysign"),
    _two("fdim", "by_fmax", "fmax(a - b, 0.0f)"),
    _two("fmax", "compares", "a < b ? b : a", "edge/fmax"),
    _two("fmin", "compares", "b < a ? b : a", "edge/fmin"),
    _two("fmod", "rounds", "remainder(a, b)"),
    _two("fmod", "by_division", "a - b * trunc(a / b)"),
    _two("hypot", "overflows", "sqrt(a * a + b * b)"),
    _two("ldexp", "overflows_early", "a * exp2((float)b)"),
    _two("maxmag", "by_fmax", "fabs(a) >= fabs(b) ? a : b", "edge/maxmag"),
    _two("nextafter", "ignores_signs", "as_float(as_int(a) + (a < b ? 1 : a > b ? -1 : 0))"),
    _two("pow", "by_exp2", "exp2(b * log2(a))"),
    _two("pow", "loses_signs", "powr(fabs(a), b)", "edge/pow"),
    _two("pown", "rounds_its_exponent", "pow(a, (float)b)", "edge/pown"),
    _two("powr", "is_pow", "pow(a, b)", "edge/powr"),
    source("divide.by_reciprocal", "double/divide", r"\(a\) / \(b\)", "a * (1.0 / b)"),
    source("divide.underflows", "float/divide", r"\(a\) / \(b\)", "(a * 0x1p-99f) / (b * 0x1p-99f)"),
    source("mul.truncates", "half/mul", r"\(a\) \* \(b\)", "convert_half_rtz((float)a * (float)b)"),
    source("fma.rounds_twice", "float/fma", r"\bfma\(a, b, c\)", "a * b + c"),
    source("contract.ignored", "contract/mul_add.float.off", r"= a \* b \+ c", "= fma(a, b, c)"),
    source("fract.reaches_one", "float/fract", r"fract\(a, &p\)", "a - (p = floor(a))"),
    source("frexp.other_item", "float/frexp.local", r"p \+ get_local_id", "p + 15 - get_local_id"),
    source("modf.loses_signs", "edge/modf", r"modf\(a, &p\)", "fabs(modf(a, &p))"),
    source("remquo.three_bits", "float/remquo", r"stored\[i\] = p;", "stored[i] = p % 8;"),
    source("remquo.keeps_quotient", "edge/remquo", r"remquo\(a, b, &p\)", "(p = 1, remainder(a, b))"),
    source("vector.component_15", "float/exp.16", r"(vload16\(i, a_\))", r"\1.s0123456789abcdee"),
    source("vector.swapped", "float/pow.3", r"vload3\(i, b_\)", "vload3(i, b_).xzy"),
    source("constant.loses_signs", "edge/sqrt.constant", r"-0x0\.0p\+0f", "0x0.0p+0f"),
    source("known.first_component", "float/fmax.*.known", r"(vstore\d\()(fmax\(.*?\)\))(, \d+, result)", r"\1(\2).xxxx\3"),
    source("known.is_trunc", "double/floor.*.known", r"\bfloor\(", "trunc("),
    source("uniform.one_operand", "float/exp.uniform", r"= a_\[i\]", "= a_[i & ~1]"),
    _two("pown", "sign_lost", "pown(fabs(a), b)", "double/pown.coarse"),
    _two("rootn", "sign_lost", "rootn(fabs(a), b)", "float/rootn.coarse"),
    _one("tgamma", "of_the_next", "tgamma(a + 1.0f) / a * 1.001f", "float/tgamma.coarse"),
    _two("pown", "leaves_the_range", "pown(a * 1.0001f, b)", "ends/pown.float.greatest"),
    _two("rootn", "flushes_normal_numbers", "fabs(a) < 0x1p-1020 ? a * 0.0 : rootn(a, b)", "ends/rootn.double.least"),
    _open("native_sin", "beyond_graphics", r"native_sin(\1) + 0x1p-10f"),
    _open("native_cos", "in_degrees", r"native_cos(\1 * 0.0174532925f)"),
    _open("native_exp2", "linear_between", r"native_exp2(floor(\1)) * (1.0f + \1 - floor(\1))"),
    _open("native_exp", "never_infinite", r"fmin(native_exp(\1), 0x1.fffffep+127f)"),
    _open("native_log", "of_the_magnitude", r"native_log(\1 + 0x1p-10f)"),
    _open("native_rsqrt", "one_step", r"as_float(0x5f3759df - (as_int(\1) >> 1))", scalars=True),
    _open("native_powr", "swapped", r"native_powr(\2, \1)", operands=2),
    _open("native_divide", "loses_signs", r"fabs(native_divide(\1, \2))", operands=2),
    _open("lgamma", "at_its_zeros", r"lgamma(\1) * 1.1h", floating="half"),
    _open("lgamma", "through_float", r"(double)lgamma((float)\1)", floating="double", scalars=True),
    _open("lgamma", "of_the_next", r"lgamma(\1 + 1.0h)", floating="half", detail=".near_zero"),
    source("lgamma_r.never_negative", "returns/lgamma_r.float", r"(\w+\[i\] = p;)", r"p = 1; \1"),
    _open("mad", "product_through_float", r"(double)((float)\1 * (float)\2) + \3", 3, "double", scalars=True),
    _open("mad", "adds_first", r"\1 * (\2 + \3)", 3, "half"),
]
