"""A layer of 1.75 is layer 2."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
texels = np.arange(4, dtype="f4")
form = cl.ImageFormat(cl.channel_order.R, cl.channel_type.FLOAT)
image = cl.create_image(context, cl.mem_flags.READ_WRITE, form, shape=(1, 1, 4), is_array=True)
cl._cl._enqueue_write_image(queue, image, hostbuf=texels, origin=(0, 0, 0), region=(1, 1, 4))
SOURCE = """
kernel void f(global float *out, read_only image2d_array_t image, sampler_t s, float layer) {
   *out = read_imagef(image, s, (float4)(0.5f, 0.5f, layer, 0)).x;
}
"""
result = np.zeros(1, "f4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
sampler = cl.Sampler(context, False, cl.addressing_mode.CLAMP_TO_EDGE, cl.filter_mode.NEAREST)
cl.Program(context, SOURCE).build().f(queue, (1,), None, out, image, sampler, np.float32(1.75))
cl.enqueue_copy(queue, result, out)
print(f"of layer 1.75: layer {result[0]:.0f}")
sys.exit(int(result[0]) != 2)
