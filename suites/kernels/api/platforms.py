"""Calls on devices, contexts, queues and events, and their mistakes (OpenCL API 3.0, 4, 5.1, 5.11 to 5.16)."""

from typing import Any

from .terms import (
    CONTEXT,
    DEVICE,
    OPERATION,
    PROPERTY,
    VALUE,
    WAITING,
    Callback,
    Handles,
    Host,
    Longs,
    call,
    info,
    references,
    waiting,
)

PLATFORM, USER_SYNC = 0x1084, 0x1085
QUEUE_PROPERTIES, QUEUE_SIZE = 0x1093, 0x1094
QUEUE_ERROR = ("CL_INVALID_VALUE", "CL_INVALID_QUEUE_PROPERTIES")
HIGH = 1 << 32  # makes another name of a property's name, which has 64 bits
NO_DEVICE_QUEUE = (("CL_INVALID_QUEUE_PROPERTIES",), (), "DEVICE_ENQUEUE_CAPABILITIES")
EVENT = ("CL_INVALID_EVENT",)
NO_PROFILE = ("CL_PROFILING_INFO_NOT_AVAILABLE",)
_TYPES: dict[str, tuple[Any, ...]] = {
    name: ({"type": bits}, ("CL_INVALID_DEVICE_TYPE",))
    for name, bits in {"type": 1 << 20, "type_zero": 0, "type_of_64_bits": 1 << 40}.items()
}

_CONTEXT: dict[str, tuple[Any, ...]] = {
    "unknown_property": ({"properties": Longs((PLATFORM, "platform", 0xDEAD, 1, 0))}, PROPERTY),
    "platform_twice": ({"properties": Longs((PLATFORM, "platform", PLATFORM, "platform", 0))}, PROPERTY),
    "user_sync_twice": ({"properties": Longs((PLATFORM, "platform", USER_SYNC, 0, USER_SYNC, 0, 0))}, PROPERTY),
    "name_of_64_bits": ({"properties": Longs((PLATFORM | HIGH, "platform", 0))}, PROPERTY),
    "name_of_high_bits": ({"properties": Longs((HIGH, "platform", 0))}, PROPERTY),
    "user_sync_of_two": ({"properties": Longs((PLATFORM, "platform", USER_SYNC, 2, 0))}, PROPERTY),
    "data_without_callback": ({"data": Host()}, VALUE),
}

