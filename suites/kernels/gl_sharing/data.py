"""Data that one API writes and the other reads: buffers, textures, renderbuffers."""

from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit import opencl
from .context import Shared, require_no_error, shared
from .formats import FORMATS, TARGETS, Format, Target
from .objects import (
    ARRAY_BUFFER,
    READ_ONLY,
    RENDERBUFFER,
    WRITE_ONLY,
    acquired,
    buffer_of,
    create,
    draw,
    framebuffer,
    made,
    read_buffer,
    read_pixels,
    renderbuffer_of,
    texels,
    texture_of,
    write_buffer,
)

_BUFFER = "kernel void f(global uchar *a) { size_t i = get_global_id(0); a[i] = a[i] * 3 + (uchar)i; }"
_IMAGE = """
kernel void get(read_only IMAGE i, global FOUR *out) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imageSUFFIX(i, WHERE);
}
#ifdef PUT
kernel void put(write_only IMAGE i, global const FOUR *in) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    write_imageSUFFIX(i, WHERE, in[(z * get_global_size(1) + y) * get_global_size(0) + x]);
}
#endif
"""
_ROUNDS = 3  # in both directions, because the storage must be shared, and not copied once


def check_buffer(device: Device, *, size: int, how: str) -> None:
    """In each round OpenGL writes, OpenCL reads and changes, OpenGL reads. `size`: in bytes; `how`: kernel or command."""
    one = shared(device)
    content = device.rng.integers(0, 256, size, np.uint8)
    kernel = cl.Program(one.context, _BUFFER).build().f
    with buffer_of(content) as name:
        with made(one, cl.Buffer, "clCreateFromGLBuffer", name) as memory:
            check.equal("CL_MEM_SIZE", memory.size, size, stage="api")
            for turn in range(_ROUNDS):
                seen, new = np.empty_like(content), device.rng.integers(0, 256, size, np.uint8)
                with acquired(one, memory):
                    cl.enqueue_copy(one.queue, seen, memory)
                    if how == "kernel":
                        kernel(one.queue, (size,), None, memory)
                        new = (content * 3 + np.arange(size)).astype(np.uint8)
                    else:
                        new[: size // 3] = content[: size // 3]
                        cl.enqueue_copy(one.queue, memory, new[size // 3 :], dst_offset=size // 3)
                check.equal(f"round {turn}: OpenCL reads", seen, content)
                check.equal(f"round {turn}: OpenGL reads", read_buffer(ARRAY_BUFFER, content), new)
                content = device.rng.integers(0, 256, size, np.uint8)
                write_buffer(ARRAY_BUFFER, content)
        check.equal("OpenGL reads after the release", read_buffer(ARRAY_BUFFER, content), content)


def check_texture(device: Device, *, target: str, format: str, level: int, how: str) -> None:
    """A level of a texture, in both directions; no other level or face changes.

    `how`: kernel or command. A driver need not share levels above 0.
    """
    one, kind, form = shared(device), TARGETS[target], FORMATS[format]
    with texture_of(kind, form, level + 2 if level else 1, device.rng) as (texture, contents):
        here = (kind.gl, level)
        if level:
            handle, error = create(one, "clCreateFromGLTexture", kind.gl, level, texture.name)
            if error == "CL_INVALID_MIP_LEVEL":
                check.equal("the handle", handle, 0, stage="api")
                return
            cl.Image.from_int_ptr(handle, False).release()
        with made(one, cl.Image, "clCreateFromGLTexture", kind.gl, level, texture.name) as image:
            for turn in range(_ROUNDS):
                new = texture.texels(device.rng, level)
                with acquired(one, image):
                    _require_seen(one, image, kind, form, contents[here], how, f"round {turn}: OpenCL reads")
                    _put(one, image, kind, form, new, how)
                contents[here] = new
                for (face, at), want in contents.items():
                    what = f"round {turn}: OpenGL reads target {face:#x} level {at}"
                    check.equal(what, texture.read(face, at), want)
                contents[here] = texture.texels(device.rng, level)
                texture.replace(*here, contents[here])
        check.equal("OpenGL reads after the release", texture.read(*here), contents[here])
        require_no_error("all")


def check_drawn(device: Device, *, what: str, format: str) -> None:
    """OpenCL reads what OpenGL draws, and glReadPixels returns what OpenCL writes.

    `what`: a renderbuffer or a texture.
    """
    one, form = shared(device), FORMATS[format]
    shape = (13, 19, form.channels)
    content = texels(device.rng, form, shape)
    if what == "renderbuffer":
        with renderbuffer_of(form, shape) as name, framebuffer("Renderbuffer", RENDERBUFFER, name):
            _draw_both_ways(device, one, form, content, "clCreateFromGLRenderbuffer", name)
    else:
        target = TARGETS["2d"]
        with texture_of(target, form, 1, device.rng) as (texture, _), framebuffer("Texture2D", target.gl, texture.name, 0):
            _draw_both_ways(device, one, form, content, "clCreateFromGLTexture", target.gl, 0, texture.name)


def _draw_both_ways(
    device: Device, one: Shared, form: Format, content: NDArray[Any], function: str, *arguments: int
) -> None:
    target = TARGETS["2d"]
    with made(one, cl.Image, function, *arguments) as image:
        for turn in range(_ROUNDS):
            draw(form, content)
            new = texels(device.rng, form, content.shape)
            with acquired(one, image):
                _require_seen(one, image, target, form, content, "command", f"round {turn}: OpenCL reads")
                _put(one, image, target, form, new, "kernel")
            check.equal(f"round {turn}: glReadPixels", read_pixels(form, content.shape), new)
            content = texels(device.rng, form, content.shape)
    require_no_error("all")


def check_copied(device: Device) -> None:
    """Objects of two kinds are acquired together, and OpenCL copies from one to the other."""
    one, target, form = shared(device), TARGETS["2d"], FORMATS["rgba8"]
    shape = (*reversed(target.sizes), 4)
    content = texels(device.rng, form, shape)
    with (
        buffer_of(content) as name,
        texture_of(target, form, 1, device.rng) as (texture, contents),
        made(one, cl.Buffer, "clCreateFromGLBuffer", name, flags=READ_ONLY) as memory,
        made(one, cl.Image, "clCreateFromGLTexture", target.gl, 0, texture.name, flags=WRITE_ONLY) as image,
    ):
        with acquired(one, memory, image):
            cl.enqueue_copy(one.queue, image, memory, offset=0, origin=(3, 2), region=(7, 5))
        want = contents[target.gl, 0]
        want[2:7, 3:10] = content.reshape(-1, 4)[:35].reshape(5, 7, 4)
        check.equal("OpenGL reads", texture.read(target.gl, 0), want)


def _region(content: NDArray[Any]) -> tuple[int, ...]:
    """The three sizes of the region of all texels."""
    return (*reversed(content.shape[:-1]), 1, 1)[:3]


def _transfer(one: Shared, function: str, image: cl.Image, content: NDArray[Any]) -> None:
    """Read or write all texels of an image, without pyopencl, whose enqueue_copy does not know 1D images."""
    where = (opencl.sizes((0, 0, 0)), opencl.sizes(_region(content)))
    error = opencl.call(function, one.queue.int_ptr, image.int_ptr, 1, *where, 0, 0, content.ctypes.data, 0, 0, 0)
    check.equal(function, error, opencl.SUCCESS, stage="api")


def _kernels(one: Shared, target: Target, form: Format) -> cl.Program:
    kind = np.dtype(form.stored).kind if form.is_integer else "f"
    four, suffix = {"f": ("float4", "f"), "i": ("int4", "i"), "u": ("uint4", "ui")}[kind]
    source = _IMAGE.replace("IMAGE", target.image).replace("FOUR", four).replace("SUFFIX", suffix)
    return cl.Program(one.context, source.replace("WHERE", target.coordinate)).build(
        "" if target.image == "image3d_t" else "-D PUT=1"
    )


def _seen_by_kernel(form: Format, content: NDArray[Any]) -> NDArray[Any]:
    """The four components that a kernel reads: missing ones are 0, or 1 for alpha."""
    kind = np.dtype(form.stored).kind if form.is_integer else "f"
    four = np.zeros((*content.shape[:-1], 4), {"f": np.float64, "i": np.int32, "u": np.uint32}[kind])
    four[..., 3] = 1
    four[..., : form.channels] = content if not form.scale else content / form.scale
    return four


def _require_seen(
    one: Shared, image: cl.Image, target: Target, form: Format, content: NDArray[Any], how: str, what: str
) -> None:
    if how == "command":
        seen = np.empty_like(content)
        _transfer(one, "clEnqueueReadImage", image, seen)
        check.equal(what, seen, content)
        return
    want = _seen_by_kernel(form, content)
    got = np.empty(want.shape, np.float32 if want.dtype == np.float64 else want.dtype)
    out = cl.Buffer(one.context, cl.mem_flags.READ_WRITE, got.nbytes)
    _kernels(one, target, form).get(one.queue, _region(content), None, image, out)
    cl.enqueue_copy(one.queue, got, out)
    if form.scale:  # OpenCL C 3.0, 8.3.1.1: at most 1.5 ulp
        check.close(what, got, want, rtol=2.0**-22)
    else:
        check.equal(what, got, want.astype(got.dtype))


def _put(one: Shared, image: cl.Image, target: Target, form: Format, content: NDArray[Any], how: str) -> None:
    if how == "command" or target.image == "image3d_t":
        _transfer(one, "clEnqueueWriteImage", image, content)
        return
    values = _seen_by_kernel(form, content)
    values = values.astype(np.float32) if values.dtype == np.float64 else values
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    given = cl.Buffer(one.context, flags, hostbuf=np.ascontiguousarray(values))
    _kernels(one, target, form).put(one.queue, _region(content), None, image, given)
    one.queue.finish()
