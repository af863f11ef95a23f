"""A float select over shorts uses the constant 2.5f as the bits of a half."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global float *out, global const short *in) { short v = in[0]; *out = v < 10 ? (float)v : 2.5f; }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "f4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([20], "i2"))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"20 < 10 ? 20 : 2.5f = {result[0]}")
sys.exit(bool(result[0] != 2.5))
