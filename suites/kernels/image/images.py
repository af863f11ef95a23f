"""Creates, fills and reads images for the bodies.

Transfers under test call libOpenCL directly; results of kernels are read through `Device`.
"""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import transfers
from runner.check import Mismatch, Unsupported
from runner.device import Device
from runner.image_formats import CHANNELS, ORDERS

from ..kit import opencl
from .codec import ELEMENTS, components, random_content
from .table import KINDS, Format, ImageType

Array = NDArray[Any]
Triple = Sequence[int]

# pyopencl's enqueue_copy treats an object as an image if its type is in this list, which lacks the 1D ones.
for _type in (cl.mem_object_type.IMAGE1D, cl.mem_object_type.IMAGE1D_ARRAY, cl.mem_object_type.IMAGE1D_BUFFER):
    if _type not in cl._IMAGE_MEM_OBJ_TYPES:
        cl._IMAGE_MEM_OBJ_TYPES.append(_type)

_TYPES = {name: getattr(cl.mem_object_type, f"IMAGE{name.upper()}") for name in KINDS}
MAP = {
    "read": cl.map_flags.READ,
    "write": cl.map_flags.READ | cl.map_flags.WRITE,
    "invalidate": cl.map_flags.WRITE_INVALIDATE_REGION,
}
ORIGIN = (0, 0, 0)
_OTHER_ORDER = "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR"


def create(
    device: Device,
    kind: ImageType,
    fmt: Format,
    flags: int = cl.mem_flags.READ_WRITE,
    *,
    host: Array | None = None,
    pitches: tuple[int, int] = (0, 0),
    buffer: cl.MemoryObject | None = None,
    extents: Triple | None = None,
    unused: int = 0,
) -> cl.Image:
    """An image of `kind.extents` (or `extents`); a 1D buffer image without `buffer` gets a buffer of its own length.

    `host` and `pitches` belong to the host's memory, which the flags tell to use or copy; `unused` goes into the fields of
    the descriptor that the type lacks. Raises Mismatch if the image is refused, Unsupported if it may be (5.3.1.2).
    """
    width, height, depth = extents or kind.extents
    if kind.name == "1d_buffer" and buffer is None:
        buffer = device.buffer(width * element_size(fmt))
    desc = cl.ImageDescriptor()
    desc.image_type = _TYPES[kind.name]
    flat = kind.name.startswith("1d")
    desc.shape = (width, unused if flat else height, depth if kind.name == "3d" else unused)
    desc.array_size = {"1d_array": height, "2d_array": depth}.get(kind.name, unused)
    desc.pitches = pitches
    desc.num_mip_levels = desc.num_samples = 0
    desc.buffer = buffer
    if buffer is not None:
        transfers.tell({"2d": "image2d_from_buffer", "1d_buffer": "image1d_buffer"}.get(kind.name, "a view of an image"))
    if any(pitches) and host is not None:
        transfers.tell("host memory by image_row_pitch, image_slice_pitch")
    try:
        image: Any = cl.Image(device.context, flags, image_format(fmt), hostbuf=host, desc=desc)
    except cl.Error as error:
        name = opencl.name_of(error.code)
        if name == _OTHER_ORDER and isinstance(buffer, cl.Image) and buffer.format == image_format(fmt):
            raise Unsupported("an image of an image in its own order, which the table of compatible orders lacks") from error
        raise Mismatch(f"api: clCreateImage {kind.name} {fmt.name}: {name}") from error
    # No clause says that an image keeps its buffer or the host's memory, so they are kept as long as this object.
    image.memory = (buffer, host)
    return image


def image_format(fmt: Format) -> cl.ImageFormat:
    """The format in the API's terms."""
    return cl.ImageFormat(ORDERS[fmt.order], CHANNELS[fmt.channel])


def element_size(fmt: Format) -> int:
    """The size of an element in bytes."""
    return components(fmt) * np.dtype(ELEMENTS[fmt.channel]).itemsize


