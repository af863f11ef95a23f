"""OpenCL's queries of shared objects and contexts, errors, and the events of the two commands."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import opencl
from ..kit.gate import QUIET_S, settles, status_of
from .context import EGL_DISPLAY, GL_CONTEXT, PLATFORM, Shared, call_gl, properties, shared
from .formats import CUBE, FORMATS, TARGETS, Format, Target
from .objects import READ_WRITE, RENDERBUFFER, buffer_of, enqueue, made, named, renderbuffer_of, texture_of

_CURRENT_DEVICE, _DEVICES = 0x2006, 0x2007
_TARGET, _LEVEL = 0x2004, 0x2005
_BUFFER_OBJECT, _RENDERBUFFER_OBJECT = 0x2000, 0x2003


def check_context(device: Device) -> None:
    """The context returns its properties, and clGetGLContextInfoKHR the devices that can share with OpenGL's."""
    one = shared(device)
    words = ctypes.sizeof(one.properties()) // 8
    told = opencl.queried("clGetContextInfo", one.context.int_ptr, 0x1082)
    check.equal("CL_CONTEXT_PROPERTIES", told, bytes(one.properties())[: 8 * words], stage="api")
    for name in (_CURRENT_DEVICE, _DEVICES):
        told = opencl.queried("clGetGLContextInfoKHR", one.properties(), name)
        check.equal(f"device of {name:#x}", told, device.device.int_ptr.to_bytes(8, "little"), stage="api")


def check_image(device: Device, *, target: str) -> None:
    """OpenCL's queries of an image that was made from a texture."""
    one, kind, form = shared(device), TARGETS[target], FORMATS["rgba8"]
    with (
        texture_of(kind, form, 1, device.rng) as (texture, _),
        made(one, cl.Image, "clCreateFromGLTexture", kind.gl, 0, texture.name) as image,
    ):
        _require_described(image, kind, form)


def _require_described(image: cl.Image, target: Target, form: Format) -> None:
    info = cl.image_info
    order, channel = form.image_format
    said = image.get_image_info(info.FORMAT)
    check.equal("channel order", said.channel_order, order, stage="api")
    check.equal("channel type", said.channel_data_type, channel, stage="api")
    size = form.channels * np.dtype(form.stored).itemsize
    check.equal("CL_IMAGE_ELEMENT_SIZE", image.get_image_info(info.ELEMENT_SIZE), size, stage="api")
    check.equal("CL_MEM_TYPE", image.type, target.memory, stage="api")
    sizes = target.sizes_of(0)
    layers = sizes[-1] if target.layers else 0
    spatial = (*(sizes[:-1] if target.layers else sizes), 0, 0)[:3]
    names = (info.WIDTH, info.HEIGHT, info.DEPTH)
    check.equal("width, height, depth", tuple(map(image.get_image_info, names)), spatial, stage="api")
    check.equal("CL_IMAGE_ARRAY_SIZE", image.get_image_info(info.ARRAY_SIZE), layers, stage="api")


def check_object(device: Device, *, what: str) -> None:
    """clGetGLObjectInfo and clGetGLTextureInfo. `what`: buffer, renderbuffer, or a target of textures."""
    one = shared(device)
    with _object(device, one, what) as (memory, name):
        kind = {"buffer": _BUFFER_OBJECT, "renderbuffer": _RENDERBUFFER_OBJECT}.get(what) or TARGETS[what].kind
        for wanted in ((True, True), (True, False), (False, True), (False, False)):
            got = (ctypes.c_uint32 * 4)(7, 7, 7, 7)
            places = [ctypes.addressof(got) + 8 * n if asked else 0 for n, asked in enumerate(wanted)]
            check.equal(
                "clGetGLObjectInfo", opencl.call("clGetGLObjectInfo", memory.int_ptr, *places), "CL_SUCCESS", stage="api"
            )
            want = [kind if wanted[0] else 7, 7, name if wanted[1] else 7, 7]
            check.equal("type and name", list(got), want, stage="api")
        if what in TARGETS:
            for query, want_word in ((_TARGET, TARGETS[what].gl), (_LEVEL, 0)):
                told = opencl.queried("clGetGLTextureInfo", memory.int_ptr, query)
                check.equal(f"answer of {query:#x}", told, want_word.to_bytes(4, "little"), stage="api")
            error = opencl.call("clGetGLTextureInfo", memory.int_ptr, _TARGET, 3, ctypes.create_string_buffer(4), 0)
            check.equal("clGetGLTextureInfo into 3 bytes", error, "CL_INVALID_VALUE", stage="api")
            error = opencl.call("clGetGLTextureInfo", memory.int_ptr, 0x2099, 0, 0, 0)
            check.equal("clGetGLTextureInfo of an unknown name", error, "CL_INVALID_VALUE", stage="api")


