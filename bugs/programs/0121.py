"""fma of double rounds twice: it is a multiplication and an addition."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global double *out, global const double *in) { *out = fma(in[0], in[1], in[2]); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "f8")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(
    context,
    cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR,
    hostbuf=np.array([1 + 2.0**-52, 1 + 2.0**-52, -(1 + 2.0**-51)]),
)
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"fma(1 + 2**-52, 1 + 2**-52, -(1 + 2**-51)) = {result[0]:g}")
sys.exit(bool(result[0] != 2.0**-104))