CALLS = (
    info(
        "clGetPlatformInfo",
        {"platform": "platform"},
        {"profile": (0x0900, len("FULL_PROFILE") + 1), "host_timer_resolution": (0x0905, 8), "numeric_version": (0x0906, 4)},
        requires=("opencl3",),
    ),
    call(
        "clGetDeviceIDs",
        {"platform": "platform", "type": 0xFFFFFFFF, "entries": 1, "devices": Host(), "count": Host()},
        {
            **_TYPES,
            "entries_zero": ({"entries": 0}, VALUE),
            "nothing_wanted": ({"entries": 0, "devices": None, "count": None}, VALUE),
        },
    ),
    info("clGetDeviceInfo", {"device": "device"}, {"type": (0x1000, 8), "max_compute_units": (0x1002, 4)}),
    call("clUnloadCompiler", {}, {}),
    call("clUnloadPlatformCompiler", {"platform": "platform"}, {}),  # NULL is refused by the ICD loader
    call(
        "clCreateSubDevices",
        {"device": "device", "properties": Longs((0,)), "entries": 0, "devices": None, "count": Host()},
        {
            "null_properties": ({"properties": None}, VALUE),
            "unknown_property": ({"properties": Longs((0xDEAD, 1, 0))}, VALUE),
            "empty_properties": ({}, VALUE),
            "name_of_64_bits": ({"properties": Longs((0x1086 | HIGH, 1, 0))}, VALUE),
        },
        right=False,
    ),
    call(
        "clGetDeviceAndHostTimer",
        {"device": "device", "device_time": Host(), "host_time": Host()},
        {
            # A platform without host timers may return CL_INVALID_OPERATION instead.
            "null_device_time": ({"device_time": None}, VALUE + OPERATION),
            "null_host_time": ({"host_time": None}, VALUE + OPERATION),
        },
        requires=("opencl3",),
        right=False,
    ),
    call(
        "clGetHostTimer",
        {"device": "device", "host_time": Host()},
        {"null_host_time": ({"host_time": None}, VALUE + OPERATION)},
        requires=("opencl3",),
        right=False,
    ),
    call(
        "clCreateContext",
        {
            "properties": Longs((PLATFORM, "platform", 0)),
            "count": 1,
            "devices": Handles(("device",)),
            "callback": None,
            "data": None,
        },
        {**_CONTEXT, "null_device": ({"count": 2, "devices": Handles(("device", None))}, DEVICE)},
    ),
    call(
        "clCreateContextFromType",
        {"properties": Longs((PLATFORM, "platform", 0)), "type": 0xFFFFFFFF, "callback": None, "data": None},
        {
            **_CONTEXT,
            # After the platform, which the ICD loader looks for.
            "name_of_64_bits": ({"properties": Longs((PLATFORM, "platform", USER_SYNC | HIGH, 0, 0))}, PROPERTY),
            "name_of_high_bits": ({"properties": Longs((PLATFORM, "platform", HIGH, 0, 0))}, PROPERTY),
            **_TYPES,
        },
    ),
    *references("Device", "device"),
    *references("Context", "context"),
    call(
        "clSetContextDestructorCallback",
        {"context": "spare_context", "callback": Callback(), "data": None},
        {"null_callback": ({"callback": None}, VALUE)},
        requires=("opencl3",),
    ),
    info(
        "clGetContextInfo",
        {"context": "context_with_properties"},
        {"reference_count": (0x1080, 4), "devices": (0x1081, 8), "properties": (0x1082, 24), "num_devices": (0x1083, 4)},
    ),
    call(
        "clCreateCommandQueue",
        {"context": "context", "device": "device", "properties": 2},
        {
            "null_device": ({"device": None}, DEVICE),
            "unknown_property": ({"properties": 1 << 40}, VALUE),
            "on_device": ({"properties": 1 | 4}, VALUE),  # not in this function's table of values (5.1)
        },
    ),
    call(
        "clCreateCommandQueueWithProperties",
        {"context": "context", "device": "device", "properties": Longs((QUEUE_PROPERTIES, 2, 0))},
        {
            "null_device": ({"device": None}, DEVICE),
            "unknown_property": ({"properties": Longs((0xDEAD, 1, 0))}, VALUE),
            "unknown_bit": ({"properties": Longs((QUEUE_PROPERTIES, 1 << 40, 0))}, VALUE),
            # Not valid, and on a device without device queues not supported, either.
            "on_device_in_order": ({"properties": Longs((QUEUE_PROPERTIES, 4, 0))}, QUEUE_ERROR),
            "default_on_host": ({"properties": Longs((QUEUE_PROPERTIES, 8, 0))}, QUEUE_ERROR),
            # These bits are valid together: the call fails only if the device has no queues on the device.
            "on_device": ({"properties": Longs((QUEUE_PROPERTIES, 5, 0))}, *NO_DEVICE_QUEUE),
            "on_device_default": ({"properties": Longs((QUEUE_PROPERTIES, 13, 0))}, *NO_DEVICE_QUEUE),
            "size_of_host_queue": ({"properties": Longs((QUEUE_SIZE, 4096, 0))}, QUEUE_ERROR),
            "name_of_64_bits": ({"properties": Longs((QUEUE_PROPERTIES | HIGH, 2, 0))}, VALUE),
            "name_of_high_bits": ({"properties": Longs((HIGH, 2, 0))}, VALUE),
        },
        requires=("opencl3",),
    ),
    call(
        "clSetCommandQueueProperty",
        {"queue": "own_queue", "properties": 2, "enable": 1, "old_properties": Host()},
        {"no_device_of_1_0": ({}, (*OPERATION, "CL_SUCCESS"))},  # which only such a device must support (API 3.0, 5.1)
        right=False,
    ),
    *references("CommandQueue", "queue"),
    call("clFlush", {"queue": "queue"}, {}),
    call("clFinish", {"queue": "queue"}, {}),
    info(
        "clGetCommandQueueInfo",
        {"queue": "queue"},
        {"context": (0x1090, 8), "device": (0x1091, 8), "reference_count": (0x1092, 4), "properties": (0x1093, 8)},
        {"size_of_host_queue": ({"name": 0x1094}, ("CL_INVALID_COMMAND_QUEUE",), ("opencl3",))},
    ),
    call("clEnqueueMarkerWithWaitList", {"queue": "queue", **WAITING}, {}, waiting()),
    call("clEnqueueBarrierWithWaitList", {"queue": "queue", **WAITING}, {}, waiting()),
    call("clEnqueueBarrier", {"queue": "queue"}, {}),
    call("clEnqueueMarker", {"queue": "queue", "event": "room_for_event"}, {"null_event": ({"event": None}, VALUE)}),
    call(
        "clEnqueueWaitForEvents",
        {"queue": "queue", "count": 1, "events": Handles(("complete_event",))},
        {
            "count_zero": ({"count": 0}, VALUE),
            "null_event": ({"count": 2, "events": Handles(("complete_event", None))}, EVENT),
            "other_context": ({"events": Handles(("other_event",))}, CONTEXT),
        },
        right=False,
    ),
    call(
        "clWaitForEvents",
        {"count": 1, "events": Handles(("complete_event",))},
        {
            "null_event": ({"count": 2, "events": Handles(("complete_event", None))}, EVENT),
            "two_contexts": ({"count": 2, "events": Handles(("complete_event", "other_event"))}, CONTEXT),
            "failed_event": ({"events": Handles(("failed_event",))}, ("CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",)),
        },
    ),
    *references("Event", "complete_event"),
    call(
        "clSetUserEventStatus",
        {"event": "user_event", "status": 0},
        {
            "submitted": ({"status": 2}, VALUE),
            "running": ({"status": 1}, VALUE),
            "queued": ({"status": 3}, VALUE),
            "positive": ({"status": 1000}, VALUE),
            "complete_already": ({"event": "complete_event"}, OPERATION),
            "failed_already": ({"event": "failed_event"}, OPERATION),
            "failed_after_complete": ({"event": "complete_event", "status": -1}, OPERATION),
            "of_a_command": ({"event": "pending_profiled_marker"}, EVENT),
        },
    ),
    call(
        "clSetEventCallback",
        {"event": "complete_event", "status": 0, "callback": Callback(), "data": None},
        {
            "null_callback": ({"callback": None}, VALUE),
            "queued": ({"status": 3}, VALUE),
            "unknown_status": ({"status": 17}, VALUE),
            "negative_status": ({"status": -1}, VALUE),
        },
    ),
    info(
        "clGetEventInfo",
        {"event": "marker"},
        {
            "command_queue": (0x11D0, 8),
            "command_type": (0x11D1, 4),
            "reference_count": (0x11D2, 4),
            "execution_status": (0x11D3, 4),
            "context": (0x11D4, 8),
        },
    ),
    info(
        "clGetEventProfilingInfo",
        {"event": "profiled_marker"},
        {"queued": (0x1280, 8), "submit": (0x1281, 8), "start": (0x1282, 8), "end": (0x1283, 8), "complete": (0x1284, 8)},
        {
            "not_enabled": ({"event": "marker"}, NO_PROFILE),
            "user_event": ({"event": "complete_event"}, NO_PROFILE),
            "not_complete": ({"event": "pending_profiled_marker"}, NO_PROFILE),
        },
    ),
)
