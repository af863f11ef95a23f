"""Code generation around conditions that errs."""

from __future__ import annotations

from mutation import compiler

MUTANTS = [
    compiler("control/select.other_side", "kernels/control/float_select.int", r"< 10\)", ">= 10)"),
    compiler("control/select.or_equal", "kernels/control/float_select.int", r"< 10\)", "<= 10)"),
    compiler(
        "control/select.early_conversion",
        "kernels/control/float_select.int",
        r"\(float\)v",
        "(float)(uchar)v",
    ),
    compiler("control/load.clamped", "kernels/control/guarded_load.int", r"\(int\)7", "a[0]"),
    compiler("control/load.index_of_32_bits", "kernels/control/guarded_load.int", r"long k =", "int k ="),
    compiler("control/list.one_round_fewer", "kernels/control/guarded_load.loop", r"k < 32", "k < 31"),
    compiler("control/list.index_of_32_bits", "kernels/control/guarded_load.loop", r"long k =", "int k ="),
    compiler("control/literal.of_32_bits", "kernels/control/literal.ul", r"\bLITERAL\b", "(uint)LITERAL"),
    compiler(
        "control/loop.break_of_the_outer",
        "kernels/control/loop",
        r"if \(\+\+k > j\) break;",
        "if (++k > j + 1) break;",
    ),
    compiler("control/loop.fall_through", "kernels/control/loop", r"sum \^= k; break;", "sum ^= k;"),
    compiler("control/loop.no_early_return", "kernels/control/loop", r"if \(x == 13\) return;", ""),
]
