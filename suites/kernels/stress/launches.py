"""Many launches with images and a sampler, without waits: the driver's state for each fills its buffers several times."""

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

_WIDTH = 64
_SOURCE = """
__kernel void first(__read_only image2d_t a, sampler_t s, __write_only image2d_t b, __global uint *r, uint n) {
    uint x = read_imageui(a, s, (int2)(n % 8, 0)).x + n;
    r[n] = x;
    write_imageui(b, (int2)(n % 64, n / 64), (uint4)(x));
}
__kernel void second(__write_only image2d_t b, __read_only image2d_t a, __read_only image2d_t c, __global uint *r, uint n) {
    uint x = read_imageui(c, (int2)(n % 8, 0)).x * 3 + read_imageui(a, (int2)(n % 8, 0)).x;
    r[n] = x;
    write_imageui(b, (int2)(n % 64, n / 64), (uint4)(x));
}
"""


def check_image_launches(device: Device, *, count: int) -> None:
    """Two kernels in turn, each time with other images; each launch writes a word and a texel."""
    program, form = device.build(_SOURCE), cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT32)
    rows = device.rng.integers(0, 1000, (5, 8)).astype(np.uint32)
    sources = []
    for row in rows:
        image = cl.create_image(device.context, cl.mem_flags.READ_ONLY, form, shape=(8, 1))
        cl.enqueue_copy(device.queue, image, np.repeat(row, 4).astype(np.uint32), origin=(0, 0), region=(8, 1))
        sources.append(image)
    shape = (-(-count // _WIDTH), _WIDTH, 4)
    targets = [cl.create_image(device.context, cl.mem_flags.READ_WRITE, form, shape=(_WIDTH, shape[0])) for _ in range(2)]
    for image in targets:
        cl.enqueue_copy(device.queue, image, np.zeros(shape, np.uint32), origin=(0, 0), region=(_WIDTH, shape[0]))
    out, sampler = (
        device.buffer(np.zeros(count, np.uint32)),
        cl.Sampler(device.context, False, cl.addressing_mode.CLAMP_TO_EDGE, cl.filter_mode.NEAREST),
    )
    want, texels = np.zeros(count, np.uint32), np.zeros((2, *shape), np.uint32)
    for n in range(count):
        a, c, target = n % 5, (n * 3 + 1) % 5, n % 3 % 2
        if n % 2:
            device.launch(program.second, [1], [1], targets[target], sources[a], sources[c], out, np.uint32(n))
            want[n] = rows[c, n % 8] * 3 + rows[a, n % 8]
        else:
            device.launch(program.first, [1], [1], sources[a], sampler, targets[target], out, np.uint32(n))
            want[n] = rows[a, n % 8] + n
        texels[target, n // _WIDTH, n % _WIDTH] = want[n]
    check.equal(f"words of {count} launches", device.read(out, np.uint32, count), want)
    for number, image in enumerate(targets):
        got = device.read_image(image, np.uint32, shape, (0, 0), (_WIDTH, shape[0]))
        check.equal(f"texels of image {number}", got, texels[number])
