"""The answers of clGetPlatformInfo and clGetDeviceInfo, decoded by the type that the specification gives them."""

import ctypes
from typing import Any

from runner import check
from runner.device import Device

from .opencl import SUCCESS, call
from .queries import DEVICE, PLATFORM

TABLES = {"device": DEVICE, "platform": PLATFORM}
_FUNCTIONS = {"device": "clGetDeviceInfo", "platform": "clGetPlatformInfo"}
SIZES = {"bool": 4, "uint": 4, "ulong": 8, "bits": 8, "version": 68, "bytes": 1}
POINTER = ctypes.sizeof(ctypes.c_void_p)
_MAJOR, _MINOR = 22, 12


def element(kind: str) -> int:
    """The size in bytes of one value of a type; of an array, of one element."""
    name = kind.split("[")[0].rstrip("0123456789")
    return POINTER if name in ("size", "handle", "text") else SIZES.get(name, 1)


def fixed(kind: str) -> int | None:
    """The size in bytes of the whole answer; None if the type does not tell."""
    if kind == "string" or kind.endswith("[]"):
        return None
    count = kind.split("[")[1].rstrip("]") if "[" in kind else kind.removeprefix("bytes") if "bytes" in kind else "1"
    return element(kind) * int(count)


def handle(device: Device, target: str) -> int:
    """The object that a query is for: the device, or its platform."""
    return int(device.device.int_ptr if target == "device" else device.device.platform.int_ptr)


def query(device: Device, target: str, code: int, size: int, room: object, size_ret: object) -> str:
    """Make one call of the query; returns the error's name."""
    return call(_FUNCTIONS[target], handle(device, target), code, size, room, size_ret)


def raw(device: Device, target: str, code: int) -> bytes:
    """The answer's bytes, with the room that a first call asked for."""
    size = ctypes.c_size_t()
    check.equal("size", query(device, target, code, 0, 0, ctypes.byref(size)), SUCCESS, stage="api")
    room = ctypes.create_string_buffer(max(size.value, 1))
    check.equal("value", query(device, target, code, size.value, room, 0), SUCCESS, stage="api")
    return room.raw[: size.value]


def answer(device: Device, name: str, target: str = "device") -> Any:
    """An int, a str, a list of ints or of strs, bytes, or the list of (name, version) of a cl_name_version array."""
    row = TABLES[target][name]
    return decode(row.type, raw(device, target, row.enum))


def decode(kind: str, content: bytes) -> Any:
    """The value of an answer's bytes."""
    if kind == "string":
        check.true("a string ends with its NUL", content.endswith(b"\0") and b"\0" not in content[:-1], stage="api")
        return content[:-1].decode()
    if kind.startswith("bytes"):
        return content
    width = element(kind)
    check.true(f"the answer is of whole elements of {width} bytes", len(content) % width == 0, stage="api")
    parts = [content[i : i + width] for i in range(0, len(content), width)]
    if kind.startswith("version"):
        return [(p[4:].split(b"\0")[0].decode(), int.from_bytes(p[:4], "little")) for p in parts]
    numbers = [int.from_bytes(p, "little") for p in parts]
    if kind.startswith("text"):  # a pointer into the driver's own memory
        return [ctypes.string_at(number).decode() for number in numbers]
    return numbers if "[" in kind else numbers[0]


def version(number: int) -> tuple[int, int]:
    """Major and minor of a cl_version."""
    return number >> _MAJOR, number >> _MINOR & 0x3FF
