"""The bodies of the area, by kind."""

from __future__ import annotations

from . import create, fill, map, small, sub, transfer

BODIES = {
    "memory.flags": create.check_flags,
    "memory.host_access": create.check_host_access,
    "memory.size": create.check_size,
    "memory.properties": create.check_properties,
    "memory.destructor": create.check_destructor,
    "memory.lifetime": create.check_lifetime,
    "memory.references": create.check_references,
    "memory.fill_places": fill.check_places,
    "memory.fill_sequence": fill.check_sequence,
    "memory.fill_pattern_is_copied": fill.check_pattern_is_copied,
    "memory.fill_large": fill.check_large,
    "memory.fill_among": fill.check_among,
    "memory.map_flags": map.check_flags,
    "memory.map_several": map.check_several,
    "memory.map_counted": map.check_counted,
    "memory.map_each_unmapped": map.check_each_unmapped,
    "memory.map_ordered": map.check_ordered,
    "memory.map_gated": map.check_gated,
    "memory.map_two_queues": map.check_two_queues,
    "memory.map_parent": map.check_parent,
    "memory.map_pointer": map.check_pointer,
    "memory.sub_operation": sub.check_operation,
    "memory.sub_two": sub.check_two,
    "memory.sub_overlapping": sub.check_overlapping,
    "memory.sub_copy_between": sub.check_copy_between,
    "memory.sub_boxes_between": sub.check_boxes_between,
    "memory.sub_copy": sub.check_copy,
    "memory.sub_queries": sub.check_queries,
    "memory.sub_orphan": sub.check_orphan,
    "memory.linear": transfer.check_linear,
    "memory.rectangle": transfer.check_rectangle,
    "memory.small_boxes": small.check_small_boxes,
    "memory.overlap": transfer.check_overlap,
    "memory.migrate": transfer.check_migrate,
    "memory.gated": transfer.check_gated_transfer,
}
