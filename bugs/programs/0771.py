"""0 <= fmin(NaN, 0) is true."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "iris")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = "kernel void f(global const float *v, global int *out) { out[0] = 0.0f <= fmin(v[0], 0.0f); }"
program = cl.Program(context, SOURCE).build()
value, result = np.array([np.nan], "f4"), np.zeros(1, "i4")
flags = cl.mem_flags
source = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=value)
out = cl.Buffer(context, flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, source, out)
cl.enqueue_copy(queue, result, out)
print(f"0 <= fmin(NaN, 0) is {result[0]}")
sys.exit(bool(result[0] != 1))
