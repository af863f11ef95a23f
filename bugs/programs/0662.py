"""A 1D array, written and read by the host."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
texels = np.arange(1, 13, dtype="f4")
form = cl.ImageFormat(cl.channel_order.R, cl.channel_type.FLOAT)
description = cl.ImageDescriptor()
description.image_type, description.shape = cl.mem_object_type.IMAGE1D_ARRAY, (4, 1, 1)
description.array_size, description.pitches, description.buffer = 3, (0, 0), None
image = cl.Image(context, cl.mem_flags.READ_WRITE, form, desc=description)
result = np.zeros_like(texels)
cl._cl._enqueue_write_image(queue, image, hostbuf=texels, origin=(0, 0, 0), region=(4, 3, 1))
cl._cl._enqueue_read_image(queue, image, hostbuf=result, origin=(0, 0, 0), region=(4, 3, 1))
print(f"layers that are read as they were written: {[n for n in range(3) if (result == texels)[4 * n : 4 * n + 4].all()]}")
sys.exit(result.tolist() != texels.tolist())
