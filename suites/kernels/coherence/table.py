"""Queries, macros, lists and calls that must agree (OpenCL API 3.0, 4.2; OpenCL C 3.0, 6.2.1). Plain Python."""

#: Extensions of the language: each has its macro if and only if the device lists it (extension specification, 1.2).
LANGUAGE_EXTENSIONS: tuple[str, ...] = (
    *("cl_khr_fp16", "cl_khr_fp64", "cl_khr_byte_addressable_store", "cl_khr_3d_image_writes"),
    *("cl_khr_depth_images", "cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics"),
    *("cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics", "cl_khr_int64_base_atomics"),
    *("cl_khr_int64_extended_atomics", "cl_khr_subgroups", "cl_khr_subgroup_shuffle"),
    *("cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_ballot", "cl_khr_subgroup_extended_types"),
    *("cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_non_uniform_arithmetic"),
    *("cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_rotate", "cl_khr_integer_dot_product"),
    *("cl_khr_extended_bit_ops", "cl_khr_expect_assume", "cl_khr_mipmap_image", "cl_khr_srgb_image_writes"),
    *("cl_khr_kernel_clock", "cl_khr_async_work_group_copy_fence", "cl_khr_extended_async_copies"),
    *("cl_khr_select_fprounding_mode", "cl_ext_float_atomics"),
)

#: Extensions only of the API.
API_EXTENSIONS: tuple[str, ...] = (
    *("cl_khr_create_command_queue", "cl_khr_device_uuid", "cl_khr_extended_versioning", "cl_khr_il_program"),
    *("cl_khr_image2d_from_buffer", "cl_khr_pci_bus_info", "cl_khr_priority_hints", "cl_khr_semaphore"),
    *("cl_khr_spirv_no_integer_wrap_decoration", "cl_khr_suggested_local_work_size", "cl_khr_gl_sharing"),
    *("cl_khr_spirv_queries", "cl_khr_command_buffer", "cl_khr_spir"),
)

#: Features of OpenCL C 3.0, and the query that says the same: (name, bits; 0 stands for any value but 0), or an extension.
FEATURES: dict[str, tuple[str, int]] = {
    "__opencl_c_3d_image_writes": ("extension cl_khr_3d_image_writes", 0),
    "__opencl_c_atomic_order_acq_rel": ("ATOMIC_MEMORY_CAPABILITIES", 1 << 1),
    "__opencl_c_atomic_order_seq_cst": ("ATOMIC_MEMORY_CAPABILITIES", 1 << 2),
    "__opencl_c_atomic_scope_device": ("ATOMIC_MEMORY_CAPABILITIES", 1 << 5),
    "__opencl_c_atomic_scope_all_devices": ("ATOMIC_MEMORY_CAPABILITIES", 1 << 6),
    "__opencl_c_device_enqueue": ("DEVICE_ENQUEUE_CAPABILITIES", 0),
    "__opencl_c_fp64": ("DOUBLE_FP_CONFIG", 0),
    "__opencl_c_generic_address_space": ("GENERIC_ADDRESS_SPACE_SUPPORT", 0),
    "__opencl_c_images": ("IMAGE_SUPPORT", 0),
    "__opencl_c_int64": ("profile FULL_PROFILE", 0),
    "__opencl_c_pipes": ("PIPE_SUPPORT", 0),
    "__opencl_c_program_scope_global_variables": ("MAX_GLOBAL_VARIABLE_SIZE", 0),
    "__opencl_c_read_write_images": ("MAX_READ_WRITE_IMAGE_ARGS", 0),
    "__opencl_c_subgroups": ("MAX_NUM_SUB_GROUPS", 0),
    "__opencl_c_work_group_collective_functions": ("WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT", 0),
    "__opencl_c_integer_dot_product_input_4x8bit": ("extension cl_khr_integer_dot_product", 0),
    "__opencl_c_integer_dot_product_input_4x8bit_packed": ("extension cl_khr_integer_dot_product", 0),
}

