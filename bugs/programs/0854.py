"""A build does not trap if its application has enabled floating-point traps."""

import ctypes
import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void f(global float *out, global const float *in) { *out = *in * 1e30f; }")
ctypes.CDLL("libm.so.6").feenableexcept(1 | 4 | 8)  # FE_INVALID, FE_DIVBYZERO, FE_OVERFLOW of x86
program.build()
result = np.zeros(1, "f4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([2], "f4"))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"2 * 1e30 = {result[0]:.0e}")
sys.exit(bool(result[0] != np.float32(2e30)))
