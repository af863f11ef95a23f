"""A float between two halves, converted without a rounding mode."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "zink")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void f(global ushort *out, global const float *in) { *out = as_ushort((half)*in); }
"""
result = np.zeros(1, "u2")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
number = np.array([1 + 2**-11 + 2**-12], "f4")
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=number)
cl.Program(context, SOURCE).build().f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"(half)(1 + 3 * 2^-12) = 1 + {result[0] - 0x3C00} * 2^-10")
sys.exit(bool(result[0] != 0x3C01))
