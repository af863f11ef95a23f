"""Code generation around conditions that errs."""

import ctypes
import os
from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, api, compiler_of, of

source = compiler_of("control")


def _beside(name: str, case: str, function: str, effect: Callable[[], Any]) -> Mutant:
    """A call that also does something to the process."""

    def outer(inner: Function, called: str, *arguments: Any) -> Any:
        if called == function:
            effect()
        return inner(called, *arguments)

    return api(
        f"control/process.{name}", f"kernels/control/process/{case}", "suites.kernels.control.environment.call", of(outer)
    )


_LIBM = ctypes.CDLL("libm.so.6")
MUTANTS = [
    source("counted.one_more", "counted_loop.int", r"i < e\b", "i <= e"),
    source("counted.tested_before", "counted_loop.uint*", r"do \{ (.*?) \} while \((.*?)\);", r"while (\2) { \1 }"),
    source("two_exits.work_lost", "two_exits", r"\{ t \+= 100; break; \}", "break;"),
    source("two_exits.one_trip_more", "two_exits", r"i \+ 1 >= 3", "i >= 3"),
    source("first_trip.flag_kept", "first_trip.set*", r"(?<!bool )first = false;", ""),
    source("first_trip.other_branch", "first_trip.clear*", r"bool first = false", "bool first = true"),
    source("bounded.other_bound", "bounded.int", r"min\(e, \(int\)6\)", "max(e, (int)6)"),
    source("bounded.one_bound", "bounded.uint", r"i < e && i < \(uint\)7", "i < e"),
    source("bounded.unordered", "bounded.float", r"!\(i > e\)", "i < e"),
    source("along.one_fewer", "along_array.*.5", r"i < n\b", "i + 1 < n"),
    source("along.last_is_first", "along_array.from_end.5", r"a\[4 - i\]", "a[4 - (i & 3)]"),
    source("narrowed.kept_wide", "narrowed.*", r"\((short|ushort|half)\)z;", "z;"),
    source("select.other_side", "float_select.int", r"< 10\)", ">= 10)"),
    source("select.or_equal", "float_select.int", r"< 10\)", "<= 10)"),
    source("select.early_conversion", "float_select.int", r"\(float\)v", "(float)(uchar)v"),
    source("begun.skipped_arm", "begun_load/one_arm.*", r"if \(c & 1\) r = x", "if (c & 3) r = x"),
    source("begun.used_too_early", "begun_load/both_arms.*", r"\(T\)3 \+ y", "(T)3 + x"),
    source("begun.other_register", "begun_load/other_in_each_arm.*", r"z = m\[at \+ 2\]", "z = x"),
    source("begun.carried_late", "begun_load/carried.*", r"(r = r \* \(T\)2 \+ x;) x = next;", r"x = next; \1"),
    source("begun.lost_behind_the_loop", "begun_load/behind_a_loop.*", r"\* \(T\)2 \+ x", "* (T)2 + y"),
    source("begun.nested_overwritten", "begun_load/nested.*", r"r = x \+ z; else", "r = z + z; else"),
    source("begun.switched", "begun_load/switched.*", r"case 2: r = x \+ z", "case 2: r = x + x"),
    source("begun.exit_loses_the_load", "begun_load/left_early.*", r"\} r = r \+ x;", "}"),
    source("load.clamped", "guarded_load.int", r"\(int\)7", "a[0]"),
    source("load.index_of_32_bits", "guarded_load.int", r"long k =", "int k ="),
    source("list.one_round_fewer", "guarded_load.loop", r"k < 32", "k < 31"),
    source("list.index_of_32_bits", "guarded_load.loop", r"long k =", "int k ="),
    source("literal.of_32_bits", "literal.ul", r"\bLITERAL\b", "(uint)LITERAL"),
    source("loop.break_of_the_outer", "loop", r"if \(\+\+k > j\) break;", "if (++k > j + 1) break;"),
    source("loop.fall_through", "loop", r"sum \^= k; break;", "sum ^= k;"),
    source("loop.no_early_return", "loop", r"if \(x == 13\) return;", ""),
    source("array.second_is_first", "private_array/int4.loop", r"\{a, b \+", "{a, a +"),
    source("array.last_component", "private_array/long8.copied", r"= y\[k\];", "= y[k].s01234560;"),
    source("array.rest_is_not_zero", "private_array/int16.partial", r"V x\[4\] = \{", "V x[4] = {[3] = a, [0] = "),
    source("array.index_ignored", "private_array/float4.counted", r"x\[k\]", "x[0]"),
    _beside("rounds_up", "rounding.to_nearest", "clBuildProgram", lambda: _LIBM.fesetround(0x800)),
    _beside("rounds_to_nearest", "rounding.to_zero", "clEnqueueNDRangeKernel", lambda: _LIBM.fesetround(0)),
    _beside("file_left_open", "descriptors", "clBuildProgram", lambda: os.dup(1)),
]
