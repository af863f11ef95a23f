"""A kernel's write to an image of CL_A stores the red component."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "iris")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = "kernel void f(write_only image2d_t i) { write_imagef(i, (int2)(0, 0), (float4)(0.0f, 0.0f, 0.0f, 1.0f)); }"
program = cl.Program(context, SOURCE).build()
image = cl.Image(
    context, cl.mem_flags.READ_WRITE, cl.ImageFormat(cl.channel_order.A, cl.channel_type.UNORM_INT8), shape=(1, 1)
)
program.f(queue, (1,), (1,), image)
result = np.zeros(1, "u1")
cl.enqueue_copy(queue, result, image, origin=(0, 0), region=(1, 1))
print(f"alpha of 1.0 is {result[0]} of 255")
sys.exit(bool(result[0] != 255))
