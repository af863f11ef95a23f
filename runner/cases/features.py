"""What `Case.requires` may name: every feature that the probe can report. Standard library only.

A word that is not listed here would skip its case on every machine, for ever; so the catalogue refuses it.
"""

import re

from runner.image_formats import is_valid

# Features that the probe derives from queries, the command line and the installed Python packages (runner/child/probe.py).
_NAMED = """
    execute hazards printf int64 fp16 fp64 subgroups out_of_order opencl3 opencl3.1 opencl_c_3.0 opencl_c_3.1 il
    svm svm_fine svm_system svm_atomics
    images images_write images3d_write image2d_from_buffer gpt2_weights tinygrad tinygrad.llm torch hypothesis apps
    qcom qualcomm_opencl
"""
# The optional features of OpenCL C 3.0 (6.2.1 and the extensions that add to it), as a device lists them.
_LANGUAGE = """
    3d_image_writes atomic_order_acq_rel atomic_order_seq_cst atomic_scope_all_devices atomic_scope_device device_enqueue
    ext_fp16_global_atomic_add ext_fp16_local_atomic_add ext_fp32_global_atomic_add ext_fp32_local_atomic_add
    ext_fp64_global_atomic_add ext_fp64_local_atomic_add ext_image_raw10_raw12 ext_image_unorm_int_2_101010 fp16 fp64
    generic_address_space images int64 integer_dot_product_input_4x8bit integer_dot_product_input_4x8bit_packed
    kernel_clock_scope_device kernel_clock_scope_sub_group kernel_clock_scope_work_group pipes
    program_scope_global_variables read_write_images subgroups work_group_collective_functions
"""
# The extensions that cases ask for; a case that asks for another one adds it here.
_EXTENSIONS = """
    cl_arm_shared_virtual_memory cl_ext_buffer_device_address cl_ext_immutable_memory_objects
    cl_khr_command_buffer cl_khr_create_command_queue cl_khr_depth_images cl_khr_device_uuid cl_khr_extended_bit_ops
    cl_khr_extended_versioning
    cl_khr_expect_assume cl_khr_external_semaphore cl_khr_external_semaphore_sync_fd
    cl_khr_gl_sharing cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_il_program
    cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_integer_dot_product cl_khr_kernel_clock
    cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_mipmap_image cl_khr_pci_bus_info
    cl_khr_semaphore
    cl_khr_spirv_linkonce_odr cl_khr_spirv_queries
    cl_khr_subgroup_ballot cl_khr_subgroup_clustered_reduce cl_khr_subgroup_extended_types
    cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_rotate
    cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative cl_khr_suggested_local_work_size
"""
FEATURES = frozenset((*_NAMED.split(), *(f"__opencl_c_{name}" for name in _LANGUAGE.split()), *_EXTENSIONS.split()))
_FAMILIES = re.compile(r"il_\d+\.\d+|tinygrad>=\d+\.\d+")  # versions of SPIR-V and of tinygrad
_IMAGE_ACCESS = ("image_read", "image_write", "image_read_write", "image_buffer")  # image_read:r.float


def is_known(feature: str) -> bool:
    """Whether some device, or some machine, may have the feature."""
    access, colon, image_format = feature.partition(":")
    if colon:
        return access in _IMAGE_ACCESS and is_valid(image_format)
    return feature in FEATURES or _FAMILIES.fullmatch(feature) is not None
