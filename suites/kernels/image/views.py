"""2D images of a 2D image: the same elements with another channel order (OpenCL API 3.0, 5.3.1.2)."""

import pyopencl as cl

from runner import check
from runner.device import Device

from . import access, codec, images
from .table import KINDS, Format


def check_view(device: Device, *, kind: str, format: str, of: str) -> None:
    """A kernel and the host read through the view, and the host writes through it. `of`: the image's format."""
    image_type, fmt, parent_format = KINDS[kind], Format.of(format), Format.of(of)
    parent, content = images.filled(device, image_type, parent_format)
    view = images.create(device, image_type, fmt, cl.mem_flags.READ_ONLY, buffer=parent)
    owner = view.get_info(cl.mem_info.ASSOCIATED_MEMOBJECT)
    check.equal("CL_MEM_ASSOCIATED_MEMOBJECT", owner and owner.int_ptr, parent.int_ptr, stage="api")
    check.equal("read", images.whole(device, view, content), content)
    at = access.all_positions(image_type, device.rng)
    kernel, values = device.build(access.read_source(image_type, fmt, sampled=False)).f, codec.VALUES[fmt.suffix]
    out, places = device.buffer(4 * len(at) * values().itemsize), device.buffer(at)
    device.launch(kernel, [len(at)], None, view, places, out)
    want = access.at_positions(codec.texels(content, fmt), at)
    codec.compare_read("read in the kernel", device.read(out, values, (len(at), 4)), want, fmt)
    origin, region, slices = images.place(image_type, 1)
    content[slices] = codec.random_content(device.rng, parent_format, tuple(reversed(region)))
    images.write(device, view, content[slices].copy(), origin, region)
    check.equal("the image, written through its view", images.whole(device, parent, content), content)
