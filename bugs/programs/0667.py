"""fma of three floats."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = "kernel void f(global float *out, global const float *in) { *out = fma(in[0], in[0], -in[0]); }"
result = np.zeros(1, "f4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([1 + 2**-23], "f4"))
cl.Program(context, SOURCE).build().f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"fma(1 + 2^-23, 1 + 2^-23, -1 - 2^-23) = {float(result[0]).hex()}")
sys.exit(bool(result[0] != np.float32((1 + 2**-23) * 2**-23)))
