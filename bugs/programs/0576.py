"""A half becomes a double as if it were a float."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "radeonsi")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void f(global double *out, global const half *in) { out[0] = convert_double(in[0]); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "f8")
flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
half = cl.Buffer(context, flags, hostbuf=np.array([1.5], "f2"))
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, out, half)
cl.enqueue_copy(queue, result, out)
print(f"(double)(half)1.5 is {'1.5' if result[0] == 1.5 else 'not 1.5'}")
sys.exit(bool(result[0] != 1.5))
