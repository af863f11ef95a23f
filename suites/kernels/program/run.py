"""The bodies of the area, by kind."""

from __future__ import annotations

from . import binaries, building, kernels, linking, query

BODIES = {
    "program.kernel_info": kernels.check_kernel_info,
    "program.refusal": building.check_refusal,
    "program.invalid_options": building.check_invalid_options,
    "program.option": building.check_option,
    "program.null_options": building.check_null_options,
    "program.rounded_divide": building.check_rounded_divide,
    "program.warnings": building.check_warnings,
    "program.argument_error": building.check_argument_error,
    "program.attached": building.check_attached,
    "program.again": building.check_again,
    "program.two_programs": building.check_two_programs,
    "program.callback": building.check_callback,
    "program.kernel_error": building.check_kernel_error,
    "program.linked": linking.check_linked,
    "program.unlinked": linking.check_unlinked,
    "program.reused": linking.check_reused,
    "program.released": linking.check_released,
    "program.built_then_compiled": linking.check_built_then_compiled,
    "program.compiled_then_built": linking.check_compiled_then_built,
    "program.linked_source": linking.check_linked_source,
    "program.round_trip": binaries.check_round_trip,
    "program.new_context": binaries.check_new_context,
    "program.new_process": binaries.check_new_process,
    "program.object": binaries.check_object,
    "program.linked_binary": binaries.check_linked_binary,
    "program.binary_query": binaries.check_query,
    "program.bad_binary": binaries.check_bad,
    "program.binary_error": binaries.check_create_error,
    "program.info": query.check_info,
    "program.info_error": query.check_info_error,
    "program.build_info_error": query.check_build_info_error,
    "program.state": query.check_state,
    "program.reference_count": query.check_reference_count,
    "program.null": query.check_null,
    "program.create": query.check_create,
    "program.create_error": query.check_create_error,
}
