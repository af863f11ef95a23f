"""Images of which one extent is the largest that the device names, and the others are 1 (API 3.0, 4.2, 5.3.1.2)."""

from __future__ import annotations

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device
from runner.model import Case

from . import access, images
from .codec import VALUES, random_content
from .table import KINDS, Format

_LIMITS = {  # of each axis, as pyopencl names the query
    "1d": ("image2d_max_width",),
    "1d_array": ("image2d_max_width", "image_max_array_size"),
    "2d": ("image2d_max_width", "image2d_max_height"),
    "2d_array": ("image2d_max_width", "image2d_max_height", "image_max_array_size"),
    "3d": ("image3d_max_width", "image3d_max_height", "image3d_max_depth"),
}


def check_largest(device: Device, case: Case) -> None:
    """The host writes the first, one in the middle and the last element, and a kernel reads them. Params: kind, format."""
    kind, fmt = KINDS[case.params["kind"]], Format.of(case.params["format"])
    kernel = device.build(access.read_source(kind, fmt, sampled=False)).f
    for axis, limit in enumerate(_LIMITS[kind.name]):
        extents = [1, 1, 1]
        extents[axis] = getattr(device.device, limit)
        image = images.create(device, kind, fmt, cl.mem_flags.READ_ONLY, extents=extents)
        at = np.zeros((3, 4), np.int32)
        at[:, axis] = 0, extents[axis] // 2 + 1, extents[axis] - 1
        content = random_content(device.rng, fmt, (3,))
        for place, element in zip(at, content, strict=True):
            images.write(device, image, element, place[:3].tolist(), (1, 1, 1))
        out = device.buffer(np.zeros((3, 4), VALUES[fmt.suffix]))
        device.launch(kernel, [3], None, image, device.buffer(at), out)
        got = device.read(out, VALUES[fmt.suffix], (3, 4))
        check.equal(f"elements of an image of CL_DEVICE_{limit.upper()}, {extents[axis]}", got, content, [at[:, axis]])
