"""Sub-group functions that look at other lanes or combine in another way."""

from __future__ import annotations

from mutation import compiler

MUTANTS = [
    compiler("subgroup/broadcast.first_lane", "kernels/subgroup/core/broadcast.*", r"\(x, u\.x % size\)", "(x, 0)"),
    compiler(
        "subgroup/reduce_add.scans",
        "kernels/subgroup/core/reduce_add.int",
        "sub_group_reduce_add",
        "sub_group_scan_inclusive_add",
    ),
    compiler(
        "subgroup/reduce_min.max",
        "kernels/subgroup/core/reduce_min.*",
        "sub_group_reduce_min",
        "sub_group_reduce_max",
    ),
    compiler(
        "subgroup/reduce_max.unsigned",
        "kernels/subgroup/core/reduce_max.int",
        r"sub_group_reduce_max\(x\)",
        "(int)sub_group_reduce_max((uint)x)",
    ),
    compiler(
        "subgroup/reduce_max.begins_as_int",
        "kernels/subgroup/core/reduce_max.long",
        r"sub_group_reduce_max\(x\)",
        "max(sub_group_reduce_max(x), (long)INT_MIN)",
    ),
    compiler(
        "subgroup/scan_exclusive.inclusive",
        "kernels/subgroup/core/scan_exclusive_add.*",
        "scan_exclusive",
        "scan_inclusive",
    ),
    compiler(
        "subgroup/scan_exclusive.identity",
        "kernels/subgroup/core/scan_exclusive_min.int",
        r"(sub_group_scan_exclusive_min\(x\))",
        r"(get_sub_group_local_id() ? \1 : (\1, 0))",
    ),
    compiler("subgroup/all.any", "kernels/subgroup/core/all", "sub_group_all", "sub_group_any"),
    compiler(  # the lanes that the last sub-group lacks vote too, for what they invert
        "subgroup/any.of_lanes_that_are_none",
        "kernels/subgroup/core/any",
        r"sub_group_any\(y\)",
        "(sub_group_any(y) | (flip && size < most))",
    ),
    compiler("subgroup/any.low_bit", "kernels/subgroup/core/any", r"sub_group_any\(y\)", "sub_group_any(y & 1)"),
    compiler("subgroup/shuffle.next_lane", "kernels/subgroup/ext/shuffle.*", r"y % size", "(y + 1) % size"),
    compiler(
        "subgroup/shuffle_up.down",
        "kernels/subgroup/ext/shuffle_up.*",
        "sub_group_shuffle_up",
        "sub_group_shuffle_down",
    ),
    compiler(
        "subgroup/shuffle_xor.adds",
        "kernels/subgroup/ext/shuffle_xor.int",
        r"sub_group_shuffle_xor\(x, ",
        "sub_group_shuffle_down(x, ",
    ),
    compiler(
        "subgroup/shuffle.narrow",
        "kernels/subgroup/ext/shuffle.long",
        r"sub_group_shuffle\(x,",
        "sub_group_shuffle((int)x,",
    ),
    compiler("subgroup/inactive.written", "kernels/subgroup/ext/shuffle_down.uint", r"if \(active\[i\]\)", ""),
    compiler(
        "subgroup/id.lane",
        "kernels/subgroup/ids.*",
        r"r\[1\] = get_sub_group_local_id\(\)",
        "r[1] = get_local_id(0) % 7",
    ),
    compiler(
        "subgroup/barrier.other_lane",
        "kernels/subgroup/barrier.local*",
        r"\(lane \+ k\) % size",
        "(lane + k + 1) % size",
    ),
]