#: Language versions by option (API 3.0, 5.8.6.5: there is none for 1.0), and the value of __OPENCL_C_VERSION__.
STANDARDS: dict[str, tuple[tuple[int, int], int]] = {
    "CL1.1": ((1, 1), 110),
    "CL1.2": ((1, 2), 120),
    "CL2.0": ((2, 0), 200),
    "CL3.0": ((3, 0), 300),
}

#: Code that needs a feature: it must build with the feature, and must not without (OpenCL C 3.0, 6.2.1 and its clauses).
NEEDING: dict[str, str] = {
    "__opencl_c_generic_address_space": "int get(int *p) {"
    " return *p; } __kernel void f(__global int *g, __local int *l) { *g = get(g) + get(l); }",
    "__opencl_c_program_scope_global_variables": "__global int counter; __kernel void f(__global int *r) "
    "{ counter += 1; *r = counter; }",
    "__opencl_c_read_write_images": "__kernel void f(read_write image2d_t i) "
    "{ write_imagef(i, (int2)(0, 0), read_imagef(i, (int2)(1, 1))); }",
    "__opencl_c_pipes": "__kernel void f(read_only pipe int p, __global int *r) { read_pipe(p, r); }",
    "__opencl_c_device_enqueue": "__kernel void f(__global int *r) "
    "{ enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ r[0] = 1; }); }",
    "__opencl_c_work_group_collective_functions": "__kernel void f(__global int *r) "
    "{ r[get_global_id(0)] = work_group_reduce_add(r[get_global_id(0)]); }",
    "__opencl_c_subgroups": "__kernel void f(__global int *r) { r[get_global_id(0)] = get_sub_group_local_id(); }",
    "__opencl_c_atomic_order_seq_cst": "__kernel void f(__global atomic_int *a) "
    "{ atomic_store_explicit(a, 1, memory_order_seq_cst, memory_scope_work_group); }",
    "__opencl_c_atomic_scope_all_devices": "__kernel void f(__global atomic_int *a) "
    "{ atomic_store_explicit(a, 1, memory_order_relaxed, memory_scope_all_svm_devices); }",
    "__opencl_c_fp64": "__kernel void f(__global double *r) { *r = *r * 2.0; }",
    "__opencl_c_images": "__kernel void f(read_only image2d_t i, __global float4 *r) { *r = read_imagef(i, (int2)(0, 0)); }",
    "__opencl_c_int64": "__kernel void f(__global long *r) { *r = *r * 3; }",
    "__opencl_c_3d_image_writes": "__kernel void f(write_only image3d_t i) "
    "{ write_imagef(i, (int4)(0, 0, 0, 0), (float4)(1.0f)); }",
}

LISTS = (
    *("extensions", "platform_extensions", "il", "built_in_kernels", "c_version", "platform_version"),
    *("c_features_unknown", "opencl_version_macro", "image_support_macro", "endian_macro", "profile_macro"),
    "platform_profile",
)
DEPENDENCIES = (
    *("required_atomics", "byte_addressable_store", "subgroup_extensions", "images_need_image_support", "fp64"),
    *("il_program", "image2d_from_buffer", "int64_extended_needs_base", "int32_extended_needs_base", "icd"),
    *("device_enqueue_needs", "pipes_need_generic", "svm_atomics_need", "atomic_order_needs_acq_rel"),
    *("extended_versioning", "khr_subgroups_needs_progress"),
)
CALLS = (
    *("svm_coarse", "svm_fine", "svm_atomics", "svm_argument", "svm_exec_info", "svm_memcpy", "svm_map", "pipe"),
    *("device_queue", "default_device_queue", "out_of_order_queue", "il", "specialization", "sub_group_info"),
    *("native_kernel", "image", "sampler", "non_uniform", "partition_equally", "partition_by_counts"),
    *("partition_by_affinity", "release_callback", "image2d_from_buffer"),
)
