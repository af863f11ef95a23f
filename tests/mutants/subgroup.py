"""Sub-group functions that look at other lanes or combine in another way."""

from mutation import compiler, compiler_of

source = compiler_of("subgroup")

MUTANTS = [
    source("broadcast.first_lane", "core/broadcast.*", r"\(x, u\.x % size\)", "(x, 0)"),
    source("reduce_add.scans", "core/reduce_add.int", "sub_group_reduce_add", "sub_group_scan_inclusive_add"),
    source("reduce_min.max", "core/reduce_min.*", "sub_group_reduce_min", "sub_group_reduce_max"),
    source("reduce_max.unsigned", "core/reduce_max.int", r"sub_group_reduce_max\(x\)", "(int)sub_group_reduce_max((uint)x)"),
    source(
        "reduce_max.begins_as_int",
        "core/reduce_max.long",
        r"sub_group_reduce_max\(x\)",
        "max(sub_group_reduce_max(x), (long)INT_MIN)",
    ),
    source("scan_exclusive.inclusive", "core/scan_exclusive_add.*", "scan_exclusive", "scan_inclusive"),
    source(
        "scan_exclusive.identity",
        "core/scan_exclusive_min.int",
        r"(sub_group_scan_exclusive_min\(x\))",
        r"(get_sub_group_local_id() ? \1 : (\1, 0))",
    ),
    source("all.any", "core/all", "sub_group_all", "sub_group_any"),
    compiler(  # the lanes that the last sub-group lacks vote too, for what they invert
        "subgroup/any.of_lanes_that_are_none",
        "kernels/subgroup/core/any",
        r"sub_group_any\(y\)",
        "(sub_group_any(y) | (flip && size < most))",
    ),
    source("any.low_bit", "core/any", r"sub_group_any\(y\)", "sub_group_any(y & 1)"),
    source("shuffle.next_lane", "ext/shuffle.*", r"y % size", "(y + 1) % size"),
    source("shuffle_up.down", "ext/shuffle_up.*", "sub_group_shuffle_up", "sub_group_shuffle_down"),
    source("shuffle_xor.adds", "ext/shuffle_xor.int", r"sub_group_shuffle_xor\(x, ", "sub_group_shuffle_down(x, "),
    source("shuffle.narrow", "ext/shuffle.long", r"sub_group_shuffle\(x,", "sub_group_shuffle((int)x,"),
    source("inactive.written", "ext/shuffle_down.uint", r"if \(active\[i\]\)", ""),
    source("id.lane", "ids.*", r"r\[1\] = get_sub_group_local_id\(\)", "r[1] = get_local_id(0) % 7"),
    source("barrier.other_lane", "barrier.local*", r"\(lane \+ k\) % size", "(lane + k + 1) % size"),
]
