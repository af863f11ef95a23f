"""libOpenCL by ctypes, for calls that pyopencl would refuse or correct.

Handles are NULL or pyopencl's `int_ptr`: an ICD loader dereferences anything else that it is given.
"""

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

import pyopencl as cl

from runner import check, tap

SUCCESS = "CL_SUCCESS"
#: Codes for which pyopencl has no name.
_NAMES = {
    -64: "INVALID_PROPERTY",
    -70: "INVALID_PIPE_SIZE",
    -71: "INVALID_DEVICE_QUEUE",
    -72: "INVALID_SPEC_ID",
    -73: "MAX_SIZE_RESTRICTION_EXCEEDED",
    -1000: "INVALID_GL_SHAREGROUP_REFERENCE_KHR",
}


@functools.cache
def library() -> ctypes.CDLL:
    """The ICD loader that pyopencl is linked with, to which a case's handles belong; with tinygrad a process has a second.

    It is found through pyopencl's own module, because symbols are looked up in the libraries that it is linked with, too.
    """
    return ctypes.CDLL(cl._cl.__file__)


def name_of(code: int) -> str:
    """The specification's name of an error code."""
    return f"CL_{_NAMES.get(code) or cl.status_code.to_string(code, 'code %d')}"


def ctypes_argument(argument: Any) -> Any:
    """An argument for ctypes. Ints are pointers, sizes or bit-fields: 64 bits each, which the calling convention narrows."""
    return ctypes.c_size_t(argument % 2**64) if isinstance(argument, int) else argument


@tap.told(tap.CTYPES)
def call(function: str, *arguments: Any) -> str:
    """Call a function that returns its error; returns the error's name."""
    return name_of(getattr(library(), function)(*map(ctypes_argument, arguments)))


@tap.told(tap.CTYPES)
def create(function: str, *arguments: Any) -> tuple[int, str]:
    """Call a function that returns a handle, and whose last argument takes the error; returns the handle (0: NULL) and the
    error's name.

    Raises `check.Mismatch` if CL_SUCCESS comes without a handle.
    """
    routine, code = getattr(library(), function), ctypes.c_int32(12345)
    routine.restype = ctypes.c_void_p
    handle = routine(*map(ctypes_argument, arguments), ctypes.byref(code))
    error = name_of(code.value)
    if not handle and error == SUCCESS:
        raise check.Mismatch(f"api: {function}: CL_SUCCESS, and NULL")
    return handle or 0, error


def made(function: str, *arguments: Any) -> int:
    """As `create`, for calls that must succeed; returns the handle or the address. Raises `check.Mismatch`."""
    handle, error = create(function, *arguments)
    if not handle:
        raise check.Mismatch(f"api: {function}: {error}")
    return handle


def queried(function: str, *first: Any) -> bytes:
    """A query's answer, after its size. `first`: the arguments up to the query's number. Raises Mismatch on an error."""
    size = ctypes.c_size_t()
    check.equal(f"{function}: size", call(function, *first, 0, 0, ctypes.byref(size)), SUCCESS, stage="api")
    room = ctypes.create_string_buffer(max(size.value, 1))
    check.equal(f"{function}: value", call(function, *first, size.value, room, 0), SUCCESS, stage="api")
    return room.raw[: size.value]


def sizes(values: Sequence[int]) -> ctypes.Array[ctypes.c_size_t]:
    """An array of size_t."""
    return (ctypes.c_size_t * len(values))(*values)


def handles(objects: Sequence[Any]) -> ctypes.Array[ctypes.c_void_p]:
    """An array of the handles of pyopencl's objects."""
    return (ctypes.c_void_p * len(objects))(*(o.int_ptr for o in objects))
