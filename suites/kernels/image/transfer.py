"""Commands that move elements: the host's reads and writes, copies and fills, with origins other than 0."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit import opencl
from . import codec, images
from .table import KINDS, Format, ImageType

Array = NDArray[Any]


# Layouts of the host's memory: elements between two rows, and whether slices are further apart than their rows need.
_LAYOUTS = {"packed": (0, False), "rows": (3, False), "slices": (3, True)}


def host_memory(
    device: Device, kind: ImageType, region: images.Triple, like: Array, layout: str
) -> tuple[Array, Array, tuple[int, int]]:
    """Memory with random content, a view of the region in it as (z, y, x, component), and the pitches to pass."""
    gap, apart = _LAYOUTS[layout]
    element = like.shape[-1] * like.itemsize
    row = (region[0] + gap) * element
    slice_ = row * ((1 if kind.name == "1d_array" else region[1]) + apart)
    strides = (0, slice_) if kind.name == "1d_array" else (slice_, row)
    size = strides[0] * region[2] + strides[1] * region[1] + row
    memory = device.rng.integers(0, 120, size // like.itemsize).astype(like.dtype)
    box = np.lib.stride_tricks.as_strided(memory, (*reversed(region), like.shape[-1]), (*strides, element, like.itemsize))
    layered = kind.layered or kind.name == "3d"
    return memory, box, (row, slice_ if layered else 0) if gap else (0, 0)


def check_host_write(device: Device, *, kind: str, format: str, layout: str) -> None:
    """clEnqueueWriteImage of a part; the rest must stay."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    origin, region, slices = images.place(image_type, 0)
    memory, box, pitches = host_memory(device, image_type, region, content, layout)
    images.write(device, image, memory, origin, region, pitches)
    content[slices] = box
    check.equal("image after clEnqueueWriteImage", images.whole(device, image, content), content)


