"""Commands that move elements: the host's reads and writes, copies and fills, never at the origin."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.device import Device
from runner.model import Case

from .. import opencl
from . import codec, images
from .table import KINDS, Format, Kind

Array = NDArray[Any]


# How the host's memory lies: elements between its rows, and whether slices are further apart than their rows need.
_LAYOUTS = {"packed": (0, False), "rows": (3, False), "slices": (3, True)}


def host_memory(
    device: Device, kind: Kind, region: images.Triple, like: Array, layout: str
) -> tuple[Array, Array, tuple[int, int]]:
    """Memory with numbers of its own, the region in it as (z, y, x, component), and the pitches to pass."""
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


def check_host_write(device: Device, case: Case) -> None:
    """clEnqueueWriteImage of a part; the rest stays. Params: kind, format, layout."""
    kind, fmt = KINDS[case.params["kind"]], Format.of(case.params["format"])
    image, content = images.filled(device, kind, fmt)
    origin, region, slices = images.place(kind, 0)
    memory, box, pitches = host_memory(device, kind, region, content, case.params["layout"])
    images.write(device, image, memory, origin, region, pitches)
    content[slices] = box
    check.equal("image", images.whole(device, image, content), content)


def check_host_read(device: Device, case: Case) -> None:
    """clEnqueueReadImage of a part; what lies between the rows stays. Params: kind, format, layout."""
    kind, fmt = KINDS[case.params["kind"]], Format.of(case.params["format"])
    image, content = images.filled(device, kind, fmt)
    origin, region, slices = images.place(kind, 1)
    memory, box, pitches = host_memory(device, kind, region, content, case.params["layout"])
    got = memory.copy()
    images.read(device, image, got, origin, region, pitches)
    box[...] = content[slices]
    check.equal("host", got, memory)


def check_copy(device: Device, case: Case) -> None:
    """clEnqueueCopyImage between different places of images of any two types (API 3.0, 5.3.4).

    Params: source, target (kinds), format.
    """
    source, target = KINDS[case.params["source"]], KINDS[case.params["target"]]
    fmt = Format.of(case.params["format"])
    (one, content), (two, ground) = (images.filled(device, kind, fmt) for kind in (source, target))
    here, there, region = overlap(source, target)
    images.enqueue(
        device,
        "clEnqueueCopyImage",
        one.int_ptr,
        two.int_ptr,
        opencl.sizes(here),
        opencl.sizes(there),
        opencl.sizes(region),
    )
    ground[box(there, region)] = content[box(here, region)]
    check.equal("target", images.whole(device, two, ground), ground)
    check.equal("source", images.whole(device, one, content), content)


def overlap(source: Kind, target: Kind) -> tuple[list[int], list[int], list[int]]:
    """Origins in both and the largest region there that both types have."""
    here, there = ([start if i < k.axes else 0 for i in range(3)] for k, start in ((source, 1), (target, 2)))
    room = zip(source.extents, here, target.extents, there, strict=True)
    return here, there, [max(1, min(a - x, b - y)) for a, x, b, y in room]


def box(origin: images.Triple, region: images.Triple) -> tuple[slice, ...]:
    """The slices of (z, y, x)."""
    return tuple(slice(o, o + r) for o, r in zip(origin, region, strict=True))[::-1]


def check_copy_within(device: Device, case: Case) -> None:
    """clEnqueueCopyImage inside of one image, to a part that does not overlap. Params: kind, format."""
    kind, fmt = KINDS[case.params["kind"]], Format.of(case.params["format"])
    image, content = images.filled(device, kind, fmt)
    here, there = [0, 0, 0], [(kind.extents[0] + 1) // 2, *(1 if i < kind.axes else 0 for i in (1, 2))]
    region = [kind.extents[0] // 2, *(max(1, kind.extents[i] - 1) for i in (1, 2))]
    images.enqueue(
        device,
        "clEnqueueCopyImage",
        image.int_ptr,
        image.int_ptr,
        opencl.sizes(here),
        opencl.sizes(there),
        opencl.sizes(region),
    )
    want = content.copy()
    want[box(there, region)] = content[box(here, region)]
    check.equal("image", images.whole(device, image, content), want)


def check_image_to_buffer(device: Device, case: Case) -> None:
    """clEnqueueCopyImageToBuffer; the offset counts bytes, and the rest stays. Params: kind, format.

    The buffer has room for an offset that is taken for a number of elements.
    """
    kind, fmt = KINDS[case.params["kind"]], Format.of(case.params["format"])
    image, content = images.filled(device, kind, fmt)
    origin, region, slices = images.place(kind, 0)
    packed = np.frombuffer(content[slices].tobytes(), np.uint8)
    offset = 3 * images.element_size(fmt)
    want = device.rng.integers(1, 250, 4096, dtype=np.uint8)
    buffer = device.buffer(want)
    images.enqueue(
        device,
        "clEnqueueCopyImageToBuffer",
        image.int_ptr,
        buffer.int_ptr,
        opencl.sizes(origin),
        opencl.sizes(region),
        offset,
    )
    want[offset : offset + len(packed)] = packed
    check.equal("buffer", device.read(buffer, np.uint8, 4096), want)


def check_buffer_to_image(device: Device, case: Case) -> None:
    """clEnqueueCopyBufferToImage from an offset in bytes. Params: kind, format."""
    kind, fmt = KINDS[case.params["kind"]], Format.of(case.params["format"])
    image, content = images.filled(device, kind, fmt)
    origin, region, slices = images.place(kind, 1)
    offset = 3 * images.element_size(fmt)
    data = codec.random_content(device.rng, fmt, (256,))
    buffer = device.buffer(data)
    images.enqueue(
        device,
        "clEnqueueCopyBufferToImage",
        buffer.int_ptr,
        image.int_ptr,
        offset,
        opencl.sizes(origin),
        opencl.sizes(region),
    )
    count = int(np.prod(region))
    content[slices] = data[3 : 3 + count].reshape(content[slices].shape)
    check.equal("image", images.whole(device, image, content), content)


def check_fill(device: Device, case: Case) -> None:
    """clEnqueueFillImage of a part with four colours in turn, converted as a write's. Params: kind, format."""
    kind, fmt = KINDS[case.params["kind"]], Format.of(case.params["format"])
    image, content = images.filled(device, kind, fmt)
    colours = codec.random_colours(device.rng, fmt, 16)
    for number, colour in enumerate(colours[[0, 1, 2, -1]]):
        corner = number % 2
        origin, region, slices = images.place(kind, corner)
        sent = np.ascontiguousarray(colour[:1] if fmt.order == "depth" else colour)
        images.enqueue(
            device,
            "clEnqueueFillImage",
            image.int_ptr,
            sent.ctypes.data,
            opencl.sizes(origin),
            opencl.sizes(region),
        )
        got = images.whole(device, image, content)
        filled = got[slices].reshape(-1, got.shape[-1])
        codec.check_stored("filled", filled, np.broadcast_to(colour, (len(filled), 4)), fmt)
        content[slices] = got[slices]
        check.equal("the rest", got, content)
