"""sub_sat of an int in a work-group of 16: the subtrahend is negative."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "iris")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global int *out, global const int *a, global const int *b) {
    size_t i = get_global_id(0);
    out[i] = sub_sat(a[i], b[i]);
}
"""
program = cl.Program(context, SOURCE).build()
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
result, a, b = (np.full(16, value, "i4") for value in (0, 13, -5))
buffers = [cl.Buffer(context, flags, hostbuf=array) for array in (result, a, b)]
program.f(queue, (16,), (16,), *buffers)
cl.enqueue_copy(queue, result, buffers[0])
print(f"sub_sat(13, -5) = {result[0]}")
sys.exit(bool((result != 18).any()))
