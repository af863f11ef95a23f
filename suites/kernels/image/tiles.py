"""Images of several tiles: parts at odd places, by the host, by maps, by copies and by a kernel (API 3.0, 5.3.4, 5.3.5).

A driver lays elements out in tiles, whose size depends on that of the element; a small image fits into one tile.
"""

from dataclasses import replace

import numpy as np

from runner import check
from runner.device import Device

from ..kit import opencl
from . import access, codec, images
from .table import KINDS, Format, ImageType

Box = tuple[tuple[int, int, int], tuple[int, int, int], tuple[slice, ...]]  # origin, region, slices of (z, y, x)
_EXTENTS = {"2d": (301, 67, 1), "2d_array": (150, 37, 3), "3d": (75, 35, 5)}


def _box(device: Device, extents: tuple[int, int, int], region: tuple[int, int, int] | None = None) -> Box:
    """A random part, or a part of the size `region` at a random place."""
    x, y, z = region or (int(device.rng.integers(1, n + 1)) for n in extents)
    a, b, c = (int(device.rng.integers(0, n - m + 1)) for n, m in zip(extents, (x, y, z), strict=True))
    return (a, b, c), (x, y, z), (slice(c, c + z), slice(b, b + y), slice(a, a + x))


def check_tiles(device: Device, *, kind: str, format: str) -> None:
    """Each command writes parts; the host reads parts and the whole, and a kernel reads elements."""
    extents = _EXTENTS[kind]
    image_type: ImageType = replace(KINDS[kind], extents=extents)
    fmt = Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    other, source = images.filled(device, image_type, fmt)
    for _ in range(4):
        origin, region, slices = _box(device, extents)
        sent = codec.random_content(device.rng, fmt, (region[2], region[1], region[0] + 3))
        images.write(device, image, sent, origin, region, ((region[0] + 3) * images.element_size(fmt), 0))
        content[slices] = sent[:, :, : region[0]]

        origin, region, slices = _box(device, extents)
        pointer, pitch, slice_ = images.map_region(device, image, images.MAP["write"], origin, region)
        view = images.region_of(pointer, pitch, slice_, image_type, region, content)
        check.equal("mapped", view.copy(), content[slices])
        view[...] = content[slices] = codec.random_content(device.rng, fmt, region[::-1])
        images.unmap(device, image, pointer)

        here, region, slices = _box(device, extents)
        there, _, target = _box(device, extents, region)
        where = [opencl.sizes(place) for place in (here, there, region)]
        images.enqueue(device, "clEnqueueCopyImage", other.int_ptr, image.int_ptr, *where)
        content[target] = source[slices]

        origin, region, slices = _box(device, extents)
        got = np.zeros((*region[::-1], content.shape[-1]), content.dtype)
        images.read(device, image, got, origin, region)
        check.equal("a part, read by the host", got, content[slices])
    check.equal("all", images.whole(device, image, content), content)
    at = np.zeros((256, 4), np.int32)
    at[:, :3] = device.rng.integers(0, extents, (256, 3))
    kernel, values = device.build(access.read_source(image_type, fmt, sampled=False)).f, codec.VALUES[fmt.suffix]
    out = device.buffer(np.zeros((256, 4), values))
    device.launch(kernel, [256], None, image, device.buffer(at), out)
    got = device.read(out, values, (256, 4))
    codec.compare_read(f"read_image{fmt.suffix}", got, access.at_positions(codec.texels(content, fmt), at), fmt)
