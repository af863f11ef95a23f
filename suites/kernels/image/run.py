"""The bodies of the area, by kind."""

from __future__ import annotations

from . import access, aliases, conversion, mapping, query, sampling, sheet, transfer

BODIES = {
    "image.read": access.check_read,
    "image.border": access.check_border,
    "image.write": access.check_write,
    "image.read_write": access.check_read_write,
    "image.next_launch": access.check_next_launch,
    "image.alias": aliases.check_alias,
    "image.long_buffer": aliases.check_long_buffer,
    "image.read_all": conversion.check_read_all,
    "image.write_all": conversion.check_write_all,
    "image.many": conversion.check_many,
    "image.map": mapping.check_map,
    "image.map_pitch": mapping.check_map_pitch,
    "image.map_count": mapping.check_map_count,
    "image.map_twice": mapping.check_map_twice,
    "image.map_after_command": mapping.check_map_after_command,
    "image.host_pointer": mapping.check_host_pointer,
    "image.alloc": mapping.check_alloc,
    "image.host_pitch": mapping.check_host_pitch,
    "image.host_map": mapping.check_host_map,
    "image.host_access": mapping.check_host_access,
    "image.info": query.check_info,
    "image.info_pitch": query.check_info_pitch,
    "image.unused_fields": query.check_unused_fields,
    "image.kernel_query": query.check_kernel_query,
    "image.query_several": query.check_query_several,
    "image.minimum": query.check_minimum,
    "image.lists": query.check_lists,
    "image.sampler": sampling.check_sampler,
    "image.host_write": transfer.check_host_write,
    "image.host_read": transfer.check_host_read,
    "image.copy": transfer.check_copy,
    "image.copy_within": transfer.check_copy_within,
    "image.image_to_buffer": transfer.check_image_to_buffer,
    "image.buffer_to_image": transfer.check_buffer_to_image,
    "image.every": sheet.check_every,
    "image.fill": transfer.check_fill,
}