def check_host_read(device: Device, *, kind: str, format: str, layout: str) -> None:
    """clEnqueueReadImage of a part; the bytes between the rows must stay."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    origin, region, slices = images.place(image_type, 1)
    memory, box, pitches = host_memory(device, image_type, region, content, layout)
    got = memory.copy()
    images.read(device, image, got, origin, region, pitches)
    box[...] = content[slices]
    check.equal("host after clEnqueueReadImage", got, memory)


def _enqueue_copy(
    device: Device, source: cl.Image, target: cl.Image, here: images.Triple, there: images.Triple, region: images.Triple
) -> None:
    places = map(opencl.sizes, (here, there, region))
    images.enqueue(device, "clEnqueueCopyImage", source.int_ptr, target.int_ptr, *places)


def check_copy(device: Device, *, source: str, target: str, format: str) -> None:
    """clEnqueueCopyImage between different places in images of two types (API 3.0, 5.3.4).

    `source`, `target`: kinds.
    """
    compare_copy_between(device, KINDS[source], KINDS[target], Format.of(format))


def compare_copy_between(device: Device, source: ImageType, target: ImageType, fmt: Format) -> None:
    """clEnqueueCopyImage of the largest region that fits at different origins."""
    (one, content), (two, ground) = (images.filled(device, kind, fmt) for kind in (source, target))
    here, there, region = overlap(source, target)
    _enqueue_copy(device, one, two, here, there, region)
    ground[box(there, region)] = content[box(here, region)]
    check.equal("target of clEnqueueCopyImage", images.whole(device, two, ground), ground)
    check.equal("source of clEnqueueCopyImage", images.whole(device, one, content), content)


def overlap(source: ImageType, target: ImageType) -> tuple[list[int], list[int], list[int]]:
    """Origins in the two images, and the largest region that fits into both from there."""
    here, there = ([start if i < k.axes else 0 for i in range(3)] for k, start in ((source, 1), (target, 2)))
    room = zip(source.extents, here, target.extents, there, strict=True)
    return here, there, [max(1, min(a - x, b - y)) for a, x, b, y in room]


def box(origin: images.Triple, region: images.Triple) -> tuple[slice, ...]:
    """The slices of (z, y, x)."""
    return tuple(slice(o, o + r) for o, r in zip(origin, region, strict=True))[::-1]


def check_copy_rows(device: Device, *, kind: str, format: str, lengths: Sequence[int]) -> None:
    """clEnqueueCopyImage of whole rows between images whose rows may differ in length. A driver may copy all rows at once
    if they are adjacent in both images. Rows of 64 and 128 bytes leave a driver nothing to align.
    """
    fmt = Format.of(format)
    kinds = []
    for length in lengths:
        old = KINDS[kind]
        kinds.append(replace(old, extents=(64 * length // images.element_size(fmt), *old.extents[1:])))
    (source, content), (target, ground) = (images.filled(device, each, fmt) for each in kinds)
    region = [min(each.extents[0] for each in kinds), *(max(1, n - 1) for n in kinds[0].extents[1:])]
    here, there = [0, *(int(kinds[0].axes > i) for i in (1, 2))], [0, 0, 0]
    _enqueue_copy(device, source, target, here, there, region)
    ground[box(there, region)] = content[box(here, region)]
    check.equal("target of clEnqueueCopyImage of whole rows", images.whole(device, target, ground), ground)


def check_copy_within(device: Device, *, kind: str, format: str, along: int | None = None) -> None:
    """clEnqueueCopyImage within one image, to a part that does not overlap.

    `along`: the only coordinate in which the two parts differ; if it is None, they differ in all.
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    here, there = [0, 0, 0], [(image_type.extents[0] + 1) // 2, *(1 if i < image_type.axes else 0 for i in (1, 2))]
    region = [image_type.extents[0] // 2, *(max(1, image_type.extents[i] - 1) for i in (1, 2))]
    if along is not None:
        origin, part, _ = images.place(image_type, 0)
        here, there, region = list(origin), list(origin), list(part)
        here[along], there[along], region[along] = 0, image_type.extents[along] - 1, 1
    _enqueue_copy(device, image, image, here, there, region)
    want = content.copy()
    want[box(there, region)] = content[box(here, region)]
    check.equal("image after clEnqueueCopyImage", images.whole(device, image, content), want)


def check_image_to_buffer(device: Device, *, kind: str, format: str, sub: bool = False) -> None:
    """clEnqueueCopyImageToBuffer; the offset is in bytes, and the rest must stay. `sub`: to a sub-buffer.

    The buffer has room for an offset that a driver takes for a number of elements, and for an origin that it adds twice.
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    origin, region, slices = images.place(image_type, 0)
    packed = np.frombuffer(content[slices].tobytes(), np.uint8)
    offset = 3 * images.element_size(fmt)
    at = device.device.mem_base_addr_align // 8 if sub else 0
    want = device.rng.integers(1, 250, 4096 + 2 * at, dtype=np.uint8)
    buffer = device.buffer(want)
    target = buffer.get_sub_region(at, 2048) if at else buffer
    images.enqueue(
        device,
        "clEnqueueCopyImageToBuffer",
        image.int_ptr,
        target.int_ptr,
        opencl.sizes(origin),
        opencl.sizes(region),
        offset,
    )
    want[at + offset : at + offset + len(packed)] = packed
    check.equal("buffer after clEnqueueCopyImageToBuffer", device.read(buffer, np.uint8, len(want)), want)


def check_buffer_to_image(device: Device, *, kind: str, format: str, sub: bool = False) -> None:
    """clEnqueueCopyBufferToImage from an offset in bytes. `sub`: from a sub-buffer."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    origin, region, slices = images.place(image_type, 1)
    element = images.element_size(fmt)
    offset = 3 * element
    at = device.device.mem_base_addr_align // 8 // element if sub else 0
    data = codec.random_content(device.rng, fmt, (256 + 2 * at,))
    buffer = device.buffer(data)
    source = buffer.get_sub_region(at * element, 256 * element) if at else buffer
    images.enqueue(
        device,
        "clEnqueueCopyBufferToImage",
        source.int_ptr,
        image.int_ptr,
        offset,
        opencl.sizes(origin),
        opencl.sizes(region),
    )
    count = int(np.prod(region))
    content[slices] = data[at + 3 : at + 3 + count].reshape(content[slices].shape)
    check.equal("image after clEnqueueCopyBufferToImage", images.whole(device, image, content), content)


def check_fill(device: Device, *, kind: str, format: str, flags: Any = cl.mem_flags.READ_WRITE) -> None:
    """clEnqueueFillImage of a part with four colours in turn, which are converted as in a kernel's write."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt, flags)
    colours = codec.random_colours(device.rng, fmt, 16)
    for number, colour in enumerate(colours[[0, 1, 2, -1]]):
        corner = number % 2
        origin, region, slices = images.place(image_type, corner)
        sent = np.ascontiguousarray(colour[:1] if fmt.order == "depth" else colour)
        images.enqueue(
            device, "clEnqueueFillImage", image.int_ptr, sent.ctypes.data, opencl.sizes(origin), opencl.sizes(region)
        )
        got = images.whole(device, image, content)
        filled = got[slices].reshape(-1, got.shape[-1])
        codec.compare_stored("filled", filled, np.broadcast_to(colour, (len(filled), 4)), fmt)
        content[slices] = got[slices]
        check.equal("the rest after clEnqueueFillImage", got, content)


def check_square(device: Device, *, kind: str, format: str, way: str, pitch: str) -> None:
    """A full column of a square image, which has as many rows as one row of it or of the host's memory has elements.

    `way`: write, read or map; `pitch`: of the host's memory, packed or the image's width.
    """
    fmt = Format.of(format)
    element = images.element_size(fmt)
    side = 64 // element
    image_type = replace(KINDS[kind], extents=(side, side, KINDS[kind].extents[2] // 2 + 1))
    image, content = images.filled(device, image_type, fmt)
    depth = image_type.extents[2] if image_type.axes > 2 else 1
    column = (slice(0, depth), slice(0, side), slice(1, side // 2))
    origin, region = (1, 0, 0), (side // 2 - 1, side, depth)
    width = side if pitch == "width" else region[0]
    memory = codec.random_content(device.rng, fmt, (depth, side, width))
    box, pitches = memory[:, :, : region[0]], (width * element, width * element * side * (image_type.axes > 2))
    if way == "write":
        images.write(device, image, memory, origin, region, pitches)
        content[column] = box
    elif way == "read":
        got = memory.copy()
        images.read(device, image, got, origin, region, pitches)
        box[...] = content[column]
        check.equal("host", got, memory)
    else:
        pointer, row, slice_ = images.map_region(device, image, cl.map_flags.READ, origin, region)
        check.equal("mapped", images.region_of(pointer, row, slice_, image_type, region, content).copy(), content[column])
        images.unmap(device, image, pointer)
    check.equal("image", images.whole(device, image, content), content)