@contextmanager
def _object(device: Device, one: Shared, what: str) -> Iterator[tuple[Any, int]]:
    """A shared object of a kind, and the name of the OpenGL object."""
    form = FORMATS["rgba8"]
    if what == "buffer":
        with buffer_of(np.zeros(64, np.uint8)) as name, made(one, cl.Buffer, "clCreateFromGLBuffer", name) as memory:
            yield memory, name
    elif what == "renderbuffer":
        with renderbuffer_of(form, (8, 8)) as name, made(one, cl.Image, "clCreateFromGLRenderbuffer", name) as memory:
            yield memory, name
    else:
        target = TARGETS[what]
        with (
            texture_of(target, form, 1, device.rng) as (texture, _),
            made(one, cl.Image, "clCreateFromGLTexture", target.gl, 0, texture.name) as memory,
        ):
            yield memory, texture.name


def check_events(device: Device, *, verb: str) -> None:
    """A command waits for its list, ends, and reports its type, queue and context. `verb`: Acquire or Release."""
    one = shared(device)
    with _object(device, one, "buffer") as (memory, _):
        if verb == "Release":
            enqueue(one, "Acquire", [memory])
        gate = cl.UserEvent(one.context)
        event = enqueue(one, verb, [memory], [gate])
        one.queue.flush()
        check.true("it waits", not settles(event, QUIET_S), stage="api")
        gate.set_status(0)
        check.true("it ends", settles(event), stage="api")
        check.equal("status", status_of(event), 0, stage="api")
        want = {"Acquire": 0x11FF, "Release": 0x1200}[verb]
        kind = int.from_bytes(opencl.queried("clGetEventInfo", event.int_ptr, 0x11D1), "little")
        check.equal("CL_EVENT_COMMAND_TYPE", kind, want, stage="api")
        for name, handle in ((0x11D0, one.queue.int_ptr), (0x11D4, one.context.int_ptr)):
            told = opencl.queried("clGetEventInfo", event.int_ptr, name)
            check.equal(f"answer of {name:#x}", told, handle.to_bytes(8, "little"), stage="api")
        if verb == "Acquire":
            enqueue(one, "Release", [memory])
        one.queue.finish()


def check_create_error(device: Device, *, mistake: str) -> None:
    """A creation with a mistake is refused with the right error."""
    one = shared(device)
    arguments, want = _MISTAKES[mistake]
    with arguments(device, one) as (function, *given):
        call_gl("glFinish")
        handle, error = opencl.create(function, *given)
        check.equal(function, error, want, stage="api")
        check.equal("the handle", handle, 0, stage="api")


def check_enqueue_error(device: Device, *, verb: str, mistake: str) -> None:
    """clEnqueueAcquireGLObjects or clEnqueueReleaseGLObjects refuses a mistake."""
    one, name = shared(device), f"clEnqueue{verb}GLObjects"
    plain = cl.Buffer(one.context, cl.mem_flags.READ_WRITE, 64)
    with _object(device, one, "buffer") as (memory, _):
        queue, array = one.queue.int_ptr, opencl.handles([memory])
        mixed = opencl.handles([memory, plain])
        null = (ctypes.c_void_p * 1)(0)
        given, want = {
            "nothing": ((queue, 0, 0, 0, 0, 0), "CL_SUCCESS"),
            "no_objects": ((queue, 0, array, 0, 0, 0), "CL_INVALID_VALUE"),
            "null_list": ((queue, 1, 0, 0, 0, 0), "CL_INVALID_VALUE"),
            "null_object": ((queue, 1, null, 0, 0, 0), "CL_INVALID_MEM_OBJECT"),
            "null_queue": ((0, 1, array, 0, 0, 0), "CL_INVALID_COMMAND_QUEUE"),
            "not_shared": ((queue, 2, mixed, 0, 0, 0), "CL_INVALID_GL_OBJECT"),
            "other_context": ((device.queue.int_ptr, 1, array, 0, 0, 0), "CL_INVALID_CONTEXT"),
            "null_waits": ((queue, 1, array, 1, 0, 0), "CL_INVALID_EVENT_WAIT_LIST"),
            "no_waits": ((queue, 1, array, 0, array, 0), "CL_INVALID_EVENT_WAIT_LIST"),
        }[mistake]
        check.equal(name, opencl.call(name, *given), want, stage="api")
        one.queue.finish()


