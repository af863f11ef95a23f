"""Images with one extent at the device's limit, copies between them, and an image of 4 GiB."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyopencl as cl

from runner import check
from runner.check import Mismatch, Unsupported
from runner.device import Device

from . import access, images, transfer
from .codec import ELEMENTS, VALUES, random_content
from .table import KINDS, Format, ImageType

_LIMITS = {  # of each axis: the query's name in pyopencl
    "1d": ("image2d_max_width",),
    "1d_array": ("image2d_max_width", "image_max_array_size"),
    "2d": ("image2d_max_width", "image2d_max_height"),
    "2d_array": ("image2d_max_width", "image2d_max_height", "image_max_array_size"),
    "3d": ("image3d_max_width", "image3d_max_height", "image3d_max_depth"),
}
_OF_4_GIB = {32768: "rgba.uint8", 16384: "rgba.uint32"}  # the format of a square image, by its side
_MEMORY = 12 << 30  # bytes: if host and device share the memory, a driver may need the image's size twice
_NO_MEMORY = ("CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY")  # API 3.0, 5.3.1


def check_largest(device: Device, *, kind: str, format: str) -> None:
    """The host writes the first, a middle and the last element, and a kernel reads them.

    One extent is at its limit, the others are 1 (API 3.0, 4.2, 5.3.1.2).
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    kernel = device.build(access.read_source(image_type, fmt, sampled=False)).f
    for axis, limit in enumerate(_LIMITS[image_type.name]):
        extents = [1, 1, 1]
        extents[axis] = getattr(device.device, limit)
        image = images.create(device, image_type, fmt, cl.mem_flags.READ_ONLY, extents=extents)
        at = np.zeros((3, 4), np.int32)
        at[:, axis] = 0, extents[axis] // 2 + 1, extents[axis] - 1
        content = random_content(device.rng, fmt, (3,))
        for place, element in zip(at, content, strict=True):
            images.write(device, image, element, place[:3].tolist(), (1, 1, 1))
        out = device.buffer(np.zeros((3, 4), VALUES[fmt.suffix]))
        device.launch(kernel, [3], None, image, device.buffer(at), out)
        got = device.read(out, VALUES[fmt.suffix], (3, 4))
        check.equal(
            f"elements of an image of CL_DEVICE_{limit.upper()}, {extents[axis]}",
            got,
            content,
            [np.repeat(at[:, axis : axis + 1], 4, 1)],
        )


def check_thick(device: Device, *, kind: str, format: str) -> None:
    """An image whose rows or layers are larger than a page: written and read as a whole, then only its middle.

    A driver's intermediate copy needs room for all layers of the part (API 3.0, 5.3.4).
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    x, y, z = {"1d_array": (1024, 6, 1), "2d": (1024, 6, 1)}.get(kind, (96, 64, 6))
    image = images.create(device, image_type, fmt, extents=(x, y, z))
    content = random_content(device.rng, fmt, (z, y, x))
    images.write(device, image, content, images.ORIGIN, (x, y, z))
    origin, region = (16, 1, min(z - 1, 1)), (x - 32, y - 2, max(1, z - 2))
    inside = tuple(slice(o, o + r) for o, r in zip(origin[::-1], region[::-1], strict=True))
    for part in range(2):  # the second time, after a part was written
        for what, at, size in (("whole", images.ORIGIN, (x, y, z)), ("its middle", origin, region)):
            got = np.zeros((*size[::-1], content.shape[-1]), content.dtype)
            images.read(device, image, got, at, size)
            check.equal(f"{kind}, {what}", got, content if what == "whole" else content[inside])
        if not part:
            content[inside] = random_content(device.rng, fmt, region[::-1])
            images.write(device, image, np.ascontiguousarray(content[inside]), origin, region)


def check_largest_copy(device: Device, *, source: str, target: str, format: str) -> None:
    """Copies between images of two types, with one extent at its limit and the others 4 (API 3.0, 5.3.4).

    `source`, `target`: kinds.
    """
    kinds = (source, target)
    for one, two in itertools.product(*(_long_kinds(device, KINDS[name]) for name in kinds)):
        try:
            transfer.compare_copy_between(device, one, two, Format.of(format))
        except Mismatch as error:
            error.name_part(f"{'x'.join(map(str, one.extents))} to {'x'.join(map(str, two.extents))}")
            raise


def _long_kinds(device: Device, kind: ImageType) -> Iterator[ImageType]:
    for axis, limit in enumerate(_LIMITS[kind.name]):
        extents = [4 if i < kind.axes else 1 for i in range(3)]
        extents[axis] = getattr(device.device, limit)
        yield replace(kind, extents=(extents[0], extents[1], extents[2]))


def check_4_gib(device: Device) -> None:
    """The host writes all of an image of 4 GiB by one command, and reads three rows of it (API 3.0, 5.3.4)."""
    longest, memory = min(device.device.image2d_max_width, device.device.image2d_max_height), device.device.global_mem_size
    side = max((side for side in _OF_4_GIB if side <= longest), default=0)
    if not side or memory < _MEMORY:
        raise Unsupported(f"an image of 4 GiB: the longest side is {longest}, the memory {memory >> 20} MiB")
    fmt = Format.of(_OF_4_GIB[side])
    try:
        image = images.create(device, KINDS["2d"], fmt, extents=(side, side, 1))
    except Mismatch as error:
        if not str(error).endswith(_NO_MEMORY):
            raise
        raise Unsupported(f"an image of 4 GiB: {error}") from error
    content = np.zeros((1, side, side, 4), ELEMENTS[fmt.channel])  # all rows but three stay zero, and take no memory
    rows = (0, side // 2 + 1, side - 1)
    for y in rows:
        content[0, y] = random_content(device.rng, fmt, (side,))
    images.write(device, image, content, images.ORIGIN, (side, side, 1))
    for y in rows:
        got = np.zeros((1, 1, side, 4), content.dtype)
        images.read(device, image, got, (0, y, 0), (side, 1, 1))
        check.equal(f"row {y} of {side}", got[0, 0], content[0, y])
