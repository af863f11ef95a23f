"""Images of the host's memory, and the host's access to images (OpenCL API 3.0, 5.2.1, 5.3.1, 5.3.7)."""

import ctypes
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device
from runner.image_formats import CHANNELS, ORDERS

from ..kit import opencl
from . import codec, images
from .table import KINDS, Format, ImageType

Array = NDArray[Any]

_HOST = {
    "use": cl.mem_flags.USE_HOST_PTR,
    "copy": cl.mem_flags.COPY_HOST_PTR,
    "alloc_copy": cl.mem_flags.ALLOC_HOST_PTR | cl.mem_flags.COPY_HOST_PTR,
}
_MEMORY = {**_HOST, "alloc": cl.mem_flags.ALLOC_HOST_PTR}


def check_host_pointer(device: Device, *, kind: str, format: str, way: str, padded: bool) -> None:
    """An image from the host's memory, with pitches or without.

    With CL_MEM_USE_HOST_PTR, a map brings the elements back into that memory. With other flags, the host may change the
    memory as soon as the image exists.
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    width, height, depth = image_type.extents
    element = images.element_size(fmt)
    row = (width + 4 * padded) * element
    rows = 1 if image_type.name == "1d_array" else height + padded * (image_type.axes > 2)
    shape = (1, height) if image_type.name == "1d_array" else (depth, rows)
    memory = codec.random_content(device.rng, fmt, (*shape, width + 4 * padded))
    box = memory[:depth, :height, :width]
    content = box.copy()
    layered = image_type.layered or image_type.name == "3d"
    pitches = (row if padded and image_type.axes > 1 else 0, row * rows if padded and layered else 0)
    image = images.create(device, image_type, fmt, _HOST[way] | cl.mem_flags.READ_WRITE, host=memory, pitches=pitches)
    if way != "use":
        memory[...] = 0
    check.equal("image", images.whole(device, image, content), content)
    if way != "use":
        return
    colour = codec.random_colours(device.rng, fmt, 8)[7]
    origin, region, part = images.place(image_type, 0)
    images.enqueue(
        device, "clEnqueueFillImage", image.int_ptr, colour.ctypes.data, opencl.sizes(origin), opencl.sizes(region)
    )
    filled = images.whole(device, image, content)
    pointer, *_ = images.map_region(device, image, images.MAP["read"], images.ORIGIN, image_type.extents)
    check.equal("the host's memory while mapped", box.copy(), filled)
    images.unmap(device, image, pointer)
    codec.compare_stored("filled", filled[part], np.broadcast_to(colour, (*filled[part].shape[:3], 4)), fmt)


def check_host_pitch(device: Device, *, kind: str, format: str, way: str, pitch: str, deprecated: bool) -> None:
    """The host's memory with one pitch given and the other 0 (API 3.0, 5.3.1.2).

    `deprecated`: by clCreateImage2D and clCreateImage3D, which take the pitches as arguments of their own.

    A row pitch of 0 is the size of a row; a slice pitch of 0 is the row pitch times the height, or for a 1D array the row
    pitch.
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    width, height, depth = image_type.extents
    element = images.element_size(fmt)
    layers, rows = (height, 1) if image_type.name == "1d_array" else (depth, height)
    row = (width + 4 * (pitch == "row")) * element
    slice_ = row * (rows + (pitch == "slice"))
    memory = device.rng.integers(0, 256, layers * slice_, dtype=np.uint8)
    steps = (slice_, row) if rows > 1 else (layers * slice_, slice_)
    shape = (depth, height, width, element)
    content = np.lib.stride_tricks.as_strided(memory, shape, (*steps, element, 1)).copy()
    pitches = (row, 0) if pitch == "row" else (0, slice_)
    flags = _HOST[way] | cl.mem_flags.READ_WRITE
    if deprecated:
        image = _created_by(f"clCreateImage{image_type.name.upper()}", device, image_type, fmt, flags, memory, pitches)
    else:
        image = images.create(device, image_type, fmt, flags, host=memory, pitches=pitches)
    check.equal("image", images.whole(device, image, content), content)
    pointer, mapped_row, mapped_slice = images.map_region(
        device, image, images.MAP["read"], images.ORIGIN, image_type.extents
    )
    view = images.region_of(pointer, mapped_row, mapped_slice, image_type, image_type.extents, content)
    check.equal("mapped", view.copy(), content)
    images.unmap(device, image, pointer)


def _created_by(
    function: str, device: Device, kind: ImageType, fmt: Format, flags: int, memory: Array, pitches: tuple[int, int]
) -> cl.Image:
    """An image created by a function of OpenCL 1.1."""
    form = (ctypes.c_uint32 * 2)(ORDERS[fmt.order], CHANNELS[fmt.channel])
    sizes = (*kind.extents[: kind.axes], *pitches[: kind.axes - 1])
    handle, code = opencl.create(function, device.context.int_ptr, int(flags), form, *sizes, memory.ctypes.data)
    check.equal(function, code, opencl.SUCCESS, stage="api")
    image = cl.Image.from_int_ptr(handle, retain=False)
    image.memory = memory
    return image


