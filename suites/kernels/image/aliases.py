"""Images of a buffer's memory: 1D buffer images and cl_khr_image2d_from_buffer (API 3.0, 5.3.1).

One file: every check makes and examines its alias with the same few functions.
"""

import ctypes
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit import opencl
from . import access, codec, images, sampling
from .table import KINDS, Format, ImageType

Array = NDArray[Any]
_PAGE = 4096
_PITCH_ALIGNMENT, _BASE_ALIGNMENT = 0x104A, 0x104B  # cl_device_info, in elements


def device_uint(device: Device, number: int) -> int:
    """A cl_uint of clGetDeviceInfo, for queries that pyopencl has no name for."""
    value = ctypes.c_uint32()
    code = opencl.call("clGetDeviceInfo", device.device.int_ptr, number, 4, ctypes.addressof(value), 0)
    check.equal("clGetDeviceInfo", code, opencl.SUCCESS, stage="api")
    return value.value


def alias(
    device: Device, kind: ImageType, fmt: Format, extra: int, at: int, use: bool = False
) -> tuple[cl.Buffer, cl.Image, Array, Array]:
    """A buffer and an image of it: both, the buffer's elements (n, components), and a view of the image's among them.

    The rows of a 2D image are `extra` pitch alignments longer than necessary, and `at` sub-buffer alignments are before the
    image. With `use`, the buffer uses the host's memory (CL_MEM_USE_HOST_PTR), from the beginning of a page.
    """
    width, height, _ = kind.extents
    pitch = width
    if kind.name == "2d":
        unit = max(1, device_uint(device, _PITCH_ALIGNMENT))
        pitch = (-(-width // unit) + extra) * unit
    element = images.element_size(fmt)
    step = np.lcm(device.device.mem_base_addr_align // 8, element)
    if kind.name == "2d":
        step = np.lcm(step, max(1, device_uint(device, _BASE_ALIGNMENT)) * element)
    before = int(step) // element * at
    memory = codec.random_content(device.rng, fmt, (before + pitch * height + 3,))
    buffer = whole = _user_buffer(device, memory) if use else device.buffer(memory)
    if at:
        buffer = whole.get_sub_region(before * element, pitch * height * element)
    # A pitch of 0 stands for the width, which has to be aligned, too (API 3.0, 5.3.1.2).
    row = pitch * element if kind.name == "2d" and pitch != width else 0
    image = images.create(device, kind, fmt, buffer=buffer, pitches=(row, 0))
    if row:
        check.equal("CL_IMAGE_ROW_PITCH", image.get_image_info(cl.image_info.ROW_PITCH), row, stage="api")
    content = memory[before : before + pitch * height].reshape(1, height, pitch, -1)[:, :, :width]
    return whole, image, memory, content


def _user_buffer(device: Device, content: Array) -> cl.Buffer:
    """A buffer that uses the memory of a copy of `content`; pyopencl keeps the copy."""
    memory = np.empty(content.nbytes + _PAGE, np.uint8)
    memory = memory[-memory.ctypes.data % _PAGE :][: content.nbytes]
    memory[...] = content.reshape(-1).view(np.uint8)
    return cl.Buffer(device.context, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=memory)


def check_alias(device: Device, *, kind: str, format: str, by: str, extra: int, at: int, user: bool = False) -> None:
    """The image shows writes to the buffer, and the buffer writes to the image, for one kind of command.

    `user`: the buffer uses the host's memory. The accesses are separate commands of one queue: in one kernel they would be
    undefined.
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    whole, image, memory, content = alias(device, image_type, fmt, extra, at, user)
    _BY[by](device, image_type, fmt, image, whole, content)
    what = {"copy": "after clEnqueueCopyImage and clEnqueueFillImage, buffer", "fill": "after clEnqueueFillImage, buffer"}
    check.equal(what.get(by, "buffer"), device.read(whole, memory.dtype, memory.shape), memory)


def by_host(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """clEnqueueReadImage, then clEnqueueWriteImage of a part."""
    got = np.zeros(content.shape, content.dtype)
    images.read(device, image, got, images.ORIGIN, kind.extents)
    check.equal("read", got, content)
    origin, region, slices = images.place(kind, 0)
    sent = codec.random_content(device.rng, fmt, tuple(reversed(region)))
    images.write(device, image, sent, origin, region)
    content[slices] = sent


def by_part(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """clEnqueueReadImage and clEnqueueWriteImage of parts, whose rows in the host's memory are longer than the image's."""
    row = content.strides[1] + 3 * images.element_size(fmt)
    for corner, operation in ((0, images.read), (1, images.write)):
        origin, region, slices = images.place(kind, corner)
        memory = codec.random_content(device.rng, fmt, (1, region[1], row // images.element_size(fmt)))
        want = memory.copy()
        operation(device, image, memory, origin, region, (row, 0))
        if operation is images.write:
            content[slices] = memory[:, :, : region[0]]
        else:
            want[:, :, : region[0]] = content[slices]
        check.equal("the host's memory", memory, want)


def by_size(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """A kernel that may read the image queries its extents."""
    _asks_extents(device, kind, image, "__read_only")


def by_written_size(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """A kernel that may write to the image queries its extents: a driver has them in another descriptor."""
    _asks_extents(device, kind, image, "__write_only")


def _asks_extents(device: Device, kind: ImageType, image: cl.Image, qualifier: str) -> None:
    width, height, _ = kind.extents
    asked = "r[0] = get_image_width(i); r[1] = get_image_height(i); r[2] = get_image_dim(i).y;"
    kernel = device.build(f"__kernel void f({qualifier} image2d_t i, __global int *r) {{ {asked} }}").f
    sizes = device.buffer(np.zeros(3, np.int32))
    device.launch(kernel, [1], None, image, sizes)
    check.equal("get_image_width, get_image_height, get_image_dim", device.read(sizes, np.int32, 3), [width, height, height])


def by_read(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """A kernel reads; then the buffer is written, and the kernel reads again."""
    at = access.all_positions(kind, device.rng)
    kernel = device.build(access.read_source(kind, fmt, sampled=False)).f
    values = codec.VALUES[fmt.suffix]
    out, places = device.buffer(np.zeros((len(at), 4), values)), device.buffer(at)
    base = content.base
    for number in range(2):
        device.launch(kernel, [len(at)], None, image, places, out)
        want = access.at_positions(codec.texels(content, fmt), at)
        codec.compare_read(f"read {number}", device.read(out, values, (len(at), 4)), want, fmt)
        if not number:
            assert base is not None
            root = base if base.base is None else base.base
            root[...] = np.roll(root, 5, axis=0)
            device.copy(whole, root)


def by_write(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """A kernel writes every element."""
    at = access.all_positions(kind, device.rng)
    colours = codec.random_colours(device.rng, fmt, len(at))
    kernel = device.build(access.write_source(kind, fmt)).f
    device.launch(kernel, [len(at)], None, image, device.buffer(at), device.buffer(colours))
    got = images.whole(device, image, content)
    codec.compare_stored("written", access.at_positions(got, at), colours, fmt)
    content[...] = got


def by_copy(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """clEnqueueCopyImage from another image, and clEnqueueFillImage."""
    other, source = images.filled(device, kind, fmt)
    (here, region, slices), (there, _, target) = images.place(kind, 1), images.place(kind, 0)
    images.enqueue(
        device,
        "clEnqueueCopyImage",
        other.int_ptr,
        image.int_ptr,
        opencl.sizes(here),
        opencl.sizes(there),
        opencl.sizes(region),
    )
    content[target] = source[slices]
    colour = codec.random_colours(device.rng, fmt, 8)[7]
    corner = (slice(0, 1),) * 3
    images.enqueue(
        device, "clEnqueueFillImage", image.int_ptr, colour.ctypes.data, opencl.sizes(images.ORIGIN), opencl.sizes((1, 1, 1))
    )
    got = images.whole(device, image, content)
    codec.compare_stored("filled", got[corner], colour.reshape(1, 1, 1, 4), fmt)
    content[corner] = got[corner]


def by_fill(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """clEnqueueFillImage of a part; the elements around it must stay, and those between the rows, too."""
    (origin, region, slices), ground = images.place(kind, 1), content.copy()
    colour = codec.random_colours(device.rng, fmt, 8)[7]
    where = [opencl.sizes(t) for t in (origin, region)]
    images.enqueue(device, "clEnqueueFillImage", image.int_ptr, colour.ctypes.data, *where)
    got = images.whole(device, image, content)
    filled = got[slices].reshape(-1, got.shape[-1])
    codec.compare_stored("clEnqueueFillImage", filled, np.broadcast_to(colour, (len(filled), 4)), fmt)
    content[slices] = ground[slices] = got[slices]
    check.equal("the image around clEnqueueFillImage's part", got, ground)


def by_map(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """clEnqueueMapImage of a part, read and written."""
    origin, region, slices = images.place(kind, 1)
    flags = cl.map_flags.READ | cl.map_flags.WRITE
    pointer, row, slice_ = images.map_region(device, image, flags, origin, region)
    view = images.region_of(pointer, row, slice_, kind, region, content)
    check.equal("mapped", view.copy(), content[slices])
    view[...] = content[slices] = codec.random_content(device.rng, fmt, tuple(reversed(region)))
    images.unmap(device, image, pointer)


def by_copy_from(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """clEnqueueCopyImage to another image, with longer rows."""
    other, ground = images.filled(device, replace(kind, extents=(kind.extents[0] + 32, *kind.extents[1:])), fmt)
    (here, region, slices), (there, _, target) = images.place(kind, 1), images.place(kind, 0)
    where = [opencl.sizes(t) for t in (here, there, region)]
    images.enqueue(device, "clEnqueueCopyImage", image.int_ptr, other.int_ptr, *where)
    ground[target] = content[slices]
    check.equal("target", images.whole(device, other, ground), ground)


def by_to_buffer(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """clEnqueueCopyImageToBuffer, to the beginning of another buffer."""
    origin, region, slices = images.place(kind, 1)
    ground = codec.random_content(device.rng, fmt, (256,))
    other, packed = device.buffer(ground), content[slices].reshape(-1, content.shape[-1])
    where = [opencl.sizes(t) for t in (origin, region)]
    images.enqueue(device, "clEnqueueCopyImageToBuffer", image.int_ptr, other.int_ptr, *where, 0)
    ground[: len(packed)] = packed
    check.equal("target", device.read(other, ground.dtype, ground.shape), ground)


def by_from_buffer(device: Device, kind: ImageType, fmt: Format, image: cl.Image, whole: cl.Buffer, content: Array) -> None:
    """clEnqueueCopyBufferToImage, from the beginning of another buffer."""
    origin, region, slices = images.place(kind, 1)
    data = codec.random_content(device.rng, fmt, (256,))
    other = device.buffer(data)
    where = [opencl.sizes(t) for t in (origin, region)]
    images.enqueue(device, "clEnqueueCopyBufferToImage", other.int_ptr, image.int_ptr, 0, *where)
    content[slices] = data[: int(np.prod(region))].reshape(content[slices].shape)


_BY = {
    "host": by_host,
    "part": by_part,
    "read": by_read,
    "size": by_size,
    "written_size": by_written_size,
    "write": by_write,
    "copy": by_copy,
    "fill": by_fill,
    "map": by_map,
    "copy_from": by_copy_from,
    "to_buffer": by_to_buffer,
    "from_buffer": by_from_buffer,
}


def check_square_alias(device: Device, *, kind: str, format: str, way: str) -> None:
    """A full column of an image of a buffer that has as many rows as a row has elements; the elements around it must stay.

    `way`: read, write, map, or a copy: between, from_image, to_image.
    """
    fmt = Format.of(format)
    unit = max(1, device_uint(device, _PITCH_ALIGNMENT))
    side = -(-(64 // images.element_size(fmt)) // unit) * unit
    image_type = replace(KINDS[kind], extents=(side - 1, side, 1))  # the last element of each row is outside of the image
    extra = int(unit == 1)
    whole, image, memory, content = alias(device, image_type, fmt, extra, 0)
    region = (side // 2 - 1, side, 1)
    here, there = (1, 0, 0), (2, 0, 0)
    source, target = content[:, :, 1 : side // 2], content[:, :, 2 : side // 2 + 1]
    if way in ("between", "from_image", "to_image"):
        other_whole, other, other_memory, other_content = alias(device, image_type, fmt, extra, 0)
        if way != "between":
            other, other_content = images.filled(device, replace(image_type, extents=(side, side, 1)), fmt)
        column = other_content[:, :, 2 : side // 2 + 1] if way == "to_image" else other_content[:, :, 1 : side // 2]
        pair = (image, other) if way == "to_image" else (other, image)
        where = [opencl.sizes(t) for t in (here, there, region)]
        images.enqueue(device, "clEnqueueCopyImage", *(i.int_ptr for i in pair), *where)
        if way == "to_image":
            column[...] = source
            check.equal("target", images.whole(device, other, other_content), other_content)
        else:
            target[...] = column
            check.equal("source", images.whole(device, other, other_content), other_content)
            check.equal("source's buffer", device.read(other_whole, memory.dtype, memory.shape), other_memory)
    elif way == "map":
        pointer, row, slice_ = images.map_region(device, image, cl.map_flags.READ, here, region)
        check.equal("mapped", images.region_of(pointer, row, slice_, image_type, region, content).copy(), source)
        images.unmap(device, image, pointer)
    else:
        host = codec.random_content(device.rng, fmt, (1, side, side))
        box, pitches = host[:, :, : region[0]], (side * images.element_size(fmt), 0)
        if way == "write":
            images.write(device, image, host, there, region, pitches)
            target[...] = box
        else:
            got = host.copy()
            images.read(device, image, got, here, region, pitches)
            box[...] = source
            check.equal("host", got, host)
    check.equal("buffer", device.read(whole, memory.dtype, memory.shape), memory)


def check_sampled_alias(device: Device, *, kind: str, format: str, addressing: str, extra: int, at: int) -> None:
    """A kernel reads a 2D image of a buffer through samplers, beyond its edges, too.

    The filters are nearest, and linear if the format allows it.
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    _, image, _, content = alias(device, image_type, fmt, extra, at)
    kernel, values = device.build(sampling.sampler_source(image_type, fmt, "")).f, codec.VALUES[fmt.suffix]
    elements = codec.texels(content, fmt)
    for filtering in ("nearest", "linear")[: 2 if fmt.suffix == "f" else 1]:
        modes = (addressing, filtering, True)
        u = sampling.positions(device.rng, image_type, *modes[:2])
        places, out = device.buffer(sampling.coordinates(image_type, u, True)), device.buffer(np.zeros((len(u), 4), values))
        device.launch(kernel, [len(u)], None, image, sampling.new_sampler(device, *modes), places, out)
        sampling.compare_sampled(device.read(out, values, (len(u), 4)), elements, image_type, fmt, u, modes)


def check_long_buffer(device: Device, *, kind: str, format: str, width: int) -> None:
    """A 1D buffer image that is longer than other images may be. `width`: at most; the device may allow less."""
    width = min(width, device.device.image_max_buffer_size)
    image_type, fmt = KINDS[kind], Format.of(format)
    content = codec.random_content(device.rng, fmt, (1, 1, width))
    image = images.create(device, image_type, fmt, buffer=device.buffer(content), extents=(width, 1, 1))
    at = np.zeros((64, 4), np.int32)
    at[:, 0] = device.rng.integers(0, width, 64)
    at[:4, 0] = [0, width - 1, width // 2, width // 2 - 1]
    kernel = device.build(access.read_source(image_type, fmt, sampled=False)).f
    out = device.buffer(np.zeros((64, 4), codec.VALUES[fmt.suffix]))
    device.launch(kernel, [64], None, image, device.buffer(at), out)
    got = device.read(out, codec.VALUES[fmt.suffix], (64, 4))
    codec.compare_read("read", got, access.at_positions(codec.texels(content, fmt), at), fmt)
