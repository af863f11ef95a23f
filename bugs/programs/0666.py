"""A texel of SNORM_INT8 that is filled with -51.9 of 127."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.SNORM_INT8)
image = cl.create_image(context, cl.mem_flags.READ_WRITE, form, shape=(4, 4))
cl.enqueue_fill_image(queue, image, np.full(4, -51.9 / 127, "f4"), (0, 0, 0), (4, 4, 1))
result = np.zeros(64, "i1")
cl.enqueue_copy(queue, result, image, origin=(0, 0), region=(4, 4))
print(f"-51.9 of 127 is stored as {result[0]}")
sys.exit(bool(result[0] != -52))
