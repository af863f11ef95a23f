"""One kernel on four queues, each of which launches it for the first time."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void f(global uint *out) { out[get_global_id(0)] += 1; }").build()
result = np.zeros(4, "u4")
buffers = [cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result) for _ in range(4)]
kernel, sums = cl.Kernel(program, "f"), []
queues = [cl.CommandQueue(context) for _ in buffers]
for own, buffer in zip(queues, buffers, strict=True):
    kernel(own, (4,), None, buffer)
    own.finish()
for own, buffer in zip(queues, buffers, strict=True):
    cl.enqueue_copy(own, result, buffer)
    sums.append(int(result.sum()))
print(f"each of four queues has launched it: {sums == [4] * 4}")
sys.exit(sums != [4] * 4)
