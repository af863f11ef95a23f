"""Properties of command queues (API 3.0, 5.1). Plain Python."""

OUT_OF_ORDER, PROFILING = 1 << 0, 1 << 1
PROPERTIES: dict[str, int | None] = {
    "none": None,
    "zero": 0,
    "out_of_order": OUT_OF_ORDER,
    "profiling": PROFILING,
    "both": OUT_OF_ORDER | PROFILING,
}
FUNCTIONS = {
    "classic": "clCreateCommandQueue",
    "properties": "clCreateCommandQueueWithProperties",
    "khr": "clCreateCommandQueueWithPropertiesKHR",
}
# Properties that must be refused with one of these errors, unless an extension allows them.
INVALID, UNSUPPORTED = "CL_INVALID_VALUE", "CL_INVALID_QUEUE_PROPERTIES"
HINT = [INVALID, UNSUPPORTED, "CL_INVALID_PROPERTY"]  # any of these: unknown_key tests which code it must be
REFUSED: dict[str, tuple[list[int], list[str], str]] = {
    "unknown_key": ([0x7777, 1], [INVALID], ""),
    "unknown_bit": ([0x1093, 1 << 40], [INVALID, UNSUPPORTED], ""),
    "device_queue_in_order": ([0x1093, 1 << 2], [INVALID, UNSUPPORTED], ""),
    "default_without_device": ([0x1093, 1 << 3], [INVALID, UNSUPPORTED], ""),
    "size_of_host_queue": ([0x1093, 0, 0x1094, 4096], [INVALID, UNSUPPORTED], ""),
    "priority_of_nothing": ([0x1096, 1 << 9], HINT, ""),
    "priority_high": ([0x1096, 1], HINT, "cl_khr_priority_hints"),
    "priority_medium": ([0x1096, 2], HINT, "cl_khr_priority_hints"),
    "priority_low": ([0x1096, 4], HINT, "cl_khr_priority_hints"),
    "priority_and_profiling": ([0x1096, 4, 0x1093, 2], HINT, "cl_khr_priority_hints"),
    "throttle_high": ([0x1097, 1], HINT, "cl_khr_throttle_hints"),
    "throttle_low": ([0x1097, 4], HINT, "cl_khr_throttle_hints"),
}

#: Ways to order the commands of an out-of-order queue, besides wait lists; the last three are from OpenCL 1.0.
ORDERINGS = ("barriers", "markers", "clEnqueueBarrier", "clEnqueueMarker", "clEnqueueWaitForEvents")
