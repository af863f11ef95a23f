"""Functions of extensions, found by name through the platform (OpenCL Extension 3.0, 1.3)."""

import ctypes
from typing import Any

from runner import check
from runner.device import Device

from ..kit.opencl import ctypes_argument, library, name_of


def address_of(device: Device, name: str) -> int:
    """Call clGetExtensionFunctionAddressForPlatform; returns 0 if the platform has no such function."""
    find = library().clGetExtensionFunctionAddressForPlatform
    find.restype, find.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_char_p)
    return find(device.device.platform.int_ptr, name.encode()) or 0


def function(device: Device, name: str, result: Any, count: int) -> Any:
    """A function with `count` arguments, each passed as 64 bits. A missing function is a failure."""
    address = address_of(device, name)
    check.true(f"{name} has an address", address != 0, stage="api")
    return ctypes.CFUNCTYPE(result, *[ctypes.c_void_p] * count)(address)


def plain(argument: Any) -> Any:
    """An argument for a c_void_p parameter: a number, NULL, or the address of a ctypes object."""
    if argument is None or isinstance(argument, int):
        return argument
    if isinstance(argument, (ctypes.Array, ctypes._SimpleCData)):
        return ctypes.addressof(argument)
    return ctypes_argument(argument)


def call(device: Device, name: str, *arguments: Any) -> str:
    """Call a function that returns its error; returns the error's name."""
    code = function(device, name, ctypes.c_int32, len(arguments))(*map(plain, arguments))
    return name_of(code)


def create(device: Device, name: str, *arguments: Any) -> tuple[int, str]:
    """Call a function that returns a handle, and whose last argument takes the error; returns handle (0: NULL) and error."""
    error = ctypes.c_int32(12345)
    routine = function(device, name, ctypes.c_void_p, len(arguments) + 1)
    handle = routine(*map(plain, arguments), ctypes.addressof(error))
    return handle or 0, name_of(error.value)


def succeed(device: Device, name: str, *arguments: Any) -> None:
    """Make a call that must succeed."""
    check.equal(name, call(device, name, *arguments), "CL_SUCCESS", stage="api")
