"""Vectors with exchanged components, halves and strides, and a compiler that accepts everything."""

from typing import Any

from mutation import Function, api, faults_of, of

from runner.check import Mismatch

_errs = faults_of("vector")


@of
def _accepts(inner: Function, self: Any, source: str, options: str = "") -> Any:
    try:
        return inner(self, source, options)
    except Mismatch:
        return inner(self, "__kernel void f(__global int *r) { r[0] = 1; }", options)


MUTANTS = [
    _errs("swizzle.*", "other_component", r"\ba\.S1\b", "a.s0"),
    _errs("write.*", "in_two_steps", r"w\.s01 = w\.s10;", "w.s0 = w.s1; w.s1 = w.s0;"),
    _errs("xyzw.*", "swaps", r"\ba\.yx\b", "a.xy"),
    _errs("rgba.*", "other_letter", r"\ba\.g\b", "a.r"),
    _errs("halves.*", "hi_is_lo", r"\.hi\b", ".lo"),
    _errs("halves.*", "odd_is_even", r"\.odd\b", ".even"),
    _errs("halves_write.*", "lo_is_even", r"w\.lo = ", "w.even = "),
    _errs("update.*", "in_order", r"\+= a\.s10\b", "+= a.s01"),
    _errs("parts.*", "swaps", r"\(T\)\((\w\.\w+), (\w\.\w+)", r"(T)(\2, \1"),
    _errs("literal.*", "other_scalar", r"\(T\)\(a\.s0\)", "(T)(a.s1)"),
    _errs("literal.*", "first_row", r"table\[i \+ 1\]", "table[1]"),
    _errs("memory.*", "one_element", r"q\[1 - i\] = b;", "q[i] = b;"),
    _errs("memory.*", "by_reference", r"T unused = turned\(b, a\.s0\);", "b.s0 = a.s0;"),
    _errs("pointer.int3", "stride_of_three", r"int3 v = a\[i\]", "int3 v = vload3(i, (__global const int *)a)"),
    _errs("pointer.*", "writes_all", r"\.s1 = v\.s0", " = v"),
    _errs("step.*", "of_three_is_three", r"vec_step\(\w+3\)", "3"),
    _errs("three", "stride_of_three", r"float3 v = a\[i\]", "float3 v = vload3(i, (__global const float *)a)"),
    _errs("relational.*", "less_or_equal", "x < y", "x <= y"),
    _errs("relational.*", "nan_is_equal", "x != y", "islessgreater(x, y)"),
    api("vector/refuse.accepts", "kernels/vector/refuse.*", "runner.device.Device.build", _accepts),
]
