"""Contexts: properties, devices, callbacks (OpenCL API 3.0, 4.4)."""

import ctypes
from typing import Any

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call, create, library

PLATFORM, USER_SYNC = 0x1084, 0x1085
REFERENCE_COUNT, DEVICES, PROPERTIES, NUM_DEVICES = 0x1080, 0x1081, 0x1082, 0x1083
Notify = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)


def make(d: Device, properties: list[int] | None, count: int = 1, callback: Any = 0, data: Any = 0) -> int:
    """A context with the device listed `count` times. `properties`: without their end."""
    listed = (ctypes.c_int64 * (len(properties) + 1))(*properties, 0) if properties is not None else 0
    devices = (ctypes.c_void_p * count)(*[d.device.int_ptr] * count)
    handle, error = create("clCreateContext", listed, count, devices, callback, data)
    check.equal("clCreateContext", error, SUCCESS, stage="api")
    return handle


def info(handle: int, name: int, width: int = 8) -> list[int]:
    """An answer of clGetContextInfo, as numbers of `width` bytes."""
    size, room = ctypes.c_size_t(), ctypes.create_string_buffer(1024)
    got = call("clGetContextInfo", handle, name, 1024, room, ctypes.byref(size))
    check.equal("clGetContextInfo", got, SUCCESS, stage="api")
    content = room.raw[: size.value]
    return [int.from_bytes(content[i : i + width], "little") for i in range(0, len(content), width)]


def check_properties(d: Device, *, what: str) -> None:
    """CL_CONTEXT_PROPERTIES is the list that was given."""
    platform = d.device.platform.int_ptr
    properties = {
        "none": None,
        "platform": [PLATFORM, platform],
        "user_sync_false": [PLATFORM, platform, USER_SYNC, 0],
        "user_sync_true": [PLATFORM, platform, USER_SYNC, 1],
        "order": [USER_SYNC, 1, PLATFORM, platform],
    }[what]
    handle = make(d, properties)
    got = info(handle, PROPERTIES)
    call("clReleaseContext", handle)
    if properties is None:
        check.true(f"{got} is nothing, or the end of the list", got in ([], [0]), stage="api")
    else:
        # Handles differ from run to run, so the message has indices instead.
        want = [*properties, 0]
        same = [g == w for g, w in zip(got, want, strict=False)]
        check.equal("length of the list", len(got), len(want), stage="api")
        check.equal("places of the list that are as given", same, [True] * len(want), stage="api")


def check_devices(d: Device, *, what: str) -> None:
    """The devices that a context reports."""
    own = d.device.int_ptr
    handle = make(d, None, 3 if what == "twice" else 1)
    try:
        match what:
            case "one" | "twice":  # duplicates are ignored
                check.equal("CL_CONTEXT_NUM_DEVICES", info(handle, NUM_DEVICES, 4), [1], stage="api")
                check.true("CL_CONTEXT_DEVICES is the device, once", info(handle, DEVICES) == [own], stage="api")
            case "same_after_retain":
                call("clRetainContext", handle)
                call("clReleaseContext", handle)
                check.true("CL_CONTEXT_DEVICES is the device", info(handle, DEVICES) == [own], stage="api")
            case "two_contexts":
                other = make(d, None)
                check.true("two contexts are two objects", handle != other, stage="api")
                call("clReleaseContext", other)
                check.equal("references of the one that is left", info(handle, REFERENCE_COUNT, 4), [1], stage="api")
    finally:
        call("clReleaseContext", handle)


def check_from_type(d: Device, *, what: str) -> None:
    """clCreateContextFromType makes a context, or refuses a type without devices."""
    platform = d.device.platform.int_ptr
    own = d.device.type
    kinds = {"all": 0xFFFFFFFF, "default": 1}
    missing = [bit for bit in (2, 4, 8) if not any(one.type & bit for one in d.device.platform.get_devices())]
    kind = missing[0] if what == "no_such_device" else kinds.get(what, own & 0xE or own)
    properties: Any = (ctypes.c_int64 * 3)(PLATFORM, platform, 0)
    if what == "without_properties":
        kind = 0xFFFFFFFF
        properties = 0
    handle, error = create("clCreateContextFromType", properties, kind, 0, 0)
    if what == "no_such_device":
        check.equal("a type that no device has", error, "CL_DEVICE_NOT_FOUND", stage="api")
        return
    check.equal("clCreateContextFromType", error, SUCCESS, stage="api")
    devices = info(handle, DEVICES)
    if what == "all":
        every = {one.int_ptr for one in d.device.platform.get_devices()}
        check.true(
            "only devices of the platform, the device among them",
            d.device.int_ptr in devices and set(devices) <= every,
            stage="api",
        )
    elif what == "own_type":
        check.true("the device is in the context of its type", d.device.int_ptr in devices, stage="api")
    if what != "without_properties":
        same = info(handle, PROPERTIES) == [PLATFORM, platform, 0]
        check.true("CL_CONTEXT_PROPERTIES is as given", same, stage="api")
    check.equal("devices and their number", len(devices), info(handle, NUM_DEVICES, 4)[0], stage="api")
    check.equal("CL_CONTEXT_REFERENCE_COUNT", info(handle, REFERENCE_COUNT, 4), [1], stage="api")
    call("clReleaseContext", handle)


def check_callback(d: Device, *, what: str) -> None:
    """A callback for errors is accepted, and is not called without an error."""
    received: list[bytes] = []
    notify = Notify(lambda text, *_: received.append(text))
    if what == "error_pointer_null":
        devices = (ctypes.c_void_p * 1)(d.device.int_ptr)
        routine = library().clCreateContext
        routine.restype = ctypes.c_void_p
        handle = routine(None, ctypes.c_uint32(1), devices, None, None, None)
        check.true("a context without a place for the error", bool(handle), stage="api")
    else:
        data = ctypes.create_string_buffer(8) if what == "with_data" else 0
        handle = make(d, None, 1, notify, data)
    buffer, error = create("clCreateBuffer", handle, 1, 64, 0)
    check.equal("clCreateBuffer", error, SUCCESS, stage="api")
    call("clReleaseMemObject", buffer)
    check.equal("clReleaseContext", call("clReleaseContext", handle), SUCCESS, stage="api")
    check.equal("errors reported", received, [], stage="api")


def check_context_references(d: Device) -> None:
    """clRetainContext and clReleaseContext count."""
    handle = make(d, None)
    counts = [info(handle, REFERENCE_COUNT, 4)[0]]
    for function in ("clRetainContext", "clRetainContext", "clReleaseContext", "clReleaseContext"):
        check.equal(function, call(function, handle), SUCCESS, stage="api")
        counts.append(info(handle, REFERENCE_COUNT, 4)[0])
    check.equal("counts", counts, [1, 2, 3, 2, 1], stage="api")
    check.equal("clReleaseContext", call("clReleaseContext", handle), SUCCESS, stage="api")


def check_device_references(d: Device) -> None:
    """References of a root device are not counted."""
    for function in ("clRetainDevice", "clReleaseDevice", "clReleaseDevice", "clReleaseDevice"):
        check.equal(function, call(function, d.device.int_ptr), SUCCESS, stage="api")
        check.equal("CL_DEVICE_REFERENCE_COUNT", d.device.reference_count, 1, stage="api")
