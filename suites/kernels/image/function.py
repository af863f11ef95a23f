"""Images and samplers as arguments of functions that are not kernels (OpenCL C 3.0, 6.9.b)."""

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

_WIDTHS = (8, 16)  # px, of the two images
_ITEMS = 8
_ACCESSES = {  # what the function does with its image and returns
    "read": "r = read_imagef(image, nearest, (int2)(x, 0));",
    "sampler": "r = read_imagef(image, sampler, (int2)(x, 0));",
    "samplerless": "r = read_imagef(image, (int2)(x, 0));",
    "width": "r = x + get_image_width(image);",
    "write": "write_imagef(image, (int2)(x, 0), (float4)(x)); r = x;",
}
_PLACES = {"straight": "{}", "branch": "if (x < 8) {{ {} }}", "loop": "for (int k = 0; k < 1; k++) {{ {} }}"}
_KERNEL = """
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
float4 use({access} image2d_t image, sampler_t sampler, int x) {{
    float4 r = 0.0f;
    {statement}
    return r;
}}
kernel void f({access} image2d_t a, {access} image2d_t b, global float4 *r) {{
    int i = get_global_id(0);
    r[i] = use(b, nearest, i);
}}
"""


def check_function(device: Device, *, use: str, place: str) -> None:
    """The function gets the second of two images. `use`: a name of _ACCESSES; `place`: a name of _PLACES."""
    statement = _PLACES[place].format(_ACCESSES[use])
    access = "write_only" if use == "write" else "read_only"
    program = device.build(_KERNEL.format(access=access, statement=statement))
    contents = [device.rng.uniform(-9, 9, (1, width, 4)).astype(np.float32) for width in _WIDTHS]
    form, flags = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT), cl.mem_flags.COPY_HOST_PTR
    images = [
        cl.create_image(device.context, flags, form, shape=(content.shape[1], 1), hostbuf=content) for content in contents
    ]
    target = device.buffer(_ITEMS * 16)
    device.launch(program.f, (_ITEMS,), None, *images, target)
    got = device.read(target, np.float32, (_ITEMS, 4))
    numbers = np.repeat(np.arange(_ITEMS, dtype=np.float32)[:, None], 4, 1)
    second = contents[1].copy()
    if use == "write":
        second[0, :_ITEMS] = numbers
    wants = {"width": numbers + _WIDTHS[1], "write": numbers}
    check.equal("what the function returns", got, wants.get(use, contents[1][0, :_ITEMS]))
    for name, image, want in zip("ab", images, (contents[0], second), strict=True):
        found = np.empty_like(want)
        device.copy(found, image, origin=(0, 0), region=(want.shape[1], 1))
        check.equal(f"image {name}", found, want)
