"""Objects of OpenGL with known contents, and the OpenCL objects made from them."""

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check

from ..kit import opencl
from .context import Shared, call_gl, require_no_error
from .formats import Format, Target

READ_WRITE, READ_ONLY, WRITE_ONLY = 1, 4, 2
ARRAY_BUFFER, TEXTURE_BUFFER, RENDERBUFFER, FRAMEBUFFER, DRAW = 0x8892, 0x8C2A, 0x8D41, 0x8D40, 0x88E8
_ATTACHMENT, _SCISSOR, _CUBE = 0x8CE0, 0x0C11, 0x8513


@contextmanager
def named(kind: str) -> Iterator[int]:
    """A new name of OpenGL, deleted at the end. `kind`: Buffers, Textures, Renderbuffers, Framebuffers."""
    name = ctypes.c_uint32()
    call_gl(f"glGen{kind}", 1, name)
    try:
        yield name.value
    finally:
        call_gl(f"glDelete{kind}", 1, name)


@contextmanager
def buffer_of(content: NDArray[Any], target: int = ARRAY_BUFFER) -> Iterator[int]:
    """A buffer of OpenGL with these bytes, bound to its target."""
    with named("Buffers") as name:
        call_gl("glBindBuffer", target, name)
        call_gl("glBufferData", target, ctypes.c_void_p(content.nbytes), content, DRAW)
        yield name


def read_buffer(target: int, like: NDArray[Any]) -> NDArray[Any]:
    """The content of the bound buffer, by glGetBufferSubData."""
    out = np.empty_like(like)
    call_gl("glGetBufferSubData", target, ctypes.c_void_p(0), ctypes.c_void_p(out.nbytes), out)
    return out


def write_buffer(target: int, content: NDArray[Any]) -> None:
    """Write new bytes to the bound buffer, by glBufferSubData."""
    call_gl("glBufferSubData", target, ctypes.c_void_p(0), ctypes.c_void_p(content.nbytes), content)


@dataclass(frozen=True, slots=True)
class Texture:
    """A texture of OpenGL with levels of known contents; those of a cube have six faces."""

    name: int
    target: Target
    format: Format

    @property
    def faces(self) -> Sequence[int]:
        """The targets of its images: one, or the six of a cube."""
        return range(0x8515, 0x851B) if self.target.bound == _CUBE else [self.target.gl]

    def texels(self, rng: np.random.Generator, level: int) -> NDArray[Any]:
        """Random texels of a level, (layers or depth, rows, columns, channels) without the sizes that it lacks."""
        shape = (*reversed(self.target.sizes_of(level)), self.format.channels)
        return texels(rng, self.format, shape)

    def upload(self, face: int, level: int, content: NDArray[Any]) -> None:
        """Define a level, with new texels."""
        if self.target.gl == TEXTURE_BUFFER:
            write_buffer(TEXTURE_BUFFER, content)
            return
        sizes = self.target.sizes_of(level)
        call_gl("glBindTexture", self.target.bound, self.name)
        arguments = (face, level, self.format.internal, *sizes, 0, *self.format.transfer, content)
        call_gl(f"glTexImage{len(sizes)}D", *arguments)

    def replace(self, face: int, level: int, content: NDArray[Any]) -> None:
        """Write new texels to a level that exists."""
        if self.target.gl == TEXTURE_BUFFER:
            write_buffer(TEXTURE_BUFFER, content)
            return
        sizes = self.target.sizes_of(level)
        arguments = (face, level, *[0] * len(sizes), *sizes, *self.format.transfer, content)
        call_gl(f"glTexSubImage{len(sizes)}D", *arguments)

    def read(self, face: int, level: int) -> NDArray[Any]:
        """A level's texels, by glGetTexImage."""
        out = np.empty((*reversed(self.target.sizes_of(level)), self.format.channels), self.format.stored)
        if self.target.gl == TEXTURE_BUFFER:
            return read_buffer(TEXTURE_BUFFER, out)
        call_gl("glGetTexImage", face, level, *self.format.transfer, out)
        return out


@contextmanager
def texture_of(
    target: Target, form: Format, levels: int, rng: np.random.Generator
) -> Iterator[tuple[Texture, dict[Any, Any]]]:
    """A texture with random texels, and these by (face, level)."""
    with named("Textures") as name, named("Buffers") as buffer:
        texture, contents = Texture(name, target, form), {}
        call_gl("glBindTexture", target.bound, name)
        if target.gl == TEXTURE_BUFFER:
            size = target.sizes[0] * form.channels * np.dtype(form.stored).itemsize
            call_gl("glBindBuffer", TEXTURE_BUFFER, buffer)
            call_gl("glBufferData", TEXTURE_BUFFER, ctypes.c_void_p(size), None, DRAW)
            call_gl("glTexBuffer", TEXTURE_BUFFER, form.internal, buffer)
        elif target.gl != 0x84F5:  # a rectangle has only one level
            call_gl("glTexParameteri", target.bound, 0x813D, levels - 1)  # GL_TEXTURE_MAX_LEVEL
        for face in texture.faces:
            for level in range(levels):
                contents[face, level] = texture.texels(rng, level)
                texture.upload(face, level, contents[face, level])
        require_no_error("the texture is made")
        yield texture, contents


