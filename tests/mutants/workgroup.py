"""Work-groups whose barriers, copies and local memory err a little."""

from __future__ import annotations

from mutation import compiler

_BARRIER = r"barrier\(CLK_LOCAL_MEM_FENCE\);"


MUTANTS = [
    compiler(
        "workgroup/beside.overlapping",
        "kernels/workgroup/layout/beside.*",
        r"__local uchar own\[(\d+)\];",
        "__local uchar *own = p0;",
    ),
    compiler("workgroup/beside.wrapped", "kernels/workgroup/layout/beside.8192.*", r"p0\[k\]", "p0[k & 0x3fff]"),
    compiler("workgroup/barrier.dropped", "kernels/workgroup/exchange/*.declared", _BARRIER, ""),
    compiler("workgroup/barrier.dropped_in_tree", "kernels/workgroup/reduction/add.int*", _BARRIER, ""),
    compiler("workgroup/barrier.only_first", "kernels/workgroup/scan/int.*", rf"(for [^\n]*\n\s*){_BARRIER}", r"\1"),
    compiler(
        "workgroup/barrier.dropped_in_loop",
        "kernels/workgroup/barrier/loop.local",
        r"BARRIER; x = x",
        "x = x",
    ),
    compiler(
        "workgroup/barrier.dropped_at_the_end",
        "kernels/workgroup/barrier/*.local",
        r"% n\]; BARRIER;",
        "% n];",
    ),
    compiler(
        "workgroup/barrier.dropped_in_global",
        "kernels/workgroup/barrier/straight.global",
        r"part\[l\] = x; BARRIER;",
        "part[l] = x;",
    ),
    compiler(
        "workgroup/branch.other_group",
        "kernels/workgroup/barrier/if_group.local",
        r"group & 1\) STEP",
        "group & 2) STEP",
    ),
    compiler("workgroup/return.ignored", "kernels/workgroup/barrier/return_group.local", r"return; }", "}"),
    compiler(
        "workgroup/loop.one_less",
        "kernels/workgroup/barrier/loop_from_buffer.*",
        r"k < bounds",
        "k + 1 < bounds",
    ),
    compiler("workgroup/copy.wait_dropped_in", "kernels/workgroup/async/int.in", r"wait_group_events\(1, &e\);", ""),
    compiler(
        "workgroup/copy.wait_dropped_out",
        "kernels/workgroup/async/int.out",
        r"wait_group_events\(1, &e\);",
        "",
    ),
    compiler(
        "workgroup/copy.barrier_dropped",
        "kernels/workgroup/async/float4.out*",
        r"(\]; *\n\s*)barrier\(CLK_LOCAL_MEM_FENCE\);(\s*event_t)",
        r"\1\2",
    ),
    compiler(
        "workgroup/copy.waits_dropped",
        "kernels/workgroup/async/two_events",
        r"wait_group_events\(2, e\);",
        "",
    ),
    compiler(
        "workgroup/copy.stride_ignored",
        "kernels/workgroup/async/*_strided",
        r"count, stride, 0",
        "count, 1, 0",
    ),
    compiler(
        "workgroup/copy.one_element_less",
        "kernels/workgroup/async/*.in",
        r"first, count, 0\)",
        "first, count - 1, 0)",
    ),
    compiler(
        "workgroup/local.arrays_overlap",
        "kernels/workgroup/layout/several_arrays",
        r"__local uchar b3\[64\];",
        "__local uchar *b3 = b0;",
    ),
    compiler(
        "workgroup/local.argument_without_memory",
        "kernels/workgroup/layout/required",
        r"sum \+= part\[k\]",
        "sum += 0",
    ),
    compiler(
        "workgroup/local.rows_overlap",
        "kernels/workgroup/transpose/float.8x8.padded",
        r"tile\[get_local_id\(1\)\]",
        "tile[get_local_id(1) & 6]",
    ),
    compiler(
        "workgroup/atomic.not_atomic",
        "kernels/workgroup/histogram/*",
        r"atomic_inc\(&(count[^)]*)\);",
        r"\1++;",
    ),
    compiler(
        "workgroup/collective.offered_anyway",
        "kernels/workgroup/collective/offered.*",
        "r.0. = 2;",
        "r[0] = 1;",
    ),
]
