"""A read of an image begins in its last row and continues below it: only the bound in x is checked."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
form = cl.ImageFormat(cl.channel_order.R, cl.channel_type.UNSIGNED_INT8)
image = cl.create_image(context, cl.mem_flags.READ_WRITE, form, (8, 8))
rows = np.zeros((4, 4), "u1")
try:
    cl.enqueue_copy(queue, rows, image, origin=(0, 7), region=(4, 4)).wait()
    got = "CL_SUCCESS"
except cl.LogicError as error:
    got = "CL_" + cl.status_code.to_string(error.code)
print(f"clEnqueueReadImage of rows 7 to 10 of 8: {got}")
sys.exit(got != "CL_INVALID_VALUE")
