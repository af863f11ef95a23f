"""Two loads, a barrier, and a store that another work-item has read."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global const short8 *in, global short8 *shared, global short8 *out) {
    uint l = get_local_id(0);
    shared[l] = in[l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    short8 x = shared[63 - l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    shared[l] = x;
    out[l] = shared[l];
}
"""
program = cl.Program(context, SOURCE).build()
data = np.repeat(np.arange(64, dtype="i2"), 8)
flags = cl.mem_flags
buffers = [cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=d) for d in (data, 0 * data, 0 * data)]
program.f(queue, (64,), (64,), *buffers)
result = np.empty_like(data)
cl.enqueue_copy(queue, result, buffers[2])
print(f"work-item 32 read {result[32 * 8]}" + (" of its own in place of 31" if result[32 * 8] != 31 else ""))
sys.exit(result[32 * 8] != 31)
