"""Devices that answer queries with the wrong number of bytes, or with values that a device must not have."""

import ctypes
from typing import Any

from mutation import Function, Mutant, api_of, of

call = api_of("query")

_CALL = "suites.kernels.kit.answers.call"
_OK = "CL_SUCCESS"


def _value(name: str, code: int, content: bytes, cases: str) -> Mutant:
    """Another answer to one query, not longer than the right one."""

    def outer(inner: Function, function: str, handle: int, query: int, size: int, room: Any, size_ret: Any) -> Any:
        got = inner(function, handle, query, size, room, size_ret)
        if query == code and room and got == _OK:
            ctypes.memmove(room, content, min(len(content), size))
        return got

    return call(f"{name}", f"{cases}", _CALL, of(outer))


@of
def _short_accepted(inner: Function, function: str, handle: int, query: int, size: int, room: Any, size_ret: Any) -> Any:
    got = inner(function, handle, query, size, room, size_ret)
    return _OK if got == "CL_INVALID_VALUE" and 0 < size < 4096 else got


@of
def _unknown_accepted(inner: Function, *arguments: Any) -> Any:
    got = inner(*arguments)
    return _OK if arguments[2] == 0xFFFFFFFF else got


@of
def _extension_answers(inner: Function, *arguments: Any) -> Any:
    got = inner(*arguments)
    return _OK if arguments[2] == 0x204C else got  # CL_DEVICE_SEMAPHORE_TYPES_KHR


@of
def _size_less(inner: Function, function: str, handle: int, query: int, size: int, room: Any, size_ret: Any) -> Any:
    got = inner(function, handle, query, size, room, size_ret)
    if size_ret and query == 0x102B:
        size_ret._obj.value -= 1
    return got


@of
def _writes_beyond(inner: Function, function: str, handle: int, query: int, size: int, room: Any, size_ret: Any) -> Any:
    got = inner(function, handle, query, size, room, size_ret)
    if room and got == _OK and len(room) > size + 8:
        ctypes.memset(ctypes.addressof(room) + size, 0, 8)
    return got


@of
def _ids(inner: Function, function: str, *arguments: Any) -> Any:
    got = inner(function, *arguments)
    return _OK if got == "CL_DEVICE_NOT_FOUND" else got


def _any_name(inner: Function) -> Function:
    """A driver that has an address for every name with its suffix."""

    def find(name: bytes) -> int | None:
        return 1 << 20 if name.endswith(b"MESA") else None

    class Library:
        clGetExtensionFunctionAddress = staticmethod(find)

    return lambda: Library


def _numbers(*values: int) -> bytes:
    return b"".join(v.to_bytes(8, "little") for v in values)


MUTANTS = [
    _value("clock", 0x100C, _numbers(3_000_000)[:4], "device/MAX_CLOCK_FREQUENCY.value"),
    _value("luid_of_linux", 0x106C, _numbers(1)[:4], "device/LUID_VALID.value"),
    call("function.no_icd", "function/icd", ".queries._address", lambda inner: lambda device, name: None),
    call("function.any_name", "function/without_platform", ".queries.library", _any_name),
    _value("timer", 0x1025, _numbers(0), "device/PROFILING_TIMER_RESOLUTION.value"),
    _value("parameter_size", 0x1017, _numbers(512), "device/MAX_PARAMETER_SIZE.*"),
    _value("read_image_args", 0x100E, _numbers(64)[:4], "device/MAX_READ_IMAGE_ARGS.*"),
    _value("image_width", 0x1011, _numbers(8192), "device/IMAGE2D_MAX_WIDTH.*"),
    _value("max_mem_alloc", 0x1010, _numbers(1 << 27), "device/MAX_MEM_ALLOC_SIZE.*"),
    _value("item_sizes", 0x1005, _numbers(64, 64, 0), "device/MAX_WORK_ITEM_SIZES.*"),
    _value("double_without_fma", 0x1032, _numbers(0x1F), "device/DOUBLE_FP_CONFIG.*"),
    _value("numeric_version", 0x105E, _numbers(2 << 22)[:4], "device/NUMERIC_VERSION.*"),
    _value("base_alignment", 0x1019, _numbers(1025)[:4], "device/MEM_BASE_ADDR_ALIGN.*"),
    _value("profile", 0x102E, b"FULL-PROFILE\0", "device/PROFILE.*"),
    _value("pipes_without_support", 0x1055, _numbers(16)[:4], "device/MAX_PIPE_ARGS.*"),
    _value("partition_of_a_vendor", 0x1044, _numbers(0x4052), "device/PARTITION_PROPERTIES.value"),
    _value("reference_count", 0x1047, _numbers(2)[:4], "device/REFERENCE_COUNT.*"),
    call("short_accepted", "device/MAX_*.form", _CALL, _short_accepted),
    call("extension_answers", "unknown/device.absent_extension", _CALL, _extension_answers),
    call("unknown_accepted", "unknown/*", _CALL, _unknown_accepted),
    call("string_without_its_end", "device/NAME.*", _CALL, _size_less),
    call("writes_beyond", "device/*.form", _CALL, _writes_beyond),
    call("no_device_is_success", "ids/*", ".queries.call", _ids),
]
