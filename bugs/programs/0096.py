"""exp2 of half, of cl_khr_fp16, panics in the build."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void f(global half *out, global const half *in) { *out = exp2(in[0]); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "f2")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([3], "f2"))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"exp2((half)3) = {result[0]}")
sys.exit(bool(result[0] != 8))
