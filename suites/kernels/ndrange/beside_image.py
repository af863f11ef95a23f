"""The ids of work-items in kernels that use images, for which a driver may order the items of a group differently.

OpenCL C 3.0, 6.15.1.
"""

import math

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

#: Sizes of groups: with a multiple of four rows or not, of one item, and some that do not fill whole hardware threads.
_SIZES = ((4, 4, 1), (8, 8, 1), (3, 8, 2), (5, 3, 2), (1, 12, 1), (6, 4, 3), (16, 2, 1), (1, 1, 1), (9, 1, 1))
_GROUPS = (2, 1, 2)
_SOURCE = """
{attribute}
__kernel void f(__global uint4 *r, __{access}_only image2d_t image, uint n) {{
    uint x = get_local_id(0), y = get_local_id(1), z = get_local_id(2), place = (uint)get_local_linear_id();
    uint group = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
    uint sum = 0;
    for (uint k = 0; k < n * x; k++) sum += (uint)get_local_id(1) + (uint)get_local_linear_id();
    r += group * (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)) + place;
    atomic_inc((volatile __global uint *)r);
    ((__global uint *)r)[1] = x | y << 8 | z << 16;
    ((__global uint *)r)[2] = sum;
    {use}
}}
"""
_USE = {
    "read": "((__global uint *)r)[3] = read_imageui(image, (int2)(place, group)).x;",
    "write": "write_imageui(image, (int2)(place, group), (uint4)(place * 256 + group + 1, 0, 0, 0));",
}


def check_beside_image(device: Device, *, access: str, required: bool) -> None:
    """Each item of a group runs once, and its ids in the group are consistent.

    `access`: read or write; `required`: the kernel has a reqd_work_group_size.
    """
    for size in _SIZES:
        attribute = f"__attribute__((reqd_work_group_size({', '.join(map(str, size))})))" if required else ""
        kernel = device.build(_SOURCE.format(attribute=attribute, access=access, use=_USE[access]), "-cl-std=CL3.0").f
        items, groups = math.prod(size), math.prod(_GROUPS)
        texels = np.zeros((groups, items, 4), np.uint32)
        texels[..., 0] = np.arange(items) * 256 + np.arange(groups)[:, None] + 1
        form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT32)
        image = cl.create_image(device.context, cl.mem_flags.READ_WRITE, form, shape=(items, groups))
        if access == "read":
            cl.enqueue_copy(device.queue, image, texels, origin=(0, 0), region=(items, groups))
        out = device.buffer(np.zeros((groups, items, 4), np.uint32))
        device.launch(kernel, [n * g for n, g in zip(size, _GROUPS, strict=True)], size, out, image, np.uint32(1))
        got = device.read(out, np.uint32, (groups, items, 4))
        z, y, x = (part.ravel() for part in np.indices(size[::-1]))
        want = np.zeros_like(got)
        want[..., 0], want[..., 1] = 1, x | y << 8 | z << 16
        want[..., 2] = x * (y + np.arange(items))
        want[..., 3] = texels[..., 0] if access == "read" else 0
        if access == "write":
            stored = device.read_image(image, np.uint32, (groups, items, 4), (0, 0), (items, groups))
            check.equal(f"texels that groups of {size} wrote", stored, texels)
        for column, what in enumerate(("runs", "local ids", "ids in a loop", "texels read")):
            check.equal(f"{what} of the items in groups of {size}", got[..., column], want[..., column])
