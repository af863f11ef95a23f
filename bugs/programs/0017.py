"""clEnqueueCopyImageToBuffer multiplies dst_offset, which counts bytes, by the size of an element."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
pixels = np.arange(1, 5, dtype="u4")
form = cl.ImageFormat(cl.channel_order.R, cl.channel_type.UNSIGNED_INT32)
image = cl.create_image(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, form, (4, 1), hostbuf=pixels)
result = np.zeros(16, "u4")
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result)
cl.enqueue_copy(queue, buffer, image, offset=8, origin=(0, 0), region=(4, 1)).wait()
cl.enqueue_copy(queue, result, buffer)
first = int(np.flatnonzero(result)[0]) * 4
print(f"copied to byte 8, the pixels begin at byte {first}")
sys.exit(bool(first != 8))
