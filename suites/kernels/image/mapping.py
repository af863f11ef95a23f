"""clEnqueueMapImage (OpenCL API 3.0, 5.3.7)."""

from dataclasses import replace

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import opencl
from . import codec, images
from .table import KINDS, Format


def check_map_pitch(device: Device, *, kind: str, format: str) -> None:
    """The pitches of a map have room for a row and a slice; an image without slices has a slice pitch of 0."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, _ = images.filled(device, image_type, fmt)
    origin, region, _ = images.place(image_type, 0)
    pointer, row, slice_ = images.map_region(device, image, images.MAP["read"], origin, region)
    images.unmap(device, image, pointer)
    length = region[0] * images.element_size(fmt)
    check.true("the row pitch has room for a row", row >= length, stage="api")
    if image_type.layered or image_type.name == "3d":
        rows = 1 if image_type.name == "1d_array" else region[1]
        check.true("the slice pitch has room for a slice", slice_ >= rows * length, stage="api")
    elif image_type.name != "1d_buffer":  # which the clause does not mention
        check.equal(f"slice pitch of a {image_type.name} image", slice_, 0, stage="api")


def check_map(device: Device, *, kind: str, format: str, way: str) -> None:
    """A mapped part shows the elements, and what the host writes there is in the image after the unmap."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    origin, region, slices = images.place(image_type, 0)
    pointer, row, slice_ = images.map_region(device, image, images.MAP[way], origin, region)
    view = images.region_of(pointer, row, slice_, image_type, region, content)
    if way != "invalidate":
        check.equal("mapped", view.copy(), content[slices])
    if way != "read":
        content[slices] = codec.random_content(device.rng, fmt, tuple(reversed(region)))
        view[...] = content[slices]
    images.unmap(device, image, pointer)
    check.equal("after the unmap", images.whole(device, image, content), content)


def check_map_twice(device: Device, *, kind: str, format: str) -> None:
    """Two overlapping parts, mapped for reading at the same time."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    mapped = []
    for corner in (0, 1):
        origin, region, slices = images.place(image_type, corner)
        mapped.append((*images.map_region(device, image, images.MAP["read"], origin, region), region, slices))
    for number, (pointer, row, slice_, region, slices) in enumerate(mapped):
        view = images.region_of(pointer, row, slice_, image_type, region, content)
        check.equal(f"part {number}", view.copy(), content[slices])
        images.unmap(device, image, pointer)


def check_map_apart(device: Device, *, kind: str, format: str) -> None:
    """Two parts with more slices than rows, mapped for writing at the same time, do not share memory."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image_type = replace(image_type, extents=((13, 1, 1), (7, 24, 1), (7, 3, 24))[image_type.axes - 1])
    image, content = images.filled(device, image_type, fmt)
    width, parts = 6 if image_type.axes == 1 else 3, []
    for second in (0, 1):
        origin = [second * width, second * 2 if image_type.axes == 3 else 0, 0]
        region = [width, 1 if image_type.axes == 3 else image_type.extents[1], image_type.extents[2]]
        slices = tuple(slice(o, o + r) for o, r in zip(origin, region, strict=True))[::-1]
        content[slices] = codec.random_content(device.rng, fmt, tuple(reversed(region)))
        parts.append((*images.map_region(device, image, images.MAP["invalidate"], origin, region), region, slices))
    for pointer, row, slice_, region, slices in parts:
        images.region_of(pointer, row, slice_, image_type, region, content)[...] = content[slices]
    for pointer, *_ in parts:
        images.unmap(device, image, pointer)
    check.equal("after the unmaps", images.whole(device, image, content), content)


def check_map_count(device: Device, *, kind: str, format: str) -> None:
    """CL_MEM_MAP_COUNT counts the maps (API 3.0, 5.5.3)."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, _ = images.filled(device, image_type, fmt)
    mapped = []
    for corner in (0, 1):
        origin, region, _ = images.place(image_type, corner)
        mapped.append(images.map_region(device, image, images.MAP["read"], origin, region)[0])
        check.equal("maps", image.get_info(cl.mem_info.MAP_COUNT), corner + 1, stage="api")
    for left, pointer in zip((1, 0), mapped, strict=True):
        images.unmap(device, image, pointer)
        check.equal("maps", image.get_info(cl.mem_info.MAP_COUNT), left, stage="api")


def check_map_unmapped(device: Device, *, kind: str, format: str, of_host: bool) -> None:
    """Each map can be unmapped once, after which its pointer is invalid (API 3.0, 5.5.4)."""
    image_type, fmt = KINDS[kind], Format.of(format)
    content = codec.random_content(device.rng, fmt, tuple(reversed(image_type.extents)))
    memory = int(cl.mem_flags.USE_HOST_PTR) if of_host else 0
    host = content if of_host else None
    image = images.create(device, image_type, fmt, cl.mem_flags.READ_WRITE | memory, host=host)
    for count in (1, 2):
        pointers = [
            images.map_region(device, image, images.MAP["read"], images.ORIGIN, image_type.extents)[0] for _ in range(count)
        ]
        for pointer in pointers:
            images.unmap(device, image, pointer)
        code = opencl.call("clEnqueueUnmapMemObject", device.queue.int_ptr, image.int_ptr, pointers[-1], 0, 0, 0)
        check.equal(f"clEnqueueUnmapMemObject once more, after {count}", code, "CL_INVALID_VALUE", stage="api")


def check_map_after_command(device: Device, *, kind: str, format: str) -> None:
    """A map waits for the fill before it, and a command after the unmap sees what the host wrote."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    other = images.create(device, image_type, fmt)
    colour = codec.random_colours(device.rng, fmt, 8)[7]
    origin, region, slices = images.place(image_type, 1)
    code = opencl.call(
        "clEnqueueFillImage",
        device.queue.int_ptr,
        image.int_ptr,
        colour.ctypes.data,
        opencl.sizes(images.ORIGIN),
        opencl.sizes(image_type.extents),
        0,
        0,
        0,
    )
    check.equal("clEnqueueFillImage", code, opencl.SUCCESS, stage="enqueue")
    pointer, row, slice_ = images.map_region(device, image, images.MAP["write"], origin, region)
    view = images.region_of(pointer, row, slice_, image_type, region, content)
    filled = np.broadcast_to(colour, (*view.shape[:3], 4))
    codec.compare_stored("mapped", view.copy(), filled, fmt)
    view[...] = content[slices]
    everything = [opencl.sizes(t) for t in (images.ORIGIN, images.ORIGIN, image_type.extents)]
    for function, *arguments in (
        ("clEnqueueUnmapMemObject", image.int_ptr, pointer),
        ("clEnqueueCopyImage", image.int_ptr, other.int_ptr, *everything),
    ):
        code = opencl.call(function, device.queue.int_ptr, *arguments, 0, 0, 0)
        check.equal(function, code, opencl.SUCCESS, stage="enqueue")
    copied = images.whole(device, other, content)
    check.equal("copied", copied[slices], content[slices])
    around = np.ones(copied.shape[:3], bool)
    around[slices] = False
    codec.compare_stored("copied, around the map", copied[around], np.broadcast_to(colour, (around.sum(), 4)), fmt)
