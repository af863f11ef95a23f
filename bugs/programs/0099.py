"""From double to float the rounding mode is lost."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global float *out, global const double *in) { *out = convert_float_rtp(in[0]); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "f4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([1.0 + 2.0**-30]))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"convert_float_rtp(1 + 2**-30) = {result[0]:.9g}")
sys.exit(bool(result[0] != np.nextafter(np.float32(1), np.float32(2))))