def check_alloc(device: Device, *, kind: str, format: str) -> None:
    """An image with CL_MEM_ALLOC_HOST_PTR, written through a map and read by a command."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image = images.create(device, image_type, fmt, cl.mem_flags.ALLOC_HOST_PTR | cl.mem_flags.READ_WRITE)
    content = codec.random_content(device.rng, fmt, tuple(reversed(image_type.extents)))
    pointer, row, slice_ = images.map_region(device, image, images.MAP["invalidate"], images.ORIGIN, image_type.extents)
    images.region_of(pointer, row, slice_, image_type, image_type.extents, content)[...] = content
    images.unmap(device, image, pointer)
    check.equal("image", images.whole(device, image, content), content)


def check_host_query(device: Device, *, kind: str, format: str, way: str) -> None:
    """CL_MEM_HOST_PTR is the memory that the image uses, or NULL if the image has a copy (API 3.0, 5.5.6)."""
    image_type, fmt = KINDS[kind], Format.of(format)
    memory = codec.random_content(device.rng, fmt, tuple(reversed(image_type.extents)))
    image = images.create(device, image_type, fmt, _HOST[way] | cl.mem_flags.READ_WRITE, host=memory)
    answer = int.from_bytes(opencl.queried("clGetMemObjectInfo", image.int_ptr, cl.mem_info.HOST_PTR), "little")
    uses = way == "use"
    check.equal("CL_MEM_HOST_PTR is host_ptr", answer == memory.ctypes.data, uses, stage="api")
    check.equal("CL_MEM_HOST_PTR is NULL", answer == 0, not uses, stage="api")


def check_host_map(device: Device, *, kind: str, format: str, way: str) -> None:
    """Parts of an image with the host's memory, mapped one after the other.

    The origins and extents differ: the whole, a part within, the last layer or row, one element at the end. A map shows
    what a command wrote, and what the host writes through the map is in the image.
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    content = codec.random_content(device.rng, fmt, tuple(reversed(image_type.extents)))
    flags, memory = _MEMORY[way], codec.random_content(device.rng, fmt, content.shape[:3])
    fill = flags & (cl.mem_flags.USE_HOST_PTR | cl.mem_flags.COPY_HOST_PTR)
    image = images.create(device, image_type, fmt, flags | cl.mem_flags.READ_WRITE, host=memory if fill else None)
    images.write(device, image, content, images.ORIGIN, image_type.extents)
    last = [n - 1 for n in image_type.extents]
    outer = max(i for i in range(image_type.axes))  # the outermost axis
    parts = [images.place(image_type, corner)[:2] for corner in (0, 1)]
    parts += [
        (
            [last[i] if i == outer else 0 for i in range(3)],
            [1 if i == outer else n for i, n in enumerate(image_type.extents)],
        )
    ]
    parts += [(last, [1, 1, 1])]
    for number, (origin, region) in enumerate(parts):
        slices = tuple(slice(o, o + r) for o, r in zip(origin, region, strict=True))[::-1]
        pointer, row, slice_ = images.map_region(device, image, images.MAP["write"], origin, region)
        view = images.region_of(pointer, row, slice_, image_type, region, content)
        check.equal(f"part {number}", view.copy(), content[slices])
        if way == "use":  # clEnqueueMapImage: host_ptr has the latest bits of the region
            check.equal(f"clEnqueueMapImage: part {number} in host_ptr", memory[slices], content[slices])
        view[...] = content[slices] = content[slices][::-1, ::-1, ::-1]
        images.unmap(device, image, pointer)
        check.equal(f"after part {number}", images.whole(device, image, content), content)


_ACCESS = {
    "read_only": (cl.mem_flags.HOST_READ_ONLY, True, False),
    "write_only": (cl.mem_flags.HOST_WRITE_ONLY, False, True),
    "no_access": (cl.mem_flags.HOST_NO_ACCESS, False, False),
}


def check_host_access(device: Device, *, kind: str, format: str, access: str) -> None:
    """CL_MEM_HOST_*: the accesses that the host may make work, others are refused, and the device sees the elements."""
    image_type, fmt = KINDS[kind], Format.of(format)
    flag, reads, writes = _ACCESS[access]
    content = codec.random_content(device.rng, fmt, tuple(reversed(image_type.extents)))
    flags = flag | cl.mem_flags.READ_WRITE
    if image_type.name == "1d_buffer":
        of = cl.Buffer(device.context, flags | cl.mem_flags.COPY_HOST_PTR, hostbuf=content)
        image = images.create(device, image_type, fmt, flags, buffer=of)
    else:
        image = images.create(device, image_type, fmt, flags | cl.mem_flags.COPY_HOST_PTR, host=content)
    whole = (opencl.sizes(images.ORIGIN), opencl.sizes(image_type.extents))
    got = np.zeros_like(content)
    sent = codec.random_content(device.rng, fmt, content.shape[:3])
    for function, may, memory in (("clEnqueueReadImage", reads, got), ("clEnqueueWriteImage", writes, sent)):
        code = opencl.call(function, device.queue.int_ptr, image.int_ptr, 1, *whole, 0, 0, memory.ctypes.data, 0, 0, 0)
        check.equal(function, code, opencl.SUCCESS if may else "CL_INVALID_OPERATION", stage="api")
    for name, flag, may in (("read", images.MAP["read"], reads), ("write", cl.map_flags.WRITE, writes)):
        pitches = np.zeros(2, np.uintp)
        pointer, code = opencl.create(
            "clEnqueueMapImage",
            device.queue.int_ptr,
            image.int_ptr,
            1,
            int(flag),
            *whole,
            pitches.ctypes.data,
            pitches.ctypes.data + 8,
            0,
            0,
            0,
        )
        check.equal(f"map for {name}", code, opencl.SUCCESS if may else "CL_INVALID_OPERATION", stage="api")
        if may:
            images.unmap(device, image, pointer)
    if reads:
        check.equal("read", got, content)
    target = device.buffer(content.nbytes)
    images.enqueue(device, "clEnqueueCopyImageToBuffer", image.int_ptr, target.int_ptr, *whole, 0)
    want = sent if writes else content
    check.equal("copied", device.read(target, content.dtype, content.shape), want)
