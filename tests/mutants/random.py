"""A compiler that errs somewhere in a structured program."""

import re
from typing import Any

from mutation import Function, Mutant, api

from runner.check import Mismatch


def somewhere(name: str, flavour: str, pattern: str, replacement: str) -> Mutant:
    """The source changed wherever the pattern matches; most programs have no such place."""

    def wrap(inner: Function) -> Function:
        seen: set[str] = set()

        def build(self: Any, source: str, options: str = "") -> Any:
            if self.case_id in seen:  # a smaller program of the same case: the fault is found, spare the device
                raise Mismatch("build: cut down")
            seen.add(self.case_id)
            return inner(self, re.sub(pattern, replacement, source), options)

        return build

    return api(f"random/{name}", f"kernels/random/{flavour}/*", "runner.device.Device.build", wrap)


def in_spirv(name: str, pattern: str, replacement: str) -> Mutant:
    """The same for programs that are given as SPIR-V."""

    def wrap(inner: Function) -> Function:
        return lambda program: re.sub(pattern, replacement, inner(program))

    return api(f"random/{name}", "kernels/random/spirv/*", "suites.kernels.random_programs.programs.spirv_text", wrap)


MUTANTS = [
    somewhere("break.lost", "loop", r"\bbreak;", ";"),
    somewhere("continue.lost", "loop", r"\bcontinue;", ";"),
    somewhere("loop.one_round_fewer", "loop", r"(n\d+ < )(\d+); n", r"\g<1>\2 - 1; n"),
    somewhere("do.as_while", "loop", r"n0 = 0;\n( *)do \{", r"n0 = 1;\n\1do {"),
    somewhere("else.taken_too", "branch", r"\} else \{", "} {"),
    somewhere("compare.or_equal", "branch", r" < ", " <= "),
    somewhere("switch.fall_through", "switch", r"\n *\}\n *break;", "\n }"),
    somewhere("switch.default_elsewhere", "switch", r"default:", "case 77:"),
    somewhere("swizzle.first_two", "vector", r"\.s1\b", ".s0"),
    somewhere("shift.arithmetic", "expression", r"\((?:uint|ulong)\)\(([av]\d)\) >> ", r"\1 >> "),
    somewhere("element.next", "array", r"\) & (\d)\]", r") + 1 & \1]"),
    somewhere("hadd.rounds_up", "expression", r"\bhadd\(", "rhadd("),
    somewhere("call.store_through_a_pointer_lost", "call", r"(?m)^( +)p\[.*;$", r"\1;"),
    somewhere("row.other_shift", "vector_array", r">> 2 & 1\]", ">> 1 & 1]"),
    somewhere("element.component_next", "vector_array", r"(\] *\)?\)?)\.s0 = ", r"\1.s1 = "),
    somewhere("initialiser.zeros", "vector_array", r"( x0\[\d\]) = \{.*\};", r"\1 = {0};"),
    somewhere("struct.member_lost", "struct", r"return p;", "{ S z = p; z.m0 = 0; return z; }"),
    somewhere("struct.by_reference", "struct", r"(s\d) = (h\d)\((.*)(s\d)\);", r"\4 = \1 = \2(\3\4);"),
    somewhere("struct.result_lost", "struct", r"(s\d) = (h\d\(.*s\d\));", r"\2;"),
    somewhere("continue.leaves_the_switch", "loop_switch", r"\bcontinue;", "break;"),
    somewhere("switch.next_label", "loop_switch", r"case 3:", "case 13:"),
    somewhere("half.from_integer_rtz", "half", r"(convert_half\d?)_rte", r"\1_rtz"),
    somewhere("half.less_of_nan", "half", r" >= ", " > "),
    somewhere("float.fmin", "float", r"\bfmin\(", "fmax("),
    somewhere("float.fabs", "float", r"\bfabs\(\(float", "-fabs((float"),
    somewhere("double.through_float", "double", r"\bsqrt\(\(double\)", "sqrt((float)"),
    somewhere("double.fmax", "double", r"\bfmax\(", "fmin("),
    somewhere("double.selected", "double", r" >= ", " < "),
    somewhere("union.no_barrier", "union", r"barrier\(CLK_LOCAL_MEM_FENCE\);(\s+\S+ = u\.)", r"\1"),
    somewhere("union.next_element", "union", r"(= u\.u?short\d?_\[)", r"\1 1 + "),
    somewhere("atomic.other_order", "atomic", r"atomic_max\(", "atomic_min("),
    somewhere("atomic.or_for_xor", "atomic", r"atomic_xor\(", "atomic_or("),
    somewhere("atomic.stored", "atomic", r"atomic_xchg\(", "atomic_add("),
    somewhere("image.border_as_edge", "image", r", border, ", ", edge, "),
    somewhere("image.next_row", "image", r"(write_imageui\(om, \(int2\)\(item, )", r"\1 1 + "),
    somewhere("sub_group.inclusive", "sub_group", r"scan_exclusive", "scan_inclusive"),
    somewhere("sub_group.other_order", "sub_group", r"_max\(", "_min("),
    in_spirv("spirv.remainder", "OpUMod", "OpUDiv"),
    in_spirv("spirv.zero_extended", "OpSConvert", "OpUConvert"),
    in_spirv("spirv.shift_logical", "OpShiftRightArithmetic", "OpShiftRightLogical"),
    in_spirv("spirv.shuffle", r"(OpVectorShuffle .*) 1\b", r"\1 0"),
]
