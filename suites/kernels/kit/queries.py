"""Queries of platforms and devices: enum, type, the rules of the value, and what a device needs for it. Plain Python.

Sections 4.1 and 4.2 of the OpenCL 3.0 API. Types: bool, uint, ulong, size, bits, handle (8 bytes here), string, and
arrays with [].
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Query:
    """One parameter. `rules` are words of rules.py with their operands; several must all hold."""

    enum: int
    type: str
    rules: tuple[tuple[Any, ...], ...] = ()
    requires: tuple[str, ...] = ()


THREE = ("opencl3",)
IMAGES = ("images",)


def at_least(full: int, embedded: int | None = None) -> tuple[Any, ...]:
    """The rule `rules.at_least`; `embedded` is the minimum of the embedded profile, if that differs."""
    return ("at_least", full, full if embedded is None else embedded)


def only_with(gate: str, full: int, embedded: int | None = None) -> tuple[Any, ...]:
    """The rule `rules.gated`: as `at_least` if the query `gate` says that the device has the feature, else 0."""
    return ("gated", gate, full, full if embedded is None else embedded)


BOOL = (("one_of", 0, 1),)
POWER = ("power_of_two_or_zero",)

# Extensions that a device must name since OpenCL 3.1 (API 3.1, appendix E; the extensions have become core).
REQUIRED = {
    "EXTENSIONS": [
        *("cl_khr_device_uuid", "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product", "cl_khr_spirv_queries"),
        *("cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle"),
        *("cl_khr_subgroup_shuffle_relative", "cl_khr_suggested_local_work_size"),
    ],
    "IL_VERSION": [f"SPIR-V_1.{minor}" for minor in range(5)],
    "OPENCL_C_FEATURES": ["__opencl_c_subgroups"],
}

DEVICE: dict[str, Query] = {
    "TYPE": Query(0x1000, "bits", (("bits_within", 0x1F), ("not_zero",))),
    "VENDOR_ID": Query(0x1001, "uint", (("vendor",),)),
    "MAX_COMPUTE_UNITS": Query(0x1002, "uint", (at_least(1),)),
    "MAX_WORK_ITEM_DIMENSIONS": Query(0x1003, "uint", (at_least(3),)),
    "MAX_WORK_GROUP_SIZE": Query(0x1004, "size", (at_least(1),)),
    "MAX_WORK_ITEM_SIZES": Query(0x1005, "size[]", (("item_sizes",),)),
    **{
        f"PREFERRED_VECTOR_WIDTH_{name}": Query(enum, "uint", (rule,))
        for name, enum, rule in (
            ("CHAR", 0x1006, at_least(1)),
            ("SHORT", 0x1007, at_least(1)),
            ("INT", 0x1008, at_least(1)),
            ("LONG", 0x1009, at_least(1, 0)),
            ("FLOAT", 0x100A, at_least(1)),
            ("DOUBLE", 0x100B, ("width_of", "cl_khr_fp64")),
            ("HALF", 0x1034, ("width_of", "cl_khr_fp16")),
        )
    },
    **{
        f"NATIVE_VECTOR_WIDTH_{name}": Query(enum, "uint", (rule,))
        for name, enum, rule in (
            ("CHAR", 0x1036, at_least(1)),
            ("SHORT", 0x1037, at_least(1)),
            ("INT", 0x1038, at_least(1)),
            ("LONG", 0x1039, at_least(1, 0)),
            ("FLOAT", 0x103A, at_least(1)),
            ("DOUBLE", 0x103B, ("width_of", "cl_khr_fp64")),
            ("HALF", 0x103C, ("width_of", "cl_khr_fp16")),
        )
    },
    "MAX_CLOCK_FREQUENCY": Query(0x100C, "uint", (("megahertz",),)),
    "ADDRESS_BITS": Query(0x100D, "uint", (("one_of", 32, 64),)),
    "MAX_READ_IMAGE_ARGS": Query(0x100E, "uint", (only_with("IMAGE_SUPPORT", 128, 8),)),
    "MAX_WRITE_IMAGE_ARGS": Query(0x100F, "uint", (only_with("IMAGE_SUPPORT", 64, 8),)),
    "MAX_MEM_ALLOC_SIZE": Query(0x1010, "ulong", (("max_mem_alloc",),)),
    "IMAGE2D_MAX_WIDTH": Query(0x1011, "size", (only_with("IMAGE_SUPPORT", 16384, 2048),)),
    "IMAGE2D_MAX_HEIGHT": Query(0x1012, "size", (only_with("IMAGE_SUPPORT", 16384, 2048),)),
    "IMAGE3D_MAX_WIDTH": Query(0x1013, "size", (only_with("IMAGE_SUPPORT", 2048, 0),)),
    "IMAGE3D_MAX_HEIGHT": Query(0x1014, "size", (only_with("IMAGE_SUPPORT", 2048, 0),)),
    "IMAGE3D_MAX_DEPTH": Query(0x1015, "size", (only_with("IMAGE_SUPPORT", 2048, 0),)),
    "IMAGE_SUPPORT": Query(0x1016, "bool", BOOL),
    "MAX_PARAMETER_SIZE": Query(0x1017, "size", (at_least(1024, 256),)),
    "MAX_SAMPLERS": Query(0x1018, "uint", (only_with("IMAGE_SUPPORT", 16, 8),)),
    "MEM_BASE_ADDR_ALIGN": Query(0x1019, "uint", (at_least(1024, 512), POWER)),
    "MIN_DATA_TYPE_ALIGN_SIZE": Query(0x101A, "uint", (at_least(128, 64), POWER)),
    "SINGLE_FP_CONFIG": Query(0x101B, "bits", (("bits_within", 0xFF), ("single_fp",))),
    "GLOBAL_MEM_CACHE_TYPE": Query(0x101C, "uint", (("one_of", 0, 1, 2),)),
    "GLOBAL_MEM_CACHELINE_SIZE": Query(0x101D, "uint", (("cache", "GLOBAL_MEM_CACHE_TYPE"),)),
    "GLOBAL_MEM_CACHE_SIZE": Query(0x101E, "ulong", (("cache", "GLOBAL_MEM_CACHE_TYPE"),)),
    "GLOBAL_MEM_SIZE": Query(0x101F, "ulong", (at_least(32 << 20, 1 << 20),)),
    "MAX_CONSTANT_BUFFER_SIZE": Query(0x1020, "ulong", (at_least(65536, 1024),)),
    "MAX_CONSTANT_ARGS": Query(0x1021, "uint", (at_least(8, 4),)),
    "LOCAL_MEM_TYPE": Query(0x1022, "uint", (("one_of", 1, 2),)),
    "LOCAL_MEM_SIZE": Query(0x1023, "ulong", (at_least(32768, 1024),)),
    "ERROR_CORRECTION_SUPPORT": Query(0x1024, "bool", BOOL),
    "PROFILING_TIMER_RESOLUTION": Query(0x1025, "size", (("nanoseconds",),)),
    "ENDIAN_LITTLE": Query(0x1026, "bool", (("one_of", 0, 1),)),
    "AVAILABLE": Query(0x1027, "bool", (("one_of", 1),)),
    "COMPILER_AVAILABLE": Query(0x1028, "bool", (("in_a_full_profile",),)),
    "EXECUTION_CAPABILITIES": Query(0x1029, "bits", (("bits_within", 3), ("has_bits", 1))),
    "QUEUE_ON_HOST_PROPERTIES": Query(0x102A, "bits", (("bits_within", 3), ("has_bits", 2))),
    "NAME": Query(0x102B, "string", (("text",),)),
    "VENDOR": Query(0x102C, "string", (("text",),)),
    "DRIVER_VERSION": Query(0x102D, "string", (("text",),)),
    "PROFILE": Query(0x102E, "string", (("text_of", "FULL_PROFILE|EMBEDDED_PROFILE"),)),
    "VERSION": Query(0x102F, "string", (("text_of", r"OpenCL [1-9]\.\d .*"),)),
    "EXTENSIONS": Query(0x1030, "string", (("words",),)),
    "PLATFORM": Query(0x1031, "handle", (("own_platform",),)),
    "DOUBLE_FP_CONFIG": Query(0x1032, "bits", (("bits_within", 0xFF), ("double_fp",))),
    "HALF_FP_CONFIG": Query(0x1033, "bits", (("bits_within", 0xFF), ("half_fp",)), ("fp16",)),
    "HOST_UNIFIED_MEMORY": Query(0x1035, "bool", BOOL),
    "OPENCL_C_VERSION": Query(0x103D, "string", (("text_of", r"OpenCL C [1-9]\.\d .*"),)),
    "LINKER_AVAILABLE": Query(0x103E, "bool", (("in_a_full_profile",),)),
    "BUILT_IN_KERNELS": Query(0x103F, "string", (("no_blanks",),)),
    "IMAGE_MAX_BUFFER_SIZE": Query(0x1040, "size", (only_with("IMAGE_SUPPORT", 65536, 2048),)),
    "IMAGE_MAX_ARRAY_SIZE": Query(0x1041, "size", (only_with("IMAGE_SUPPORT", 2048, 256),)),
    "PARENT_DEVICE": Query(0x1042, "handle", (("one_of", 0),)),
    "PARTITION_MAX_SUB_DEVICES": Query(0x1043, "uint", (("at_most", "MAX_COMPUTE_UNITS"),)),
    "PARTITION_PROPERTIES": Query(0x1044, "handle[]", (("partitions",),)),
    "PARTITION_AFFINITY_DOMAIN": Query(0x1045, "bits", (("bits_within", 0x3F),)),
    "PARTITION_TYPE": Query(0x1046, "handle[]", (("no_partition",),)),
    "REFERENCE_COUNT": Query(0x1047, "uint", (("one_of", 1),)),
    "PREFERRED_INTEROP_USER_SYNC": Query(0x1048, "bool", BOOL),
    "PRINTF_BUFFER_SIZE": Query(0x1049, "size", (at_least(1 << 20, 1024),)),
    "IMAGE_PITCH_ALIGNMENT": Query(0x104A, "uint", (POWER, ("image_alignment",)), THREE),
    "IMAGE_BASE_ADDRESS_ALIGNMENT": Query(0x104B, "uint", (POWER, ("image_alignment",)), THREE),
    "MAX_READ_WRITE_IMAGE_ARGS": Query(0x104C, "uint", (("zero_or_at_least", 64, 8),), THREE),
    "MAX_GLOBAL_VARIABLE_SIZE": Query(0x104D, "size", (("zero_or_at_least", 65536, 65536),), THREE),
    "QUEUE_ON_DEVICE_PROPERTIES": Query(
        0x104E, "bits", (("bits_within", 3), ("gated_bits", "DEVICE_ENQUEUE_CAPABILITIES", 3)), THREE
    ),
    "QUEUE_ON_DEVICE_PREFERRED_SIZE": Query(0x104F, "uint", (only_with("DEVICE_ENQUEUE_CAPABILITIES", 16 << 10),), THREE),
    "QUEUE_ON_DEVICE_MAX_SIZE": Query(
        0x1050, "uint", (only_with("DEVICE_ENQUEUE_CAPABILITIES", 256 << 10, 64 << 10),), THREE
    ),
    "MAX_ON_DEVICE_QUEUES": Query(0x1051, "uint", (only_with("DEVICE_ENQUEUE_CAPABILITIES", 1),), THREE),
    "MAX_ON_DEVICE_EVENTS": Query(0x1052, "uint", (only_with("DEVICE_ENQUEUE_CAPABILITIES", 1024),), THREE),
    "SVM_CAPABILITIES": Query(0x1053, "bits", (("bits_within", 0xF), ("svm",)), THREE),
    "GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE": Query(0x1054, "size", (("zero_where_zero", "MAX_GLOBAL_VARIABLE_SIZE"),), THREE),
    "MAX_PIPE_ARGS": Query(0x1055, "uint", (only_with("PIPE_SUPPORT", 16),), THREE),
    "PIPE_MAX_ACTIVE_RESERVATIONS": Query(0x1056, "uint", (only_with("PIPE_SUPPORT", 1),), THREE),
    "PIPE_MAX_PACKET_SIZE": Query(0x1057, "uint", (only_with("PIPE_SUPPORT", 1024),), THREE),
    "PREFERRED_PLATFORM_ATOMIC_ALIGNMENT": Query(0x1058, "uint", (POWER,), THREE),
    "PREFERRED_GLOBAL_ATOMIC_ALIGNMENT": Query(0x1059, "uint", (POWER,), THREE),
    "PREFERRED_LOCAL_ATOMIC_ALIGNMENT": Query(0x105A, "uint", (POWER,), THREE),
    "IL_VERSION": Query(0x105B, "string", (("words_of", r"[A-Za-z-]+_\d+\.\d+"),), THREE),
    "MAX_NUM_SUB_GROUPS": Query(0x105C, "uint", (("at_most", "MAX_WORK_GROUP_SIZE"),), THREE),
    "SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS": Query(
        0x105D, "bool", (*BOOL, ("zero_where_zero", "MAX_NUM_SUB_GROUPS")), THREE
    ),
    "NUMERIC_VERSION": Query(0x105E, "uint", (("version_of", "VERSION", "OpenCL "),), THREE),
    "OPENCL_C_NUMERIC_VERSION_KHR": Query(
        0x105F, "uint", (("version_of", "OPENCL_C_VERSION", "OpenCL C "),), ("cl_khr_extended_versioning",)
    ),
    "EXTENSIONS_WITH_VERSION": Query(0x1060, "version[]", (("versions",),), THREE),
    "ILS_WITH_VERSION": Query(0x1061, "version[]", (("versions",),), THREE),
    "BUILT_IN_KERNELS_WITH_VERSION": Query(0x1062, "version[]", (("versions",),), THREE),
    "ATOMIC_MEMORY_CAPABILITIES": Query(0x1063, "bits", (("bits_within", 0x7F), ("has_bits", 0x11)), THREE),
    "ATOMIC_FENCE_CAPABILITIES": Query(0x1064, "bits", (("bits_within", 0x7F), ("has_bits", 0x13)), THREE),
    "NON_UNIFORM_WORK_GROUP_SUPPORT": Query(0x1065, "bool", BOOL, THREE),
    "OPENCL_C_ALL_VERSIONS": Query(0x1066, "version[]", (("c_versions",),), THREE),
    "PREFERRED_WORK_GROUP_SIZE_MULTIPLE": Query(0x1067, "size", (at_least(1), ("at_most", "MAX_WORK_GROUP_SIZE")), THREE),
    "WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT": Query(0x1068, "bool", BOOL, THREE),
    "GENERIC_ADDRESS_SPACE_SUPPORT": Query(0x1069, "bool", BOOL, THREE),
    "OPENCL_C_FEATURES": Query(0x106F, "version[]", (("versions",), ("feature_names",)), THREE),
    "DEVICE_ENQUEUE_CAPABILITIES": Query(0x1070, "bits", (("one_of", 0, 1, 3),), THREE),
    "PIPE_SUPPORT": Query(0x1071, "bool", BOOL, THREE),
    "LATEST_CONFORMANCE_VERSION_PASSED": Query(0x1072, "string", (("text_of", r"(v\d{4}-\d\d-\d\d-\d\d)?.*"),), THREE),
    "UUID": Query(0x106A, "bytes16", (("not_all_zero",),), ("cl_khr_device_uuid",)),
    "DRIVER_UUID": Query(0x106B, "bytes16", (("not_all_zero",),), ("cl_khr_device_uuid",)),
    "LUID_VALID": Query(0x106C, "bool", (("luid_valid",),), ("cl_khr_device_uuid",)),
    "LUID": Query(0x106D, "bytes8", (("luid",),), ("cl_khr_device_uuid",)),
    "NODE_MASK": Query(0x106E, "uint", (("node_mask",),), ("cl_khr_device_uuid",)),
    "INTEGER_DOT_PRODUCT_CAPABILITIES": Query(
        0x1073, "bits", (("bits_within", 3), ("has_bits", 1)), ("cl_khr_integer_dot_product",)
    ),
    "INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT": Query(
        0x1074, "uint[6]", (("booleans",),), ("cl_khr_integer_dot_product",)
    ),
    "INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED": Query(
        0x1075, "uint[6]", (("booleans",),), ("cl_khr_integer_dot_product",)
    ),
    "KERNEL_CLOCK_CAPABILITIES": Query(0x1076, "bits", (("bits_within", 7), ("not_zero",)), ("cl_khr_kernel_clock",)),
    "SPIRV_EXTENDED_INSTRUCTION_SETS": Query(
        0x12B9, "text[]", (("each_once",), ("holds", "OpenCL.std")), ("cl_khr_spirv_queries",)
    ),
    "SPIRV_EXTENSIONS": Query(0x12BA, "text[]", (("each_once",), ("spirv_extensions",)), ("cl_khr_spirv_queries",)),
    "SPIRV_CAPABILITIES": Query(0x12BB, "uint[]", (("each_once",), ("spirv_capabilities",)), ("cl_khr_spirv_queries",)),
    "PCI_BUS_INFO": Query(0x410F, "uint[4]", (("pci_bus",),), ("cl_khr_pci_bus_info", "execute")),
}

PLATFORM: dict[str, Query] = {
    "PROFILE": Query(0x0900, "string", (("text_of", "FULL_PROFILE|EMBEDDED_PROFILE"),)),
    "VERSION": Query(0x0901, "string", (("text_of", r"OpenCL [1-9]\.\d .*"),)),
    "NAME": Query(0x0902, "string", (("text",),)),
    "VENDOR": Query(0x0903, "string", (("text",),)),
    "EXTENSIONS": Query(0x0904, "string", (("words",), ("of_all_devices",))),
    "HOST_TIMER_RESOLUTION": Query(0x0905, "ulong", (("host_timer",),), THREE),
    "NUMERIC_VERSION": Query(0x0906, "uint", (("version_of", "VERSION", "OpenCL "),), THREE),
    "EXTENSIONS_WITH_VERSION": Query(0x0907, "version[]", (("versions",),), THREE),
    "ICD_SUFFIX_KHR": Query(0x0920, "string", (("text_of", "[A-Za-z0-9_]+"),)),
}

# Further queries, of extensions that no driver of Mesa has.
EXTENSION_QUERIES: dict[str, tuple[int, str]] = {
    "CL_DEVICE_TERMINATE_CAPABILITY_KHR": (0x2031, "cl_khr_terminate_context"),
    "CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR": (0x2035, "cl_khr_subgroup_named_barrier"),
    "CL_DEVICE_SEMAPHORE_TYPES_KHR": (0x204C, "cl_khr_semaphore"),
    "CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR": (0x204F, "cl_khr_external_memory"),
    "CL_DEVICE_SPIR_VERSIONS": (0x40E0, "cl_khr_spir"),
    "CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR": (0x12A9, "cl_khr_command_buffer"),
    "CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR": (0x12B0, "cl_khr_command_buffer_mutable_dispatch"),
}
#: Numbers that are not queries, some of them close to numbers that are.
UNKNOWN_QUERIES = (0, 0x0FFF, 0x10FF, 0x1200, 0xDEAD, 0x7FFFFFFF, 0xFFFFFFFF)

#: Extra checks by name: see query/queries.py.
IDS: tuple[str, ...] = (
    *("all", "default", "own_type", "other_types", "types_together", "count_only", "devices_only", "entries_less"),
    "custom_is_not_all",
)
TIMERS = ("host_rises", "device_rises", "pair_agrees")
FUNCTIONS = ("no_such_function", "own_extension", "without_platform", "icd")
