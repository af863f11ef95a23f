"""Index spaces whose identifiers, sizes or offsets err."""

from typing import Any

from mutation import Function, api_of, compiler_of, of

call = api_of("ndrange")

source = compiler_of("ndrange")


@of
def _without_offset(inner: Function, queue: Any, kernel: Any, size: Any, local: Any, offset: Any = None, *rest: Any) -> Any:
    """Leave out the global offset."""
    return inner(queue, kernel, size, local, None, *rest)


@of
def _without_local(inner: Function, queue: Any, kernel: Any, size: Any, local: Any, *rest: Any) -> Any:
    """Choose another local size than the one that was asked for."""
    return inner(queue, kernel, size, local and tuple(1 for _ in local), *rest)


_ENQUEUE = "pyopencl.enqueue_nd_range_kernel"

MUTANTS = [
    call("offset.ignored", "space/12x4x8*", _ENQUEUE, _without_offset),
    call("local.ignored", "space/33.by11", _ENQUEUE, _without_local),
    call(
        "local.not_checked",
        "required/7x3x1.refused",
        _ENQUEUE,
        lambda inner: lambda queue, kernel, size, local, *rest: inner(queue, kernel, size, (7, 3, 1), *rest),
    ),
    *(
        call(
            f"required.{d}_not_checked",
            f"required/7x3x1.refused_{d}",
            _ENQUEUE,
            lambda inner: lambda queue, kernel, size, local, *rest: inner(queue, kernel, size, (7, 3, 1), *rest),
        )
        for d in "yz"
    ),
    source("hint.binds", "hint/both", r"work_group_size_hint", "reqd_work_group_size"),
    source("offset.of_32_bits", "far/*", r"r\[d\] = get_global_id\(d\)", "r[d] = (uint)get_global_id(d)"),
    source("offset.signed", "far/*", r"r\[12 \+ d\] = get_global_offset\(d\)", "r[12 + d] = (int)get_global_offset(d)"),
    source("group.from_offset", "split/*", r"get_group_id\(d\);", "get_global_id(d) / get_local_size(d);"),
    source("group.of_a_part", "split/*", r"get_group_id\(d\);", "get_group_id(d) % 3;"),
    source("groups.of_a_part", "split/*", r"get_num_groups\(d\);", "min((size_t)3, get_num_groups(d));"),
    source("dimension.swapped", "space/3x5x7*", r"get_local_id\(d\)", "get_local_id(d == 1 ? 2 : d == 2 ? 1 : 0)"),
    source(
        "beyond.offset",
        "beyond/global_offset.3d",
        r"get_global_offset\(dimension\[i\]\)",
        "get_global_offset(dimension[i] & 3 & (2 | dimension[i]))",
    ),
    source(
        "beyond.size_is_zero",
        "beyond/global_size.*",
        r"= get_global_size\(dimension\[i\]\)",
        "= dimension[i] > 2 ? 0 : get_global_size(dimension[i])",
    ),
    source("work_dim.three", "space/33.by11*", r"get_work_dim\(\)", "3"),
    source(
        "linear.with_offset",
        "linear/*",
        r"get_global_linear_id\(\)",
        "(get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)",
    ),
    source("large.tail_lost", "large.*", r"r\[i\] \+=", "if (i != 65519) r[i] +="),
    source("large.second_launch", "large.groups_z", r"r\[i\] \+= (.*);", r"r[i] += \1; if (i == 70000) r[count + 5]++;"),
    source("large.low_words", "large.groups_xyz", r"get_global_id\(2\)", "(ushort)get_global_id(2)"),
    source("largest.half", "largest.x", r"barrier\(CLK_LOCAL_MEM_FENCE\);", ""),
]
