"""Code generation around conditions that errs."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, api, compiler, of


def _beside(name: str, case: str, function: str, effect: Callable[[], Any]) -> Mutant:
    """A call that does something to the process beside its work."""

    def outer(inner: Function, called: str, *arguments: Any) -> Any:
        if called == function:
            effect()
        return inner(called, *arguments)

    return api(
        f"control/process.{name}", f"kernels/control/process/{case}", "suites.kernels.control.environment.call", of(outer)
    )


_LIBM = ctypes.CDLL("libm.so.6")
MUTANTS = [
    compiler("control/counted.one_more", "kernels/control/counted_loop.int", r"i < e\b", "i <= e"),
    compiler(
        "control/counted.tested_before",
        "kernels/control/counted_loop.uint*",
        r"do \{ (.*?) \} while \((.*?)\);",
        r"while (\2) { \1 }",
    ),
    compiler("control/two_exits.work_lost", "kernels/control/two_exits", r"\{ t \+= 100; break; \}", "break;"),
    compiler("control/two_exits.one_trip_more", "kernels/control/two_exits", r"i \+ 1 >= 3", "i >= 3"),
    compiler("control/first_trip.flag_kept", "kernels/control/first_trip.set*", r"(?<!bool )first = false;", ""),
    compiler(
        "control/first_trip.other_branch", "kernels/control/first_trip.clear*", r"bool first = false", "bool first = true"
    ),
    compiler("control/bounded.other_bound", "kernels/control/bounded.int", r"min\(e, \(int\)6\)", "max(e, (int)6)"),
    compiler("control/bounded.one_bound", "kernels/control/bounded.uint", r"i < e && i < \(uint\)7", "i < e"),
    compiler("control/bounded.unordered", "kernels/control/bounded.float", r"!\(i > e\)", "i < e"),
    compiler("control/along.one_fewer", "kernels/control/along_array.*.5", r"i < n\b", "i + 1 < n"),
    compiler("control/along.last_is_first", "kernels/control/along_array.from_end.5", r"a\[4 - i\]", "a[4 - (i & 3)]"),
    compiler("control/narrowed.kept_wide", "kernels/control/narrowed.*", r"\((short|ushort|half)\)z;", "z;"),
    compiler("control/select.other_side", "kernels/control/float_select.int", r"< 10\)", ">= 10)"),
    compiler("control/select.or_equal", "kernels/control/float_select.int", r"< 10\)", "<= 10)"),
    compiler(
        "control/select.early_conversion",
        "kernels/control/float_select.int",
        r"\(float\)v",
        "(float)(uchar)v",
    ),
    compiler("control/begun.skipped_arm", "kernels/control/begun_load/one_arm.*", r"if \(c & 1\) r = x", "if (c & 3) r = x"),
    compiler("control/begun.used_too_early", "kernels/control/begun_load/both_arms.*", r"\(T\)3 \+ y", "(T)3 + x"),
    compiler("control/begun.other_register", "kernels/control/begun_load/other_in_each_arm.*", r"z = m\[at \+ 2\]", "z = x"),
    compiler(
        "control/begun.carried_late",
        "kernels/control/begun_load/carried.*",
        r"(r = r \* \(T\)2 \+ x;) x = next;",
        r"x = next; \1",
    ),
    compiler(
        "control/begun.lost_behind_the_loop", "kernels/control/begun_load/behind_a_loop.*", r"\* \(T\)2 \+ x", "* (T)2 + y"
    ),
    compiler(
        "control/begun.nested_overwritten", "kernels/control/begun_load/nested.*", r"r = x \+ z; else", "r = z + z; else"
    ),
    compiler("control/begun.switched", "kernels/control/begun_load/switched.*", r"case 2: r = x \+ z", "case 2: r = x + x"),
    compiler("control/begun.exit_loses_the_load", "kernels/control/begun_load/left_early.*", r"\} r = r \+ x;", "}"),
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
    compiler("control/array.second_is_first", "kernels/control/private_array/int4.loop", r"\{a, b \+", "{a, a +"),
    compiler(
        "control/array.last_component", "kernels/control/private_array/long8.copied", r"= y\[k\];", "= y[k].s01234560;"
    ),
    compiler(
        "control/array.rest_is_not_zero",
        "kernels/control/private_array/int16.partial",
        r"V x\[4\] = \{",
        "V x[4] = {[3] = a, [0] = ",
    ),
    compiler("control/array.index_ignored", "kernels/control/private_array/float4.counted", r"x\[k\]", "x[0]"),
    _beside("rounds_up", "rounding.to_nearest", "clBuildProgram", lambda: _LIBM.fesetround(0x800)),
    _beside("rounds_to_nearest", "rounding.to_zero", "clEnqueueNDRangeKernel", lambda: _LIBM.fesetround(0)),
    _beside("file_left_open", "descriptors", "clBuildProgram", lambda: os.dup(1)),
]
