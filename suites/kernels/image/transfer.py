"""Images and their memory: every transfer with offsets that are not zero, fills."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device
from runner.model import Case

from .sampling import EXTENTS, new_image

Place = tuple[list[int], list[int], tuple[slice, ...]]


def place(dims: int, shift: int) -> Place:
    """An origin and a region inside of the extents, and the same as slices of (z, y, x)."""
    origin = [(1 + shift) % 3 if d < dims else 0 for d in range(3)]
    region = [EXTENTS[d] - 3 if d < dims else 1 for d in range(3)]
    slices = tuple(slice(o, o + r) for o, r in zip(origin[:dims], region[:dims], strict=True))
    return origin, region, slices[::-1]


def whole(device: Device, image: cl.Image, like: NDArray[Any], dims: int) -> NDArray[Any]:
    """All elements of an image."""
    region = (*EXTENTS[:dims], *(1,) * (3 - dims))
    return device.read_image(image, like.dtype, like.shape, (0, 0, 0), region)


def check_host(device: Device, case: Case) -> None:
    """Host to image and back, with origins and pitches. Params: dims, order, type."""
    p = case.params
    dims = p["dims"]
    image, content = new_image(device, dims, p["order"], p["type"])
    origin, region, slices = place(dims, 0)
    padded = [region[0] + 2, region[1] + (dims > 2), region[2]]  # the host's array is wider than the region
    shape = [*reversed(padded[:dims]), content.shape[-1]]
    host = np.arange(1, 1 + int(np.prod(shape))).reshape(shape).astype(content.dtype)
    row = padded[0] * content.shape[-1] * content.itemsize
    pitches = (row if dims > 1 else 0, row * padded[1] if dims > 2 else 0)
    device.copy(image, host, origin=origin, region=region, pitches=pitches)
    want = content.copy()
    want[slices] = host[tuple(slice(0, r) for r in reversed(region[:dims]))]
    check.equal("image after the write", whole(device, image, content, dims), want)
    origin, region, slices = place(dims, 1)
    back = np.zeros_like(host)
    device.copy(back, image, origin=origin, region=region, pitches=pitches)
    read = np.zeros_like(host)
    read[tuple(slice(0, r) for r in reversed(region[:dims]))] = want[slices]
    check.equal("host after the read", back, read)


def check_image_to_image(device: Device, case: Case) -> None:
    """clEnqueueCopyImage between different origins. Params: dims, order, type."""
    dims, order, type_name = (case.params[k] for k in ("dims", "order", "type"))
    one, source = new_image(device, dims, order, type_name)
    two, ground = new_image(device, dims, order, type_name)
    (here, region, slices), (there, _, target) = place(dims, 0), place(dims, 1)
    device.copy(two, one, src_origin=here, dest_origin=there, region=region)
    want = ground.copy()
    want[target] = source[slices]
    check.equal("image", whole(device, two, ground, dims), want)


def check_image_to_buffer(device: Device, case: Case) -> None:
    """clEnqueueCopyImageToBuffer; the offset counts bytes, and the rest stays. Params: dims, order, type.

    The buffer has room for an offset that is taken for a number of elements.
    """
    dims = case.params["dims"]
    image, source = new_image(device, dims, case.params["order"], case.params["type"])
    origin, region, slices = place(dims, 0)
    box = source[slices].tobytes()
    offset = 3 * source.shape[-1] * source.itemsize
    fill = device.rng.integers(1, 250, 4096, dtype=np.uint8)
    buffer = device.buffer(fill)
    device.copy(buffer, image, offset=offset, origin=origin, region=region)
    want = fill.copy()
    want[offset : offset + len(box)] = np.frombuffer(box, dtype=np.uint8)
    check.equal("buffer", device.read(buffer, np.uint8, 4096), want)


def check_buffer_to_image(device: Device, case: Case) -> None:
    """clEnqueueCopyBufferToImage from an offset. Params: dims, order, type."""
    dims = case.params["dims"]
    image, content = new_image(device, dims, case.params["order"], case.params["type"])
    origin, region, slices = place(dims, 1)
    box = np.arange(5, 5 + content[slices].size).astype(content.dtype).reshape(content[slices].shape)
    offset = 3 * content.shape[-1] * content.itemsize
    data = np.zeros(4096, np.uint8)
    data[offset : offset + box.nbytes] = np.frombuffer(box.tobytes(), dtype=np.uint8)
    device.copy(image, device.buffer(data), offset=offset, origin=origin, region=region)
    content[slices] = box
    check.equal("image", whole(device, image, content, dims), content)


def check_fill(device: Device, case: Case) -> None:
    """clEnqueueFillImage of a region: an int colour, and a float one that is clamped. Params: dims."""
    dims = case.params["dims"]
    origin, region, slices = place(dims, 0)
    for type_name, colour, stored in (
        ("sint32", np.array([-1, 2**31 - 1, 5, -(2**31)], np.int32), [-1, 2**31 - 1, 5, -(2**31)]),
        ("unorm8", np.array([0.0, 1.0, 2.0, -1.0], np.float32), [0, 255, 255, 0]),
        ("float", np.array([0.1, -2.5, 1e30, 0.0], np.float32), np.array([0.1, -2.5, 1e30, 0.0], np.float32)),
    ):
        image, content = new_image(device, dims, "rgba", type_name)
        cl.enqueue_fill_image(device.queue, image, colour, origin, region)
        want = content.copy()
        want[slices] = stored
        check.equal(f"fill of {type_name}", whole(device, image, content, dims), want)


BODIES = {
    "image.host": check_host,
    "image.image_to_image": check_image_to_image,
    "image.image_to_buffer": check_image_to_buffer,
    "image.buffer_to_image": check_buffer_to_image,
    "image.fill": check_fill,
}
