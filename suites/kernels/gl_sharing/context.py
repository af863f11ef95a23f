"""An OpenGL context without a surface (EGL by ctypes), and an OpenCL context that shares its objects: one pair a process."""

import ctypes
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import opencl

GL_CONTEXT, EGL_DISPLAY, PLATFORM = 0x2008, 0x2009, 0x1084
_SURFACELESS = "EGL_MESA_platform_surfaceless"


@dataclass(frozen=True, slots=True)
class Shared:
    """EGL's display and context as numbers, and the OpenCL context and queue that share with it."""

    display: int
    gl_context: int
    context: cl.Context
    queue: cl.CommandQueue

    def properties(self, **changed: int) -> ctypes.Array[ctypes.c_ssize_t]:
        """The properties of the OpenCL context, with some of them replaced. `changed`: platform, gl, egl."""
        platform = self.context.devices[0].platform.int_ptr
        values = {"platform": platform, "gl": self.gl_context, "egl": self.display} | changed
        return properties([(PLATFORM, values["platform"]), (GL_CONTEXT, values["gl"]), (EGL_DISPLAY, values["egl"])])


def properties(pairs: Sequence[tuple[int, int]]) -> ctypes.Array[ctypes.c_ssize_t]:
    """A list of cl_context_properties with its end."""
    words = [word for pair in pairs for word in pair]
    return (ctypes.c_ssize_t * (len(words) + 1))(*words, 0)


@functools.cache
def _egl() -> ctypes.CDLL:
    """libEGL, whose symbols the driver finds in the process. Raises Unsupported if it needs a surface."""
    try:
        egl = ctypes.CDLL("libEGL.so.1", mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise check.Unsupported(f"there is no EGL: {error}") from error
    egl.eglQueryString.restype = ctypes.c_char_p
    egl.eglQueryString.argtypes = [ctypes.c_void_p, ctypes.c_int]
    if _SURFACELESS.encode() not in (egl.eglQueryString(None, 0x3055) or b""):
        raise check.Unsupported(f"EGL has no {_SURFACELESS}")
    return egl


@functools.cache
def gl(name: str, *types: Any, result: Any = None) -> Any:
    """A function of OpenGL or EGL by its name, with the types of its arguments."""
    egl = _egl()
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    address = egl.eglGetProcAddress(name.encode())
    if not address:
        raise check.Unsupported(f"there is no {name}")
    return ctypes.CFUNCTYPE(result, *types)(address)


def call_gl(name: str, *arguments: Any) -> None:
    """Call a function of OpenGL that returns nothing. Ints have 32 bits; an array or an object is given by its address."""
    given = [_argument(a) for a in arguments]
    gl(name, *map(type, given))(*given)


def _argument(value: Any) -> Any:
    match value:
        case int():
            return ctypes.c_uint32(value % 2**32)
        case float():
            return ctypes.c_float(value)
        case np.ndarray():
            return ctypes.c_void_p(value.ctypes.data)
        case None:
            return ctypes.c_void_p()
        case ctypes.c_void_p():
            return value
        case _:
            return ctypes.c_void_p(ctypes.addressof(value))


def require_no_error(what: str) -> None:
    """Require that OpenGL has recorded no error since the last call of this."""
    check.equal(f"glGetError after {what}", gl("glGetError", result=ctypes.c_uint32)(), 0, stage="api")


@functools.cache
def shared(device: Device) -> Shared:
    """The contexts. Raises Unsupported if EGL has no context on this machine, and Mismatch if OpenCL refuses it."""
    pointer, number = ctypes.c_void_p, ctypes.c_uint32
    none = pointer(None)
    display = gl("eglGetPlatformDisplay", number, pointer, pointer, result=pointer)(0x31DD, none, none)
    ready = display and gl("eglInitialize", pointer, pointer, pointer, result=number)(display, none, none)
    if not (ready and gl("eglBindAPI", number, result=number)(0x30A2)):  # EGL_OPENGL_API
        raise check.Unsupported("EGL has no OpenGL without a surface")
    version = (ctypes.c_int * 5)(0x3098, 4, 0x30FB, 3, 0x3038)  # core profile 4.3
    create = gl("eglCreateContext", pointer, pointer, pointer, pointer, result=pointer)
    context = create(display, none, none, ctypes.addressof(version))
    current = gl("eglMakeCurrent", pointer, pointer, pointer, pointer, result=number)
    if not (context and current(display, none, none, context)):
        raise check.Unsupported("EGL has no context of OpenGL 4.3")
    for packing in (0x0CF5, 0x0D05):  # so that rows have no padding
        call_gl("glPixelStorei", packing, 1)
    platform = device.device.platform.int_ptr
    listed = properties([(PLATFORM, platform), (GL_CONTEXT, context), (EGL_DISPLAY, display)])
    handle, error = opencl.create("clCreateContext", listed, 1, opencl.handles([device.device]), 0, 0)
    check.equal("clCreateContext", error, opencl.SUCCESS, stage="api")
    sharing = cl.Context.from_int_ptr(handle, False)
    return Shared(display, context, sharing, cl.CommandQueue(sharing))