def check_context_error(device: Device, *, mistake: str, function: str) -> None:
    """Properties of a context that share with nothing, or with too much, are refused."""
    one, platform = shared(device), (PLATFORM, device.device.platform.int_ptr)
    context, display = (GL_CONTEXT, one.gl_context), (EGL_DISPLAY, one.display)
    pairs, want = {
        "no_display": ([platform, context], "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR"),
        "two_displays": ([platform, context, display, (0x200A, one.display)], "CL_INVALID_OPERATION"),
    }[mistake]
    if function == "clCreateContext":
        handle, error = opencl.create("clCreateContext", properties(pairs), 1, opencl.handles([device.device]), 0, 0)
        check.equal("the handle", handle, 0, stage="api")
    else:
        error = opencl.call("clGetGLContextInfoKHR", properties(pairs), _DEVICES, 0, 0, ctypes.byref(ctypes.c_size_t()))
    check.equal(function, error, want, stage="api")


def check_info_error(device: Device, *, mistake: str) -> None:
    """A query with a mistake is refused."""
    one = shared(device)
    room, plain = ctypes.create_string_buffer(16), cl.Buffer(one.context, cl.mem_flags.READ_WRITE, 64)
    with _object(device, one, "buffer") as (memory, _):
        answers: dict[str, tuple[Any, str]] = {
            "context_name": (("clGetGLContextInfoKHR", one.properties(), 0x2099, 16, room, 0), "CL_INVALID_VALUE"),
            "context_size": (("clGetGLContextInfoKHR", one.properties(), _CURRENT_DEVICE, 4, room, 0), "CL_INVALID_VALUE"),
            "object_null": (("clGetGLObjectInfo", 0, room, 0), "CL_INVALID_MEM_OBJECT"),
            "object_plain": (("clGetGLObjectInfo", plain.int_ptr, room, 0), "CL_INVALID_GL_OBJECT"),
            "texture_null": (("clGetGLTextureInfo", 0, _TARGET, 16, room, 0), "CL_INVALID_MEM_OBJECT"),
            "texture_plain": (("clGetGLTextureInfo", plain.int_ptr, _TARGET, 16, room, 0), "CL_INVALID_GL_OBJECT"),
            "texture_buffer": (("clGetGLTextureInfo", memory.int_ptr, _TARGET, 16, room, 0), "CL_INVALID_GL_OBJECT"),
        }
        call, want = answers[mistake]
        check.equal(call[0], opencl.call(*call), want, stage="api")


@contextmanager
def _texture(device: Device, one: Shared, *where: int, flags: int = READ_WRITE, context: int = 0) -> Iterator[Any]:
    """The arguments of clCreateFromGLTexture for a 2D texture of one level. `where`: another target and level."""
    with texture_of(TARGETS["2d"], FORMATS["rgba8"], 1, device.rng) as (texture, _):
        target, level = where or (TARGETS["2d"].gl, 0)
        yield "clCreateFromGLTexture", context or one.context.int_ptr, flags, target, level, texture.name


@contextmanager
def _buffer(device: Device, one: Shared, flags: int = READ_WRITE, context: int = 0, size: int = 64) -> Iterator[Any]:
    with buffer_of(np.zeros(size, np.uint8)) as name:
        yield "clCreateFromGLBuffer", context or one.context.int_ptr, flags, name


