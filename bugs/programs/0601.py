"""ldexp of a constant that is infinite."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void f(global float *out) { *out = ldexp(INFINITY, -128); }").build()
result = np.zeros(1, "f4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, out)
cl.enqueue_copy(queue, result, out)
print(f"ldexp(inf, -128) = {result[0]}")
sys.exit(not np.isinf(result[0]))
