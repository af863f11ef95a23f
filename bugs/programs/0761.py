"""A short is rounded to a half."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void f(global half *out, global const short *in) { *out = convert_half_rtz(*in); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "f2")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([32767], "i2"))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"convert_half_rtz(32767) = {result[0]:.0f}")
sys.exit(result[0] != 32752)
