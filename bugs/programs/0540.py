"""A copy from a buffer to a 1D array of three layers."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
values = np.array([[1, 2], [3, 4], [5, 6]], "u1")
form = cl.ImageFormat(cl.channel_order.R, cl.channel_type.UNSIGNED_INT8)
description = cl.ImageDescriptor()
description.image_type, description.shape = cl.mem_object_type.IMAGE1D_ARRAY, (2, 1, 1)
description.array_size, description.pitches, description.buffer = 3, (0, 0), None
image = cl.Image(context, cl.mem_flags.READ_WRITE, form, desc=description)
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
cl._cl._enqueue_copy_buffer_to_image(queue, source, image, 0, (0, 0, 0), (2, 3, 1))
SOURCE = """
kernel void f(global uint *out, read_only image1d_array_t image) {
   int n = get_global_id(0);
   out[n] = read_imageui(image, (int2)(0, n)).x;
}
"""
result = np.zeros(3, "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
cl.Program(context, SOURCE).build("-cl-std=CL3.0").f(queue, (3,), None, out, image)
cl.enqueue_copy(queue, result, out)
print(f"the layers begin with 1, 3, 5: {result.tolist() == [1, 3, 5]}")
sys.exit(result.tolist() != [1, 3, 5])
