"""Work-groups whose barriers, copies and local memory err a little."""

from mutation import compiler_of

source = compiler_of("workgroup")

_BARRIER = r"barrier\(CLK_LOCAL_MEM_FENCE\);"


MUTANTS = [
    source("beside.overlapping", "layout/beside.*", r"__local uchar own\[(\d+)\];", "__local uchar *own = p0;"),
    source("beside.wrapped", "layout/beside.8192.*", r"p0\[k\]", "p0[k & 0x3fff]"),
    source("barrier.dropped", "exchange/*.declared", _BARRIER, ""),
    source("barrier.dropped_in_tree", "reduction/add.int*", _BARRIER, ""),
    source("barrier.only_first", "scan/int.*", rf"(for [^\n]*\n\s*){_BARRIER}", r"\1"),
    source("barrier.dropped_in_loop", "barrier/loop.local", r"BARRIER; x = x", "x = x"),
    source("barrier.dropped_at_the_end", "barrier/*.local", r"% n\]; BARRIER;", "% n];"),
    source("barrier.dropped_in_global", "barrier/straight.global", r"part\[l\] = x; BARRIER;", "part[l] = x;"),
    source("branch.other_group", "barrier/if_group.local", r"group & 1\) STEP", "group & 2) STEP"),
    source("return.ignored", "barrier/return_group.local", r"return; }", "}"),
    source("loop.one_less", "barrier/loop_from_buffer.*", r"k < bounds", "k + 1 < bounds"),
    source("copy.wait_dropped_in", "async/int.in", r"wait_group_events\(1, &e\);", ""),
    source("copy.wait_dropped_out", "async/int.out", r"wait_group_events\(1, &e\);", ""),
    source("copy.barrier_dropped", "async/float4.out*", r"(\]; *\n\s*)barrier\(CLK_LOCAL_MEM_FENCE\);(\s*event_t)", r"\1\2"),
    source("copy.waits_dropped", "async/two_events", r"wait_group_events\(2, e\);", ""),
    source("copy.stride_ignored", "async/*_strided", r"count, stride, 0", "count, 1, 0"),
    source("copy.one_element_less", "async/*.in", r"first, count, 0\)", "first, count - 1, 0)"),
    source("local.arrays_overlap", "layout/several_arrays", r"__local uchar b3\[64\];", "__local uchar *b3 = b0;"),
    source("local.argument_without_memory", "layout/required", r"sum \+= part\[k\]", "sum += 0"),
    source("local.rows_overlap", "transpose/float.8x8.padded", r"tile\[get_local_id\(1\)\]", "tile[get_local_id(1) & 6]"),
    source("atomic.not_atomic", "histogram/*", r"atomic_inc\(&(count[^)]*)\);", r"\1++;"),
    source("collective.offered_anyway", "collective/offered.*", "r.0. = 2;", "r[0] = 1;"),
]
