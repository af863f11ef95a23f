"""The arithmetic shift of two shorts, each by its own amount."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = "kernel void f(global short *out, global const short2 *in) { vstore2(in[0] >> in[1], 0, out); }"
program = cl.Program(context, SOURCE).build()
values = np.array([8, -8, 1, 2], "i2")
result = np.zeros(2, "i2")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"(8, -8) >> (1, 2) = ({', '.join(map(str, result))})")
sys.exit(result.tolist() != [4, -2])
