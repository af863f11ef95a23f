"""The conversion in the middle of a chain is left out."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global double *out, global const double *in) { *out = (double)(float)in[0]; }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "f8")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([16777217.0]))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"(double)(float)16777217.0 = {result[0]:.1f}")
sys.exit(bool(result[0] != 16777216.0))
