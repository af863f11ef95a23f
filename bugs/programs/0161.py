"""A comparison of a double with 0.0: zink makes SPIR-V of it that is not valid."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "zink")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global double *out) { out[0] = out[0] != 0.0; }
"""
program = cl.Program(context, SOURCE).build()
result = np.array([2.0])
out = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result)
program.f(queue, (1,), None, out)
cl.enqueue_copy(queue, result, out)
print(f"2.0 != 0.0 is {result[0]}")
sys.exit(bool(result[0] != 1))
