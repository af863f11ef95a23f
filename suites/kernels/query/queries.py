"""The bodies of the area."""

import ctypes
import time
from collections.abc import Sequence
from typing import Any

from runner import check
from runner.device import Device

from ..kit.answers import TABLES, answer, decode, fixed, handle, query, raw
from ..kit.opencl import SUCCESS, call, library, name_of
from ..kit.queries import DEVICE, EXTENSION_QUERIES
from .rules import RULES

_UNTOUCHED = 0xA5


def check_form(device: Device, *, target: str, name: str) -> None:
    """The answer in a room of its exact size, in a larger one, in one that is a byte too small, and without a room."""
    row = TABLES[target][name]
    content = raw(device, target, row.enum)
    want = fixed(row.type)
    if want is not None:
        check.equal(f"bytes of the answer ({row.type})", len(content), want, stage="api")
    decode(row.type, content)
    check.equal("neither value nor size", query(device, target, row.enum, 0, 0, 0), SUCCESS, stage="api")
    size, room = ctypes.c_size_t(), ctypes.create_string_buffer(bytes([_UNTOUCHED]) * (len(content) + 64))
    got = query(device, target, row.enum, len(content) + 32, room, ctypes.byref(size))
    check.equal("more room than needed", got, SUCCESS, stage="api")
    check.equal("size_ret with more room", size.value, len(content), stage="api")
    check.true("the answer is the same with more room", room.raw[: len(content)] == content, stage="api")
    check.true("nothing is written beyond the room", not room.raw[len(content) + 32 : -1].strip(b"\xa5"), stage="api")
    for less in {len(content) - 1, len(content) // 2} - {len(content), -1}:
        got = query(device, target, row.enum, less, room, 0)
        check.equal(f"room for {less} of {len(content)} bytes", got, "CL_INVALID_VALUE", stage="api")


def check_value(device: Device, *, target: str, name: str) -> None:
    """An answer follows the rules of its row in the table, and is the same the second time."""
    row, value = TABLES[target][name], answer(device, name, target)
    for rule, *operands in row.rules:
        more: dict[str, Any] = {"target": target} if rule == "version_of" else {}
        RULES[rule](device, value, *operands, **more)
    again = answer(device, name, target)
    check.equal("the same answer twice", str(again), str(value), stage="api")


def check_fact(device: Device, *, target: str, name: str, rule: str) -> None:
    """An answer agrees with the system's data on the device."""
    RULES[rule](device, answer(device, name, target))


def check_required(device: Device, *, name: str, required: Sequence[str]) -> None:
    """The answer has every name that is `required`."""
    found = answer(device, name)
    names = found.split() if isinstance(found, str) else [each for each, _ in found]
    check.equal("names that are missing", [n for n in required if n not in names], [], stage="api")


def check_unknown(device: Device, *, target: str, code: int) -> None:
    """A query with an unknown code is refused."""
    room, size = ctypes.create_string_buffer(4096), ctypes.c_size_t()
    for what in ((4096, room, 0), (0, 0, ctypes.byref(size))):
        got = query(device, target, code, *what)
        check.equal("an unknown query", got, "CL_INVALID_VALUE", stage="api")


def check_absent(device: Device) -> None:
    """The queries (of the table and of EXTENSION_QUERIES) that belong to extensions which the device lacks are refused."""
    listed = answer(device, "EXTENSIONS").split()
    rows = dict(EXTENSION_QUERIES)
    for name, row in DEVICE.items():
        for word in row.requires:
            if word.startswith("cl_") or word == "fp16":
                rows[f"CL_DEVICE_{name}"] = (row.enum, "cl_khr_fp16" if word == "fp16" else word)
    absent = {name: enum for name, (enum, extension) in rows.items() if extension not in listed}
    check.true("the device lacks an extension that has a query", bool(absent))
    room = ctypes.create_string_buffer(4096)
    for name, enum in absent.items():
        got = query(device, "device", enum, 4096, room, 0)
        check.equal(f"{name}, whose extension is not listed", got, "CL_INVALID_VALUE", stage="api")


ALL, CUSTOM, DEFAULT = 0xFFFFFFFF, 1 << 4, 1


def device_ids(device: Device, kind: int, entries: int = 64) -> tuple[str, int, list[int]]:
    """Call clGetDeviceIDs; returns the error's name, the count, and the handles that it wrote."""
    count, room = ctypes.c_uint32(0), (ctypes.c_void_p * 65)()
    platform = handle(device, "platform")
    pointer = room if entries else 0
    error = call("clGetDeviceIDs", platform, kind, entries, pointer, ctypes.byref(count))
    return error, count.value, [h for h in room if h]


def check_ids(device: Device, *, what: str) -> None:
    """clGetDeviceIDs lists and counts the devices of a type. `what`: a name of IDS."""
    own, platform = handle(device, "device"), handle(device, "platform")
    kind = answer(device, "TYPE")
    match what:
        case "all":
            error, count, ids = device_ids(device, ALL)
            check.equal("clGetDeviceIDs", error, SUCCESS, stage="api")
            check.equal("handles and count", len(ids), count, stage="api")
            check.equal("handles that come twice", len(ids) - len(set(ids)), 0, stage="api")
            check.true("the device is among all", own in ids, stage="api")
        case "default":
            error, count, ids = device_ids(device, DEFAULT)
            check.equal("clGetDeviceIDs", error, SUCCESS, stage="api")
            check.equal("default devices", count, 1, stage="api")
            check.true("the default device is among all", ids[0] in device_ids(device, ALL)[2], stage="api")
        case "own_type":
            for bit in (b for b in (2, 4, 8) if kind & b):
                check.true("the device is among those of its type", own in device_ids(device, bit)[2], stage="api")
        case "other_types":
            for bit in (b for b in (2, 4, 8) if not kind & b):
                error, _, ids = device_ids(device, bit)
                check.true("the device is not among those of another type", own not in ids, stage="api")
                check.true(
                    f"{error} for {len(ids)} devices", error == (SUCCESS if ids else "CL_DEVICE_NOT_FOUND"), stage="api"
                )
        case "types_together":
            each = {one for bit in (2, 4, 8) for one in device_ids(device, bit)[2]}
            error, count, ids = device_ids(device, 2 | 4 | 8)
            want = SUCCESS if each else "CL_DEVICE_NOT_FOUND"  # on a platform that has only custom devices
            check.equal("clGetDeviceIDs of three types", error, want, stage="api")
            check.equal("clGetDeviceIDs of three types: handles and count", len(ids), count if each else 0, stage="api")
            check.true("clGetDeviceIDs of three types: the devices of each of them", set(ids) == each, stage="api")
        case "count_only":
            error, count, _ = device_ids(device, ALL, 0)
            check.equal("clGetDeviceIDs", error, SUCCESS, stage="api")
            check.equal("count without handles", count, device_ids(device, ALL)[1], stage="api")
        case "devices_only":
            room = (ctypes.c_void_p * 64)()
            check.equal("no count", call("clGetDeviceIDs", platform, ALL, 64, room, 0), SUCCESS, stage="api")
            check.equal("handles", [h for h in room if h], device_ids(device, ALL)[2], stage="api")
        case "entries_less":
            error, count, ids = device_ids(device, ALL, 1)
            check.equal("clGetDeviceIDs", error, SUCCESS, stage="api")
            check.equal("handles written for one entry", len(ids), 1, stage="api")
            check.equal("count of all", count, device_ids(device, ALL)[1], stage="api")
        case "custom_is_not_all":
            error, _, custom = device_ids(device, CUSTOM)
            want = SUCCESS if custom else "CL_DEVICE_NOT_FOUND"
            check.equal("clGetDeviceIDs of CL_DEVICE_TYPE_CUSTOM", error, want, stage="api")
            both = set(custom) & set(device_ids(device, ALL)[2])
            check.equal("custom devices among CL_DEVICE_TYPE_ALL", len(both), 0, stage="api")


def _timers(device: Device) -> tuple[str, int, int]:
    device_time, host_time = ctypes.c_uint64(), ctypes.c_uint64()
    arguments = (handle(device, "device"), ctypes.byref(device_time), ctypes.byref(host_time))
    return call("clGetDeviceAndHostTimer", *arguments), device_time.value, host_time.value


def _host(device: Device) -> tuple[str, int]:
    host_time = ctypes.c_uint64()
    return call("clGetHostTimer", handle(device, "device"), ctypes.byref(host_time)), host_time.value


def check_timer(device: Device, *, what: str) -> None:
    """Timers rise; if the platform has none, the calls are refused."""
    if answer(device, "HOST_TIMER_RESOLUTION", "platform") == 0:
        got = _timers(device)[0] if what != "host_rises" else _host(device)[0]
        check.equal("without host timers", got, "CL_INVALID_OPERATION", stage="api")
        return
    error, before, host_before = _timers(device)
    host_error, host_alone = _host(device)
    check.equal("errors", (error, host_error), (SUCCESS, SUCCESS), stage="api")
    time.sleep(0.005)
    _, after, host_after = _timers(device)
    match what:
        case "host_rises":
            check.true("the host timer rises", host_before <= host_alone <= host_after, stage="api")
            passed = host_after - host_before
            check.true("it counts nanoseconds: 5 ms are 2 ms to 5 s", 2e6 < passed < 5e9, stage="api")
        case "device_rises":
            check.true("the device timer rises", before < after, stage="api")
        case "pair_agrees":
            passed, host_passed = after - before, host_after - host_before
            check.true("both count the same time, to 50 ms", abs(passed - host_passed) < 50e6, stage="api")


def _address(device: Device, name: str) -> int | None:
    find = library().clGetExtensionFunctionAddressForPlatform
    find.restype = ctypes.c_void_p
    found: int | None = find(ctypes.c_void_p(handle(device, "platform")), name.encode())
    return found


#: A function of each extension that adds functions.
FUNCTION_OF_EXTENSION = {
    "cl_khr_create_command_queue": "clCreateCommandQueueWithPropertiesKHR",
    "cl_khr_il_program": "clCreateProgramWithILKHR",
    "cl_khr_suggested_local_work_size": "clGetKernelSuggestedLocalWorkSizeKHR",
    "cl_khr_gl_sharing": "clGetGLContextInfoKHR",
    "cl_khr_semaphore": "clCreateSemaphoreWithPropertiesKHR",
    "cl_khr_subgroups": "clGetKernelSubGroupInfoKHR",
    "cl_khr_command_buffer": "clCreateCommandBufferKHR",
    "cl_arm_shared_virtual_memory": "clSVMAllocARM",
    "cl_ext_buffer_device_address": "clSetKernelArgDevicePointerEXT",
}


def _check_without_platform(device: Device) -> None:
    """clGetExtensionFunctionAddress, deprecated by 1.2: the answers for unknown names and for functions of extensions.

    An ICD loader asks the platform with whose suffix a name ends: so an unknown name with the suffix reaches the driver.
    """
    find = library().clGetExtensionFunctionAddress
    find.restype = ctypes.c_void_p
    suffix = answer(device, "ICD_SUFFIX_KHR", "platform")
    for name in ("clNoSuchFunction", f"clNoSuchFunction{suffix}", suffix, ""):
        check.equal(f"the address of {name!r}", find(name.encode()), None, stage="api")
    for function in FUNCTION_OF_EXTENSION.values():
        found = find(function.encode())
        check.true(f"{function} has no address, or code", found is None or found > 4096, stage="api")


def _check_icd(device: Device) -> None:
    """clIcdGetPlatformIDsKHR, which an ICD loader calls (cl_khr_icd): the platforms, their number, and its errors."""
    name = "clIcdGetPlatformIDsKHR"
    address = _address(device, name) or 0
    check.true(f"{name} has an address", address != 0, stage="api")
    routine = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p)(address)
    count, room = ctypes.c_uint32(0), (ctypes.c_void_p * 17)()
    listed, counted = ctypes.addressof(room), ctypes.addressof(count)
    for entries, platforms, number, want in (
        (0, None, counted, SUCCESS),
        (16, listed, None, SUCCESS),
        (16, listed, counted, SUCCESS),
        (0, listed, counted, "CL_INVALID_VALUE"),
        (0, None, None, "CL_INVALID_VALUE"),
    ):
        words = f"{name} with {entries} entries, {'a' if platforms else 'no'} list, {'a' if number else 'no'} count"
        check.equal(words, name_of(routine(entries, platforms, number)), want, stage="api")
    check.true(f"{name} lists the platform", handle(device, "platform") in list(room), stage="api")
    check.equal(f"{name}: count", count.value, len([p for p in room if p]), stage="api")


def check_function(device: Device, *, what: str) -> None:
    """The addresses of functions of extensions."""
    if what == "icd":
        _check_icd(device)
    elif what == "without_platform":
        _check_without_platform(device)
    elif what == "no_such_function":
        for name in ("clNoSuchFunctionKHR", "", "clGetDeviceInf"):
            check.true(f"{name!r} has no address", _address(device, name) is None, stage="api")
    else:
        have = answer(device, "EXTENSIONS").split()
        named = [f for e, f in FUNCTION_OF_EXTENSION.items() if e in have]
        missing = [f for f in named if not _address(device, f)]
        check.equal("functions of extensions without an address", missing, [], stage="api")
