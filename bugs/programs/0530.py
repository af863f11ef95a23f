"""A quotient of short2 by a constant is one too small if the dividend is negative."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global short2 *out, global const short2 *in) { *out = *in / (short)5; }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(2, "i2")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([-6, 6], "i2"))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"(short2)(-6, 6) / 5 = {result[0]}, {result[1]}")
sys.exit(result.tolist() != [-1, 1])