def texels(rng: np.random.Generator, form: Format, shape: Sequence[int]) -> NDArray[Any]:
    """Random texels, of stored numbers that both APIs keep unchanged."""
    dtype = np.dtype(form.stored)
    if dtype.kind == "f":
        return rng.integers(-1024, 1025, shape).astype(dtype) / 8
    low = -form.scale if form.scale else np.iinfo(dtype).min  # of the two codes of -1.0, only the one that is kept
    return rng.integers(low if dtype.kind == "i" else 0, np.iinfo(dtype).max, shape, dtype, endpoint=True)


@contextmanager
def renderbuffer_of(form: Format, shape: Sequence[int]) -> Iterator[int]:
    """A renderbuffer of (rows, columns); its content is undefined."""
    with named("Renderbuffers") as name:
        call_gl("glBindRenderbuffer", RENDERBUFFER, name)
        call_gl("glRenderbufferStorage", RENDERBUFFER, form.internal, shape[1], shape[0])
        yield name


@contextmanager
def framebuffer(attach: str, *where: int) -> Iterator[None]:
    """A framebuffer with one attachment: `Renderbuffer`, target, name; or `Texture2D`, target, name, level."""
    with named("Framebuffers") as name:
        call_gl("glBindFramebuffer", FRAMEBUFFER, name)
        call_gl(f"glFramebuffer{attach}", FRAMEBUFFER, _ATTACHMENT, *where)
        try:
            yield
        finally:
            call_gl("glBindFramebuffer", FRAMEBUFFER, 0)


def draw(form: Format, content: NDArray[Any]) -> None:
    """Fill the framebuffer by OpenGL's commands: each rectangle of 4 x 3 pixels is cleared to its first texel.

    `content`, (rows, columns, channels), is changed to the result.
    """
    call_gl("glEnable", _SCISSOR)
    kind = np.dtype(form.stored).kind
    suffix, dtype = ("fv", np.float32) if not form.is_integer else ("iv", np.int32) if kind == "i" else ("uiv", np.uint32)
    for y in range(0, content.shape[0], 3):
        for x in range(0, content.shape[1], 4):
            content[y : y + 3, x : x + 4] = content[y, x]
            color = np.zeros(4, dtype)
            color[: form.channels] = content[y, x].astype(np.float64) / (form.scale or 1)
            call_gl("glScissor", x, y, 4, 3)
            call_gl(f"glClearBuffer{suffix}", 0x1800, 0, color)
    call_gl("glDisable", _SCISSOR)


def read_pixels(form: Format, shape: Sequence[int]) -> NDArray[Any]:
    """The framebuffer's pixels, by glReadPixels: (rows, columns, channels)."""
    out = np.empty((*shape[:2], form.channels), form.stored)
    call_gl("glReadPixels", 0, 0, shape[1], shape[0], *form.transfer, out)
    return out


def create(one: Shared, function: str, *arguments: Any, flags: int = READ_WRITE) -> tuple[int, str]:
    """Finish OpenGL's work and call clCreateFromGL*; returns the handle (0 if there is none) and the error's name."""
    call_gl("glFinish")
    return opencl.create(function, one.context.int_ptr, flags, *arguments)


@contextmanager
def made(one: Shared, kind: Any, function: str, *arguments: Any, flags: int = READ_WRITE) -> Iterator[Any]:
    """The OpenCL object for an OpenGL object, as pyopencl's Buffer or Image."""
    handle, error = create(one, function, *arguments, flags=flags)
    check.equal(function, error, opencl.SUCCESS, stage="api")
    memory = kind.from_int_ptr(handle, False)
    try:
        yield memory
    finally:
        memory.release()


@contextmanager
def acquired(one: Shared, *objects: Any) -> Iterator[None]:
    """Acquire objects after OpenGL's work is finished, and release them at the end."""
    call_gl("glFinish")
    enqueue(one, "Acquire", objects)
    yield
    enqueue(one, "Release", objects)
    one.queue.finish()


def enqueue(one: Shared, verb: str, objects: Sequence[Any], waits: Sequence[cl.Event] = ()) -> cl.Event:
    """Call clEnqueueAcquireGLObjects or clEnqueueReleaseGLObjects; returns its event."""
    event = ctypes.c_void_p()
    name = f"clEnqueue{verb}GLObjects"
    wait_list = opencl.handles(waits) if waits else 0
    error = opencl.call(
        name, one.queue.int_ptr, len(objects), opencl.handles(objects), len(waits), wait_list, ctypes.byref(event)
    )
    check.equal(name, error, opencl.SUCCESS, stage="api")
    return cl.Event.from_int_ptr(event.value, False)
