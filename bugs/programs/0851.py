"""ldexp of two halves takes an exponent for each."""

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
kernel void f(global half2 *out, global const half2 *x, global const int2 *k) { *out = ldexp(*x, *k); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(2, "f2")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
x, k = (cl.Buffer(context, flags, hostbuf=np.array(a, t)) for a, t in (([1, 1], "f2"), ([1, 3], "i4")))
program.f(queue, (1,), None, out, x, k)
cl.enqueue_copy(queue, result, out)
print(f"ldexp of 1 and 1 by 1 and 3 = {result[0]:.0f} and {result[1]:.0f}")
sys.exit(list(result) != [2, 8])