def filled(device: Device, kind: ImageType, fmt: Format, flags: int = cl.mem_flags.READ_WRITE) -> tuple[cl.Image, Array]:
    """An image with random content, and the content as (z, y, x, component)."""
    content = random_content(device.rng, fmt, tuple(reversed(kind.extents)))
    image = create(device, kind, fmt, flags)
    write(device, image, content, ORIGIN, kind.extents)
    return image, content


def whole(device: Device, image: cl.Image, like: Array) -> Array:
    """All elements, in an array of the shape and type of `like`."""
    return device.read_image(image, like.dtype, like.shape, ORIGIN, tuple(reversed(like.shape[:3])))


def write(device: Device, image: cl.Image, source: Array, origin: Triple, region: Triple, pitches: Triple = (0, 0)) -> None:
    """Call clEnqueueWriteImage, and wait for it."""
    enqueue(
        device,
        "clEnqueueWriteImage",
        image.int_ptr,
        1,
        opencl.sizes(origin),
        opencl.sizes(region),
        *pitches,
        source.ctypes.data,
    )


def read(device: Device, image: cl.Image, target: Array, origin: Triple, region: Triple, pitches: Triple = (0, 0)) -> None:
    """Call clEnqueueReadImage, and wait for it."""
    enqueue(
        device,
        "clEnqueueReadImage",
        image.int_ptr,
        1,
        opencl.sizes(origin),
        opencl.sizes(region),
        *pitches,
        target.ctypes.data,
    )


def enqueue(device: Device, function: str, *arguments: Any) -> None:
    """Enqueue a command without a wait list and an event, and finish the queue. Raises Mismatch if it is refused."""
    code = opencl.call(function, device.queue.int_ptr, *arguments, 0, 0, 0)
    if code != opencl.SUCCESS:
        raise Mismatch(f"enqueue: {function}: {code}")
    device.queue.finish()


def unmap(device: Device, image: cl.Image, pointer: int) -> None:
    """Call clEnqueueUnmapMemObject, and wait for it."""
    enqueue(device, "clEnqueueUnmapMemObject", image.int_ptr, pointer)


def map_region(device: Device, image: cl.Image, flags: int, origin: Triple, region: Triple) -> tuple[int, int, int]:
    """Call clEnqueueMapImage, blocking; returns the pointer, and the row pitch and the slice pitch in bytes."""
    pitches = (ctypes.c_size_t * 2)(77, 77)
    row, slice_ = (ctypes.addressof(pitches) + 8 * i for i in range(2))
    pointer, code = opencl.create(
        "clEnqueueMapImage",
        device.queue.int_ptr,
        image.int_ptr,
        1,
        int(flags),
        opencl.sizes(origin),
        opencl.sizes(region),
        row,
        slice_,
        0,
        0,
        0,
    )
    if code != opencl.SUCCESS:
        raise Mismatch(f"enqueue: clEnqueueMapImage: {code}")
    return pointer, pitches[0], pitches[1]


def place(kind: ImageType, corner: int) -> tuple[Triple, Triple, tuple[slice, ...]]:
    """A part of an image that along no axis touches both ends: origin, region, and the slices of (z, y, x).

    The part of corner 0 is closer to the origin than that of corner 1; the two overlap.
    """
    origin = [corner + 1 if i < kind.axes else 0 for i in range(3)]
    region = [max(1, kind.extents[i] - (3 if i < 2 else 2)) if i < kind.axes else 1 for i in range(3)]
    if kind.axes == 1:
        region[0] = kind.extents[0] - 4
    slices = tuple(slice(o, o + r) for o, r in zip(origin, region, strict=True))
    return origin, region, slices[::-1]


def region_of(pointer: int, row: int, slice_: int, kind: ImageType, region: Triple, like: Array) -> Array:
    """A view of mapped memory as (z, y, x, component)."""
    if kind.name == "1d_array":  # whose images are one slice pitch apart
        row, slice_ = slice_, 0
    size, item = like.shape[-1], like.itemsize
    shape = (region[2], region[1], region[0], size)
    strides = (slice_, row, size * item, item)
    end = sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) + item
    memory = np.frombuffer((ctypes.c_uint8 * end).from_address(pointer), np.uint8)
    return np.lib.stride_tricks.as_strided(memory[:item].view(like.dtype), shape, strides)
