"""The bodies of the area, by kind."""

from __future__ import annotations

from . import arm, command_buffer, device_address, hints, immutable, optional, semaphore, spirv_queries

BODIES = {
    "extension.address_stable": device_address.check_stable,
    "extension.address_sub": device_address.check_sub,
    "extension.address_argument": device_address.check_argument,
    "extension.address_list": device_address.check_list,
    "extension.address_table": device_address.check_table,
    "extension.address_error": device_address.check_error,
    "extension.address_unsupported": device_address.check_unsupported,
    "extension.macro": optional.check_macro,
    "extension.build": optional.check_build,
    "extension.pipe": optional.check_pipe,
    "extension.pipe_info": optional.check_pipe_info,
    "extension.limits": optional.check_limits,
    "extension.device_queue": optional.check_device_queue,
    "extension.default_queue": optional.check_default_queue,
    "extension.functions": optional.check_functions,
    "extension.no_function": optional.check_no_function,
    "extension.clock": optional.check_clock,
    "extension.arm": arm.check_call,
    "extension.arm_types": arm.check_types,
    "extension.arm_queries": arm.check_queries,
    "extension.immutable_buffer": immutable.check_buffer,
    "extension.immutable_global": immutable.check_global,
    "extension.immutable_sub_buffer": immutable.check_sub_buffer,
    "extension.immutable_image": immutable.check_image,
    "extension.hint_c": hints.check_c,
    "extension.hint_expect": hints.check_expect,
    "extension.hint_assume": hints.check_assume,
    "extension.spirv_queries": spirv_queries.check_built,
    "extension.command_buffer_replayed": command_buffer.check_replayed,
    "extension.command_buffer_transfers": command_buffer.check_transfers,
    "extension.command_buffer_state": command_buffer.check_state,
    "extension.semaphore_info": semaphore.check_info,
    "extension.semaphore_payload": semaphore.check_payload,
    "extension.semaphore_command": semaphore.check_command,
    "extension.semaphore_order": semaphore.check_order,
    "extension.semaphore_error": semaphore.check_error,
}
