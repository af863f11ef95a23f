"""Compilers that give other code to programs with an annotation."""

from __future__ import annotations

from mutation import compiler

MUTANTS = [
    compiler("programs/local.last_item", "kernels/programs/local_reverse/*", r"- 1 - i", "- 1"),
    compiler(
        "programs/sum.saturates", "kernels/programs/wrapping_sum/signed", r"as_int\(as_uint.*\);", "add_sat(a[i], b[i]);"
    ),
    compiler(
        "programs/quotient.rounded_down", "kernels/programs/rounded_quotient/divide", r"/ b\[i\]", "/ b[i] * 0.999999f"
    ),
    compiler("programs/constant.writable", "kernels/programs/assigned_constant/build", "constant int", "global int"),
]
