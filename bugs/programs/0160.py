"""A 3D image read with unnormalized coordinates is full of ones."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "zink")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void f(global uint4 *out, read_only image3d_t image) { *out = read_imageui(image, s, (int4)(1, 1, 0, 0)); }
"""
program = cl.Program(context, SOURCE).build()
pixels = np.arange(100, 164, dtype="u4").reshape(2, 2, 4, 4)
form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT32)
image = cl.create_image(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, form, (4, 2, 2), hostbuf=pixels)
result = np.zeros(4, "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, out, image)
cl.enqueue_copy(queue, result, out)
print(f"the pixel at (1, 1, 0): {result.tolist()}")
sys.exit(bool(result.tolist() != pixels[0, 1, 1].tolist()))