@contextmanager
def _renderbuffer(device: Device, one: Shared, flags: int = READ_WRITE, context: int = 0, samples: int = 0) -> Iterator[Any]:
    with renderbuffer_of(FORMATS["rgba8"], (8, 8)) as name:
        if samples:
            call_gl("glRenderbufferStorageMultisample", RENDERBUFFER, samples, FORMATS["rgba8"].internal, 8, 8)
        yield "clCreateFromGLRenderbuffer", context or one.context.int_ptr, flags, name


@contextmanager
def _new_name(function: str, kind: str, one: Shared, *before: int, name: int = 0) -> Iterator[Any]:
    """A name for which no object was made, or one that OpenGL never returned."""
    with named(kind) as fresh:
        yield function, one.context.int_ptr, READ_WRITE, *before, name or fresh


@contextmanager
def _packed_texture(one: Shared) -> Iterator[Any]:
    """A texture of GL_RGB9_E5, which is not a format of OpenCL images."""
    with named("Textures") as name:
        call_gl("glBindTexture", 0x0DE1, name)
        call_gl("glTexParameteri", 0x0DE1, 0x813D, 0)
        call_gl("glTexImage2D", 0x0DE1, 0, 0x8C3D, 8, 8, 0, 0x1907, 0x1406, None)
        yield "clCreateFromGLTexture", one.context.int_ptr, READ_WRITE, 0x0DE1, 0, name


_INVALID_OBJECT = "CL_INVALID_GL_OBJECT"
_Arguments = Callable[[Device, Shared], Any]
_MISTAKES: dict[str, tuple[_Arguments, str]] = {
    "buffer_context": (lambda d, o: _buffer(d, o, context=d.context.int_ptr), "CL_INVALID_CONTEXT"),
    "buffer_flags": (lambda d, o: _buffer(d, o, flags=3), "CL_INVALID_VALUE"),
    "buffer_host_flags": (lambda d, o: _buffer(d, o, flags=0x21), "CL_INVALID_VALUE"),
    "buffer_empty": (lambda d, o: _buffer(d, o, size=0), _INVALID_OBJECT),
    "buffer_new_name": (lambda d, o: _new_name("clCreateFromGLBuffer", "Buffers", o), _INVALID_OBJECT),
    "buffer_no_name": (lambda d, o: _new_name("clCreateFromGLBuffer", "Buffers", o, name=99999), _INVALID_OBJECT),
    "texture_context": (lambda d, o: _texture(d, o, context=d.context.int_ptr), "CL_INVALID_CONTEXT"),
    "texture_flags": (lambda d, o: _texture(d, o, flags=3), "CL_INVALID_VALUE"),
    "texture_target": (lambda d, o: _texture(d, o, 0x1234, 0), "CL_INVALID_VALUE"),
    "texture_buffer_target": (lambda d, o: _texture(d, o, 0x8892, 0), "CL_INVALID_VALUE"),
    "texture_other_target": (lambda d, o: _texture(d, o, 0x806F, 0), _INVALID_OBJECT),
    "texture_face_of_2d": (lambda d, o: _texture(d, o, CUBE["cube_px"].gl, 0), _INVALID_OBJECT),
    "texture_level": (lambda d, o: _texture(d, o, 0x0DE1, 1), "CL_INVALID_MIP_LEVEL"),
    "texture_negative_level": (lambda d, o: _texture(d, o, 0x0DE1, -1), "CL_INVALID_MIP_LEVEL"),
    "texture_new_name": (lambda d, o: _new_name("clCreateFromGLTexture", "Textures", o, 0x0DE1, 0), _INVALID_OBJECT),
    "texture_no_name": (
        lambda d, o: _new_name("clCreateFromGLTexture", "Textures", o, 0x0DE1, 0, name=99999),
        _INVALID_OBJECT,
    ),
    "texture_format": (lambda d, o: _packed_texture(o), "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR"),
    "renderbuffer_context": (lambda d, o: _renderbuffer(d, o, context=d.context.int_ptr), "CL_INVALID_CONTEXT"),
    "renderbuffer_flags": (lambda d, o: _renderbuffer(d, o, flags=3), "CL_INVALID_VALUE"),
    "renderbuffer_samples": (lambda d, o: _renderbuffer(d, o, samples=4), "CL_INVALID_OPERATION"),
    "renderbuffer_new_name": (lambda d, o: _new_name("clCreateFromGLRenderbuffer", "Renderbuffers", o), _INVALID_OBJECT),
}
