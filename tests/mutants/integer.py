"""Integer operators and builtins that are nearly right."""

from mutation import Function, Mutant, api, faults_of

_errs = faults_of("integer")


def _in_one_program(case: str, fault: str, text: str, instead: str) -> Mutant:
    """For a case that has several programs, not all of which have the text."""

    def wrap(inner: Function) -> Function:
        return lambda device, source, options="": inner(device, source.replace(text, instead), options)

    return api(f"integer/{case}.{fault}", f"kernels/integer/{case}", "runner.device.Device.build", wrap)


MUTANTS = [
    _errs("add_sat.*", "wraps", r"\badd_sat\((\w+), (\w+)\)", r"\1 + \2"),
    _errs("sub_sat.*", "wraps", r"\bsub_sat\((\w+), (\w+)\)", r"\1 - \2"),
    _errs("folded.known.int", "hadd_rounds_up", r"\bhadd\b", "rhadd"),
    _in_one_program("folded.half_known.int", "shift_is_logical", "(a >> b)", "((uint)a >> b)"),
    _in_one_program("folded.half_known.int", "quotient_of_one_more", "(a / b)", "((a + 1) / b)"),
    _errs("folded.pairs.uint", "last_is_first", r"a = a \^ b;", "a = a | b;"),
    _errs("folded.saturating.ulong", "wraps", r"\badd_sat\((\w+), (\w+)\)", r"\1 + \2"),
    _errs("limits.sub_sat.uint", "wraps", r"\bsub_sat\((\w+), (\w+)\)", r"\1 - \2"),
    _errs("limits.others.int", "rhadd_rounds_down", r"\brhadd\b", "hadd"),
    _errs("hadd.*", "rounds_up", r"\bhadd\b", "rhadd"),
    _errs("rhadd.*", "rounds_down", r"\brhadd\b", "hadd"),
    _errs("hadd.uint", "loses_the_carry", r"hadd\(a, b\)", "((a + b) >> 1)"),
    _errs("abs_diff.int", "wraps", r"abs_diff\(a, b\)", "abs((int)((uint)a - (uint)b))"),
    _errs("clz.int*", "of_zero", r"clz\(a\)", "clz(a | 1)"),
    _errs("ctz.int", "of_zero", r"ctz\(a\)", "(31 - clz(a & -a))"),
    _errs("popcount.long", "loses_a_bit", r"popcount\(a\)", "popcount(a << 1)"),
    _errs("rotate.*", "shifts", r"rotate\(a, b\)", "(a << b)"),
    _errs("rotate.uchar", "by_more_than_the_width", r"rotate\(a, b\)", "((a << (b & 15)) | (a >> (8 - (b & 7))))"),
    _errs("mul_hi.int", "is_unsigned", r"mul_hi\(a, b\)", "(int)mul_hi((uint)a, (uint)b)"),
    _errs("mul_hi.long", "of_low_halves", r"mul_hi\(a, b\)", "mul_hi(a & ~0xffffffffL, b)"),
    _errs("mad_hi.*", "loses_the_addend", r"mad_hi\(a, b, c\)", "mul_hi(a, b)"),
    _errs("mad_sat.int", "wraps_inside", r"mad_sat\(a, b, c\)", "add_sat(a * b, c)"),
    _errs("mad24.*", "loses_the_addend", r"mad24\(a, b, c\)", "mul24(a, b)"),
    _errs("mul24.int", "is_unsigned", r"mul24\(a, b\)", "(a & 0xffffff) * (b & 0xffffff)"),
    _errs("clamp.*", "has_no_lower_bound", r"clamp\(a, b, c\)", "min(a, c)"),
    _errs("clamp_scalar.*", "of_the_first", r"clamp\(a, s, u\)", "clamp(a, s, s)"),
    _errs("max.uint", "is_signed", r"max\(a, b\)", "(uint)max((int)a, (int)b)"),
    _errs("min_scalar.*", "is_max", r"min\(a, s\)", "max(a, s)"),
    _errs("upsample.*", "swaps", r"upsample\(a, as_(\w+)\(b\)\)", r"upsample(b, as_\1(a))"),
    _errs("add.uchar", "saturates", r"a \+ b\b", "min(a + b, 255)"),
    _errs("mul.ulong", "of_low_halves", r"a \* b", "a * (uint)b"),
    _errs("divide.int", "rounds_down", "a / b", "(a / b - ((a % b != 0) & ((a < 0) != (b < 0))))"),
    _errs("divide_near.uint", "in_float", "a / b", "convert_uint_sat((float)a / (float)b)"),
    _errs("modulo.int", "has_the_divisors_sign", "a % b", "(a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b)"),
    _errs("division_by_zero.*", "divisor_is_not_zero", "divisor && 7", "1"),
    _errs("folded.known.int", "mul24_is_unsigned", r"mul24\(a, b\)", "(int)((a & 0xffffffu) * (b & 0xffffffu))"),
    _in_one_program("folded.half_known.uint", "mul24_of_23_bits", "mul24(a, b)", "((a & 0x7fffff) * (b & 0x7fffff))"),
    _errs("divide_power.int", "shifts", r"a / \(\(int\)8\)", "(a >> 3)"),
    _errs("divide_large.uint", "multiplies", r"a / \(\(uint\)2147483649U\)", "(a >> 31)"),
    _errs("shift_right.int", "is_logical", "a >> b", "(int)((uint)a >> (b & 31))"),
    _errs("shift_left.uint", "is_not_modulo", "a << b", "(b > 31 ? 0 : a << b)"),
    _errs("shift_left.uchar", "is_not_promoted", "a << b", "(uchar)(a << b)"),
    _errs("compare.uint", "is_signed", "a < b", "((int)a < (int)b)"),
    _errs("compare.int4", "is_one", "a >= b", "((a >= b) & 1)"),
    _errs("logical.int", "is_bitwise", "a && b", "((a & b) != 0)"),
    _errs("ternary.int*", "of_any_bit", r"c \? a : b", "c != 0 ? a : b"),
    _errs("assign_bits.int*", "of_fewer_bits", "x <<= b", "x <<= (b & 7)"),
    _errs("step.*", "before_its_value", r"y = x--", "y = --x"),
    _errs("mixed.*", "swaps", "s - a", "a - s"),
    _errs("mixed_narrow.*", "has_no_sign", r"a \+ s", "a + (uchar)s"),
    _errs("unary.*", "is_minus", "~a", "-a"),
    _errs("dot.acc_sat_packed_uu.squares", "wraps", r"dot_acc_sat(\w+)\(a, b, acc\)", r"(dot\1(a, b) + acc)"),
    _errs("dot.acc_sat_packed_ss.edges", "wraps", r"dot_acc_sat(\w+)\(a, b, acc\)", r"(dot\1(a, b) + acc)"),
    _errs("dot.packed_su.lane", "swaps_the_signs", "packed_su", "packed_us"),
    _errs("dot.packed_ss.operand", "sum_of_zero_products", r"(0x00000000u\)) \+ small", r"\1"),
    _errs("dot.acc_sat_packed_us.operand", "zero_saturates", r"(0x00000000u), acc\)", r"\1, 0)"),
    _errs("dot.uu.lane", "of_three", r"dot\(a, b\)", "dot(a & (uchar4)(255, 255, 255, 0), b)"),
]
