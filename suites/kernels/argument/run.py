"""The bodies of the area, by kind."""

from __future__ import annotations

from . import groups, kept, passing, queries, refusal, unused

BODIES = {
    "argument.value": passing.check_value,
    "argument.struct": passing.check_struct,
    "argument.pointer": passing.check_pointer,
    "argument.many": passing.check_many,
    "argument.image": passing.check_image,
    "argument.refuse": refusal.check_refused,
    "argument.local_zero": refusal.check_local_zero,
    "argument.kept": kept.check_kept,
    "argument.unused": unused.check_unused,
    "argument.unused_by_offset": unused.check_unused_by_offset,
    "argument.unused_beside": unused.check_unused_beside,
    "argument.info": queries.check_argument_info,
    "argument.no_info": queries.check_no_info,
    "argument.kernel_info": queries.check_kernel_info,
    "argument.attributes": queries.check_attributes,
    "argument.attributes_of_binary": queries.check_attributes_of_binary,
    "argument.vec_type_hint": queries.check_vec_type_hint,
    "argument.required_size": groups.check_required_size,
    "argument.group_info": groups.check_group_info,
    "argument.launch_largest": groups.check_launch_largest,
    "argument.suggested": groups.check_suggested,
    "argument.suggested_for": groups.check_suggested_for,
    "argument.sub_group_count": groups.check_sub_group_count,
    "argument.sub_group_local": groups.check_sub_group_local,
    "argument.sub_group_info": groups.check_sub_group_info,
}
